"""`tuwen eval rewrite`: follow-ups made self-contained by the rules, against people's forms."""

import re
import time
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..agents.analyst import analyse
from ..core.analysis import Analysis, Focus
from ..core.options import RunOptions
from ..graph.services import Services
from . import metrics
from .answers import rounded, share
from .harness import COLLECTION, commit_passages, temporary_services
from .progress import say, told
from .rankings import Rankings, as_asked, rank_all
from .sets import RewriteSet, Turn

Json = dict[str, Any]
K = 5
SHOWN = 25
_MARKS = re.compile(r"[^\w]+")


@dataclass(frozen=True)
class Rewritten:
    """What the rules made of a turn, and of its human form asked in the same thread."""

    turn: Turn
    made: Analysis
    human: Analysis


def evaluate_rewrite(loaded: RewriteSet) -> Json:
    """The report of `tuwen eval rewrite --json`.

    A turn whose human form equals it is self-contained; so is every human form, asked in the
    same thread. A follow-up is detected when the rules alter it or use the thread.
    """
    start = time.perf_counter()
    with temporary_services() as services:
        rows = [
            Rewritten(
                turn=t, made=_analyse(services, t, t.question), human=_analyse(services, t, t.human)
            )
            for t in told(loaded.turns, f"{loaded.name}: rules", len(loaded.turns))
        ]
        recalls, intervals = _retrieval(services, loaded, rows)
    alone = [(row.turn.question, row.made) for row in rows if not _needs_thread(row.turn)]
    alone += [(row.turn.human, row.human) for row in rows if _needs_thread(row.turn)]
    kept = [same(analysis.rewritten, question) for question, analysis in alone]
    counts = metrics.count(
        [(_needs_thread(row.turn), _altered(row.made)) for row in rows]
        + [(False, _altered(row.human)) for row in rows if _needs_thread(row.turn)]
    )
    follow = [row for row in rows if _needs_thread(row.turn)]
    return {
        "set": loaded.name,
        "n": len(rows),
        "follow_ups": len(follow),
        "self_contained": len(alone),
        "untouched": share(kept),
        "followup": {"precision": rounded(counts.precision), "recall": rounded(counts.recall)},
        f"recall@{K}": recalls,
        "exact": share([same(row.made.rewritten, row.turn.human) for row in follow]),
        "overlap_f1": {
            "raw": _overlap(services, [(r.turn.question, r.turn.human) for r in follow]),
            "rewritten": _overlap(services, [(r.made.rewritten, r.turn.human) for r in follow]),
        },
        "intervals": intervals,
        "rules": _rules(follow),
        "misses": _misses(follow, alone, kept),
        "seconds": round(time.perf_counter() - start, 1),
    }


def _analyse(services: Services, turn: Turn, question: str) -> Analysis:
    return analyse(
        question, focus=Focus(), history=list(turn.history), tokenizer=services.tokenizer
    )


def _needs_thread(turn: Turn) -> bool:
    return not same(turn.question, turn.human)


def _altered(analysis: Analysis) -> bool:
    changed = not same(analysis.rewritten, analysis.question)
    return changed or analysis.use_context or bool(analysis.ask_back)


def same(left: str, right: str) -> bool:
    """Equal but for width, case, blanks and punctuation."""
    return _plain(left) == _plain(right)


def _plain(text: str) -> str:
    return _MARKS.sub("", unicodedata.normalize("NFKC", text).casefold())


def _retrieval(
    services: Services, loaded: RewriteSet, rows: Sequence[Rewritten]
) -> tuple[Json, Json]:
    """Recall of the thread's passages by the raw, the rewritten and the human question."""
    rows = [row for row in rows if row.turn.relevant]
    if not rows:
        return {"raw": None, "rewritten": None, "human": None}, {}
    say(f"{loaded.name}: indexing {len(loaded.passages)} passages")
    commit_passages(services, loaded.passages, title=loaded.name)
    forms = {
        "raw": [_single(services, row.turn.question) for row in rows],
        "rewritten": [as_asked(row.made) for row in rows],
        "human": [_single(services, row.turn.human) for row in rows],
    }
    means: Json = {}
    intervals: Json = {}
    for name, analyses in forms.items():
        options = [RunOptions(collection=COLLECTION)] * len(analyses)
        found = rank_all(services, analyses, options, what=f"{loaded.name}: {name}")
        values = [_found(ranks, row.turn) for ranks, row in zip(found, rows, strict=True)]
        means[name] = metrics.means({name: values})[name]
        intervals[name] = metrics.intervals({name: values})[name]
    return means, intervals


def _single(services: Services, question: str) -> Analysis:
    """The question as if it were the first of a thread, searched as it stands."""
    made = analyse(question, focus=Focus(), history=[], tokenizer=services.tokenizer)
    return made.model_copy(update={"rewritten": question, "queries": (question,)})


def _found(ranks: Rankings, turn: Turn) -> float:
    ranking = [chunk for chunk in ranks.stages.get("final", []) if chunk != turn.own]
    return metrics.hit_at(ranking, turn.relevant, K)


def _overlap(services: Services, pairs: Sequence[tuple[str, str]]) -> float | None:
    """Mean F1 of the content words that a form shares with the human one."""
    values = []
    for text, human in pairs:
        left, right = set(services.tokenizer.tokens(text)), set(services.tokenizer.tokens(human))
        both = len(left & right)
        values.append(2 * both / (len(left) + len(right)) if left or right else 1.0)
    return rounded(sum(values) / len(values)) if values else None


def _rules(rows: Sequence[Rewritten]) -> dict[str, int]:
    """How often each rule fired on follow-ups; "none" where no rule did."""
    names = [name for row in rows for name in (row.made.rules or ("none",))]
    return {name: names.count(name) for name in sorted(set(names))}


def _misses(
    follow: Sequence[Rewritten],
    alone: Sequence[tuple[str, Analysis]],
    kept: Sequence[bool],
) -> Json:
    """Some of what went wrong, to look at."""
    return {
        "touched": [
            {"question": question, "made": analysis.rewritten, "rules": analysis.rules}
            for (question, analysis), good in zip(alone, kept, strict=True)
            if not good
        ][:SHOWN],
        "undetected": [
            {"history": row.turn.history, "question": row.turn.question, "human": row.turn.human}
            for row in follow
            if not _altered(row.made)
        ][:SHOWN],
    }
