"""Machine-made words beside the document's own: which pictures and tables, and where they go.

The text of a chunk stays verbatim: descriptions are searched and read, never quoted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from .. import prompts
from ..core.chunk import Chunk, Edition, Figure
from ..core.text import digest, has_cjk
from .build import Built

_TABLE_CHARS = 6000
_ZH = ("机器描述（非原文）：", "机器摘要（非原文）：")
_EN = ("Machine-made description (not in the document): ", "Machine-made summary: ")


@dataclass(frozen=True)
class Task:
    """One model call at most: `key` names the picture or the table by content."""

    key: str
    prompt: str
    asset_id: str = ""
    figures: tuple[int, ...] = ()
    """Ordinals of the figures that it is."""


def picture_tasks(edition: Edition, language: str) -> list[Task]:
    """One task a distinct picture that is content; tables that could be read are none."""
    found: dict[str, list[Figure]] = {}
    for figure in edition.figures:
        readable = figure.kind == "table" and figure.html
        if figure.asset_id and not figure.decoration and not readable:
            found.setdefault(figure.asset_id, []).append(figure)
    prompt = prompts.load("describe_figure")
    return [
        Task(
            key=digest(asset, prompt.version, length=32),
            prompt=prompt.render(
                caption=_said(same[0].caption),
                section=_said(same[0].section_path),
                context=_said("\n".join((same[0].context_before, same[0].context_after))),
                language=_language(same[0], language),
            ),
            asset_id=asset,
            figures=tuple(figure.ordinal for figure in same),
        )
        for asset, same in found.items()
    ]


def table_tasks(edition: Edition, language: str) -> list[Task]:
    """One task a distinct table that could be read."""
    found: dict[str, list[Figure]] = {}
    for figure in edition.figures:
        if figure.kind == "table" and figure.html:
            found.setdefault(figure.html, []).append(figure)
    prompt = prompts.load("summarise_table")
    return [
        Task(
            key=digest(html, prompt.version, length=32),
            prompt=prompt.render(
                caption=_said(same[0].caption),
                section=_said(same[0].section_path),
                table=prompts.fence(same[0].description[:_TABLE_CHARS], "table"),
                language=_language(same[0], language),
            ),
            figures=tuple(figure.ordinal for figure in same),
        )
        for html, same in found.items()
    ]


def with_descriptions(
    built: Built, pictures: Mapping[int, str], tables: Mapping[int, str]
) -> Built:
    """The edition with what models said, by the figures' ordinals; no words change nothing."""
    said = {**pictures, **tables}
    figures = tuple(_told(f, pictures, tables) for f in built.edition.figures)
    words = {f.chunk_id: said[f.ordinal] for f in figures if f.chunk_id and f.ordinal in said}
    chunks = tuple(_found_by(c, words.get(c.chunk_id, "")) for c in built.edition.chunks)
    edition = built.edition.model_copy(update={"figures": figures, "chunks": chunks})
    return replace(built, edition=edition)


def with_warnings(built: Built, notes: Sequence[str], calls: int) -> Built:
    """The edition's record with what degraded, and how often models were asked."""
    record = built.record.model_copy(update={"warnings": (*built.warnings, *notes)})
    return replace(built, record=record, model_calls=calls)


def _told(figure: Figure, pictures: Mapping[int, str], tables: Mapping[int, str]) -> Figure:
    chinese = has_cjk(f"{figure.caption}{figure.summary}")
    if text := pictures.get(figure.ordinal):
        head = (_ZH if chinese else _EN)[0]
        about = "\n".join(filter(None, (f"{head}{text}", figure.description)))
        return figure.model_copy(update={"description": about, "described": True})
    if text := tables.get(figure.ordinal):
        head = (_ZH if chinese else _EN)[1]
        return figure.model_copy(update={"summary": f"{head}{text}"})
    return figure


def _found_by(chunk: Chunk, words: str) -> Chunk:
    if not words:
        return chunk
    return chunk.model_copy(update={"embedding_text": f"{chunk.embedding_text}\n{words}"})


def _said(text: str) -> str:
    return prompts.fence(text.strip(), "said") if text.strip() else "-"


def _language(figure: Figure, language: str) -> str:
    return "Chinese" if language == "zh" or has_cjk(figure.caption) else "English"
