"""A section may have thousands of paragraphs: each chunk looks at its own."""

from hypothesis import given
from hypothesis import strategies as st

from tuwen.core.document import BBox, Block
from tuwen.ingestion.chunkers import draft
from tuwen.ingestion.chunkers.draft import cut_run, run_of
from tuwen.ingestion.chunkers.place import REST, places_of, within
from tuwen.ingestion.structure import Placed

BOX = BBox(x0=0.1, y0=0.1, x1=0.5, y1=0.2)


def paragraphs(lengths):
    rest = {REST: [{"page": 9, "bbox": BOX.model_dump()}]}
    return [
        Placed(
            Block(
                index=i, kind="text", text="词" * n, page=i // 3 + 1, bbox=BOX,
                meta=rest if i % 4 == 1 else {},
            ),
            None,
        )
        for i, n in enumerate(lengths)
    ]  # fmt: skip


@given(
    st.lists(st.integers(1, 40), min_size=1, max_size=12), st.integers(0, 500), st.integers(1, 90)
)
def test_a_piece_knows_its_blocks_and_places_as_if_all_were_looked_at(lengths, start, length):
    run = run_of(paragraphs(lengths))
    start %= len(run.text)
    end = min(start + length, len(run.text))
    pairs = list(zip(run.placed, run.spans, strict=True))
    inside = tuple(item for item, (a, b) in pairs if a < end and b > start)
    piece = run.text[start:end]
    begin = start + len(piece) - len(piece.lstrip())
    every = [place for item, (a, b) in pairs for place in places_of(item.block, a, b - a)]
    assert run.within(start, end) == inside
    if piece.strip():
        assert run.places(start, end) == within(every, begin, begin + len(piece.strip()))


def test_a_run_is_its_blocks_texts_joined():
    run = run_of(paragraphs([3, 40, 2]))
    assert [run.text[a:b] for a, b in run.spans] == [p.block.text for p in run.placed]
    assert len(run.text) == run.spans[-1][1]


def test_the_chunks_of_thousands_of_paragraphs_look_at_each_a_few_times(monkeypatch):
    looked = []
    monkeypatch.setattr(draft, "places_of", lambda *asked: looked.append(1) or places_of(*asked))
    items = paragraphs([60] * 3000)
    drafts = list(cut_run(run_of(items), 400, 80, "t"))
    assert len(drafts) > 300
    assert len(looked) < 4 * len(items)
