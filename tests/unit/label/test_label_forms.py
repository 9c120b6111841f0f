"""What names an object and what only looks like it."""

import pytest

from tuwen.core.label import Label, display, find_labels, parse_label


def keys(text: str) -> list[str]:
    return [s.label.key for s in find_labels(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("图2-3", ["figure:2.3"]),
        ("Table IV", ["table:4"]),
        ("表Ⅳ", ["table:4"]),
        ("what does table iv list", ["table:4"]),
        ("图二十一", ["figure:21"]),
        ("图2点3", ["figure:2.3"]),
        ("Fig.~3", ["figure:3"]),
        ("见图 $2.3$", ["figure:2.3"]),
        ("表5.1.2-1", ["table:5.1.2.1"]),
        ("表5.1.2-1~表5.1.2-3", ["table:5.1.2.1", "table:5.1.2.2", "table:5.1.2.3"]),
        ("图2-1-2-3", ["figure:2.1", "figure:2.2", "figure:2.3"]),
        ("图A.1-A.3", ["figure:A.1", "figure:A.2", "figure:A.3"]),
        ("图1至图3", ["figure:1", "figure:2", "figure:3"]),
        ("Figs. 3(a)–(c)", ["figure:3(a)", "figure:3(b)", "figure:3(c)"]),
        ("Fig. 3a-c", ["figure:3(a)", "figure:3(b)", "figure:3(c)"]),
        ("Fig. 3(a,b)", ["figure:3(a)", "figure:3(b)"]),
        ("图3(a)、(b)", ["figure:3(a)", "figure:3(b)"]),
        ("Figs. 2-1 and 2-2", ["figure:2.1", "figure:2.2"]),
        ("Fig. 3 and 4 show", ["figure:3", "figure:4"]),
        ("图3和图5的区别", ["figure:3", "figure:5"]),
        ("由式(3.1)和式(3.2)得", ["equation:3.1", "equation:3.2"]),
        ("Eqs. (1)–(3)", ["equation:1", "equation:2", "equation:3"]),
        ("代入(3.1)式", ["equation:3.1"]),
        ("see Figure\n3 for details", ["figure:3"]),
        ("Supplementary Figure 2", ["figure:S.2"]),
        ("Figure S2", ["figure:S.2"]),
        ("Extended Data Fig. 1", ["figure:ED.1"]),
        ("附表1", ["table:附.1"]),
        ("第13题图①", ["figure:Q13(1)"]),
        ("第 9 题图  $②$", ["figure:Q9(2)"]),
        ("图①", ["figure:1"]),
        ("(Figure 2f)", ["figure:2(f)"]),
        ("图3²", ["figure:3"]),
        ("图3PLC控制系统", ["figure:3"]),
        ("图三系统结构", ["figure:3"]),
        ("Tabelle 4. Kurzzeichen", ["table:4"]),
        ("第3.1节", ["section:3.1"]),
        ("3.1 节", ["section:3.1"]),
        ("第三章", ["section:3"]),
        ("第三条", ["section:3(条)"]),
        ("§§3–4", ["section:3", "section:4"]),
        ("Sections 3.1 and 3.2", ["section:3.1", "section:3.2"]),
        ("条款 5.2", ["section:5.2"]),
        ("附录A.1", ["appendix:A.1"]),
        ("Appendices A-C", ["appendix:A", "appendix:B", "appendix:C"]),
        ("Algorithm 2", ["algorithm:2"]),
        ("Scheme 3", ["scheme:3"]),
        ("Table A shows", ["table:A"]),
    ],
)
def test_written_forms_name_their_objects(text: str, expected: list[str]) -> None:
    assert keys(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "version 3.2",
        "see 4.1 MPa",
        "表2016",
        "图2019年",
        "GB/T 5972-2016",
        "如图所示",
        "图中",
        "表明5",
        "表示 3",
        "figure out 3",
        "table of contents",
        "代表2人",
        "发表3篇",
        "發表3篇",
        "地图2张",
        "图3个",
        "图3张",
        "如图三角形ABC",
        "表一致",
        "图一样",
        "附图10kV接线图",
        "图3D模型",
        "如图A、B两点",
        "the figure 3.5 million",
        "a figure of 3",
        "形式(1)",
        "方式2",
        "第一节课",
        "香港的第一条铁路",
        "新表98元",
        "第二条件",
        "config 3",
        "timetable 3",
        "press tab 3 times",
        "In this figure I show",
        "表3-5月",
        "a[3]",
        "ISO 9001:2015",
        "解方程 2x + 1 = 3",
        "简易方程（二）",
        "the equation 1.5 \\times 10^{12}",
        "a new algorithm.\n15 Ethics",
        "a new algorithm. 15 Ethics",
        "市民供图20时40分",
    ],
)
def test_what_only_looks_like_a_label_names_nothing(text: str) -> None:
    assert keys(text) == []


@pytest.mark.parametrize(
    "text", ["图3、5个测点", "图3，5个测点", "In Figure 3, 20 samples", "图3和4号机组"]
)
def test_a_count_after_a_label_is_no_member_of_a_list(text: str) -> None:
    assert keys(text) in (["figure:3"],)


def test_a_range_without_order_names_its_two_ends() -> None:
    assert keys("图5~图3") == ["figure:5", "figure:3"]
    assert keys("图1~900") == ["figure:1", "figure:900"]


def test_parse_label_reads_only_the_beginning() -> None:
    assert parse_label("**图2.3** 水位过程线") == Label(kind="figure", parts=("2", "3"))
    assert parse_label("结果如图2.3所示") is None
    assert parse_label("") is None


def test_members_of_a_range_share_its_span() -> None:
    text = "见图2.1-2.3。"
    assert {(s.start, s.end) for s in find_labels(text)} == {(1, 9)}


@pytest.mark.parametrize(
    ("text", "zh", "en"),
    [
        ("Figure 2-3(b)", "图2.3(b)", "Figure 2.3(b)"),
        ("Table S1", "表S1", "Table S1"),
        ("Eq. (3)", "式(3)", "Equation (3)"),
        ("Section 3.1", "第3.1节", "Section 3.1"),
        ("第三条", "第3条", "Article 3"),
        ("第二章", "第2章", "Section 2"),
        ("Annex B", "附录B", "Appendix B"),
        ("附表2", "附表2", "Appendix Table 2"),
        ("第13题图②", "第13题图(2)", "Figure of question 13(2)"),
    ],
)
def test_display_writes_the_label_in_the_readers_language(text: str, zh: str, en: str) -> None:
    [span] = find_labels(text)
    assert display(span.label, "zh") == zh
    assert display(span.label, "en") == en


def test_what_display_writes_is_the_same_label() -> None:
    for text in (
        "图2.3(b)",
        "Table IV",
        "Eq. (3.1)",
        "附录A.1",
        "Figure S2",
        "第三条",
        "第3.1节",
        "附图2",
    ):
        [span] = find_labels(text)
        assert parse_label(display(span.label, "zh")) == span.label


@pytest.mark.parametrize("key", ["figure", "figure:", "figure:2(b", "picture:2"])
def test_a_broken_key_is_refused(key: str) -> None:
    with pytest.raises(ValueError):
        Label.from_key(key)
