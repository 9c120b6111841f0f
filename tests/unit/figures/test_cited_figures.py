"""Figures that the answer cites come first."""

from tests.unit.figures.test_labels_leg import figure
from tuwen.core.analysis import Analysis
from tuwen.core.chunk import Figure
from tuwen.core.document import BBox
from tuwen.core.evidence import Source
from tuwen.tools.cited_figures import cited_first, cited_slide


def table(name: str) -> Figure:
    return figure(name, figure_id=name, html="<table><tr><td>1</td></tr></table>")


def asked(wish: str) -> Analysis:
    return Analysis.model_validate(
        {"question": "q", "rewritten": "q", "queries": ["q"], "wish": wish}
    )


def shown(
    selected: list[str],
    cited: list[Figure],
    wish: str = "none",
    first: str = "",
    *,
    sure: bool = False,
    most: int = 2,
) -> list[str]:
    return cited_first(selected, cited, asked(wish), first_source=first, sure=sure, most=most)


def test_a_table_that_the_answer_was_read_from_replaces_a_neighbour() -> None:
    assert shown(["表1"], [table("表2")], first="表2") == ["表2"]


def test_a_figure_whose_caption_is_the_question_stays() -> None:
    assert shown(["表1"], [table("表2")], first="表2", sure=True) == ["表1"]


def test_a_picture_that_was_asked_for_stays() -> None:
    assert shown(["图1"], [table("表2")], "weak", first="表2") == ["图1"]
    assert shown(["图1"], [table("表2")], "exact", first="表2") == ["图1"]


def test_a_wish_that_found_no_picture_is_met_by_the_cited_table() -> None:
    assert shown([], [table("表2")], "weak", first="表2") == ["表2"]


def test_a_cited_figure_moves_to_the_front() -> None:
    assert shown(["图1", "表2"], [table("表2")]) == ["表2", "图1"]


def test_a_table_that_is_cited_later_only_does_not_appear() -> None:
    assert shown([], [table("表2")], first="") == []


def test_nothing_is_shown_where_figures_are_turned_off() -> None:
    assert shown([], [table("表2")], first="表2", most=0) == []


def test_the_slide_that_the_answer_was_read_from_is_known_by_its_page() -> None:
    whole = {"bbox": BBox(x0=0, y0=0, x1=1, y1=1), "kind": "image"}
    half = {"bbox": BBox(x0=0, y0=0, x1=1, y1=0.5), "kind": "image"}
    slides = [
        figure("图1", figure_id="a", page=3, **half),
        figure("图2", figure_id="b", page=4, **whole),
        figure("图3", figure_id="c", page=5, decoration=True, **whole),
    ]
    shown_on = [cited_slide(Source(n=1, doc="d", page=page), slides) for page in (3, 4, 5, 6)]
    assert shown_on == ["", "b", "", ""]
