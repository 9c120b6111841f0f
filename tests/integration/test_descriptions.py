"""Descriptions of pictures and tables at ingestion, over real HTTP to a scripted endpoint."""

import asyncio
import base64
import json
from io import BytesIO

import pytest
from PIL import Image

from tests.scripted_server import Reply, Rules, ScriptedServer
from tests.unit.ingestion.builders import png
from tuwen.app.config import load_settings
from tuwen.app.ingest import ingest
from tuwen.app.services import open_services
from tuwen.backends.vision_openai import LONGEST_SIDE, fitting
from tuwen.core.options import IngestOptions
from tuwen.core.settings import ChatSettings
from tuwen.graph.ingest import build_ingest_graph

pytestmark = pytest.mark.integration
WORDS = "折线图：横轴为月份，纵轴为水位，单位 m，七月最高，约 318.6 m。"
TABLE = "<table><tr><th>测站</th><th>警戒水位</th></tr><tr><td>石门</td><td>321.0</td></tr></table>"


def picture_block(name, page, caption=""):
    block = {"type": "image", "img_path": f"images/{name}", "page_idx": page}
    return {**block, "image_caption": [caption] if caption else []}


def report_folder(folder):
    """Two different pictures, one of them twice, a logo on every page, a tiny picture, a table."""
    (folder / "images").mkdir(parents=True)
    pictures = {"a.png": png(80, 60, 1), "b.png": png(80, 60, 2), "logo.png": png(60, 40, 3)}
    for name, data in {**pictures, "dot.png": png(4, 4, 4)}.items():
        (folder / "images" / name).write_bytes(data)
    blocks = [
        {"type": "text", "text": "1 水情", "text_level": 1, "page_idx": 0},
        {"type": "text", "text": "全年水位如图1所示，总体平稳。", "page_idx": 0},
        picture_block("a.png", 0, "图1 全年水位"),
        picture_block("b.png", 1, "图2 测站位置"),
        picture_block("a.png", 2, "图3 全年水位（同图1）"),
        *(picture_block("logo.png", page) for page in range(4)),
        picture_block("dot.png", 1),
        {"type": "table", "table_caption": ["表1 警戒水位"], "table_body": TABLE, "page_idx": 2},
    ]
    path = folder / "report_content_list.json"
    path.write_text(json.dumps(blocks, ensure_ascii=False), encoding="utf-8")
    return folder


@pytest.fixture
def server():
    with ScriptedServer() as made:
        made.script(WORDS)
        yield made


@pytest.fixture
def folder(tmp_path):
    return report_folder(tmp_path / "report")


@pytest.fixture
def run(tmp_path, server):
    """Ingests with a vision model (and a chat model) at the scripted server; gives the reports,
    the figures by caption and the chunks."""

    def go(*paths, vision="seer", chat="", url="", **options):
        base = load_settings({}, folder=tmp_path, home=tmp_path / "home")
        at = {"base_url": url or server.url, "max_retries": 0}
        models = {
            "vision": ChatSettings(model=vision, **at) if vision else ChatSettings(),
            "chat": ChatSettings(model=chat, **at) if chat else ChatSettings(),
        }
        with open_services(base.model_copy(update=models)) as services:
            graph = build_ingest_graph(services).compile()
            chosen = IngestOptions(**options)
            reports = asyncio.run(ingest(graph, [str(path) for path in paths], options=chosen))
            records = services.catalog.documents()
            figures = [f for r in records for f in services.catalog.figures_of(r.doc_id)]
            chunks = [c for r in records for c in services.catalog.chunks_of(r.doc_id)]
        return reports, {figure.caption: figure for figure in figures}, chunks

    return go


def test_each_distinct_picture_is_described_once_and_decoration_never(run, server, folder):
    reports, figures, _ = run(folder)
    assert reports[0].state == "ready"
    assert reports[0].model_calls == len(server.requests) == 2
    sent = {url for asked in server.requests for url in asked.images}
    expected = {(folder / "images" / name).read_bytes() for name in ("a.png", "b.png")}
    assert sent == {f"data:image/png;base64,{base64.b64encode(d).decode()}" for d in expected}
    assert any("图1 全年水位" in asked.text for asked in server.requests)
    assert all(figures[name].described for name in ("图1 全年水位", "图3 全年水位（同图1）"))
    assert not any(figure.described for caption, figure in figures.items() if not caption)


def test_description_is_marked_and_searched_but_no_text_of_the_document(run, folder):
    _, figures, chunks = run(folder)
    figure = figures["图2 测站位置"]
    assert figure.description.startswith(f"机器描述（非原文）：{WORDS}")
    assert "图2 测站位置" in figure.description
    chunk = next(c for c in chunks if c.chunk_id == figure.chunk_id)
    assert WORDS in chunk.embedding_text
    assert not any("318.6" in c.text for c in chunks)


def test_remembered_pictures_cost_no_call_in_another_document(run, server, folder, tmp_path):
    run(folder)
    other = report_folder(tmp_path / "other")
    with (other / "report_content_list.json").open(encoding="utf-8") as file:
        blocks = json.load(file)
    blocks[1]["text"] = "另一份文档用了同样的图。"
    text = json.dumps(blocks, ensure_ascii=False)
    (other / "report_content_list.json").write_text(text, encoding="utf-8")
    server.requests.clear()
    reports, _, chunks = run(other)
    assert (reports[0].state, reports[0].model_calls) == ("ready", 0)
    assert server.requests == []
    assert sum(WORDS in chunk.embedding_text for chunk in chunks) == 6


def test_same_file_again_is_unchanged_and_asks_nothing(run, server, folder):
    run(folder)
    server.requests.clear()
    assert run(folder)[0][0].state == "unchanged"
    assert server.requests == []


def test_without_a_vision_model_nothing_is_called_and_a_later_model_describes(run, server, folder):
    reports, figures, _ = run(folder, vision="", chat="talker")
    assert (reports[0].state, reports[0].model_calls, server.requests) == ("ready", 0, [])
    assert not figures["图1 全年水位"].described
    reports, figures, _ = run(folder)
    assert (reports[0].state, reports[0].model_calls) == ("ready", 2)
    assert figures["图1 全年水位"].described


def test_switched_off_for_a_run_nothing_is_called(run, server, folder):
    reports, _, _ = run(folder, describe=False)
    assert (reports[0].state, server.requests) == ("ready", [])


def test_failing_endpoint_costs_the_descriptions_only_and_is_tried_again(run, server, folder):
    server.script(Reply(status=500, error="down"))
    reports, figures, _ = run(folder)
    assert reports[0].state == "ready"
    assert any("not described" in note and "Ingest again" in note for note in reports[0].warnings)
    assert not figures["图1 全年水位"].described
    server.script(WORDS)
    reports, figures, _ = run(folder)
    assert (reports[0].state, reports[0].warnings) == ("ready", ())
    assert figures["图1 全年水位"].described


def test_dead_endpoint_is_not_asked_for_every_picture(run, folder, server):
    closed = ScriptedServer()
    closed.close()
    reports, _, chunks = run(folder, url=closed.url)
    assert reports[0].state == "ready"
    assert chunks
    assert "vision model failed" in reports[0].warnings[0]


def test_model_that_sees_no_pictures_is_said_once(run, server, folder):
    server.rules = Rules(text_only=True)
    reports, figures, _ = run(folder)
    assert reports[0].state == "ready"
    assert sum("not described" in note for note in reports[0].warnings) == 1
    assert not figures["图1 全年水位"].described


def test_tables_are_summarised_when_asked_for_and_else_are_markdown(run, server, folder):
    server.script("各测站的警戒水位，单位 m。")
    reports, figures, chunks = run(folder, vision="", chat="talker", summarise_tables=True)
    assert reports[0].model_calls == len(server.requests) == 1
    assert "石门" in server.requests[0].text
    table = figures["表1 警戒水位"]
    assert table.summary == "机器摘要（非原文）：各测站的警戒水位，单位 m。"
    assert "<table>" in table.html
    chunk = next(c for c in chunks if c.chunk_id == table.chunk_id)
    assert "各测站的警戒水位" in chunk.embedding_text
    assert "| 石门 | 321.0 |" in chunk.embedding_text
    assert "各测站的警戒水位" not in chunk.text


def test_large_picture_is_sent_smaller_and_a_damaged_one_as_it_is():
    data = BytesIO()
    Image.new("RGB", (5000, 100), "white").save(data, "PNG")
    small, mime = fitting(data.getvalue(), "image/png")
    assert mime == "image/jpeg"
    assert max(Image.open(BytesIO(small)).size) == LONGEST_SIDE
    assert fitting(b"\x89PNG\r\n\x1a\n???", "image/png") == (b"\x89PNG\r\n\x1a\n???", "image/png")
