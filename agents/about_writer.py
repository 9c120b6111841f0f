"""Acts on the last answer without a model: says it again, shorter, names its sources, goes on."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from ..core.chunk import Chunk
from ..core.evidence import Source
from ..core.ports import Tokenizer
from ..core.text import sentences
from ..tools.citations import quotable
from ..tools.named import marked
from .about_answer import Kind
from .about_compare import Told, given_values, say_compared
from .extractive_draft import Draft, letters
from .extractive_words import answer_kind, holds_kind

SHORT_LINES = 1
SUMMARY_LINES = 3
LONGEST_REASON = 300
"""Characters of a sentence; what is longer is a table or a formula read as one."""
ROOM = 900
"""Characters of the source that are shown when more of it is asked for."""
_MARKS = re.compile(r"(?:\s*\[\d+\])+\s*$")
_BECAUSE = re.compile(
    r"因为|由于|原因|为了|以便|以免|旨在|目的|所以|因此|为(?=[^，。；]{2,30}[，,])"
    r"|\b(?:because|since|due to|owing to|as a result|in order to|so that|so as to|therefore"
    r"|reason|purpose|to (?:avoid|ensure|prevent|allow|enable|protect))\b",
    re.IGNORECASE,
)
_TRANSLATE = {
    "zh": "没有配置对话模型，无法翻译；下面是原文：",
    "en": "No chat model is configured, so nothing is translated; the text as it stands:",
}
_NO_MORE = {
    "zh": "在已检索的文档里没有找到更多有关内容。",
    "en": "Nothing more on this was found in the documents.",
}
_NO_REASON = {
    "zh": "资料没有说明原因。",
    "en": "The documents do not say why.",
}
_NO_SOURCE = {
    "zh": "上一个回答没有引用任何出处。",
    "en": "The last answer cites no source.",
}


class Last(NamedTuple):
    """What was said last. `said` is all that was said to the question; `turns` as in
    `given_values`, `sources` those of the last answer, numbered as this turn's evidence."""

    topic: str
    answer: str
    said: str
    turns: tuple[Told, ...] = ()
    sources: tuple[Source, ...] = ()


def write_about(
    kind: Kind,
    message: str,
    last: Last,
    chunks: Sequence[tuple[int, Chunk]],
    *,
    tokenizer: Tokenizer,
    language: str,
) -> Draft:
    """The reply to a message about the conversation. `chunks` are the evidence with its numbers,
    in reading order."""
    if kind == "sources":
        return _listed(last, language)
    if kind in ("deeper", "onward"):
        return _further(last, chunks, language)
    if kind == "why":
        return _reasons(last, chunks, tokenizer, language)
    values = given_values(last.turns) if kind == "compare" else []
    if values:
        text = say_compared(message, values, language)
    elif kind == "translate":
        text = f"{_TRANSLATE[language]}\n{last.answer}"
    elif kind in ("shorten", "summarise"):
        most = SHORT_LINES if kind == "shorten" else SUMMARY_LINES
        text = condensed(last.answer, last.topic, most, tokenizer)
    else:
        text = last.answer
    return Draft(text=text)


def condensed(answer: str, topic: str, most: int, tokenizer: Tokenizer) -> str:
    """The `most` lines of an answer that say most of its question, in their order; a long line
    is cut to its best sentence."""
    lines = [line for line in answer.splitlines() if line.strip()]
    cited = [line for line in lines if _MARKS.search(line)] or lines
    words = set(tokenizer.tokens(topic))
    kind = answer_kind(topic)

    def worth(place: int) -> tuple[float, int]:
        text = cited[place]
        share = len(words & set(tokenizer.tokens(text))) / (len(words) or 1)
        fits = kind != "any" and holds_kind(kind, _MARKS.sub("", text), topic)
        empty = _MARKS.sub("", text).rstrip().endswith(("：", ":"))
        return share + 0.5 * fits - empty, -place

    best = sorted(sorted(range(len(cited)), key=worth, reverse=True)[:most])
    return "\n".join(_cut(cited[place], words, tokenizer) for place in best)


def _cut(line: str, words: set[str], tokenizer: Tokenizer) -> str:
    """The sentence of a line that shares most words with the question, with the line's marks."""
    marks = _MARKS.search(line)
    text = line[: marks.start()] if marks else line
    pieces = [text[a:b].strip() for a, b in sentences(text)] or [text]
    shares = [len(words & set(tokenizer.tokens(piece))) for piece in pieces]
    return pieces[shares.index(max(shares))] + (marks.group().rstrip() if marks else "")


def _listed(last: Last, language: str) -> Draft:
    """Each source with document, page, section and the quoted words."""
    if not last.sources:
        return Draft(text=_NO_SOURCE[language])
    return Draft(text="\n".join(_source(source, language) for source in last.sources))


def _source(source: Source, language: str) -> str:
    zh = language == "zh"
    place = [marked(source.doc) if zh else source.doc]
    first, last = source.page_start or source.page, source.page_end or source.page
    if source.page:
        printed = source.page_label
        label = (f"（印刷页码 {printed}）" if zh else f" (printed {printed})") if printed else ""
        place.append((f"第 {source.page} 页" if zh else f"page {source.page}") + label)
    if first and last and first != last:
        place.append(f"引用部分在第 {first}–{last} 页" if zh else f"cited pages {first}–{last}")
    if source.section_path and source.section_path != source.doc:
        place.append(source.section_path)
    where = ("，" if zh else ", ").join(place)
    quote = quotable(" ".join(source.quote.split()))
    said = (f"：“{quote}”" if zh else f': "{quote}"') if quote else ""
    return f"{where}{said} [{source.n}]"


def _further(last: Last, chunks: Sequence[tuple[int, Chunk]], language: str) -> Draft:
    """What the source says beyond the words that were quoted."""
    known = letters(last.said)
    lines: list[str] = []
    room = ROOM
    for n, chunk in chunks:
        for line in filter(None, (" ".join(x.split()) for x in chunk.text.splitlines())):
            plain = letters(line)
            if not plain or plain in known or room <= 0:
                continue
            if line.isdecimal() and int(line) in (chunk.page_start, chunk.page_end):
                continue
            cut = line if len(line) <= room else line[:room].rstrip() + "…"
            lines.append(f"{quotable(cut)} [{n}]")
            room -= len(line)
    if not lines:
        return Draft(text=_NO_MORE[language], abstained=True)
    return Draft(text="\n".join(dict.fromkeys(lines)))


def _reasons(
    last: Last, chunks: Sequence[tuple[int, Chunk]], tokenizer: Tokenizer, language: str
) -> Draft:
    """Sentences that give a reason or a purpose and speak of what was asked or answered."""
    words = set(tokenizer.tokens(last.topic))
    found: list[tuple[int, int, str]] = []
    for place, (n, chunk) in enumerate(chunks):
        text = " ".join(chunk.text.split())
        for start, end in sentences(text):
            piece = text[start:end].strip()
            if not _BECAUSE.search(piece) or len(piece) > LONGEST_REASON:
                continue
            shared = words & set(tokenizer.tokens(piece))
            if shared and 2 * len(shared) >= len(words):
                found.append((len(shared), -place, f"{quotable(piece)} [{n}]"))
    if not found:
        return Draft(text=_NO_REASON[language], abstained=True)
    best = sorted(found, key=lambda item: (item[0], item[1]), reverse=True)[:2]
    return Draft(text="\n".join(dict.fromkeys(text for _, _, text in best)))


def nothing_more(language: str) -> Draft:
    """That the documents hold no more on the question."""
    return Draft(text=_NO_MORE[language], abstained=True)
