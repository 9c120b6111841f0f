"""The citation critic: every cited sentence is checked against its evidence, without a model.

Nothing is hidden: an unsupported sentence stays and is marked, and the reader is told why.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from pydantic import Field

from ..core.evidence import Notice, Verdict
from ..core.model import Noun
from ..core.text import language
from ..tools.citations import Sentence, cited_sentences
from ..tools.facts import Fact, FactCheck, check_sentence, read_source

MARK = "⚠"
_ABSENT = re.compile(r"[\s>*-]*(?:没有找到|未找到|没有查到|not found\b)", re.I)


class SentenceCheck(Noun):
    """A sentence of the answer at [start, end), its verdict, and what its evidence does not say."""

    text: str
    start: int
    end: int
    cited: tuple[int, ...] = ()
    verdict: Verdict = "unchecked"
    missing: tuple[Fact, ...] = ()


class Checked(Noun):
    """The checked answer.

    `text` is the answer with unsupported sentences marked; `verdict` is supported, partly,
    unsupported, or unchecked when nothing was cited; `verdicts` are by evidence number.
    """

    text: str
    verdict: Verdict = "unchecked"
    verdicts: dict[int, Verdict] = Field(default_factory=dict)
    sentences: tuple[SentenceCheck, ...] = ()
    notices: tuple[Notice, ...] = ()


def check_answer(answer: str, evidence_texts: Mapping[int, str]) -> Checked:
    """Check a normalised answer; `evidence_texts` are by evidence number.

    A sentence that cites nothing is checked against all evidence when it holds numbers or dates,
    and flagged only when none of them occurs anywhere.
    """
    sources = {n: read_source(text) for n, text in evidence_texts.items()}
    top = max(sources, default=0)
    checks: list[SentenceCheck] = []
    by_number: dict[int, list[Verdict]] = {}
    for sentence in cited_sentences(answer, top):
        cited = [n for n in sentence.cited if n in sources]
        together = check_sentence(sentence.text, [sources[n] for n in cited or sources])
        verdict = together.verdict if cited else _uncited(sentence.text, together)
        checks.append(_sentence_check(sentence, verdict, together))
        for n in cited:
            alone = check_sentence(sentence.text, [sources[n]]) if len(cited) > 1 else together
            by_number.setdefault(n, []).append(_share_verdict(alone, together))
    verdicts = {n: _joint(found) for n, found in by_number.items()}
    return Checked(
        text=_marked(answer, checks),
        verdict=_joint(c.verdict for c in checks if c.verdict != "unchecked"),
        verdicts=verdicts,
        sentences=tuple(checks),
        notices=_notices(checks, language(answer)),
    )


def repair_request(checked: Checked) -> str:
    """What to tell a writer who may repair once: the sentences and what the evidence lacks."""
    lines = []
    for check in checked.sentences:
        if check.verdict in {"unsupported", "partly"}:
            missing = ", ".join(fact.text for fact in check.missing) or "the statement"
            lines.append(f"- {check.text} (not in the evidence: {missing})")
    return "\n".join(lines)


def _sentence_check(sentence: Sentence, verdict: Verdict, check: FactCheck) -> SentenceCheck:
    return SentenceCheck(
        text=sentence.text,
        start=sentence.start,
        end=sentence.end,
        cited=sentence.cited,
        verdict=verdict,
        missing=check.missing if verdict in {"unsupported", "partly"} else (),
    )


def _uncited(text: str, check: FactCheck) -> Verdict:
    """Only a sentence whose numbers and dates all occur nowhere is flagged, and not one that says
    just that ("没有找到：2024年净利润")."""
    if _ABSENT.match(text):
        return "unchecked"
    hard = [f for f in check.missing if f.kind in {"number", "date"}]
    return "unsupported" if hard and not check.found else "unchecked"


def _share_verdict(alone: FactCheck, together: FactCheck) -> Verdict:
    """One of several sources need not say everything: what it says must be in the sentence."""
    if together.verdict != "supported":
        return alone.verdict
    if alone.verdict == "unsupported" and (alone.found or alone.overlap >= 0.3):
        return "partly"
    return "supported" if alone.found and alone.verdict == "partly" else alone.verdict


def _joint(verdicts: Iterable[Verdict]) -> Verdict:
    found = set(verdicts)
    if not found:
        return "unchecked"
    return found.pop() if len(found) == 1 else "partly"


def _marked(answer: str, checks: Sequence[SentenceCheck]) -> str:
    """The answer, the mark once behind each unsupported sentence (inside a table's last cell)."""
    out, pos = "", 0
    for check in checks:
        if check.verdict != "unsupported":
            continue
        body = answer[pos : check.end].rstrip()
        tail = "|" if body.endswith("|") and answer[check.start] == "|" else ""
        body = body.removesuffix("|").rstrip() if tail else body
        out += body if body.endswith(MARK) else f"{body} {MARK}"
        out += f" {tail}" if tail else ""
        pos = check.end
    return out + answer[pos:]


def _notices(checks: Sequence[SentenceCheck], lang: str) -> tuple[Notice, ...]:
    out = []
    for check in checks:
        if check.verdict != "unsupported":
            continue
        facts = ("、" if lang == "zh" else ", ").join(f.text for f in check.missing)
        if lang == "zh":
            text = f"引用的资料没有支持这句话：{check.text}" + (f"（缺：{facts}）" if facts else "")
        else:
            text = f"The evidence does not support: {check.text}"
            text += f" (not found: {facts})" if facts else ""
        out.append(Notice(code="unsupported", text=text))
    return tuple(out)
