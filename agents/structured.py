"""JSON from any chat model: the strictest form that its endpoint accepts, then tolerant reading.

The ladder json_schema -> json_object -> plain prompt is walked down once for an endpoint; the rung
that it accepted is remembered. A reply that was cut is no reply. Nothing readable is no verdict.
"""

import asyncio
import re
from collections.abc import Iterator, Sequence
from json import JSONDecodeError, JSONDecoder
from typing import Any, TypeVar

import json_repair
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from pydantic import BaseModel, ValidationError

from ..core.errors import ModelError, PermanentError
from .capabilities import Capabilities
from .usage import NOSTREAM, UsageMeter, call_config

__all__ = ["Capabilities", "ask_in_time", "ask_json", "read_reply"]

T = TypeVar("T", bound=BaseModel)
Json = dict[str, Any]

RUNGS = ("json_schema", "json_object", "prompt")
_FORMAT_REFUSED = frozenset({"rejected"})
_THINK = re.compile(
    r"<(think|thinking|reasoning|thought)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE
)
_ORPHAN = re.compile(r"\A.*</(?:think|thinking|reasoning|thought)>", re.DOTALL | re.IGNORECASE)
_WIDE = str.maketrans("｛｝［］：，“”„‟＂", '{}[]:,"""""')
_DECODER = JSONDecoder(strict=False)
_MAX_OBJECTS = 20


async def ask_in_time(
    model: BaseChatModel,
    messages: Sequence[BaseMessage],
    schema: type[T],
    *,
    seconds: float,
    capabilities: Capabilities,
    meter: UsageMeter | None = None,
) -> T | None:
    """`ask_json` of a helper that may fail: None when the model was slow or failed, too."""
    try:
        async with asyncio.timeout(seconds):
            return await ask_json(model, messages, schema, capabilities=capabilities, meter=meter)
    except (TimeoutError, ModelError):
        return None


async def ask_json(
    model: BaseChatModel,
    messages: Sequence[BaseMessage],
    schema: type[T],
    *,
    capabilities: Capabilities,
    meter: UsageMeter | None = None,
) -> T | None:
    """The model's reply as a `schema`, or None when it gave none that can be used.

    One call, plus one for each form that the endpoint refuses (once), plus at most one repair that
    is no longer than the first. Raises ModelError for a failed endpoint, nothing else.
    """
    endpoint = str(getattr(model, "endpoint", type(model).__name__))
    rung = capabilities.rung(endpoint)
    while True:
        try:
            reply = await _ask(model, messages, schema, rung=rung, meter=meter)
            break
        except PermanentError as error:
            if error.reason not in _FORMAT_REFUSED or rung == len(RUNGS) - 1:
                raise
            rung += 1
    capabilities.remember(endpoint, rung)
    if _cut(reply):
        return None
    if (found := read_reply(reply.text, schema)) is not None:
        return found
    repair = await _ask(model, messages, schema, rung=len(RUNGS) - 1, meter=meter)
    return None if _cut(repair) else read_reply(repair.text, schema)


async def _ask(
    model: BaseChatModel,
    messages: Sequence[BaseMessage],
    schema: type[BaseModel],
    *,
    rung: int,
    meter: UsageMeter | None,
) -> AIMessage:
    kwargs: Json = {}
    if RUNGS[rung] == "json_schema":
        kwargs["response_format"] = {"type": "json_schema", "json_schema": wire_schema(schema)}
    elif RUNGS[rung] == "json_object":
        kwargs["response_format"] = {"type": "json_object"}
    return await model.ainvoke(
        _with_form(messages, schema), call_config(meter, *NOSTREAM), **kwargs
    )


def _with_form(messages: Sequence[BaseMessage], schema: type[BaseModel]) -> list[BaseMessage]:
    """The messages, the last one ending with the form wanted: json_object needs the word JSON."""
    fields = ", ".join(f'"{name}"' for name in schema.model_fields)
    form = f"\n\nReply with one JSON object only, with the keys {fields}."
    *before, last = messages
    return [*before, HumanMessage(content=last.text + form)]


def wire_schema(schema: type[BaseModel]) -> Json:
    """The schema in the strict form: every key required, no other key, no defaults."""
    return {
        "name": schema.__name__,
        "strict": True,
        "schema": _strict(schema.model_json_schema()),
    }


def _strict(node: Any) -> Any:
    if isinstance(node, list):
        return [_strict(item) for item in node]
    if not isinstance(node, dict):
        return node
    kept = {key: _strict(value) for key, value in node.items() if key != "default"}
    if isinstance(kept.get("properties"), dict):
        kept["additionalProperties"] = False
        kept["required"] = list(kept["properties"])
    return kept


def _cut(reply: AIMessage) -> bool:
    """Whether the reply ended at its length limit: whatever parses is chopped, not meant."""
    return reply.response_metadata.get("finish_reason") == "length"


def read_reply(text: str, schema: type[T]) -> T | None:
    """The first object in a reply that is a `schema`.

    Bears reasoning tags, fences, prose before and after, several objects, single quotes, trailing
    commas, full-width punctuation and unknown keys.
    """
    text = _THINK.sub("", text)
    text = _ORPHAN.sub("", text)
    for found in _objects(text):
        if (value := _validated(found, schema)) is not None:
            return value
    return None


def _objects(text: str) -> Iterator[Json]:
    """Objects in order: those that are JSON, else those that can be repaired."""
    strict = list(_decoded(text))
    yield from strict
    if strict:
        return
    for form in (text, text.translate(_WIDE)):
        start = form.find("{")
        if start < 0:
            continue
        yield from _repaired(form[start:])


def _decoded(text: str) -> Iterator[Json]:
    position = 0
    for _ in range(_MAX_OBJECTS):
        position = text.find("{", position)
        if position < 0:
            return
        try:
            value, position = _DECODER.raw_decode(text, position)
        except (JSONDecodeError, RecursionError):
            position += 1
            continue
        if isinstance(value, dict):
            yield value


def _repaired(text: str) -> Iterator[Json]:
    try:
        value = json_repair.loads(text)
    except (ValueError, RecursionError):
        return
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, dict) and item:
            yield item


def _validated(found: Json, schema: type[T]) -> T | None:
    """The object, or the one object that it wraps, without keys that nobody asked for."""
    for candidate in (found, *[value for value in found.values() if isinstance(value, dict)][:1]):
        known = {key: value for key, value in candidate.items() if key in schema.model_fields}
        if not known:
            continue
        try:
            return schema.model_validate(known)
        except ValidationError:
            continue
    return None
