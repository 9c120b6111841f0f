import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tuwen.app.doors.markdown import appendix, plain
from tuwen.app.doors.receive import shown
from tuwen.app.doors.uploads import clean_name
from tuwen.core.options import IngestOptions, RunOptions


@given(st.text(max_size=400))
def test_a_cleaned_name_is_one_part_of_a_path(name):
    cleaned = clean_name(name)
    assert cleaned
    assert cleaned not in (".", "..")
    assert not re.search(r"[/\\\x00-\x1f]", cleaned)
    assert len(cleaned.encode()) <= 200


@pytest.mark.parametrize(
    ("name", "cleaned"),
    [
        ("../outside.txt", "outside.txt"),
        ("..\\..\\x.pdf", "x.pdf"),
        ("/etc/passwd", "passwd"),
        ("a\0b.md", "ab.md"),
        ("手册 第2版.pdf", "手册 第2版.pdf"),
        ("", "file"),
    ],
)
def test_names_are_cleaned(name, cleaned):
    assert clean_name(name) == cleaned


def test_long_names_that_differ_stay_different():
    one, two = clean_name("a" * 300 + "1.pdf"), clean_name("a" * 300 + "2.pdf")
    assert one != two
    assert one.endswith(".pdf")


def test_a_file_name_is_no_markdown():
    assert "](" not in shown("x](javascript:alert(1)).pdf")
    assert "<" not in shown("<img src=x>.pdf")


def finish(**changes):
    source = {
        "n": 1,
        "doc": "A [x](http://evil) <b>",
        "page_start": 3,
        "page_end": 4,
        "section_path": "1 > 2",
        "page_url": "http://h/documents/d/pages/3.png?chunk=c",
    }
    image = {
        "url": "http://h/images/f",
        "caption": "Figure ![1](http://evil)",
        "label": "",
        "type": "image",
        "source": "A",
        "page": 3,
    }
    return {"sources": [source], "images": [image], **changes}


def test_sources_and_figures_are_links_and_their_titles_are_not():
    text = appendix(finish())
    links = re.findall(r"(?<!\\)\]\((http[^)]+)\)", text)
    assert links == ["http://h/images/f", "http://h/documents/d/pages/3.png?chunk=c"]
    assert "p. 3-4" in text
    assert "<b>" not in text


def test_nothing_is_appended_to_an_answer_without_sources():
    assert appendix({"sources": [], "images": []}) == ""
    assert appendix(finish(images=[{**finish()["images"][0], "url": ""}], sources=[])) == ""


def test_plain_text_survives():
    assert plain("图 2.3 流量 曲线") == "图 2.3 流量 曲线"


def test_the_printed_page_label_stands_beside_a_page_that_has_another_number():
    source = {"n": 1, "doc": "报告", "section_path": "", "page": 5, "page_start": 5, "page_end": 5}
    finish = {"sources": [{**source, "page_label": "iii"}], "images": []}
    assert "p. 5 (iii)" in appendix(finish)


def test_a_collections_name_is_trimmed_at_every_door():
    assert RunOptions(collection="kb ").collection == "kb"
    assert IngestOptions(collection=" kb").collection == "kb"
