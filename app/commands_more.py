"""The commands about the store, the machine and the server."""

import importlib
import importlib.util
import os
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from ..core.errors import UsageError
from . import convert, parsers_cli  # noqa: F401  registers their commands
from .cli import AsJson, Collection, app, err, out, print_json, run, settings
from .cli import services as open_all
from .render import report_json

EVALS = f"{__package__.rpartition('.')[0]}.evals.cli"
"""Imported by name: the application does not depend on its evaluations."""

documents = typer.Typer(help="文档：list、show、delete。 Documents.", invoke_without_command=True)
app.add_typer(documents, name="documents")


@documents.callback()
def documents_default(context: typer.Context) -> None:
    """Without a sub-command: list."""
    if context.invoked_subcommand is None:
        list_documents(collection="", as_json=False)


@documents.command("list")
def list_documents(
    collection: Annotated[str, typer.Option("--collection", "-c")] = "", as_json: AsJson = False
) -> None:
    """列出文档。 List documents."""
    name = collection.strip() or None
    with open_all(warm=False) as services:
        records = services.catalog.documents(name)
        failures = services.catalog.failures(name)
    if as_json:
        documents = [record.model_dump(mode="json") for record in records]
        print_json({"documents": documents, "failed": [report_json(item) for item in failures]})
        return
    table = Table()
    for title in ("id", "文档 / document", "集合 / collection", "状态", "页", "切片", "图表"):
        table.add_column(title)
    for record in records:
        table.add_row(
            record.doc_id,
            Text(record.title),
            Text(record.collection),
            record.state,
            "" if record.pages is None else str(record.pages),
            str(record.chunks),
            str(record.figures),
        )
    out.print(table)
    for report in failures:
        out.print(Text(f"✗ {report.doc_id} {report.path}: {report.error}", style="red"))


@documents.command("show")
def show_document(doc_id: str, as_json: AsJson = False) -> None:
    """一个文档的章节与图表。 One document: its record and figures."""
    with open_all(warm=False) as services:
        record = services.catalog.document(doc_id)
        if record is None:
            raise UsageError(f"There is no document {doc_id}. See: tuwen documents list")
        figures = services.catalog.figures_of(doc_id)
    shown = {
        **record.model_dump(mode="json"),
        "figure_list": [
            {
                "id": f.figure_id,
                "kind": f.kind,
                "label": f.label_text,
                "caption": f.caption,
                "page": f.page,
                "available": f.available,
                "decoration": f.decoration,
            }
            for f in figures
        ],
    }
    if as_json:
        print_json(shown)
    else:
        out.print_json(data=shown)


@documents.command("delete")
def delete_document(doc_id: str, as_json: AsJson = False) -> None:
    """从所有索引中删除文档。 Delete a document from every index."""
    with open_all(warm=False) as services:
        failed = any(report.doc_id == doc_id for report in services.catalog.failures())
        services.catalog.forget_failures([doc_id])
        deleted = services.store.delete(doc_id) or failed
    if as_json:
        print_json({"doc_id": doc_id, "deleted": deleted})
    elif deleted:
        out.print(f"已删除 / deleted {doc_id}")
    if not deleted:
        raise UsageError(f"There is no document {doc_id}. See: tuwen documents list")


@app.command()
def collections(as_json: AsJson = False) -> None:
    """列出集合。 List collections."""
    with open_all(warm=False) as services:
        found = services.catalog.collections()
    if as_json:
        print_json({"collections": [info.model_dump(mode="json") for info in found]})
        return
    table = Table()
    for name in ("集合 / collection", "文档", "切片", "图表", "编码器 / encoder"):
        table.add_column(name)
    for info in found:
        table.add_row(
            Text(info.name),
            str(info.documents),
            str(info.chunks),
            str(info.figures),
            f"{info.embedder} ({info.dim})",
        )
    out.print(table)


@app.command()
def reindex(collection: Collection = "default", as_json: AsJson = False) -> None:
    """换编码器后重建向量。 Embed a collection again with the encoder now set."""
    from .repair import rebuild

    count = rebuild(settings(), collection.strip())
    if as_json:
        print_json({"collection": collection.strip(), "chunks": count})
    else:
        out.print(f"已重建 / rebuilt: {count} chunks")


@app.command()
def doctor(
    as_json: AsJson = False,
    repair: Annotated[
        bool, typer.Option("--repair", help="重建索引 / rebuild the indexes")
    ] = False,
) -> None:
    """检查安装、配置与连通。 What is installed, configured, reachable, and what to do."""
    from .doctor import examine
    from .repair import mend

    mended = mend(settings()) if repair else []
    findings = [*run(examine(settings())), *mended]
    if as_json:
        print_json({"checks": [finding.model_dump(mode="json") for finding in findings]})
    else:
        table = Table(show_header=False, box=None)
        for finding in findings:
            mark = {"ok": "[green]✓[/green]", "off": "[dim]–[/dim]"}.get(
                finding.state, "[red]✗[/red]"
            )
            table.add_row(
                mark, Text(finding.name, "bold"), Text(finding.detail), Text(finding.todo)
            )
        out.print(table)
    if any(finding.state == "bad" for finding in findings):
        raise typer.Exit(1)


@app.command()
def serve(
    host: str = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535)] = 2024,
    workers: Annotated[int, typer.Option(min=1, help="同时运行数 / runs at once")] = 10,
    insecure: Annotated[
        bool, typer.Option(help="无密钥对外服务 / no keys, others reach it")
    ] = False,
) -> None:
    """启动 langgraph dev 服务器。 Start langgraph dev with the right flags."""
    from .serve import command, environment, notice, working_folder

    loaded = settings()
    if said := notice(host, loaded, insecure=insecure):
        err.print(said)

    argv = command(host=host, port=port, jobs=workers)
    env = environment(loaded, Path())
    os.chdir(working_folder(loaded, port))
    os.execvpe(argv[0], argv, env)  # the server becomes this process


@app.command()
def demo(as_json: AsJson = False) -> None:
    """入库示例文档并用中英文提问。 Ingest the samples and answer questions about them."""
    from .demo import run_demo

    run_demo(as_json=as_json)


def mount_evals() -> None:
    """`tuwen eval`: the evaluations live beside the package and are not in the wheel."""
    if importlib.util.find_spec(EVALS) is not None:
        app.add_typer(importlib.import_module(EVALS).app, name="eval")
