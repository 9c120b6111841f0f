"""How near in meaning a figure is to what is asked to be seen, on one scale for both languages.

Captions say in other words, and often in the other language, what a reader asks for: words alone
do not find the "framework of the model" behind 整体架构图.
"""

from collections.abc import Iterable, Mapping

from ..core.chunk import Chunk
from ..core.text import has_cjk

SAME_TONGUE, OTHER_TONGUE = 0.36, 0.2
"""Cosines of the built-in encoders from which on a figure is what is asked for, in the question's
language and in the other one. Measured on questions for figures of papers, reports and slides, of
which a sixth ask for a figure that is not there."""
MOST_NEAR = 100
"""Chunks of pictures and tables that are looked at; a long table has many."""
CLEAR = 0.9
"""From here on a figure is near enough to be shown where one is asked for."""
LITTLE = 0.5
"""Below, no word that a caption shares with the question makes it the one that is asked for."""
LIKELY = 0.6
"""From here on where its kind, too, is the one that is asked for."""
WORDED = 0.4
"""From here on where it says the question's words in the other language."""
CAPTION = 0.33
"""Cosine of a caption in the other language with what is to be seen, and how far it is ahead of
the next such caption, from which on it is the one. Measured on questions of our own."""
SOLE = 0.25
"""From here on where it is the only one of its kind in the document that the question names."""


def nearness(
    question: str, ranked: Iterable[tuple[str, float]], chunks: Iterable[Chunk]
) -> dict[str, float]:
    """By figure id how near its best chunk is: 1 is as near as a right figure commonly is."""
    scores = dict(ranked)
    asked = has_cjk(question)
    near: dict[str, float] = {}
    for chunk in chunks:
        if not chunk.figure_id:
            continue
        scale = SAME_TONGUE if has_cjk(chunk.embedding_text) == asked else OTHER_TONGUE
        value = scores.get(chunk.chunk_id, 0.0) / scale
        near[chunk.figure_id] = max(value, near.get(chunk.figure_id, 0.0))
    return near


def nearness_across(cosines: Mapping[str, float], captions: Mapping[str, str]) -> dict[str, float]:
    """By figure id how near a caption in the other language is, on the scale of `nearness`.

    Across languages a cosine alone says little: that one caption is far ahead of the others says
    as much. `captions` are those that were compared.
    """
    if not cosines:
        return {}
    first = max(cosines, key=lambda i: (cosines[i], i))
    others = [value for i, value in cosines.items() if captions[i] != captions[first]]
    lead = max(0.0, cosines[first] - max(others)) if others else 0.0
    own = {i: lead if captions[i] == captions[first] else 0.0 for i in cosines}
    return {i: (cosines[i] + own[i]) / CAPTION for i in cosines}
