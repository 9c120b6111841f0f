"""Putting a fragment into the parallel slot of the last question, and picking list members."""

import re
import unicodedata

from ..core.label import find_labels
from ..core.text import has_cjk

_STOPS = "的，,。？?、和与是在了把被对从比 "
_TERM = 4
"""Characters from which on a fragment behind "X是什么？" is a term and no property of X."""
_SINGLE = "高低大小上下左右前后内外新旧男女总净毛主副"
"""Modifiers of one character that stand before a noun by themselves."""
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)(?:\s?年(?:度)?)?")
_LETTER = re.compile(r"[(（][a-z][)）]", re.I)
_PAGE = re.compile(r"第\s*\d{1,4}\s*页|\bpage \d{1,4}\b", re.I)
_PLURAL = re.compile(
    r"(?<![\w'’\-])(?!does\b|has\b|this\b|was\b|its\b|his\b)[a-z]{3,}[^s\W]s(?![\w'’\-])"
)
_IDENTIFIER = re.compile(
    r"(?<![A-Za-z\d])(?=[A-Za-z\d\-/.]*\d|[A-Z]{2})[A-Za-z\d]+(?:[\-/.][A-Za-z\d]+)*(?![A-Za-z\d])"
)
_ATTRIBUTE = re.compile(
    r"(?:量|率|度|力|流|温|功率|压|费|额|期|间|数|值|重|长|宽|高|积|径|速|价格?|法|因|位置|名称|型号|尺寸|要求|条件|范围"
    r"|日期|地点|成本|效率|寿命|材料|材质|颜色|品牌|结构|原理|用途|特点|优点|缺点|人口|水位|液位|高程|里程|电话|邮箱|地址|作用|定义|标准|步骤|流程|人|作者|时候)$"
)
_OF = re.compile(
    r"^(?P<head>.+?)的(?P<attribute>[^的]+?)(?P<tail>(?:是|有|为|在|能|会|怎|如何|吗|多|达|应|[？?]|$).*)$"
)
_ALONE = re.compile(
    r"^(?P<head>[^，,。的]{2,20}?)(?P<tail>(?:是|有|为|应)?(?:多少|什么|几|多[久大长高重]).{0,6})$"
)
_ASKS = re.compile(
    r"[?？吗呢]|什么|多少|几|哪|谁|怎|如何|为何|是否"
    r"|(?:^|[:,])\s*(?:what|who|whose|when|where|why|how|which|is|are|was|were|do|does|did|can|could|tell|show)\b",
    re.I,
)
_SPLIT = re.compile(
    r"和|与|跟|及|以及|、|还是|或者?|\band\b|\bor\b|\bversus\b|\bvs\.?\b|,|，", re.I
)
_ORDINALS = (
    (re.compile(r"第(?:一|1)[个种项类款台位]|前者|\bthe (?:first|former)(?: one)?\b", re.I), 0),
    (re.compile(r"第(?:二|两|2)[个种项类款台位]|\bthe second(?: one)?\b", re.I), 1),
    (re.compile(r"第(?:三|3)[个种项类款台位]|\bthe third(?: one)?\b", re.I), 2),
    (re.compile(r"第(?:四|4)[个种项类款台位]|\bthe fourth(?: one)?\b", re.I), 3),
    (
        re.compile(r"后者|另外?一个|另一[个种款台项]|\bthe (?:latter|last|other)(?: one)?\b", re.I),
        -1,
    ),
)


def put_in_slot(fragment: str, topic: str) -> str:
    """The topic with the fragment where its like stood; empty when nothing is alike.

    Alike: a label for a label, a year for a year, an identifier for an identifier, a phrase with
    the same head noun (A 泵, B 泵), a name for a name; in "X的Y" an attribute for Y, else X.
    """
    if not _ASKS.search(topic) and len(topic) > 24:
        return ""
    for alike in (
        _label_slot,
        _letter_slot,
        _page_slot,
        _pattern_slot,
        _head_slot,
        _name_slot,
        _plural_slot,
        _of_slot,
        _whole_slot,
    ):
        placed = alike(fragment.strip(), topic)
        if placed and placed != topic:
            return placed
    return ""


def listed(question: str, topic: str) -> str:
    """The question with "the second one", "后者", said by name from the topic's list."""
    for pattern, place in _ORDINALS:
        found = pattern.search(question)
        if not found:
            continue
        members = list_members(topic)
        if len(members) < 2 or place >= len(members) or (place == -1 and len(members) != 2):
            return ""
        return question[: found.start()] + members[place] + question[found.end() :]
    return ""


def list_members(topic: str) -> list[str]:
    """The members of the list that a question compares: P-101 和 P-102, X and Y."""
    identifiers = list(dict.fromkeys(m.group() for m in _IDENTIFIER.finditer(topic)))
    if len(identifiers) >= 2 and any(c.isdigit() for c in identifiers[0] + identifiers[1]):
        return identifiers
    parts = _SPLIT.split(topic)
    if len(parts) < 2:
        return []
    if has_cjk(topic):
        return _han_members(parts)
    return _latin_members(parts)


def _label_slot(fragment: str, topic: str) -> str:
    new, old = find_labels(fragment), find_labels(topic)
    if not new or not old:
        return ""
    same = [span for span in old if span.label.kind == new[0].label.kind] or old
    return topic[: same[-1].start] + new[0].text + topic[same[-1].end :]


def _letter_slot(fragment: str, topic: str) -> str:
    """A part of a question for another: "And (c)?" after "Q1 (a)"."""
    new, old = _LETTER.fullmatch(fragment), list(_LETTER.finditer(topic))
    if not new or len(old) != 1 or not find_labels(topic):
        return ""
    return topic[: old[0].start()] + new.group() + topic[old[0].end() :]


def _page_slot(fragment: str, topic: str) -> str:
    """A page for a page: "And on page 7?"."""
    new, old = _PAGE.search(fragment), list(_PAGE.finditer(topic))
    if not new or len(old) != 1:
        return ""
    return topic[: old[0].start()] + new.group() + topic[old[0].end() :]


def _pattern_slot(fragment: str, topic: str) -> str:
    """A year for a year, a lone identifier for the only identifier."""
    year, old_years = _YEAR.search(fragment), list(_YEAR.finditer(topic))
    if year and old_years and len(fragment) <= len(year.group()) + 8:
        old = old_years[-1]
        unit = "年" if has_cjk(topic) and "年" not in year.group() and "年" in old.group() else ""
        return topic[: old.start()] + year.group() + unit + topic[old.end() :]
    if year and not old_years and not has_cjk(topic):
        stem = topic.rstrip(" ?.")
        phrase = (
            fragment if re.match(r"(?:in|for|during|by|at)\b", fragment, re.I) else f"in {fragment}"
        )
        return f"{stem} {phrase}?"
    lone = _IDENTIFIER.fullmatch(fragment)
    old_ids = list(_IDENTIFIER.finditer(topic))
    if lone and any(c.isdigit() for c in fragment) and len(old_ids) == 1:
        return topic[: old_ids[0].start()] + fragment + topic[old_ids[0].end() :]
    return ""


def _head_slot(fragment: str, topic: str) -> str:
    """A phrase with the same last word: "B 泵" for "A 泵", "pump B" for "pump A"."""
    if has_cjk(fragment):
        return _han_head_slot(fragment, topic)
    words = fragment.split()
    if len(words) < 2:
        return ""
    for position in (0, -1):
        head = words[position]
        if not head.isalpha() or head.lower() in ("the", "a", "an", "in", "for", "of", "at", "on"):
            continue
        shape = (
            rf"\b{re.escape(head)} [A-Z\d][\w\-]*"
            if position == 0
            else rf"(?:\b[\w\-]+ ){{{len(words) - 1}}}{re.escape(head)}\b"
        )
        found = re.search(shape, topic, re.I if position else 0)
        if found:
            return topic[: found.start()] + fragment + topic[found.end() :]
    return ""


def _han_head_slot(fragment: str, topic: str) -> str:
    folded_topic, folded = _same_width(topic), _same_width(fragment)
    for size in range(min(6, len(folded) - 1), 0, -1):
        suffix = folded[-size:]
        at = folded_topic.find(suffix)
        if at < 0 or not re.search(r"[\u4e00-\u9fff]", suffix):
            continue
        start = _slot_start(folded_topic, at, len(folded) - size)
        if start < at:
            return topic[:start] + fragment + topic[at + size :]
    return ""


def _slot_start(topic: str, end: int, length: int) -> int:
    """Where the modifier that ends at `end` begins: a run of Latin, or as long as the new one."""
    latin = re.search(r"[A-Za-z\d][A-Za-z\d\-/.]*\s?$", topic[:end])
    if latin:
        return latin.start()
    first = end
    while first > 0 and topic[first - 1] not in _STOPS:
        first -= 1
    if length == 1 and topic[end - 1 : end] not in _SINGLE:
        length = 2  # 死 for 汛限: few modifiers have one character
    start = max(first, end - length)
    return first if start - first == 1 and has_cjk(topic[first]) else start


def _name_slot(fragment: str, topic: str) -> str:
    """A capitalised name for the only one of the topic."""
    if has_cjk(fragment) or not re.match(r"(?:the )?[a-z]?[A-Z]", fragment):
        return ""
    names = list(re.finditer(r"(?<=\s)[a-z]?[A-Z][\w\-]*(?: (?:of |the )?[A-Z][\w\-]*)*", topic))
    if len(names) != 1:
        return ""
    return topic[: names[0].start()] + fragment + topic[names[0].end() :]


def _plural_slot(fragment: str, topic: str) -> str:
    """A plural noun for the only one of the topic: "trams" for "buses"."""
    if not _PLURAL.fullmatch(fragment):
        return ""
    old = list(_PLURAL.finditer(topic))
    return topic[: old[0].start()] + fragment + topic[old[0].end() :] if len(old) == 1 else ""


def _of_slot(fragment: str, topic: str) -> str:
    """In "X的Y是多少": an attribute takes the place of Y, anything else that of X."""
    found = _OF.match(topic)
    if not found or not has_cjk(fragment):
        return ""
    if _ATTRIBUTE.search(fragment):
        return f"{found['head']}的{fragment}{found['tail']}"
    return f"{fragment}的{found['attribute']}{found['tail']}"


def _whole_slot(fragment: str, topic: str) -> str:
    """An attribute for the attribute that is all the topic names: "额定压力是多少"."""
    found = _ALONE.match(topic)
    if not found or not has_cjk(fragment):
        return ""
    both = _ATTRIBUTE.search(found["head"]) and _ATTRIBUTE.search(fragment)
    term = found["tail"].startswith("是什么") and re.fullmatch(rf"[一-鿿]{{{_TERM},12}}", fragment)
    return f"{fragment}{found['tail']}" if both or term else ""


def _han_members(parts: list[str]) -> list[str]:
    """Chinese list members: the parts up to the first verb of the last one."""
    last = re.split(
        r"哪|的|谁|有什么|区别|之间|相比|比较|，|,|？|\?|都|分别|各|是|多少|怎么", parts[-1]
    )[0].strip()
    first = re.split(r"[，,。：:]|比较一下|比较|请问", parts[0])[-1].strip()
    members = [first, *(p.strip() for p in parts[1:-1]), last]
    return [m for m in members if 0 < len(m) <= 12]


def _latin_members(parts: list[str]) -> list[str]:
    names = []
    for i, part in enumerate(parts):
        words = part.strip(" ?.!").split()
        taken = words[-2:] if i == 0 else words[:2] if i == len(parts) - 1 else words
        names.append(
            " ".join(w for w in taken if w.lower() not in ("the", "of", "between", "is", "are"))
        )
    return [name for name in names if name]


def _same_width(text: str) -> str:
    """One-to-one folding of full-width letters, so that offsets stay."""
    return "".join(
        folded if len(folded := unicodedata.normalize("NFKC", char)) == 1 else char for char in text
    ).lower()
