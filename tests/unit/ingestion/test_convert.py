"""The three layers of a converted document, and the command that writes them."""

import json

import pytest
from typer.testing import CliRunner

from tests.unit.ingestion.builders import content_list
from tuwen.app import commands_more  # noqa: F401  registers the commands
from tuwen.app.cli import app
from tuwen.app.convert import convert
from tuwen.core.errors import UsageError

FIELDS = {
    *("embedding_text", "text", "chunk_id", "semantic_id", "chunk_type", "section_path"),
    *("section_title", "section_level", "page_start", "page_end", "doc_id", "doc_title"),
    "source_ids",
}


def layout(unique, sub, text, page=0, **more):
    corners = [(100, 100), (900, 100), (900, 200), (100, 200)]
    return {
        "uniqueId": unique,
        "type": "title" if "title" in sub else "text",
        "subType": sub,
        "text": text,
        "pageNum": [page],
        "index": int(unique[1:]),
        "pos": [{"x": x, "y": y} for x, y in corners],
        **more,
    }


def cell(x, y, text):
    inner = [{"text": text, "type": "text"}]
    return {"xsc": x, "xec": x, "ysc": y, "yec": y, "layouts": inner}


@pytest.fixture
def layouts(tmp_path):
    table = {
        **layout("u5", "none", "", 1),
        "type": "table",
        "cells": [cell(0, 0, "部件"), cell(1, 0, "周期"), cell(0, 1, "密封"), cell(1, 1, "6个月")],
    }
    body = [
        layout("u0", "doc_title", "水泵检修规程", level=0),
        layout("u1", "para_title", "5 要求", level=1),
        layout("u2", "para", "5.1 泵应在停机后检修。"),
        layout("u3", "para", "5.2 密封按表1更换，" + "值班人员记录时间。" * 40),
        layout("u4", "para", "表1 检修周期", 1, type="table_name"),
        table,
    ]
    path = tmp_path / "layouts.json"
    path.write_text(json.dumps({"layouts": body}, ensure_ascii=False), encoding="utf-8")
    return path


def test_the_layers_hang_together(layouts):
    made, account = convert(layouts, max_chars=200, overlap_chars=40)
    chunks, blocks = made["vector_chunks"], made["semantic_blocks"]
    assert all(set(chunk) >= FIELDS for chunk in chunks)
    assert {c["semantic_id"] for c in chunks} == {b["semantic_id"] for b in blocks}
    assert [b["type"] for b in blocks] == ["section_text", "table"]
    assert blocks[1]["html"].startswith("<table")
    assert blocks[1]["caption"] == "表1 检修周期"
    assert {node["title"]: node["level"] for node in made["structure_nodes"]} == {
        "水泵检修规程": 0,
        "5 要求": 1,
    }
    assert account.balanced


def test_sources_are_the_parsers_own_ids_and_clauses_keep_their_numbers(layouts):
    made, _ = convert(layouts, max_chars=200, overlap_chars=40)
    first = made["vector_chunks"][0]
    assert (first["section_number"], first["source_ids"]) == ("5.1", ["u2"])
    assert made["semantic_blocks"][0]["source_ids"] == ["u2", "u3"]


def test_sizes_are_kept_and_ids_do_not_change(layouts):
    once, again = (convert(layouts, max_chars=120, overlap_chars=20)[0] for _ in range(2))
    assert once == again
    assert max(len(c["text"]) for c in once["vector_chunks"]) <= 120


def test_a_content_list_is_converted_too(tmp_path):
    entries = [
        {"type": "text", "text": "1 总则", "text_level": 1, "page_idx": 0},
        {"type": "text", "text": "泵应在停机后检修。", "page_idx": 0},
    ]
    made, _ = convert(content_list(tmp_path / "out", entries), max_chars=500, overlap_chars=80)
    assert made["vector_chunks"][0]["section_path"] == "1 总则"
    assert made["vector_chunks"][0]["source_ids"] == [1]


def test_a_folder_of_several_documents_is_refused(tmp_path):
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text("# 泵\n\n正文。", encoding="utf-8")
    with pytest.raises(UsageError, match="2 documents"):
        convert(tmp_path, max_chars=500, overlap_chars=80)


def test_the_command_writes_the_file_and_says_how_much(layouts, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    to = tmp_path / "out" / "vector_chunks.json"
    options = ["--out", str(to), "--max-chars", "200", "--overlap-chars", "40", "--json"]
    done = CliRunner().invoke(app, ["convert", str(layouts), *options])
    assert done.exit_code == 0, done.output
    said = json.loads(done.output)
    written = json.loads(to.read_text(encoding="utf-8"))
    assert said["vector_chunks"] == len(written["vector_chunks"]) > 2


def test_an_overlap_as_long_as_the_chunk_is_refused(layouts):
    done = CliRunner().invoke(
        app, ["convert", str(layouts), "--max-chars", "100", "--overlap-chars", "100"]
    )
    assert isinstance(done.exception, UsageError)
