"""`tuwen eval citations`: do the cited page and box of the source PDF hold the quote?

The PDF's text is read here by itself, not through the parser. Only pages with a text layer count,
and quotes that are more than a formula. A page or a box holds a quote when nine tenths of it are
there, blanks and hyphenation apart; `verbatim` is the share that is there whole.
"""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..core.document import BBox
from ..core.errors import UsageError
from ..graph.services import Services
from . import metrics, phrasing
from .answers import share
from .chats import Asked, ask_all, without_model
from .figures import text_chunks
from .pdf_text import BORN_DIGITAL, HELD, SHINGLE, bare, comparable, held, opened, text_in
from .progress import say
from .sets import spread

Json = dict[str, Any]
QUESTIONS = 200
MOST_MISSES = 40


def evaluate_citations(services: Services, collection: str, *, limit: int = QUESTIONS) -> Json:
    """The report of `tuwen eval citations --json`."""
    start = time.perf_counter()
    files = {
        record.doc_id: Path(record.source_pdf)
        for record in services.catalog.documents(collection)
        if record.source_pdf and Path(record.source_pdf).is_file()
    }
    if not files:
        raise UsageError(f"No document of collection {collection!r} has its source PDF at hand.")
    questions = _questions(services, collection, set(files), limit)
    asked = ask_all(
        services, [(text, without_model(collection)) for text in questions], what="citations"
    )
    checks = check_sources(sources_by_file(asked, files))
    exact = [check["page_exact"] for check in checks]
    boxed = [check["bbox_roundtrip"] for check in checks]
    return {
        "collection": collection,
        "questions": len(questions),
        "n": len(checks),
        "page_exact": share(exact),
        "bbox_roundtrip": share(boxed),
        "verbatim": share([check["verbatim"] for check in checks]),
        "answers_with_citations": sum(bool(a.finish.get("sources")) for a in asked),
        "intervals": {
            "page_exact": [round(end, 4) for end in metrics.wilson(sum(exact), len(exact))],
            "bbox_roundtrip": [round(end, 4) for end in metrics.wilson(sum(boxed), len(boxed))],
        },
        "misses": [check for check in checks if not check["bbox_roundtrip"]][:MOST_MISSES],
        "seconds": round(time.perf_counter() - start, 1),
    }


def _questions(services: Services, collection: str, doc_ids: set[str], limit: int) -> list[str]:
    """One question a text chunk of the documents, evenly spread over them."""
    found = [
        question
        for chunk in text_chunks(services, collection)
        if chunk.doc_id in doc_ids
        and (sentence := phrasing.telling_sentence(chunk.text))
        and (question := phrasing.plain_question(sentence, services.tokenizer))
    ]
    return list(spread(list(dict.fromkeys(found)), limit))


def sources_by_file(asked: Sequence[Asked], files: dict[str, Path]) -> dict[Path, list[Json]]:
    """Cited sources that have a page and a quote, each once, by their PDF."""
    found: dict[Path, list[Json]] = {}
    seen: set[tuple[Any, ...]] = set()
    for answer in asked:
        for source in answer.finish.get("sources", []):
            key = (source.get("doc_id"), source.get("page"), source.get("quote"))
            quote = source.get("quote") or ""
            comparing = len(comparable(quote)) >= SHINGLE
            if source.get("doc_id") in files and comparing and key not in seen:
                seen.add(key)
                found.setdefault(files[source["doc_id"]], []).append(source)
    return found


def check_sources(by_file: dict[Path, list[Json]]) -> list[Json]:
    """For each source whether its page, and its box, hold the quote; scans are left out."""
    checks = []
    for path, sources in by_file.items():
        say(f"reading {path.name}: {len(sources)} citations")
        with opened(path) as document:
            for source in sources:
                page = _page_of(document, source)
                if page is None or len(text_in(page, None)) >= BORN_DIGITAL:
                    checks.append(_check(page, path, source))
    return checks


def _page_of(document: Any, source: Json) -> Any:
    """The cited page; None when the PDF has none of that number."""
    page = int(source.get("page") or source.get("page_start") or 0)
    return document[page - 1] if 1 <= page <= len(document) else None


def _check(page: Any, path: Path, source: Json) -> Json:
    quote = comparable(source["quote"])
    box = BBox.model_validate(source["bbox"]) if source.get("bbox") else None
    on_page = bare(text_in(page, None)) if page is not None else ""
    in_box = bare(text_in(page, box)) if page is not None and box is not None else ""
    return {
        # A box of the page may hold what the page's text, read in another order, tears apart.
        "page_exact": max(held(quote, on_page), held(quote, in_box)) >= HELD,
        "bbox_roundtrip": held(quote, in_box) >= HELD,
        "verbatim": bare(source["quote"]) in in_box,
        "file": path.name,
        "page": source.get("page"),
        "held": [round(held(quote, on_page), 3), round(held(quote, in_box), 3)],
        "quote": source["quote"],
        "bbox": source.get("bbox"),
        "chunk_id": source.get("chunk_id"),
    }
