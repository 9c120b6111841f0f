"""`/v1/models` and `/v1/chat/completions`: the OpenAI form. A collection is a model.

Sources and figures stand as Markdown links under the answer, and as data in the field `tuwen`.
"""

import asyncio
import json
import time
import uuid
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import JSONResponse
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from pydantic import BaseModel, ConfigDict, Field

from ...core.errors import UsageError
from ...core.options import RunOptions
from ...core.ports import CollectionInfo
from ...graph.services import Services
from .access import is_thread_collection, may_use, private_name, shown_name
from .chat import ending, reached_at
from .errors import failure, openai_error
from .gate import Gate
from .markdown import appendix
from .presence import while_waiting
from .sse import stream
from .talk import Talk

Json = dict[str, Any]
NAME = "tuwen"
"""The model that stands for the collection `default`; `tuwen/x` for the collection x."""


class ChatMessage(BaseModel):
    """A message; other fields that clients send are ignored."""

    model_config = ConfigDict(extra="ignore")

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[dict[str, Any]] | None = None

    def to_langchain(self) -> BaseMessage | None:
        """The message for the graph; tools' messages have no place in it."""
        content: Any = self.content or ""
        if self.role == "user":
            return HumanMessage(content)
        if self.role == "assistant":
            return AIMessage(content)
        return SystemMessage(content) if self.role in ("system", "developer") else None


class Completion(BaseModel):
    """The request; sampling parameters are accepted and ignored."""

    model_config = ConfigDict(extra="ignore")

    model: str = Field(max_length=200)
    messages: list[ChatMessage] = Field(min_length=1, max_length=1000)
    stream: bool = False
    stream_options: dict[str, Any] | None = None
    n: int | None = Field(1, ge=1, le=1)

    def to_langchain(self) -> list[BaseMessage]:
        """The conversation. Raises UsageError when nobody asks anything."""
        found = [message.to_langchain() for message in self.messages]
        kept = [message for message in found if message is not None]
        if not any(isinstance(message, HumanMessage) for message in kept):
            raise UsageError("There is no message of the user.")
        return kept


def router(gate: Gate, talk: Talk) -> APIRouter:
    """The OpenAI routes."""
    routes = APIRouter(prefix="/v1", tags=["openai"])

    @routes.get("/models")
    async def models(owner: Annotated[str, Depends(gate.owner)]) -> Json:
        """`tuwen` for the collection `default`, and `tuwen/<name>` for every other one."""
        services = await gate.opened.aservices()
        infos = await asyncio.to_thread(services.catalog.collections)
        names = sorted({NAME, *(model_name(owner, i.name) for i in infos if _seen(owner, i))})
        data = [{"id": n, "object": "model", "created": 0, "owned_by": NAME} for n in names]
        return {"object": "list", "data": data}

    @routes.post("/chat/completions", response_model=None)
    async def completions(
        body: Completion, request: Request, owner: Annotated[str, Depends(gate.paced_owner)]
    ) -> Response:
        """An answer; with `stream` in pieces, the sources after the text."""
        services = await gate.opened.aservices()
        collection = await asyncio.to_thread(collection_of, services, owner, body.model)
        if collection is None:
            return openai_error(
                404, f"There is no model {body.model!r}. See /v1/models.", "model_not_found"
            )
        try:
            messages = body.to_langchain()
        except UsageError as error:
            return openai_error(400, str(error), "invalid_request")
        events = talk.turn(
            messages, RunOptions(collection=collection), owner=owner, base=reached_at(request)
        )
        head = {
            "id": f"chatcmpl-{uuid.uuid4().hex}",
            "created": int(time.time()),
            "model": body.model,
        }
        if body.stream:
            usage = bool((body.stream_options or {}).get("include_usage"))
            return stream(pieces(events, head, usage=usage))
        return JSONResponse(await while_waiting(request, whole(events, head)))

    return routes


def _seen(owner: str, info: CollectionInfo) -> bool:
    return may_use(owner, info.name) and not is_thread_collection(info.name)


def model_name(owner: str, collection: str) -> str:
    """A collection's model name."""
    shown = shown_name(owner, collection)
    return NAME if shown == "default" else f"{NAME}/{shown}"


def collection_of(services: Services, owner: str, model: str) -> str | None:
    """The collection of a model name, with or without `tuwen/`; None: there is none. Blocking."""
    name = "default" if model == NAME else model.removeprefix(f"{NAME}/")
    known = [n for n in (private_name(owner, name), name) if may_use(owner, n)]
    exists = any(services.catalog.fingerprint(n) is not None for n in known)
    return name if exists or model == NAME else None


async def whole(events: AsyncGenerator[Json], head: Json) -> Json:
    """The completion in one piece."""
    trace, finish = await ending(events)
    message = {"role": "assistant", "content": finish["answer"] + appendix(finish)}
    choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
    return {
        **head,
        "object": "chat.completion",
        "choices": [choice],
        "usage": usage_of(trace),
        "tuwen": finish,
    }


def usage_of(trace: Json) -> Json:
    """Model tokens that the turn spent; none without a model."""
    tokens = trace.get("tokens", {})
    prompt, completion = tokens.get("prompt", 0), tokens.get("completion", 0)
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
    }


async def pieces(events: AsyncGenerator[Json], head: Json, *, usage: bool) -> AsyncGenerator[str]:
    """The completion as events. What the final text has beyond the tokens follows them; when the
    check changed the text, the last piece's `tuwen.answer` is what counts."""
    trace: Json = {}
    sent = ""
    yield chunk(head, {"role": "assistant", "content": ""})
    try:
        async with aclosing(events) as turn:
            async for event in turn:
                if event["type"] == "token":
                    sent += event["text"]
                    yield chunk(head, {"content": event["text"]})
                elif event["type"] == "trace":
                    trace = event
                elif event["type"] == "finish":
                    for part in rest(sent, event):
                        yield chunk(head, {"content": part})
                    yield chunk(head, {}, reason="stop", tuwen=event)
    except Exception as error:  # noqa: BLE001  the border: a stream that has begun has no status
        body = {"error": {"message": failure(error)[1], "type": "server_error", "code": None}}
        yield f"data: {json.dumps(body, ensure_ascii=False)}\n\n"
        return
    if usage:
        last = {**head, "object": "chat.completion.chunk", "choices": [], "usage": usage_of(trace)}
        yield f"data: {json.dumps(last)}\n\n"
    yield "data: [DONE]\n\n"


def rest(sent: str, finish: Json) -> Sequence[str]:
    """What is still to be sent after the streamed tokens."""
    answer: str = finish["answer"]
    if answer.startswith(sent):
        tail = [answer[len(sent) :]]
    elif answer.strip() == sent.strip():
        tail = []
    else:
        tail = ["\n\n---\n\n", answer]
    return [part for part in (*tail, appendix(finish)) if part]


def chunk(head: Json, delta: Json, *, reason: str | None = None, **extra: Any) -> str:
    """One streamed piece."""
    choice = {"index": 0, "delta": delta, "finish_reason": reason, "logprobs": None}
    body = {**head, "object": "chat.completion.chunk", "choices": [choice], **extra}
    return f"data: {json.dumps(body, ensure_ascii=False)}\n\n"
