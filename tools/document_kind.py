"""What kind of document a word means ("the contract", 手册), and of which kind a document is."""

import re

from ..core.document import DocumentRecord, split_name

_KINDS: dict[str, re.Pattern[str]] = {
    kind: re.compile(words, re.IGNORECASE)
    for kind, words in {
        "contract": r"合同|协议|租约|契约|\b(?:contract|agreement|lease)s?\b",
        "manual": r"手册|说明书|\b(?:handbook|manual)s?\b",
        "guide": r"指南|指引|\bguide(?:line|book)?s?\b",
        "paper": r"论文|期刊文章|\b(?:paper|thesis|dissertation)s?\b",
        "exam": r"试[卷题]|考卷|卷子|\b(?:exam|examination|test)s?\b",
        "slides": r"课件|幻灯片|讲义|\bPPT\b|\b(?:slides?|deck|lecture)\b",
        "report": r"报告|年报|\breports?\b",
        "rules": r"办法|规定|条例|章程|制度|细则|守则|\b(?:regulation|polic(?:y|ie)|statute)s?\b",
        "minutes": r"纪要|会议记录|\bminutes\b|\bmeeting notes\b",
        "sheet": r"规格书|数据手册|\bdata ?sheets?\b",
        "standard": r"标准|规范|\bstandards?\b",
        "book": r"教材|课本|书籍|\b(?:textbook|book)s?\b",
    }.items()
}
_BY_SOURCE = {"exam": "exam", "solution": "exam", "slides": "slides", "standard": "standard"}


def kinds_said(words: str) -> frozenset[str]:
    """The kinds of document that the words say; empty: none, or any document."""
    found = frozenset(kind for kind, said in _KINDS.items() if said.search(words))
    return found - {"paper"} if "exam" in found else found


def kinds_of(record: DocumentRecord) -> frozenset[str]:
    """The kinds that a document's title, file name and source say it is of; an exam is no paper
    of a journal."""
    name = re.sub(r"[_\-]+", " ", split_name(record.name)[0])
    found = kinds_said(record.title) | kinds_said(name)
    own = _BY_SOURCE.get(record.source_type)
    if own == "exam":
        return (found - {"paper"}) | {own}
    return found | {own} if own else found
