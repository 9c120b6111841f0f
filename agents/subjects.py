"""What a question is distinctly about: names and numbers that its evidence must hold.

Two manuals say the same of two plants; the one that does not name the plant asked for is no
evidence, however well its words fit. Names here are those that can be told by their form: model
and standard numbers, years, quantities, quoted titles, plants and firms by their suffix, "A 泵",
"3号机组", a capitalised Latin name in a Chinese question.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..core.text import has_cjk
from ..tools.request import asked_for
from .analyst_rules import folded
from .leaves import leaves

_CODE = re.compile(
    r"(?<![A-Za-z\d])(?!(?:FY|CY|[QH])\s?\d|\d+(?:st|nd|rd|th|s)\b|(?i:top|last|first|no)[\-. ]?\d)"
    r"(?:[A-Z]{2,6}(?:/[A-Z]{1,2})?\s\d{2,}(?:[.\-]\d+)*"
    r"|(?=[A-Za-z\d/.\-]*[A-Za-z])(?=[A-Za-z/.\-]*\d)[A-Za-z\d]+(?:[/.\-][A-Za-z\d]+)*"
    r"(?:\s\d{2,}(?:[.\-]\d+)*)?)(?![A-Za-z\d])"
)
_YEAR = re.compile(r"(?<![\d.\-])(?:19|20)\d{2}(?![\d.]*\d)")
_QUANTITY = re.compile(
    r"(?<![A-Za-z\d.\-])(?P<n>\d+(?:\.\d+)?)\s?(?P<u>%|‰|℃|°C|kWh?|MW|kV|MPa|kPa|Pa|mm|cm|km|m3/h|m³/h|kg|Hz|rpm"
    r"|r/min|V|A|W|L|t|m)(?![A-Za-z])"
)
# A limit that the question sets itself need not be written anywhere: "more than 2%".
_BOUND = re.compile(
    r"(?:\b(?:more|less|higher|lower|greater) than"
    r"|\b(?:over|under|above|below|at least|at most|exceed\w*)"
    r"|超过|大于|小于|高于|低于|至少|至多|不足)\s*(?:roughly |about |约)?"
    rf"(?P<bound>{_QUANTITY.pattern.replace('?P<n>', '').replace('?P<u>', '')})"
)
_QUOTED = re.compile(r"[《〈「『]([^》〉」』]{2,40})[》〉」』]")
_PLANT = "泵机组线区栋座楼型级类厂班炉站轮阀罐塔库"
_KINDS = (
    "plant|unit|pump|fan|line|building|block|site|product|model|machine|boiler|tank|valve"
    "|reactor|phase|zone|station|workshop|system|company|class"
)
_SORTS = "锅|给水|循环水?|凝结水|冷却水?|水轮|汽轮|发电|送风|引风|空压|工作|检修|进水|泄洪"
_SIBLING = re.compile(
    rf"(?<![A-Za-z\d\-])(?:[A-Z](?:\s?(?![的是和与及或为在有比])[一-鿿]){{0,2}}?|[甲乙丙丁])\s?"
    rf"(?P<n>[{_PLANT}]|产品|设备|公司|系统|方案|车间)"
    rf"|(?<![月\d])(?:\d+|[一二三四五六七八九十]+)\s?[号#]\s?(?P<mid>{_SORTS})?"
    r"(?P<m>[机泵闸阀楼线厂炉库塔轮车站罐井桥门])"
    rf"|\b(?P<en>(?i:{_KINDS}))\s(?:[A-Z]|\d+)\b"
    r"|\b(?P<noun>(?!(?i:the|and|for|with|from|are|was|has|had|did|does|can|may|not|but)\b)"
    r"[A-Za-z][a-z]{2,11})\s[A-H]\b(?![.\-'’]|\s[A-Z])"
)
# One of a series: "iOS 7", "Apollo 11", "UNIT 14"; not what the question begins with, nor a date.
_NUMBERED = re.compile(
    r"(?<![A-Za-z\d\-])(?=[A-Za-z]*[A-Z])(?!(?i:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\b"
    r"|(?i:figure|fig|table|tab|equation|eq|section|sec|chapter|page|appendix|question|top|no|how)\b)"
    r"(?P<word>[A-Za-z]{3,}) (?P<number>\d{1,2})(?![\d.,:%\-]*\d|[A-Za-z%]| (?:and|or|to|&)\b)"
)
# The kind of thing that a model number stands before: "XYZ-10 泵", "XYZ-10 pump".
_OF_KIND = re.compile(rf"\s?(?:[{_PLANT}]|(?i:{_KINDS})\b)")
_SUFFIX = "电厂|水厂|分厂|公司|集团|大学|学院|中学|小学|医院|银行|机场|水库|水电站|电站|泵站|大桥"
_ORGANISED = re.compile(rf"[一-鿿A-Za-z]{{2,10}}?(?:{_SUFFIX})")
# Things given or taken by name: one is not the other, whatever they have in common.
_GIVEN = "奖学金|助学金|助学贷款|津贴|补贴|补助|贷款|保险|证书|执照|许可证|基金|协议"
_GRANT = re.compile(rf"(?P<of>[一-鿿]{{2}})(?P<kind>{_GIVEN})")
_ANY_GRANT = re.compile(
    r"[的了个项种类份些各哪么些其和与或及是有为无否能可]|申请|获得|获取|享受|领取|发放|颁发|评定|缴纳|购买|办理|多少|所有|最高|最低|最新|新生|学生|员工|职工|本人"
)
# A place or works that the question begins with: "白山厂的…", "青川河…".
_FIRST = re.compile(r"^(?:请问|问一下)?([一-鿿]{2,3}?[厂矿县市省州镇村河湖])(?=的|[一-鿿]{2})")
# Whose figures of a year are asked for: "上海机电2019年的研发费用", not "全年发电量2019年是多少".
_OF_YEAR = re.compile(
    r"(?:^|[，,、。]|根据)(?P<name>[一-鿿]{4,12}?)(?:在)?(?:19|20)\d{2}年"
    r"(?:度|末|底|全年|年报|年度报告|的时候)*(?:里面?|中|提[到及]的?)*[的，]?"
    r"(?![比较同至到和与增减第上下]|的|有|是|为)(?P<rest>[一-鿿]{2,20}?)(?:分别)?(?:是|为|有|达|怎么|如何|情况|[?？]|$)"
)
_NO_OWNER = re.compile(
    r"^[全各我本该每这那其另在从截到]|[的率额费价数值比]$|(?:量|人数|收入|利润|工资|面积|人口|情况|报告|公司|集团|时候)$"
    r"|[是有和与或及被把给对比]|什么|哪|多少"
)
# Words before such a suffix that say of what kind the thing is, not which one.
_NO_NAME = re.compile(
    r"[哪这那该本此某各每什么的个家座所是在由和与及或了吗呢属于为被从到请问有几两多里内大小年月日]|手册|文档|报告|资料"
    r"|示例|小型|中型|大型|水力|火力|风力|核|光伏|抽水蓄能|上市|保险|贸易|科技|有限|股份|责任|国有|民营|外资"
    r"|供水|排水|公立|私立|综合|专科|重点|普通|国际|商业|中央"
)
_NO_PLACE = re.compile(rf"{_NO_NAME.pattern}|城|全|该|河|超|门|都|集")
_OF_A_KIND = re.compile("[哪最几]|什么|比较好|推荐")
_LATIN_NAME = re.compile(r"(?<![A-Za-z\d\-])[A-Z][a-z]{3,}(?:[\-' ][A-Z][A-Za-z]+)*(?![A-Za-z\d])")
# "LLaVa", "YouTube": a capital inside a word is a name's; a shorter one's may be a unit's (kWh).
_CAMEL = re.compile(r"(?<![A-Za-z\d\-])(?=[A-Za-z]{5})[A-Za-z]*[a-z][A-Z][A-Za-z]*(?![A-Za-z\d])")
_TABLE = re.compile(r"^\s*\||<t[dhr]\b", re.M)
_DESIGNATED = re.compile(r"[号#\s]")
_LETTERS = dict(zip("甲乙丙丁", "abcd", strict=True))
_DIGITS = {han: str(n) for n, han in enumerate("一二三四五六七八九十", 1)}
# One kind of thing in both languages.
_SAME_KIND = {
    "plant": "厂",
    "pump": "泵",
    "unit": "机",
    "machine": "机",
    "line": "线",
    "building": "楼",
    "boiler": "炉",
    "tank": "罐",
    "valve": "阀",
    "product": "产品",
    "station": "站",
    "workshop": "车间",
    "system": "系统",
    "company": "公司",
    "class": "班",
}


def asked_identifiers(question: str) -> list[str]:
    """Model and standard numbers, years and quantities that the question names."""
    text = unicodedata.normalize("NFKC", question)
    found = [m.group().strip() for p in (_QUANTITY, _CODE, _YEAR) for m in p.finditer(text)]
    return list(dict.fromkeys(found))


def subjects(question: str) -> list[str]:
    """The names that tell the question's subject from its like, as written, in order."""
    text = unicodedata.normalize("NFKC", question)
    found = [(m.start(), m.group(1)) for m in _QUOTED.finditer(text)]
    found += [(m.start(), m.group()) for m in _SIBLING.finditer(text)]
    found += [(m.start(), m.group()) for m in _CAMEL.finditer(text)]
    found += [(leave.start, leave.written) for leave in leaves(text)]
    if has_cjk(text):
        found += [(m.start(), name) for m in _ORGANISED.finditer(text) if (name := _own(m.group()))]
        first = _FIRST.match(text)
        if first and not _NO_PLACE.search(first[1][:-1]):
            found.append((first.start(1), first[1]))
        found += [(m.start("name"), m["name"]) for m in _owners(text)]
        found += [(m.start(), m.group()) for m in _LATIN_NAME.finditer(text)]
        found += [(m.start(), m.group()) for m in _grants(text)]
    return list(dict.fromkeys(name for _, name in sorted(found)))


def _owners(text: str) -> list[re.Match[str]]:
    """Whose figures of a year are asked for."""
    plain = asked_for(text)
    return [m for m in _OF_YEAR.finditer(plain) if not _NO_OWNER.search(m["name"])]


def _grants(text: str) -> list[re.Match[str]]:
    """The named scholarships, insurances, certificates, by their last two letters and the kind."""
    return [m for m in _GRANT.finditer(text) if not _ANY_GRANT.search(m["of"])]


def _own(run: str) -> str:
    """The name without what stands before it; empty for 该公司, 哪家整容医院 and 最好的医院,
    which ask for one of a kind."""
    if _OF_A_KIND.search(run):
        return ""
    name = _NO_NAME.split(run)[-1]
    return name if re.fullmatch(rf".{{2,}}(?:{_SUFFIX})", name) else ""


def absent_identifiers(question: str, texts: Sequence[str]) -> list[str]:
    """Identifiers of the question that no text holds, separators aside; in a table a quantity's
    unit may stand in the head, away from its number. Texts that name no year at all do not speak
    of another year than the one asked for."""
    plain = [folded(text) for text in texts]
    dated = any(_YEAR.search(text) for text in texts)
    missing = [
        name
        for name in asked_identifiers(question)
        if not any(folded(name) in t for t in plain) or not any(holds_code(name, t) for t in texts)
    ]
    bounds = {m["bound"].strip() for m in _BOUND.finditer(unicodedata.normalize("NFKC", question))}
    missing = [name for name in missing if name not in bounds]
    missing = [name for name in missing if dated or not _YEAR.fullmatch(name)]
    return [
        name
        for name in missing
        if not any(_tabled(name, text) or _spelled_out(name, text) for text in texts)
    ]


def _headed(name: str, text: str) -> bool:
    """Whether a table under the kind of grant has a head for this one: 市内交通 of 差旅补贴."""
    found = _GRANT.fullmatch(name)
    if found is None or found["kind"] not in text:
        return False
    return any(found["of"] in line for line in text.splitlines() if line.lstrip().startswith("|"))


def _row_of(name: str, text: str) -> bool:
    """Whether the name is a row's with the head over it: 华北地区 of 华北 below 地区."""
    return any(
        head in text
        and re.search(rf"(?:^\s*\||>)\s*{re.escape(name[: -len(head)])}\s*[|<]", text, re.M)
        for head in (name[-2:],)
        if len(name) > len(head) + 1
    )


def holds_code(code: str, text: str) -> bool:
    """Whether a text holds a number or code that no further digit belongs to, nor a letter behind
    one: ABC 320 for ABC-320, which ABC-3200 is not; "ABC-3 on" is no ABC-3o."""
    joined = r"[\s\-–—_./]*".join(re.escape(c) for c in code if c.isalnum() or c in "%‰°℃³²")
    plain = unicodedata.normalize("NFKC", text)
    end = r"(?![A-Za-z\d])" if re.search(r"\d[A-Za-z]$", code) else r"(?!\d)"
    return re.search(rf"(?<![\d]){joined}{end}", plain, re.I) is not None


def _spelled_out(name: str, text: str) -> bool:
    """Whether the text spells an abbreviation with its year out: "Health and Safety Act 1974" for
    "HSA 1974"."""
    found = re.fullmatch(r"([A-Z]{2,6}) ((?:19|20)\d{2})", name)
    if found is None:
        return False
    words = r"(?:\s+(?:and|of|the|for|on|in))*\s+".join(rf"{c}[a-z]+" for c in found[1])
    return re.search(rf"\b{words}(?:\s+Act)?,?\s+{found[2]}", text) is not None


def _tabled(name: str, text: str) -> bool:
    quantity = _QUANTITY.fullmatch(name)
    if quantity is None or not _TABLE.search(text):
        return False
    number = re.search(rf"(?<![\d.,]){re.escape(quantity['n'])}(?![\d]|[.,]\d)", text)
    return number is not None and quantity["u"] in text


def absent_subjects(question: str, texts: Sequence[str]) -> list[str]:
    """Subjects of the question that no text names."""
    plain = [folded(text) for text in texts]
    known = set().union(*(siblings(text) for text in texts))
    return [*absent_numbered(question, texts)] + [
        name
        for name in subjects(question)
        if not any(_named(name, t) for t in plain)
        and not _same(siblings(name), known)
        and not ((_grants(name) or any(leaves(name))) and not _rivals(siblings(name), known))
        and not any(_headed(name, text) or _row_of(name, text) for text in texts)
    ]


def absent_numbered(question: str, texts: Sequence[str]) -> list[str]:
    """Members of a series ("iOS 7") that no text holds while some hold another one of it."""
    missing = []
    for found in _NUMBERED.finditer(unicodedata.normalize("NFKC", question)):
        word = rf"(?<![A-Za-z]){re.escape(found['word'])}s?[\s\-#]*"
        same = rf"{word}(?:\d+\s?(?:,|&|and|to|–|-)\s?)*0*{found['number']}(?!\d|\.\d)"
        others = any(re.search(rf"{word}\d", text, re.I) for text in texts)
        if others and not any(re.search(same, text, re.I) for text in texts):
            missing.append(found.group())
    return missing


def others_only(question: str, texts: Sequence[str]) -> list[str]:
    """Subjects of the question of which the texts name only siblings, in whatever language: they
    speak of 乙厂 where plant A is asked for."""
    known = set().union(*(siblings(text) for text in texts))
    return [
        name
        for name in subjects(question)
        if (mine := siblings(name)) and not _same(mine, known) and _rivals(mine, known)
    ]


def unanswered_subjects(question: str, texts: Sequence[str]) -> list[str]:
    """Absent subjects that leave nothing to say: not one of several of a kind ("甲厂和乙厂") of
    which another is named in the texts."""
    absent = absent_subjects(question, texts)
    present = {mine.kind for mine in siblings("，".join(set(subjects(question)) - set(absent)))}
    return [n for n in absent if not present & {mine.kind for mine in siblings(n)}]


def _named(name: str, plain: str) -> bool:
    """Whether a folded text holds the name: whole, with a word more (北京大兴国际机场 for
    北京大兴机场), or its last part with the kind (男科医院 for 武汉男科医院)."""
    if folded(name) in plain:
        return True
    if works := re.fullmatch(r"([一-鿿]{2})(工厂)", name):  # 苏南工厂 for 苏南第一工厂
        return re.search(rf"{folded(works[1])}[一-鿿]{{0,4}}{works[2]}", plain) is not None
    if (place := _FIRST.match(f"{name}的")) and place[1] == name:
        return folded(name[:-1]) in plain
    kind = re.search(rf"(?:{_SUFFIX})$", name)
    if kind is None:
        return False
    stem = folded(name[: kind.start()])
    tail = stem[-2:] + kind.group()
    return len(stem) > 1 and (tail in plain or (stem in plain and kind.group() in plain))


def naming(question: str, texts: Sequence[str]) -> list[bool]:
    """For each text whether it names a subject or model number of the question; all true where
    the question has none, or no text names one."""
    names = [*subjects(question), *(m.group() for m in _CODE.finditer(question))]
    mine = siblings(question)
    named = [
        any(_named(name, folded(text)) for name in names) or _same(mine, siblings(text))
        for text in texts
    ]
    return named if any(named) else [True] * len(texts)


class Sibling(NamedTuple):
    """One of several of a kind: pump, "a", "" for "pump A" and for "A 泵"; 泵, "b", "给水" for
    "B 给水泵"."""

    kind: str
    name: str
    middle: str = ""


def of_another(question: str, text: str) -> bool:
    """Whether the text names a sibling of the question's subject ("A 泵" for "B 泵", 乙厂 for
    plant A, KLP-50 for KLP-80, "XYZ-10 泵" for "KLP-80 泵") and not the subject itself; of several
    subjects ("甲厂2号锅炉") one is enough."""
    mine, others = siblings(question), siblings(text)
    named = {one.name for one in mine if _same([one], others)}
    missing = [one for one in mine if one.name not in named]
    kinds = {one.kind for one in mine if one.name in named}
    return bool(_rivals([one for one in missing if one.kind not in kinds], others))


def _rivals(mine: Iterable[Sibling], others: Iterable[Sibling]) -> list[Sibling]:
    kinds = {one.kind for one in mine}
    return [other for other in others if other.kind in kinds]


def _same(mine: Iterable[Sibling], others: Iterable[Sibling]) -> bool:
    """Whether some of the others may be one of mine."""
    return any(_alike(one, other) for one in mine for other in others if one.kind == other.kind)


def _alike(one: Sibling, other: Sibling) -> bool:
    if len(one.name) < 3 and one.name.isalnum():
        middles = {one.middle, other.middle} - {""}
        return one.name == other.name and len(middles) < 2
    return one.name in other.name or other.name in one.name


def siblings(text: str) -> set[Sibling]:
    """All that the text tells from its like by a letter, a number or a code."""
    plain = unicodedata.normalize("NFKC", text)
    found = {_sibling(m) for m in _SIBLING.finditer(plain)}
    found |= {Sibling(m["kind"], m["of"]) for m in _grants(plain)}
    found |= {Sibling("leave", leave.name) for leave in leaves(plain)}
    for m in _CODE.finditer(plain):
        head = re.match(r"[A-Za-z]{1,6}", m.group())
        if head:
            found.add(Sibling(head.group().lower(), folded(m.group())))
        if kind := _OF_KIND.match(plain, m.end()):
            found.add(Sibling(_kind(kind.group()), folded(m.group())))
    return found


def _sibling(found: re.Match[str]) -> Sibling:
    kind = found["n"] or found["m"] or found["en"] or found["noun"] or ""
    name, middle = _DESIGNATED.sub("", folded(found.group()).replace(folded(kind), "", 1)), ""
    if found["n"] and has_cjk(name[1:]):
        name, middle = name[:1], name[1:]
    if found["mid"]:
        name, middle = name.removesuffix(folded(found["mid"])), found["mid"].replace("锅", "")
    return Sibling(_kind(kind), _designator(name), middle)


def _designator(name: str) -> str:
    """甲 is A, 三 is 3: what is written otherwise in another language."""
    return _LETTERS.get(name, _DIGITS.get(name, name))


def _kind(word: str) -> str:
    plain = word.strip().lower()
    return _SAME_KIND.get(plain, plain)
