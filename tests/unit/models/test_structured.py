import pytest
from langchain_core.messages import HumanMessage
from pydantic import BaseModel

from tests.fakes import ScriptedChat
from tuwen.agents.structured import Capabilities, ask_json, read_reply, wire_schema


class Intent(BaseModel):
    intent: str
    q: str = ""


READ = [
    ('<think>要查 {泵}</think>{"intent":"kb"}', Intent(intent="kb")),
    ('要查 {"intent":"chat"}</think>{"intent":"kb"}', Intent(intent="kb")),
    ('```json\n{"intent":"kb"}\n```', Intent(intent="kb")),
    ('```\n{"intent":"kb"}', Intent(intent="kb")),
    ('好的，结果如下：{"intent":"kb","q":"a}b"} 希望有帮助', Intent(intent="kb", q="a}b")),
    ('{"intent":"kb"}\n{"intent":"chat"}', Intent(intent="kb")),
    ("{'intent': 'kb',}", Intent(intent="kb")),
    ("｛“intent”：“kb”｝", Intent(intent="kb")),
    ('{"intent":"kb","extra":[1]}', Intent(intent="kb")),
    ('{"result":{"intent":"kb"}}', Intent(intent="kb")),
    ('[{"intent":"kb"}]', Intent(intent="kb")),
    ('{"note":"x"} then {"intent":"kb"}', Intent(intent="kb")),
    ('{"intent":"a\nb"}', Intent(intent="a\nb")),
    ('集合 {1, 2} 之后 {"intent":"kb"}', Intent(intent="kb")),
    ('{"intent": "kb", "q": "他说\\"好\\""}', Intent(intent="kb", q='他说"好"')),
]


@pytest.mark.parametrize(("text", "want"), READ)
def test_object_is_read_from_any_wrapping(text, want):
    assert read_reply(text, Intent) == want


@pytest.mark.parametrize(
    "text", ["", "我不确定", "{}", '<think>{"intent":"kb"}', "{" * 5000, '{"other": 1}', "null"]
)
def test_nothing_readable_is_nothing(text):
    assert read_reply(text, Intent) is None


class Nested(BaseModel):
    inner: Intent
    many: list[Intent] = []


def test_strict_schema_closes_every_object():
    schema = wire_schema(Nested)["schema"]
    for node in (schema, schema["$defs"]["Intent"]):
        assert node["additionalProperties"] is False
        assert node["required"] == list(node["properties"])
    assert "default" not in str(schema)


async def test_any_chat_model_can_be_asked():
    chat = ScriptedChat(replies=['{"intent": "kb"}'])
    assert await ask_json(chat, [HumanMessage("x")], Intent, capabilities=Capabilities())


def test_rung_never_climbs_again():
    capabilities = Capabilities()
    capabilities.remember("a", 2)
    capabilities.remember("a", 1)
    assert (capabilities.rung("a"), capabilities.rung("b")) == (2, 0)
