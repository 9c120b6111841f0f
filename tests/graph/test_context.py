import pytest

from tuwen.app import build_chat_graph
from tuwen.core.errors import UsageError


async def test_a_call_without_a_context_says_what_to_pass(store):
    graph = build_chat_graph(store).compile()
    question = {"messages": [{"role": "user", "content": "你好"}]}
    with pytest.raises(UsageError, match="context="):
        await graph.ainvoke(question)
    assert (await graph.ainvoke(question, context={}))["answer"]["answer"]
