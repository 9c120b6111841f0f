import json

import pytest

from tests.unit.ingestion.builders import built_of, content_list, parsed_of
from tuwen.ingestion.parsers.mineru_text import normal, phrases

V1 = [
    {"type": "text", "text": "3 Pumps", "text_level": 1, "bbox": [60, 50, 500, 80], "page_idx": 0},
    {
        "type": "text",
        "text": "The flow $Q = A v$ is shown in Figure 1. A price of \\$5 and a\\_b.",
        "bbox": [60, 90, 900, 130],
        "page_idx": 0,
    },
    {"type": "text", "text": "", "bbox": [60, 140, 900, 150], "page_idx": 0},
    {"type": "text", "text": "Ann Lee   \nSome School", "bbox": [60, 150, 300, 190], "page_idx": 0},
    {"type": "equation", "text": "$$\nQ = A v\n$$", "text_format": "latex", "page_idx": 0},
    {
        "type": "image",
        "img_path": "images/a.png",
        "image_caption": ["Figure 1: A pump with $n$ blades."],
        "image_footnote": [],
        "page_idx": 0,
    },
    {
        "type": "table",
        "img_path": "images/b.png",
        "table_caption": ["Table 1: Sizes.", "Table 2: Costs."],
        "table_footnote": ["in mm"],
        "table_body": "<table><tr><td>a</td></tr><tr><td>1</td></tr></table>",
        "page_idx": 1,
    },
    {
        "type": "table",
        "img_path": "images/c.png",
        "table_caption": [],
        "table_footnote": [],
        "table_body": "<table><tr><td>b</td></tr><tr><td>2</td></tr></table>",
        "page_idx": 1,
    },
    {
        "type": "list",
        "sub_type": "ref_text",
        "list_items": ["Lee, A. 2020.", "Wu, B."],
        "page_idx": 1,
    },
    {
        "type": "code",
        "sub_type": "algorithm",
        "code_caption": [],
        "code_body": "Algorithm 1 Find   \n1: x\\_1 = 2",
        "page_idx": 1,
    },
    {"type": "page_footnote", "text": "<sup>1</sup>See the site.", "page_idx": 1},
    {"type": "page_number", "text": "2", "page_idx": 1},
]


def span(text, kind="text"):
    return {"type": kind, "content": text}


V2 = [
    [
        {
            "type": "title",
            "content": {"title_content": [span("3 Pumps")], "level": 1},
            "bbox": [60, 50, 500, 80],
        },
        {
            "type": "paragraph",
            "content": {
                "paragraph_content": [
                    span("The flow "),
                    span("Q = A v", "equation_inline"),
                    span("is shown in Figure 1. A price of $5 and a_b."),
                ]
            },
            "bbox": [60, 90, 900, 130],
        },
        {"type": "paragraph", "content": {"paragraph_content": []}, "bbox": [60, 140, 900, 150]},
        {
            "type": "list",
            "content": {
                "list_type": "text_list",
                "attribute": "unordered",
                "list_items": [
                    {"item_type": "text", "item_content": [span("Ann Lee")]},
                    {"item_type": "text", "item_content": [span("Some School")]},
                ],
            },
            "bbox": [60, 150, 300, 190],
        },
        {
            "type": "equation_interline",
            "content": {"math_content": "Q = A v", "math_type": "latex"},
        },
        {
            "type": "image",
            "content": {
                "image_source": {"path": "images/a.png"},
                "image_caption": [
                    span("Figure 1: A pump with "),
                    span("n", "equation_inline"),
                    span(" blades."),
                ],
                "image_footnote": [],
            },
        },
    ],
    [
        {
            "type": "table",
            "content": {
                "image_source": {"path": "images/b.png"},
                "table_caption": [span("Table 1: Sizes."), span("Table 2: Costs.")],
                "table_footnote": [span("in mm")],
                "html": "<table><tr><td>a</td></tr><tr><td>1</td></tr></table>",
                "table_type": "simple_table",
            },
        },
        {
            "type": "table",
            "content": {
                "image_source": {"path": "images/c.png"},
                "table_caption": [],
                "table_footnote": [],
                "html": "<table><tr><td>b</td></tr><tr><td>2</td></tr></table>",
            },
        },
        {
            "type": "list",
            "content": {
                "list_type": "reference_list",
                "list_items": [
                    {"item_type": "text", "item_content": [span("Lee, A. 2020.")]},
                    {"item_type": "text", "item_content": [span("Wu, B.")]},
                ],
            },
        },
        {
            "type": "algorithm",
            "content": {
                "algorithm_caption": [],
                "algorithm_content": [span("Algorithm 1 Find 1: x_1 = 2")],
            },
        },
        {
            "type": "page_footnote",
            "content": {"page_footnote_content": [span("<sup>1</sup>See the site.")]},
        },
        {"type": "page_number", "content": {"page_number_content": [span("2")]}},
    ],
]
PICTURES = ("a.png", "b.png", "c.png")


def test_both_list_versions_of_one_parse_give_the_same_chunks_and_figures(tmp_path):
    first = built_of(content_list(tmp_path / "one", V1, PICTURES))
    second = built_of(content_list(tmp_path / "two", V2, PICTURES))
    assert first.edition.chunks == second.edition.chunks
    assert first.edition.figures == second.edition.figures
    assert len(first.edition.chunks) > 4


def test_pages_are_physical_and_absent_pages_stay_absent(tmp_path):
    entries = [
        {"type": "text", "text": "首页事实。", "page_idx": 0},
        {"type": "text", "text": "第三页事实。", "page_idx": 2},
        {"type": "text", "text": "没有页码。"},
    ]
    built = built_of(content_list(tmp_path, entries))
    assert [(c.page_start, c.page_end) for c in built.edition.chunks] == [
        (1, 1),
        (3, 3),
        (None, None),
    ]


@pytest.mark.parametrize("bad", [None, [], "", 0, {}])
def test_absent_and_null_fields_are_empty(tmp_path, bad):
    entries = [
        {
            "type": "table",
            "img_path": bad,
            "table_caption": bad,
            "table_body": bad,
            "page_idx": bad,
        },
        {"type": "image", "img_path": bad, "image_caption": "图1 外形", "bbox": bad},
        {"type": "text", "text": bad, "text_level": bad},
        {"type": "equation"},
        {"type": "list", "list_items": bad},
        {"type": "code", "code_body": bad},
        {},
        {"type": "text", "text": "额定流量 50。"},
    ]
    built = built_of(content_list(tmp_path, entries))
    assert built.account.balanced
    assert {"图1 外形", "额定流量 50。"} <= {c.text for c in built.edition.chunks}


@pytest.mark.parametrize(
    "entry",
    [
        {"type": "image", "img_path": "images/a.png", "img_caption": ["图1 外形"]},
        {"type": "image", "img_path": "images/a.png", "caption": "图1 外形"},
        {"type": "image", "img_path": "/home/x/out/images/a.png", "image_caption": [["图1 外形"]]},
        {
            "type": "chart",
            "img_path": "images/a.png",
            "chart_caption": [{"type": "text", "content": "图1 外形"}],
        },
        {"type": "seal", "img_path": "images\\a.png", "image_caption": ["图1 外形"]},
    ],
)
def test_captions_and_paths_of_every_version_are_read(tmp_path, entry):
    figure = built_of(content_list(tmp_path, [entry], ("a.png",))).edition.figures[0]
    assert figure.caption == "图1 外形"
    assert figure.available
    assert figure.asset_id.endswith(".png")


def test_an_unknown_type_keeps_its_text(tmp_path):
    built = built_of(content_list(tmp_path, [{"type": "hologram", "text": "新类型的文字。"}]))
    assert built.edition.chunks[0].text == "新类型的文字。"


@pytest.mark.parametrize(
    "path", ["../secret.png", "/etc/hostname", "images/../../secret.png", "http://x/a.png"]
)
def test_pictures_outside_the_folder_are_missing_and_never_read(tmp_path, path):
    (tmp_path / "secret.png").write_bytes(b"\x89PNG\r\n\x1a\n secret")
    entries = [{"type": "image", "img_path": path, "image_caption": ["图1 外形"]}]
    built = built_of(content_list(tmp_path / "in", entries))
    assert not built.edition.figures[0].available
    assert built.edition.assets == {}
    assert "1 picture(s) missing: 图1" in built.warnings


def test_a_picture_only_in_the_markdown_is_indexed_where_it_stands(tmp_path):
    entries = [
        {"type": "text", "text": "转子如下。", "page_idx": 4},
        {"type": "text", "text": "定子。"},
    ]
    folder = content_list(tmp_path, entries, ("lost.png", "stray.png"))
    (folder / "pump.md").write_text(
        "转子如下。\n\n![](images/lost.png)\n\n定子。", encoding="utf-8"
    )
    built = built_of(folder)
    figure = built.edition.figures[0]
    assert (figure.page, figure.context_before, figure.available) == (5, "转子如下。", True)
    assert any("stray.png" in warning for warning in built.warnings)


def test_pictures_on_disk_that_nothing_names_are_reported(tmp_path):
    folder = content_list(tmp_path, [{"type": "text", "text": "正文。"}], ("x.png", "y.png"))
    assert any("2 picture(s) on disk" in warning for warning in built_of(folder).warnings)


def test_boxes_become_page_fractions(tmp_path):
    entries = [{"type": "text", "text": "正文。", "page_idx": 0, "bbox": [100, 200, 500, 1000]}]
    box = built_of(content_list(tmp_path, entries)).edition.chunks[0].boxes[0]
    assert (box.page, box.bbox.x0, box.bbox.y0, box.bbox.x1, box.bbox.y1) == (1, 0.1, 0.2, 0.5, 1.0)


def test_boxes_on_another_scale_are_left_out(tmp_path):
    entries = [{"type": "text", "text": "正文。", "page_idx": 0, "bbox": [100, 200, 1500, 2000]}]
    assert built_of(content_list(tmp_path, entries)).edition.chunks[0].boxes == ()


def test_escapes_are_undone_outside_formulas_only():
    assert normal(r"a\_b and $x\_1$ cost \$5") == r"a_b and $x\_1$ cost $5"


def test_text_spans_side_by_side_are_captions_and_formulas_glue():
    spans = [span("A "), span("x", "equation_inline"), span(" b"), span("C")]
    assert phrases(spans) == ["A $x$ b", "C"]


def test_a_wide_list_file_is_read_in_order(tmp_path):
    entries = [{"type": "text", "text": f"第{n}条。", "page_idx": n // 40} for n in range(400)]
    parsed = parsed_of(content_list(tmp_path, entries))
    assert [b.index for b in parsed.blocks] == list(range(400))
    assert json.loads(json.dumps(parsed.pages)) == 10


def test_code_captions_are_kept_under_any_versions_name(tmp_path):
    first = {
        "type": "code",
        "sub_type": "algorithm",
        "code_body": "open the valve",
        "code_caption": ["Algorithm 1 Start-up"],
        "page_idx": 0,
    }
    second = {
        "type": "algorithm",
        "content": {
            "algorithm_content": [{"type": "text", "content": "open the valve"}],
            "algorithm_caption": [{"type": "text", "content": "Algorithm 1 Start-up"}],
        },
    }
    for name, entries in (("one", [first]), ("two", [[second]])):
        chunk = built_of(content_list(tmp_path / name, entries)).edition.chunks[0]
        assert chunk.text == "Algorithm 1 Start-up\nopen the valve"
