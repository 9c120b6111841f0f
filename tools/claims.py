"""What a sentence claims beside its facts: how often something is, and whether it is denied."""

import re

from ..core.text import has_cjk, sentences
from .overlap import words_share

_OFTEN = tuple(
    re.compile(words, re.IGNORECASE)
    for words in (
        r"每年|每一年|年度|按年|逐年|\b(?:annual(?:ly)?|yearly|every year|once a year|per year)\b",
        r"每季|季度|按季|\b(?:quarterly|every quarter)\b",
        r"每个?月|按月|月度|逐月|\b(?:monthly|every month|once a month|per month)\b",
        r"每个?(?:周|星期)|按周|\b(?:weekly|every week|once a week|per week)\b",
        r"每(?:天|日)|按日|逐日|\b(?:daily|every day|once a day|per day)\b",
        r"每小时|每个小时|\b(?:hourly|every hour|per hour)\b",
    )
)
_NEAR = 0.6  # share of a claim's words in a sentence that speaks of the same thing
_CLOSE = 0.1
_DENIAL = re.compile(
    r"不|没|未|无|勿|禁止|严禁|并非|\b(?:not|no|never|none|without|cannot|prohibited|forbidden)\b|n't\b",
    re.IGNORECASE,
)
_NO_DENIAL = re.compile(
    r"不锈|不同|不仅|不但|不断|不小于|不少于|不低于|不大于|不超过|不高于|不多于|不等式|不动产|不足"
    r"|无论|无线|无人机|无锡|未来|除非|是否|否则|与否|不管|不过|不久"
    r"|\b(?:not only|no (?:later|more|less) than"
    r"|not (?:less|more) than|No\.\s?\d)",
    re.IGNORECASE,
)


def frequencies(text: str) -> list[tuple[str, re.Pattern[str]]]:
    """How often a folded text says that something is, each with the pattern of its other forms."""
    return [(m.group(), pattern) for pattern in _OFTEN if (m := pattern.search(text))]


def denied(sentence: str, evidence: str) -> bool:
    """Whether the evidence's sentence of the same words says the opposite: 必须 and 不必, is and
    is not. False where they are in different scripts."""
    if has_cjk(sentence) != has_cjk(evidence):
        return False
    said = [(words_share(sentence, evidence[a:b]), evidence[a:b]) for a, b in sentences(evidence)]
    best = max((score for score, _ in said), default=0.0)
    near = [_denies(text) for score, text in said if score >= max(_NEAR, best - _CLOSE)]
    return bool(near) and _denies(sentence) not in near


def _denies(text: str) -> bool:
    return _DENIAL.search(_NO_DENIAL.sub(" ", text)) is not None
