"""LangGraph's own routes behind the same keys as ours; named in `langgraph.json`.

Without keys everybody is one owner: a development server is single-tenant, and says so at start.
"""

from typing import Any

from langgraph_sdk import Auth

from .access import ANYBODY, may_use, owner_by_secret, owners_of, presented
from .opened import opened

auth = Auth()
OPEN_PATHS = frozenset({"/ok", "/info"})


def keys() -> dict[str, str]:
    """Secret -> owner; empty: authentication is off."""
    return owners_of(key.get_secret_value() for key in opened.settings().server.api_keys)


def owner_of(headers: dict[str, str]) -> str | None:
    """Who sends these headers; None: nobody that the keys know."""
    known = keys()
    return owner_by_secret(known, presented(headers)) if known else ANYBODY


@auth.authenticate
async def authenticate(headers: dict[bytes, bytes]) -> Auth.types.MinimalUserDict:
    """The owner of the key that a request brings."""
    owner = owner_of({_text(k).lower(): _text(v) for k, v in dict(headers).items()})
    if owner is None:
        raise Auth.exceptions.HTTPException(
            status_code=401, detail="A valid API key is needed: Authorization: Bearer <key>."
        )
    return {"identity": owner, "is_authenticated": True}


def _text(value: bytes | str) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else value


@auth.on
async def deny(ctx: Auth.types.AuthContext, value: Any) -> Any:
    """What no other handler knows: only with authentication off, or for one's own."""
    return None if not keys() else {"owner": ctx.user.identity}


@auth.on.threads
async def own_threads(ctx: Auth.types.AuthContext, value: Any) -> Any:
    """A thread carries its owner's name; nobody else sees, continues or deletes it."""
    owner = {"owner": ctx.user.identity}
    if isinstance(value, dict):
        metadata = value.get("metadata")
        if isinstance(metadata, dict):
            metadata.update(owner)
        elif ctx.action in ("create", "update", "create_run"):
            value["metadata"] = dict(owner)
        _check_collection(ctx, value.get("kwargs"))
    return owner if keys() else None


@auth.on.assistants
async def assistants(ctx: Auth.types.AuthContext, value: Any) -> Any:
    """The built-in assistants may be read and run by everybody, changed by nobody with a key."""
    if keys() and ctx.action in ("create", "update", "delete"):
        return False
    return None


@auth.on.store
async def own_store(ctx: Auth.types.AuthContext, value: Any) -> Any:
    """The key-value store: below the owner's name."""
    if keys() and tuple(value.get("namespace") or ())[:1] != (ctx.user.identity,):
        return False
    return None


def _check_collection(ctx: Auth.types.AuthContext, kwargs: Any) -> None:
    context = kwargs.get("context") if isinstance(kwargs, dict) else None
    name = context.get("collection", "") if isinstance(context, dict) else ""
    if keys() and not may_use(ctx.user.identity, str(name)):
        raise Auth.exceptions.HTTPException(status_code=403, detail="That collection is private.")
