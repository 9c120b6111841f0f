"""What is asked for in a request: without "请简要介绍一下", "的具体情况", "please tell me"."""

import re

_VERBS = (
    r"(?:介绍|描述|说明|分析|提供|告诉我?|告知|给出|概述|概括|阐述|简述|说说|讲讲|谈谈|讲解|查询|查找"
    r"|查一?查|查)"
)
_WISH = (
    r"(?:请问|请|能否|能不能|可否|可以|麻烦|劳烦|我|想要?|希望|需要|帮我?|给我|为我|你|您|简[要单略]|具体|详细"
    r"|大致|扼要|地)"
)
# A verb alone is not cut off: 说明书 and 介绍信 begin like it.
_LEAD = re.compile(
    rf"^\s*(?:{_WISH}+{_VERBS}(?:一下|下)?|{_VERBS}一下|告诉我|我?想要?(?:知道|了解)(?:一下|下)?|请问)[:：，,]?\s*"
    r"(?:关于|有关)?(?![书信者员仪])(?=\S{2})"
)
_TAIL = re.compile(
    rf"(?:[，,]?\s*(?:并|请|能否)?(?:你|您)?(?:作|做|给出|进行|对此)(?:出|个)?(?:简[要单略]|详细|具体)?的?{_VERBS}(?:一下|下)?"
    r"|的(?:具体|详细)?(?:情况|数据|数值|详情|信息)(?:如何|怎么?样)?)\s*[。？?！!]*\s*$"
)
# "在2019年的时候，", "在2019年的财务数据中，": the year.
_IN_YEAR = re.compile(
    r"^在((?:19|20)\d{2}年)(?:度?的?时候|度?的?(?:财务|年报|年度报告)(?:数据|报表)?[中里])[，,]?"
)
_EXACTLY = re.compile(r"具体(?=是(?:什么|多少|谁|哪))")
_LEAD_EN = re.compile(
    r"^\s*(?:(?:please|kindly|can you|could you|would you|i (?:want|would like|'d like|need) to"
    r" (?:know|learn)|briefly|just)\s+)*(?:(?:tell|show|give) me|describe|introduce"
    r"|provide(?: me with)?)\s+(?:briefly\s+)?(?:about\s+)?(?=(?:the|what|which|who|when|how)\b)",
    re.IGNORECASE,
)


def asked_for(question: str) -> str:
    """The question without the words that only ask for an answer; unchanged where nothing else
    would be left."""
    rest = _LEAD_EN.sub("", _LEAD.sub("", _EXACTLY.sub("", question)))
    rest = _IN_YEAR.sub(r"\1", rest)
    for _ in range(2):  # "的情况，请做简要分析"
        rest = _TAIL.sub("", rest)
    return rest if len(re.findall(r"\w", rest)) > 1 else question
