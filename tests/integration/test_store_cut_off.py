"""A process that dies inside Chroma's writes, and a machine that loses its power: what the next
start finds, mends and says."""

import json
import multiprocessing
import os
import shutil
import signal
import sys
import time
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "unit" / "backends"))

import store_fakes as kit
from store_fakes import COLLECTION, asset

from tuwen.backends.chroma_graphs import DATABASE
from tuwen.core.errors import StoreError

pytestmark = pytest.mark.integration
DOCS, CHUNKS, DIM = 4, 260, 64  # a document anew is 520 changes: every second writes the graph
GRAPH = ("header.bin", "data_level0.bin", "length.bin", "link_lists.bin")


class Scattered(kit.HashEmbedder):
    """A direction of its own for every text."""

    def embed_passages(self, texts):
        self.texts += len(texts)
        made = np.stack(
            [np.random.default_rng([*text.encode()]).normal(size=self.dim) for text in texts]
        ).astype(np.float32)
        return made / np.linalg.norm(made, axis=1, keepdims=True)

    embed_queries = embed_passages


def document(number, edition):
    words = [f"{edition}版{number}章{i}节轴承" for i in range(CHUNKS)]
    pictures = [asset(f"{number}-kept"), asset(f"{number}-{edition}")]
    return kit.document(f"d{number}", f"e{edition}", words, pictures)


def opened(home):
    return kit.open_small(home, Scattered(DIM))


def ingest(home, edition, *, close=True):
    store = opened(home)
    for number in range(DOCS):
        kit.commit(store, document(number, edition))
    if close:
        store.close()
    return store


def ingest_and_die(home, point, turn):
    """In a process of its own: SIGKILL at the turn-th call of a named function, before or after."""
    part, name, when = point
    store = opened(home)
    owner = store.vectors._engine(COLLECTION, False) if part == "engine" else getattr(store, part)
    target, seen = getattr(type(owner), name), 0

    def wired(*args, **options):
        nonlocal seen
        seen += args[0] is owner
        if seen == turn and when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        result = target(*args, **options)
        if seen == turn and when == "after":
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    setattr(type(owner), name, wired)
    for number in range(DOCS):
        kit.commit(store, document(number, 1))
    os._exit(0)


def ingest_for_ever(home):
    store = opened(home)
    for edition in range(1, 1000):
        for number in range(DOCS):
            kit.commit(store, document(number, edition))


def ingest_on_a_full_disk(home, room):
    """In a process of its own: no file may grow beyond `room`; then each may, and it goes on."""
    import resource

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    store = opened(home)
    store.recover()
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))
    said = ""
    try:
        for edition in (1, 2):
            for number in range(DOCS):
                kit.commit(store, document(number, edition))
    except StoreError as error:
        said = str(error)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
    for number in range(DOCS):
        kit.commit(store, document(number, 3))
    compare(store)
    store.close()
    os._exit(0 if "space" in said else 3)


def own_process(act, *args):
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["store_fakes", "chromadb", "langchain_chroma", "jieba"])
    process = context.Process(target=act, args=args)
    process.start()
    return process


def mended(home, *, repair=False):
    """Open, recover and compare everything with the catalog; (edition of each document, problems,
    texts embedded)."""
    store = opened(home)
    try:
        problems = store.recover().problems
        if repair:
            assert store.repair().problems == ()
        embedded = store.embedder.texts
        if repair or not problems:
            compare(store)
        editions = [edition for _, edition in kit.view(store)["documents"]]
        return editions, problems, embedded
    finally:
        store.close()


def compare(store):
    view = kit.view(store)
    assert view["chunks"] == view["vectors"] == view["keywords"]
    assert view["stale"] == []
    for doc_id, edition in view["documents"]:
        number, made = doc_id[1:], edition[1:]
        assert len(store.catalog.edition_chunk_ids(doc_id, edition)) == CHUNKS
        assert {asset(f"{number}-kept"), asset(f"{number}-{made}")} <= view["assets"]
    assert len(view["assets"]) == 2 * len(view["documents"])
    ids = sorted(view["chunks"])
    texts = [c.embedding_text for c in store.catalog.chunks(ids)]
    true = Scattered(DIM).embed_passages(texts)
    engine = store.vectors._engine(COLLECTION, False)
    assert engine.count() == len(ids)
    stored = engine.get(ids=ids, include=["embeddings"])
    place = dict(zip(stored["ids"], stored["embeddings"], strict=True))
    assert np.allclose([place[i] for i in ids], true, atol=1e-3)
    for row in range(0, len(ids), 97):
        found = engine.query(query_embeddings=[true[row]], n_results=1)
        assert found["ids"] == [[ids[row]]]
        assert store.vectors.search(COLLECTION, true[row], 1)[0][0] == ids[row]
    assert store.keywords.search(COLLECTION, texts[0], 3).hits


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    home = tmp_path_factory.mktemp("filled") / "home"
    ingest(home, 0)
    return home


@pytest.fixture(scope="module")
def standing(filled, tmp_path_factory):
    """A store with a mark: its first two documents anew, and the process gone."""
    home = Path(shutil.copytree(filled, tmp_path_factory.mktemp("standing") / "home"))
    process = own_process(ingest_and_die, home, ("catalog", "stage", "before"), 3)
    process.join(60)
    assert (home / "store.writing").is_file()
    return home


def copied(home, tmp_path):
    return Path(shutil.copytree(home, tmp_path / "home"))


def another_boot(home):
    mark = home / "store.writing"
    kept = json.loads(mark.read_bytes())
    mark.write_text(json.dumps(kept | {"boot": "an earlier run of the machine"}))


def test_a_clean_stop_leaves_no_mark_and_nothing_to_do(filled, tmp_path):
    home = copied(filled, tmp_path)
    assert not (home / "store.writing").exists()
    before = {p: p.stat().st_mtime_ns for p in home.rglob("*.f32")}
    assert mended(home) == (["e0"] * DOCS, (), 0)
    assert {p: p.stat().st_mtime_ns for p in home.rglob("*.f32")} == before
    assert not (home / "store.writing").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="needs a fork server")
@pytest.mark.parametrize(
    ("point", "turn", "anew"),
    [
        (("engine", "add", "before"), 2, 1),
        (("engine", "add", "after"), 2, 1),  # 1000 changes: the graph was written in this call
        (("engine", "delete", "after"), 2, 2),
        (("keywords", "_write", "before"), 3, 1),
        (("catalog", "activate", "before"), 4, 3),
        (("catalog", "activate", "after"), 4, 4),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, tuple) else "",
)
def test_a_kill_at_a_named_point_leaves_whole_documents(filled, tmp_path, point, turn, anew):
    home = copied(filled, tmp_path)
    process = own_process(ingest_and_die, home, point, turn)
    process.join(60)
    assert process.exitcode == -signal.SIGKILL
    editions, problems, embedded = mended(home)
    assert editions == ["e1"] * anew + ["e0"] * (DOCS - anew)
    assert (problems, embedded) == ((), 0)
    assert not (home / "store.writing").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="needs a fork server")
@pytest.mark.parametrize("file", ["header.bin", "link_lists.bin", "index_metadata.pickle"])
def test_a_kill_while_the_graph_is_written_leaves_whole_documents(filled, tmp_path, file):
    home = copied(filled, tmp_path)
    graph = largest(home / "chroma", "index_metadata.pickle").with_name(file)
    before = graph.stat().st_mtime_ns
    process = own_process(ingest_for_ever, home)
    end = time.monotonic() + 60
    while graph.stat().st_mtime_ns == before and time.monotonic() < end:
        pass
    process.kill()
    process.join(60)
    editions, problems, embedded = mended(home)
    assert set(editions) <= {"e0", "e1"}
    assert (problems, embedded) == ((), 0)


def torn(segment, old, written):
    """Half a graph: some files are new, one is new to its middle, the rest and the last are old."""
    for number, name in enumerate(GRAPH):
        if number >= written:
            shutil.copy2(old / name, segment / name)
    half = (segment / GRAPH[written - 1]).read_bytes()
    before = (old / GRAPH[written - 1]).read_bytes()
    middle = len(half) // 2
    (segment / GRAPH[written - 1]).write_bytes(half[:middle] + before[middle:])
    shutil.copy2(old / "index_metadata.pickle", segment / "index_metadata.pickle")


@pytest.mark.parametrize("written", [1, 2, 4])
def test_half_a_graph_is_made_again_from_the_copies_and_not_embedded(
    filled, standing, tmp_path, written
):
    home = copied(standing, tmp_path)
    segment = largest(home / "chroma", "index_metadata.pickle").parent
    torn(segment, filled / "chroma" / segment.name, written)
    kept = json.loads((home / "store.writing").read_bytes())
    noted = {p.name: p.stat() for p in (filled / "chroma" / segment.name).iterdir()}
    kept["graphs"] = {f"{segment.name}/{n}": [s.st_mtime_ns, s.st_size] for n, s in noted.items()}
    (home / "store.writing").write_text(json.dumps(kept))
    assert mended(home) == (["e1", "e1", "e0", "e0"], (), 0)
    assert mended(home) == (["e1", "e1", "e0", "e0"], (), 0)


def zero_end(path, share):
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(int(size * (1 - share)))
        file.write(b"\0" * (size - file.tell()))


def largest(folder, pattern):
    return max(folder.rglob(pattern), key=lambda path: path.stat().st_size)


LOST = {
    "nothing": lambda home: None,
    "graph zeroed": lambda home: zero_end(largest(home / "chroma", "data_level0.bin"), 1),
    "graph shorter": lambda home: os.truncate(largest(home / "chroma", "data_level0.bin"), 5000),
    "graph gone": lambda home: shutil.rmtree(largest(home / "chroma", "header.bin").parent),
    "last of the graph empty": lambda home: os.truncate(
        largest(home / "chroma", "index_metadata.pickle"), 0
    ),
    "Chroma's log": lambda home: os.truncate(home / "chroma" / f"{DATABASE}-wal", 0),
    "copies": lambda home: shutil.rmtree(home / "chroma-rows"),
    "end of the copies": lambda home: zero_end(largest(home / "chroma-rows", "rows.f32"), 0.3),
    "end of their log": lambda home: zero_end(largest(home / "chroma-rows", "log.jsonl"), 0.2),
    "words": lambda home: zero_end(largest(home / "keywords", "rows.npy"), 0.5),
    "list of the words": lambda home: zero_end(largest(home / "keywords", "manifest.json"), 1),
}
EMBEDDED = {"end of the copies", "end of their log", "copies", "Chroma's log"}
"""Where a vector's last copy may be among what was lost."""


@pytest.mark.parametrize("lost", LOST)
def test_after_a_loss_of_power_all_is_compared_and_what_is_missing_is_said(
    standing, tmp_path, lost
):
    home = copied(standing, tmp_path)
    another_boot(home)
    LOST[lost](home)
    editions, problems, embedded = mended(home)
    assert editions == ["e1", "e1", "e0", "e0"]
    assert embedded == 0
    if problems:
        assert lost in EMBEDDED
        assert all("doctor --repair" in problem for problem in problems)
        assert mended(home)[1] == problems  # a start is no repair
        assert mended(home, repair=True)[0] == editions
    assert mended(home) == (editions, (), 0)


def test_a_removal_that_the_catalog_lost_with_the_power_is_made_again(standing, tmp_path):
    home = copied(standing, tmp_path)
    another_boot(home)
    log = home / "catalog.sqlite-wal"
    os.truncate(log, log.stat().st_size - 100)
    store = opened(home)
    assert store.recover().editions_removed == 1
    store.close()
    assert mended(home) == (["e1", "e1", "e0", "e0"], (), 0)


@pytest.mark.parametrize("damage", [b"", b"\0" * 9000])
def test_an_engine_that_cannot_be_opened_at_all_is_made_anew_by_a_repair(
    standing, tmp_path, damage
):
    home = copied(standing, tmp_path)
    another_boot(home)
    for path in (home / "chroma").glob(f"{DATABASE}*"):
        path.write_bytes(damage)
    editions, problems, _ = mended(home)
    assert editions == ["e1", "e1", "e0", "e0"]
    assert "doctor --repair" in problems[0]
    assert mended(home, repair=True)[0] == editions


@pytest.mark.skipif(sys.platform == "win32", reason="needs a fork server and limits")
@pytest.mark.parametrize("file", ["index_metadata.pickle", "data_level0.bin", "rows.f32"])
def test_a_full_disk_is_said_and_the_same_process_goes_on_when_there_is_room(
    filled, tmp_path, file
):
    home = copied(filled, tmp_path)
    process = own_process(ingest_on_a_full_disk, home, largest(home, file).stat().st_size + 1000)
    process.join(120)
    assert process.exitcode == 0
    assert mended(home) == (["e3"] * DOCS, (), 0)
    assert not (home / "store.writing").exists()


def test_a_process_whose_engine_failed_leaves_its_mark_to_the_next(filled, tmp_path):
    home = copied(filled, tmp_path)
    store = opened(home)
    store.recover()
    engine = store.vectors._engine(COLLECTION, False)
    add = engine.add

    def half(**given):
        add(**{key: value[:9] for key, value in given.items()})
        raise OSError("no space left on device")

    engine.add = half
    with pytest.raises(StoreError, match="no space left"):
        kit.commit(store, document(0, 1))
    store.close()
    assert (home / "store.writing").is_file()
    assert mended(home) == (["e0"] * DOCS, (), 0)
    assert not (home / "store.writing").exists()


def test_what_could_not_be_undone_is_undone_before_the_next_write(filled, tmp_path, monkeypatch):
    store = opened(copied(filled, tmp_path))
    store.recover()

    def full(*_args):
        raise StoreError("no space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(store.keywords, "add", full)
        patched.setattr(store.keywords, "delete", full)
        with pytest.raises(StoreError, match="no space left"):
            kit.commit(store, document(0, 1))
    assert store.catalog.stale_editions() == [(COLLECTION, "d0", "e1")]
    kit.commit(store, document(1, 1))
    compare(store)
    store.close()
