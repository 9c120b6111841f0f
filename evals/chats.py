"""Questions through the real chat graph without a model, and what their answers are worth."""

import asyncio
import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from ..app.ask import ask
from ..core.options import RunOptions
from ..graph.chat import build_chat_graph
from ..graph.services import Services
from .progress import told

Json = dict[str, Any]
_NUMERIC = re.compile(r"[-+$¥€£]?\d[\d.,]*[%‰]?")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_BLANK_OR_MARK = re.compile(r"[\s\"'“”‘’「」『』《》〈〉()（）\[\]【】,，。、;；:：!！?？·*_`|-]+")


@dataclass(frozen=True)
class Asked:
    """The finish event and the trace of one question; `selected` are figures chosen on the way,
    also those that an abstention then hid."""

    finish: Json
    trace: Json
    selected: tuple[str, ...] = ()

    @property
    def images(self) -> list[str]:
        """Ids of the figures shown, first to last."""
        return [image["id"] for image in self.finish.get("images", [])]

    @property
    def abstained(self) -> bool:
        """Whether the answer says that nothing was found."""
        return bool(self.finish.get("abstained"))


def ask_all(
    services: Services, questions: Sequence[tuple[str, RunOptions]], *, what: str
) -> list[Asked]:
    """One turn each, every question a thread of its own."""
    services.embedder.embed_queries(list(dict.fromkeys(text for text, _ in questions)))
    graph = build_chat_graph(services).compile()

    async def run() -> list[Asked]:
        found = []
        for text, options in told(questions, what, len(questions)):
            events: list[Json] = []
            asked = await ask(graph, text, options=options, on_event=events.append)
            chosen = tuple(e["image"]["id"] for e in events if e.get("type") == "figure")
            found.append(Asked(finish=asked.finish, trace=asked.trace, selected=chosen))
        return found

    return asyncio.run(run())


def without_model(collection: str, **options: Any) -> RunOptions:
    """The options of an evaluation: the extractive writer, whatever is configured."""
    return RunOptions(collection=collection, use_model=False, **options)


def contains(answer: str, groups: Sequence[Sequence[str]]) -> bool:
    """Whether the answer holds, of every group, any of its texts.

    Width, case, blanks and punctuation do not count; a number must stand alone, so that 70 is
    not found in 170 or in 70.5.
    """
    return bool(groups) and all(any(_holds(answer, text) for text in group) for group in groups)


def _holds(answer: str, text: str) -> bool:
    plain = _THOUSANDS.sub("", unicodedata.normalize("NFKC", text).strip().casefold())
    if _NUMERIC.fullmatch(plain):
        said = _THOUSANDS.sub("", unicodedata.normalize("NFKC", answer).casefold())
        pattern = rf"(?<![\d.]){re.escape(plain.lstrip('+'))}(?!\d|\.\d)"
        return re.search(pattern, said) is not None
    wanted = squeezed(text)
    return bool(wanted) and wanted in squeezed(answer)


def squeezed(text: str) -> str:
    """NFKC, lower case, without blanks, quotes, brackets and punctuation (points stay)."""
    plain = _THOUSANDS.sub("", unicodedata.normalize("NFKC", text).casefold())
    return _BLANK_OR_MARK.sub("", plain)


def cites_page(asked: Asked, doc_id: str, pages: Collection[int]) -> bool:
    """Whether any cited source stands on one of the pages of the document."""
    return any(
        source.get("doc_id") == doc_id and bool(_pages(source) & set(pages))
        for source in asked.finish.get("sources", [])
    )


def _pages(source: Json) -> set[int]:
    """The page that a source points at; its range where it names no single page."""
    if source.get("page") is not None:
        return {int(source["page"])}
    first = source.get("page_start")
    if first is None:
        return set()
    return set(range(int(first), int(source.get("page_end") or first) + 1))
