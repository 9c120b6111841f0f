"""A run's filters hold for what a question names by number, over turns, and for sections."""

from collections.abc import Iterator

import pytest

from tests.graph.talking import Talk, take_in, written
from tuwen.app.config import load_settings
from tuwen.app.search import search
from tuwen.app.services import open_services
from tuwen.core.options import RunOptions
from tuwen.graph.services import Services

MANUAL = """# {name}手册

## 2 系统

### 2.3 检修

{name}泵的检修周期为 {months} 个月。

表2.3 {name}参数

| 项 | 值 |
|---|---|
| 检修周期 | {months} 个月 |
"""


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    folder = tmp_path_factory.mktemp("filters")
    months = {"给水": 6, "排水": 9}
    texts = {f"{name}.md": MANUAL.format(name=name, months=n) for name, n in months.items()}
    with open_services(load_settings({}, home=folder / "home")) as opened:
        take_in(opened, *written(folder / "papers", texts))
        yield opened


def ids(services: Services) -> dict[str, str]:
    return {record.name: record.doc_id for record in services.catalog.documents("notes")}


async def test_an_object_of_a_document_outside_the_filter_is_not_found(services: Services) -> None:
    everywhere = await Talk(services).say("表2.3")
    assert "label_ambiguous" in everywhere.codes
    only = Talk(services, filters={"doc_id": ids(services)["排水.md"]})
    turn = await only.say("表2.3")
    assert [image["caption"] for image in turn.finish["images"]] == ["表2.3 排水参数"]
    assert {source["doc"] for source in turn.finish["sources"]} == {"排水手册"}
    assert "label_ambiguous" not in turn.codes


async def test_a_picture_in_focus_is_gone_when_the_next_turn_leaves_its_document_out(
    services: Services,
) -> None:
    free = Talk(services)
    assert (await free.say("给水手册的表2.3")).finish["images"]
    other = Talk(services, saver=free.saver, filters={"doc_id": ids(services)["排水.md"]})
    turn = await other.say("这张表说明了什么？")
    assert not any("给水" in image["caption"] for image in turn.finish["images"])
    assert all(source["doc"] == "排水手册" for source in turn.finish["sources"])


async def test_a_section_that_two_documents_have_is_quoted_from_both(services: Services) -> None:
    turn = await Talk(services).say("2.3节说了什么？")
    assert not turn.finish["abstained"]
    assert "6 个月" in turn.answer
    assert "9 个月" in turn.answer
    assert {source["doc"] for source in turn.finish["sources"]} == {"给水手册", "排水手册"}


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_a_key_that_the_collection_has_not_is_said_with_those_it_has(services, language):
    talk = Talk(services, filters={"yaer": "2023"}, language=language)
    turn = await talk.say("给水泵的检修周期是多少？")
    (notice,) = [n for n in turn.finish["notices"] if n["code"] == "filter_unknown"]
    assert "yaer" in notice["text"]
    assert "source_type" in notice["text"]
    assert turn.finish["abstained"]
    found = await search(services, "检修周期", RunOptions(collection="notes", filters={"yaer": 1}))
    assert [n["code"] for n in found["notices"]] == ["filter_unknown"]


async def test_a_filter_that_nothing_matches_is_said_and_one_that_holds_is_not(services):
    nothing = Talk(services, filters={"source_type": "exam"})
    codes = (await nothing.say("给水泵的检修周期是多少？")).codes
    assert codes.count("filter_empty") == 1
    title = next(record.title for record in services.catalog.documents("notes"))
    holds = await Talk(services, filters={"title": title}).say("检修周期是多少？")
    assert not {"filter_empty", "filter_unknown"} & set(holds.codes)
