"""Words for the keyword leg: Chinese by jieba, everything else by its letters and digits.

Both sides of a match are folded first: compatibility forms (NFKC), case, dashes and traditional
characters. Codes such as GB/T 5972, ABC-320, C++ and 3.1.2 are kept whole and also given by their
parts, so that either writing finds the other; English words lose their inflection (Snowball).
"""

import logging
import re
import threading
import unicodedata
import warnings
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af\u3007\u3005"
HAN_RUN = re.compile(f"[{HAN}]+")
_DASHES = "‐‑‒–—―−﹘﹣－⁃"
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
_LETTER = f"[^\\W\\d_{HAN}]"
# "GB/T 5972-2016" is one word with or without its blank.
_BODIES = "gb|iso|iec|din|en|jis|astm|ieee|ansi|bs|sae|asme|api|ul|itu|rfc|jb|hg|jgj|dl|yd|sj|hj"
_STANDARD = rf"(?:[a-z]{{1,4}}\d{{0,4}}/[tz]|{_BODIES}) ?\d{{2,}}(?:\.\d+)*(?:-\d{{4}})?(?![^\W_])"
# A run of letters and digits, joined by the marks that codes are written with.
_RUN = rf"[^\W_{HAN}]+"
_CODE = rf"{_RUN}(?:(?:[-./_'&]|\+(?=[^\W_])){_RUN})*(?:\+\+|#(?!\w))?"
_OTHER = f"(?P<standard>(?<![^\\W_{HAN}]){_STANDARD})|(?P<code>{_CODE})"
_WORD = re.compile(f"(?P<han>[{HAN}]+)|{_OTHER}")
_NOT_CHINESE = re.compile(_OTHER)
_PART = re.compile(rf"{_LETTER}+|\d+(?:\.\d+)*")
_THOUSANDS = re.compile(r",(?<=\d,)(?=\d{3}(?!\d))")
_PLAIN = re.compile(r"[a-z]+")
_CLITIC = re.compile(r"'(?:s|t|re|ve|ll|d|m)?$")

_WIDE = "，：；？！（）％～"
_NARROW = {wide: unicodedata.normalize("NFKC", wide) for wide in _WIDE}

_STOP_ZH = """
的 了 和 是 在 与 及 或 也 都 而 被 把 吗 呢 吧 啊 呀 么 之 其 这 那 这个 那个 哪 哪个
哪些 什么 怎么 怎样 如何 为什么 请问 一个 我 你 他 她 它 我们 你们 他们 以及 并 等 对 就
还 又 很 着 过 地 得 于 以 从 为 谁 有 请 会 要 是否 多少 几
"""
_STOP_EN = """
a an the of and or to in on at by for with from as is are was were be been being it its this that
these those i you he she we they what which who whom whose when where why how do does did has have
had not no can could will would shall should may might must there their his her our your my me us
them if then than so such into about over under between don doesn didn isn aren wasn weren won
wouldn couldn shouldn hasn haven hadn
"""
STOP_ZH = frozenset(_STOP_ZH.split())
STOP_EN = frozenset(_STOP_EN.split())


class JiebaTokenizer:
    """Thread-safe tokenizer with its own jieba instance and its own cache folder.

    `user_words` are added to the dictionary ("给水泵"); an unwritable `cache_dir` only costs the
    cache. The first use loads the dictionary (about a second): call `load()` at start-up.
    """

    name = "jieba-1"
    """Changes whenever the tokens of the same text change: part of the keyword index's stamp."""

    def __init__(self, cache_dir: Path, *, user_words: Iterable[str] = ()) -> None:
        self._cache_dir = cache_dir
        self._user_words = tuple(user_words)
        self._lock = threading.Lock()
        self._table: dict[int, str] = {}
        self._foldable = re.compile("(?!)")
        self._jieba: Any = None
        self._stemmer: Any = None
        self._stems: dict[str, str] = {}

    def load(self) -> None:
        """Load the dictionaries now instead of at the first question."""
        with self._lock:
            if self._jieba is not None:
                return
            self._table = _fold_table()
            self._foldable = _any_of(self._table)
            self._stemmer = _stemmer()
            self._jieba = _jieba(self._cache_dir, (self._folded(w) for w in self._user_words))

    def fold(self, text: str) -> str:
        """NFKC, lower case, one kind of dash, traditional to simplified; same number of words."""
        if self._jieba is None:  # set last by `load`: the others are there then
            self.load()
        return self._folded(text)

    def tokens(self, text: str) -> list[str]:
        """Content words of the folded text, in order, without punctuation and stop words."""
        folded = _THOUSANDS.sub("", self.fold(text))
        return list(self._words(folded))

    def held(self, text: str, words: frozenset[str]) -> frozenset[str]:
        """Which of `words` stand in the text: a Chinese word as such, however the characters around
        it would be cut; another as one of `tokens(text)`."""
        folded = _THOUSANDS.sub("", self.fold(text))
        chinese, others = _sought(words)
        found = {word for word in chinese if word in folded}
        if any(word[0] in folded for word in others):
            for code in _NOT_CHINESE.finditer(folded):
                found |= others.intersection(self._found(code))
        return frozenset(found)

    def _folded(self, text: str) -> str:
        for wide in _WIDE:  # nothing else of most texts is for NFKC, which is slow where it changes
            text = text.replace(wide, _NARROW[wide])
        folded = unicodedata.normalize("NFKC", text).casefold()
        if self._foldable.search(folded):
            folded = folded.translate(self._table)
        return unicodedata.normalize("NFKC", folded)  # a removed joiner may let marks combine

    def _words(self, folded: str) -> Iterator[str]:
        for run in _WORD.finditer(folded):
            yield from self._found(run)

    def _found(self, run: re.Match[str]) -> Iterable[str]:
        if run.lastgroup == "han":
            return (w for w in self._jieba.cut_for_search(run.group()) if w not in STOP_ZH)
        if run.lastgroup == "standard":
            return self._code(run.group().replace(" ", ""))
        return self._code(run.group())

    def _code(self, word: str) -> Iterator[str]:
        word = _CLITIC.sub("", word).replace("'", "")
        if _PLAIN.fullmatch(word):
            if word not in STOP_EN:
                yield self._stem(word)
            return
        yield word
        parts = _PART.findall(word)
        if len(parts) > 1:
            long = (p for p in parts if len(p) > 1 and p not in STOP_EN)
            yield from (self._stem(p) if _PLAIN.fullmatch(p) else p for p in long)

    def _stem(self, word: str) -> str:
        stem = self._stems.get(word)
        if stem is None:
            with self._lock:  # the stemmer keeps its word in itself
                stem = str(self._stemmer.stemWord(word))
                if len(self._stems) > 100_000:
                    self._stems.clear()
                self._stems[word] = stem
        return stem


@lru_cache(64)
def _sought(words: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """The Chinese words that a text can hold, and the others."""
    chinese = frozenset(word for word in words if HAN_RUN.fullmatch(word))
    return chinese - STOP_ZH, words - chinese


def _fold_table() -> dict[int, str]:
    """Traditional to simplified by character, dashes to "-", invisible characters to nothing.

    By character and not by phrase: a phrase table would give one character two readings, and a
    question would miss the text.
    """
    import opencc

    ranges = ((0x3400, 0x4DC0), (0x4E00, 0xA000), (0xF900, 0xFB00), (0x20000, 0x2A6E0))
    chars = [chr(c) for start, stop in ranges for c in range(start, stop)]
    simple = opencc.OpenCC("t2s").convert("\n".join(chars)).split("\n")
    step = {a: b for a, b in zip(chars, simple, strict=True) if a != b and len(b) == 1}
    table = {ord(a): step.get(b, b) for a, b in step.items()}
    table |= dict.fromkeys(map(ord, _DASHES), "-")
    table |= dict.fromkeys(map(ord, "’‘ʼ＇`´"), "'")
    return table | dict.fromkeys(map(ord, _INVISIBLE), "")


def _any_of(codes: Iterable[int]) -> re.Pattern[str]:
    """What finds any of these characters; every one beyond the basic plane is taken for one of
    them, without which the search would take fifty times as long."""
    basic = "".join(re.escape(chr(code)) for code in sorted(codes) if code < 0x10000)
    return re.compile(f"[{basic}]|[\U00010000-\U0010ffff]")


def _stemmer() -> Any:
    # The pure Python class by name: the package's factory would take another implementation
    # where one happens to be installed, and the stems could differ between machines.
    from snowballstemmer.english_stemmer import (
        EnglishStemmer,
    )

    return EnglishStemmer()


def _jieba(cache_dir: Path, words: Iterable[str]) -> Any:
    logging.getLogger("jieba").setLevel(logging.CRITICAL)
    with warnings.catch_warnings():
        # jieba 0.42.1's sources hold invalid escapes and an optional use of pkg_resources.
        warnings.filterwarnings("ignore", "invalid escape sequence")
        warnings.filterwarnings("ignore", "pkg_resources is deprecated")
        warnings.filterwarnings("ignore", "Deprecated call to `pkg_resources")
        import jieba

        from .jieba_quick import QuickTokenizer
    logging.getLogger("jieba").handlers.clear()
    tokenizer = QuickTokenizer(_made(cache_dir) / f"jieba-{jieba.__version__}.json")
    for word in words:
        if word.strip():
            tokenizer.add_word(word.strip())
    return tokenizer


def _made(folder: Path) -> Path:
    with suppress(OSError):  # no cache then: the dictionary is read from the package
        folder.mkdir(parents=True, exist_ok=True)
    return folder
