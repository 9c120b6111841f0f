"""Descriptions of pictures and tables by models, each asked for once and kept on disk."""

import json
import threading
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

from langchain_core.messages import HumanMessage

from ..core.ports import Said, VisionModel
from ..core.text import digest
from .openai_chat import OpenAIChat
from .whole_file import write_whole


class RememberingDescriber:
    """One small JSON file a reply under `folder`, named by content, prompt and model.

    A failed call is not remembered. Thread-safe: of two threads that want one description, the
    second waits for the first.
    """

    def __init__(
        self, folder: Path, *, vision: VisionModel | None = None, chat: OpenAIChat | None = None
    ) -> None:
        self._folder = folder
        self._vision = vision
        self._chat = chat
        self._guard = threading.Lock()
        self._locks: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)

    @property
    def picture_model(self) -> str:
        """Name of the vision model; "": there is none."""
        return self._vision.name if self._vision else ""

    @property
    def table_model(self) -> str:
        """Name of the model that summarises tables; "": there is none."""
        return f"openai:{self._chat.settings.model}" if self._chat else ""

    def picture(self, key: str, image: bytes, prompt: str) -> Said:
        """The picture's description; "" when it cannot be seen. Raises ModelError."""
        vision = self._vision
        if vision is None:
            return Said(text="", called=False)
        return self._once(
            digest(key, vision.name, length=32), lambda: vision.describe(image, prompt)
        )

    def table(self, key: str, prompt: str) -> Said:
        """The summary that the prompt asks for. Raises ModelError."""
        chat = self._chat
        if chat is None:
            return Said(text="", called=False)
        name = digest(key, self.table_model, length=32)

        def ask() -> str:
            return chat.invoke([HumanMessage(prompt)]).text.strip()

        return self._once(name, ask)

    def _once(self, name: str, ask: Callable[[], str]) -> Said:
        with self._guard:
            lock = self._locks[name]
        with lock:
            known = self._recall(name)
            if known is not None:
                return Said(text=known, called=False)
            text = ask()
            self._keep(name, text)
        return Said(text=text, called=True)

    def _path(self, name: str) -> Path:
        return self._folder / name[:2] / f"{name}.json"

    def _recall(self, name: str) -> str | None:
        """What was kept; None when nothing was, or when the file is damaged."""
        try:
            kept = json.loads(self._path(name).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return kept if isinstance(kept, str) else None

    def _keep(self, name: str, text: str) -> None:
        path = self._path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(text, ensure_ascii=False).encode())
