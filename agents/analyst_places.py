"""What a follow-up can stand on besides the last question: a numbered place, what was answered."""

import re
from collections.abc import Sequence

from ..core.label import Label, display, find_labels
from .analyst_rules_en import names

_OPENER = re.compile(
    r"^(?:换一?个(?:话题|问题|角度)|另外(?!一)|此外|顺便(?:再|想)?问(?:一下|一句|下)?|对了|再问(?:一下|一个问题)?"
    r"|还有一?个问题|言归正传|by the way|btw|changing the subject|(?:on )?another topic"
    r"|one more (?:question|thing)|separately|on a different (?:note|topic))"
    r"(?:[，,：:、。.\s]+|(?<=问))",
    re.IGNORECASE,
)
_CLAUSE_SUBJECT = re.compile(
    r"(?:里|中)?(?:都|又|具体|主要)?(?:说|讲|写|规定|表示|反映|包括|包含|要求|适用|提到|是(?!多少)|有|对|在|的(?:内容|规定|要求|意思))"
)
_NEIGHBOUR = re.compile(
    r"^(?:那么?|再|请问|然后|还有)*[，,\s]*(?P<way>上|下|前|后)(?:面)?一(?:个|张|幅|道|副)?"
    r"(?P<unit>条款?|章|节|题|表格?|图)(?P<rest>(?![的]?(?:消息|回答|问题|信息|片|件|课|目)).{0,14})$"
)
_NEIGHBOUR_EN = re.compile(
    r"^\W*(?:(?:and|so|then|ok(?:ay)?)\b[,\s]*)*(?:(?:what|how) about )?(?:the )?"
    r"(?P<way>next|following|previous|preceding)"
    r" (?P<unit>article|clause|section|chapter|table|figure|question)(?P<rest>)\W*$",
    re.IGNORECASE,
)
_KINDS = {
    "条": "section", "章": "section", "节": "section", "题": "question", "表": "table",
    "图": "figure", "article": "section", "clause": "section", "section": "section",
    "chapter": "section", "table": "table", "figure": "figure", "question": "question",
}  # fmt: skip
_FORWARD = ("下", "后", "next", "following")
_HAN = "零一二三四五六七八九"
_MOST_HAN = 99
_SUPERLATIVE = re.compile(
    r"\b(?:most|least|best|worst|(?!(?:west|rest|test|interest|request|forest|guest|quest|nest)\b)"
    r"[a-z]{2,}est)\b",
    re.IGNORECASE,
)
_WHICH = re.compile(r"^\W*(?:which|what|who)\b", re.IGNORECASE)
_WHICH_ZH = re.compile(
    r"(?:哪(?!吒)一?[个种家位台座款些条支本项名所只座年]?|谁)[^，,。？?]{0,12}最|最[^，,。？?]{1,10}的?是(?:哪|谁)"
)
_ROW = re.compile(r"^(?:[-*>#]\s*|\d+[.、]\s*)*(?P<row>[^·：:|。！？!?]{1,40}?)\s*·\s*\S")
_MARKUP = re.compile(r"\*\*|__|`|\[\d+\]")
_MEASURED = re.compile(
    r"(?:[^数力性质重大]量|率|高度|长度|宽度|深度|厚度|速度|温度|湿度|浓度|强度|精度|角度|坡度|压力|功率|费用?|金额|总额|余额"
    r"|数[量目]?|[数值]值|重量?|[^校部]长|宽|高程?|面积|体积|容积|库容|直径|价格?|水位|收入|利润|资产|负债|成本|寿命"
    r"|人口|扬程|电压|电流|周期|期限|间隔|距离|比例|尺寸|转速|流速)$"
)
_NOUNS = re.compile(
    r"(?:定义|作用|用途|原理|名称|型号|位置|材料|材质|地址|电话|邮箱|条件|范围|要求|标准|步骤|流程)$"
)
_ITS = re.compile(
    r"(?:[它他她]们?的|其)(?!同比|环比|增|占|变化|构成)(?P<what>[^的，,。？?是有为呢]{2,10})"
)
_YEAR = re.compile(r"^(?:19|20)\d{2}\s?年(?:度|末|底)?")
_REGULATION = re.compile(
    r"《[^》]{2,40}》|[一-鿿]{2,30}?(?:办法|规定|条例|细则|守则|准则|章程|规程|制度|手册)(?=[的里中第讲说写有]|$)"
)
_SHORTEST = 2
"""Characters of a noun."""
_PERIOD = re.compile(r"[一-鿿]{1,3}[期季]$")


def without_opener(text: str) -> str:
    """Without what only says that the subject changes: "换个话题，", "by the way, "."""
    rest = _OPENER.sub("", text.strip())
    return rest if rest else text


def place_named(topic: str) -> str:
    """The numbered place that the topic asks about: 第八条 in "第八条说了什么"; empty: none."""
    for span in find_labels(topic)[:1]:
        before = topic[: span.start]
        if not re.search(r"[，,。；;？?]", before) and _CLAUSE_SUBJECT.match(topic[span.end :]):
            return topic[: span.end].strip()
    return ""


def label_alone(fragment: str, topic: str) -> str:
    """The fragment when it is nothing but a label and the topic names none, of the regulation that
    the topic names; else empty."""
    spans = find_labels(fragment)
    whole = len(spans) == 1 and not fragment[: spans[0].start].strip()
    if not whole or fragment[spans[0].end :].strip(" ？?。的呢") or find_labels(topic):
        return ""
    named = _REGULATION.search(topic) if re.search(r"[一-鿿]", fragment) else None
    return f"{named.group()}{fragment}" if named else fragment


def neighbour(question: str, topic: str, labels: Sequence[Label]) -> tuple[str, str, str] | None:
    """(label before, the one next to it, what is asked of it) of "下一条呢"; None: not asked.

    The place is that of the topic, else the last one in focus. Both labels are empty when there is
    none, or none next to it.
    """
    found = _NEIGHBOUR.match(question.strip(" ？?。.")) or _NEIGHBOUR_EN.match(question)
    if found is None:
        return None
    unit = found["unit"].lower()
    key = unit if unit in _KINDS else unit[0]
    spans = [s for s in find_labels(topic) if _is_kind(s.label, key)]
    known = [label for label in labels if _is_kind(label, key)]
    rest = found["rest"].strip()
    if not spans and not known:
        return "", "", rest
    label = spans[-1].label if spans else known[-1]
    text = spans[-1].text if spans else ""
    step = 1 if found["way"].lower() in _FORWARD else -1
    return text, _beside(label, text, step, chinese=key == unit[0]), rest


def _is_kind(label: Label, unit: str) -> bool:
    if label.kind != _KINDS[unit] or not label.parts[-1].isdecimal():
        return False
    return unit not in ("条", "article", "clause") or label.sub == "条" or unit == "clause"


def _beside(label: Label, text: str, step: int, *, chinese: bool) -> str:
    number = int(label.parts[-1]) + step
    if number < 1:
        return ""
    beside = label.model_copy(update={"parts": (*label.parts[:-1], str(number))})
    if chinese and len(label.parts) == 1 and label.kind == "section" and number <= _MOST_HAN:
        spelt = not re.search(r"\d", text)
        return f"第{_han(number) if spelt else number}{label.sub or '章'}"
    return display(beside, "zh" if chinese else "en")


def _han(number: int) -> str:
    """1 to 99 as 一, 十, 十二, 二十一."""
    tens, ones = divmod(number, 10)
    head = "" if not tens else "十" if tens == 1 else f"{_HAN[tens]}十"
    return head + (_HAN[ones] if ones else "")


def asks_for_thing(topic: str) -> bool:
    """Whether the topic's subject is what it asks for: "哪个区人口最多"."""
    if _WHICH_ZH.search(topic):
        return True
    return bool(_WHICH.match(topic) and _SUPERLATIVE.search(topic) and not names(topic))


def answered_thing(answer: str) -> str:
    """The row that the answer's first line names: 西城区 of "西城区 · 人口：110 万"; else empty."""
    lines = (line.strip() for line in _MARKUP.sub("", answer).splitlines())
    found = _ROW.match(next(filter(None, lines), ""))
    return found["row"].strip() if found else ""


def asked_alone(fragment: str, subject: str, topic: str) -> str:
    """A quantity or the like asked by itself, when the topic has no thing that could own it.

    The year that the topic begins with still holds.
    """
    plain = _YEAR.sub("", subject)
    owned = plain and not (_is_quantity(plain) or _PERIOD.search(plain))
    if owned or len(fragment) < _SHORTEST or not re.search(r"[一-鿿]", fragment):
        return ""
    year = _YEAR.match(topic)
    name = fragment if year is None or re.search(r"\d|年", fragment) else year.group() + fragment
    if _MEASURED.search(fragment):
        return f"{name}是多少？"
    return f"{name}是什么？" if _NOUNS.search(fragment) else ""


def owner(name: str, question: str) -> str:
    """The thing behind a quantity of it, when another quantity of it is asked for: 精密铸件 of
    精密铸件收入 in "它的毛利率呢"; else the name."""
    asked = _ITS.search(question)
    held = _MEASURED.search(name)
    if asked is None or held is None or not _is_quantity(asked["what"]):
        return name
    rest = name[: held.start()]
    whole = len(rest) < _SHORTEST + 1 or rest.endswith(("营业", "主营", "业务", "业外", "投资"))
    return name if whole else rest


def _is_quantity(text: str) -> bool:
    return bool(_MEASURED.search(text) or _NOUNS.search(text))
