"""Progress on standard error."""

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")
_TOLD_EVERY = 25


def told(items: Iterable[T], what: str, total: int) -> Iterator[T]:
    """The items, with a count on standard error."""
    for done, item in enumerate(items):
        if done % _TOLD_EVERY == 0:
            say(f"{what} {done}/{total}")
        yield item
    say(f"{what} {total}/{total}")


def say(text: str) -> None:
    """A line on standard error."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()
