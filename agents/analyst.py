"""The intent analyst: what is asked, made self-contained, and how to answer it. Rules only."""

import re
from collections.abc import Sequence

from ..core.analysis import Analysis, FigurePlace, Focus, QuestionType
from ..core.document import DocumentRecord
from ..core.label import Label, find_labels
from ..core.ports import Embedder, Tokenizer
from ..core.text import has_cjk, language
from ..tools.figure_places import asked_its_page, asked_next, asked_place
from ..tools.whole_name import Named, asked_inside, named_whole
from . import analyst_rules as rules
from .about_answer import ABOUT, SEARCHED, Kind, about_answer, nothing_said, wanted_language
from .about_compare import Told, given_values
from .extractive_duty import clause_query
from .followups import REMARK, Resolution, resolve
from .foreign_name import foreign_name

MAX_QUERIES = 5
MAX_ASKED = 100
UNSURE = "unsure"
"""Among an analysis' rules: the question means one of several things, and rules cannot tell."""

_ASK_BACK = {
    "zh": "您的问题里“{word}”指的是什么？请写出设备、文档或图表的名称。",
    "en": 'What does "{word}" refer to? Please name the item, the document or the figure.',
}

# "这篇论文", "该标准": the documents that are searched, not something said before.
_THE_DOCUMENT = re.compile(
    r"[这该本此](?:一)?[个篇份本部项册套]?(?:论文|文章|文献|文档|文件|报告|年报|资料|材料|标准|规范|规程|规定|手册"
    r"|说明书|教材|讲义|课件|试卷|书|合同|制度|办法|条例|章程|笔记)"
)


def analyse(  # noqa: PLR0913  one keyword for each thing that is known of the thread
    question: str,
    *,
    focus: Focus,
    history: Sequence[str],
    tokenizer: Tokenizer,
    documents: Sequence[DocumentRecord] = (),
    ask_back: bool = False,
    reply_in: str = "auto",
    answered: str = "",
    last: Sequence[Told] = (),
    embedder: Embedder | None = None,
) -> Analysis:
    """Understand `question` in its thread.

    `history` holds the earlier user questions, oldest first; `documents` those that can be
    searched. A self-contained question is returned untouched, and the raw question is always
    among the queries. `ask_back` set: a follow-up that could mean several things is asked back;
    one with no antecedent at all always is, in the language `reply_in` (auto: the question's).
    `answered` is the text of the last answer, for a pronoun that stands for what it named; `last`
    the turns whose evidence is still at hand, for a message about the last answer itself.
    `embedder` meets names written in the other language.
    """
    raw = question.strip()
    if rules.is_small_talk(raw):
        return _chat(question, "small_talk" if raw else "empty")
    asked = raw
    if len(raw) > rules.LONG_PASTE:
        found = rules.paste_question(raw)
        if found is None:
            return _chat(question, "long_paste")
        asked = found
    thread = _thread(history)
    topic = focus.topic or (thread[0] if thread else "")
    kind = about_answer(asked)
    if focus.figure_ids and (beside := _from_focus(asked)) and _shown(topic):
        return _next_figure(question, asked, beside)
    if kind == "compare" and topic and not given_values(last):
        kind = None  # nothing to compare was said: it is searched
    if kind and not topic:
        spoken = language(asked) if reply_in == "auto" else reply_in
        back = {"rules": ("about_answer",), "ask_back": nothing_said(kind, asked, spoken)}
        return _chat(question, "about_answer").model_copy(update=back)
    resolved = resolve(asked, topic=topic, focus=focus, background=thread, answered=answered)
    unclear = bool(resolved.unresolved) or (ask_back and resolved.ambiguous)
    unclear = unclear and not _THE_DOCUMENT.search(raw)
    named = named_whole(resolved.text, documents) or (
        foreign_name(resolved.text, documents, embedder) if embedder else None
    )
    analysis = _analysis(raw, asked, resolved, focus, tokenizer, documents, named or Named("", ()))
    if kind:
        return _about(kind, analysis, topic, recalled=bool(last))
    spoken = analysis.language if reply_in == "auto" else reply_in
    back = {"ask_back": _ASK_BACK[spoken].format(word=asked)} if unclear else {}
    return analysis.model_copy(update=back)


def _shown(topic: str) -> bool:
    """Whether the last question was for a figure."""
    spans = rules.label_spans(topic)
    labels = tuple(span.label for span in spans)
    wish = rules.picture_wish(topic, spans, rules.question_type(topic, labels))
    return wish != "none" or _from_focus(topic) is not None


def _from_focus(asked: str) -> FigurePlace | None:
    """The figure in focus, where its page is asked for, or the next one."""
    return FigurePlace() if asked_its_page(asked) else asked_next(asked)


def _next_figure(question: str, asked: str, place: FigurePlace) -> Analysis:
    """The analysis of "the next figure": the catalog knows which one that is."""
    return Analysis(
        question=question,
        rewritten=asked,
        queries=(asked,),
        question_type="figure",
        use_context=True,
        wish="weak",
        place=place,
        language=language(asked),
        rules=("next_figure",),
    )


def _about(kind: Kind, analysis: Analysis, topic: str, *, recalled: bool) -> Analysis:
    """A message about the last answer. Where its evidence is no more at hand, or more is wanted,
    the last question is searched again."""
    search = kind in SEARCHED or not recalled
    queries = (*analysis.queries, topic) if kind == "why" else (topic, *analysis.queries)
    spoken = wanted_language(analysis.question) if kind == "translate" else None
    closed = (
        topic if topic.rstrip()[-1:] in "？?。.！!" else f"{topic}{'。' if has_cjk(topic) else '.'}"
    )
    return analysis.model_copy(
        update={
            "rewritten": analysis.rewritten if kind == "why" else f"{closed} {analysis.question}",
            "queries": tuple(dict.fromkeys(queries)) if search else (),
            "need_retrieval": search,
            "use_context": True,
            "labels": tuple(span.label for span in find_labels(topic)),
            "language": spoken or analysis.language,
            "wish": "none",
            "about": kind,
            "topic": topic,
            "rules": ("about_answer", kind),
        }
    )


def next_focus(
    focus: Focus,
    analysis: Analysis,
    evidence_docs: Sequence[str],
    figure_ids: Sequence[str],
    labels: Sequence[Label],
) -> Focus:
    """The focus after a turn: small talk and questions asked back leave it as it was."""
    if analysis.ask_back or analysis.about in ABOUT:
        return focus
    if not analysis.need_retrieval and not analysis.about:
        return focus
    topic = focus.topic if REMARK in analysis.rules else ""
    return Focus(
        topic=topic or analysis.rewritten,
        doc_ids=tuple(dict.fromkeys(evidence_docs)) or analysis.named_docs or focus.doc_ids,
        figure_ids=tuple(dict.fromkeys(figure_ids)) or focus.figure_ids,
        labels=tuple(dict.fromkeys(labels)) or analysis.labels or focus.labels,
        asked=tuple(dict.fromkeys((*focus.asked, rules.folded(analysis.rewritten))))[-MAX_ASKED:],
    )


def _chat(question: str, rule: str) -> Analysis:
    return Analysis(
        question=question,
        rewritten=question,
        queries=(),
        question_type="chat",
        need_retrieval=False,
        language=language(question),
        rules=(rule,),
    )


def _analysis(
    raw: str,
    asked: str,
    resolved: Resolution,
    focus: Focus,
    tokenizer: Tokenizer,
    documents: Sequence[DocumentRecord],
    named: Named,
) -> Analysis:
    spans = rules.label_spans(resolved.text)
    labels = tuple(dict.fromkeys((*(span.label for span in spans), *resolved.labels)))
    kind = rules.question_type(resolved.text, labels)
    return Analysis(
        question=raw,
        rewritten=resolved.text,
        queries=_queries(asked, resolved, kind, tokenizer, documents, named),
        question_type=kind,
        use_context=resolved.follow_up,
        labels=labels,
        wish=rules.picture_wish(resolved.text, spans, kind),
        place=None if labels else asked_place(resolved.text),
        language=language(asked),
        repeated=rules.folded(resolved.text) in focus.asked,
        named=named.words,
        named_docs=named.docs,
        named_year=named.year,
        rules=(*resolved.rules, *((UNSURE,) if resolved.ambiguous else ())),
    )


def _queries(
    asked: str,
    resolved: Resolution,
    kind: QuestionType,
    tokenizer: Tokenizer,
    documents: Sequence[DocumentRecord],
    named: Named,
) -> tuple[str, ...]:
    """The self-contained question first, before it the same without the name of the document that
    it names, then the raw one, its parts and the standards variant."""
    text = resolved.text
    titles = [document.title for document in documents]
    variant = rules.standard_query(text, kind, titles, tokenizer.tokens(text))
    inner = asked_inside(text, named.words) if named.words else ""
    wanted = [
        inner,
        text,
        resolved.also,
        asked,
        *rules.sub_questions(text),
        variant,
        clause_query(text),
    ]
    unique: dict[str, str] = {}
    for query in wanted:
        if query:
            unique.setdefault(rules.folded(query), query)
    return tuple(unique.values())[:MAX_QUERIES]


def _thread(history: Sequence[str]) -> list[str]:
    """The thread's questions, each made self-contained with those before it, latest first."""
    thread: list[str] = []
    for question in history:
        if rules.is_small_talk(question) or len(question) > rules.LONG_PASTE:
            continue
        topic = thread[0] if thread else ""
        if topic and about_answer(question):
            continue
        resolved = resolve(question.strip(), topic=topic, focus=Focus(), background=thread)
        if REMARK not in resolved.rules:
            thread.insert(0, resolved.text)
    return thread
