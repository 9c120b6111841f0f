"""Sentences, scripts and hashes: small text tools that every stage shares."""

import hashlib
import re
from collections.abc import Iterator
from typing import Literal

_CJK = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f]")
_LATIN_WORD = re.compile(r"[A-Za-z]{2,}")
# A Chinese end mark ends a sentence anywhere, with the quotes and brackets that close it; a Latin
# full stop only before white space and not after an abbreviation or a list number; a Latin
# semicolon only beside Chinese.
_END = re.compile(r"[。！？!?；;…]+[”’」』）)\]]*|\.[”’\"')\]]*(?=\s)|\n+")
_ABBREVIATION = re.compile(
    r"(?:\b(?:etc|cf|vs|al|Figs?|Tabs?|Eqs?|Secs?|Ref|Refs|No|Nos|Dr|Mr|Ms|Mrs|Prof|approx|St|Vol|Ch|App|Jr|Sr|pp?"
    r"|ca|bzw|vgl|Nr|Abb|Bild|Kap|Abs|inkl|evtl|ggf|usw|max|min|resp|Jan|Feb|Aug|Sept?|Oct|Nov|Dec)"
    r"|\b[A-Z](?:\.\s?[A-Z])+|(?:^|[\s(])[A-Z]|(?:^|\n)\s*\d{1,3})\.$",
    re.IGNORECASE,
)

_FORMULA_CHARS = 200
_FORMULA = re.compile(r"[\\^_{}=]")


def sentences(text: str) -> list[tuple[int, int]]:
    """Spans [start, end) of the sentences of `text`, Chinese and English, without outer blanks.

    A newline ends a sentence; "Fig. 3", "e.g." and "3. Title" do not.
    """
    return [(a, b) for a, b in _stripped(text) if b > a]


def _stripped(text: str) -> Iterator[tuple[int, int]]:
    for start, end in _raw_spans(text):
        piece = text[start:end]
        lead = len(piece) - len(piece.lstrip())
        yield start + lead, start + len(piece.rstrip())


def _raw_spans(text: str) -> Iterator[tuple[int, int]]:
    start, formulas = 0, "$" in text
    for mark in _END.finditer(text):
        at, end = mark.span()
        if text[at] == "." and (
            _ABBREVIATION.search(text[max(start, at - 12) : at + 1]) or _inside_a_number(text, mark)
        ):
            continue
        if formulas and _inside_a_formula(text, start, at):
            continue
        if text[at:end] == ";" and not has_cjk(text[max(0, at - 1) : end + 2]):
            continue
        yield start, end
        start = end
    yield start, len(text)


def _inside_a_number(text: str, mark: re.Match[str]) -> bool:
    """A point with blanks around it, as formula readers write decimals: "3 . 6 5"."""
    before, after = text[max(0, mark.start() - 2) : mark.start()], text[mark.end() : mark.end() + 2]
    spaced = before[-1:] == " " and before[:1].isdigit()
    return spaced and after.strip()[:1].isdigit()


def _inside_a_formula(text: str, start: int, at: int) -> bool:
    """Between two dollar signs of one line that hold more than a price."""
    if text.count("$", start, at) % 2 == 0:
        return False
    line = text.find("\n", at)
    end = text.find("$", at, min(len(text) if line < 0 else line, at + _FORMULA_CHARS))
    return end >= 0 and _FORMULA.search(text, text.rfind("$", start, at), end) is not None


def has_cjk(text: str) -> bool:
    """Whether any Chinese character occurs."""
    return _CJK.search(text) is not None


def language(text: str) -> Literal["zh", "en"]:
    """The language of a question or a passage: zh when Chinese characters are at least as many as
    half of the Latin words."""
    han = len(_CJK.findall(text))
    return "zh" if han and han * 2 >= len(_LATIN_WORD.findall(text)) else "en"


def digest(*parts: str | bytes, length: int = 12) -> str:
    """A short hex SHA-256 of the parts, each delimited by its length."""
    sha = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        sha.update(str(len(data)).encode() + b":" + data)
    return sha.hexdigest()[:length]
