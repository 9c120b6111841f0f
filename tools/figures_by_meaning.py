"""A figure that is asked for by what it shows: by meaning and kind as well as by words."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ..core.chunk import Figure
from .figure_kinds import is_kind, same_kind, wanted_kind
from .figure_nearness import CLEAR, LIKELY, LITTLE
from .figure_score import STRONG, Scored
from .figure_words import covered

NEARNESS, SAME_KIND, OTHER_KIND, AROUND = 10.0, 4.0, -5.0, 4.0
WEAK_ENOUGH = 0.25


class Meaning(NamedTuple):
    """What is known of figures beside their words: `near` by figure id (see `figure_nearness`), and
    the titles of the documents that the question names, which tell no figure of theirs apart."""

    near: Mapping[str, float]
    titles: Sequence[str] = ()

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
    return [_with_meaning(s, question, meaning, said) for s in scored]


def _with_meaning(
    scored: Scored,
    question: str,
    meaning: Meaning,
    said: Mapping[str, float],
) -> Scored:
    """With what its meaning and its kind say for a figure that is asked for by what it shows;
    `said` is the share of the question that the text around one without a caption says."""
    figure = scored.figure
    value = meaning.near.get(figure.figure_id)
    kindred = same_kind(question, figure.caption or figure.section_path.rpartition(" > ")[2])
    other = not is_kind(figure, wanted_kind(question))
    around = said.get(figure.figure_id, 0.0)
    reasons = (
        (NEARNESS * (value or 0.0), "near in meaning"),
        (SAME_KIND * (kindred and not other), "kind of picture"),
        (OTHER_KIND * other, "another kind"),
        (AROUND * around, f"text around {around:.2f}"),
    )
    why = tuple(f"{name} {points:+.3g}" for points, name in reasons if points)
    return scored.model_copy(
        update={
            "score": scored.score + sum(points for points, _ in reasons),
            "why": (*why, *scored.why),
            "near": 0.0 if other else value,
            "kindred": kindred and not other,
            "named": figure.doc_title in meaning.titles,
        }
    )


def wished(scored: Scored) -> bool:
    """A picture was asked for by its subject: the best one that is about it at all."""
    near = scored.near
    if near is not None:
        if near >= CLEAR or (
            near >= (LITTLE if scored.named else LIKELY)
            and scored.kindred
            and (scored.matched > 0 or scored.named)
        ):
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
