"""A run's filters hold for the label leg: what they leave out is neither found nor named."""

from collections.abc import Sequence

from tests.unit.figures.test_labels_leg import Shelf, asked, figure, section
from tuwen.core.analysis import Focus
from tuwen.core.chunk import Chunk, Figure
from tuwen.core.evidence import Place
from tuwen.tools.labels import find_labelled, label_notices
from tuwen.tools.select_figures import candidates_for


class Library(Shelf):
    """Several documents, with their records and places."""

    def __init__(self, figures: Sequence[Figure], chunks: Sequence[Chunk] = ()) -> None:
        super().__init__(figures, chunks)
        self.where = {f.chunk_id: f.doc_id for f in figures}
        self.where |= {c.chunk_id: c.doc_id for c in chunks}

    def places(self, ids: Sequence[str]) -> dict[str, Place]:
        return {i: Place(self.where[i], None, None) for i in ids if i in self.where}


SHELF = Library(
    [
        figure("图2.3", "d1", mentions=("d1-一", "d2-一")),
        figure("图2.3", "d2"),
        figure("图2.9", "d2"),
        figure("图2.5", "d1"),
    ],
    [section("3.1", "一", "d1"), section("3.1", "一", "d2")],
)
FIRST = {"d1-图2.3-c", "d1-图2.5-c", "d1-一"}


def test_a_figure_of_a_document_outside_the_filter_is_not_found() -> None:
    both = find_labelled(SHELF, "k", asked("图2.3"))  # type: ignore[arg-type]
    assert both.ambiguous
    one = find_labelled(SHELF, "k", asked("图2.3"), allowed=FIRST)  # type: ignore[arg-type]
    assert one.figure_ids == ("d1-图2.3",)
    assert one.result.ids == ("d1-图2.3-c", "d1-一")
    assert not one.ambiguous


def test_what_only_an_excluded_document_has_is_missing_and_is_not_named_as_nearest() -> None:
    finding = find_labelled(SHELF, "k", asked("图2.9"), allowed=FIRST)  # type: ignore[arg-type]
    assert finding.figure_ids == ()
    assert finding.result.ids == ()
    [gone] = finding.missing
    assert {near.key for near in gone.nearest} == {"figure:2.3", "figure:2.5"}
    [notice] = label_notices(finding, "zh")
    assert "没有图2.9" in notice.text


def test_a_section_of_an_excluded_document_is_not_found() -> None:
    finding = find_labelled(SHELF, "k", asked("3.1节"), allowed=FIRST)  # type: ignore[arg-type]
    assert finding.result.ids == ("d1-一",)
    assert not finding.ambiguous


def test_a_focused_figure_counts_only_while_the_filter_leaves_it() -> None:
    focus = Focus(figure_ids=("d2-图2.9",), doc_ids=("d2",))
    free = candidates_for([], SHELF, None, focus)  # type: ignore[arg-type]
    assert [f.figure_id for f in free] == ["d2-图2.9"]
    assert not candidates_for([], SHELF, None, focus, allowed=FIRST)  # type: ignore[arg-type]


def test_an_empty_selection_finds_nothing() -> None:
    finding = find_labelled(SHELF, "k", asked("图2.3"), allowed=set())  # type: ignore[arg-type]
    assert finding.figure_ids == ()
    assert finding.result.ids == ()
    assert finding.missing[0].nearest == ()
