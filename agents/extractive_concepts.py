"""What people ask of things, and the words, table heads and units that answer it, zh and en.

"多久换一次" is answered below a head 更换周期, "who looks after it" below Responsible: both sides
are read as the same concepts. Patterns are for text whose Chinese is simplified (`han_folded`).
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence

from ..core.ports import Tokenizer
from ..core.text import has_cjk
from .extractive_words import answer_kind, holds_kind

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]+")
# Words that ask and name nothing.
_ASKING = re.compile(
    r"多久|多长时间?|什么时[候间]|何时|哪[里儿家个些位种]|谁|什么|多少钱?|几[个次]|怎么样?|怎样|如何|为什么|为何"
    r"|是否|能不能|可不可以|请问|\bhow (?:long|often|many|much|far)\b",
    re.I,
)
_CODE = re.compile(r"(?=.*[a-z])(?=.*\d)[a-z\d]+(?:[\-./_][a-z\d]+)+")
_MARKS = re.compile(r"[\s\-./_]+")
# Words in questions, table heads and text; the first plain ones are said in new queries.
_WORDS = {
    "replace": (
        r"更换|替换|调换|换(?=一?次|新|掉|$|[？?，,])|要?换(?=几|多|一)|\breplac\w+|\brenew\w*"
        r"|\bchang(?:e|ed|ing)\b(?! in\b)|\bswap"
    ),
    "inspect": (
        r"检查|检验|巡检|巡查|点检|查(?=一?次|$|[？?])|\binspect\w*"
        r"|\bcheck(?:s|ed|ing|ups?)?\b|\bexamin\w+"
    ),
    "clean": r"清洗|清洁|清扫|清理|洗(?=一?次)|\bclean\w*|\bwash\w*|\bflush\w*",
    "lubricate": r"润滑|加油|注油|\blubricat\w+|\bgreas\w+",
    "calibrate": r"校准|校验|标定|\bcalibrat\w+",
    "maintain": (
        r"维护|保养|维修|检修|\bmaintain\w*|\bmaintenance\b|\bservic(?:e interval|ed|ing)\b"
        r"|\boverhaul\w*"
    ),
    "cycle": (
        r"周期|间隔|频[次率]|多(?:久|长时间).{0,8}?次|每隔|\binterval|\bfrequen\w+"
        r"|\bhow often\b|\bperiodicity\b|\bcycle\b"
    ),
    "duty": (
        r"负责|责任|职责|由谁|找谁|谁(?=来?[做管检查换修])|归谁|执行[人部]|承担|分管|主管|\bresponsib\w+"
        r"|\bin charge\b|\blook(?:s|ed|ing)? after\b|\btakes? care\b|\bowner\b|\bwho owns\b"
        r"|\b(?:performed|carried out|done) by\b"
    ),
    "phone": (
        r"电话|热线|手机号|联系方式|拨打|\bphone\b|\btelephone\b|\bhotline\b|\btel\b"
        r"|\bcall us\b"
    ),
    "email": r"邮箱|电子邮件|\be-?mail",
    "price": (
        r"价格|多少钱|售价|单价|报价|标价|造价|\bpric(?:e|es|ed|ing)\b|\bcosts?\b"
        r"|\bexpensive\b|\bcheap\w*"
    ),
    "warranty": r"保修|质保|保固|\bwarrant\w+|\bguarantee period\b",
    "maker": (
        r"厂家|制造商|生产商|生产厂|制造厂|品牌"
        r"|(?:谁|哪[家个]?(?:公司|厂家?)?|什么公司)(?:生产|制造|出品)|由哪家"
        r"|\bmanufactur(?:er|ers|ed by)\b|\bmade by\b|\bmaker\b|\bbrand\b"
    ),
    "material": (
        r"材料|材质|材(?=为|是|$)|制成|(?<!谁)做的"
        r"|\bmade (?:of|from|out of)\b|\bmaterials?\b"
    ),
    "colour": r"颜色|什么色|色(?=$|：)|\bcolou?rs?\b",
    "weight": (
        r"重量|多重|净重|自重|毛重|最[重轻]|重(?= ?\d)|\bweigh\w*|\bheav\w+"
        r"|\blight(?:est|er)\b"
    ),
    "noise": r"噪[声音]|最[吵静]|\bnois\w+|\bloud\w*|\bquiet\w*",
    "power": r"功率|\bpower(?:ful)?\b",
    "speed": r"速度|转速|最[快慢]|多快|\bspeed\b|\bfast(?:est|er)?\b|\bslow(?:est|er)?\b",
    "temperature": r"温度|气温|\btemperatures?\b"
    r"|\bhot(?:test|ter)?\b|\bcold(?:est|er)?\b|\bwarmest\b",
    "energy": r"能耗|耗电量|耗能|\benergy (?:use|consumption)\b|\bconsumption\b",
    "flow": r"流量|\bflow\b|\bdischarge\b",
    "height": r"高度|多高|\bheights?\b|\btall(?:est|er)?\b",
    "length": r"长度|多长(?!时)|\blengths?\b|\blongest\b",
    "width": r"宽度|多宽|\bwidths?\b|\bwid(?:e|est|er)\b",
    "depth": r"深度|多深|\bdepths?\b|\bdeep(?:est|er)?\b",
    "symbol": (
        r"缩写|简称|代号|符号|代码|\babbreviat\w+|\bsymbols?\b|\bshort for\b"
        r"|\bacronym"
        r"|\bstands? for\b|\bkurzzeichen\b"
    ),
    "model": r"型号|\bmodels?\b|\btype no",
    "month": r"月份|几月|哪一?个?月|\bmonths?\b(?= |$|[?？])",
    "cause": r"原因|为什么|为何|\bcaus(?:e|es|ed)\b|\breasons?\b|\bwhy\b",
    "remedy": r"处理|措施|对策|排除|怎么办|\bremed\w+|\bcorrective\b|\bwhat to do\b",
    "teacher": r"教师|老师|任课|\bteach(?:es|ers?)\b|\btaught by\b",
    "growth": (
        r"增长率|增幅|增长幅度|增减(?:幅度?|率|变[动化])?|同比(?:变[动化]|增长)"
        r"|\bgrowth(?: rate)?\b"
    ),
    "staff": r"职工|员工|雇员|\bemployees\b|\bstaff\b|\bemployed\b",
    "author": r"作者|编[写制者]|撰写|谁写|写的|\bauthors?\b|\bwrote\b|\bwritten by\b",
}
_PATTERN = {name: re.compile(words, re.I) for name, words in _WORDS.items()}
# What meets a concept without its word: a number is a telephone number, an amount is a price.
_SHAPES: dict[str, re.Pattern[str]] = {
    "phone": re.compile(
        r"(?<!\d)(?:\+?\d{2,4}[ \-–]\d{3,4}[ \-–]?\d{3,5}|1[3-9]\d{9})(?!\d)",
        re.I,
    ),
    "email": re.compile(
        r"\S@\S+\.\w",
        re.I,
    ),
    "price": re.compile(
        r"[$¥€£￥]\s?\d|\d\s?[万亿]?[美欧日港]?元|人民币|\b(?:USD|EUR|RMB|CNY)\b|费用?|支付"
        r"|paid|\bfees?\b|dollars?|euros?",
        re.I,
    ),
    "maker": re.compile(
        r"生产|制造|出品|公司|厂|\b(?:produced|built|supplied|developed)\b"
        r"|\b(?:Inc|Ltd|GmbH|Co)\b",
        re.I,
    ),
    "material": re.compile(
        r"[钢铁铜铝银金木石砖瓷胶纸布皮丝棉玻塑竹陶银]|混凝土|聚"
        r"|\b(?:steel|rubber|plastic|wood(?:en)?|iron|glass|stone|concrete|copper|gold|silver"
        r"|aluminium|aluminum|ceramic|leather|cotton|paper|clay|brick)\b",
        re.I,
    ),
    "colour": re.compile(
        r"[红黄蓝绿白黑紫灰橙棕粉青金银褐]"
        r"|\b(?:red|blue|green|yellow|white|black|gr[ea]y|orange|purple|pink|brown|gold|silver)\b",
        re.I,
    ),
    "cause": re.compile(
        r"因(?![素子特])|由于|以致|\b(?:because|due to|owing to|as a result)\b",
        re.I,
    ),
    "weight": re.compile(
        r"\d\s?(?:kg|g|t|mg|吨|公斤|千克|克|斤|lbs?|pounds?|tons?|tonnes?)(?![A-Za-z])|[吨斤]"
        r"|重(?![新要复大点合庆])",
        re.I,
    ),
}
_FORMED = {
    "phone": re.compile(
        r"(?<!\d)(?!(?:19|20)\d\d[\-–/. ])\d[\d \-–()]{5,}\d"
        r"|(?<![\d.,])(?:1\d\d|\d{5})(?![\d%]|[.,]\d)"
    ),
    "email": _SHAPES["email"],
}
_STRICT = (frozenset(_SHAPES) - {"cause"}) | {"warranty"}
# Deeds and roles, asked for by the first words and told by those or the second: a line that does
# not speak of them, whatever else it says, does not tell who, when or how many.
_DEEDS = tuple(
    (re.compile(asked, re.I), re.compile(f"{asked}|{told}", re.I))
    for asked, told in (
        (
            r"公布|发布(?!会)|印发|颁布|\b(?:published|issued|released|announced)\b",
            r"公[示告]|发[文表行售]|推出|上[市映线]|亮相|问世|首发|出版|面世|\b(?:launch|publi|debut|premier"
            r"|dated|introduc|unveil|issue|releas|announc|appear)\w*|\bcame out\b|\bmade public\b",
        ),
        (
            r"房东|出租[方人]|\blandlords?\b|\blessors?\b",
            r"甲方|\bowne[rd]\b|\blets?\b|\bleased from\b",
        ),
        (
            r"工资|薪[资水金酬]|[年月]薪|\bearn(?:s|ed)?\b|\bsalar(?:y|ies)\b|\bwages?\b",
            r"[$¥€£￥]\s?\d|\d\s?[万亿]?元|收入|\b(?:pa(?:id|y)|incomes?|compensation)\b",
        ),
        (
            r"死亡|遇难|丧生|死了|\b(?:died|killed|deaths?|fatalities|casualties)\b",
            r"[死亡逝]|去世|牺牲|享年|\b(?:dead|dies?|lives|executed|passed away|murder\w*"
            r"|assassin\w*|perish\w*)\b|\d{4}[^，。]{0,12}[—–\-－～~][^，。]{0,12}\d{4}",
        ),
        (
            r"建造|修建|兴建|谁建|建的|\b(?:built|constructed|erected)\b",
            r"[建造]|落成|竣工|完工|\b(?:buil|commission|complet|design|establish|creat|develop|found"
            r"|construct|engineer|rais|open)\w*",
        ),
        (
            r"上限|封顶|\b(?:caps?|ceiling|upper limit|capped)\b",
            r"不得?超过|以内|最[高多大]|至多|\b(?:max\w*|up to|limit\w*|no more than|at most)\b",
        ),
    )
)
_ADJECTIVES: tuple[tuple[str, str, str], ...] = (
    (r"quietest|least noisy|最静", "noise", "low"),
    (r"loudest|noisiest|最吵", "noise", "high"),
    (r"heaviest|最重", "weight", "high"),
    (r"lightest|最轻", "weight", "low"),
    (r"fastest|最快", "speed", "high"),
    (r"slowest|最慢", "speed", "low"),
    (r"cheapest|最便宜", "price", "low"),
    (r"most expensive|dearest|最贵", "price", "high"),
    (r"most powerful|strongest", "power", "high"),
    (r"hottest|warmest|最热", "temperature", "high"),
    (r"coldest|coolest|最冷", "temperature", "low"),
    (r"tallest|最高的?(?=[是？?]|$)", "height", "high"),
    (r"longest|最长", "length", "high"),
    (r"shortest|最短", "length", "low"),
    (r"widest|最宽", "width", "high"),
    (r"deepest|最深", "depth", "high"),
    (r"farthest|furthest|most distant|最远", "distance", "high"),
    (r"nearest|closest|[离距][^，。？]{0,8}最近", "distance", "low"),
)


def han_folded(text: str, tokenizer: Tokenizer) -> str:
    """NFKC with simplified Chinese; Latin letters keep their case."""
    plain = unicodedata.normalize("NFKC", text)
    return _HAN.sub(lambda run: tokenizer.fold(run.group()), plain) if has_cjk(plain) else plain


def concepts(text: str) -> list[str]:
    """The concepts that the text names, in the order of the list."""
    return [name for name in _PATTERN if speaks_of(name, text)]


def asked_terms(question: str, tokenizer: Tokenizer) -> list[str]:
    """The question's distinct content words without its question words; words of a concept are
    given as `#concept`, a code whole and not also by its parts."""
    rest, named = question, []
    for name, words in _PATTERN.items():
        if words.search(question):
            named.append(f"#{name}")
            rest = words.sub(" ", rest)
    found = list(dict.fromkeys(tokenizer.tokens(_ASKING.sub(" ", rest))))
    codes = [word for word in found if _CODE.fullmatch(word)]
    plain = [w for w in found if not any(w != code and w in code for code in codes)]
    return [*plain, *named] or list(dict.fromkeys(tokenizer.tokens(question)))


def occurs(term: str, words: set[str], folded: str) -> bool:
    """Whether a term of `asked_terms` is said by a text with these words."""
    if term.startswith("#"):
        return meets(term[1:], folded)
    if term in words or (has_cjk(term) and term in folded):
        return True
    joined = _CODE.fullmatch(term) is not None
    return joined and _MARKS.sub("", term) in _MARKS.sub("", folded)


def terms_in(text: str, terms: Iterable[str], tokenizer: Tokenizer) -> set[str]:
    """Those of the terms that the text says."""
    words, folded = set(tokenizer.tokens(text)), tokenizer.fold(text)
    return {term for term in terms if occurs(term, words, folded)}


def synonyms(question: str, tongue: str) -> list[str]:
    """Other words of the question's language for the concepts that it asks for, at most four."""
    own = re.compile(r"[\u4e00-\u9fff]{2,}" if tongue == "zh" else r"[a-z]{4,}")
    found: list[str] = []
    for name in concepts(question):
        plain = [w.replace(r"\b", "") for w in _PATTERN[name].pattern.split("|")]
        found += [w for w in plain if own.fullmatch(w) and w not in question][:2]
    return found[:4]


def unmet(question: str, texts: Sequence[str]) -> list[str]:
    """Concepts that the question asks for and no text speaks of, by word or by form."""
    return [
        name
        for name in concepts(question)
        if name in _STRICT and not any(meets(name, text) for text in texts)
    ]


def unmet_by_form(question: str, lines: Sequence[str]) -> list[str]:
    """Concepts asked for whose answer has a form of its own (a telephone number, an address of
    mail) that no line holds; deeds and roles of which no line tells the date or the number."""
    formed = [
        name
        for name in concepts(question)
        if name in _FORMED
        and not any(_FORMED[name].search(line) or _headed_by(name, line) for line in lines)
    ]
    return formed or _unmet_deeds(question, lines)


def _headed_by(name: str, line: str) -> bool:
    """Whether the line is a cell with a number below a head of the concept: an extension of four
    digits is a telephone number there."""
    head, _, value = line.rpartition(" · ")[2].replace("：", ":").partition(":")
    return " · " in line and speaks_of(name, head) and re.search(r"\d", value) is not None


def _unmet_deeds(question: str, lines: Sequence[str]) -> list[str]:
    """The deeds and roles of which something countable or somebody is asked, where no line tells
    it of them."""
    kind = answer_kind(question)
    if kind in ("any", "place"):
        return []
    missing = []
    for asked, told in _DEEDS:
        found = asked.search(question)
        if found and not any(told.search(x) and holds_kind(kind, x, question) for x in lines):
            missing.append(found.group())
    return missing


def word_of(name: str) -> str:
    """The pattern of the concept's words."""
    return _PATTERN[name].pattern


def is_concept(name: str) -> bool:
    """Whether this is the name of a concept."""
    return name in _PATTERN


def speaks_of(name: str, text: str) -> bool:
    """Whether a text has a word of the concept."""
    return _PATTERN[name].search(text) is not None


def meets(name: str, text: str) -> bool:
    """Whether a text speaks of the concept."""
    shape = _SHAPES.get(name)
    return speaks_of(name, text) or (shape is not None and shape.search(text) is not None)


def extreme_of(question: str) -> tuple[str, str]:
    """The property that a superlative adjective is about, and whether its high or low end is
    meant: "quietest" is low noise; empty when there is no such adjective."""
    return next(
        ((concept, end) for words, concept, end in _ADJECTIVES if re.search(words, question, re.I)),
        ("", ""),
    )
