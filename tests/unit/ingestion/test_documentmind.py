import json

import pytest

from tests.unit.ingestion.builders import built_of, parsed_of
from tuwen.core.errors import DocumentError


def layout(kind, sub, body, page=0, **more):
    pos = [{"x": 100, "y": 200}, {"x": 900, "y": 200}, {"x": 900, "y": 300}, {"x": 100, "y": 300}]
    more.setdefault("uniqueId", f"{kind}-{body}")
    return {"type": kind, "subType": sub, "text": body, "pageNum": page, "pos": pos, **more}


def cell(x, y, body, x_end=None):
    inner = [{"text": body, "blocks": [{"text": body}]}] if body else []
    return {"xsc": x, "xec": x if x_end is None else x_end, "ysc": y, "yec": y, "layouts": inner}


LAYOUTS = [
    layout("title", "doc_title", "儿童三轮车", level=0),
    layout("title", "cate_title", "目次"),
    layout("head", "page_header", "GB 14747", page=1),
    layout("title", "para_title", "3 术语和定义", level=1, page=1),
    layout("text", "para", "车体是承载乘坐者的部分。", page=[1, 2]),
    layout("table_name", "table_name", "表1 尺寸", page=2),
    layout(
        "table",
        "none",
        "",
        page=2,
        cells=[cell(0, 0, "项目", 1), cell(0, 1, "宽"), cell(1, 1, "20")],
    ),
    layout("figure", "picture", "", page=2),
    layout("figure_name", "pic_title", "图1 车体", page=2),
]
INFO = {"pages": [{"imageWidth": 1000, "imageHeight": 2000, "pageIdCurDoc": n} for n in (1, 2, 3)]}


def saved(tmp_path, body):
    path = tmp_path / "layouts.json"
    path.write_text(json.dumps(body, ensure_ascii=False), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "wrap",
    [
        lambda found: found,
        lambda found: {"layouts": found},
        lambda found: {"Status": "Success", "Data": {"layouts": found, "docInfo": INFO}},
        lambda found: {"status": "success", "data": {"layouts": [*found, *found]}},
    ],
)
def test_every_envelope_and_overlapping_windows_give_the_same_text(tmp_path, wrap):
    built = built_of(saved(tmp_path, wrap(LAYOUTS)))
    texts = [(c.chunk_type, c.section_path, c.text) for c in built.edition.chunks]
    path = "3 术语和定义"
    assert texts == [
        ("section_text", path, "车体是承载乘坐者的部分。"),
        ("table", path, "表1 尺寸\n| 项目 | 项目 |\n|---|---|\n| 宽 | 20 |"),
        ("image", path, "图1 车体"),
    ]
    assert built.account.balanced
    assert [f.label.key for f in built.edition.figures] == ["table:1", "figure:1"]


def test_pages_over_a_page_end_and_boxes_are_kept(tmp_path):
    built = built_of(saved(tmp_path, {"Data": {"layouts": LAYOUTS, "docInfo": INFO}}))
    chunk = built.edition.chunks[0]
    assert chunk.embedding_text.startswith("儿童三轮车 > 3 术语和定义\n")
    assert (chunk.page_start, chunk.page_end) == (2, 3)
    box = chunk.boxes[0].bbox
    assert (box.x0, box.y0, box.x1, box.y1) == (0.1, 0.1, 0.9, 0.15)


def test_an_unfinished_or_failed_job_is_refused(tmp_path):
    with pytest.raises(DocumentError, match="not finished"):
        parsed_of(saved(tmp_path, {"completed": False, "layouts": []}))
    with pytest.raises(DocumentError, match="failed"):
        parsed_of(saved(tmp_path, {"status": "Fail", "message": "x", "layouts": []}))
