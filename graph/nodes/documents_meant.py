"""Which document a question about a document as a whole means."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from ...agents.analyst_rules import folded
from ...agents.extractive_bridge import said_across
from ...agents.front_matter import is_paper
from ...agents.overview import names_alone, names_none, says_document, without_naming
from ...core.analysis import Analysis, Focus
from ...core.ports import Catalog
from ...core.text import has_cjk
from ...tools.document_kind import kinds_of, kinds_said
from ...tools.label_choice import SURE, Shelf
from ..services import Services

MOST_ALIKE = 2
_MOST_OPENED = 40
"""Documents whose first passages are read to tell a paper of a journal."""
_OPENING = 8


class Scene(NamedTuple):
    """What all steps of a look at whole documents need."""

    services: Services
    catalog: Catalog
    shelf: Shelf
    analysis: Analysis
    focus: Focus
    collection: str
    language: str


def meant_documents(scene: Scene, words: str, *, of_things: bool = False) -> list[str]:
    """The documents that the words are but a name of: the only one of that kind ("the contract"),
    the named one, the one in focus, the only one; empty: none, or it is not known which.

    `of_things`: what is asked can be asked of other things than documents ("when was the library
    built"), so a part of a title names its document only with a word for one.
    """
    shelf = scene.shelf
    bare = names_none(words)
    alike = _so_titled(scene, of_kind(scene, words), words) if bare else []
    focused = [doc for doc in scene.focus.doc_ids if doc in (alike or shelf.records)][:1]
    if len(alike) == 1 or (bare and focused):
        return focused or alike
    docs, score = shelf.named(words) if words else ([], 0.0)
    titles = [title for doc in docs for title in shelf.names[doc].titles]
    if score >= SURE and len(docs) <= MOST_ALIKE and names_alone(words, titles):
        return docs if not of_things or says_document(words) or _most_of(words, titles) else []
    if across := named_across(scene, words, kinds_said(words)):
        return across
    return list(shelf.records) if bare and not alike and len(shelf.records) == 1 else []


def _so_titled(scene: Scene, docs: list[str], words: str) -> list[str]:
    """Of several documents of a kind those whose title has the very word, in either language:
    "the lease" is no purchase contract."""
    titles = {doc: scene.shelf.records[doc].title for doc in docs if len(docs) > 1}
    words = re.sub(r"^the\s+", "", words, flags=re.I)
    said = [
        doc
        for doc, title in titles.items()
        if words and (folded(words) in folded(title) or said_across(words, title))
    ]
    return said or docs


def _most_of(words: str, titles: Sequence[str]) -> bool:
    """Whether the words are half of a title or more."""
    said = len(folded(words))
    return any(2 * said >= len(folded(title)) for title in titles)


def named_across(scene: Scene, words: str, kinds: frozenset[str]) -> list[str]:
    """The only document of one of the kinds whose title, in the other language, says all that the
    words say of it ("the purchase contract": 采购合同); empty: none, or several."""
    name = without_naming(words)
    if not kinds or not name:
        return []
    found = [
        doc
        for doc, record in scene.shelf.records.items()
        if kinds & kinds_of(record) and has_cjk(record.title) != has_cjk(words)
        if said_across(name, record.title)
    ]
    return found if len(found) == 1 else []


def of_kind(scene: Scene, words: str) -> list[str]:
    """The documents of the kind that the words say; empty where they say none."""
    kinds = kinds_said(words)
    records = scene.shelf.records
    found = [doc for doc, record in records.items() if kinds & kinds_of(record)]
    if "paper" in kinds and len(records) <= _MOST_OPENED:
        known = scene.catalog.chunks_of
        papers = [doc for doc in records if is_paper(known(doc, first=0, last=_OPENING))]
        return papers or found
    return found
