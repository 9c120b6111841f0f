"""Figures that an answer cites come first: the table that it was read from is what to look at.

Selection goes by captions and runs before the answer is written; a table without a caption is
found out only by what the answer quotes.
"""

from collections.abc import Mapping, Sequence

from ..core.analysis import Analysis
from ..core.chunk import Chunk, Figure
from ..core.evidence import Source

CITED = 8.0
"""Points of a figure that the answer was read from."""
WHY = f"cited by the answer +{CITED:.3g}"


def cited_figure_ids(sources: Sequence[Source], chunks: Mapping[str, Chunk]) -> list[str]:
    """Ids of the figures whose own words the sources quote, in order of citation."""
    ids = [chunks[s.chunk_id].figure_id for s in sources if s.chunk_id in chunks]
    return list(dict.fromkeys(i for i in ids if i))


def cited_first(
    selected: Sequence[str],
    cited: Sequence[Figure],
    analysis: Analysis,
    *,
    first_source: str,
    sure: bool,
    most: int,
) -> list[str]:
    """The figures to show, in order, at most `most`.

    `first_source` is the figure that the first cited source quotes ("": running text). What was
    asked for by label or subject, or is `sure` to be meant because its caption says the question,
    stays as it was chosen. Otherwise a table that the answer begins with is shown in the place of
    pictures and tables that only look alike, and other cited figures move to the front.
    """
    if most == 0 or sure or (selected and analysis.wish != "none"):
        return list(selected)
    known = [figure.figure_id for figure in cited if figure.figure_id in selected]
    lead = next((f.figure_id for f in cited if f.figure_id == first_source and _table(f)), "")
    if lead and lead not in selected:
        return [lead, *known][:most]
    return [*known, *(i for i in selected if i not in known)]


def cited_slide(source: Source, figures: Sequence[Figure]) -> str:
    """Id of the picture of the whole slide that the source quotes; empty: the slide draws nothing.
    A number that is asked for stands in its chart as well as in its words."""
    page = source.page or source.page_start
    return next((f.figure_id for f in figures if f.page == page and _whole_page(f)), "")


def _whole_page(figure: Figure) -> bool:
    box = figure.bbox
    whole = box is not None and min(1 - box.x0, 1 - box.y0, box.x1, box.y1) >= 1
    return whole and figure.kind == "image" and not figure.decoration


def _table(figure: Figure) -> bool:
    return figure.kind == "table" and not figure.decoration and bool(figure.html or figure.asset_id)
