"""One odd value in a parser's JSON costs at most its own block, never the document."""

import copy
import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.ingestion.builders import built_of, content_list, parsed_of, png
from tests.unit.ingestion.test_documentmind import INFO, LAYOUTS
from tests.unit.ingestion.test_mineru import V1
from tuwen.core.errors import DocumentError
from tuwen.core.markup import span_of
from tuwen.ingestion import images
from tuwen.ingestion.parsers.loose import entries, number, numbers, whole, words

ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 10**18),
    st.floats(),
    st.sampled_from(["", "x", "3", "\ud800", "\0", "../a", "http://127.0.0.1/a.png", "a.txt"]),
    st.lists(st.one_of(st.none(), st.integers(), st.just("a"), st.just({"type": "text"}))),
    st.just({}),
    st.just({"a": [1]}),
)
FORMS = [
    ("pump_content_list.json", V1),
    ("pump_content_list_v2.json", [[{"type": "title", "content": {"level": 1}, "bbox": [0] * 4}]]),
    ("layouts.json", {"data": {"layouts": LAYOUTS, "docInfo": INFO}}),
]


def places(value):
    """(holder, key) of everything inside."""
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from places(value[key])


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_any_odd_value_is_read_or_refused_and_every_block_accounted_for(data):
    name, form = data.draw(st.sampled_from(FORMS))
    body = copy.deepcopy(form)
    for _ in range(data.draw(st.integers(1, 3))):
        holder, key = data.draw(st.sampled_from(list(places(body))))
        holder[key] = copy.deepcopy(data.draw(ODD))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text(json.dumps(body), encoding="utf-8")
        try:
            built = built_of(path)
        except DocumentError:
            return
    assert built.account.balanced
    json.dumps(built.edition.model_dump(mode="json"), ensure_ascii=False).encode()


def test_a_page_number_or_box_written_as_text_is_the_page_and_the_box(tmp_path):
    said = {"page_idx": "2", "bbox": ["100", "200", "300", "400"]}
    meant = {"page_idx": 2.0, "bbox": [100, 200, 300, 400]}
    found = [{"type": "text", "text": "the pump", **entry} for entry in (said, meant)]
    blocks = parsed_of(content_list(tmp_path, found)).blocks
    assert [block.page for block in blocks] == [3, 3]
    assert blocks[0].bbox == blocks[1].bbox is not None


def test_a_cloud_layout_with_numbers_as_text_reads_like_one_with_numbers(tmp_path):
    def as_text(value):
        if isinstance(value, dict):
            return {k: as_text(v) for k, v in value.items()}
        if isinstance(value, list):
            return [as_text(v) for v in value]
        return str(value) if isinstance(value, int) else value

    read = []
    for number_, form in enumerate((FORMS[2][1], as_text(FORMS[2][1]))):
        path = tmp_path / str(number_) / "layouts.json"
        path.parent.mkdir()
        path.write_text(json.dumps(form), encoding="utf-8")
        read.append([(b.text, b.html, b.page, b.bbox, b.level) for b in parsed_of(path).blocks])
    assert read[0] == read[1]


def test_bare_texts_among_the_blocks_are_text_and_what_is_no_block_is_named(tmp_path):
    found = ["The valve opens at 4 bar.", 7, None, {"type": "text", "text": "It closes at 3 bar."}]
    parsed = parsed_of(content_list(tmp_path, found))
    assert [b.text for b in parsed.blocks] == ["The valve opens at 4 bar.", "It closes at 3 bar."]
    assert any(w.startswith("1 entries") for w in parsed.warnings)


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        ({"type": "text", "text": ["Open the", "drain first."]}, "Open the\ndrain first."),
        ({"type": "text", "text": 42}, "42"),
        ({"type": "list", "list_items": [1, "two"]}, "1\ntwo"),
        ({"type": "margin", "margin_content": "See the log."}, "See the log."),
        ({"type": "quote", "quote_text": [{"type": "text", "content": "He left."}]}, "He left."),
    ],
)
def test_text_is_read_in_whatever_shape_it_is_given(tmp_path, entry, text):
    assert parsed_of(content_list(tmp_path, [entry])).blocks[0].text == text


def test_a_caption_that_is_a_number_is_kept(tmp_path):
    entry = {"type": "image", "img_path": "images/a.png", "image_caption": [12, "Valves"]}
    block = parsed_of(content_list(tmp_path, [entry], ("a.png",))).blocks[0]
    assert block.captions == ("12", "Valves")


def test_a_name_that_no_file_can_have_names_no_picture(tmp_path):
    (tmp_path / "a.png").write_bytes(png())
    assert images.below(tmp_path, "a.png") is not None
    assert images.below(tmp_path, "\ud800.png") is None
    assert images.below(tmp_path, "a\0.png") is None


def test_a_table_that_is_only_an_address_is_read_without_a_warning(tmp_path):
    entry = {"type": "table", "table_body": "http://example.com/table.html", "table_caption": ["T"]}
    assert built_of(content_list(tmp_path, [entry, {"type": "text", "text": "Text."}]))


def test_loose_values():
    assert [number(v) for v in (1, "2.5", " 3 ", True, None, "x", float("nan"), 10**400)] == [
        1.0, 2.5, 3.0, None, None, None, None, None,
    ]  # fmt: skip
    assert [whole(v) for v in (4.0, "5", 1e30)] == [4, 5, None]
    assert numbers([1, "2", None, "x"]) == [1.0, 2.0]
    assert entries({"a": 1}) == [{"a": 1}]
    assert entries([1, {"a": 1}, "x"]) == [{"a": 1}]
    assert [words(v) for v in (7, ["a", 2, None], {"a": 1}, True)] == ["7", "a\n2", "", ""]


def test_a_span_is_a_small_whole_number():
    said = ("3", "²", "9" * 5000, "0", None, "-1", "٣")
    assert [span_of(value, 200) for value in said] == [3, 1, 200, 1, 1, 1, 1]
