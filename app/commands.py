"""The commands about documents and questions."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn
from rich.table import Table
from rich.text import Text

from ..core.document import EMPTY_FOLDER, FileReport
from ..core.errors import UsageError
from ..core.options import IngestOptions, RunOptions
from ..graph.services import Services
from . import commands_more  # noqa: F401  registers the rest
from .cli import AsJson, Collection, app, err, out, parse_where, print_json, run
from .cli import services as open_all
from .gone import gone_from, said_gone
from .render import answer_view, print_reports, reports_json

Where = Annotated[list[str], typer.Option("--where", help="key=value; 元数据过滤 / filter")]
Json = dict[str, Any]
Metadata = Annotated[list[str], typer.Option("--where", help="key=value; 写入元数据 / stored")]
PARSERS = ("auto", "docvortex", "magic-pdf", "mineru", "ocr")


@app.command()
def ingest(
    paths: Annotated[list[Path], typer.Argument(help="文件或文件夹 / files or folders")],
    collection: Collection = "default",
    source_type: Annotated[str, typer.Option(help="slides, exam, notes, … (猜测 / guessed)")] = "",
    parser: Annotated[str, typer.Option(help=", ".join(PARSERS))] = "",
    where: Metadata = [],  # noqa: B006  typer copies it
    describe: Annotated[
        bool,
        typer.Option(help="视觉模型描述图片（若已设置） / pictures described by a vision model"),
    ] = True,
    summarise_tables: Annotated[
        bool,
        typer.Option("--summarise-tables", help="对话模型概述表格 / a chat model sums up tables"),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """入库文件或文件夹。 Ingest files or folders."""
    if parser and parser not in PARSERS:
        raise UsageError(f"--parser is one of {', '.join(PARSERS)}, not {parser!r}.")
    extra = {key: values[-1] for key, values in parse_where(where).items()}
    options = IngestOptions(
        collection=named(collection),
        source_type=source_type,
        parser=parser,
        metadata=extra,
        describe=describe,
        summarise_tables=summarise_tables,
    )
    with open_all() as services:
        reports = ingest_with_progress(services, [*map(str, paths)], options, quiet=as_json)
        told = {report.doc_id for report in reports}  # a renamed file is its document still
        known = services.catalog.documents(options.collection)
        gone = [record for record in gone_from(paths, known) if record.doc_id not in told]
    if as_json:
        left = [{"doc_id": record.doc_id, "path": record.name} for record in gone]
        print_json(reports_json(reports) | ({"gone": left} if left else {}))
    else:
        print_reports(out, reports)
        for record in gone:
            out.print(Text(f"! {said_gone(record)}", style="yellow"))
        if calls := sum(report.model_calls for report in reports):
            out.print(f"模型调用 / model calls: {calls}")
    failed = [report for report in reports if report.state == "failed"]
    empty = [report for report in reports if report.reason == EMPTY_FOLDER]
    if failed or len(empty) == len(reports):
        err.print(f"{len(reports) - len(failed) - len(empty)} / {len(reports)} ok")
        raise typer.Exit(1)


def ingest_with_progress(
    services: Services, paths: list[str], options: IngestOptions, *, quiet: bool
) -> list[FileReport]:
    """Run the ingestion graph under a progress bar on standard error."""
    from ..graph.ingest import build_ingest_graph
    from .ingest import ingest as run_ingest

    graph = build_ingest_graph(services).compile()
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
    )
    with Progress(*columns, console=err, disable=quiet, transient=True) as bar:
        task = bar.add_task("入库 / ingesting", total=None)

        def show(event: Json) -> None:
            if event.get("type") != "ingest.file":
                return
            name = Path(event["path"]).name
            pages = f" {event['pages']}/{event['of_pages']}" if event.get("of_pages") else ""
            shown = f"{event['stage']:9} {name}{pages}"
            bar.update(task, total=event["total"], description=shown)
            if event["stage"] == "done":
                bar.advance(task)

        return run(run_ingest(graph, paths, options=options, on_event=show))


def named(collection: str) -> str:
    """The collection's name; a run's options trim it. Raises UsageError when it is blank."""
    if not collection.strip():
        raise UsageError("A collection needs a name / 集合名不能为空。")
    return collection


def typed(text: str) -> str:
    """What was asked. Raises UsageError when it is blank."""
    if not text.strip():
        raise UsageError("There is no question / 请输入问题。")
    return text


def existing(services: Services, collection: str) -> None:
    """Raises UsageError where others have documents and this collection was never made; one that
    holds only files that failed is answered, with their names."""
    names = [info.name for info in services.catalog.collections()]
    name = collection.strip()
    if names and name not in names and not services.catalog.failures(name):
        raise UsageError(
            f"There is no collection {name!r} / 没有这个集合。"
            f" Those that exist / 已有：{', '.join(sorted(names))}"
        )


@app.command()
def ask(
    question: Annotated[str, typer.Argument(help="问题 / question")],
    collection: Collection = "default",
    thread: Annotated[str, typer.Option(help="同名续谈 / the same name continues")] = "",
    where: Where = [],  # noqa: B006
    top_k: Annotated[
        int, typer.Option(min=0, max=200, help="证据段数；0 用设置 / passages; 0: as set")
    ] = 0,
    effort: Annotated[str, typer.Option(help="quick, normal, deep")] = "normal",
    as_json: AsJson = False,
) -> None:
    """提问，得到带引用与图表的答案。 Ask; the answer has citations and figures."""
    if effort not in ("quick", "normal", "deep"):
        raise UsageError(f"--effort is quick, normal or deep, not {effort!r}.")
    options = RunOptions(
        collection=named(collection),
        filters=parse_where(where),
        top_k=top_k,
        effort=effort,  # type: ignore[arg-type]  # checked above
    )
    typed(question)
    with open_all() as services:
        existing(services, collection)
        asked = run(ask_once(services, question, thread, options))
        if as_json:
            print_json({**asked["finish"], "trace": asked["trace"]})
        else:
            out.print(answer_view(asked["finish"], lambda i: picture_path(services, i)))


async def ask_once(services: Services, question: str, thread: str, options: RunOptions) -> Json:
    """One turn, with a checkpointer on disk when a thread is named."""
    from .ask import ask as run_ask
    from .threads import chat_graph

    async with chat_graph(services, "disk" if thread else "none") as graph:
        asked = await run_ask(graph, question, thread=thread, options=options)
    return {"finish": asked.finish, "trace": asked.trace}


def picture_path(services: Services, figure_id: str) -> Path | None:
    """The local file of a figure, for the terminal only."""
    figures = services.catalog.figures([figure_id])
    return services.assets.path(figures[0].asset_id) if figures and figures[0].asset_id else None


@app.command()
def search(
    query: Annotated[str, typer.Argument(help="检索词 / query")],
    collection: Collection = "default",
    top_k: Annotated[int, typer.Option("--top-k", min=1, max=200)] = 10,
    where: Where = [],  # noqa: B006
    as_json: AsJson = False,
) -> None:
    """只检索，不写答案。 Retrieve only."""
    from .search import search as run_search

    options = RunOptions(collection=named(collection), filters=parse_where(where), top_k=top_k)
    typed(query)
    with open_all() as services:
        existing(services, collection)
        found = run(run_search(services, query, options))
    if as_json:
        print_json(found)
        return
    table = Table(expand=True)
    for name in ("#", "score", "文档 / document", "页 / page", "文本 / text"):
        table.add_column(name, ratio=5 if "text" in name else None)
    for rank, hit in enumerate(found["hits"], 1):
        text = Text(" ".join(hit["text"].split())[:200])
        page = "" if hit["page_start"] is None else str(hit["page_start"])
        table.add_row(str(rank), f"{hit['score']:.3f}", Text(hit["doc"]), page, text)
    out.print(table)
    for item in found["notices"]:
        err.print(Text(item["text"], style="yellow"))


@app.command()
def chat(collection: Collection = "default", thread: str = "") -> None:
    """对话；:q 退出，:s 显示或隐藏来源。 Talk; :q quits, :s toggles sources."""
    from .talk import talk

    with open_all() as services:
        talk(services, named(collection), thread)
