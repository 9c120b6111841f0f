from types import SimpleNamespace

import pytest

from tuwen.core.evidence import Evidence
from tuwen.tools.neighbours import group_evidence, with_rows


class Shelf:
    """The part of a catalog that grouping reads."""

    def __init__(self, chunks):
        self.all = {chunk.chunk_id: chunk for chunk in chunks}

    def chunks(self, ids):
        return [self.all[i] for i in ids if i in self.all]

    def by_semantic_id(self, doc_id, semantic_id):
        found = [c for c in self.all.values() if (c.doc_id, c.semantic_id) == (doc_id, semantic_id)]
        return sorted(found, key=lambda c: c.ordinal)

    def chunks_of(self, doc_id, *, first=0, last=None):
        found = [
            c
            for c in self.all.values()
            if c.doc_id == doc_id and first <= c.ordinal and (last is None or c.ordinal <= last)
        ]
        return sorted(found, key=lambda c: c.ordinal)


@pytest.fixture
def document(make_chunk):
    def row(i, block, section, page):
        return make_chunk(
            f"c{i}",
            ordinal=i,
            semantic_id=block,
            section_path=section,
            page_start=page,
            page_end=page,
            text=str(i) * 100,
        )

    return Shelf(
        [
            row(0, "intro", "1", 1),
            row(1, "intro", "1", 1),
            row(2, "body", "2", 2),
            row(3, "body", "2", 2),
            row(4, "body", "2", 3),
            row(5, "more", "2", 3),
            row(6, "last", "2", 9),
        ]
    )


def groups(evidence):
    return [(e.n, e.chunk_id, e.chunk_ids) for e in evidence]


def test_the_semantic_block_comes_with_the_hit_in_document_order(make_hit, document):
    evidence = group_evidence([make_hit("c3", 1.0)], document, groups=5, max_chars=300)
    assert groups(evidence) == [(1, "c3", ("c2", "c3", "c4"))]


def test_the_section_follows_when_the_block_leaves_room(make_hit, document):
    evidence = group_evidence([make_hit("c3", 1.0)], document, groups=5, max_chars=2000)
    assert groups(evidence) == [(1, "c3", ("c2", "c3", "c4", "c5"))]


def test_the_hit_is_there_even_when_it_alone_is_over_the_budget(make_hit, document):
    evidence = group_evidence([make_hit("c3", 1.0)], document, groups=5, max_chars=10)
    assert groups(evidence) == [(1, "c3", ("c3",))]


def test_no_chunk_is_in_two_groups_and_numbers_follow_the_hits(make_hit, document):
    hits = [make_hit("c4", 3.0), make_hit("c0", 2.0), make_hit("c3", 1.0), make_hit("c6", 0.5)]
    evidence = group_evidence(hits, document, groups=5, max_chars=300)
    assert [e.n for e in evidence] == [1, 2, 3]
    assert [e.chunk_id for e in evidence] == ["c4", "c0", "c6"]
    taken = [i for e in evidence for i in e.chunk_ids]
    assert len(taken) == len(set(taken))
    assert [e.score for e in evidence] == [3.0, 2.0, 0.5]


def test_at_most_the_wanted_number_of_groups(make_hit, document):
    hits = [make_hit(f"c{i}", 1.0) for i in (0, 3, 6)]
    assert len(group_evidence(hits, document, groups=2, max_chars=0)) == 2


def test_unknown_and_dropped_hits_open_no_group(make_hit, document):
    hits = [make_hit("gone", 9.0), make_hit("c0", 2.0, dropped="mmr"), make_hit("c6", 1.0)]
    evidence = group_evidence(hits, document, groups=5, max_chars=100)
    assert groups(evidence) == [(1, "c6", ("c6",))]
    assert group_evidence([], document, groups=5, max_chars=100) == []


def test_a_chunk_pages_away_is_no_neighbour(make_hit, document):
    evidence = group_evidence([make_hit("c6", 1.0)], document, groups=5, max_chars=2000)
    assert groups(evidence) == [(1, "c6", ("c6",))]


def test_a_figure_and_the_text_of_another_page_that_names_it_are_two_groups(make_hit, make_chunk):
    named = make_chunk(
        "c0", ordinal=0, semantic_id="s", section_path="1", page_start=1, page_end=1, text="见图1"
    )
    drawn = make_chunk(
        "c1",
        ordinal=1,
        semantic_id="s",
        section_path="1",
        page_start=2,
        page_end=2,
        text="图1",
        figure_id="f1",
    )
    other = make_chunk("c9", ordinal=9, semantic_id="o", section_path="7", text="其他")
    shelf = Shelf([named, drawn, other])
    shelf.figures = lambda ids: [SimpleNamespace(mentions=("c0",))] if ids == ["f1"] else []
    hits = [make_hit("c1", 1.0), make_hit("c9", 0.5)]
    evidence = group_evidence(hits, shelf, groups=3, max_chars=300)
    assert groups(evidence) == [(1, "c1", ("c1",)), (2, "c0", ("c0",)), (3, "c9", ("c9",))]


def test_rows_that_are_asked_for_come_first_and_all_groups_are_numbered_anew():
    groups = [
        Evidence(n=1, chunk_id="a", chunk_ids=("a", "b"), score=2.0),
        Evidence(n=2, chunk_id="t", chunk_ids=("t",), score=1.0),
    ]
    joined = with_rows(groups, [("h", "t")])
    assert [(g.n, g.chunk_ids, g.row) for g in joined] == [
        (1, ("h", "t"), True),
        (2, ("a", "b"), False),
    ]
    assert with_rows(groups, []) == groups
