"""Hits on their way through the retrieval subgraph's state."""

import json

import pytest

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


@pytest.mark.parametrize("hit", HITS)
def test_the_state_form_is_the_model_s_own_without_defaults(hit):
    assert dump_hits([hit]) == [hit.model_dump(mode="json", exclude_defaults=True)]


def test_hits_come_back_the_same_from_the_next_node_and_from_a_checkpoint():
    dumped = dump_hits(HITS)
    assert load_hits(dumped) == HITS
    assert load_hits(json.loads(json.dumps(dumped))) == HITS
    assert load_hits(list(dumped)) == HITS
