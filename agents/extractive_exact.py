"""What tables say in the very words of the question: rows and columns that it names."""

from ..core.analysis import Analysis
from .extractive_cells import asked_cells, unfound
from .extractive_forms import Line
from .extractive_office import office_lines
from .extractive_scene import Scene
from .extractive_totals import in_rows
from .extractive_values import of_two, worked_out
from .row_answer import row_lines
from .row_question import row_asked


def exact_cells(part: Analysis, question: str, scene: Scene) -> list[Line]:
    """The figures of the row that the question names, the holder of an office, two cells with
    their difference or sum, or each cell of several rows and columns; empty: none is asked for."""
    return (
        _row(part, question, scene)
        or office_lines(question, [p for p in scene.passages if p.row])
        or _worked(part, question, scene)
        or _asked_cells(part, question, scene, several=True)
    )


def one_row(part: Analysis, question: str, scene: Scene) -> list[Line]:
    """The years of the one row that the question names; empty: no table has it."""
    return _asked_cells(part, question, scene, several=False)


def _row(part: Analysis, question: str, scene: Scene) -> list[Line]:
    """The figures of the row that the question names, and whether they rose or fell."""
    asked = None if part.labels or part.wish != "none" else row_asked(question)
    return row_lines(asked, scene.passages) if asked else []


def _asked_cells(part: Analysis, question: str, scene: Scene, *, several: bool) -> list[Line]:
    """Each cell of the several rows and columns that the question names, and which of them no
    table has; unless `several`, the years of the one row that it names. Empty: no table has any."""
    if part.wish != "none" or any(label.kind in ("figure", "scheme") for label in part.labels):
        return []
    found, missing = asked_cells(
        part, question, scene.passages, scene.figures, scene.tokenizer, several=several
    )
    if not found or in_rows(question, missing, scene.passages, scene.tokenizer):
        return []
    lines = [(n, reading.statement) for n, reading in found]
    return [*lines, *unfound(question, missing, scene.passages)]


def _worked(part: Analysis, question: str, scene: Scene) -> list[Line]:
    """The two cells that a difference or a sum is asked of, with the result where they are plain
    numbers of one unit; empty: nothing such is asked, or a table lacks one of them."""
    pair = of_two(question)
    if not pair or part.wish != "none" or part.labels:
        return []
    found, missing = asked_cells(
        part, pair, scene.passages, scene.figures, scene.tokenizer, several=True, numbers=True
    )
    if len(found) != 2 or missing or found[0] == found[1]:
        return []
    result = worked_out(question, [reading.value for _, reading in found])
    lines = [(n, reading.statement) for n, reading in found]
    return [*lines, (0, result)] if result else lines
