"""Descriptions by models: optional, at most one call a distinct picture or table, never fatal."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from ...core.errors import ModelError
from ...core.options import IngestOptions
from ...core.ports import Describer, Said
from ...ingestion.build import Built
from ...ingestion.describe import (
    Task,
    picture_tasks,
    table_tasks,
    with_descriptions,
    with_warnings,
)
from ..services import Services

_AT_ONCE = 4
# What speaks against one picture only; all other failures would meet the next call too.
_OWN = frozenset({"rejected", "too_long", "filtered"})


@dataclass
class Told:
    """What a model said by the figures' ordinals, how often it was asked, what went wrong."""

    words: dict[int, str] = field(default_factory=dict)
    calls: int = 0
    failed: int = 0
    error: str = ""
    stopped: bool = False


def models_of(services: Services, options: IngestOptions) -> tuple[str, str]:
    """Names of the models that pictures and tables are put to; empty for none."""
    describer = services.describer
    if describer is None:
        return "", ""
    pictures = describer.picture_model if options.describe else ""
    return pictures, describer.table_model if options.summarise_tables else ""


@dataclass(frozen=True)
class Descriptions:
    """What was said of pictures and of tables; `whole`: a second try would bring nothing more."""

    pictures: Told
    tables: Told

    @property
    def whole(self) -> bool:
        """Whether all that the models can say is here."""
        return not (self.pictures.stopped or self.tables.stopped)

    def put_into(self, built: Built) -> Built:
        """The edition with the words, the warnings and the number of calls."""
        notes = [
            *_notes(self.pictures, "picture(s) not described", "vision"),
            *_notes(self.tables, "table(s) not summarised", "chat"),
        ]
        told = with_descriptions(built, self.pictures.words, self.tables.words)
        return with_warnings(told, notes, self.pictures.calls + self.tables.calls)


def describe(built: Built, describer: Describer, models: tuple[str, str]) -> Descriptions:
    """Ask the models whose names are given (pictures, tables). Blocking."""
    pictures, tables = models
    edition = built.edition
    return Descriptions(
        _ask(
            picture_tasks(edition, built.record.language) if pictures else [],
            lambda task: describer.picture(task.key, edition.assets[task.asset_id], task.prompt),
        ),
        _ask(
            table_tasks(edition, built.record.language) if tables else [],
            lambda task: describer.table(task.key, task.prompt),
        ),
    )


def _ask(tasks: list[Task], ask: Callable[[Task], Said]) -> Told:
    """Put the tasks to the model, a few at once, until a failure that all would meet."""
    told = Told()
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        for first in range(0, len(tasks), _AT_ONCE):
            if told.stopped:
                told.failed += len(tasks) - first
                break
            now = tasks[first : first + _AT_ONCE]
            for task, said in zip(now, pool.map(lambda t: _try(t, ask), now), strict=True):
                _note(told, task, said)
    if tasks and told.failed == len(tasks):
        told.stopped = True  # a model that refuses every picture sees none: ask again next time
    return told


def _try(task: Task, ask: Callable[[Task], Said]) -> Said | ModelError:
    try:
        return ask(task)
    except ModelError as error:
        return error


def _note(told: Told, task: Task, said: Said | ModelError) -> None:
    if isinstance(said, ModelError):
        told.calls += 1
        told.failed += 1
        told.error = told.error or str(said)
        told.stopped = told.stopped or said.reason not in _OWN
        return
    told.calls += said.called
    told.words.update((figure, said.text) for figure in task.figures if said.text)


def _notes(told: Told, what: str, model: str) -> list[str]:
    if not told.failed:
        return []
    again = " Ingest again to have them." if told.stopped else ""
    return [f"{told.failed} {what}, the {model} model failed: {told.error}{again}"]
