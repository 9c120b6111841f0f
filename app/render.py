"""Answers and reports for the terminal. Document text is shown as text, never as markup."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console, Group, RenderableType
from rich.markdown import Markdown
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from ..core.document import EMPTY_FOLDER, FileReport
from .shown import pages

Json = dict[str, Any]
STATE_STYLE = {
    "ready": "green",
    "partial": "yellow",
    "failed": "red",
    "unchanged": "dim",
    "duplicate": "dim",
    "skipped": "dim",
}
CHECK_MARKS = {"supported": " ✓", "partly": " ~", "unsupported": " ✗"}
QUOTE_CHARS = 160


def answer_panel(finish: Json) -> RenderableType:
    """The answer as Markdown in a frame that says how it was checked."""
    title = "tuwen" + (f" · {finish['verdict']}" if finish.get("verdict") else "")
    text = finish["answer"].replace("\n", "  \n")  # a line of the answer is a line here
    return Panel(Markdown(text), title=title, title_align="left", border_style="cyan")


def source_table(sources: Sequence[Json]) -> RenderableType:
    """One row a cited source: where it is, the words, and how the check went."""
    table = Table(title="来源 / Sources", title_justify="left", expand=True, box=box.SIMPLE_HEAD)
    table.add_column("", justify="right", style="cyan", no_wrap=True)
    table.add_column("文档、页、章节 / where", ratio=2, overflow="fold")
    table.add_column("引文 / quote", ratio=3)
    for item in sources:
        quote = " ".join(item["quote"].split())
        quote = quote if len(quote) <= QUOTE_CHARS else quote[: QUOTE_CHARS - 1] + "…"
        where = Text(item["doc"], style="bold")
        where.append(f" {pages(item)}", style="green")
        if item["section_path"]:
            where.append(f"\n{item['section_path']}", style="dim")
        mark = CHECK_MARKS.get(item["verdict"], "")
        table.add_row(f"[{item['n']}]{mark}", where, Text(quote))
    return table


def image_lines(images: Sequence[Json], locate: Callable[[str], Path | None]) -> RenderableType:
    """One line a figure, with the file to open."""
    lines = Text()
    for item in images:
        path = locate(item["id"])
        page = f", p. {item['page']}" if item.get("page") else ""
        lines.append("🖼  " if path else "   ", style="cyan")
        lines.append(f"{item['caption'] or item['label'] or item['type']}", style="bold")
        lines.append(f" — {item['source']}{page}\n")
        if path:
            lines.append(f"    {path}\n", "dim")
        elif not item.get("html"):  # a table of text never had a picture
            lines.append("    (原图缺失 / picture not available)\n", "dim")
    return lines


def answer_view(
    finish: Json, locate: Callable[[str], Path | None], *, sources: bool = True
) -> RenderableType:
    """The whole answer: text, figures, sources, notices."""
    parts: list[RenderableType] = [answer_panel(finish)]
    if finish["images"]:
        parts.append(image_lines(finish["images"], locate))
    if sources and finish["sources"]:
        parts.append(source_table(finish["sources"]))
    parts.extend(Text(f"! {notice['text']}", style="yellow") for notice in finish["notices"])
    return Group(*parts)


def report_table(reports: Sequence[FileReport]) -> RenderableType:
    """One row a file: what came in and where it went."""
    table = Table(title="入库报告 / Ingestion", title_justify="left", box=box.SIMPLE_HEAD)
    table.add_column("文件 / file", overflow="fold", min_width=20)
    for name in ("状态", "页", "块=入+并+弃", "切片", "图表", "秒"):
        table.add_column(name, no_wrap=True, justify="left" if name == "状态" else "right")
    for report in reports:
        account = report.blocks
        dropped = sum(account.dropped.values())
        table.add_row(
            Text(report.path),
            Text(report.state, style=STATE_STYLE[report.state]),
            "" if report.pages is None else str(report.pages),
            f"{account.total}={account.indexed}+{account.merged}+{dropped}",
            str(report.chunks),
            str(report.figures),
            f"{report.seconds:.1f}",
        )
    return table


def print_reports(console: Console, reports: Sequence[FileReport]) -> None:
    """The table, then one clear line per failure and warning."""
    console.print(report_table(reports))
    for report in reports:
        if report.error:
            console.print(Text(f"✗ {report.path}: {report.error}", style="red"))
        if report.reason == EMPTY_FOLDER:
            said = "文件夹里什么也没有 / there is nothing in this folder"
            console.print(Text(f"! {report.path}: {said}", style="yellow"))
        for warning in report.warnings:
            console.print(Text(f"! {report.path}: {warning}", style="yellow"))


def reports_json(reports: Sequence[FileReport]) -> Json:
    """What `tuwen ingest --json` prints: the files, and beside them what a folder held that is
    no document."""
    return {
        "files": [report_json(item) for item in reports if item.state != "skipped"],
        "skipped": [
            {"path": item.path, "reason": item.reason}
            for item in reports
            if item.state == "skipped"
        ],
    }


def report_json(report: FileReport) -> Json:
    """A report as `tuwen ingest --json` gives it."""
    item = report.model_dump(mode="json")
    blocks = item.pop("blocks")
    item["blocks"] = {
        "in": blocks["total"],
        "indexed": blocks["indexed"],
        "merged": blocks["merged"],
        "dropped": blocks["dropped"],
    }
    return item
