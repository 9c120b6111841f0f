"""A figure that is asked for by what it shows: by meaning and kind as well as by words."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from ..core.chunk import Figure
from .figure_kinds import is_kind, same_kind, wanted_kind
from .figure_nearness import CLEAR, LIKELY, LITTLE, SOLE, WORDED
from .figure_score import STRONG, Scored
from .figure_words import covered

NEARNESS, SAME_KIND, OTHER_KIND, AROUND, ACROSS = 10.0, 4.0, -5.0, 4.0, 5.0
OF_NAMED = 5.0
SPOKEN = 0.8
"""Share of the nearness's points that a caption with all of the question's words takes away."""
WEAK_ENOUGH = 0.25
TRANSLATED = 0.5
"""Share of the question's words said in the other language from which on little nearness is
enough."""


class Meaning(NamedTuple):
    """What is known of figures beside their words: `near` by figure id (see `figure_nearness`), and
    the titles of the documents that the question names, which tell no figure of theirs apart."""

    near: Mapping[str, float]
    titles: Sequence[str] = ()
    across: Mapping[str, float] = MappingProxyType({})
    """By figure id the share of the question's words that it says in the other language."""

    def without_names(
        self, weights: Mapping[str, float], tokens: Callable[[str], list[str]]
    ) -> dict[str, float]:
        """The question's words without those that name documents."""
        naming = covered(weights, " ".join(self.titles), tokens) if self.titles else []
        return {word: weight for word, weight in weights.items() if word not in naming}


def by_meaning(
    scored: Sequence[Scored],
    question: str,
    meaning: Meaning,
    weights: Mapping[str, float],
    tokens: Callable[[str], list[str]],
) -> list[Scored]:
    """The candidates with what meaning and kind say for them."""
    said = _said_around([s.figure for s in scored], weights, tokens)
    # Where a caption says the question's words, they tell alike captions apart.
    worth = NEARNESS * (1 - SPOKEN * max((s.overlap for s in scored), default=0.0))
    found = [_with_meaning(s, question, meaning, said, worth) for s in scored]
    alike = [s for s in found if s.named and s.kindred]
    return [s.model_copy(update={"sole": True}) if alike == [s] else s for s in found]


def _with_meaning(
    scored: Scored,
    question: str,
    meaning: Meaning,
    said: Mapping[str, float],
    worth: float,
) -> Scored:
    """With what its meaning and its kind say for a figure that is asked for by what it shows;
    `said` is the share of the question that the text around one without a caption says."""
    figure = scored.figure
    value = meaning.near.get(figure.figure_id)
    kindred = same_kind(question, figure.caption or figure.section_path.rpartition(" > ")[2])
    other = not is_kind(figure, wanted_kind(question))
    around = said.get(figure.figure_id, 0.0)
    across = meaning.across.get(figure.figure_id, 0.0)
    reasons = (
        (worth * (value or 0.0), "near in meaning"),
        (SAME_KIND * (kindred and not other), "kind of picture"),
        (OTHER_KIND * other, "another kind"),
        (AROUND * around, f"text around {around:.2f}"),
        (ACROSS * across, "said in the other language"),
        (OF_NAMED * (figure.doc_title in meaning.titles), "of the named document"),
    )
    why = tuple(f"{name} {points:+.3g}" for points, name in reasons if points)
    return scored.model_copy(
        update={
            "score": scored.score + sum(points for points, _ in reasons),
            "why": (*why, *scored.why),
            "near": 0.0 if other else value,
            "across": across,
            "kindred": kindred and not other,
            "named": figure.doc_title in meaning.titles,
        }
    )


def wished(scored: Scored) -> bool:
    """A picture was asked for by its subject: the best one that is about it at all."""
    near = scored.near
    if near is not None:
        least = SOLE if scored.sole else LITTLE if scored.named else LIKELY
        alike = scored.kindred and (scored.matched > 0 or scored.named)
        least = WORDED if scored.across >= TRANSLATED else least
        if near >= CLEAR or (near >= least and (alike or scored.across >= TRANSLATED)):
            return True
        if near < LITTLE:
            return False
    return scored.matched > 0 and (
        scored.overlap >= WEAK_ENOUGH
        or scored.body >= STRONG
        or (scored.referenced and scored.body >= WEAK_ENOUGH)
    )


def _said_around(
    figures: Sequence[Figure], weights: Mapping[str, float], tokens: Callable[[str], list[str]]
) -> dict[str, float]:
    """Of figures without a caption the share of the question that the text around them says."""
    total = sum(weights.values()) or 1.0
    texts = {
        f.figure_id: f"{f.section_path.rpartition(' > ')[2]} {f.context_before} {f.context_after}"
        for f in figures
        if not f.caption
    }
    return {
        i: sum(weights[w] for w in covered(weights, text, tokens)) / total
        for i, text in texts.items()
    }
