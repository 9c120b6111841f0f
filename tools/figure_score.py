"""A figure with all that speaks for it."""

from ..core.chunk import Figure
from ..core.model import Noun

STRONG = 0.6
"""Share of the question's weight that a caption must hold before a figure adds something."""


class Scored(Noun):
    """A candidate, its points and their reasons."""

    figure: Figure
    score: float
    why: tuple[str, ...]
    overlap: float
    """Share of the question's weight in the caption (0..1)."""
    said: frozenset[str]
    """The question's words that the caption says."""
    body: float
    """The same for caption, description, and a table's cells together."""
    matched: int
    labelled: bool
    focused: bool
    referenced: bool
    evidence: int
    """Rank from 1 of the figure's own chunk; 0: not among the evidence."""
    section: float = 0.0
    """Weight of the question's words that its section's heading says."""
    near: float | None = None
    """How near it is in meaning to what is asked to be seen; None: it was not looked at."""
    across: float = 0.0
    """Share of the question's listed words that it says in the other language."""
    kindred: bool = False
    """Whether it is the kind of picture that is asked for."""
    named: bool = False
    """Whether it stands in a document that the question names."""
    sole: bool = False
    """Whether it is the only one of that kind there."""
