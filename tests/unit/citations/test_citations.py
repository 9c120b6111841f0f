"""Markers in one form; sources listed are sources cited, with page, box and verbatim quote."""

import pytest

from tuwen.core.chunk import Chunk, PageBox
from tuwen.core.document import BBox, DocumentRecord
from tuwen.core.evidence import Evidence
from tuwen.tools.citations import (
    build_sources,
    cited_numbers,
    cited_sentences,
    normalise_markers,
    quotable,
    quote_for,
)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("甲[9]。", "甲。"),
        ("乙【3】。", "乙[3]。"),
        ("丙{{source:2}}。", "丙[2]。"),
        ("丁[1-3]。", "丁[1][2][3]。"),
        ("戊[1, 2]。", "戊[1][2]。"),
        ("己[^2]。", "己[2]。"),
        ("见[ID:2]。", "见[2]。"),
        ("见[来源1]、[Source 2]、【4†source】。", "见[1]、[2]、[4]。"),
        ("［１］", "[1]"),
        ("[[2]]", "[2]"),
        ("text [9].", "text."),
        ("[0] 开头。", " 开头。"),
        ("The method[1] works.", "The method[1] works."),
    ],
)
def test_written_forms_of_markers_become_one(text: str, normal: str) -> None:
    assert normalise_markers(text, 5) == normal


@pytest.mark.parametrize(
    "text",
    [
        "数组 a[1]。",
        "a[1][2]",
        "arr_x[3] = 0",
        "`b[2]`",
        "$x_{[1]}$",
        "国发[2020]5号",
        "区间 [0,1]",
        "```\nx[9]\n```\n",
        "[注意] 事项",
        "{a: 1}",
    ],
)
def test_what_is_no_marker_is_left_alone(text: str) -> None:
    assert normalise_markers(text, 5) == text


def test_cited_numbers_are_in_order_of_first_citation() -> None:
    assert cited_numbers("甲[2]。乙[5][5]。丙[1]，a[3]。", 5) == (2, 5, 1)


def test_a_marker_behind_the_full_stop_belongs_to_the_sentence_before() -> None:
    first, second = cited_sentences("水位上升。[1] 阀常开[2]。", 2)
    assert (first.text, first.cited) == ("水位上升。", (1,))
    assert (second.text, second.cited) == ("阀常开。", (2,))


def test_document_text_cannot_pose_as_a_marker() -> None:
    assert quotable("as shown by [3] and 【4】") == "as shown by (3) and (4)"


def chunk(n: int, text: str, page: int, **more: object) -> Chunk:
    return Chunk.model_validate(
        {
            "chunk_id": f"c{n}",
            "doc_id": "d",
            "edition": "e",
            "collection": "k",
            "doc_title": "手册",
            "chunk_type": "section_text",
            "text": text,
            "embedding_text": text,
            "semantic_id": "s",
            "ordinal": n,
            "page_start": page,
            "page_end": page,
            "section_path": "1 总则",
            **more,
        }
    )


RECORD = DocumentRecord(
    doc_id="d",
    edition="e",
    collection="k",
    name="m.pdf",
    source_key="m",
    content_hash="h",
    title="手册",
    pages=5,
    page_labels=("i", "ii", "iii", "1", "2"),
)


def test_sources_listed_are_sources_cited_each_with_its_own_chunk() -> None:
    chunks = {f"c{n}": chunk(n, f"第{n}项的值是{n}0。", n) for n in range(1, 6)}
    evidence = [Evidence(n=n, chunk_id=f"c{n}", chunk_ids=(f"c{n}",)) for n in range(1, 6)]
    sources = build_sources(
        "甲是20[2]。乙是50[5][5]。丙是10[1]。", evidence, chunks, {"d": RECORD}, {2: "supported"}
    )
    assert [(s.n, s.chunk_id, s.page) for s in sources] == [
        (2, "c2", 2),
        (5, "c5", 5),
        (1, "c1", 1),
    ]
    assert [s.verdict for s in sources] == ["supported", "unchecked", "unchecked"]
    assert [s.page_label for s in sources] == ["ii", "2", "i"]
    assert sources[0].quote == "第2项的值是20。"


def test_the_best_chunk_of_a_group_is_the_one_quoted() -> None:
    chunks = {"c1": chunk(1, "概述。", 1), "c2": chunk(2, "润滑油每2000 h更换。", 2)}
    evidence = [Evidence(n=1, chunk_id="c1", chunk_ids=("c1", "c2"))]
    [source] = build_sources("润滑油2000小时更换一次[1]。", evidence, chunks, {}, {})
    assert (source.chunk_id, source.page, source.quote) == ("c2", 2, "润滑油每2000 h更换。")


def test_the_quote_is_verbatim_and_has_the_page_and_box_of_its_block() -> None:
    text = "第一段讲水位。水位上升。\n第二段讲阀门，阀门常开。"
    boxes = (
        PageBox(page=3, bbox=BBox(x0=0.1, y0=0.8, x1=0.9, y1=0.9)),
        PageBox(page=4, bbox=BBox(x0=0.1, y0=0.1, x1=0.9, y1=0.2)),
    )
    long = chunk(1, text, 3, boxes=boxes, box_starts=(0, text.index("第二段")))
    quote = quote_for("阀门是常开的", long)
    assert text[quote.start : quote.end] == quote.text == "第二段讲阀门，阀门常开。"
    assert (quote.page, quote.bbox) == (4, boxes[1].bbox)
    assert quote_for("水位上升", long).page == 3


def test_a_document_without_pages_is_cited_without_a_page() -> None:
    plain = chunk(1, "阀常开。", 1).model_copy(update={"page_start": None, "page_end": None})
    evidence = [Evidence(n=1, chunk_id="c1", chunk_ids=("c1",))]
    [source] = build_sources("阀常开[1]。", evidence, {"c1": plain}, {}, {})
    assert (source.page, source.page_start, source.page_label) == (None, None, "")


def test_document_html_is_not_live_in_a_source() -> None:
    bad = chunk(1, "阀 <img src=x onerror=alert(1)> 常开。", 1, doc_title="<script>x</script>手册")
    evidence = [Evidence(n=1, chunk_id="c1", chunk_ids=("c1",))]
    [source] = build_sources("阀常开[1]。", evidence, {"c1": bad}, {}, {})
    assert "<" not in source.quote + source.doc


def test_two_sentences_from_two_pages_of_one_group_span_both_pages() -> None:
    chunks = {
        "c1": chunk(1, "闸门结构如图3.1所示。", 8),
        "c2": chunk(2, "全开需29 min，启闭速度0.5 m/min。", 9),
    }
    answer = "闸门结构如图3.1所示。[1]全开需29 min，启闭速度0.5 m/min。[1]"
    group = [Evidence(n=1, chunk_id="c1", chunk_ids=("c1", "c2"))]
    [source] = build_sources(answer, group, chunks, {}, {})
    assert (source.page_start, source.page_end) == (8, 9)
    assert source.page in (8, 9)
