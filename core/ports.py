"""The seams: one protocol for each replaceable part, one small file per provider in `backends`.

Stores, encoders and rerankers are synchronous and thread-safe; graph nodes call them through
`asyncio.to_thread`. Scores are plain Python floats, higher is better. Empty in, empty out.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from .chunk import Chunk, Edition, Figure
from .document import DocumentRecord, FileReport, ParsedDocument
from .evidence import Place
from .label import Label
from .model import Noun

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
else:
    Vectors = Any


class Tokenizer(Protocol):
    """Words for matching: the same on the index's and on the question's side."""

    def fold(self, text: str) -> str:
        """NFKC, lower case, one kind of dash, traditional to simplified; same number of words."""
        ...

    def tokens(self, text: str) -> list[str]:
        """Content words of the folded text, in order, without punctuation and stop words."""
        ...


class Embedder(Protocol):
    """Unit-length float32 vectors of shape (n, dim)."""

    @property
    def name(self) -> str:
        """Model name and version: part of the index fingerprint."""
        ...

    @property
    def dim(self) -> int:
        """Length of a vector."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of document texts."""
        ...

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions."""
        ...


class Reranker(Protocol):
    """Scores candidates against a question in 0..1."""

    @property
    def name(self) -> str:
        """For traces."""
        ...

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """One score a text, in the order given."""
        ...


class VectorRecord(Noun):
    """What the vector index keeps of a chunk; metadata are made storable by the adapter."""

    id: str
    text: str
    visual: bool
    metadata: dict[str, Any]


class VectorIndex(Protocol):
    """Nearest neighbours by cosine. Collections are tuwen names, any characters."""

    def upsert(self, collection: str, records: Sequence[VectorRecord], vectors: "Vectors") -> None:
        """Insert or replace, split into the engine's own batch size."""
        ...

    def search(
        self,
        collection: str,
        vector: "Vectors",
        n: int,
        *,
        allowed: Collection[str] | None = None,
        visual: bool = False,
    ) -> list[tuple[str, float]]:
        """Best n (id, cosine). `allowed` restricts the ids exactly; empty: no result.

        `visual` searches only pictures, charts and tables.
        """
        ...

    def vectors(self, collection: str, ids: Sequence[str]) -> Mapping[str, "Vectors"]:
        """Stored vectors of those ids that exist."""
        ...

    def delete(self, collection: str, ids: Sequence[str]) -> None:
        """Remove; unknown ids are ignored."""
        ...

    def ids(self, collection: str) -> set[str]:
        """Every stored id (for repair)."""
        ...

    def drop(self, collection: str) -> None:
        """Remove the collection."""
        ...


class KeywordHits(Noun):
    """The keyword leg's ranking. `coverage` is the share of the question's terms, weighted by
    inverse document frequency, that the best of the top three hits contains (0..1): how far the
    leg can be trusted, low for a question in another language than the text. `crowd`, 0..1, says
    how far the words leave open which hit it is, because many short chunks hold as much of the
    question as the best."""

    hits: tuple[tuple[str, float], ...] = ()
    coverage: float = 0.0
    crowd: float = 0.0


class KeywordIndex(Protocol):
    """BM25 over the tokenizer's words."""

    def add(self, collection: str, items: Sequence[tuple[str, str]]) -> None:
        """Insert or replace (id, text)."""
        ...

    def search(
        self, collection: str, query: str, n: int, *, allowed: Collection[str] | None = None
    ) -> KeywordHits:
        """Best n among the chunks that hold at least one query term."""
        ...

    def delete(self, collection: str, ids: Sequence[str]) -> None:
        """Remove; unknown ids are ignored."""
        ...

    def ids(self, collection: str) -> set[str]:
        """Every stored id (for repair)."""
        ...

    def drop(self, collection: str) -> None:
        """Remove the collection."""
        ...


class AssetStore(Protocol):
    """Picture bytes by content: an asset id is the hash of the bytes plus a known suffix."""

    def put(self, asset_id: str, data: bytes) -> None:
        """Keep the bytes; the same id twice is one file."""
        ...

    def path(self, asset_id: str) -> Path | None:
        """The file of a registered asset, or None; never a path outside the store."""
        ...

    def delete(self, asset_ids: Iterable[str]) -> None:
        """Remove; unknown ids are ignored."""
        ...

    def ids(self) -> set[str]:
        """Every stored asset (for repair)."""
        ...


class CollectionInfo(Noun):
    """A collection and what is active in it."""

    name: str
    documents: int = 0
    chunks: int = 0
    figures: int = 0
    embedder: str = ""
    dim: int = 0


class VisionModel(Protocol):
    """Describes pictures; blocking."""

    @property
    def name(self) -> str:
        """Model name: part of the description cache's key."""
        ...

    def describe(self, image: bytes, prompt: str) -> str:
        """What the model says of the picture; "" when none could be sent or seen.

        Raises ModelError.
        """
        ...


class Said(Noun):
    """What a model said, and whether it was asked now or its reply was remembered."""

    text: str
    called: bool


class Describer(Protocol):
    """Descriptions of pictures and tables, remembered by content; blocking, thread-safe.

    `key` names the content and the prompt: the same key is asked once, whoever asks.
    """

    @property
    def picture_model(self) -> str:
        """Name of the vision model; "": there is none."""
        ...

    @property
    def table_model(self) -> str:
        """Name of the model that summarises tables; "": there is none."""
        ...

    def picture(self, key: str, image: bytes, prompt: str) -> Said:
        """The picture's description; "" when it cannot be seen. Raises ModelError."""
        ...

    def table(self, key: str, prompt: str) -> Said:
        """The summary that the prompt asks for. Raises ModelError."""
        ...


class Catalog(Protocol):
    """The truth: SQLite. Reads see only active editions."""

    def collections(self) -> list[CollectionInfo]:
        """Every collection by name."""
        ...

    def documents(self, collection: str | None = None) -> list[DocumentRecord]:
        """Active documents, by name then id; None: of every collection."""
        ...

    def document(self, doc_id: str) -> DocumentRecord | None:
        """The active edition's record."""
        ...

    def find_by_hash(self, collection: str, content_hash: str) -> list[DocumentRecord]:
        """Active documents of the same content, for saying 'duplicate'."""
        ...

    def stage(self, record: DocumentRecord, edition: Edition) -> None:
        """Step 1 of a replacement: write the edition, not yet visible."""
        ...

    def activate(self, doc_id: str, edition: str) -> str | None:
        """Step 2, one transaction: make it the visible edition; the edition it replaced, if any."""
        ...

    def remove_edition(self, doc_id: str, edition: str) -> None:
        """Step 3: forget an inactive edition's rows."""
        ...

    def deactivate(self, doc_id: str) -> str | None:
        """Make a document invisible (first step of a deletion); the edition that was active."""
        ...

    def edition_chunk_ids(self, doc_id: str, edition: str) -> list[str]:
        """Chunk ids of an edition, active or not."""
        ...

    def edition_asset_ids(self, doc_id: str, edition: str) -> list[str]:
        """Asset ids of an edition, active or not."""
        ...

    def assets_in_use(self, asset_ids: Collection[str]) -> set[str]:
        """Which of the assets some remaining edition still names."""
        ...

    def stale_editions(self) -> list[tuple[str, str, str]]:
        """(collection, doc_id, edition) of every inactive edition: what a crash left."""
        ...

    def chunks(self, ids: Sequence[str]) -> list[Chunk]:
        """Active chunks of those ids, in the order given; others are left out."""
        ...

    def places(self, ids: Sequence[str]) -> Mapping[str, Place]:
        """Document and pages of those of the ids that belong to active editions."""
        ...

    def chunks_of(self, doc_id: str, *, first: int = 0, last: int | None = None) -> list[Chunk]:
        """Active chunks of a document by ordinal, `first` to `last` inclusive."""
        ...

    def by_semantic_id(self, doc_id: str, semantic_id: str) -> list[Chunk]:
        """Active chunks of one semantic block, by ordinal."""
        ...

    def by_section(self, collection: str, number: str) -> list[Chunk]:
        """Active chunks whose section has this number ("3.1.2", "A.1"), by document and ordinal."""
        ...

    def select(self, collection: str, filters: Mapping[str, Any]) -> list[str]:
        """Ids of active chunks that match every filter: equality, or any of a list's values."""
        ...

    def filter_keys(self, collection: str) -> list[str]:
        """Every key that a collection can be filtered by, sorted."""
        ...

    def figures(self, ids: Sequence[str]) -> list[Figure]:
        """Active figures of those ids, in the order given; others are left out."""
        ...

    def figures_of(self, doc_id: str) -> list[Figure]:
        """Active figures of a document by ordinal."""
        ...

    def figures_by_label(self, collection: str, label: Label) -> list[Figure]:
        """Active figures with this label, by document and ordinal."""
        ...

    def labels(self, collection: str, kind: str) -> list[str]:
        """Label keys of this kind that exist in a collection, sorted."""
        ...

    def note_failure(self, collection: str, doc_id: str, report: FileReport) -> None:
        """Keep the report of a file that failed, so that an answer can say it was not searched."""
        ...

    def forget_failures(self, doc_ids: Sequence[str]) -> None:
        """Forget the failures of these documents."""
        ...

    def failures(self, collection: str | None = None) -> list[FileReport]:
        """Reports of the files that failed and have no document, by name."""
        ...

    def fingerprint(self, collection: str) -> tuple[str, int] | None:
        """(embedder name, dimension) that the collection was built with."""
        ...

    def set_fingerprint(self, collection: str, embedder: str, dim: int) -> None:
        """Record it; at the first commit into a collection."""
        ...

    def drop_collection(self, collection: str) -> None:
        """Forget a collection and everything in it."""
        ...


class Parser(Protocol):
    """Reads one kind of file into blocks."""

    @property
    def name(self) -> str:
        """Name and version: part of the edition's identity."""
        ...

    def accepts(self, path: Path) -> bool:
        """Whether the content (not the name alone) is this parser's."""
        ...

    def parse(self, path: Path) -> ParsedDocument:
        """Blocks of the whole file. Raises DocumentError with what to do."""
        ...


class Store(Protocol):
    """Commit and delete over catalog, indexes and assets, in three crash-safe steps."""

    def commit(self, record: DocumentRecord, edition: Edition, vectors: "Vectors") -> bool:
        """Make `edition` the document's visible one; `vectors` has one row a chunk.

        False: that edition was active already.

        Raises IndexMismatchError when the collection was built with another encoder.
        """
        ...

    def delete(self, doc_id: str) -> bool:
        """Remove a document everywhere; False: there is no such document."""
        ...

    def check_fingerprint(self, collection: str) -> None:
        """Raises IndexMismatchError, saying what to run, when another encoder built the vectors."""
        ...
