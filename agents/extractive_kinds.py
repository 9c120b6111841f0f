"""What kinds of a thing there are: the sentence that divides it, with its list.

"处分有哪几种" is answered by "…给予如下纪律处分：（一）警告；…" or "处分分为五种：…", not by the
many sentences that speak of 处分; of them only what stands right before the list is divided by it.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..core.ports import Tokenizer
from ..core.text import has_cjk
from .extractive_concepts import asked_terms, han_folded, terms_in
from .extractive_forms import MAX_ITEMS, Line, is_item
from .extractive_heads import Grid, header_rows
from .extractive_sentences import passage_sentences
from .passages import Passage
from .subjects import of_another

_SORT_ZH = "种类|类型|类别|分类|种|类|等级|等|级|档次?|形式|方式|部分|情形"
_ASKED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^(?P<x>[^，。？?]{2,30}?)(?:一共|总共|共|主要|都|可以?)*(?:有|分为?|分成|包括|包含|由)(?:下列|以下)?"
        rf"(?:哪些|哪几|什么|几|多少)(?:个|大)?(?:{_SORT_ZH})(?:组成|构成)?$",
        r"^(?P<x>[^，。？?]{2,30}?)(?:主要|都)*(?:分为|分成|包括|包含)(?:了)?(?:哪些|哪几|什么)(?:个|项|方面|内容)?$",
        rf"^(?P<x>[^，。？?]{{2,30}}?)的?(?!情形)(?:{_SORT_ZH})(?:都|一共|主要)*(?:有|包括|是|分为?)"
        r"(?:哪些|哪几[种类个]?|什么|几[种类])$",
        r"^(?P<x>[^，。？?]{2,30}?)(?:都|一共|主要)*有(?:哪些|哪几[项条种个])(?:内容)?$",
        r"^(?:[^，。？?]{1,16}?(?:可以|可能?|会|应当?)(?:给予|采取|提供|设立|实行|作出|处以)|一共|总共|共)?有?"
        r"(?:哪些|哪?几[种类])(?P<x>[^，。？?的]{2,12})$",
        r"^(?:what|which|how many)(?: are)?(?: the)?(?: different| main| various)*"
        r" (?:kinds?|types?|categories|forms|classes|sorts) of"
        r" (?P<x>(?:(?!\b(?:are|is|was|were)\b)[\w '\-]){3,41}?)"
        r"(?: (?:are|is) (?:there|available|listed|used|described|possible|allowed|given|offered)"
        r"(?: (?:in|by|on|for) .{2,40})?"
        r"|(?! (?:are|is|was|were) )(?: do(?:es)?| can)? .{2,40}?"
        r" (?:have|exist|offer|impose|give|list|distinguish))?$",
    )
)
_ASKING = re.compile(
    r"^(?:请问|请|列出|列举|说明|简述|list|name|please)\s*|[？?。.!\s呢吗]+$", re.I
)
_HOW = r"(?:的?(?:种类|类型|类别|形式|等级))?(?:主要|一般|通常|应当?|可以?|共|具体)*"
_DIVIDES = (
    r"(?:分为|分成|划分为|包括|包含|[有分][一二两三四五六七八九十\d]"
    r"|由[^，。；]{1,60}(?:组成|构成))"
)
_COUNTED = r"(?:[一二两三四五六七八九十\d]+|几|多)(?:种|类|个|项|档|等|级)"
_LED = r"(?:如下|下列|以下)"
# "开除学籍的情形" are those of which a sentence says that they lead to it.
_CASES = re.compile(r"^(?P<of>.{2,}?)的?(?P<case>情形|情况|条件|行为)$")
_OF_CASES = re.compile(r"情形|情况|条件|行为|case|circumstance|condition|situation", re.IGNORECASE)
_CASES_FOLLOW = re.compile(
    r"下列(?:情形|情况|行为|条件)之一|(?:any|one) of the following (?:case|circumstance|condition)",
    re.IGNORECASE,
)
_NUMBER_EN = r"(?:two|three|four|five|six|seven|eight|nine|ten|several|\d+)"
_SECOND = re.compile(r"[(（](?:二|2|ii|b)[)）]|②|\b2[.)、]", re.I)
_OPENS = re.compile(r"[:：]\s*(?:$|[(（](?:一|1|i|a)[)）])")
_SORT_HEAD = re.compile(
    r"^(?:种类|类型|类别|名称|型式|types?|kinds?|categor(?:y|ies)|class)$", re.I
)
_MOST_ROWS = 12


class _Found(NamedTuple):
    """A sentence that divides the thing, better ones with a lower rank."""

    rank: int
    lines: list[Line]


def asked_kinds(question: str) -> str:
    """The thing whose kinds are asked for; empty: none are."""
    text = unicodedata.normalize("NFKC", question).strip()
    for _ in range(2):
        text = _ASKING.sub("", text)
    found = next((m for form in _ASKED if (m := form.match(text))), None)
    return found["x"].strip() if found else ""


def cases_instead(question: str, texts: Sequence[str]) -> bool:
    """Whether the kinds of a thing are asked for and the texts begin the cases in which something
    holds: "有下列情形之一的，应当从重处分：…" divides nothing."""
    if not asked_kinds(question) or _OF_CASES.search(question):
        return False
    return any(_CASES_FOLLOW.search(unicodedata.normalize("NFKC", text)) for text in texts)


def kinds_of_thing(question: str, passages: Sequence[Passage], tokenizer: Tokenizer) -> list[Line]:
    """The sentence that divides the thing asked for, with the items of its list, else the first
    column of a table of its kinds; empty: none does."""
    thing = asked_kinds(question)
    if not thing:
        return []
    found = [f for p in passages for f in _divided(thing, p, tokenizer)]
    found = [f for f in found if not of_another(question, f.lines[0][1])]
    if found:
        return min(found, key=lambda f: f.rank).lines
    return next((said for p in passages if (said := _tabled(thing, p, tokenizer))), [])


def _divided(thing: str, passage: Passage, tokenizer: Tokenizer) -> Iterator[_Found]:
    spans = passage_sentences(passage)
    terms = asked_terms(thing, tokenizer)
    around = f"{passage.title} {passage.section_path}"
    forms = _forms(thing)
    for place, text in enumerate(spans):
        plain = han_folded(text, tokenizer)
        rank = next((n for n, form in enumerate(forms) if form.search(plain)), len(forms))
        opens = rank < len(forms) or (
            _OPENS.search(text) is not None and re.search(_ends(thing), plain) is not None
        )
        whole = f"{around} {text}" if rank < len(forms) else text
        if not opens or not terms_in(whole, terms, tokenizer) >= set(terms):
            continue
        items = _items(spans[place + 1 :])
        if items or _lists(text):
            yield _Found(rank, [(passage.n, said) for said in (text, *items)])


def _forms(thing: str) -> tuple[re.Pattern[str], ...]:
    """How a sentence says that the thing is divided, the clearest first."""
    if has_cjk(thing):
        name = f"(?:{'|'.join(re.escape(thing[i:]) for i in range(max(len(thing) - 1, 1)))})"
        patterns: tuple[str, ...] = (
            rf"{name}{_HOW}{_DIVIDES}",
            rf"{name}(?:的?种类)?[^，。；:：]{{0,24}}分[为成]",
            rf"(?:{_LED}|{_COUNTED})[^，。；:：有]{{0,8}}?{name}[^，。；:：的]{{0,2}}[:：]",
        )
        if found := _CASES.match(thing):
            of, cases = re.escape(found["of"]), rf"{_LED}(?:任何|任一)?(?:之一的?)?{found['case']}"
            patterns = (
                rf"{cases}(?:之一)?[^。；:：]{{0,24}}{of}",
                rf"{of}[^。；:：]{{0,12}}{cases}",
                *patterns,
            )
    else:
        name = rf"{re.escape(thing.rstrip('s'))}(?:s|es)?"
        patterns = (
            rf"\b(?:kinds|types|categories|forms|classes) of (?:\w+ ){{0,2}}{name}\b"
            r".{0,30}(?:are|include|:)",
            rf"\b{name} (?:are|is) (?:divided|classified|grouped)"
            rf"|\b{name} (?:include|comprise|fall into)",
            rf"\b{_NUMBER_EN} (?:\w+ ){{0,3}}{name}\b[^.]{{0,20}}(?::|,| are )"
            rf"|\bfollowing (?:\w+ ){{0,2}}{name}\b",
        )
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


def _ends(thing: str) -> str:
    """The end of the thing's name where no longer one goes on from it: 处分, not 处分决定书."""
    if has_cjk(thing):
        return rf"{re.escape(thing[-2:])}(?=[:：]|如下|包括|包含|有以下|主要|分)"
    return rf"(?i:\b{re.escape(thing.rsplit(maxsplit=1)[-1].rstrip('s'))}(?:s|es)?\b)"


def _items(after: Sequence[str]) -> list[str]:
    """The items of a list right behind the sentence."""
    items: list[str] = []
    for text in after:
        if not is_item(text) or len(items) >= MAX_ITEMS:
            break
        items.append(text)
    return items if items and (len(items) > 1 or _SECOND.match(items[0])) else []


def _lists(text: str) -> bool:
    """Whether a sentence lists two or more things itself."""
    marks = len(re.findall(r"[、；;]|, (?!which)|(?<=[一-鿿])[和与及](?=[一-鿿])|\band\b", text))
    return marks >= 2 or _SECOND.search(text) is not None


def _tabled(thing: str, passage: Passage, tokenizer: Tokenizer) -> list[Line]:
    """The rows' names of a table of the thing's kinds, under the head of their column."""
    terms = set(asked_terms(thing, tokenizer))
    about = f"{passage.section_path} {passage.text.split('|', 1)[0]}"
    for grid in passage.grids:
        head = _sort_column(grid, thing)
        if head and terms_in(f"{about} {head}", terms, tokenizer) >= terms:
            names = dict.fromkeys(row[0].strip() for row in grid[header_rows(grid) :] if row)
            shown = [name for name in names if name][:_MOST_ROWS]
            mark, join = ("：", "、") if has_cjk(head + "".join(shown)) else (": ", ", ")
            return [(passage.n, f"{head}{mark}{join.join(shown)}")] if len(shown) > 1 else []
    return []


def _sort_column(grid: Grid, thing: str) -> str:
    """The head of the first column where it names kinds, or the thing itself; empty: neither."""
    head = grid[0][0].strip() if grid and grid[0] else ""
    same = head.casefold().rstrip("s") == thing.casefold().rstrip("s")
    return head if head and (same or _SORT_HEAD.match(head)) else ""
