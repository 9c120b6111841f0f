from hypothesis import given
from hypothesis import strategies as st

from tuwen.core.evidence import Explain, Hit, LegScore, Place
from tuwen.tools.pages import page_support


def hit(chunk_id, score, *legs):
    explain = Explain(legs={leg: LegScore(rank=1, score=1.0) for leg in legs})
    return Hit(chunk_id=chunk_id, score=score, explain=explain)


def ids(hits):
    return [h.chunk_id for h in hits]


PLACES = {
    "lone": Place("d", 1, 1),
    "first": Place("d", 2, 2),
    "second": Place("d", 2, 2),
    "third": Place("d", 2, 3),
    "elsewhere": Place("e", 2, 2),
    "pageless": Place("f", None, None),
}


def test_a_page_with_several_good_chunks_comes_before_one_with_a_slightly_better_one():
    hits = [hit("lone", 2.0), hit("first", 1.9), hit("second", 1.5), hit("third", 1.0)]
    assert ids(page_support(hits, PLACES)) == ["first", "second", "lone", "third"]
    assert ids(page_support(hits, PLACES, share=0.0)) == ["lone", "first", "second", "third"]


def test_a_much_better_lone_chunk_stays_first():
    hits = [hit("lone", 5.0), hit("first", 1.9), hit("second", 1.5)]
    assert ids(page_support(hits, PLACES))[0] == "lone"


def test_bad_company_the_same_page_of_another_document_and_no_page_add_nothing():
    hits = [hit("first", 1.0), hit("second", -3.0), hit("elsewhere", 0.9), hit("pageless", 0.8)]
    assert page_support(hits, PLACES) == [hits[0], hits[2], hits[3], hits[1]]


def test_hits_of_the_label_leg_stay_first_and_lend_nothing():
    hits = [hit("second", 9.0, "label"), hit("first", 1.0), hit("lone", 1.1)]
    assert ids(page_support(hits, PLACES)) == ["second", "lone", "first"]


@given(st.lists(st.tuples(st.integers(1, 4), st.floats(-5, 5)), min_size=1, max_size=12))
def test_no_score_falls_and_the_order_within_a_page_holds(rows):
    places = {f"c{n}": Place("d", page, page) for n, (page, _) in enumerate(rows)}
    before = {f"c{n}": score for n, (_, score) in enumerate(rows)}
    after = {
        h.chunk_id: h.score for h in page_support([hit(i, s) for i, s in before.items()], places)
    }
    assert after.keys() == before.keys()
    for i, score in before.items():
        assert after[i] >= score
        for j in before:
            if places[i] == places[j] and before[i] > before[j]:
                assert after[i] >= after[j]
