"""Facts that a document gives behind a label: "Chair: …", "缺席：…", "审核：…", "签订日期：…".

They are asked by a deed ("who took the minutes", "谁审核的") whose label has other words, or none
of the other language's; so each deed is listed with the labels that tell it. The label is the
document's own: what else the question names must be its title or section.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from ..core.ports import Tokenizer
from .extractive_bridge import across, said_across
from .extractive_concepts import asked_terms, han_folded, terms_in
from .extractive_forms import Line
from .extractive_sentences import prose
from .extractive_words import Kind, answer_kind
from .passages import Passage
from .subjects import of_another

MOST_FIELDS = 3
_PEOPLE: frozenset[Kind] = frozenset({"person", "any"})
_WHO_ZH = r"(?:谁|哪[些几位个]|什么人|有谁|人员)"


class _Field(NamedTuple):
    """How a field is asked for, the labels that it stands behind, and what they hold."""

    asked: re.Pattern[str]
    label: re.Pattern[str]
    kinds: frozenset[Kind]
    names: str
    """A label of each language, as they are searched for."""


def _field(names: str, asked: str, label: str, *kinds: Kind) -> _Field:
    marked = rf"(?:(?<!\w)|(?<=会议))(?:{label})(?:人员?|员|者)?\s*[*_]*\s*[:：]\s*[*_]*\s*\w"
    compiled = re.compile(asked, re.I), re.compile(marked, re.I)
    return _Field(*compiled, frozenset(kinds) if kinds else _PEOPLE, names)


_FIELDS = (
    _field(
        "主持人 chair",
        r"主持|主席|\bchair(?:ed|s|ing|person|man|woman)?\b|\bpresided\b|\bled the meeting",
        r"主持|(?:会议)?主席|召集人|chair(?:man|woman|person)?|presiding|moderator",
    ),
    _field(
        "记录人 secretary",
        r"记录|\b(?:took|wrote|kept) (?:the )?minutes|\brecorded\b|\bminute[- ]taker"
        r"|\bsecretary\b",
        r"记录|secretary|minutes(?: taken)?(?: by)?|recorder|(?:minute|note)[- ]?taker",
    ),
    _field(
        "缺席 apologies absent",
        r"缺席|请假|未出席|没[有来]?(?:出席|参加|到)|没来"
        r"|\b(?:absent|apologi[sz]ed|sent apologies)\b"
        r"|\b(?:could|did|was|were)(?: not|n['’]t)(?: able to)? (?:attend|come|present|there)",
        r"缺席|请假|未出席|absent|apologies(?: for absence)?|regrets",
    ),
    _field(
        "出席 present",
        rf"(?:出席|参[会加]|与会|到会).{{0,8}}{_WHO_ZH}|{_WHO_ZH}.{{0,4}}(?:出席|参[会加]|与会|到会)"
        r"|\b(?:attended|was present|were present|took part in|participated)\b",
        r"出席|参[会加]|与会|到会|present"
        r"|attendees|attending|participants|in attendance",
    ),
    _field(
        "地点 venue",
        r"(?:会议?|例会).{0,4}(?:开|举行|召开|地点)|(?:开|举行|召开).{0,4}会"
        r"|\bmeeting\b.{0,40}\b(?:held|take place|took place)\b|\b(?:held|place)\b.{0,30}\bmeeting",
        r"(?:会议|召开|活动)?地点|venue|location|place",
        "place",
    ),
    _field(
        "签订日期 signed",
        r"签[订署字约]?|\bsigned\b",
        r"签[订署字约](?:日期|时间|日)|date(?: of signing| signed)?|signed on",
        "date",
    ),
    _field(
        "编制 prepared by author",
        r"编制|编写|起草|拟[定稿]|谁[写编](?!制)|[写编]的|出[的题卷]|命题"
        r"|\b(?:wrote|written|prepared|drafted|compiled|authors?)\b",
        r"(?:编[制写]|起草|拟稿|命题|出卷)(?:单位|部门|教师)?|作者"
        r"|authors?|(?:prepared|written|drafted|compiled)(?: by)?",
    ),
    _field(
        "审核 reviewed by",
        r"审核|审定|复核|校[对核]|\b(?:reviewed|checked|verified)\b",
        r"审核|审定|复核|校[对核]|reviewer|(?:reviewed|checked|verified)(?: by)?",
    ),
    _field(
        "批准 approved by",
        r"批准|签发|核准|\b(?:approved|authori[sz]ed)\b",
        r"批准|签发|核准|(?:approved|authori[sz]ed)(?: by)?",
    ),
    _field(
        "指导教师 supervisor",
        r"指导|导师|\bsupervis(?:ed|or)\b|\badvis(?:ed|or|er)\b|\binstructor\b",
        r"指导(?:教师|老师|人)?|导师|supervis(?:or|ed by)|instructor|advis[oe]r",
    ),
    _field(
        "发布部门 issued by",
        r"(?:发布|印发|发文).{0,4}(?:部门|单位)|(?:部门|单位|谁).{0,4}(?:发布|印发|发文)"
        r"|\bwho (?:issued|published|released)\b",
        r"(?:发布|印发|发文)(?:部门|单位|机构)|(?:issued|published)(?: by)?|publisher",
    ),
    _field(
        "归口部门 owner",
        r"归口|\bowns\b|\bowner\b",
        r"归口(?:管理)?(?:部门|单位)?|(?:document |process |policy )?owner",
    ),
    _field(
        "联系人 contact",
        r"联系人|(?:联系|找)谁|\bcontact person|\bwho\b.{0,20}\bcontact\b",
        r"(?:业务|商务)?联系人|contact(?: person)?",
    ),
)
# The kind of document or occasion, which its title may call otherwise, and words that ask.
_ANY_KIND = re.compile(
    r"会议|例会|开会|纪要|文件|文档|资料|材料|报告|合同|协议|规范|考试|试?卷子?|题目?|部门|单位|人员"
    r"|(?:是|在)?哪(?:一?[天年月日个位些]|里)|[是由在了的做]"
    r"|\b(?:meetings?|minutes|documents?|files?|papers?|reports?|contracts?|agreements?|exams?"
    r"|tests?|polic(?:y|ies)|briefing|guide|manual|notes?|people|persons?|held|able to|and|who|when"
    r"|where|was|were|did|is|are|the)\b",
    re.I,
)


class AskedField(NamedTuple):
    """The label that tells what is asked for, and what else the question names."""

    label: re.Pattern[str]
    words: str
    names: str


def asked_fields(question: str) -> list[AskedField]:
    """The fields that the question may ask for, the likeliest first; empty: none."""
    text = unicodedata.normalize("NFKC", question)
    kind = answer_kind(text)
    found = [(f, m) for f in _FIELDS if kind in f.kinds and (m := f.asked.search(text))]
    return [
        AskedField(f.label, _named(f"{text[: m.start()]} {text[m.end() :]}"), f.names)
        for f, m in found
    ]


def _named(rest: str) -> str:
    """The words that may be a document's name."""
    return " ".join(re.sub(r"[?？。.!！,，]", " ", _ANY_KIND.sub(" ", rest)).split())


def field_query(question: str) -> str:
    """What else the question names and the labels of what it asks for, in both languages, as a
    query; empty: it asks for no field."""
    found = asked_fields(question)
    if not found:
        return ""
    words, names = found[0].words, found[0].names
    return " ".join(f"{words} {across(words)} {names}".split())


def labelled(field: AskedField, line: str) -> bool:
    """Whether the line gives the field."""
    return field.label.search(unicodedata.normalize("NFKC", line)) is not None


def field_lines(question: str, passages: Sequence[Passage], tokenizer: Tokenizer) -> list[Line]:
    """The lines whose label tells what is asked for of the documents that are meant; empty: it is
    asked otherwise, or no document whose title says the rest of the question has such a line."""
    for field in asked_fields(question):
        found = [
            (p.n, line)
            for p in passages
            if _is_of(field.words, p, tokenizer)
            for line in prose(p)
            if labelled(field, line) and not of_another(question, line)
        ]
        if found:
            return found[:MOST_FIELDS]
    return []


def _is_of(words: str, passage: Passage, tokenizer: Tokenizer) -> bool:
    """Whether the passage is of a document whose title or section says all that the question
    names, in whatever language."""
    over = han_folded(f"{passage.title} {passage.section_path}", tokenizer)
    terms = asked_terms(words, tokenizer) if re.search(r"\w\w", words) else []
    said = terms_in(over, terms, tokenizer)
    return all(term in said or said_across(term, over) for term in terms)
