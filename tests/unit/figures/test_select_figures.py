"""Precise about count: the labelled figure, one for a wish, and none that adds nothing."""

import re

import pytest

from tuwen.core.analysis import Analysis, Focus
from tuwen.core.chunk import Chunk, Figure
from tuwen.core.evidence import LegResult
from tuwen.core.label import find_labels
from tuwen.core.settings import FigureSettings
from tuwen.tools.labels import LabelFinding
from tuwen.tools.select_figures import Selection, candidates_for, select_figures

STOP = set("的了是在有什么多少如何怎么吗呢请给我看一下")


def tokens(text: str) -> list[str]:
    words = re.findall(r"[a-z]+|\d+|[\u4e00-\u9fff]", text.lower())
    han = re.findall(r"[\u4e00-\u9fff]+", text)
    pairs = [run[i : i + 2] for run in han for i in range(len(run) - 1)]
    return [w for w in words if w.isascii()] + [p for p in pairs if not set(p) & STOP]


def figure(number: int, label: str, caption: str, **more: object) -> Figure:
    spans = find_labels(label)
    return Figure.model_validate(
        {
            "figure_id": f"f{number}",
            "doc_id": "d",
            "edition": "e",
            "collection": "k",
            "doc_title": "手册",
            "kind": "table" if label.startswith("表") else "image",
            "ordinal": number,
            "label": spans[0].label if spans else None,
            "label_text": label,
            "caption": f"{label} {caption}",
            **more,
        }
    )


def chunk(number: int, text: str, **more: object) -> Chunk:
    return Chunk.model_validate(
        {
            "chunk_id": f"c{number}",
            "doc_id": "d",
            "edition": "e",
            "collection": "k",
            "doc_title": "手册",
            "chunk_type": "section_text",
            "text": text,
            "embedding_text": text,
            "semantic_id": "s",
            "ordinal": number,
            **more,
        }
    )


FIGURES = [
    figure(1, "图2.3", "水库水位过程线"),
    figure(2, "图2.30", "坝体剖面"),
    figure(3, "表2.3", "机组参数"),
    figure(4, "图4.1", "各年发电量变化"),
    figure(5, "图4.2", "厂房布置示意"),
]


def select(
    question: str,
    chunks: list[Chunk] | None = None,
    *,
    wish: str = "none",
    focus: Focus | None = None,
    candidates: list[Figure] | None = None,
    finding: LabelFinding | None = None,
) -> Selection:
    analysis = Analysis.model_validate(
        {
            "question": question,
            "rewritten": question,
            "queries": (question,),
            "language": "zh",
            "wish": wish,
            "labels": tuple(s.label for s in find_labels(question)),
        }
    )
    return select_figures(
        question,
        analysis,
        chunks or [chunk(1, "大坝安全监测规定。")],
        candidates or FIGURES,
        finding,
        focus or Focus(),
        tokens,
        FigureSettings(),
    )


def ids(selection: Selection) -> list[str]:
    return [c.figure.figure_id for c in selection.figures]


@pytest.mark.parametrize("form", ["图2.3", "图 2-3", "Figure 2.3", "圖2.3", "图二之三"])
def test_a_label_shows_exactly_its_figure(form: str) -> None:
    selection = select(f"{form}说明了什么", wish="exact")
    assert ids(selection) == ["f1"]
    assert selection.figures[0].score >= 5
    assert "label" in selection.figures[0].why[0]


def test_a_label_that_no_figure_carries_shows_none() -> None:
    assert ids(select("图2.9说明了什么", wish="exact")) == []


def test_a_range_shows_every_member_that_exists() -> None:
    assert ids(select("比较图4.1和图4.2、图2.3", wish="exact")) == ["f4", "f5", "f1"]


def test_only_the_focused_documents_figure_is_shown_when_the_leg_says_so() -> None:
    other = figure(6, "图2.3", "别的水位", doc_id="d2")
    finding = LabelFinding(result=LegResult(leg="label", query=""), figure_ids=("f1",))
    chosen = select("图2.3", wish="exact", candidates=[*FIGURES, other], finding=finding)
    assert ids(chosen) == ["f1"]


def test_a_wish_for_a_picture_shows_one() -> None:
    assert ids(select("给我看发电量变化图", wish="weak")) == ["f4"]


def test_a_wish_for_a_picture_that_does_not_exist_shows_none_and_says_so() -> None:
    chosen = select("给我看员工食堂照片", wish="weak")
    assert ids(chosen) == []
    assert [n.code for n in chosen.notices] == ["figure_missing"]


def test_an_ordinary_question_about_the_captions_subject_shows_the_figure() -> None:
    assert ids(select("水库水位过程")) == ["f1"]


def test_an_ordinary_question_shows_no_figure_that_adds_nothing() -> None:
    text = chunk(1, "安全监测每月进行一次，见图2.3。", mentions=("f1",))
    assert ids(select("安全监测多久进行一次", [text])) == []


def test_the_table_that_holds_the_answer_is_shown() -> None:
    table = figure(
        7, "表5.1", "机组参数", html="<table><tr><td>额定出力</td><td>50</td></tr></table>"
    )
    own = chunk(1, "机组参数 额定出力 50", figure_id="f7", chunk_type="table")
    assert ids(select("机组额定出力", [own], candidates=[*FIGURES, table])) == ["f7"]


def test_of_captions_that_are_alike_the_one_that_says_more_of_the_question_comes_first() -> None:
    common = "source detection accuracy users edges test set results"
    fake = figure(10, "Table 7", f"Fake news {common}", kind="table")
    bias = figure(11, "Table 8", f"Bias news {common}", kind="table")
    cited = chunk(1, f"Table 7 {common}", mentions=("f10",))
    own = chunk(2, f"fake news {common}", figure_id="f10", chunk_type="table")
    for name, wanted in (("bias", "f11"), ("fake", "f10")):
        shown = select(
            f"Which table is about {name} news {common}?", [cited, own], candidates=[fake, bias]
        )
        assert ids(shown)[0] == wanted


def test_decoration_and_missing_pictures_without_caption_are_never_shown() -> None:
    logo = figure(8, "图2.3", "水库水位过程线", decoration=True)
    lost = figure(9, "图2.3", "", available=False).model_copy(update={"caption": ""})
    assert ids(select("图2.3", wish="exact", candidates=[logo, lost])) == []


def test_this_picture_means_the_one_in_focus() -> None:
    chosen = select("这张图里的红线是什么", focus=Focus(figure_ids=("f5",)))
    assert ids(chosen) == ["f5"]
    assert ids(select("红线是什么", focus=Focus(figure_ids=("f5",)))) == []


def test_no_figures_are_chosen_when_none_are_allowed() -> None:
    analysis = Analysis(question="图2.3", rewritten="图2.3", queries=("图2.3",))
    chosen = select_figures(
        "图2.3", analysis, [], FIGURES, None, Focus(), tokens, FigureSettings(max_figures=0)
    )
    assert chosen.figures == ()


class Shelf:
    def figures(self, wanted: list[str]) -> list[Figure]:
        known = {f.figure_id: f for f in FIGURES}
        return [known[i] for i in wanted if i in known]


def test_candidates_are_the_visual_hits_the_mentioned_and_the_focused() -> None:
    chunks = [chunk(1, "见图2.3", mentions=("f1",)), chunk(2, "表", figure_id="f3")]
    found = candidates_for(chunks, Shelf(), None, Focus(figure_ids=("f5",)))  # type: ignore[arg-type]
    assert [f.figure_id for f in found] == ["f3", "f1", "f5"]


@pytest.mark.parametrize("asked", ["Übersicht für Kühlmittel", "Ubersicht fur Kuhlmittel"])
@pytest.mark.parametrize("written", ["Übersicht für Kühlmittel", "Ubersicht fur Kuhlmittel"])
def test_an_accent_left_out_by_a_scan_or_a_keyboard_does_not_hide_a_caption(
    asked: str, written: str
) -> None:
    def latin(text: str) -> list[str]:
        return re.findall(r"[^\W_]+", text.lower())

    analysis = Analysis(question=asked, rewritten=asked, queries=(asked,), language="en")
    selection = select_figures(
        asked,
        analysis,
        [chunk(1, "Allgemeines.")],
        [figure(1, "Tabelle 1", written, html="<table></table>"), *FIGURES],
        None,
        Focus(),
        latin,
        FigureSettings(),
    )
    assert ids(selection) == ["f1"]
