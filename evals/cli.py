"""`tuwen eval`: mounted by the command line where the evaluations are installed."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from .peers import default_folder

app = typer.Typer(help="评测：检索、页面、图表、引用。 Evaluations.", no_args_is_help=True)
Json = dict[str, Any]
AsJson = Annotated[bool, typer.Option("--json", help="机器可读 / for machines")]
Limit = Annotated[int, typer.Option(min=0, help="最多多少问；0 为全部 / questions at most; 0: all")]
Docs = Annotated[list[Path], typer.Option("--docs", help="文档文件夹 / folder of documents")]
Format = Annotated[str, typer.Option("--format")]
Questions = Annotated[Path | None, typer.Option(help="平行问题 / parallel questions")]
Collection = Annotated[str, typer.Option("--collection", "-c", help="集合 / collection")]
Baselines = Annotated[Path, typer.Option(help="基线环境 / the peers' environments")]
BASELINES = default_folder()
out = Console()


def show(report: Json, *, as_json: bool) -> None:
    """The report as JSON, or as a table."""
    if as_json:
        sys.stdout.write(json.dumps(report, ensure_ascii=False, indent=2) + "\n")
        return
    from .tables import print_report

    print_report(out, report)


@app.command()
def retrieval(
    file: Path,
    format: Format = "squad",
    questions: Questions = None,
    docs: Docs = [],  # noqa: B006  typer copies it
    limit: Limit = 0,
    baselines: Baselines = BASELINES,
    as_json: AsJson = False,
) -> None:
    """检索各阶段与基线。 Retrieval per leg and stage, with baselines."""
    from .datasets import load_retrieval
    from .retrieval import evaluate_retrieval

    loaded = load_retrieval(
        format,
        file,
        questions=questions,
        docs=docs[0] if docs else None,
        limit=limit or None,
    )
    show(evaluate_retrieval(loaded, baselines=baselines), as_json=as_json)


@app.command()
def pages(
    file: Path,
    format: Format = "mmlongbench",
    docs: Docs = [],  # noqa: B006
    limit: Limit = 0,
    baselines: Baselines = BASELINES,
    answers: Annotated[bool, typer.Option(help="也测拒答 / measure abstention too")] = True,
    as_json: AsJson = False,
) -> None:
    """证据页命中与拒答。 Evidence pages of PDFs, and abstention."""
    from .datasets_pages import load_pages
    from .pages import evaluate_pages

    loaded = load_pages(format, file, docs, limit=limit or None)
    show(evaluate_pages(loaded, baselines=baselines, answers=answers), as_json=as_json)


@app.command()
def figures(
    collection: Collection = "default",
    docs: Docs = [],  # noqa: B006
    limit: Limit = 0,
    as_json: AsJson = False,
) -> None:
    """图号、改写、无图问题。 Figures by number, by paraphrase, and where none is needed."""
    from .figures import evaluate_figures

    with opened(docs, collection) as (services, name):
        show(evaluate_figures(services, name, limit=limit or None), as_json=as_json)


@app.command()
def citations(
    collection: Collection = "default",
    docs: Docs = [],  # noqa: B006
    limit: Limit = 200,
    as_json: AsJson = False,
) -> None:
    """引用的页与框能否在 PDF 中找回引文。 Do cited page and box hold the quote?"""
    from .citations import evaluate_citations

    with opened(docs, collection) as (services, name):
        show(evaluate_citations(services, name, limit=limit or 10**9), as_json=as_json)


@app.command()
def rewrite(
    file: Path, format: Format = "rewrite_zh", limit: Limit = 300, as_json: AsJson = False
) -> None:
    """追问改写（规则）。 Follow-ups made self-contained by the rules."""
    from .datasets_rewrite import load_rewrite
    from .rewrite import evaluate_rewrite

    show(evaluate_rewrite(load_rewrite(format, file, limit=limit or None)), as_json=as_json)


@app.command()
def answers(
    file: Path,
    format: Format = "squad",
    questions: Questions = None,
    docs: Docs = [],  # noqa: B006
    limit: Limit = 0,
    as_json: AsJson = False,
) -> None:
    """摘录式回答：含答案、引页、拒答。 The extractive writer: answers, pages, abstention."""
    from .answers import HELD_OUT, evaluate_page_answers, evaluate_passage_answers
    from .datasets import load_retrieval
    from .datasets_pages import PAGE_FORMATS, load_pages

    if format in PAGE_FORMATS:
        report = evaluate_page_answers(load_pages(format, file, docs, limit=limit or None))
    else:
        loaded = load_retrieval(format, file, questions=questions, limit=limit or None)
        report = evaluate_passage_answers(loaded, every=HELD_OUT.get(format, 4))
    show(report, as_json=as_json)


@contextmanager
def opened(docs: list[Path], collection: str) -> Iterator[tuple[Any, str]]:
    """The user's own collection, or documents ingested into a temporary home."""
    from .harness import COLLECTION, own_services, temporary_services
    from .pages import ingest_files

    if not docs:
        with own_services() as services:
            yield services, collection.strip()
        return
    with temporary_services() as services:
        ingest_files(services, [str(path) for path in docs])
        yield services, COLLECTION
