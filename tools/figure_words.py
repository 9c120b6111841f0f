"""How much of a question a caption says: words, weighed by how rare they are here."""

import math
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence

from ..core.chunk import Chunk, Figure
from ..core.label import parse_label
from ..core.text import sentences

_ACCENTED = re.compile("[\u00c0-\u024f]")
_SUFFIX = re.compile(r"(?<=[a-z]{4})(?:ations?|ations|ing|ies|ed|es|ly|s|e)$")

_ASKING = """
图 表 图片 图表 图像 图示 示意图 插图 表格 照片 画面 哪张 一张 这张 那张 展示 显示 给出 列出 描述
说明 看 看看 给我看 figure fig table chart picture image photo diagram plot graph show shown display
depict illustrate present give list describe what which see look tell me
"""


def word_weights(
    question: str,
    chunks: Sequence[Chunk],
    figures: Sequence[Figure],
    tokens: Callable[[str], list[str]],
) -> dict[str, float]:
    """Content words of the question; those that the evidence is full of say little."""
    words = list(dict.fromkeys(_stem(t) for t in tokens(question)))
    asking = {_stem(t) for t in tokens(_ASKING)}
    words = [w for w in words if w not in asking and (len(w) > 1 or w.isdecimal())]
    texts = [*(c.text for c in chunks[:10]), *(f.caption for f in figures[:30])]
    bags = [{_stem(t) for t in tokens(text)} for text in texts]
    return {w: _rarity(sum(w in bag for bag in bags), len(bags)) for w in words}


def _rarity(found: int, total: int) -> float:
    return 0.5 + math.log((total + 1) / (found + 1)) / math.log(total + 1) if total else 1.0


def covered(
    weights: Mapping[str, float], text: str, tokens: Callable[[str], list[str]]
) -> list[str]:
    """Question words that the text holds: as words, or as part of its Chinese words."""
    if not text:
        return []
    bag = {_stem(t) for t in tokens(text)}
    joined = "\x00".join(bag)
    return [w for w in weights if w in bag or (not w.isascii() and len(w) > 1 and w in joined)]


def closeness(
    weights: Mapping[str, float], caption: str, tokens: Callable[[str], list[str]]
) -> float:
    """Share of the caption's first sentence that the question says: tells like captions apart."""
    label = parse_label(caption)
    spans = sentences(caption)
    head = caption[spans[0][0] : spans[0][1]] if spans else ""
    words = [w for w in dict.fromkeys(map(_stem, tokens(head))) if not w.isdecimal() or not label]
    return sum(w in weights for w in words) / len(words) if len(words) > 2 else 0.0


def _stem(word: str) -> str:
    word = _unaccented(word.lower())
    return _SUFFIX.sub("", word) if word.isascii() else word


def _unaccented(word: str) -> str:
    """ "für" as "fur": a reader's keyboard or a scan's reader may leave the marks out."""
    if not _ACCENTED.search(word):
        return word
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
