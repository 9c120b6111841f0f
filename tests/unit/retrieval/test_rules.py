import pytest

from tuwen.core.analysis import Analysis
from tuwen.tools.rules import apply_rules


def analysis(question, kind, wish="none"):
    return Analysis(
        question=question, rewritten=question, queries=(question,), question_type=kind, wish=wish
    )


def test_terms_and_definitions_come_up_for_a_definition(make_hit, make_chunk):
    hits = [make_hit("other", 1.0), make_hit("terms", 0.9), make_hit("far", -5.0)]
    chunks = {
        "other": make_chunk("other", section_path="4 要求"),
        "terms": make_chunk("terms", section_path="3 术语和定义 > 3.1 儿童三轮车"),
        "far": make_chunk("far", section_path="3 术语和定义"),
    }
    ranked = apply_rules(hits, chunks, analysis("什么是儿童三轮车", "definition"))
    assert [h.chunk_id for h in ranked] == ["terms", "other", "far"]
    assert ranked[0].explain.rules == ("text_up", "path_definition")


@pytest.mark.parametrize(
    ("question", "kind", "wish", "chunk_type", "rule"),
    [
        ("额定流量是多少", "numeric", "none", "table", "table_up"),
        ("泵的外形尺寸", "conceptual", "none", "table", "table_up"),
        ("给我看发电量图", "figure", "weak", "image", "figure_up"),
        ("水泵的结构是怎样的", "conceptual", "none", "chart", "figure_up"),
        ("推导公式", "formula", "none", "equation", "equation_up"),
        ("对制动有什么要求", "requirement", "none", "section_text", "text_up"),
    ],
)
def test_the_kind_of_chunk_that_the_question_wants_comes_up(
    make_hit, make_chunk, question, kind, wish, chunk_type, rule
):
    hits = [make_hit("plain", 1.0), make_hit("wanted", 0.98), make_hit("far", 0.0)]
    plain = "code" if chunk_type == "section_text" else "section_text"
    chunks = {
        "plain": make_chunk("plain", chunk_type=plain),
        "wanted": make_chunk("wanted", chunk_type=chunk_type),
        "far": make_chunk("far", chunk_type=plain),
    }
    ranked = apply_rules(hits, chunks, analysis(question, kind, wish))
    assert ranked[0].chunk_id == "wanted"
    assert rule in ranked[0].explain.rules


def test_boosts_scale_with_the_scores_and_never_lift_a_bad_hit_over_a_good_one(
    make_hit, make_chunk
):
    for scale in (0.001, 1.0, 1000.0):
        hits = [make_hit("good", 3 * scale), make_hit("bad", 0.0), make_hit("mid", 1.5 * scale)]
        chunks = {
            "good": make_chunk("good"),
            "mid": make_chunk("mid"),
            "bad": make_chunk("bad", chunk_type="table", section_path="参数"),
        }
        ranked = apply_rules(hits, chunks, analysis("额定参数是多少", "numeric"))
        assert [h.chunk_id for h in ranked] == ["good", "mid", "bad"]


def test_a_question_without_a_cue_changes_nothing(make_hit, make_chunk):
    hits = [make_hit("a", 1.0), make_hit("b", 0.5)]
    chunks = {"a": make_chunk("a", chunk_type="table"), "b": make_chunk("b")}
    assert apply_rules(hits, chunks, analysis("为什么会汽蚀", "conceptual")) == hits


def test_label_hits_stay_first_and_dropped_hits_last(make_hit, make_chunk):
    hits = [
        make_hit("fig", 1.0, label=True),
        make_hit("t", 0.99),
        make_hit("x", 0.2),
        make_hit("gone", 0.9, dropped="mmr"),
    ]
    chunks = {"t": make_chunk("t", chunk_type="table"), "fig": make_chunk("fig")}
    ranked = apply_rules(hits, chunks, analysis("参数是多少", "numeric"))
    assert [h.chunk_id for h in ranked] == ["fig", "t", "x", "gone"]


def test_no_hits_and_a_single_hit_work(make_hit, make_chunk):
    question = analysis("参数是多少", "numeric")
    assert apply_rules([], {}, question) == []
    chunks = {"t": make_chunk("t", chunk_type="table")}
    assert apply_rules([make_hit("t", 1.0)], chunks, question)[0].score == 1.0
