"""Rules on one question by itself: small talk, its type, the wish for a picture, its variants."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Literal

from ..core.analysis import Analysis, QuestionType
from ..core.label import Label, LabelSpan, find_labels
from ..core.text import sentences

LONG_PASTE = 1000
_MARKS = re.compile(r"[^\w]+")
_GREETING = re.compile(
    r"(?:[你您]好吗|最近(?:好吗|怎么样)|吃了吗|你好|您好|大家好|嗨|哈喽|哈啰|嘿|在吗|在么|早安?|早上好|上午好|中午好|下午好|晚上好|晚安"
    r"|谢谢(?:你|您|啦|了)?|多谢(?:了)?|感谢(?:你|您)?|非常感谢|辛苦(?:你|您)?了?|麻烦你了|再见|拜拜|回头见"
    r"|好的?|好吧|好啊|好滴|嗯+|哦+|噢|行|可以|明白了?|知道了|了解了?|收到|没事了?|没问题|不客气|不用了?"
    r"|哈+|呵+|嘻+|对|是的|太好了|很好|不错|真棒|你真棒|厉害|你是谁|你叫什么(?:名字)?|你能做什么|你会什么|你会做什么"
    r"|啊|呀|啦|吧|了|哈|的|你|您|非常|太|真的?"
    r"|hi+|hello|hey|yo|greetings|good(?:morning|afternoon|evening|night|day|bye)|morning|bye(?:bye)?|goodbye"
    r"|thanks?(?:you)?|thankyou|thx|ty|cheers|ok(?:ay)?|k|yes|yeah|yep|no|nope|sure|fine|great|cool|nice|good|awesome"
    r"|perfect|gotit|isee|understood|welcome|yourewelcome|noproblem|please|lol|haha+|hmm+|wow|test|ping"
    r"|whoareyou|whatareyou|whatcanyoudo|howareyou(?:doing|today)?|whatsup|whatsyourname|there|everyone|all|very|so|much|alot|you|and)+"
)
_QUESTION_MARK = re.compile(r"[?？]")
_ASKING = re.compile(
    r"什么|怎么|如何|多少|几|哪|谁|为何|是否|吗|呢|请|总结|概括|翻译|解释"
    r"|\b(?:what|who|whom|whose|when|where|why|how|which|summari[sz]e|explain|translate|list|describe)\b",
    re.I,
)


def folded(text: str) -> str:
    """NFKC, lower case, letters and digits only: for telling whether two questions are one."""
    return _MARKS.sub("", unicodedata.normalize("NFKC", text).casefold())


def is_small_talk(question: str) -> bool:
    """Greetings, thanks, emoji, nothing at all, or one character held down."""
    plain = folded(question)
    if not plain:
        return True
    if len(plain) > 12 and len(set(plain)) <= 3:
        return True
    return len(plain) <= 60 and _GREETING.fullmatch(plain) is not None


def paste_question(question: str) -> str | None:
    """The asking sentence of a long paste; None: the paste asks nothing.

    People put the question before or behind what they paste, so the ends are looked at first.
    """
    pieces = [question[a:b] for a, b in sentences(question)]
    ends = [*pieces[-2:][::-1], *pieces[:2]]
    for piece in (*ends, *pieces):
        if len(piece) <= 300 and _QUESTION_MARK.search(piece):
            return piece
    return next((p for p in ends if len(p) <= 120 and _ASKING.search(p)), None)


# Cues by priority; the first type whose pattern occurs is the question's. Short words are guarded
# against the longer words they are part of (要求, 算法, 图书).
_CUES: tuple[tuple[QuestionType, re.Pattern[str]], ...] = (
    (
        "reference",
        re.compile(
            r"引用了?(?:哪|什么)|引用(?:文件|标准)|参考文献|出处|出自|依据(?:哪|什么)|根据(?:哪|什么)"
            r"|哪一?(?:条|款|章|节|页|个标准|项标准|份文件|个文件)|第几(?:条|章|节|页)|在哪.{0,6}(?:规定|提到)"
            r"|\b(?:which|what) (?:section|clause|page|chapter|article|standard|document)s?\b"
            r"|\b(?:references?|bibliography|cited|citations?) (?:list|of|in|for|does)\b",
            re.I,
        ),
    ),
    (
        "formula",
        re.compile(
            r"公式|方程(?!式赛车)|表达式|推导|\b(?:formulas?|formulae|equations?|derive|derivation)\b",
            re.I,
        ),
    ),
    (
        "calculation",
        re.compile(
            r"(?<!云)计算(?!机|器|力|科学|所|平台|中心)|换算|估算|核算出|算出|算一?下|算一算|怎么算|如何算"
            r"|求(?:解|出|得|和)(?!职)|(?<![要需请追寻征谋诉供苛恳力讲务渴探哀央祈强访])求[A-Za-z\d其该此下]"
            r"|^求(?!职|助|学|生|证|婚|和|救|医|是|知|真|爱|同|购|租)"
            r"|\b(?:calculate|compute|work out)\b",
            re.I,
        ),
    ),
    (
        "figure",
        re.compile(
            r"(?<![地企试意贪版构妄力宏蓝截绘制识])图(?!书|谱|灵|案|标|纸|片处理|像处理|像识别|文|腾|钉|章|利|瓦|们|的是)"
            r"|(?:示意|流程|曲线|结构|框|电路|原理|柱状|饼|折线|照)图?片|插图|照片|图片"
            r"|\b(?:figures?|figs?\.|diagrams?|charts?|pictures?|photos?|illustrations?|drawings?|plots?)(?![a-z])"
            r"|\bgraph (?:of|show|in)",
            re.I,
        ),
    ),
    (
        "numeric",
        re.compile(
            r"多少|多[大长高重宽深厚久远快]|几[个种台年次天人家名位条级层倍度月岁部只件点分号]|百分之几|数值|数量是|尺寸"
            r"|参数|额定[一-鿿]{1,4}|是几|第几|[表]\s*\d"
            r"|\bhow (?:many|much|long|tall|high|far|large|big|heavy|old|deep|often|fast|wide)\b"
            r"|\b(?:percentage|percent|what year|total|amount|ratio|average|number of|dimensions?"
            r"|sizes?)\b|\btable \d",
            re.I,
        ),
    ),
    (
        "definition",
        re.compile(
            r"什么是|何谓|何为|定义|是什么意思|含义|指的?是?什么|^[^的，,]{1,14}是(?:什么|啥)(?:东西)?[？?。]?$|的概念"
            r"|\b(?:define|definition|meaning of|stands? for|what does .{1,40} mean|meant by)\b"
            r"|^\s*what (?:is|are) (?:an? )?[\w\-]+(?: [\w\-]+){0,2}\s*\??$",
            re.I,
        ),
    ),
    (
        "requirement",
        re.compile(
            r"要求|应当|必须|不得|规定|是否允许|允许|禁止|应该?满足|需要满足|符合什么|条件是"
            r"|\b(?:shall|must|required?|requirements?|allowed|permitted|mandatory|comply|compliance|obligat\w+)\b",
            re.I,
        ),
    ),
)


# On a day of the week, 第二节 is a lesson.
_LESSON = re.compile(r"(?:周|星期|礼拜)[一二三四五六日天]|节课|什么课")


def label_spans(text: str) -> list[LabelSpan]:
    """The labels that a question names; a lesson is no section."""
    lesson = _LESSON.search(text) is not None
    spans = find_labels(text)
    return [s for s in spans if not (lesson and text[s.start : s.end].rstrip().endswith("节"))]


def question_type(question: str, labels: Sequence[Label]) -> QuestionType:
    """The type by priority: reference > formula > calculation > figure > numeric > definition >
    requirement > conceptual. A label in the question counts as a cue of its kind."""
    text = unicodedata.normalize("NFKC", question)
    kinds = {label.kind for label in labels}
    by_label: dict[QuestionType, bool] = {
        "reference": bool(kinds & {"section", "appendix"}),
        "formula": "equation" in kinds,
        "figure": bool(kinds & {"figure", "scheme"}),
        "numeric": "table" in kinds,
    }
    for kind, cue in _CUES:
        if by_label.get(kind) or cue.search(text):
            return kind
    return "conceptual"


_DRAWN = (
    r"(?:figures?|charts?|diagrams?|pictures?|photos?|images?|plots?|tables?|graphs?|curves?|drawings?"
    r"|maps?|screenshots?|schematics?|sketch(?:es)?|architecture|framework|workflow|flow ?charts?"
    r"|pipeline|layout|cross[ -]?sections?|floor ?plans?)"
)
_SHOW = re.compile(
    r"(?:给我|让我|帮我|请)?(?:看看?|看一[看下]|展示|显示|出示|调出|列出)(?:一下)?.{0,24}(?:图|表|照片|曲线)"
    r"|(?:有没有|有无|有).{0,16}(?:图|照片|曲线)(?:吗|么|片|$|[?？])"
    r"|的(?:截图|照片)\s*[？?。！!]*$|[\u4e00-\u9fff]{2,}(?:示意|流程|曲线|结构|原理|分布|走势|趋势|柱状|折线|电路|量)图"
    r"|(?:架构|结构|框架|电路|接线|原理|流程|示意|拓扑|剖面|平面|曲线)图"
    r"|[\u4e00-\u9fff](?:图纸|(?<!代)(?<!仪)表格?)(?:给我(?:看看?|一下)?|有吗|在哪里?)?\s*[？?。！!]*$"
    r"|(?:有没有|有|给我|[那这哪])(?:.{0,12}的)?[一个张份]{0,2}[\u4e00-\u9fff]{0,6}表格?(?:吗|么|$|[?？。])"
    r"|(?:长|是|画出来是?)(?:什么|啥)(?:样子?|模样)"
    rf"|\b(?:show|display|see|view|give)\b.{{0,60}}\b{_DRAWN}\b"
    rf"|\b(?:is|are) there (?:an?|any|some)\b.{{0,40}}\b{_DRAWN}\b"
    rf"|\bwhere (?:is|are) (?:the|an?)\b.{{0,20}}\b(?:{_DRAWN}|comparison|overview)\b"
    r"|\bwhat (?:do|does|did) .{2,60} look like\b",
    re.I,
)


_WHICH = re.compile(
    r"哪(?:一|个|张|幅|些|几|份)*(?:表|图|曲线|照片)(?!面|示|明|达|现|书)"
    r"|\b(?:which|what)\s+(?:table|figure|chart|diagram|plot|picture|image|photo)s?\b",
    re.IGNORECASE,
)
"""Asks for the object itself: "which table is about …"."""


def picture_wish(
    question: str, spans: Sequence[LabelSpan], kind: QuestionType
) -> Literal["exact", "weak", "none"]:
    """How precisely a picture is asked for: by label, by what it shows, or not at all."""
    if any(span.label.kind in ("figure", "table", "scheme") for span in spans):
        return "exact"
    text = unicodedata.normalize("NFKC", question)
    asked = kind == "figure" or _SHOW.search(text) or _WHICH.search(text)
    return "weak" if asked else "none"


_STANDARD_NUMBER = re.compile(
    r"\b(?:GB|GB/T|GBZ|JB|JGJ|HJ|DL|SL|YY|QB|HG|CJJ|DB\d\d|ISO|IEC|EN|DIN|ANSI|ASTM|ASME|IEEE|BS)"
    r"(?:/[TZ])?(?:\s?(?:EN|ISO|IEC))*[\s\-]?\d{2,6}(?:[.\-:—–]\d{1,4})*",
    re.I,
)
_STANDARD_WORD = re.compile(
    r"标准|规范|规程|条例|办法|细则|法规|条款|章程|守则|制度"
    r"|\b(?:standard|regulation|clause|code of)s?\b",
    re.I,
)
_KINDS_ZH: dict[QuestionType, str] = {
    "definition": "术语 定义",
    "requirement": "条款 要求",
    "numeric": "表格 条款",
    "calculation": "条款 公式",
    "formula": "条款 公式",
    "figure": "图示",
    "reference": "条款 引用文件",
    "conceptual": "条款 术语",
}
_KINDS_EN: dict[QuestionType, str] = {
    "definition": "terms and definitions",
    "requirement": "clause requirements",
    "numeric": "table clause",
    "calculation": "clause formula",
    "formula": "clause formula",
    "figure": "figure",
    "reference": "clause references",
    "conceptual": "clause terms",
}


def standard_query(
    question: str, kind: QuestionType, documents: Sequence[str], words: Sequence[str]
) -> str:
    """For standards and regulations: one query naming the document, the question's words and the
    kinds of object wanted (条款, 术语, 表格, 图示); empty for other questions."""
    number = _STANDARD_NUMBER.search(unicodedata.normalize("NFKC", question))
    if not number and not _STANDARD_WORD.search(question):
        return ""
    title = _named_title(question, documents)
    name = title or (number.group() if number else "")
    has_han = re.search(r"[\u4e00-\u9fff]", question) is not None
    kinds = (_KINDS_ZH if has_han else _KINDS_EN).get(kind, "")
    return " ".join(part for part in (name, " ".join(words), kinds) if part)


def _named_title(question: str, documents: Sequence[str]) -> str:
    """The title that the question names in full or by its standard number; the longest wins."""
    plain = folded(question)
    named = []
    for title in documents:
        number = _STANDARD_NUMBER.search(unicodedata.normalize("NFKC", title))
        keys = [folded(title), folded(number.group()) if number else ""]
        if any(len(key) >= 4 and key in plain for key in keys):
            named.append(title)
    return max(named, key=lambda title: (len(title), title), default="")


_SHOW_FIRST = re.compile(
    r"^(?P<show>[^，,。；;]{2,40}[图表片线])[，,；;]\s*(?P<ask>[^，,。]{4,}.*)$"
    r"|^(?P<show_en>(?:please )?(?:show|display|give) [^,;.]{4,60})"
    r"(?:[,;]| and (?=what|how|when|which|who|where))\s*"
    r"(?:and )?(?P<ask_en>.{6,})$",
    re.I,
)


def sub_questions(question: str) -> list[str]:
    """The parts of a compound question, when it is really two or more questions.

    "给我看水位图，最高水位是多少？" asks to see something and then something else.
    """
    pieces = [question[a:b] for a, b in sentences(question)]
    asking = [p for p in pieces if _QUESTION_MARK.search(p) and len(folded(p)) >= 4]
    if len(asking) >= 2:
        return asking
    found = _SHOW_FIRST.match(question.strip())
    if not found:
        return []
    show, ask = found["show"] or found["show_en"], found["ask"] or found["ask_en"]
    return [show, ask] if _SHOW.search(show) and _ASKING.search(ask) else []


def parts_of(analysis: Analysis) -> list[Analysis]:
    """One analysis for each part of a compound question; a follow-up that repeats the question it
    leans on is one."""
    parts = [] if analysis.use_context else sub_questions(analysis.rewritten)
    if len(parts) < 2:
        return [analysis]
    return [_part(analysis, text) for text in parts]


def picture_question(analysis: Analysis) -> str:
    """The part of the question that asks to see something, else the whole."""
    wishing = [part.rewritten for part in parts_of(analysis) if part.wish != "none"]
    return " ".join(wishing) or analysis.rewritten


def _part(analysis: Analysis, text: str) -> Analysis:
    spans = label_spans(text)
    labels = tuple(dict.fromkeys(span.label for span in spans))
    kind = question_type(text, labels)
    return analysis.model_copy(
        update={
            "rewritten": text,
            "question_type": kind,
            "labels": labels,
            "wish": picture_wish(text, spans, kind),
        }
    )
