"""Embedding, rerank and vision routes of a scripted endpoint over real HTTP."""

import base64

import numpy as np
import pytest

from tests.scripted_server import Reply, Rules, ScriptedServer
from tuwen.backends.embed_openai import OpenAIEmbedder
from tuwen.backends.rerank_http import HttpReranker
from tuwen.backends.vision_openai import OpenAIVision
from tuwen.core.errors import PermanentError, TransientError
from tuwen.core.settings import ChatSettings, EmbeddingSettings, RerankSettings

pytestmark = pytest.mark.integration
PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 20


@pytest.fixture
def server():
    with ScriptedServer() as made:
        yield made


@pytest.fixture
def embedder(server):
    made = OpenAIEmbedder(
        EmbeddingSettings(provider="openai", model="m", base_url=server.url, batch_size=64),
        pause=lambda seconds: None,
    )
    yield made
    made.close()


@pytest.fixture
def reranker(server):
    made = HttpReranker(RerankSettings(provider="http", model="r", base_url=server.url))
    yield made
    made.close()


@pytest.fixture
def vision(server):
    made = OpenAIVision(ChatSettings(model="v", base_url=server.url, max_retries=0))
    yield made
    made.close()


def test_vectors_are_unit_length_and_in_the_order_given(embedder):
    texts = [f"文本{i}" for i in range(10)]
    together = embedder.embed_passages(texts)
    alone = np.concatenate([embedder.embed_queries([text]) for text in texts])
    assert together.dtype == np.float32
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-6)
    assert np.allclose(together, alone, atol=1e-6)
    assert embedder.dim == together.shape[1] == 8


def test_no_text_is_no_call(server, embedder):
    assert len(embedder.embed_passages([])) == 0
    assert server.requests == []


@pytest.mark.parametrize("limit", [1, 3, 10, 25])
def test_refused_batches_are_halved_and_the_limit_is_kept(server, embedder, limit):
    server.rules = Rules(embed_limit=limit)
    texts = [f"文本{i}" for i in range(100)]
    assert embedder.embed_passages(texts).shape == (100, 8)
    refused = len(server.requests)
    embedder.embed_passages(texts)
    sizes = [len(request.body["input"]) for request in server.requests[refused:]]
    assert max(sizes) <= limit
    assert sum(sizes) == 100
    assert all(isinstance(text, str) for r in server.requests for text in r.body["input"])


def test_text_too_long_even_alone_is_shortened_and_no_other_is(server, embedder):
    server.rules = Rules(embed_chars=500)
    found = embedder.embed_passages(["短", "长" * 1800, "中" * 400])
    assert found.shape == (3, 8)
    assert np.allclose(found[1], embedder.embed_passages(["长" * 450])[0])
    assert np.allclose(found[2], embedder.embed_passages(["中" * 400])[0])


def test_blank_text_has_a_vector(embedder):
    assert embedder.embed_passages(["", "  ", "x"]).shape == (3, 8)


def test_wrong_key_is_told(server, embedder):
    server.rules = Rules(api_key="other")
    with pytest.raises(PermanentError, match=r"embedding\.api_key"):
        embedder.embed_passages(["a", "b"])
    assert len(server.requests) == 1


@pytest.mark.parametrize("form", ["jina", "tei"])
def test_rerank_scores_are_in_the_order_given(server, reranker, form):
    server.rules = Rules(rerank_form=form)
    texts = ["无关", "泵的流量", "泵"]
    for _ in range(2):
        scores = reranker.rerank("泵流量", texts)
        assert scores == pytest.approx([0, 1, 1 / 3])
        assert all(type(score) is float for score in scores)
    assert len(server.requests) == (2 if form == "jina" else 3)
    assert all(request.path == "/v1/rerank" for request in server.requests)


def test_rerank_batches_are_halved(server, reranker):
    server.rules = Rules(rerank_limit=8)
    scores = reranker.rerank("泵", ["泵" if i % 3 == 0 else "x" for i in range(50)])
    assert scores == [1.0 if i % 3 == 0 else 0.0 for i in range(50)]


@pytest.mark.parametrize("limit", [0, 500], ids=["any length", "short texts only"])
def test_the_end_of_a_long_text_is_ranked_and_costs_no_other_its_score(server, reranker, limit):
    server.rules = Rules(rerank_chars=limit)
    filler = "无关的说明。" * 3300
    assert reranker.rerank("泵流量", [filler + "泵的流量", "泵", filler]) == pytest.approx(
        [1, 1 / 3, 0]
    )


def test_rerank_address_may_name_the_route(server):
    made = HttpReranker(RerankSettings(provider="http", base_url=f"{server.url}/rerank"))
    assert made.rerank("泵", ["泵"]) == [1.0]
    assert made.rerank("泵", []) == []
    made.close()


def test_rerank_failure_is_typed():
    dead = ScriptedServer()
    dead.close()
    made = HttpReranker(
        RerankSettings(provider="http", base_url=dead.url), pause=lambda seconds: None
    )
    with pytest.raises(TransientError, match=r"rerank\.base_url"):
        made.rerank("泵", ["泵"])
    made.close()


def test_picture_is_sent_and_described(server, vision):
    server.script(Reply("<think>hm</think>一张水位图。"))
    assert vision.describe(PNG, "描述") == "一张水位图。"
    encoded = base64.b64encode(PNG).decode()
    assert server.requests[0].images == [f"data:image/png;base64,{encoded}"]


@pytest.mark.parametrize("image", [b"", b"not a picture", b"%PDF-1.4"])
def test_without_a_picture_there_is_no_call_and_no_description(server, vision, image):
    assert vision.describe(image, "描述") == ""
    assert server.requests == []


def test_model_that_saw_nothing_gives_no_description(server, vision):
    server.script("NO_PICTURE")
    assert vision.describe(PNG, "描述") == ""


@pytest.mark.parametrize(
    ("text", "kept"), [("水位 3.5 m。最高在七", "水位 3.5 m。"), ("水位 3.5", "")]
)
def test_cut_description_ends_at_a_sentence(server, vision, text, kept):
    server.script(Reply(text, finish="length"))
    assert vision.describe(PNG, "描述") == kept


def test_text_only_model_is_told_apart(server, vision):
    server.rules = Rules(text_only=True)
    with pytest.raises(PermanentError) as caught:
        vision.describe(PNG, "描述")
    assert caught.value.reason == "rejected"
