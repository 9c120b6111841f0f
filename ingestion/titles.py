"""Titles of documents and of the regulations in a compilation, told from numbers and issuers.

The line over or under a regulation's title is its number ("校学〔2016〕7 号", "第 41 号令") or the
day on which it was passed: it looks like a heading and names nothing.
"""

import re
from collections.abc import Iterator, Sequence

from ..core.document import Block

_YEAR = r"(?:19|20)\d{2}"
_DAY = (
    rf"{_YEAR}\s*年(?:\s*\d{{1,2}}\s*月(?:\s*\d{{1,2}}\s*日)?)?"
    rf"|{_YEAR}[-/.]\d{{1,2}}(?:[-/.]\d{{1,2}})?"
)
_CHANGED = (
    r"(?:[起自]?(?:第?[一二三四五]?次)?(?:修订|修正|通过|发布|公布|印发|颁布|施行|实施|制定"
    r"|执行)(?:稿|版)?)"
)
_DOCKET = re.compile(
    rf"^[（(]?\s*(?:[一-鿿A-Za-z\d、]{{0,12}}?\s*[〔\[［【（(]\s*{_YEAR}\s*[〕\]］】）)]\s*第?\s*"
    r"\d{1,4}\s*号"
    r"|(?:[一-鿿]{2,20})?令?\s*第?\s*\d{1,4}\s*号令?"
    r"|\d{2,4}\s*[一-鿿]{2,6}字?第?\s*\d{1,4}\s*号)\s*[）)]?"
    rf"(?:\s*[，,；;（(].{{0,60}})?$"
)
_DATED = re.compile(
    rf"^[（(]?\s*(?:根据|经)?\s*(?:{_DAY})\s*(?:[一-鿿\d]{{0,40}}?{_CHANGED})?[。\s]*[）)]?$"
)
_WORDS = (
    r"管理办法|实施办法|办法|规定|条例|实施细则|细则|守则|准则|章程|规程|制度|规则|通则|公约"
    r"|标准|规范|方案|意见|通知"
    r"|(?<![方做想说看无合书用手司])法"
)
_WORK = re.compile(
    rf"^《?[^，,。；;：:？?！!]{{2,60}}?(?:{_WORDS})\s*(?:[（(〔【][^）)〕】]{{1,30}}[）)〕】]\s*)*》?$"
)
_ISSUER = re.compile(
    r"^[一-鿿（）()]{2,20}(?:大学|学院|公司|集团|委员会|办公室|局|部|处|厅|院|协会|中心)"
    r"文件?$"
)
_BARE_NAME = re.compile(
    r"^(?:[\W\d_]*|(?:doc(?:ument)?|scan(?:ned)?|file|img|image|untitled|download|output|page"
    r"|text|new"
    r"|新建(?:文本)?(?:文档)?|扫描(?:件|文件)?|文档|文件|附件|未命名|下载|副本)[\W\d_]*"
    r"|[0-9a-f]{8,}[\W\d_]*)$",
    re.IGNORECASE,
)
_LEADING = 15
"""Lines at a document's beginning among which its title is looked for."""
_LONGEST = 80


def is_docket(text: str) -> bool:
    """Whether a line is nothing but a document number, a decree's number or a date."""
    line = " ".join(text.split())
    return len(line) <= _LONGEST and bool(_DOCKET.match(line) or _DATED.match(line))


def is_work(text: str) -> bool:
    """Whether a line names a regulation: it ends with 办法, 规定, 条例, ..."""
    return len(text) <= _LONGEST and bool(_WORK.match("".join(text.split())))


def document_title(title: str, name: str, blocks: Sequence[Block]) -> str:
    """`title` where it says something, else the title that the first lines hold, else `name`.

    It says nothing when it is a number, a date or an issuer, or a file name such as "scan0012".
    """
    known = title.strip() or name
    if not (is_docket(known) or _BARE_NAME.match(known) or _ISSUER.match(known)):
        return known
    lines = list(_first_lines(blocks))
    named = next((line for line in lines if is_work(line)), "")
    headed = (" ".join(b.text.split()) for b in blocks[:_LEADING] if b.kind == "title")
    marked = next((t for t in headed if _says(t)), "")
    first = next((line for line in lines[:3] if _says(line)), "")
    return (named or marked or first).strip("《》# ") or name or known


def _says(line: str) -> bool:
    told = is_docket(line) or _ISSUER.match(line) or _BARE_NAME.match(line)
    return 4 <= len(line) <= _LONGEST // 2 and not told and not re.search(r"[。；;，,]", line)


def _first_lines(blocks: Sequence[Block]) -> Iterator[str]:
    lines = (" ".join(x.split()) for b in blocks[:_LEADING] for x in b.text.splitlines())
    yield from [line for line in lines if line][:_LEADING]
