"""Two savers on one threads file: the terminal's and the server's."""

import aiosqlite
import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.base import empty_checkpoint

from tuwen.app.doors.saver import TidySaver, kept_threads, open_saver
from tuwen.app.doors.scope import OWNER_KEY
from tuwen.app.threads import ThreadSaver


def turn(number, *messages):
    """(config's parent id, checkpoint, metadata) of a step."""
    checkpoint = empty_checkpoint()
    values = {"messages": list(messages), "long": "流量" * 20000}
    return {**checkpoint, "channel_values": values, "channel_versions": {"messages": number}}


async def store(saver, config, *messages, number=1):
    metadata = {"source": "loop", "step": number, "graph_id": "chat"}
    return await saver.aput(config, turn(number, *messages), metadata, {"messages": number})


def thread(name, owner="alice"):
    return {"configurable": {"thread_id": name, "checkpoint_ns": "", OWNER_KEY: owner}}


async def test_each_reads_what_the_other_wrote(tmp_path):
    path = tmp_path / "threads.sqlite"
    async with open_saver(path) as server:
        await store(server, thread("t"), HumanMessage("问"), AIMessage("答"))
    async with aiosqlite.connect(str(path)) as connection:
        terminal = ThreadSaver(connection)
        found = await terminal.aget_tuple(thread("t"))
        assert [m.content for m in found.checkpoint["channel_values"]["messages"]] == ["问", "答"]
        await store(terminal, thread("u"), HumanMessage("在终端问"))
    async with open_saver(path) as server:
        found = await server.aget_tuple(thread("u"))
        assert found.checkpoint["channel_values"]["messages"][0].content == "在终端问"
    assert ("t", "chat", "alice") in await kept_threads(path)


async def test_the_servers_checkpoints_are_packed_and_without_bytes(tmp_path):
    path = tmp_path / "threads.sqlite"
    data = "QUJD" * 30000
    block = {"type": "file", "mimeType": "application/pdf", "data": data, "metadata": {}}
    content = [{"type": "text", "text": "看"}, block]
    async with open_saver(path) as saver:
        await store(saver, thread("t"), HumanMessage(content))
        kept = await saver.aget_tuple(thread("t"))
    assert "QUJD" not in str(kept)
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) < 100_000


async def test_writes_of_steps_that_are_over_are_forgotten(tmp_path):
    async with open_saver(tmp_path / "threads.sqlite") as saver:
        config = thread("t")
        for number in range(1, 5):
            config = await store(saver, config, HumanMessage("问"), number=number)
            await saver.aput_writes(config, [("messages", "x")], f"task-{number}")
        async with saver.conn.execute("SELECT DISTINCT checkpoint_id FROM writes") as rows:
            left = [row[0] async for row in rows]
    assert len(left) <= 2


@pytest.mark.parametrize("kind", [ThreadSaver, TidySaver])
async def test_nothing_is_pickled(tmp_path, kind):
    async with aiosqlite.connect(str(tmp_path / "t.sqlite")) as connection:
        saver = kind(connection)
        with pytest.raises(TypeError):
            saver.serde.dumps_typed({"value": lambda: None})
