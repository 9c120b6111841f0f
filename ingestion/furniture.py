"""Page furniture and tables of contents: found, and dropped with a reason."""

import re
from collections import defaultdict
from collections.abc import Sequence

from ..core.document import Block

_AROUND_PAGE = {
    "navigation": "navigation",
    "banner": "page header",
    "contentinfo": "page footer",
    "script": "script",
}
"""What stands around a web page's text, by its ARIA role."""
JOINED = "joined to the text before"
"""Not a loss: a parser has written the block's text into another one."""
_EDGE = 0.1
_MIN_PAGES = 3
_MIN_SHARE = 0.15
_PROSE_CHARS = 40
_DIGITS = re.compile(r"[0-9０-９]+|\b[ivxlc]+\b")
_HAN_PAGE = re.compile(r"第\s*[一二三四五六七八九十百零〇]+\s*页")
_PUNCT = re.compile(r"[\s\-—–_·|/.,，。:：]+")
_PAGE_NUMBER = re.compile(
    r"^\s*第\s*\d{1,4}\s*[页頁][\s,，、/]*(?:[共總总][計计]?)\s*\d{1,4}\s*[页頁]\s*$"
    r"|^\s*(?:[-—–·•~(（\[]*\s*(?:page|p\.?|第)?\s*[0-9ivxlc０-９]{1,4}\s*(?:页|頁)?\s*"
    r"(?:(?:/|of|共)\s*\d{1,4}\s*(?:页|頁)?)?\s*[-—–·•~)）\]]*)\s*$",
    re.I,
)
_TOC_TITLE = re.compile(
    r"^\s*(?:目\s*[次录錄](?:\s*(?:table\s+of\s+)?contents)?|(?:table\s+of\s+)?contents"
    r"|list\s+of\s+(?:figures|tables)|[图圖表]\s*目\s*[录錄]|插图目录|表格目录|inhalt(?:sverzeichnis)?)\s*$",
    re.I,
)
_TOC_LINE = re.compile(
    r"(?:[.．…·⋯]\s*){3,}\s*[(（]?[0-9ivxlcⅠ-Ⅹ-]{1,6}[)）]?\s*$|\S\s{2,}[0-9ivxlc]{1,4}\s*$|\t\d{1,4}\s*$"
)
_LONGEST_LINE = 500  # of a table of contents; dots without end would be searched again and again
_NUMBERED_TOC = re.compile(
    r"^\s*(?:第.{1,4}[章节篇]|附\s*录|[0-9A-Z]+(?:\.\d+)*[\s.、])?.{1,60}?\s*[0-9ivxlc]{1,4}\s*$"
)
_SENTENCE_END = re.compile(r"[。！？.!?]\s*[”’」）)]?\s*$")


def is_toc_title(text: str) -> bool:
    """Whether a heading names a table of contents ("目次", "Contents", "目录 Contents")."""
    return bool(_TOC_TITLE.match(text))


def dropped_blocks(blocks: Sequence[Block]) -> dict[int, str]:
    """Reason by block index for what is no content of the document."""
    reasons: dict[int, str] = {}
    running = _running(blocks)
    for block in blocks:
        reason = _empty(block) or _typed(block, running) or _edge(block, running)
        if reason:
            reasons[block.index] = reason
    for index in _toc(blocks, reasons):
        reasons.setdefault(index, "table of contents")
    return reasons


def slide_titles(blocks: Sequence[Block]) -> list[Block]:
    """Headers that differ from the slide before's as titles; one on most pages stays a header."""
    pages = {block.page for block in blocks}
    shown: dict[str, set[int | None]] = defaultdict(set)
    for block in blocks:
        if block.kind == "header":
            shown[_key(block.text)].add(block.page)
    found: list[Block] = []
    before = ""
    for block in blocks:
        key = _key(block.text)
        title = block.kind == "header" and key.strip("#") and len(shown[key]) * 2 <= len(pages)
        new = {"kind": "title", "level": 1} if title and key != before else {}
        before = key if title else before
        found.append(block.model_copy(update=new) if new else block)
    return found


def _empty(block: Block) -> str:
    bare = not block.text.strip() and not block.html.strip() and not block.latex.strip()
    if not bare or block.image or block.captions or block.meta.get("missing_image"):
        return ""
    if block.kind == "table":
        return ""
    if block.meta.get("joined"):
        return JOINED
    return "" if block.kind in ("image", "chart") and block.footnotes else "empty"


def _typed(block: Block, running: set[str]) -> str:
    if block.raw_type in _AROUND_PAGE:
        return _AROUND_PAGE[block.raw_type]
    if block.kind == "page_number":
        return "page number"
    if block.kind == "toc":
        return "table of contents"
    if block.kind in ("header", "footer"):
        prose = len(block.text) >= _PROSE_CHARS and _SENTENCE_END.search(block.text)
        return "" if prose and _key(block.text) not in running else f"page {block.kind}"
    if block.raw_type == "discarded" and block.kind == "aside":
        return "discarded by the parser" if len(block.text) < _PROSE_CHARS else ""
    return ""


def _edge(block: Block, running: set[str]) -> str:
    if block.kind not in ("text", "title", "aside", "unknown"):
        return ""
    if block.page and _PAGE_NUMBER.match(block.text) and _at_edge(block):
        return "page number"
    key = _key(block.text)
    if key in running and (block.bbox is None or _at_edge(block)):
        return "running header or footer"
    return ""


def _at_edge(block: Block) -> bool:
    box = block.bbox
    return box is not None and (box.y1 <= _EDGE or box.y0 >= 1 - _EDGE)


def _key(text: str) -> str:
    """Text without its page numbers and punctuation."""
    bare = _HAN_PAGE.sub("#", text.strip().lower())
    return _PUNCT.sub("", _DIGITS.sub("#", bare))[:80]


def _running(blocks: Sequence[Block]) -> set[str]:
    """Keys of texts that stand at the edge of many pages, each a page once."""
    pages: dict[str, set[int]] = defaultdict(set)
    all_pages = {block.page for block in blocks if block.page}
    edges = _outer_blocks(blocks)
    for block in blocks:
        if block.page is None or not block.text or len(block.text) > 160:
            continue
        typed = block.kind in ("header", "footer", "page_number")
        if typed or _at_edge(block) or (block.bbox is None and block.index in edges):
            pages[_key(block.text)].add(block.page)
    # Numbers alone say nothing: a chapter's first page may hold "3".
    least = max(_MIN_PAGES, int(len(all_pages) * _MIN_SHARE))
    return {key for key, seen in pages.items() if len(seen) >= least and key.strip("#")}


def _outer_blocks(blocks: Sequence[Block]) -> set[int]:
    """First and last text of each page, for parsers that give no boxes."""
    by_page: dict[int, list[int]] = defaultdict(list)
    for block in blocks:
        if block.page and block.text:
            by_page[block.page].append(block.index)
    return {index for found in by_page.values() for index in (found[0], found[-1])}


def _toc(blocks: Sequence[Block], reasons: dict[int, str]) -> set[int]:
    found = {
        block.index for block in blocks if block.kind in ("text", "list") and _is_toc(block.text)
    }
    inside = False
    for block in blocks:
        if _TOC_TITLE.match(block.text) and block.kind in ("title", "text", "header"):
            inside = True
            found.add(block.index)
        elif inside and block.index not in reasons:
            inside = block.index in found or _entry(block)
            if inside:
                found.add(block.index)
    lone = {
        b.index
        for b in blocks
        if _TOC_TITLE.match(b.text) and b.index + 1 not in found | set(reasons)
    }
    return found - lone


def _is_toc(text: str) -> bool:
    lines = [line for line in text.split("\n") if line.strip()]
    if not lines:
        return False
    hits = sum(
        1 for line in lines if _leads(line) and re.search(r"[.．…·⋯]{3,}|(?:[.．]\s){3,}", line)
    )
    return hits * 2 > len(lines)


def _leads(line: str) -> bool:
    """Whether the line ends in a page number that dots or blanks lead to."""
    return len(line) <= _LONGEST_LINE and _TOC_LINE.search(line) is not None


def _entry(block: Block) -> bool:
    """Whether a block after the contents' title still belongs to it."""
    paragraph = "\n" not in block.text and len(block.text) > 120
    if block.kind not in ("text", "list", "title") or paragraph:
        return False
    lines = [line for line in block.text.split("\n") if line.strip()]
    hits = sum(1 for line in lines if _leads(line) or _NUMBERED_TOC.match(line))
    return bool(lines) and hits * 2 > len(lines)
