"""Reports as tables for the terminal."""

from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

Json = dict[str, Any]
_NOT_ROWS = frozenset({"intervals", "notes"})


def print_report(console: Console, report: Json) -> None:
    """Rows of the same metrics as one table each; single values and notes below."""
    tables: dict[tuple[str, ...], list[tuple[str, Json]]] = {}
    for label, row in _rows(report):
        tables.setdefault(tuple(row), []).append((label, row))
    for columns, rows in tables.items():
        table = Table(title=str(report.get("set", "")))
        table.add_column("", no_wrap=True)
        for name in columns:
            table.add_column(name, justify="right", no_wrap=True)
        for label, row in rows:
            table.add_row(Text(label), *(_cell(row[name]) for name in columns))
        console.print(table)
    plain = {key: value for key, value in report.items() if not isinstance(value, dict | list)}
    console.print(Text(" · ".join(f"{key}: {_cell(value)}" for key, value in plain.items())))
    for name, note in (report.get("notes") or {}).items():
        console.print(Text(f"{name}: {note}"), soft_wrap=True)


def _rows(report: Json) -> Iterator[tuple[str, Json]]:
    """Every mapping of numbers in the report, nested names joined by a slash."""
    for key, value in report.items():
        if key not in _NOT_ROWS and isinstance(value, dict):
            yield from _walk(key, value)


def _walk(label: str, value: Json) -> Iterator[tuple[str, Json]]:
    numbers = {k: v for k, v in value.items() if not isinstance(v, dict | list)}
    if any(v is not None for v in numbers.values()):
        yield label, numbers
    for key, inner in value.items():
        if key not in _NOT_ROWS and isinstance(inner, dict):
            yield from _walk(f"{label}/{key}", inner)


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    return f"{value:.3f}" if isinstance(value, float) else str(value)
