"""Messages about the conversation itself: "总结一下", "which page was that", "shorter please".

They name nothing that could be searched: they act on the last answer. Only a message that is such
a request as a whole is one; "总结一下第三章" and "why is the pump stopped?" are questions.
"""

import re
import unicodedata
from typing import Literal, get_args

Kind = Literal[
    "repeat",
    "shorten",
    "summarise",
    "translate",
    "sources",
    "compare",
    "onward",
    "deeper",
    "more",
    "why",
]
ABOUT: frozenset[str] = frozenset(get_args(Kind))
SEARCHED = frozenset({"more", "why"})
"""They search on from the last question; the others are answered from what its answer cites."""
RULED = frozenset({"repeat", "sources"})
"""Nothing is left for a model to write: the words and the pages stand."""
QUOTED = frozenset({"sources", "compare", "deeper", "onward", "why"})
"""What the rules reply to these is quoted from the documents or calculated from what is."""
LONGEST = 60
"""Characters of such a message."""

_POLITE_ZH = re.compile(
    r"^(?:请问?|麻烦(?:你|您)?|劳驾|能不能|能否|可不可以|能(?=[简详再具说讲总概用把])|可以|可否"
    r"|你能|您能|你可以|帮我|给我|那么|那(?![个么两些])|好的?"
    r"|嗯+|哦+|再(?=总结|概括|简|精|详|具体|展开|多说|说得?[简详])|你(?=能|再|总|概|简|详"
    r"|说得?)|[，,\s])+"
)
_END_ZH = re.compile(
    r"(?:好吗|可以吗|行吗|好不好|谢谢|吗|呢|吧|啊|呀|嘛|哦|[\s？?。！!~～…，,.])+$"
)
_SAID_ZH = r"(?:你|您)?(?:刚才|刚刚|上面|前面|上述|以上|之前)?(?:所?说|讲|提到?|回答|给出?|引用)?"
_THING_ZH = (
    r"(?:这|那)?(?:个|些|段|条|句|句话|一段|一条)?(?:话|内容|答案|回答|信息|说法|结论|数据|数字"
    r"|结果|东西|规定|图|表|图表)?"
)
_IT_ZH = rf"(?:(?:它|其|{_SAID_ZH})(?:的)?{_THING_ZH}(?:都|是|在|，|,)*)"
_TIMES_ZH = r"(?:一[遍次下]|下)"
_LITTLE_ZH = r"(?:一?[点些]儿?|一下|下)"
_SAY_ZH = r"(?:说明|解释|介绍|说说|讲讲|谈谈|说|讲|谈|回答|描述|阐述)"
_PLACE_ZH = (
    r"(?:哪一?个?|第几|什么)(?:页码?|[章节条款段]|部分|地方|位置|文件|文档|资料|材料|标准|规定"
    r"|里|儿)(?:里|中|上)?"
)
_COMPARED_ZH = r"高|低|大|小|多|少|长|短|快|慢|贵|便宜|重|轻|早|晚|宽|窄|厚|薄|深|浅|强|弱|远|近"
_ZH: tuple[tuple[Kind, str], ...] = (
    (
        "repeat",
        rf"(?:再|重新?|又)(?:{_SAY_ZH}|来|念)(?:{_TIMES_ZH})?{_THING_ZH}"
        rf"|重复(?:{_TIMES_ZH})?{_THING_ZH}"
        rf"|复述(?:{_TIMES_ZH})?|(?:我)?(?:没|没有|没太)(?:听|看)(?:清楚?|懂|明白)|(?:你"
        r"|您)?(?:刚才|刚刚)?说(?:了|的)?(?:是)?什么",
    ),
    (
        "shorten",
        r"(?:说得?|讲得?|回答得?)?(?:更|再)?(?:简单|简短|简洁|精简|简略|简要|短|通俗|直白|浓缩"
        rf"|概要)(?:{_LITTLE_ZH}|地)?(?:{_SAY_ZH})?(?:{_TIMES_ZH})?"
        rf"|(?:用)?一(?:两)?句话(?:总结|概括|{_SAY_ZH})?(?:{_TIMES_ZH})?|(?:只)?(?:说|讲"
        rf"|挑)(?:一下)?重点|长话短说|太长了?|太啰嗦了?|说人话|说得?简单{_LITTLE_ZH}",
    ),
    (
        "summarise",
        rf"(?:把|对|将)?{_IT_ZH}?(?:做个|作个|来个|给个|做一个)?(?:总结|概括|归纳|小结|汇总"
        rf"|概述)(?:{_TIMES_ZH}|成[一二三几]点)?{_IT_ZH}?",
    ),
    (
        "translate",
        rf"(?:把)?{_IT_ZH}?(?:用|以|翻译?成|译成|换成|改成)(?:英文|英语|中文|汉语"
        rf"|普通话)(?:版)?(?:再|来)?(?:{_SAY_ZH}|表达|写|告诉我)?(?:{_TIMES_ZH})?|(?:英文|英语"
        rf"|中文)(?:怎么说|版)|翻译(?:{_TIMES_ZH})",
    ),
    (
        "sources",
        rf"{_IT_ZH}?(?:的)?(?:出处|来源|依据|原文|页码)(?:是|在|有)?(?:什么|哪一?[里儿页个]?"
        r"|哪里|第几页|多少|哪些)?"
        rf"|{_IT_ZH}?(?:出自|来自|引自|取自|见于|写在|根据|依据|对应)?(?:是)?(?:在"
        rf"|自)?{_PLACE_ZH}(?:说的|写的|提到的|的)?"
        rf"|{_IT_ZH}?在哪(?:里|儿)?(?:说的|写的|有)?|(?:你|您)(?:是)?(?:从|在)(?:哪|哪里|哪儿"
        r"|什么地方)(?:看到|知道|得到|找到|查到)的?"
        rf"|(?:给出|列出|标出|说明|告诉我|注明)(?:{_TIMES_ZH})?{_THING_ZH}(?:的)?(?:出处|来源"
        r"|页码)",
    ),
    (
        "compare",
        r"(?:这|那)?(?:两|二|几|三)?(?:个|者|项|种|款|家|年|组)?(?:之间|当中|中|里|相比)?(?:哪"
        r"|谁)(?:一)?(?:个|项|种|款|者|家|年|边|方)?(?:的)?(?:数值|数字|金额|值)?"
        rf"(?:更|比较|较|最|要)?(?:{_COMPARED_ZH})(?:{_LITTLE_ZH})?"
        r"|(?:这|那)?(?:两者|它们|二者|两个|两种)?(?:之间)?(?:相?差|差距|差额|差别)(?:是"
        r"|有)?(?:多少|多大)|(?:两者|它们|二者|这两个)?(?:是)?(?:一样|相同)(?:多|高|大)?",
    ),
    (
        "more",
        r"还有(?:没有)?(?:什么|别的|其他的?|其它的?|哪些|没有|更多的?|补充的?|要求|内容)*"
        r"|有没有(?:别的|其他的?|其它的?|更多的?)"
        r"|(?:别的|其他的?|其它的?)|再(?:说|讲|来|给)(?:一?[点些]|几个|几条)",
    ),
    (
        "onward",
        r"(?:继续|接着)(?:说|讲|往下(?:说|讲)?|回答)?(?:下去)?|(?:再)?往下(?:说|讲|看)?|然后"
        r"|后面|接下来",
    ),
    (
        "deeper",
        r"(?:更|再)?(?:说得?|讲得?)?(?:再|更)?(?:详细|具体|展开|深入|详尽|仔细|细致"
        rf"|细)(?:{_LITTLE_ZH}|地)?(?:来)?(?:{_SAY_ZH})?(?:{_TIMES_ZH}|{_LITTLE_ZH})?{_THING_ZH}"
        rf"|多{_SAY_ZH}{_LITTLE_ZH}",
    ),
    (
        "why",
        r"(?:这|那)?(?:是)?(?:为什么|为啥|为何|为什麽|什么原因|什么理由)(?:会|要|是)?(?:这样"
        r"|那样|这么(?:说|规定|做|定|要求)|如此)?|(?:原因|理由)(?:是)?(?:什么|何在|呢)?"
        r"|怎么会(?:这样)?|凭什么",
    ),
)

_POLITE_EN = re.compile(
    r"^(?:(?:please|can you|could you|would you|will you|can i have|could i have|may i have"
    r"|i want|i need"
    r"|i'd like|ok(?:ay)?|and|so|now|well|hmm+|just|then|sorry|but|also|let's|let us)\b[,\s]*)+"
)
_END_EN = re.compile(
    r"(?:[,\s]*\b(?:please|for me|then|now|thanks|thank you|though|to me|exactly|precisely)\b"
    r"|[\s?.!…,~])+$"
)
_IT_EN = (
    r"(?:it|that|this|these|those|them|the above|all (?:that|this)|everything"
    r"|what you (?:just )?said|(?:your|the|that|this) (?:last |previous |first )?(?:answer"
    r"|response|reply|information|info|text|quote|number|value|figure|statement))"
)
_SIZE_EN = (
    r"high|low|bigg?|larg|small|great|more|less|few|long|short|fast|slow|cheap|expensive|heavy"
    r"|heavi"
    r"|light|earl[iy]|old|young|new|late|wid|thick|thin|deep|strong|weak|tall|hot|cold|near|far"
)
_EN: tuple[tuple[Kind, str], ...] = (
    (
        "repeat",
        rf"(?:say|repeat|tell me|give me|show me)(?: {_IT_EN})?(?: to me)?(?: again| once more"
        rf"| one more time)|repeat(?: {_IT_EN})?|once more|again|one more time|come again"
        r"|pardon(?: me)?"
        r"|what (?:did you (?:just )?say|was that)|i (?:did not|didn't) (?:catch|get|hear"
        r"|understand) (?:that|it)",
    ),
    (
        "shorten",
        r"(?:make (?:it|that) |a (?:bit|little) |give me (?:a|the) )?(?:much )?(?:shorter"
        r"|briefer|simpler|more (?:briefly|concise(?:ly)?|simply|succinct(?:ly)?"
        r"|brief))(?: version| answer)?|briefly|be brief|keep it (?:short|brief|simple)"
        rf"|(?:(?:say|put|explain|answer|give|tell me)(?: {_IT_EN})? )?(?:more )?(?:simply"
        r"|briefly|shortly|concisely|in (?:short|brief|one sentence|a sentence|two sentences"
        r"|one line|simple (?:words|terms)|plain (?:english|words)|a nutshell|fewer words))"
        rf"|simplify(?: {_IT_EN})?|shorten(?: {_IT_EN})?|condense(?: {_IT_EN})?|tl;?dr"
        r"|(?:that(?:'s| is) |it(?:'s| is) )?too long|the short version",
    ),
    (
        "summarise",
        rf"(?:summari[sz]e|recap|sum up|wrap up)(?: {_IT_EN})?(?: up)?(?: briefly)?"
        rf"|sum {_IT_EN} up|(?:(?:give|show|write|make)(?: me)? )?(?:a |the )?(?:short |brief "
        rf"|quick )?(?:summary|recap)(?: of {_IT_EN})?",
    ),
    (
        "translate",
        r"(?:(?:say|put|translate|give|answer|repeat|write|explain"
        rf"|tell me)(?: {_IT_EN})?(?: again)? )?(?:in|into|to) (?:english|chinese|mandarin)"
        rf"|translate(?: {_IT_EN})?",
    ),
    (
        "sources",
        r"(?:and )?(?:on |in |from )?(?:which|what) (?:page|section|chapter|clause|article"
        r"|document|file|source|part|paper)s?(?: number)?(?: (?:was|is|were|are|does|did"
        rf"|do) (?:{_IT_EN}|you)(?: (?:on|in|from|come from|say|get|find|read"
        rf"|cite)(?: {_IT_EN})?(?: from)?)?)?"
        rf"|where (?:is|was|does|did|do|are|were) (?:{_IT_EN}|you)(?: (?:from|come from|written"
        rf"|stated|said|say (?:that|so|it)|(?:find|get|read|see|take)(?: {_IT_EN})?(?: from)?))?"
        rf"|where (?:is|was) {_IT_EN} from"
        r"|(?:what(?:'s| is| are| was| were) )?(?:your|the|its) (?:sources?|references?"
        rf"|citations?|page(?: number)?s?)(?: (?:for|of) {_IT_EN})?|(?:show|give|list|name"
        r"|cite)(?: me)?(?: your| the)? (?:sources?|references?|citations?"
        r"|pages?(?: numbers?)?)|sources?|citations?",
    ),
    (
        "compare",
        r"(?:which|who)(?: one)?(?: of (?:them|these|those|the two|both))?(?:(?: is| was| are"
        rf"| has| were)(?: the)?)? ?(?:the )?(?:{_SIZE_EN})(?:er|r|st|est)?(?: one| value"
        r"| number)?"
        r"|(?:and )?(?:what(?:'s| is) the difference|how (?:much|big) (?:is the difference|more"
        r"|less|higher|lower))(?: between (?:them|the two|these))?|are they (?:the same|equal)",
    ),
    (
        "more",
        r"(?:is there |are there |was there )?(?:what|anything|something|who|where|which)(?: is"
        r"| are)? (?:else|more|other)|(?:any|the) others?|more|what (?:are )?the others?"
        r"|(?:show|give) me (?:some )?more",
    ),
    (
        "onward",
        r"(?:and )?(?:go on|continue|carry on|keep going|keep reading|read on|next)"
        r"|(?:and )?what(?:'s| is) next|and then",
    ),
    (
        "deeper",
        r"(?:(?:give|show|tell) me |with |in )?(?:some |a (?:bit|little) )?(?:more|further"
        r"|greater) (?:details?|depth|information|info|specific(?:s|ally)?)(?: (?:about"
        rf"|on) {_IT_EN})?|in (?:detail|depth)|(?:elaborate|expand|go deeper"
        rf"|dig deeper)(?: (?:on|into) {_IT_EN})?|explain(?: {_IT_EN})?(?: further| more"
        rf"| in (?:more )?(?:detail|depth))?|tell me more(?: (?:about|on) {_IT_EN})?"
        r"|be more specific|(?:a )?longer(?: answer| version)?",
    ),
    (
        "why",
        rf"(?:but |and )?why(?: (?:is|was|are|were|does|did) (?:{_IT_EN}|so|they)(?: so"
        r"| the case| like that)?| not| so)?|how come|(?:for )?what(?: is|'s"
        rf"| was)? (?:the )?reasons?(?: (?:for|behind) {_IT_EN})?|what for",
    ),
)
_CHINESE = tuple((kind, re.compile(pattern)) for kind, pattern in _ZH)
_ENGLISH = tuple((kind, re.compile(pattern)) for kind, pattern in _EN)
_TO_ENGLISH = re.compile(r"英文|英语|\benglish\b", re.IGNORECASE)
_TO_CHINESE = re.compile(r"中文|汉语|普通话|\b(?:chinese|mandarin)\b", re.IGNORECASE)


def about_answer(message: str) -> Kind | None:
    """What the message wants of the last answer; None: it is a question or says something."""
    text = " ".join(unicodedata.normalize("NFKC", message).casefold().replace("’", "'").split())
    if not text or len(text) > LONGEST:
        return None
    if re.search(r"[一-鿿]", text):
        plain = _END_ZH.sub("", _POLITE_ZH.sub("", text))
        return _first(plain or text, _CHINESE)
    rest = _END_EN.sub("", text)
    bare = _END_EN.sub("", _POLITE_EN.sub("", rest))
    return _first(rest, _ENGLISH) or _first(bare, _ENGLISH)


def _first(text: str, patterns: "tuple[tuple[Kind, re.Pattern[str]], ...]") -> Kind | None:
    return next((kind for kind, pattern in patterns if text and pattern.fullmatch(text)), None)


def wanted_language(message: str) -> Literal["zh", "en"] | None:
    """The language that a message asks to be answered in."""
    if _TO_ENGLISH.search(message):
        return "en"
    return "zh" if _TO_CHINESE.search(message) else None


_NAMES_ZH: dict[Kind, str] = {
    "repeat": "重复",
    "shorten": "简短地说",
    "summarise": "总结",
    "translate": "翻译",
    "sources": "找出处",
    "compare": "比较",
    "onward": "接着说",
    "more": "补充",
    "deeper": "详细说明",
    "why": "解释原因",
}
_NAMES_EN: dict[Kind, str] = {
    "repeat": "repeat",
    "shorten": "shorten",
    "summarise": "summarise",
    "translate": "translate",
    "sources": "name the source of",
    "compare": "compare",
    "onward": "go on with",
    "more": "add to",
    "deeper": "tell more about",
    "why": "explain",
}


def nothing_said(kind: Kind, message: str, language: str) -> str:
    """The question back where there is no answer yet that the message could be about."""
    if language == "zh":
        return (
            f"这段对话里还没有可以{_NAMES_ZH[kind]}的回答。“{message}”指的是什么？"
            "请先提出问题，或写明文档、章节、图表的名称。"
        )
    return (
        f'There is no answer yet that I could {_NAMES_EN[kind]}. What does "{message}" refer to? '
        "Ask a question first, or name the document, section or figure."
    )
