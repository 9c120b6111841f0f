"""Answers that have a form of their own: definitions, formulas, lists, what is said of a figure."""

import re
from collections.abc import Iterator, Sequence

from ..core.chunk import Figure
from ..core.label import Label, find_labels
from ..core.ports import Tokenizer
from ..core.text import has_cjk
from .extractive_heads import Grid
from .extractive_sentences import Candidate, is_caption, passage_sentences, says_nothing
from .passages import Passage

Line = tuple[int, str]
"""A passage's number (0: none) and a statement."""
MAX_ITEMS = 12
# Sentences that follow the one that names a figure and still speak of it.
MAX_SAID = 3
_ITEM = re.compile(
    r"^\s*(?:[-*•·●▪◆■]|[（(]?[\d一二三四五六七八九十]{1,3}[）)、.．]|[a-zA-Z][)）.]|[①-⑳])\s*\S"
)
_TERM = re.compile(
    r"^(?:请问|请|解释一下|解释|说明|简述)?(?:什么[是叫]|何谓|何为|名词解释[：:]?)(?P<a>[^，。？?]{1,30}?)[？?。]*$"
    r"|^(?:请问|请|在?[^，。]{0,12}中[，,]?)?(?P<b>[^，。？?]{1,30}?)(?:的(?:定义|含义|意思|概念)(?:是什么|为何|是怎样的)?"
    r"|是(?:什么|啥)(?:意思|东西)?|是?指(?:的是)?什么|如何定义|怎么定义)[？?。]*$"
    r"|^\s*(?:what (?:is|are)(?: meant by| the (?:meaning|definition) of)?|define|explain"
    r"|(?:give )?the definition of"
    r"|what does) (?:an? |the )?(?P<c>[\w\-' ]{2,60}?)(?: mean| stand for)?\s*[?.]*$",
    re.I,
)
_IS = (
    r"(?:[（(][^）)]{1,40}[）)]|\s*[A-Za-z][A-Za-z\- ']{2,40})?\s*"
    r"(?:[（(][^）)]{1,40}[）)])?\s*(?:是指|指的?是|系指|是|指|即|定义为|为[^了]|[：:—]"
    r"|(?:is|are) |refers? to|means|denotes|stands for)"
)
_TITLE_NUMBER = re.compile(r"^\s*(?:第[^ ]{1,6}[章节条]|[\dA-Z]+(?:\.\d+)*[.、]?)\s+")
_DEFINING_COLUMN = re.compile(
    r"定义|说明|含义|解释|释义|描述|definition|description|meaning|explanation", re.I
)
_BLOCK = re.compile(r"\$\$.+?\$\$|\\\[.+?\\\]|\\begin\{equation\*?\}.+?\\end\{equation\*?\}", re.S)
_INLINE = re.compile(r"(?<![=<>!])=(?!=)|＝")
_EXPLAINS = re.compile(r"^\s*(?:式中|其中|这里|where|in which|with|here)\b|^\s*(?:式中|其中)", re.I)
_CALCULATING = re.compile(
    r"怎[么样]|如何|计算|公式|方程|表达式|求|得出|方法"
    r"|formulas?|equations?|calculated?|computed?|how|work(?:ed)? out",
    re.I,
)
_HOW_CALCULATED = re.compile(
    r"(?:怎[么样]|如何).{0,4}(?:计算|算|求|得[出到])|计算(?:公式|方法|式)|公式"
    r"|\bhow (?:is|are|do|can) .{1,60}(?:calculat|comput|work|deriv)|\b(?:formula|equation)\b",
    re.I,
)


_MOST_OPENING = 5


_CLAUSE_ENDS = ("；", ";", "。", ".")


def is_item(text: str) -> bool:
    """Whether a line is an item of a list."""
    return _ITEM.match(text) is not None


def section_title(passage: Passage) -> str:
    """The title of the passage's own section, without its number."""
    return _TITLE_NUMBER.sub("", passage.section_path.rpartition(" > ")[2])


def asked_term(question: str) -> str:
    """The term whose definition is asked for; empty when none is."""
    found = _TERM.match(question.strip())
    if not found:
        return ""
    return (found["a"] or found["b"] or found["c"] or "").strip(" 《》“”\"'的")


def definition(term: str, passages: Sequence[Passage], tokenizer: Tokenizer) -> list[Line]:
    """The defining text: a section with the term as its title, else a sentence "X is …", else the
    explanation beside the term in a glossary."""
    plain = _plain(term, tokenizer)
    if not plain:
        return []
    for found in (_by_title(plain, passages, tokenizer), _by_verb(term, passages, tokenizer)):
        if found:
            return found[:_MOST_OPENING]
    return []


def glossary(term: str, n: int, grids: Sequence[Grid], tokenizer: Tokenizer) -> list[Line]:
    """The explanations beside the term in tables that have a column for them."""
    plain, found = _plain(term, tokenizer), []
    for grid in grids:
        columns = [c for c, head in enumerate(grid[0]) if _DEFINING_COLUMN.search(head)]
        for row in grid[1:]:
            if any(_plain(cell, tokenizer) == plain for cell in row):
                mark = "：" if has_cjk(row[columns[0]] if columns else term) else ": "
                found += [(n, f"{term}{mark}{row[c]}") for c in columns if row[c].strip()]
    return found


def _by_title(plain: str, passages: Sequence[Passage], tokenizer: Tokenizer) -> list[Line]:
    found = []
    for passage in passages:
        title = _plain(section_title(passage), tokenizer)
        latin = re.sub(r"[a-z\d]+$", "", title) if has_cjk(plain) else title
        if plain not in (title, latin):
            continue
        body = [s for s in passage_sentences(passage) if not says_nothing(s) and "|" not in s]
        found += [(passage.n, text) for text in _opening(body)]
    return found


def _opening(body: Sequence[str]) -> Sequence[str]:
    """The first sentence; what only leads to something ("On nonterminals:") goes with it."""
    end = 1
    while end < min(len(body), _MOST_OPENING) and body[end - 1].rstrip().endswith((":", "：")):
        end += 1
    return body[:end]


def _by_verb(term: str, passages: Sequence[Passage], tokenizer: Tokenizer) -> list[Line]:
    folded = re.escape(tokenizer.fold(term))
    opens = re.compile(rf"^\W*(?:\d[\d.]*\s+)?(?:an? |the )?{folded}s?{_IS}", re.I)
    alone = re.compile(rf"^\W*(?:\d[\d.]*\s+)?{folded}(?:\s+[a-z][a-z\- ']*)?\W*$", re.I)
    found: list[tuple[int, list[Line]]] = []
    for passage in passages:
        spans = passage_sentences(passage)
        for i, text in enumerate(spans):
            plain = tokenizer.fold(text)
            if opens.match(plain):
                found.append((_weak_definition(plain, folded), [(passage.n, text)]))
            elif alone.match(plain) and i + 1 < len(spans) and not _ITEM.match(spans[i + 1]):
                found.append((0, [(passage.n, said) for said in _opening(spans[i + 1 :])]))
    best = min((rank for rank, _ in found), default=0)
    return next((lines for rank, lines in found if rank == best), [])


def _weak_definition(plain: str, folded: str) -> int:
    """0: says what kind of thing it is; 1: gives it some value or property."""
    strong = (
        rf"{folded}.{{0,60}}?(?:是指|指的?是|系指|是一|定义为|[：:]"
        r"|(?:is|are) (?:an?|the|any|all)\b|refers?|means)"
    )
    if re.search(rf"{folded}s? (?:is|are) (?:set|given|shown|used|\w+ed)\b", plain):
        return 1
    return 0 if re.search(strong, plain) else 1


def _plain(text: str, tokenizer: Tokenizer) -> str:
    return "".join(re.findall(r"\w", tokenizer.fold(text)))


def asks_formula(question: str, kind: str) -> bool:
    """Whether a formula or the way to calculate something is asked for."""
    return kind == "formula" or _HOW_CALCULATED.search(question) is not None


def formula(
    question: str, labels: Sequence[Label], passages: Sequence[Passage], tokenizer: Tokenizer
) -> list[Line]:
    """The best formula with the sentence that leads to it and the one that explains its letters."""
    wanted = set(tokenizer.tokens(_CALCULATING.sub(" ", question)))
    numbers = [".".join(label.parts) for label in labels if label.kind == "equation"]
    best: tuple[float, list[Line]] = (0.0, [])
    for rank, passage in enumerate(passages):
        for parts in _formulas(passage.text):
            said = " ".join(parts)
            around = f"{said} {passage.section_path.rpartition(' > ')[2]}"
            if numbers and not any(number in said for number in numbers):
                continue
            score = _share(around, wanted, tokenizer) - 0.05 * rank
            if (score >= 0.5 or numbers) and (score > best[0] or not best[1]):
                best = (score, [(passage.n, part) for part in parts])
    return best[1]


def _formulas(text: str) -> Iterator[list[str]]:
    """Each formula of the text with its lead and its explanation."""
    blocks = list(_BLOCK.finditer(text))
    for block in blocks:
        before = [line for line in text[: block.start()].splitlines() if line.strip()]
        after = [line for line in text[block.end() :].splitlines() if line.strip()]
        lead = re.split(r"(?<=[。；])|(?<=\.)\s+", before[-1].strip())[-1:] if before else []
        if lead and not lead[0]:
            lead = re.split(r"(?<=[。；])(?=.)", before[-1].strip())[-1:]
        yield [*lead, block.group(), *_explanation(after)]
    if blocks:
        return
    lines = [line for line in text.splitlines() if line.strip() and "|" not in line]
    for i, line in enumerate(lines):
        for sentence in re.split(r"(?<=。)|(?<=[a-z\d)])\.\s+", line):
            if _INLINE.search(sentence) and not re.search(r"^\s*(?:def|return)\b|[{};]$", sentence):
                lead = lines[i - 1 : i] if i and len(sentence) < 60 else []
                yield [*lead, sentence.strip(), *_explanation(lines[i + 1 :])]


def _explanation(after: Sequence[str]) -> list[str]:
    """ "式中：…", "where …": its first sentence."""
    if not after or not _EXPLAINS.search(after[0]):
        return []
    return [re.split(r"(?<=。)|(?<=[a-z\d)]\.)\s", after[0].strip())[0]]


def _share(text: str, wanted: set[str], tokenizer: Tokenizer) -> float:
    if not wanted:
        return 0.0
    words, folded = set(tokenizer.tokens(text)), tokenizer.fold(text)
    return sum(1 for t in wanted if t in words or (has_cjk(t) and t in folded)) / len(wanted)


def list_after(passage: Passage, best: Candidate) -> list[str]:
    """The list that the best sentence opens or belongs to, with its opening line."""
    spans = passage_sentences(passage)
    if best.order >= len(spans):
        return []
    start = best.order
    while start > 0 and _ITEM.match(spans[start]):
        start -= 1
    items: list[str] = []
    for text in spans[start + 1 :]:
        # An item of several clauses goes on behind a semicolon.
        goes_on = bool(items) and items[-1].rstrip().endswith(("；", ";"))
        if not (_ITEM.match(text) or goes_on) or len(items) >= MAX_ITEMS:
            break
        items.append(text)
    while items and not _ITEM.match(items[-1]) and not items[-1].rstrip().endswith(_CLAUSE_ENDS):
        items.pop()
    return [spans[start], *items] if sum(map(is_item, items)) >= 2 else []


def said_of(figure: Figure, passages: Sequence[Passage]) -> list[Line]:
    """What the text says of a figure: the sentence that names it and those after it in the same
    paragraph, until another object is named."""
    if figure.label is None:
        return []
    for passage in passages:
        if passage.doc_id and passage.doc_id != figure.doc_id:
            continue
        for paragraph in _paragraphs(passage):
            if is_caption(paragraph[0]):
                continue
            found = _from_mention(figure.label, paragraph)
            if found:
                return [(passage.n, text) for text in found]
    return []


def _paragraphs(passage: Passage) -> Iterator[list[str]]:
    """Sentences by paragraph."""
    for block in re.sub(r"(?<=[a-z,])\n(?=[a-z(])", " ", passage.text).splitlines():
        if block.strip() and not block.lstrip().startswith("|"):
            yield passage_sentences(passage.model_copy(update={"text": block}))


def _from_mention(label: Label, paragraph: Sequence[str]) -> list[str]:
    named = [{_whole(span.label) for span in find_labels(text)} for text in paragraph]
    start = next((i for i, names in enumerate(named) if _whole(label) in names), None)
    if start is None:
        return []
    end = start + 1
    while end < len(paragraph) and end - start <= MAX_SAID:
        others = {n for n in named[end] if n.kind in ("figure", "table")} - {_whole(label)}
        if others:
            break
        end += 1
    return list(paragraph[start:end])


def _whole(label: Label) -> Label:
    return label.model_copy(update={"sub": ""})
