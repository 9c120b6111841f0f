"""`/chat/stream` and `/chat`: a question in, typed events or the finish event out."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import StreamingResponse
from langchain_core.messages import HumanMessage
from pydantic import BaseModel, ConfigDict, Field

from ...core.options import RunOptions
from .gate import Gate
from .presence import while_waiting
from .sse import encoded, stream
from .talk import Talk

Json = dict[str, Any]
Scalar = str | int | float | bool


class ChatRequest(BaseModel):
    """One turn."""

    model_config = ConfigDict(extra="forbid")

    question: str = Field(min_length=1, max_length=20000)
    thread: str = Field("", max_length=200, description="The same name continues a conversation.")
    collection: str = Field("default", min_length=1, max_length=200)
    filters: dict[str, Scalar | list[Scalar]] = Field(default_factory=dict)
    top_k: int = Field(0, ge=0, le=200)
    effort: Literal["quick", "normal", "deep"] = "normal"
    language: Literal["auto", "zh", "en"] = "auto"
    figures: bool = True
    use_model: bool = True
    ask_back: bool = False

    def options(self) -> RunOptions:
        """The run's choices."""
        return RunOptions(**self.model_dump(exclude={"question", "thread"}))


def reached_at(request: Request) -> str:
    """Where this client reached the server; the setting, if there is one, comes before it."""
    return str(request.base_url).rstrip("/")


def router(gate: Gate, talk: Talk) -> APIRouter:
    """The chat routes."""
    routes = APIRouter(tags=["chat"])
    paced = Depends(gate.paced_owner)

    def events(body: ChatRequest, request: Request, owner: str) -> AsyncGenerator[Json]:
        return talk.turn(
            [HumanMessage(body.question)],
            body.options(),
            owner=owner,
            thread=body.thread,
            base=reached_at(request),
        )

    @routes.post("/chat/stream", response_class=StreamingResponse)
    async def chat_stream(
        body: ChatRequest, request: Request, owner: Annotated[str, paced]
    ) -> StreamingResponse:
        """Server-sent events: `token`, progress, `trace`, and `finish` last (or `error`)."""
        talk.refuse_busy(owner, body.thread)
        return stream(encoded(events(body, request, owner)))

    @routes.post("/chat")
    async def chat(body: ChatRequest, request: Request, owner: Annotated[str, paced]) -> Json:
        """The finish event at once, with the trace."""
        talk.refuse_busy(owner, body.thread)
        return await while_waiting(request, _whole(events(body, request, owner)))

    return routes


async def _whole(events: AsyncGenerator[Json]) -> Json:
    trace, finish = await ending(events)
    return {**finish, "trace": trace}


async def ending(events: AsyncGenerator[Json]) -> tuple[Json, Json]:
    """(trace, finish) of a turn."""
    trace: Json = {}
    async with aclosing(events) as turn:
        async for event in turn:
            if event["type"] == "trace":
                trace = event
            elif event["type"] == "finish":
                return trace, event
    raise HTTPException(500, "The turn ended without an answer.")
