"""What is asked for by a bare name or as a list of exam items: everything that says it."""

import re
import unicodedata
from collections.abc import Sequence

from ..core.ports import Tokenizer
from .extractive_answerable import evidence_text
from .extractive_concepts import asked_terms, terms_in
from .extractive_fields import field_lines
from .extractive_forms import Line
from .extractive_heads import column_heads, header_rows
from .extractive_sentences import OPTION, Candidate, is_caption, passage_sentences, prose
from .passages import Passage
from .subjects import asked_identifiers, holds_code, of_another

MOST_LINES, MOST_ITEMS = 3, 10
_ITEMS_ASKED = re.compile(
    r"(?:题目|试题|考题|习题|真题|[些道]题)(?:有哪[些几]|是哪[些几]|列出来|都?有)?[？?。]*$"
    r"|哪[些几]道?题|\b(?:which|what|list|all|find|show)\b.{0,30}\b(?:questions|items|exercises|problems)\b",
    re.I,
)
_ITEM_WORDS = re.compile(
    r"题目|试题|考题|习题|真题|[哪几][些几]?道?题|列出|所有|全部|有哪些|哪些"
    r"|\b(?:which|what|list|all|find|show|me|questions?|items?|exercises?|problems?)\b",
    re.I,
)
_ITEM = re.compile(
    r"^\s*[(（]?\d{1,3}(?:[)）]|[.．、](?!\d))\s*\S|^\s*第?[一二三四五六七八九十\d]+题"
)
_TITLE_ASKED = re.compile(
    r"\bwhat(?:['’]s| is| was) the (?:topic|title|name|subject|theme|heading) of (?:the )?"
    r"(?P<en>[\w][\w .\-]{0,40}?\d{1,3})\s*\??$"
    r"|^(?P<zh>第?[一-鿿\w]{1,12}?(?:[章节讲课条步]|单元))的?(?:标题|题目|名称|主题|名字)",
    re.I,
)
_VALUE_ASKED = re.compile(
    r"^(?P<of>.*的)?(?P<zh>[一-鿿A-Za-z]{2,10}?)(?:分别)?[是为叫](?:谁|什么|多少|哪[一家个位]?\w{0,4})[？?。]*$"
    r"|^\s*(?:who|what)(?:['’]s| is| was) (?:the )?(?P<en>[\w][\w \-]{1,40}?)"
    r"(?: of (?P<en_of>.+?))?\s*\??$",
    re.I,
)

# What someone has to do, which minutes and plans list behind names.
_TASK_ASKED = re.compile(
    r"^(?P<of>.*[里中]的?)?(?P<zh>[一-鿿A-Za-z]{2,10}?)(?:的(?:任务|待办|职责|工作)(?:事项)?(?:都?有|是)"
    r"|(?:都?要|都?需要?|应该?|得|负责|必须)?(?:负责|做|完成|干|办))(?:些)?(?:什么|啥|哪些\w{0,4})[？?。]*$"
    r"|^\s*what (?:does|must|should|will|do) (?:the )?(?P<en>[\w][\w \-]{1,40}?)"
    r" (?:have to |need to )?(?:do|deliver|finish)(?: (?P<en_of>.+?))?\s*\??$",
    re.I,
)


def named_lines(question: str, passages: Sequence[Passage], tokenizer: Tokenizer) -> list[Line]:
    """The lines that give what is asked for behind its name: a title ("UNIT 3: Heat"), a party
    ("甲方（承租方）：…"), who did something for the document ("Chair: …")."""
    return (
        titled_line(question, passages)
        or labelled_line(question, passages, tokenizer)
        or field_lines(question, passages, tokenizer)
    )


def titled_line(question: str, passages: Sequence[Passage]) -> list[Line]:
    """The line "UNIT 3: Heat", where the title or topic of UNIT 3 is asked for."""
    found = _TITLE_ASKED.search(unicodedata.normalize("NFKC", question))
    if found is None:
        return []
    name = r"\s*".join(re.escape(word) for word in (found["en"] or found["zh"]).split())
    line = re.compile(rf"^[\W_]*{name}\s*(?:[:：—–]|\s-)\s*\w", re.I)
    said = ((p.n, text) for p in passages for text in prose(p) if line.match(text))
    return next(([one] for one in said), [])


def labelled_line(question: str, passages: Sequence[Passage], tokenizer: Tokenizer) -> list[Line]:
    """The lines "甲方（承租方）：…" where 甲方 is asked for, "林河：…" where the tasks of 林河
    are, of passages that hold whose it is."""
    text = unicodedata.normalize("NFKC", question)
    asked = filter(None, (form.search(text) for form in (_TASK_ASKED, _VALUE_ASKED)))
    return next(
        filter(None, (_behind(found, question, passages, tokenizer) for found in asked)), []
    )


def _behind(
    found: "re.Match[str]", question: str, passages: Sequence[Passage], tokenizer: Tokenizer
) -> list[Line]:
    """The lines that begin with the name, of passages that hold whose it is."""
    name = r"\s+".join(re.escape(word) for word in (found["en"] or found["zh"]).split())
    line = re.compile(
        rf"^[\W_]*(?:the )?{name}\s*(?:[(（][^()（）]{{1,20}}[)）])?\s*[:：]\s*\w"
        rf"|\w[^(（]{{0,80}}[(（](?:the |hereinafter (?:called )?(?:the )?)?[\"“]{name}[\"”][)）]"
        rf"|[(（](?:以下)?(?:简)?称[为]?[\"“]?{name}[\"”]?[)）]",
        re.I,
    )
    owner = asked_terms(found["of"] or found["en_of"] or "", tokenizer)
    return [
        (p.n, text)
        for p in passages
        if len(terms_in(evidence_text(p, tokenizer), owner, tokenizer)) == len(owner)
        for text in prose(p)
        if line.search(text) and not of_another(question, text)
    ][:MOST_LINES]


def bare_codes(question: str) -> list[str]:
    """The model or standard numbers of a question that consists of nothing else."""
    text = unicodedata.normalize("NFKC", question)
    codes = [
        c for c in asked_identifiers(text) if re.search(r"[A-Za-z]", c) and re.search(r"\d", c)
    ]
    rest = text
    for code in codes:
        rest = rest.replace(code, " ")
    return codes if codes and not re.search(r"\w", rest) else []


def said_of_codes(codes: Sequence[str], passages: Sequence[Passage]) -> list[Line]:
    """The first sentences and table rows that hold one of the codes."""

    def holds(text: str) -> bool:
        return any(holds_code(code, text) for code in codes)

    lines: list[Line] = []
    for passage in passages:
        spans = prose(passage)
        lines += [(passage.n, s) for s in spans if holds(s) and not is_caption(s)]
        lines += [(passage.n, row) for row in _rows(passage) if holds(row)]
    return lines[:MOST_LINES]


def _rows(passage: Passage) -> list[str]:
    """Each table row as one line: "head: cell; …"."""
    found = []
    for grid in passage.grids:
        heads = header_rows(grid)
        columns = column_heads(grid, heads)
        for row in grid[heads:]:
            pairs = [(h.strip(), c.strip()) for h, c in zip(columns, row, strict=False)]
            found.append("; ".join(f"{h}: {c}" if h else c for h, c in pairs if c))
    return found


def asked_items(
    question: str, ranked: Sequence[Candidate], passages: Sequence[Passage], tokenizer: Tokenizer
) -> list[Line]:
    """The exam items that say all that the asked-for ones are about, each with its options; none
    where no items are asked for."""
    if not _ITEMS_ASKED.search(question):
        return []
    terms = asked_terms(_ITEM_WORDS.sub(" ", question), tokenizer)
    items = [c for c in ranked if _ITEM.match(c.text)]
    good = [c for c in items if terms and len(terms_in(c.text, terms, tokenizer)) == len(terms)]
    good.sort(key=lambda c: (c.passage, c.order))
    lines: list[Line] = []
    for candidate in good[:MOST_ITEMS]:
        passage = passages[candidate.passage]
        spans = passage_sentences(passage)
        lines.append((passage.n, candidate.text))
        for text in spans[candidate.order + 1 :]:
            if not OPTION.match(text):
                break
            lines.append((passage.n, text))
    return lines
