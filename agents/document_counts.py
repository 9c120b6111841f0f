"""How many pages, chapters, articles, figures and tables a document has, as it was read.

What was counted is listed with its place, so that a reader can check it: a parser may have missed
a figure.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from ..core.chunk import Chunk, Figure
from ..tools.citations import quotable
from ..tools.named import marked
from .exam_facts import Fact

_MOST_LISTED = 20
_LONGEST = 90
_CHAPTER = re.compile(
    r"^\W*(?P<n>第\s*[一二三四五六七八九十百〇零\d]+\s*章|chapter\s+[\divxlc]+)", re.IGNORECASE
)
_NUMBERED = re.compile(r"^(?:\d{1,2}(?:\s*[.、]\s*(?!\d)|\s+)|[一二三四五六七八九十]{1,3}、)\S")
_DEEPER = re.compile(
    r"^(?:[A-Z]|\d{1,2})(?:\.\d{1,2})+\.?\s*\S|^[(（][一二三四五六七八九十\d]{1,3}[)）]"
)
_ARTICLE = re.compile(r"(?m)^\W*(第\s*[一二三四五六七八九十百〇零\d]+\s*条)")
# More articles than names of them: they are numbered anew, document by document.
_ANEW = 1.5


class Whole(NamedTuple):
    """A document: its title, its pages where its format has any, its chunks and figures."""

    doc_id: str
    title: str
    pages: int | None
    chunks: tuple[Chunk, ...]
    figures: tuple[Figure, ...] = ()

    def named(self, language: str) -> str:
        """The title as it is written in a sentence."""
        return marked(self.title) if language == "zh" else self.title

    def said(self, text: str) -> Fact:
        """A sentence about it that cites its first passage."""
        return Fact(text, self.chunks[0].chunk_id if self.chunks else "", self.doc_id)


def counted(kind: str, whole: Whole, language: str) -> list[Fact]:
    """How many there are and what was counted; empty: it cannot be told."""
    if kind in ("pages", "slides"):
        return [whole.said(_pages(whole, language))]
    if kind in ("tables", "figures"):
        return _objects(whole, language, tables=kind == "tables")
    return _articles(whole, language) if kind == "articles" else _headings(whole, language)


def _pages(whole: Whole, language: str) -> str:
    name, pages = whole.named(language), whole.pages
    if pages is None:
        return (
            f"{name}的格式没有分页。" if language == "zh" else f"{name} has no pages in its format."
        )
    return f"{name}共 {pages} 页。" if language == "zh" else f"{name} has {_many(pages, 'page')}."


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _objects(whole: Whole, language: str, *, tables: bool) -> list[Fact]:
    """The figures or tables that were found: those with a number by name, the others counted."""
    own = [f for f in whole.figures if (f.kind == "table") == tables and not f.decoration]
    by_label: dict[tuple[str, ...], Figure] = {}
    for figure in own:
        if figure.label is not None:
            by_label.setdefault(figure.label.parts, figure)
    plain = len({f.group or f.figure_id for f in own if f.label is None})
    lead = (_objects_zh if language == "zh" else _objects_en)(len(by_label), plain, tables=tables)
    lead += _gap(list(by_label), language)
    name = whole.named(language)
    text = f"{name}里{lead}" if language == "zh" else f"{name}: {lead}"
    if not by_label:
        return [whole.said(text)]
    shown = [(f.caption or f.label_text, f.chunk_id) for f in by_label.values()]
    return [Fact(text, "", whole.doc_id), *_listed(shown, whole, language)]


def _objects_zh(numbered: int, plain: int, *, tables: bool) -> str:
    noun, one = ("表", "个") if tables else ("图", "幅")
    if not numbered:
        return f"识别出 {plain} {one}{noun}，都没有编号。" if plain else f"没有识别出{noun}。"
    rest = f"，另有没有编号的 {plain} {one}" if plain else ""
    return f"识别出有编号的{noun} {numbered} {one}{rest}"


def _objects_en(numbered: int, plain: int, *, tables: bool) -> str:
    noun = "table" if tables else "figure"
    if not numbered:
        return (
            f"{_many(plain, noun)} found, without a number." if plain else f"no {noun} was found."
        )
    rest = f", and {plain} without a number" if plain else ""
    return f"{_many(numbered, f'numbered {noun}')} found{rest}"


def _gap(labels: Sequence[tuple[str, ...]], language: str) -> str:
    """What closes the sentence: that numbers are left out, where they run from 1 to more."""
    if not labels:
        return ""
    plain = [int(parts[0]) for parts in labels if len(parts) == 1 and parts[0].isdecimal()]
    last = max(plain, default=0)
    if len(plain) < len(labels) or last <= len(plain):
        return "：" if language == "zh" else ":"
    return f"（编号到 {last}）：" if language == "zh" else f" (the numbers run to {last}):"


def _listed(shown: Sequence[tuple[str, str]], whole: Whole, language: str) -> list[Fact]:
    """Names with the chunks that hold them, the first of many."""
    facts = [
        Fact(f"- {quotable(_short(name))}", chunk_id, whole.doc_id)
        for name, chunk_id in shown[:_MOST_LISTED]
    ]
    if (more := len(shown) - _MOST_LISTED) > 0:
        left = f"……另有 {more} 个。" if language == "zh" else f"… and {more} more."
        facts.append(Fact(left, "", whole.doc_id))
    return facts


def _short(name: str) -> str:
    plain = " ".join(name.split())
    return plain if len(plain) <= _LONGEST else f"{plain[:_LONGEST].rstrip()}…"


def _articles(whole: Whole, language: str) -> list[Fact]:
    """The articles from the first to the last; empty where they are numbered anew."""
    found: dict[str, str] = {}
    places: set[tuple[str, str]] = set()
    for chunk in whole.chunks:
        heads = [part for part in chunk.section_path.split(" > ") if _ARTICLE.match(part)]
        for name in map(_plain, _ARTICLE.findall("\n".join((*heads, chunk.text)))):
            found.setdefault(name, chunk.chunk_id)
            places.add((name, chunk.section_path))
    names = list(found)
    if len(names) < 2 or len(places) > _ANEW * len(names):
        return []
    name = whole.named(language)
    zh = f"{name}共有 {len(names)} 条，从{names[0]}到{names[-1]}。"
    en = f"{name} has {len(names)} articles, {names[0]} to {names[-1]}."
    return [Fact(zh if language == "zh" else en, found[names[-1]], whole.doc_id)]


def _plain(name: str) -> str:
    return "".join(name.split())


def _headings(whole: Whole, language: str) -> list[Fact]:
    """The chapters, else the numbered headings of the first level, else those right below the
    title."""
    heads: dict[str, tuple[str, str]] = {}
    for chunk in whole.chunks:
        parts = [part for part in chunk.section_path.split(" > ") if part]
        for end, part in enumerate(parts, 1):
            heads.setdefault(" > ".join(parts[:end]), (part, chunk.chunk_id))
    every = list(heads.values())
    names = [m["n"] for name, _ in every if (m := _CHAPTER.match(name))]
    if len(set(map(_plain, names))) < len(names):
        return [whole.said(_anew(whole, len(names), language))]
    numbered = [h for h in every if _NUMBERED.match(h[0]) and not _DEEPER.match(h[0])]
    chapters = [h for h in every if _CHAPTER.match(h[0])]
    found = chapters or numbered or _first_level(heads, whole.title)
    if not found:
        return []
    below = sum(1 for name, _ in every if _DEEPER.match(name)) if numbered else 0
    kind = "chapter" if chapters else "numbered" if numbered else "plain"
    lead = _headings_lead(whole.named(language), len(found), below, kind, language)
    return [Fact(lead, "", whole.doc_id), *_listed(found, whole, language)]


def _first_level(heads: dict[str, tuple[str, str]], title: str) -> list[tuple[str, str]]:
    """The headings of the first level that has more than one, without the title itself."""
    for depth in range(3):
        level = [h for path, h in heads.items() if path.count(" > ") == depth and h[0] != title]
        if len(level) > 1:
            return level
    return []


def _headings_lead(name: str, count: int, below: int, kind: str, language: str) -> str:
    if language == "zh":
        nouns = {"chapter": f"共有 {count} 章", "numbered": f"有编号的一级标题有 {count} 个"}
        said = nouns.get(kind, f"一级标题有 {count} 个")
        return f"{name}{said}" + (f"（其下有编号的小节 {below} 个）：" if below else "：")
    noun = {"chapter": "chapter", "numbered": "numbered section"}.get(kind, "top-level section")
    rest = f" ({_many(below, 'numbered subsection')} below them)" if below else ""
    return f"{name} has {_many(count, noun)}{rest}:"


def _anew(whole: Whole, count: int, language: str) -> str:
    """Of a compilation, whose chapters begin anew with each part."""
    name = whole.named(language)
    if language == "zh":
        return f"{name}是汇编，各部分分别编章，合计 {count} 章。"
    return f"{name} numbers its chapters anew in each part, {count} in all."
