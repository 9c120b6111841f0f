"""Sentences in which a number stands beside the very thing whose number is asked for.

"管理费用占营业收入的比例为 4%" has both the words and a number, and tells nothing of how much the
营业收入 is.
"""

import re
import unicodedata
from collections.abc import Sequence

from ..core.text import has_cjk
from .extractive_concepts import concepts, word_of
from .extractive_fit import opposite
from .extractive_sentences import Candidate, year_clash
from .extractive_words import answer_kind
from .row_question import is_short, row_asked

_COUNTED_ZH = re.compile(
    r"(?:有|共有|雇[佣用]了?|招了?)?(?:多少[名个位家台座]?|几[名个位家台座])"
    r"(?P<behind>(?![钱元块月年日天号点])[一-鿿]{2,4})[？?。]*$"
    r"|(?P<before>[一-鿿]{2,8}?)(?:的?(?:总人数|总数|人数|数量|总量))?(?:一共|总共|共)?"
    r"(?:是|为|有)(?:多少|几)[名个位家台座人]*[？?。]*$"
)
_COUNTED_EN = re.compile(
    r"\bhow many (?P<noun>[a-z][a-z\- ]{2,40}?)"
    r"(?: (?:does|do|did|are|were|was|is|has|have|work|can)\b|\W*$)",
    re.IGNORECASE,
)
# What is done with them, before their number: "we employed 300 people".
_DEEDS = {"staff": r"\bemploy(?:s|ed)?\b[^.;]{0,30}?"}
_MARK = re.compile(r"^\s*(?:[(（]?\d{1,2}[)）、.．]|[①-⑳•●])\s*")
# Such a sentence counts when its score is this share of the best one's.
_NEAR = 0.7
_DATE = re.compile(
    r"\b(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*\.? \d{1,2}"
    r"(?:, (?:19|20)\d{2})?"
)
_TOTALS = re.compile(r"总人数|总数量?|总额|人数|数量|合计|总量$|^总")
# A number that is no year, date or number of an item.
_FIGURE = r"(?<![\d.,])(?!(?:19|20)\d{2}(?:年|\b))\d[\d,]*(?:\.\d+)?(?![\d年月日]|\s*[年月日])"
_SHARE_ASKED = re.compile(
    r"率|比例|占比|比重|百分|\b(?:rate|ratio|share|percent|margin|growth)", re.I
)
_SHARE_OF = r"(?<!占)(?<!占公司)(?<!占当期)(?<!占同期)(?<!占本公司)"


def beside_item(question: str, ranked: Sequence[Candidate]) -> list[Candidate]:
    """The sentences with a number beside what its number is asked of, where there are such; else
    all of them, or none where a year's figure of an item is asked for. Where a number is asked
    for, without those of other years alone, or of the opposite."""
    if answer_kind(question) == "number":
        ranked = [
            c
            for c in ranked
            if c.foreign or not (year_clash(question, c.text) or opposite(question, c.text))
        ]
    named = _names(unicodedata.normalize("NFKC", question).strip())
    if not named:
        return list(ranked)
    beside = _beside(named, question)
    found = [c for c in ranked if not c.foreign and beside.search(_plain(c.text))]
    asked = row_asked(question)
    if not found and asked and asked.years and not asked.trend and is_short(asked.item):
        return [c for c in ranked if c.foreign]  # a figure of that year stands beside its name
    far = found and ranked and found[0].score < _NEAR * ranked[0].score
    return list(ranked) if far or not found else found


def _names(question: str) -> str:
    """A pattern of what the number is asked of; "": of nothing that can be told."""
    found = _COUNTED_ZH.search(question) or _COUNTED_EN.search(question)
    groups = found.groupdict() if found else {}
    item = next(filter(None, groups.values()), "")
    if asked := row_asked(question):
        item = "" if asked.trend else asked.item
    item = _TOTALS.sub("", item) or item
    if len(item) < 2:
        return ""
    meant = [word_of(name) for name in concepts(item)]
    words = r"\s+".join(map(re.escape, item.split()))
    ends = rf"(?:{words})s?" if not has_cjk(item) else words
    return "|".join([ends, *meant])


def _beside(named: str, question: str) -> re.Pattern[str]:
    figure = _FIGURE if _SHARE_ASKED.search(question) else rf"{_FIGURE}(?!\d*\s*[%％])"
    if has_cjk(question):
        behind = rf"{_SHARE_OF}(?:{named})[^。；;占比]{{0,30}}?{figure}"
        return re.compile(rf"{behind}|{figure}[名个位家台座]?[^。；;，,]{{0,4}}(?:{named})", re.I)
    counts = _COUNTED_EN.search(question)
    between = (
        r"\s*(?:[:(]|of\b|was|were|is|are|total\w*)[^.;]{0,20}?" if counts else r"[^.;]{0,60}?"
    )
    ways = [rf"\b(?:{named}){between}{figure}", rf"{figure}(?: [\w\-]+){{0,4}} (?:{named})\b"]
    ways += [rf"{_DEEDS[n]}{figure}" for n in concepts(question) if n in _DEEDS]
    return re.compile("|".join(ways), re.IGNORECASE)


def _plain(text: str) -> str:
    return " ".join(_DATE.sub(" ", unicodedata.normalize("NFKC", _MARK.sub("", text))).split())
