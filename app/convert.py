"""`tuwen convert`: a parser's layouts to three layers of JSON, for other vector stores."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from ..core.document import BlockAccount, DocumentRecord
from ..core.errors import UsageError
from ..core.options import IngestOptions
from ..core.settings import IngestSettings
from .cli import AsJson, app, out, print_json, settings

Json = dict[str, Any]


def convert(
    source: Path,
    *,
    max_chars: int,
    overlap_chars: int,
    ingest: IngestSettings | None = None,
    source_type: str = "",
) -> tuple[Json, BlockAccount]:
    """The layers `structure_nodes`, `semantic_blocks`, `vector_chunks` of one document.

    `source` is what ingestion reads: Document Mind layouts, a MinerU content list or folder, or a
    document. Ids depend on the content alone. Raises UsageError or DocumentError.
    """
    from ..ingestion.build import build_edition
    from ..ingestion.layers import layers
    from ..ingestion.parse import parse_input
    from ..ingestion.sniff import content_hash, find_inputs

    chosen = (ingest or IngestSettings()).model_copy(
        update={"chunk_chars": max_chars, "overlap_chars": overlap_chars}
    )
    found = [item for item in find_inputs([source]) if not item.skip_reason]
    if len(found) != 1:
        raise UsageError(f"{source} holds {len(found)} documents; convert takes one at a time.")
    item = found[0]
    options = IngestOptions(source_type=source_type)
    parsed = parse_input(item, options, chosen)
    digested = content_hash(item)
    record = DocumentRecord(
        doc_id=digested[:12],
        edition=f"{max_chars}-{overlap_chars}",
        collection="",
        name=item.name,
        source_key=item.source_key,
        content_hash=digested,
        title=parsed.title,
    )
    built = build_edition(parsed, record, settings=chosen, options=options)
    return layers(built, parsed.blocks), built.account


@app.command("convert")
def convert_command(
    source: Annotated[Path, typer.Argument(help="layouts.json、content_list.json 或文件 / input")],
    to: Annotated[Path, typer.Option("--out", "-o", help="输出 / output file")] = Path(
        "vector_chunks.json"
    ),
    max_chars: Annotated[
        int, typer.Option(min=50, max=8000, help="切片上限 / longest chunk")
    ] = 500,
    overlap_chars: Annotated[int, typer.Option(min=0, max=2000, help="重叠 / overlap")] = 80,
    source_type: Annotated[str, typer.Option(help="类型 / source type; empty: guessed")] = "",
    as_json: AsJson = False,
) -> None:
    """版面结果转结构节点、语义块、向量切片。 Layouts to structure, semantic blocks and chunks."""
    if overlap_chars >= max_chars:
        raise UsageError("--overlap-chars must be smaller than --max-chars.")
    made, account = convert(
        source,
        max_chars=max_chars,
        overlap_chars=overlap_chars,
        ingest=settings().ingest,
        source_type=source_type,
    )
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_text(json.dumps(made, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    counts = {name: len(items) for name, items in made.items()}
    if as_json:
        print_json({"out": str(to), **counts, "blocks": account.model_dump()})
    else:
        shown = ", ".join(f"{count} {name}" for name, count in counts.items())
        out.print(f"{to}: {shown}", highlight=False)
