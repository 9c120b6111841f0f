"""Items of statements in both languages: a question in one is met by a row in the other."""

import re
import unicodedata

from ..core.text import has_cjk

# An item's Chinese words with the English ones for each; of several the longer ones first.
_PAIRS = """
净利润 net income|net earnings|net profit; 营业利润 operating (?:income|profit)
毛利 gross (?:profit|margin); 利润 profit|income|earnings
营业收入 (?:operating )?revenue|(?:net )?sales; 收入 revenue|(?:net )?sales|(?<!net )income
营业成本 cost of (?:revenue|sales|goods sold); 成本 cost; 费用 expense|cost
研发 research and development; 研究开发 research and development; 销售 sales|selling|marketing
管理 administrati(?:ve|on)|general and administrative
研发费用 research and development(?: (?:expense|cost))?
研发支出 research and development(?: (?:expense|cost))?
销售费用 (?:selling|sales and marketing)(?: expense)?
管理费用 general and administrative(?: expense)?; 财务 financ(?:e|ial|ing); 利息 interest
所得税 income tax; 税 tax; 非流动 non-?current; 流动 current
固定 fixed|property,? plant and equipment; 无形 intangible; 资产 asset; 负债 liabilit(?:y|ie)
债务 debt; 借款 borrowing|loan|debt; 长期 long-?term|non-?current; 短期 short-?term
存货 inventor(?:y|ie); 商誉 goodwill; 货币资金 cash(?: and cash equivalents)?; 现金 cash
应收 receivable; 应付 payable; 账款 account; 票据 note; 股东 stockholder|shareholder|owner
所有者 owner|stockholder|shareholder; 权益 equit(?:y|ie); 股本 common stock|share capital
留存收益 retained earning; 未分配利润 retained earning; 股利 dividend; 股息 dividend
每股 per (?:common )?share; 收益 earning|income; 折旧 depreciation; 摊销 amorti[sz]ation
租赁 lease|rental; 经营 operating; 融资 finance|financing; 投资 invest(?:ment|ing)
回购 repurchase; 国内 domestic; 国际 international; 海外 overseas|foreign|international
国外 foreign|international; 境外 overseas|foreign; 境内 domestic; 员工 employee|staff
职工 employee|staff
"""
_WORDS = tuple(
    (zh, re.compile(rf"\b(?:{en})s?\b", re.IGNORECASE))
    for zh, _, en in sorted(
        (pair.strip().partition(" ") for pair in re.split(r"[;\n]", _PAIRS) if pair.strip()),
        key=lambda pair: (-len(pair[0]), pair[0]),
    )
)
_FREE_ZH = re.compile(r"合计|总计|总额|金额|总|数|的|[\W_]")
_FREE_EN = re.compile(r"\b(?:total|net|the|of|and|an?|our|its)\b|['’]s?|[\W\d_]", re.IGNORECASE)
_BRACKETS = re.compile(r"[(（\[][^)）\]]*[)）\]]")


def _listed(item: str) -> tuple[list[re.Pattern[str]], str]:
    """The English words for each listed word of a Chinese item, and what is left of it."""
    rest, words = _BRACKETS.sub("", unicodedata.normalize("NFKC", item)), []
    for name, english in _WORDS:
        if name in rest:
            words.append(english)
            rest = rest.replace(name, " ")
    return words, _FREE_ZH.sub("", rest)


def unsaid_across(item: str, text: str) -> bool:
    """Whether an English text does not say a Chinese item, all of whose words are listed."""
    words, rest = _listed(item) if has_cjk(item) else ([], "")
    return bool(words) and not rest and not all(english.search(text) for english in words)


def same_across(one: str, other: str) -> bool:
    """Whether two names of items, one of each language, say the same and nothing besides, but for
    "total" and "net"."""
    zh, en = (one, other) if has_cjk(one) else (other, one)
    if not has_cjk(zh) or has_cjk(en):
        return False
    words, rest = _listed(zh)
    left = _BRACKETS.sub(" ", en)
    for english in words:
        if not english.search(left):
            return False
        left = english.sub(" ", left, count=1)
    return bool(words) and not rest and not _FREE_EN.sub("", left)
