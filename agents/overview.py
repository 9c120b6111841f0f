"""What a document, or a section of it, is about: its headings, each with its first sentence.

"总结《…办法》", "what is this document about", "总结第三章": no sentence of a document answers
these, so the answer is made of its structure; a model is given the same passages.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from ..core.chunk import Chunk
from ..core.label import find_labels, parse_label
from ..core.text import sentences
from ..tools.citations import quotable
from ..tools.named import marked, quoted_names, without_names, work_of
from .analyst_rules import folded
from .extractive_draft import Draft

MOST_ENTRIES = 14
_LONGEST = 200
"""Characters of a question that wants an overview; a longer one asks for more."""
_LEAD_CHARS = 110
_SHORTEST = 8
_MOST_BELOW = 5
_MOST_NAMED = 30
_COVER = 30
_FEW = 2
_DOC_ZH = (
    r"(?:论文|文章|文献|文档|文件|报告|年报|资料|材料|标准|规范|规程|规定|手册|说明书|教材|讲义"
    r"|课件|试卷|书|合同|制度|办法"
    r"|条例|章程|笔记|幻灯片|PPT|协议|租约|会议纪要|纪要|会议记录|指南|规格书|细则|守则)"
)
_THIS_ZH = rf"(?:[这该本此]|上述|当前)(?:一?[个篇份本部项册套])?{_DOC_ZH}"
_THIS_EN = (
    r"(?:this|the|that|my|your) (?:uploaded )?(?:document|file|paper|article|report|manual"
    r"|handbook|book|slides?"
    r"|deck|notes?|standard|regulation|contract|agreement|lease|minutes|guide|policy|data ?sheet"
    r"|textbook|thesis|text|pdf)"
)
_NAMING = re.compile(
    rf"{_THIS_ZH}|{_THIS_EN}|{_DOC_ZH}|[《》的里中上在]|[这那]?一?[章节]|章节|部分|小节|情况|针对"
    r"|\b(?:of|in|the|a|an|this|document|file|paper|article|standard|regulation|manual|handbook"
    r"|exam|report|slide|lecture|section|chapter|part|contract|agreement|lease|minutes|guide"
    r"|policy|data ?sheet|book|textbook|thesis)s?\b",
    re.IGNORECASE,
)
_DOCUMENT = re.compile(
    rf"{_DOC_ZH}|方案|\b(?:document|file|paper|article|report|manual|handbook|book|slide|deck|note"
    r"|standard|regulation|rule|contract|agreement|lease|minute|guide|polic(?:y|ie)|data ?sheet"
    r"|textbook|thesis|text|pdf|instruction|statement|plan|exam)s?\b",
    re.IGNORECASE,
)
_THIS = re.compile(rf"^(?:{_THIS_ZH}|{_THIS_EN}|it)$", re.IGNORECASE)
POLITE = re.compile(
    r"^(?:请问?|麻烦(?:你|您)?|帮我|给我|能不能|能否|可以|你能|您能"
    r"|please|can you|could you|would you)+[，,\s]*",
    re.IGNORECASE,
)
END = re.compile(r"(?:好吗|可以吗|吗|呢|吧|please|for me|briefly|[\s?？。.!！])+$", re.IGNORECASE)
_WHAT_ZH = r"(?:什么|啥|哪些|些什么|哪几|哪)(?:内容|方面|东西|要点|事|部分|章节|问题|主题)?"
_FORMS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^(?:简要|简单|大致|大概|详细)?(?:总结|概括|概述|归纳|介绍|梳理|小结)(?:一下"
        r"|下)?(?P<x>.{2,60}?)"
        r"(?:的)?(?:主要|核心|大致|全部|基本)?(?:内容|要点|大意|重点|情况)?$",
        rf"^(?P<x>.{{2,60}}?)(?:里面?|中)?(?:主要|大致|大概|到底|究竟|都)*"
        r"(?:讲|说|写|介绍|包括|包含|涉及|讲述|阐述|关于|谈|是讲|是关于)(?:了|的是"
        rf"|到)?{_WHAT_ZH}(?:的)?$",
        r"^(?P<x>.{2,60}?)(?:的)?(?:主要|核心|大致|基本)?(?:内容|要点|大意|提纲|大纲|目录"
        r"|结构|框架|概要|摘要|梗概|主题)"
        rf"(?:是|有|包括)?(?:{_WHAT_ZH})?$",
        r"^(?:对|把|给|为)(?P<x>.{2,60}?)(?:做|进行|作)(?:一个|一下|个)?(?:总结|概括|概述|归纳)$",
        r"^(?:summari[sz]e|outline|recap|sum up|give me (?:a|an) (?:short |brief )?(?:summary"
        r"|overview|outline) of"
        r"|(?:a |an )?(?:short |brief )?(?:summary|overview|outline) of|introduce)"
        r"(?: the (?:content|contents|main points) of)? (?P<x>.{2,80})$",
        r"^what(?:'s| is| are) (?P<x>.{2,80}?) (?:all |mainly |generally )?about$",
        r"^what (?:does|do) (?P<x>.{2,80}?) (?:cover|contain|discuss|deal with|talk about"
        r"|include|describe|say)$",
        r"^what(?:'s| is) in (?P<x>.{2,80})$",
        r"^tell me (?:more |something )?about (?P<x>.{2,80})$",
        r"^describe (?P<x>(?:this|the) (?:document|file|paper|report|handbook"
        r"|manual)\b.{0,40})$",
    )
)


_ON_PAGE_ZH = r"(?:上|里|中|上面|里面)?(?:的)?(?:主要)?"
_PAGE_ZH = r"第\s*(?P<n>\d{1,4})\s*(?:页|张\s*(?:幻灯片|PPT))"
_PAGE_EN = r"(?:page|slide)(?: number| no\.?)? (?P<n>\d{1,4})"
_PAGE_FORMS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"^(?P<x>.{{0,40}}?)(?:的)?{_PAGE_ZH}{_ON_PAGE_ZH}(?:内容)?"
        rf"(?:有|是|讲|说|写|介绍|包括|包含)(?:了|的是|些)?{_WHAT_ZH}$",
        rf"^(?:总结|概括|概述|介绍)(?:一下)?(?P<x>.{{0,40}}?)(?:的)?{_PAGE_ZH}(?:的)?(?:内容)?$",
        rf"^(?P<x>.{{0,40}}?)(?:的)?{_PAGE_ZH}(?:的)?(?:主要)?内容(?:是(?:{_WHAT_ZH})?)?$",
        r"^what(?:'s| is| does it say| can be seen| stands) (?:there )?(?:on|in) (?:the )?"
        rf"{_PAGE_EN}(?: (?:of|in) (?P<x>.{{2,80}}))?$",
        rf"^(?:summari[sz]e|describe|show(?: me)?|read(?: me)?) {_PAGE_EN}"
        r"(?: (?:of|in) (?P<x>.{2,80}))?$",
        rf"^what (?:does|do) {_PAGE_EN}(?: (?:of|in) (?P<x>.{{2,80}}?))?"
        r" (?:say|cover|contain|show|describe)$",
    )
)


_WHICH_DOCUMENTS = re.compile(
    r"^(?:你们?|您|这里|库里?|知识库里?|资料库里?|集合里?|系统里?|目前|现在|一共|总共|都|里面?)*"
    r"(?:有|收录了?|包含|包括)(?:了)?(?:哪些|什么|哪几[份个篇])(?:文档|文件|资料|材料)[\s？?。]*$"
    r"|^(?:列出|列举)(?:一下)?(?:所有|全部)?(?:的)?(?:文档|文件|资料)[\s？?。]*$"
    r"|^(?:what|which) (?:documents|files|sources) (?:do you (?:have|know)|are there"
    r"|are (?:in the (?:collection|library|knowledge base)|available|loaded|indexed))\W*$"
    r"|^(?:你们?|您|这里|库里?|知识库里?|资料库里?|集合里?|系统里?|目前|现在|一共|总共|里面?|收录了?)*"
    r"有?(?:多少|几)[份个篇本](?:文档|文件|资料)[\s？?。]*$"
    r"|^how many (?:documents|files|sources) (?:do you (?:have|know)|are there"
    r"|are (?:in the (?:collection|library|knowledge base)|available|loaded|indexed))\W*$"
    r"|^(?:list|show)(?: me)? (?:all )?(?:the |your )?(?:documents|files)\W*$",
    re.IGNORECASE,
)


class Asked(NamedTuple):
    """What a question wants an overview of, in its words; `this`: the document at hand."""

    words: str
    this: bool
    sections: bool
    """Whether it names a chapter or section by its number."""


class Entry(NamedTuple):
    """A section's heading, its first sentence, and the chunk that holds it."""

    heading: str
    lead: str
    below: tuple[str, ...]
    chunk: Chunk


def asks_for_documents(question: str) -> bool:
    """Whether the question is which documents there are."""
    return _WHICH_DOCUMENTS.match(POLITE.sub("", " ".join(question.split()))) is not None


def asked_page(question: str) -> tuple[int, str] | None:
    """The one page that the question wants to know the content of, and the words for its document;
    None: it asks for no page, or for something on it."""
    text = END.sub("", POLITE.sub("", " ".join(question.split())))
    found = next((m for form in _PAGE_FORMS if (m := form.match(text))), None)
    return (int(found["n"]), found["x"] or "") if found else None


def page_entries(chunks: Sequence[Chunk], page: int) -> list[Entry]:
    """What stands on a page, in order: of each text the heading that is new and its first
    sentences, of each figure its caption."""
    found: list[Entry] = []
    said = ""
    for chunk in chunks:
        last = chunk.page_end or chunk.page_start
        if chunk.page_start is None or last is None or not chunk.page_start <= page <= last:
            continue
        standing = _on_page(chunk, page)
        heading = standing.section_title if standing.section_title != said else ""
        said = standing.section_title or said
        lead = _lead(standing, heading).split(" | ", 1)[0].strip()  # of a table its caption
        if (lead or heading) and not (found and lead == found[-1].lead):
            found.append(Entry(heading, lead, (), chunk))
    return found


def _on_page(chunk: Chunk, page: int) -> Chunk:
    """The chunk with what stands on the page alone, without its heading where that stands on a
    page before; the whole of it where no box tells."""
    if len({box.page for box in chunk.boxes}) < 2 or len(chunk.box_starts) != len(chunk.boxes):
        return chunk
    ends = [*chunk.box_starts[1:], len(chunk.text)]
    boxed = zip(chunk.boxes, chunk.box_starts, ends, strict=True)
    own = "".join(chunk.text[a:b] for box, a, b in boxed if box.page == page)
    title = chunk.section_title if chunk.boxes[0].page == page else ""
    return chunk.model_copy(update={"text": own, "section_title": title}) if own.strip() else chunk


def asked_overview(question: str) -> Asked | None:
    """What the question wants to know the content of; None: it asks something else.

    An article or clause is short enough to be read out, and is no matter of an overview.
    """
    plain = " ".join(question.split())
    if len(plain) > _LONGEST:
        return None
    text = END.sub("", POLITE.sub("", plain))
    found = next((m for form in _FORMS if (m := form.match(text))), None)
    if found is None:
        return None
    words = found["x"].strip(" 的，,")
    labels = [span.label for span in find_labels(words)]
    if any(label.kind != "section" or label.sub == "条" for label in labels):
        return None
    return Asked(words, bool(_THIS.match(words)), bool(labels))


def is_this(words: str) -> bool:
    """Whether the words point at the document at hand: "this report", 本手册, "it"."""
    return _THIS.match(words) is not None


def names_none(words: str) -> bool:
    """Whether the words name no document but only a kind, or the one at hand: "the handbook"."""
    named = quoted_names(words) or find_labels(words)
    return is_this(words) or not (named or folded(_NAMING.sub(" ", words)))


def says_document(words: str) -> bool:
    """Whether the words speak of a document: by a word for one, or by a name in 《》."""
    return bool(quoted_names(words)) or _DOCUMENT.search(words) is not None


def without_naming(words: str) -> str:
    """The words without those for a document, its parts and the joints of a name."""
    return " ".join(_NAMING.sub(" ", words).split())


def names_alone(words: str, names: Sequence[str]) -> bool:
    """Whether the words are nothing but one of these names, or part of it."""
    for quote in quoted_names(words):
        words = words.replace(quote, " ")
    for span in reversed(find_labels(words)):
        words = f"{words[: span.start]} {words[span.end :]}"
    rest = _NAMING.sub(" ", without_names(words, names))
    return not folded(rest)


def entries(chunks: Sequence[Chunk], root: str = "") -> list[Entry]:
    """The sections directly under the path `root`; of a compilation its regulations, of a document
    without headings its passages."""
    texts = [c for c in chunks if not c.figure_id and c.text.strip()]
    depth = _depth(texts, root)
    works = [work_of(chunk) for chunk in texts]
    compiled = not root and 2 * sum(map(bool, works)) > len(texts) and len(set(works)) > 2
    groups: dict[str, list[Chunk]] = {}
    for chunk, work in zip(texts, works, strict=True):
        groups.setdefault(work if compiled else _heading(chunk, depth), []).append(chunk)
    if compiled:
        groups.pop("", None)
    if len(groups) < 2:
        groups = {_own(chunk) or str(place): [chunk] for place, chunk in enumerate(texts)}
    found = [entry for name, own in groups.items() if (entry := _entry(name, own, depth))]
    headed = sum(bool(entry.heading) for entry in found)
    telling = [e for e in found if _tells(e) and (e.heading or headed < _FEW or _closed(e.lead))]
    return telling if len(telling) > 1 else found


def _closed(lead: str) -> bool:
    """Whether a text before the first heading is a sentence and no cover."""
    return lead.endswith(("。", "！", "？", ".", "!", "?"))


def _tells(entry: Entry) -> bool:
    """Whether an entry is more than a line of a cover."""
    lead, title = folded(entry.lead), folded(entry.chunk.doc_title)
    cover = not entry.heading and title in lead and len(lead) < len(title) + _COVER
    return bool(lead) and lead != folded(entry.heading) and not cover


def thinned(found: Sequence[Entry]) -> tuple[list[Entry], list[Entry]]:
    """At most MOST_ENTRIES, evenly, and those that are left out."""
    step = max(len(found) / MOST_ENTRIES, 1.0)
    places = {int(i * step) for i in range(min(len(found), MOST_ENTRIES))}
    kept = [entry for place, entry in enumerate(found) if place in places]
    return kept, [entry for place, entry in enumerate(found) if place not in places]


def _parts(chunk: Chunk) -> list[str]:
    return [part for part in chunk.section_path.split(" > ") if part]


def _depth(chunks: Sequence[Chunk], root: str) -> int:
    """The level of headings that tells the chunks apart: the first with more than one."""
    start = len([part for part in root.split(" > ") if part])
    deepest = max((len(_parts(chunk)) for chunk in chunks), default=0)
    for depth in range(start, deepest):
        if len({parts[depth] for c in chunks if len(parts := _parts(c)) > depth}) > 1:
            return depth
    return start


def _heading(chunk: Chunk, depth: int) -> str:
    parts = _parts(chunk)
    return parts[depth] if len(parts) > depth else ""


def _own(chunk: Chunk) -> str:
    return chunk.section_title if chunk.section_title else ""


def _entry(name: str, chunks: Sequence[Chunk], depth: int) -> Entry | None:
    below = dict.fromkeys(parts[depth + 1] for c in chunks if len(parts := _parts(c)) > depth + 1)
    heading = "" if name.isdecimal() else name
    for chunk in chunks:
        if lead := _lead(chunk, heading):
            return Entry(heading, lead, tuple(below), chunk)
    return Entry(heading, "", tuple(below), chunks[0]) if heading else None


def _lead(chunk: Chunk, heading: str) -> str:
    """The first sentence that says something beyond the heading; long ones are cut."""
    text = " ".join(chunk.text.split())
    for start, end in sentences(text):
        piece = text[start:end].strip()
        plain = folded(piece)
        if len(plain) < _SHORTEST or plain in folded(heading) or piece.startswith("|"):
            continue
        return piece if len(piece) <= _LEAD_CHARS else piece[:_LEAD_CHARS].rstrip("，,、 ") + "…"
    return ""


def say_overview(
    parts: Sequence[tuple[str, Sequence[Entry]]],
    numbers: dict[str, int],
    language: str,
) -> Draft:
    """An outline of each (title, entries), every line with its page's citation."""
    zh = language == "zh"
    lines: list[str] = []
    for title, found in parts:
        lines.append(f"{marked(title)}的主要内容：" if zh else f"{title} covers:")
        kept, rest = thinned(found)
        lines += [_line(entry, numbers[entry.chunk.chunk_id], zh=zh) for entry in kept]
        if names := [entry.heading for entry in rest if entry.heading][:_MOST_NAMED]:
            lines.append(f"另有：{'；'.join(names)}" if zh else f"Also: {'; '.join(names)}")
    return Draft(text="\n".join(lines))


def _line(entry: Entry, n: int, *, zh: bool) -> str:
    colon, join = ("：", "；") if zh else (": ", "; ")
    below = [name for name in entry.below if name != entry.heading][:_MOST_BELOW]
    said = entry.lead or join.join(below)
    numbered = parse_label(entry.heading) if said else None
    if numbered is not None and parse_label(said) == numbered:
        return f"- {quotable(said)} [{n}]"
    text = colon.join(filter(None, (entry.heading, said)))
    return f"- {quotable(text)} [{n}]"
