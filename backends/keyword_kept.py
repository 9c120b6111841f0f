"""What a frequent term adds to every chunk's score, kept in memory for the next question.

A Chinese character stands in a third of all chunks, and a few hundred characters are in nearly
every question: an array over all rows is added ten times faster than a posting.
"""

import threading
from collections import OrderedDict

import numpy as np
from numpy.typing import NDArray

Shares = NDArray[np.uint16]
_MISSED = 256  # arrays that were asked for and not made, remembered
Key = tuple[object, int, int]
"""The state that an array belongs to, the stream and the term."""


class KeptArrays:
    """Arrays by key, up to `room` bytes; those unused for longest leave first. Thread-safe."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._lock = threading.Lock()
        self._arrays: OrderedDict[Key, Shares] = OrderedDict()
        self._missed: OrderedDict[Key, bool] = OrderedDict()
        self._size = 0

    @property
    def size(self) -> int:
        """Bytes held."""
        return self._size

    def widen(self, room: int) -> None:
        """Make room for so many bytes, never less than there was."""
        with self._lock:
            self._room = max(self._room, room)

    def get(self, key: Key) -> Shares | None:
        """The array, which is now the last to leave."""
        with self._lock:
            found = self._arrays.get(key)
            if found is not None:
                self._arrays.move_to_end(key)
            return found

    def wants(self, key: Key, size: int) -> bool:
        """Whether to make and keep an array of so many bytes: there is room, or it was asked for
        a short time ago as well. What is asked for once does not drive out the others."""
        with self._lock:
            if self._size + size <= self._room:
                return True
            if size > self._room:
                return False
            again = self._missed.pop(key, False)
            if not again:
                self._missed[key] = True
                while len(self._missed) > _MISSED:
                    self._missed.popitem(last=False)
            return again

    def put(self, key: Key, array: Shares) -> None:
        """Keep an array; one that is larger than the room is not kept."""
        with self._lock:
            self._remove(key)
            if array.nbytes > self._room:
                return
            self._arrays[key] = array
            self._size += array.nbytes
            while self._size > self._room:
                self._remove(next(iter(self._arrays)))

    def forget(self, owner: object) -> None:
        """Let go of everything that belongs to a state."""
        with self._lock:
            for key in [k for k in self._arrays if k[0] is owner]:
                self._remove(key)
            for key in [k for k in self._missed if k[0] is owner]:
                del self._missed[key]

    def _remove(self, key: Key) -> None:
        gone = self._arrays.pop(key, None)
        if gone is not None:
            self._size -= gone.nbytes
