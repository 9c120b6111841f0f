"""What we say ourselves, in the run's language: replies without retrieval, and notices."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ..core.analysis import Analysis
from ..core.errors import TuwenError
from ..core.evidence import Notice
from ..core.options import RunOptions
from ..core.text import language as language_of

Language = Literal["zh", "en"]

_GREETING = {
    "zh": "你好！我可以根据已入库的文档回答问题，并给出页码和图表。请直接提问。",
    "en": "Hello! I answer questions from the documents, with pages and figures. Ask away.",
}
_THANKS = {"zh": "不客气！还有别的问题吗？", "en": "You are welcome! Anything else?"}
_HEARD = {"zh": "好的。还有别的问题吗？", "en": "All right. Anything else?"}
_PROMPT = {"zh": "请输入一个问题。", "en": "Please type a question."}
_PASTE = {
    "zh": "这段文字里没有找到问题。请写出您想从文档中了解什么。",
    "en": "I found no question in that text. Please say what you want to know from the documents.",
}
_EMPTY = {
    "zh": "集合“{collection}”中还没有任何文档，请先入库：tuwen ingest 文件或文件夹",
    "en": "Nothing is indexed in “{collection}” yet. Ingest something first: tuwen ingest PATH",
}
_FAILED = {
    "zh": "检索失败：没有一个检索分支按时返回结果，所以不能说明文档里没有答案。"
    "请稍后重试；原因见提示。",
    "en": "The search failed: no leg of it came back in time, so this does not mean that the "
    "documents have no answer. Try again; the notices say why.",
}
_THANKING = re.compile(r"谢|thank|thx|cheers", re.IGNORECASE)
_GREETED = re.compile(
    r"你好|您好|大家好|嗨|哈喽|哈啰|在吗|在么|早|[上中下]午好|晚上好|你是谁|你能|你会|叫什么"
    r"|^(?:hi|yo|hello|hey|greetings|good ?(?:morning|afternoon|evening))\b"
    r"|who are|what (?:are|can)",
    re.IGNORECASE,
)


def answer_language(analysis: Analysis, options: RunOptions) -> Language:
    """The run's choice, else the question's language."""
    return analysis.language if options.language == "auto" else options.language


def spoken(state: Mapping[str, Any]) -> Language:
    """The language of a turn's notices; a round of retrieval alone has the question's."""
    known = state.get("language") or state["analysis"]["language"]
    return "zh" if known == "zh" else "en"


def notice(code: str, language: Language, zh: str, en: str) -> dict[str, Any]:
    """A notice in one language, as the state holds it."""
    return told(code, language, zh, en).model_dump(mode="json")


def told(code: str, language: Language, zh: str, en: str) -> Notice:
    """A notice in one language."""
    return Notice(code=code, text=zh if language == "zh" else en)


def cause(error: Exception, language: Language, seconds: float | None = None) -> str:
    """Why a step failed, with what to do where that is known."""
    if isinstance(error, TuwenError):
        return error.said(language)
    if isinstance(error, TimeoutError):
        limit = "" if seconds is None else f" {seconds:g} s"
        late = {"zh": f"超过时限{limit}", "en": f"it took longer than{limit or ' allowed'}"}
        return late[language]
    return {"zh": "内部错误", "en": "an internal error"}[language] + f" ({type(error).__name__})"


def reply_language(analysis: Analysis, history: Sequence[str]) -> Language:
    """The question's language; without a letter in it (an emoji, nothing) the thread's."""
    for text in (analysis.question, *reversed(history)):
        if any(character.isalpha() for character in text):
            return language_of(text)
    return "zh"


def failed_search(language: Language) -> str:
    """What is said where the documents could not be searched at all."""
    return _FAILED[language]


def plain_reply(why: str, analysis: Analysis, collection: str, language: Language) -> str:
    """The reply for a turn without retrieval; `why` is the state's `plain`."""
    if why == "ask_back":
        return analysis.ask_back
    if why == "empty":
        return _EMPTY[language].format(collection=collection)
    if "long_paste" in analysis.rules:
        return _PASTE[language]
    if not any(character.isalnum() for character in analysis.question):
        return _PROMPT[language]
    if _THANKING.search(analysis.question):
        return _THANKS[language]
    greeted = _GREETED.search(analysis.question.strip())
    return (_GREETING if greeted else _HEARD)[language]
