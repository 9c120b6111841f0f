"""Vendor errors, translated once into tuwen's error tree, in words that a user can act on,
English and Chinese.

No message carries a key, a path or a query of an address: only the host.
"""

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pydantic import SecretStr

from ..core.errors import ModelError, PermanentError, TransientError

if TYPE_CHECKING:
    import openai

PUBLIC_API = "https://api.openai.com/v1"
_TOO_LONG = re.compile(
    r"context[_ ](length|window)|maximum context|too many tokens|too long|input length"
    r"|max(imum)? (input )?length|exceeds? .{0,40}(tokens|length)|上下文.{0,6}长度|超过.{0,8}长度",
    re.IGNORECASE,
)
_FILTERED = re.compile(
    r"content[_ ]?(filter|policy|management)|data_?inspection|content exists risk"
    r"|inappropriate content|敏感|违规|审核",
    re.IGNORECASE,
)
_QUOTA = re.compile(r"insufficient_(quota|balance)|arrearage|billing|余额|欠费", re.IGNORECASE)
_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]*://\S+", re.IGNORECASE)
_KEY = re.compile(r"\b(?:sk|key|pk|ak)-[A-Za-z0-9_*-]{4,}|Bearer\s+\S+", re.IGNORECASE)
_TRANSIENT_STATUS = frozenset({408, 409, 425, 429})


@dataclass(frozen=True)
class Endpoint:
    """Where a model is. `part` is the group of settings to name in messages: chat, rerank, ..."""

    part: str
    model: str
    base_url: str
    api_key: SecretStr

    @property
    def url(self) -> str:
        """The base address that requests go to."""
        return (self.base_url or PUBLIC_API).rstrip("/")

    @property
    def host(self) -> str:
        """Host and port, without user, path and query: safe to show."""
        parts = urlsplit(self.url)
        return (parts.hostname or "?") + (f":{parts.port}" if parts.port else "")

    @property
    def local(self) -> bool:
        """Whether it is on this machine: then no proxy is asked."""
        name = urlsplit(self.url).hostname or ""
        return name in {"localhost", "::1"} or name.startswith("127.")

    def scrub(self, text: str) -> str:
        """A vendor's message on one line, at most 200 characters, without keys and addresses."""
        key = self.api_key.get_secret_value()
        text = text.replace(key, "***") if len(key) > 3 else text
        text = _KEY.sub("***", _ADDRESS.sub("[address]", text))
        text = " ".join(text.split())
        return text if len(text) <= 200 else text[:199] + "…"


def translate(error: Exception, endpoint: Endpoint) -> ModelError:
    """The typed error for whatever the openai package (or reading its stream) raised."""
    import openai

    if isinstance(error, openai.APITimeoutError):
        return timed_out(endpoint, "did not answer in time", zh="没有按时回答")
    if isinstance(error, openai.APIConnectionError):
        return TransientError(
            f"The model endpoint at {endpoint.host} cannot be reached, or the connection broke. "
            f"Is it running? Check {endpoint.part}.base_url.",
            reason="connection",
            zh=f"连不上模型服务 {endpoint.host}，或连接中断。请确认它在运行，并检查"
            f" {endpoint.part}.base_url。",
        )
    if isinstance(error, openai.APIStatusError):
        return _of_status(error, endpoint)
    if isinstance(error, openai.APIError):
        return _of_stream(error, endpoint)
    return unreadable(endpoint)


def timed_out(endpoint: Endpoint, what: str, *, zh: str) -> TransientError:
    """The endpoint was too slow; `what` and `zh` say in which way."""
    return TransientError(
        f"The model {endpoint.model} at {endpoint.host} {what}. Try again, or raise the time "
        f"limits of {endpoint.part}.",
        reason="timeout",
        zh=f"{endpoint.host} 的模型 {endpoint.model} {zh}。请重试，或调大 {endpoint.part}"
        " 的时间限制。",
    )


def unreadable(endpoint: Endpoint) -> TransientError:
    """The reply was broken in transport."""
    return TransientError(
        f"The model endpoint at {endpoint.host} sent a reply that cannot be read. Try again.",
        reason="unreadable",
        zh=f"模型服务 {endpoint.host} 的回复无法读取。请重试。",
    )


def foreign(endpoint: Endpoint) -> PermanentError:
    """The reply is a web page or another protocol."""
    return PermanentError(
        f"What answers at {endpoint.host} does not speak the OpenAI protocol. "
        f"Check {endpoint.part}.base_url: it usually ends in /v1.",
        reason="protocol",
        zh=f"{endpoint.host} 的服务不是 OpenAI 协议。请检查 {endpoint.part}.base_url：通常以 /v1"
        " 结尾。",
    )


def filtered(endpoint: Endpoint, detail: str = "") -> PermanentError:
    """The endpoint's own content filter stepped in."""
    return PermanentError(
        f"The content filter of {endpoint.host} refused this question or its sources"
        + (f" ({detail})." if detail else ".")
        + " Rephrase it, or use another model.",
        reason="filtered",
        zh=f"{endpoint.host} 的内容过滤拒绝了这个问题或其资料"
        + (f"（{detail}）。" if detail else "。")
        + "请换个说法，或换用其他模型。",
    )


def _of_status(error: "openai.APIStatusError", endpoint: Endpoint) -> ModelError:
    status = error.status_code
    detail = endpoint.scrub(_message(error))
    facts = f"{error.code or ''} {error.type or ''} {detail}"
    if status == 402 or (status in {403, 429} and _QUOTA.search(facts)):
        return PermanentError(
            f"The account at {endpoint.host} has no credit left. Top it up, or use another model.",
            reason="quota",
            zh=f"{endpoint.host} 的账户余额不足。请充值，或换用其他模型。",
        )
    if status in _TRANSIENT_STATUS or status >= 500:
        return _transient_status(error, endpoint)
    if status in {401, 403}:
        return PermanentError(
            f"The model endpoint at {endpoint.host} refused the key (HTTP {status}). "
            f"Check {endpoint.part}.api_key.",
            reason="auth",
            zh=f"模型服务 {endpoint.host} 拒绝了密钥（HTTP {status}）。请检查"
            f" {endpoint.part}.api_key。",
        )
    if status == 404:
        return PermanentError(
            f"The endpoint at {endpoint.host} knows no model '{endpoint.model}', or has another "
            f"path (HTTP 404). Check {endpoint.part}.model and {endpoint.part}.base_url (it "
            f"usually ends in /v1).",
            reason="model",
            zh=f"{endpoint.host} 没有模型“{endpoint.model}”，或路径不同（HTTP 404）。请检查"
            f" {endpoint.part}.model 和 {endpoint.part}.base_url（通常以 /v1 结尾）。",
        )
    return _refused(facts, detail, status, endpoint)


def _refused(facts: str, detail: str, status: int, endpoint: Endpoint) -> PermanentError:
    """HTTP 400, 413, 422 and the like: the request itself is not accepted."""
    if _TOO_LONG.search(facts) or status == 413:
        return PermanentError(
            f"The request is longer than the model {endpoint.model} allows ({detail}). "
            f"Lower {endpoint.part}.context_tokens to the model's window.",
            reason="too_long",
            zh=f"请求超出模型 {endpoint.model} 允许的长度（{detail}）。请把"
            f" {endpoint.part}.context_tokens 调到模型的窗口以内。",
        )
    if _FILTERED.search(facts):
        return filtered(endpoint, detail)
    return PermanentError(
        f"The model endpoint at {endpoint.host} rejected the request (HTTP {status}): {detail}",
        reason="rejected",
        zh=f"模型服务 {endpoint.host} 拒绝了请求（HTTP {status}）：{detail}",
    )


def _transient_status(error: "openai.APIStatusError", endpoint: Endpoint) -> TransientError:
    status = error.status_code
    wait = retry_after(error.response.headers)
    if status == 429:
        told = f" It asks to wait {wait:g} s." if wait is not None else ""
        return TransientError(
            f"The model endpoint at {endpoint.host} is receiving too many requests.{told} "
            "Try again later.",
            retry_after=wait,
            reason="rate",
            zh=f"模型服务 {endpoint.host} 的请求过多。"
            + (f"它要求等待 {wait:g} 秒。" if wait is not None else "")
            + "请稍后再试。",
        )
    return TransientError(
        f"The model endpoint at {endpoint.host} failed (HTTP {status}). Try again later.",
        retry_after=wait,
        reason="server",
        zh=f"模型服务 {endpoint.host} 出错（HTTP {status}）。请稍后再试。",
    )


def _of_stream(error: "openai.APIError", endpoint: Endpoint) -> ModelError:
    """An error object inside a stream, after HTTP 200."""
    detail = endpoint.scrub(_message(error))
    facts = f"{error.code or ''} {error.type or ''} {detail}"
    if _TOO_LONG.search(facts):
        return _refused(facts, detail, 400, endpoint)
    if _FILTERED.search(facts):
        return filtered(endpoint, detail)
    return TransientError(
        f"The model endpoint at {endpoint.host} broke off: {detail}",
        reason="server",
        zh=f"模型服务 {endpoint.host} 中断：{detail}",
    )


def retry_after(headers: Any) -> float | None:
    """Seconds that the endpoint asks to wait: `retry-after-ms` or `retry-after` (seconds or date).

    None when it does not say, or says something unusable.
    """
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name)
        if value is None:
            continue
        try:
            seconds = float(value) * scale
        except ValueError:
            seconds = _seconds_until(value)
        if 0 <= seconds < float("inf"):
            return seconds
    return None


def _seconds_until(date: str) -> float:
    """Seconds from now to an HTTP date; -1 when it is none."""
    try:
        return (parsedate_to_datetime(date) - datetime.now(UTC)).total_seconds()
    except (TypeError, ValueError):
        return -1.0


def _message(error: "openai.APIError") -> str:
    """The vendor's own sentence, without the package's prefix."""
    body = error.body
    if isinstance(body, dict):
        inner = body.get("error", body)
        message = inner.get("message") if isinstance(inner, dict) else inner
        if isinstance(message, str) and message:
            return message
        return json.dumps(body, ensure_ascii=False, default=str)
    return error.message
