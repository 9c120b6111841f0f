import pytest

from tuwen.core.chunk import Chunk
from tuwen.core.evidence import Explain, Hit, LegScore


@pytest.fixture
def make_chunk():
    def make(chunk_id, **fields):
        values = {
            "doc_id": "d",
            "edition": "e",
            "collection": "c",
            "doc_title": "手册",
            "chunk_type": "section_text",
            "text": f"text of {chunk_id}",
            "embedding_text": "",
            "semantic_id": f"s-{chunk_id}",
            "ordinal": 0,
        }
        return Chunk(chunk_id=chunk_id, **(values | fields))

    return make


@pytest.fixture
def make_hit():
    def make(chunk_id, score, *, label=False, dropped=""):
        legs = {"label": LegScore(rank=1, score=1.0)} if label else {}
        return Hit(chunk_id=chunk_id, score=score, explain=Explain(legs=legs, dropped=dropped))

    return make
