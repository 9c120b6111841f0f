"""Who asks, and which collections they may see.

An API key is `owner:secret` or a bare secret, whose owner is named by its hash. A collection whose
name begins with `@owner/` is that owner's alone; every other name is shared. With authentication
off everybody is the owner `local`.
"""

import hashlib
import hmac
import re
from collections.abc import Iterable, Mapping

PRIVATE = "@"
ANYBODY = "local"
_OWNER = re.compile(r"[\w.-]{1,64}")


def owners_of(keys: Iterable[str]) -> dict[str, str]:
    """Secret -> owner. `alice:s3cret` names its owner; a bare secret is its own owner."""
    found = {}
    for key in keys:
        name, colon, secret = key.partition(":")
        if colon and secret and _OWNER.fullmatch(name):
            found[secret] = name
        else:
            found[key] = "key-" + hashlib.sha256(key.encode()).hexdigest()[:10]
    return found


def presented(headers: Mapping[str, str]) -> str:
    """The secret that a request brings: `Authorization: Bearer …` or `X-Api-Key`; "" for none."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token.strip():
        return token.strip()
    return headers.get("x-api-key", "").strip()


def owner_by_secret(owners: Mapping[str, str], secret: str) -> str | None:
    """The owner of a secret, compared in constant time; None: unknown."""
    match = None
    for known, owner in owners.items():
        if hmac.compare_digest(known.encode(), secret.encode()):
            match = owner
    return match


def private_name(owner: str, name: str) -> str:
    """The owner's own collection of that name."""
    return f"{PRIVATE}{owner}/{name}"


def may_use(owner: str, collection: str) -> bool:
    """Shared collections and the owner's own ones."""
    return not collection.startswith(PRIVATE) or collection.startswith(private_name(owner, ""))


def thread_collection(owner: str, thread: str) -> str:
    """Where the files that were uploaded in a conversation go."""
    return private_name(owner, f"thread-{thread}")


def is_thread_collection(collection: str) -> bool:
    """Whether the collection belongs to one conversation: listings leave it out."""
    return collection.startswith(PRIVATE) and collection.partition("/")[2].startswith("thread-")


def shown_name(owner: str, collection: str) -> str:
    """The name as its owner calls it: `@alice/papers` is alice's `papers`."""
    return collection.removeprefix(private_name(owner, ""))


def sign(secret: bytes, name: str, expires: int) -> str:
    """A signature of (name, expiry): whoever holds it may see that one picture until then."""
    message = f"{name}\n{expires}".encode()
    return hmac.new(secret, message, hashlib.sha256).hexdigest()[:32]


def signature_holds(secret: bytes, name: str, expires: int, signature: str, *, now: float) -> bool:
    """Whether the signature fits and has not expired."""
    fits = hmac.compare_digest(sign(secret, name, expires).encode(), signature.encode())
    return fits and expires >= now
