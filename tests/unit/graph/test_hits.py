"""Hits on their way through the retrieval subgraph's state."""

import json

import pytest
from pydantic import ValidationError

from tuwen.core.evidence import Explain, Hit, LegScore
from tuwen.graph.nodes.search import dump_hits, load_hits

HITS = [
    Hit(chunk_id="a", score=1.5),
    Hit(chunk_id="b", score=0.0, explain=Explain(fused=0.25)),
    Hit(
        chunk_id="c",
        score=-2.0,
        explain=Explain(
            legs={"dense": LegScore(rank=1, score=0.9), "label": LegScore(rank=2, score=0.0)},
            fused=1.0,
            reranked=0.0,
            rules=("table_up", "text_up"),
            dropped="mmr",
        ),
    ),
]


def test_the_state_form_is_plain_json_without_defaults():
    assert dump_hits(HITS) == [
        {"chunk_id": "a", "score": 1.5},
        {"chunk_id": "b", "score": 0.0, "explain": {"fused": 0.25}},
        {
            "chunk_id": "c",
            "score": -2.0,
            "explain": {
                "legs": {"dense": {"rank": 1, "score": 0.9}, "label": {"rank": 2, "score": 0.0}},
                "fused": 1.0,
                "reranked": 0.0,
                "rules": ["table_up", "text_up"],
                "dropped": "mmr",
            },
        },
    ]


@pytest.mark.parametrize("item", [{"score": 1.0}, {"chunk_id": "a", "score": 1.0, "rank": 1}])
def test_what_is_no_hit_is_refused(item):
    with pytest.raises(ValidationError):
        load_hits([item])


def test_hits_come_back_the_same_from_the_next_node_and_from_a_checkpoint():
    dumped = dump_hits(HITS)
    assert load_hits(dumped) == HITS
    assert load_hits(json.loads(json.dumps(dumped))) == HITS
    assert load_hits(list(dumped)) == HITS
