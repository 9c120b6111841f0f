"""A scripted endpoint with chat models of it, and the three ways of asking one."""

import asyncio

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from pydantic import SecretStr

from tests.scripted_server import ScriptedServer
from tuwen.backends.openai_chat import OpenAIChat
from tuwen.core.settings import ChatSettings

KEY = "sk-verysecret123456"
ASK = [HumanMessage("额定流量是多少？")]


class Endpoint:
    """A server, models of it, and the pauses they took."""

    def __init__(self) -> None:
        self.server = ScriptedServer()
        self.slept: list[float] = []
        self.models: list[OpenAIChat] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    def model(self, *, vision: bool = False, **settings) -> OpenAIChat:
        values = {
            "model": "tiny",
            "base_url": self.server.url,
            "api_key": SecretStr(KEY),
            "timeout_seconds": 30,
            "first_token_seconds": 10,
            "idle_seconds": 10,
            **settings,
        }
        chat = OpenAIChat(
            settings=ChatSettings(**values),
            vision=vision,
            sleep=self.sleep,
            pause=self.slept.append,
        )
        self.models.append(chat)
        return chat


async def streamed(model: OpenAIChat, messages=ASK, **kwargs) -> AIMessage:
    whole = None
    async for chunk in model.astream(messages, **kwargs):
        whole = chunk if whole is None else whole + chunk
    return whole


async def asked_once(model: OpenAIChat, way: str, messages=ASK, **kwargs) -> AIMessage:
    if way == "stream":
        return await streamed(model, messages, **kwargs)
    if way == "async":
        return await model.ainvoke(messages, **kwargs)
    return await asyncio.to_thread(model.invoke, messages, **kwargs)


WAYS = pytest.mark.parametrize("way", ["stream", "async", "sync"])
