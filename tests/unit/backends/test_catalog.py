import sqlite3
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from store_fakes import COLLECTION, chunk, document, figure, record

from tuwen.backends.catalog import SqliteCatalog
from tuwen.backends.catalog_rows import chunk_values, document_values, wanted
from tuwen.backends.catalog_schema import VERSION
from tuwen.backends.catalog_select import _fits as fits
from tuwen.core.chunk import Edition, PageBox
from tuwen.core.document import BBox
from tuwen.core.errors import StoreError
from tuwen.core.label import Label


@pytest.fixture
def catalog(tmp_path):
    made = SqliteCatalog(tmp_path / "home" / "catalog.sqlite")
    yield made
    made.close()


def put(catalog, rec, chunks=(), figures=()):
    catalog.stage(rec, Edition(chunks=tuple(chunks), figures=tuple(figures)))
    return catalog.activate(rec.doc_id, rec.edition)


def label(*parts, sub="", kind="figure"):
    return Label(kind=kind, parts=parts, sub=sub)


def test_a_staged_edition_is_invisible_until_it_is_activated(catalog):
    rec, edition = document("d1", "e1", ["甲", "乙"], ["0123456789abcdef.png"])
    catalog.stage(rec, edition)
    ids = [c.chunk_id for c in edition.chunks]
    assert catalog.documents() == catalog.chunks(ids) == catalog.figures_of("d1") == []
    assert catalog.places(ids).keys() == set()
    assert catalog.document("d1") is None
    assert catalog.select(COLLECTION, {}) == []
    assert catalog.stale_editions() == [(COLLECTION, "d1", "e1")]
    assert catalog.edition_chunk_ids("d1", "e1") == ids
    assert catalog.activate("d1", "e1") is None
    assert catalog.chunks(ids) == list(edition.chunks)
    assert catalog.figures_of("d1") == list(edition.figures)
    assert catalog.stale_editions() == []


def test_a_new_edition_replaces_the_old_one_in_one_step(catalog):
    for edition in ("e1", "e2"):
        catalog.stage(*document("d1", edition, ["甲"]))
    assert catalog.activate("d1", "e1") is None
    assert catalog.activate("d1", "e2") == "e1"
    assert [r.edition for r in catalog.documents()] == ["e2"]
    assert catalog.places(["d1-e1-0", "d1-e2-0"]).keys() == {"d1-e2-0"}
    catalog.remove_edition("d1", "e2")
    assert catalog.document("d1") is not None, "an active edition is never removed"
    catalog.remove_edition("d1", "e1")
    assert catalog.edition_chunk_ids("d1", "e1") == []


def test_activating_what_was_never_staged_changes_nothing(catalog):
    put(catalog, record())
    with pytest.raises(StoreError, match="never staged"):
        catalog.activate("d1", "e9")
    assert [r.edition for r in catalog.documents()] == ["e1"]


def test_staging_again_replaces_an_unfinished_edition_but_not_an_active_one(catalog):
    catalog.stage(*document("d1", "e1", ["甲", "乙"]))
    catalog.stage(*document("d1", "e1", ["丙"]))
    assert catalog.edition_chunk_ids("d1", "e1") == ["d1-e1-0"]
    catalog.activate("d1", "e1")
    with pytest.raises(StoreError, match="already"):
        catalog.stage(*document("d1", "e1", ["丁"]))
    assert catalog.chunks(["d1-e1-0"])[0].text == "丙的说明"


def test_a_failing_stage_leaves_nothing(catalog):
    twice = (chunk("same", "甲"), chunk("same", "乙", 1))
    with pytest.raises(StoreError):
        catalog.stage(record(), Edition(chunks=twice, figures=()))
    assert catalog.stale_editions() == []


def test_chunks_come_in_the_order_asked_and_unknown_ids_are_left_out(catalog):
    put(catalog, record(), [chunk(i, i, n) for n, i in enumerate("abc")])
    assert [c.chunk_id for c in catalog.chunks(["c", "x", "a", "c"])] == ["c", "a"]
    assert catalog.chunks([]) == []
    many = [f"x{i}" for i in range(50_000)]
    assert catalog.places([*many, "b"]).keys() == {"b"}


def test_every_field_survives(catalog):
    whole = chunk(
        "c",
        "正文\x00\U0001f600",
        boxes=(PageBox(page=2, bbox=BBox(x0=0, y0=0.1, x1=1, y1=0.25)),),
        mentions=("f1",),
        source_ids=(3, 4),
        page_start=2,
        html="<table></table>",
        metadata={"year": 2023, "list": ["a", 1], "none": None, "deep": {"x": [1.5]}},
    )
    pic = figure("f1", label=label("2", "3", sub="b"), bbox=BBox(x0=0, y0=0, x1=1, y1=1))
    rec = record(metadata={"作者": ["甲"]}, page_labels=("i", "1"))
    put(catalog, rec, [whole], [pic])
    assert catalog.chunks(["c"]) == [whole]
    assert catalog.figures(["f1"]) == [pic]
    assert catalog.document("d1") == rec


def test_values_that_json_has_not_are_kept_as_plain_ones(catalog):
    odd = chunk("c", "broken \ud800 text", metadata={"n": np.int64(3), "x": np.float32(0.5)})
    put(catalog, record(), [odd])
    (stored,) = catalog.chunks(["c"])
    assert stored.text == "broken \ufffd text"
    assert stored.metadata == {"n": 3, "x": 0.5}
    assert catalog.select(COLLECTION, {"n": 3}) == ["c"]


def test_neighbours_by_ordinal_block_and_section(catalog):
    chunks = [
        chunk(f"c{i}", str(i), i, semantic_id=f"s{i // 2}", section_number=f"3.{i // 3}")
        for i in range(6)
    ]
    put(catalog, record(), reversed(chunks))
    assert [c.ordinal for c in catalog.chunks_of("d1", first=1, last=3)] == [1, 2, 3]
    assert [c.ordinal for c in catalog.chunks_of("d1", first=4)] == [4, 5]
    assert [c.chunk_id for c in catalog.by_semantic_id("d1", "s1")] == ["c2", "c3"]
    assert [c.chunk_id for c in catalog.by_section(COLLECTION, "3.1")] == ["c3", "c4", "c5"]
    assert catalog.by_section(COLLECTION, "3") == catalog.by_section(COLLECTION, "") == []


def test_figures_are_found_by_label_and_never_by_a_neighbour_number(catalog):
    figures = [
        figure("f23", 0, label("2", "3")),
        figure("f230", 1, label("2", "30")),
        figure("f123", 2, label("12", "3")),
        figure("t23", 3, label("2", "3", kind="table"), kind="table"),
        figure("f4a", 4, label("4", sub="a")),
        figure("f4b", 5, label("4", sub="b")),
        figure("none", 6),
    ]
    put(catalog, record(), figures=figures)

    def ids(*parts, sub=""):
        return [f.figure_id for f in catalog.figures_by_label(COLLECTION, label(*parts, sub=sub))]

    assert ids("2", "3") == ["f23"]
    assert ids("4") == ["f4a", "f4b"]
    assert ids("4", sub="b") == ["f4b"]
    assert ids("2", "3", sub="c") == ["f23"], "the undivided figure shows its part"
    assert ids("4", sub="c") == []
    assert ids("9") == []
    assert catalog.labels(COLLECTION, "figure") == [
        "figure:2.3", "figure:2.30", "figure:4(a)", "figure:4(b)", "figure:12.3",
    ]  # fmt: skip


def test_filters_compare_values_whatever_their_type_case_or_width(catalog):
    put(
        catalog,
        record("d1", source_type="exam", language="zh", metadata={"year": 2023, "owner": "Ａcme"}),
        [
            chunk(
                "q1",
                "一",
                0,
                page_start=1,
                page_end=2,
                metadata={"question": "1", "tags": ["x", "y"]},
            ),
            chunk(
                "q2", "二", 1, page_start=3, metadata={"question": 2.0, "year": 2024, "flag": True}
            ),
        ],
    )
    put(catalog, record("d2"), [chunk("t1", "表", chunk_type="table", doc_id="d2")])

    def select(**filters):
        return catalog.select(COLLECTION, filters)

    assert select() == ["q1", "q2", "t1"]
    assert select(source_type="exam") == ["q1", "q2"]
    assert select(doc_id=["d2", "d9"]) == ["t1"]
    assert select(year="2023") == ["q1"], "a chunk's own value comes before its document's"
    assert select(year=[2023, 2024]) == ["q1", "q2"]
    assert select(question=1) == ["q1"]
    assert select(question="2") == ["q2"]
    assert select(tags="Y") == ["q1"]
    assert select(owner="acme") == ["q1", "q2"]
    assert select(flag=True) == ["q2"]
    assert select(page=2) == select(page="2") == ["q1"]
    assert select(page=[3, 9]) == ["q2"]
    assert select(chunk_type=["table", "image"]) == ["t1"]
    assert select(source_type="exam", question=2) == ["q2"]
    assert select(source_type="exam", doc_id="d2") == []


@pytest.mark.parametrize("value", [[], None, [None], "nothing", {"odd": 1}])
def test_a_filter_that_nothing_can_match_selects_nothing(catalog, value):
    put(catalog, record(), [chunk("c", "一", metadata={"year": 2023})])
    assert catalog.select(COLLECTION, {"year": value}) == []
    assert catalog.select(COLLECTION, {"unknown": value}) == []
    assert catalog.select("no such collection", {}) == []


def test_collections_count_only_what_is_active(catalog):
    put(catalog, *[record("d1")], [chunk("a", "一"), chunk("b", "二", 1)], [figure("f")])
    catalog.stage(*document("d1", "e2", ["丙"]))
    put(catalog, record("d2", collection="其他"))
    catalog.set_fingerprint(COLLECTION, "model-1", 512)
    other, first = sorted(catalog.collections(), key=lambda c: c.chunks)
    assert (first.name, first.documents, first.chunks, first.figures) == (COLLECTION, 1, 2, 1)
    assert (first.embedder, first.dim) == ("model-1", 512)
    assert (other.name, other.documents, other.chunks) == ("其他", 1, 0)
    assert [r.doc_id for r in catalog.documents("其他")] == ["d2"]
    assert catalog.fingerprint(COLLECTION) == ("model-1", 512)
    assert catalog.fingerprint("其他") is None
    catalog.drop_collection(COLLECTION)
    assert [c.name for c in catalog.collections()] == ["其他"]
    assert catalog.chunks(["a"]) == []


def test_equal_content_is_found_by_its_hash_in_its_collection_only(catalog):
    put(catalog, record("d1", content_hash="h"))
    put(catalog, record("d2", content_hash="h"))
    put(catalog, record("d3", content_hash="h", collection="其他"))
    assert [r.doc_id for r in catalog.find_by_hash(COLLECTION, "h")] == ["d1", "d2"]
    catalog.deactivate("d1")
    assert [r.doc_id for r in catalog.find_by_hash(COLLECTION, "h")] == ["d2"]


def test_assets_of_other_editions_stay_in_use(catalog):
    catalog.stage(*document("d1", "e1", ["甲"], ["aaaaaaaaaaaaaaaa.png", "bbbbbbbbbbbbbbbb.png"]))
    catalog.stage(*document("d2", "e1", ["乙"], ["bbbbbbbbbbbbbbbb.png"]))
    ids = catalog.edition_asset_ids("d1", "e1")
    assert catalog.assets_in_use(ids) == set(ids)
    assert catalog.assets_in_use(ids, besides=("d1", "e1")) == {"bbbbbbbbbbbbbbbb.png"}


def test_readers_in_other_threads_see_whole_editions_while_one_writes(catalog):
    put(catalog, *[record()], [chunk(f"e1-{i}", "x", i) for i in range(5)])
    sizes, stop = set(), threading.Event()

    def read():
        while not stop.is_set():
            sizes.add(len(catalog.select(COLLECTION, {})))

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for number in range(2, 20):
        edition = f"e{number}"
        old = put(
            catalog,
            record(edition=edition),
            [chunk(f"{edition}-{i}", "x", i, edition=edition) for i in range(5)],
        )
        catalog.remove_edition("d1", old)
    stop.set()
    for reader in readers:
        reader.join()
    assert sizes == {5}


def test_a_reopened_catalog_is_the_same_and_a_newer_one_is_refused(tmp_path):
    path = tmp_path / "c.sqlite"
    first = SqliteCatalog(path)
    put(first, record(), [chunk("c", "一")])
    first.close()
    again = SqliteCatalog(path)
    assert again.select(COLLECTION, {}) == ["c"]
    assert again.check() == []
    again.close()
    with sqlite3.connect(path) as raw:
        raw.execute(f"PRAGMA user_version = {VERSION + 1}")
    raw.close()
    with pytest.raises(StoreError, match="newer tuwen"):
        SqliteCatalog(path)


def test_a_file_that_is_no_catalog_is_named(tmp_path):
    path = tmp_path / "c.sqlite"
    path.write_bytes(b"not a database, but long enough to be taken for one" * 20)
    with pytest.raises(StoreError, match=r"c\.sqlite") as raised:
        SqliteCatalog(path)
    assert str(tmp_path) not in raised.value.said("en")


odd_values = st.sampled_from([None, 1, "1", 1.0, 2, "a", "Ａ", True, [], ["a", 2], [None]])
odd_metadata = st.dictionaries(st.sampled_from(["year", "page", "tags"]), odd_values, max_size=3)


@given(
    documents=st.lists(st.tuples(odd_metadata, st.lists(odd_metadata, max_size=4)), max_size=3),
    filters=st.dictionaries(
        st.sampled_from(["year", "page", "tags", "doc_id"]),
        st.sampled_from([1, "a", 2, ["a", 1], [], "d0", None]),
        max_size=2,
    ),
)
@settings(max_examples=150, deadline=None)
def test_facets_select_what_reading_every_chunk_would(tmp_path_factory, documents, filters):
    catalog = SqliteCatalog(tmp_path_factory.mktemp("c") / "c.sqlite")
    expected = []
    choices = {k: wanted(v) for k, v in filters.items()}
    for d, (own, chunks) in enumerate(documents):
        rec = record(f"d{d}", metadata=own)
        made = [
            chunk(f"d{d}-{i}", "x", i, doc_id=f"d{d}", page_start=i or None, metadata=meta)
            for i, meta in enumerate(chunks)
        ]
        put(catalog, rec, made)
        expected += [
            c.chunk_id
            for c in made
            if all(choices.values())
            and fits(choices, document_values(rec), (c.page_start, c.page_end), chunk_values(c))
        ]
    assert catalog.select(COLLECTION, filters) == expected
    catalog.close()


@pytest.mark.parametrize("replaced", [False, True])
def test_a_catalog_removed_or_replaced_meanwhile_takes_no_write(tmp_path, catalog, replaced):
    path = tmp_path / "home" / "catalog.sqlite"
    if replaced:
        path.rename(path.with_suffix(".old"))
        path.write_bytes(b"")
    else:
        path.unlink()
    rec, edition = document("d1", "e1", ["甲"])
    with pytest.raises(StoreError, match="removed or replaced"):
        catalog.stage(rec, edition)


@pytest.mark.parametrize(
    ("index", "ask"),
    [
        ("chunks_by_section", lambda c: c.by_section(COLLECTION, "3.1")),
        ("figures_by_label", lambda c: c.figures_by_label(COLLECTION, label("2", "3"))),
    ],
)
def test_sections_and_labels_are_looked_up_and_not_searched_through_everything(catalog, index, ask):
    asked = []
    catalog._connection().set_trace_callback(asked.append)
    ask(catalog)
    catalog._connection().set_trace_callback(None)
    (statement,) = asked
    plan = catalog._all(f"EXPLAIN QUERY PLAN {statement}")
    assert any(f"USING INDEX {index}" in str(step) for step in plan)
