"""Chinese follow-ups: telling them from self-contained questions, and resolving them."""

import re

_LEAD = re.compile(
    r"^(?:(?:那么|那(?![个种些边里天年时张幅本位家款只条台次儿样])|然后|还有|另外|再问一下|请问|嗯+|哦+"
    r"|噢|啊|好的|所以|不过|但是|可是)[，,、\s]*)+"
)
# What has so few characters names a thing at most, and asks nothing of it.
SHORTEST = 3
_TAIL = re.compile(r"[\s？?。！!~～,，]+$")
_PRONOUN = re.compile(
    r"它们?|(?<![其吉])他们|(?<![其吉])他(?!人|国|乡)|她们?"
    r"|(?<![与和及将使极尤马土])其(?!他|它|中|实|余|次|间|后|一|二|三|四|五|乐|妙|貌|所|顿|是)"
    r"|上述|前述|前面提到的|刚才(?:说|提到|问)的|刚刚说的"
)
_UNITS = "个些种本部首款台篇位家座条项只名支件类"
_THIS = re.compile(
    rf"(?<![\u4e00-\u9fff])(?:[这那]一?[{_UNITS}]"
    r"(?P<noun>人|书|歌|电影|电视剧|剧|片子|游戏|城市|地方|国家|公司|设备|产品|系统|问题|东西|标准"
    r"|文件|方法|动漫|小说|明星|歌手|演员|专业|学校)?"
    r"|[这那](?:书|歌|游戏|片|剧|人|地方|里|儿|边))"
)
_NOUN_NEXT = re.compile(
    r"(?![的是有在会能要可应需怎如何为什多哪几谁和与对被由就也都还又好])[\u4e00-\u9fff]{2}"
)
# "那个女生喜欢唱歌": tells of somebody, and asks nothing of what was said before.
_NAMED_ONE = re.compile(r"[这那]一?[个位](?:女生|男生|网友|同学|朋友|老师|孩子|我)")
_SAID = re.compile(
    r"(?:(?<=[了在对与和由的是为于到])|^)该(?=[\u4e00-\u9fff])(?!怎|如何|不|做|去|死|多|注意|采取)"
)
_ORDINAL = re.compile(
    r"第[一二三两四五六七八九十\d]+[个种项类款台位](?!月|季度|阶段|世纪)(?=的|呢|是|有|怎|多|[？?]|$)"
    r"|前者|后者|另外?一个(?=的|呢|是|有|怎|多|[？?]|$)|另一[种款台项]"
)
_ELLIPSIS = re.compile(
    r"^(?P<piece>[^？?。！!]{1,18}?)(?:又会|又|会)?(?:怎么样|怎样)?呢"
    r"(?:[，,]\s*(?P<more>[^，,。？?！!呢]{1,12}的))?[？?。！!~～\s]*$"
)
# A fragment names a thing; with one of these in it, it says something.
_SAYS = re.compile(
    r"[我你他她它]|[是有没会能要说想看住带用做去来给吃喝玩了着过不很太都也还在好]|可以|知道|喜欢|觉得|需要|应该"
)
QUESTION_WORD = re.compile(
    r"为什么|为啥|为何|怎么样|怎么|怎样|如何|什么时候|什么|啥|多少钱|多少|多[久大长高重少远快]"
    r"|几[个种天年次]?|哪一?[里儿个些家位年部种款座条支本首]?|谁|是不是|好不好|有没有|能不能|可不可以|可以不"
)
# What is done to a thing that the question leaves out: "多久更换一次？", "能远程启动吗？".
_DONE = re.compile(
    r"更换|检查|检修|安装|启动|起动|停机|停止|维护|清洗|润滑|拆卸|校准|试验|调整|操作|使用|运行|关闭|打开|保养"
    r"|维修|修理|充电|重启|连接|换|检|测|修|洗|拆|装|开|关"
)
_DONE_HOW = re.compile(r"远程|就地|手动|自动|定期|重新|单独|一次|支持|必须|允许|是否")
_ASKS = re.compile(r"吗|是否|能不能|可不可以|[？?]")
# "你认识他": the subject of a clause is not what its object stands for.
_OBJECT = re.compile(r"^[^，,。；;他她]{1,6}(?:他|她)们?[吗呢吧么]?$")
_HOW_TO = re.compile(r"(?:怎么|如何|怎样)(?:才能)?[\u4e00-\u9fff]{1,2}")
# Words that say nothing of their own beside a question word.
_EMPTY = re.compile(
    r"原因|意思|回事|区别|办法|详细|具体|说明|解释|介绍|继续|举例|例子|知道|觉得|认为|喜欢|时候|名字|一点"
    r"|好看|好吃|好玩|好听|漂亮|可爱|厉害|著名|有名|出名|便宜|可以|应该|需要"
    r"|[的了吗呢吧啊呀哦嘛么着过得地是在有没不会能想应要该都也还就又再很太最更比较儿下这那它他她们我你您去来做办用看"
    r"说好难贵大小高低远帅美个种些吃玩听养买卖找到叫对错真]"
    r"|[\s，,。.？?！!、：:；;~～…“”\"'‘’（）()]"
)
_VERB = (
    r"是|对|有|在|能|会|可以|需要|需|应|要|支持|包括|包含|属于|由|被|为什么|怎么|如何|什么|多少|几|哪|谁"
    r"|多[久大长高重少]|吗|呢|和|与|跟|怎样|用于|采用|使用|好|了|讲|叫|演|唱|写|又|都|也|还|就|不|没|很|最|吃|看|画|活"
)
_STRIP = re.compile(
    r"^(?:你们?|您|我们?|咱们?)?(?:知道|认识|了解|喜欢|看过|看|听说过|听过|听说|听|玩过|玩|吃过|读过|去过|用过|觉得"
    r"|认为|想知道|想问|想看|想听|想|有看|会唱|说的是|爱)(?:一部|一下|一首)?"
    r"|^(?:请问|介绍一下|介绍|说说|讲讲|谈谈|告诉我|给我|帮我|查一下|查询|搜一下|什么是|谁是|关于|对于|推荐"
    r"|解释一下|解释|简述|说明)+(?:一下|几本|一部|几部)?"
)
_QUOTED = re.compile(r"《[^》]{1,40}》|[“\"「『]([^”\"」』]{2,30})[”\"」』]")
_NO_NAME = re.compile(r"[我你他她它咱]|[不没很了]|什么|怎么|这|那|^一|^[的了吗呢吧啊是有在]|.{21}")


def follow_up_cue(question: str) -> str:
    """Which cue says that the question leans on an earlier one; empty: it stands by itself."""
    text = _TAIL.sub("", question.strip())
    ordinal = _ORDINAL.search(text)
    if ordinal and len(text) <= 24 and not _said_before(text[: ordinal.start()]):
        return "list_member"
    if fragment(question):
        return "fragment"
    if is_bare(question):
        return "bare_question"
    if len(text) <= SHORTEST and re.search(r"[\u4e00-\u9fff]", text):
        return "short"
    return "pronoun" if _anaphor(_LEAD.sub("", text)) else ""


def needs_antecedent(question: str) -> bool:
    """Whether the question means nothing without an earlier one."""
    text = _TAIL.sub("", question.strip())
    if is_bare(question) and own_words(text):
        return False  # "怎样停机？" can be searched as it stands
    return len(text) <= 16 and (len(text) > SHORTEST or not fragment(question))


def fragment(question: str) -> str:
    """What is new in "B 泵呢？", "那图2.4呢"; empty for a whole question."""
    text = _LEAD.sub("", question.strip())
    found = _ELLIPSIS.match(text)
    led = text != question.strip() or len(_TAIL.sub("", text)) <= SHORTEST
    piece = found["piece"] if found else _TAIL.sub("", text) if led and len(text) <= 10 else ""
    if not piece or _PRONOUN.search(piece) or QUESTION_WORD.search(piece) or _SAYS.search(piece):
        return ""
    return "" if piece.endswith(("吗", "吧")) or _ORDINAL.search(piece) else piece.strip()


def qualifier(question: str) -> str:
    """What a fragment says of its thing behind it: "10秒的" in "那脉冲放电呢，10秒的？"."""
    found = _ELLIPSIS.match(_LEAD.sub("", question.strip()))
    return (found["more"] or "") if found else ""


def is_bare(question: str) -> bool:
    """Whether nothing but question words and empty words is there: "为什么？", "在哪里"."""
    text = bare_text(question)
    if not re.search(r"[\u4e00-\u9fff]", text):
        return False
    if not own_words(text) or _HOW_TO.fullmatch(text) is not None:
        return True
    asks = QUESTION_WORD.search(text) or _ASKS.search(question)
    return bool(asks) and not own_words(_DONE.sub("", _DONE_HOW.sub("", text)))


def entity(topic: str) -> str:
    """What the topic is about: a quoted title, else what stands before the first 的 or verb."""
    quoted = _QUOTED.search(topic)
    if quoted:
        return quoted.group(1) or quoted.group()
    text = _TAIL.sub("", _STRIP.sub("", _LEAD.sub("", topic.strip())))
    text = re.split(r"[，,。；;！!？?]", text)[0]
    text = re.sub(r"(?:吗|呢|吧|么|嘛|啊|不)$", "", text)
    head = re.match(rf"(.{{2,24}}?)(?:的|(?={_VERB}))", text)
    name = (head.group(1) if head else text).strip()
    return "" if len(name) < 2 or _NO_NAME.search(name) else name


def weak_entity(topic: str) -> str:
    """Nothing: a Chinese phrase without a clear head is said in full before the question."""
    return ""


def replace_pronouns(question: str, name: str) -> str:
    """The question with its leaning pronouns said by name; a bare question behind the name."""
    text = _LEAD.sub("", question.strip())
    found = _anaphor(text)
    if found is None:
        alone = is_bare(question) and not re.match(r"为|怎么会|怎么(?:了|办)?$|所以", text)
        return name + text if alone else ""
    word, rest = found.group(), text[found.end() :]
    if word == "该":
        kind = re.match(r"[\u4e00-\u9fff]{1,4}?(?=的|是|在|有|能|可|应|需|何|$)", rest)
        same = kind is not None and name.endswith(kind.group()[-1])
        return text[: found.start()] + name + rest[kind.end() :] if kind and same else ""
    if word[0] in "这那" and word[-1] in _UNITS and _NOUN_NEXT.match(rest):
        return ""  # "这个计划": the topic names it in other words
    form = name + "的" if word == "其" and not rest.startswith("的") else name
    if word[0] in "它他她":
        rest = re.sub(rf"{word[0]}们?", name, rest)
    return text[: found.start()] + form + rest


def after(topic: str, question: str, name: str) -> str:
    """The question behind the topic that it leans on."""
    lead = topic.strip()
    if lead and lead[-1] not in "。？！?!.":
        asks = QUESTION_WORD.search(lead) or lead.endswith(("吗", "呢"))
        lead += "？" if asks else "。"
    return lead + question.strip()


def tidy(question: str) -> str:
    """Without the connecting words of a dialogue."""
    return _LEAD.sub("", question).strip()


# "给我唱一首", "发几张": what is to be done to something, and names nothing.
_REQUEST = re.compile(
    r"^(?:那么?|请|麻烦|就|再|快|先)*(?:你|您)?(?:能|可以|能不能|可不可以)?(?:再)?(?:给我|帮我|为我|跟我|和我|替我)?"
    r"(?:唱|发|放|播放?|讲讲?|说说?|推荐|介绍|搜索?|查查?|来|找|读|写|画|打开|下载|分享|聊聊?|谈谈?|列出?|展示|显示)"
    r"(?:一下|[一几两三]|[个张首部段点些本篇条份幅])*$"
)


def _anaphor(text: str) -> re.Match[str] | None:
    """The first pronoun whose antecedent is not in the question itself."""
    plain = _TAIL.sub("", text)
    if _OBJECT.match(plain):
        return _PRONOUN.search(text)
    for pattern in (_PRONOUN, _THIS, _SAID):
        found = pattern.search(text)
        if found and _NAMED_ONE.match(text[found.start() :]) and not QUESTION_WORD.search(text):
            return None
        if found and not _said_before(text[: found.start()]):
            return found
    return None


def _said_before(before: str) -> bool:
    """Whether something before the pronoun can be what it stands for."""
    return len(own_words(_REQUEST.sub("", before))) >= 2


def bare_text(question: str) -> str:
    """The question without connecting words before it and marks behind it."""
    return _TAIL.sub("", _LEAD.sub("", question.strip()))


def own_words(text: str) -> str:
    """What is left without question words and words that say nothing by themselves."""
    return _EMPTY.sub("", QUESTION_WORD.sub("", text))
