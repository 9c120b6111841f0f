"""Marks of exam questions: [5 marks], (Total marks: 20), （本题满分10分）."""

import re

_MARKS = (
    re.compile(
        r"[\[(（][ \t]*(?:total[ \t]+)?(?:marks?[ \t]*:?[ \t]*(?P<a>\d+)"
        r"|(?P<b>\d+)[ \t]*(?:marks?|points?|pts))[ \t]*[\])）]",
        re.I,
    ),
    re.compile(
        r"[（(【][ \t]*(?:本[大小]?题|满分|共|每小?题|计)*[ \t]*(?P<a>\d+)[ \t]*分(?P<b>)"
        r"[^）)】\n]{0,12}[)）】]"
    ),
)


def marks_of(text: str) -> int | None:
    """The first marks that the text gives."""
    for pattern in _MARKS:
        if match := pattern.search(text):
            return int(match["a"] or match["b"])
    return None


def only_marks(text: str) -> bool:
    """Whether a text is no more than a question's marks."""
    return any(pattern.fullmatch(text.strip()) for pattern in _MARKS)
