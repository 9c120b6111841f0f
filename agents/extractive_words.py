"""The few words that the extractive writer says itself, and the kinds of answer it looks for."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Literal

from ..core.text import has_cjk
from ..tools.named import marked

Language = Literal["zh", "en"]
Kind = Literal["frequency", "duration", "date", "number", "person", "place", "any"]

_LEAD = {
    "zh": "所检索文档中的原文如下：",
    "en": "The documents say, in their own language:",
}
_NOTHING = {
    "zh": "没有找到可以检索的内容，无法回答这个问题。",
    "en": "Nothing was found that could answer this question.",
}
_ABSENT = {
    "zh": "在已检索的文档（{titles}）中没有找到能回答这个问题的内容。",
    "en": "The searched documents ({titles}) do not contain an answer to this question.",
}
Work = Literal["count", "compute", "compare", "look"]
"""What a question needs beside reading."""
_BEYOND = {
    "zh": "这个问题要{work}才能回答，仅靠摘录原文做不到，需要接入模型。与问题最接近的内容：",
    "en": "The answer has to be {work}, which takes a model and not quotes alone. "
    "The nearest passage:",
}
_WORKS: dict[Work, tuple[str, str]] = {
    "count": ("计数", "counted"),
    "compute": ("计算", "calculated"),
    "compare": ("比较", "found by comparing"),
    "look": ("看图", "seen in a picture or on the page"),
}
_NEAREST = {"zh": "最接近的内容：{quotes}", "en": "The nearest passage: {quotes}"}

_FREQUENCY_ASKED = re.compile(
    r"多[久长时间]+[^，。？?]{0,8}[一几]次|几个?[天年月周日][^，。？?]{0,8}一次|频次|频率(?:是|为)?[？?]?$"
    r"|(?:多(?:久|长时间)|几个?(?:天|周|月|年|小时))(?:一次)?要?[检巡换测查更清洗润]"
    r"|\bhow (?:often|frequently)\b|\b(?:at )?what intervals?\b",
    re.I,
)
_DURATION_ASKED = re.compile(
    r"多久|多长时间|几[个]?(?:小时|分钟|秒|天|周)|几个(?:月|年|季度)|(?<!月)几日(?!几?[点时])|多少[天日]|[工寿周]期(?:是|为)?(?:多[久长少])"
    r"|(?:期限?|时间|寿命|年限|时长)(?:一般|最)?(?:有|是|为)?多[久长]"
    r"|\bhow long (?:does|did|do|will|is the \w+ period)\b"
    r"|\bhow (?:many|much) (?:time|hours?|minutes?|days?|weeks?|months?)\b",
    re.I,
)
_DATE_ASKED = re.compile(
    r"什么时候|什么时间|何时|几点(?:钟|[开关熄上下起])|哪一?个?[年月天日]|几[年月号日]|日期|年份|时间(?:是|为)?[？?]?$|时间是|哪个?年代|何年"
    r"|^(?!\s*(?:what|how|why|who|which|where|can|could|should|is|are|do|does|did)\b"
    r"(?!.*(?:,|\b(?:and|or|since|until|by)) when\b))"
    r".*\bwhen\b"
    r"|\b(?:(?:what|which) (?:year|date|day|month)|how long"
    r"|(?:release|premiere|launch|start|opening|expiry) date|date (?:of|for|on))\b",
    re.I,
)
_NUMBER_ASKED = re.compile(
    r"多少|几[^乎何率]|多[大长高重宽深厚远快]|百分之几|总数|比例|第几"
    r"|(?:[\u4e00-\u9fff]量|数量|人数|[总金税]额|率|票房|营收|收入|利润|增速|市值|价格|面积|人口|高度|长度)"
    r"(?:是|为|达到?|有)?[？?]?$"
    r"|\bwhat (?:is|was|were|are) (?:the |\w+(?:'s|’s) )?(?:population|revenue|price|height"
    r"|number|length|width|weight|speed|area|cost|budget)\b"
    r"|\bwhat (?:do|does|did|will|would) .{1,60} (?:cost|weigh|earn)\b"
    r"|\bwhat (?:amount|rate|ratio|share|profit|revenue|income)\b"
    r"|\bwhat (?:is|was|were|are) (?:the )?(?:[\w\-&]+ ){0,4}(?:expenses?|profits?|income|revenues?"
    r"|dividends?|assets|liabilities|earnings|margin|amount|sales)"
    r"(?= (?:of|in|for|at|as|per)\b|\s*[?？]|$)"
    r"|\b(?:how (?:many|much|tall|high|far|large|big|heavy|old|fast|wide|deep)|percentage|number of"
    r"|total)\b",
    re.I,
)
_PERSON_ASKED = re.compile(
    r"谁|哪[一]?[位名]|什么人|何人"
    r"|(?:冠军|得主|导演|编剧|行政长官|主演|校长|总统|主席|作者|创始人|主持人|金牌)(?:是)?[？?]?$"
    r"|\b(?:who|whom|whose|(?:which|what) (?:actor|actress|player|singer|author|writer|director"
    r"|person|artist|scientist))\b",
    re.I,
)
_PLACE_ASKED = re.compile(
    r"哪里|哪儿|何处|地点|地址|首都|举办[国地]"
    r"|在(?:中国)?哪(?!一?[个种些类位款台项年月天段页张幅条])|(?<![用于])(?<!用[在于])什么地方|哪个?(?:省|市|国|城市|国家|地区|县|区)|位于|国家(?:是)?[？?]?$"
    r"|\bwhere\b|\b(?:which|what) (?:city|country|state|town|place|continent)\b"
    r"|\blocation\b|\bcapital (?:city )?of\b",
    re.I,
)
DATE = re.compile(
    r"\d{2,4}\s?年|\d{1,2}\s?[月日号]|\d{4}[\-/.]\d{1,2}|世纪|年代|[一二三四五六七八九十〇零]{2,4}年"
    r"|\b(?:1[0-9]|20)\d{2}\b|\b\d+ (?:years?|days?|months?|hours?)\b"
    r"|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b",
)
# When something is done or lasts, where no calendar date is asked for.
_HOURS_ASKED = re.compile(r"时[间候]|几[点时]|\bwhen\b|\bwhat time\b|\bhow long\b", re.I)
LONG_ASKED = re.compile(r"\bhow long\b", re.I)
_CLOCK_ASKED = re.compile(r"几点|\b(?:what time|at what hour)\b", re.I)
_CALENDAR_ASKED = re.compile(
    r"[哪几何][一个]*[年月日号天]|什么[年日]|年[份代]|日期"
    r"|(?:什么时候|什么时间|何时)[^，。？?]{0,4}(?:施行|实施|生效|颁布|发布|公布|通过|成立|建成|竣工|投产|投运|开业|出生|毕业|上市|失效|废止)"
    r"|\bwhen\b.*\b(?:founded|born|published|issued|built|completed|commissioned|effective"
    r"|take effect|come into force|enter into force|expire)",
    re.I,
)
HOURS = re.compile(
    r"\d{1,2}\s?(?:[点时](?!间)|[:：]\d{2})|[一二三四五六七八九十]点|凌晨|清晨|早[上晨餐饭]|上午|中午|午[后餐饭]|下午|傍晚|晚[上间餐饭]|夜[间里晚]"
    r"|[饭餐睡][前后]|空腹|[春夏秋冬][季天]"
    r"|\b\d{1,2}(?::\d{2})? ?[ap]\.?m\b|\b(?:morning|noon|afternoon|evening|night|midnight)\b"
    r"|\b(?:before|after|with) (?:breakfast|lunch|dinner|supper|meals?|sleep|bed)\b",
    re.I,
)
_TIME_UNIT = (
    r"(?:毫秒|秒钟?|分钟?|个?小时|个?钟头|个?(?:工作|交易)日|天|日|周|个?星期|个?月|年|季度|min(?:utes?)?|s(?:ec(?:onds?)?)?|h(?:ours?|rs?)?"
    r"|d(?:ays?)?|weeks?|months?|years?|decades?|centur(?:y|ies))(?![a-zA-Z])"
)
_COUNT = (
    r"(?:\d[\d\s,.]{0,20}|[半一二两三四五六七八九十百千]+\s?"
    r"|\b(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|several|many) )"
)
DURATION = re.compile(rf"{_COUNT}{_TIME_UNIT}", re.I)
FREQUENCY = re.compile(
    rf"每|[一二两三四五六七八九十\d]\s?次|逐[日月年]|按[日月年]|{_COUNT}{_TIME_UNIT}"
    r"|\b(?:daily|weekly|monthly|yearly|annually|quarterly|hourly|every|once|twice|times)\b",
    re.I,
)
NUMBER = re.compile(
    r"\d|[一二两三四五六七八九十百千万亿]+(?:个|名|位|人|次|种|座|所|条|年|倍|家|部|项|支|成|分之|余|多)|半数|双方"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen"
    r"|hundred|thousand|million|billion|half|twice)\b",
    re.I,
)
_PLACE = re.compile(
    r"[省市县区镇乡村国州岛洲湖江河山路街港湾]|位于"
    r"|在[一-鿿A-Za-z\d]{1,10}?(?:[楼室馆厅场院校店站园]|中心|大厦)"
    r"|\b(?:in|at|near|on) (?:the )?[A-Z][a-z]+"
)
# A capitalised word inside a sentence, or what people, offices and firms are called.
_PERSON = re.compile(
    r"(?<=[a-z\d,;:(\"“'’] )[A-Z][a-zà-ÿ]+|[A-Z][\w.’'\-]+ (?:[a-z]{2,3} )?[A-Z]|[\u4e00-\u9fff]"
    r"|\b(?:[Oo]perator|[Ee]ngineer|[Mm]anager|[Tt]eam|[Ss]taff|[Dd]epartment|[Cc]ommittee|[Cc]ompany|[Pp]erson"
    r"|[Oo]fficer|[Tt]echnician|[Pp]resident|[Dd]irector|[Aa]uthor|[Kk]ing|[Qq]ueen)s?\b"
)
_UNIT = re.compile(
    r"(?:多少|几)\s?(?P<unit>[\u4e00-\u9fff]{1,4}|[A-Za-z%‰°]{1,8})"
    r"|how many (?P<en>[a-z\-]+(?: [a-z\-]+)?)",
    re.I,
)


# The number of an item or an article is no number that it says.
_NUMBERING = re.compile(
    r"^\s*(?:[(（]?(?:\d{1,2}|[一二三四五六七八九十]{1,3})(?:[)）、]|[.．](?!\d))"
    r"|第[一二三四五六七八九十百\d]{1,5}[条章节款项])\s*"
)


def answer_kind(question: str) -> Kind:
    """What kind of thing answers the question: the first kind whose words occur."""
    text = unicodedata.normalize("NFKC", question)
    for kind, asked in _ASKED:
        if asked.search(text):
            return kind
    return "any"


_ASKED: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("frequency", _FREQUENCY_ASKED),
    ("duration", _DURATION_ASKED),
    ("date", _DATE_ASKED),
    ("number", _NUMBER_ASKED),
    ("person", _PERSON_ASKED),
    ("place", _PLACE_ASKED),
)
_SHAPES = {
    "frequency": FREQUENCY,
    "duration": DURATION,
    "date": DATE,
    "number": NUMBER,
    "person": _PERSON,
    "place": _PLACE,
}


def holds_kind(kind: Kind, sentence: str, question: str) -> bool:
    """Whether the sentence holds something of that kind that the question does not say itself."""
    if kind == "any":
        return True
    known = unicodedata.normalize("NFKC", question)
    text = _NUMBERING.sub("", unicodedata.normalize("NFKC", sentence))
    if kind == "date" and _HOURS_ASKED.search(known) and not _CALENDAR_ASKED.search(known):
        clock = _CLOCK_ASKED.search(known)
        hours = None if LONG_ASKED.search(known) else HOURS.search(text)
        hours = hours or (None if clock else DURATION.search(text))
        if clock or (hours and hours.group() not in known):
            return hours is not None
    if kind == "person" and not has_cjk(text):
        return _PERSON.search(_without_names(text, known)) is not None
    if kind in ("date", "number", "duration"):
        said = set(re.findall(r"\d+(?:[.,]\d+)*", known))
        new = set(re.findall(r"\d+(?:[.,]\d+)*", text)) - said
        return bool(new and _SHAPES[kind].search(text)) or (
            not re.search(r"\d", text) and _SHAPES[kind].search(text) is not None
        )
    return _SHAPES[kind].search(text) is not None


def _without_names(text: str, question: str) -> str:
    """The text without the names that the question says itself: Marlow Bridge built no bridge."""
    names = set(re.findall(r"[A-Z][\w’'\-]+", question))
    return re.sub(r"[A-Z][\w’'\-]+", lambda m: "" if m.group() in names else m.group(), text)


def asked_unit(question: str) -> str:
    """The unit or counted noun after 多少, 几, how many; empty when none is said."""
    found = _UNIT.search(unicodedata.normalize("NFKC", question))
    if not found:
        return ""
    return re.sub(r"^[个位名]", "", found["unit"] or found["en"] or "").lower()


def lead(language: Language) -> str:
    """Before text in another language than the question's."""
    return _LEAD[language]


def beyond(language: Language, work: Work) -> str:
    """That the answer stands nowhere in words, and what has to be done to have it."""
    zh, en = _WORKS[work]
    return _BEYOND[language].format(work=zh if language == "zh" else en)


def absent(language: Language, titles: Sequence[str], nearest: Sequence[tuple[int, str]]) -> str:
    """That the evidence has no answer: what was searched, and the nearest quotes by passage."""
    if not titles:
        return _NOTHING[language]
    shown = list(dict.fromkeys(titles))
    more = {"zh": " 等", "en": " and others"}[language] if len(shown) > 3 else ""
    named = ("、" if language == "zh" else "; ").join(
        marked(t) if language == "zh" else t for t in shown[:3]
    )
    text = _ABSENT[language].format(titles=named + more)
    if not nearest:
        return text
    gap = "" if language == "zh" else " "
    quotes = " ".join(f"{quote} [{n}]" for n, quote in nearest)
    return text + gap + _NEAREST[language].format(quotes=quotes)
