"""What the keyword leg says of its queries."""

from types import SimpleNamespace

from tuwen.core.analysis import Analysis
from tuwen.core.options import RunOptions
from tuwen.core.ports import KeywordHits
from tuwen.graph.nodes.search import make_search_keyword


async def crowds(question, queries):
    """The crowd that each query's leg says where the index finds one everywhere."""
    found = KeywordHits(hits=(("a", 2.0), ("b", 1.0)), coverage=1.0, crowd=0.75)
    services = SimpleNamespace(
        settings=SimpleNamespace(retrieval=SimpleNamespace(keyword_n=5)),
        keywords=SimpleNamespace(search=lambda *_, **__: found),
    )
    analysis = Analysis(question=question, rewritten=question, queries=tuple(queries))
    state = {"analysis": analysis.model_dump(mode="json"), "queries": list(queries)}
    said = await make_search_keyword(services)(
        state, SimpleNamespace(context=RunOptions(collection="c"))
    )
    return {leg["query"]: leg["crowd"] for leg in said["legs"]}


async def test_a_clause_is_told_by_its_words_in_a_crowd_too():
    question = "停车办法由哪个部门解释？"
    assert await crowds(question, [question, "停车办法 负责解释"]) == {
        question: 0.75,
        "停车办法 负责解释": 0.0,
    }


async def test_other_queries_keep_their_crowd():
    assert await crowds("停车费是多少？", ["停车费是多少？"]) == {"停车费是多少？": 0.75}
