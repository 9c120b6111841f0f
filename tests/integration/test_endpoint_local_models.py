"""The optional encoders for real, on tiny random checkpoints made on the spot."""

import importlib.util

import numpy as np
import pytest

from tuwen.backends.bge import BGEEmbedder, BGEReranker
from tuwen.backends.hf_embed import HuggingFaceEmbedder
from tuwen.backends.windows import windows
from tuwen.core.errors import MissingExtraError, SettingsError

# The wrapped libraries warn of their own dependencies.
pytestmark = [pytest.mark.integration, pytest.mark.filterwarnings("ignore")]
TEXTS = ["泵的额定流量", "the rated flow of the pump", "天气很好"]


def installed(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def tokenizer(folder):
    """A character tokenizer with XLM-R's special tokens."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    letters = sorted(set("".join(TEXTS) + "query:passage dimension"))
    words = ["<s>", "<pad>", "</s>", "<unk>", *letters, "<mask>"]
    made = Tokenizer(models.WordLevel({w: i for i, w in enumerate(words)}, unk_token="<unk>"))
    made.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    made.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>",
        pair="<s> $A </s> </s> $B </s>",
        special_tokens=[("<s>", 0), ("</s>", 2)],
    )
    fast = PreTrainedTokenizerFast(
        tokenizer_object=made,
        bos_token="<s>",
        eos_token="</s>",
        cls_token="<s>",
        sep_token="</s>",
        pad_token="<pad>",
        unk_token="<unk>",
        mask_token="<mask>",
        model_max_length=64,
    )
    fast.save_pretrained(folder)
    return len(words)


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory):
    """A tiny XLM-R encoder, with the two extra heads of BGE-M3."""
    pytest.importorskip("FlagEmbedding", reason="pip install 'tuwen[bge]' to run this")
    import torch
    from transformers import XLMRobertaConfig, XLMRobertaModel

    folder = tmp_path_factory.mktemp("m3")
    torch.manual_seed(7)
    model = XLMRobertaModel(config(tokenizer(folder), XLMRobertaConfig))
    model.save_pretrained(folder)
    torch.save(torch.nn.Linear(32, 32).state_dict(), folder / "colbert_linear.pt")
    torch.save(torch.nn.Linear(32, 1).state_dict(), folder / "sparse_linear.pt")
    return str(folder)


@pytest.fixture(scope="module")
def reranker_checkpoint(tmp_path_factory):
    pytest.importorskip("FlagEmbedding", reason="pip install 'tuwen[bge]' to run this")
    import torch
    from transformers import XLMRobertaConfig, XLMRobertaForSequenceClassification

    folder = tmp_path_factory.mktemp("reranker")
    torch.manual_seed(7)
    made = config(tokenizer(folder), XLMRobertaConfig, num_labels=1)
    XLMRobertaForSequenceClassification(made).save_pretrained(folder)
    return str(folder)


def config(vocabulary, kind, **values):
    return kind(
        vocab_size=vocabulary,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=80,
        pad_token_id=1,
        bos_token_id=0,
        eos_token_id=2,
        **values,
    )


def check_embedder(embedder, dim):
    rows = embedder.embed_passages(TEXTS)
    assert rows.shape == (3, dim)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-4)
    assert embedder.dim == dim
    assert embedder.embed_passages([]).shape == (0, dim)
    assert embedder.embed_queries(TEXTS[:1]).shape == (1, dim)
    alone = np.concatenate([embedder.embed_passages([text]) for text in TEXTS])
    assert np.allclose(rows, alone, atol=1e-3)


def test_bge_vectors_are_unit_length_and_independent_of_the_batch(checkpoint):
    check_embedder(BGEEmbedder(checkpoint, device="cpu"), 32)


def test_huggingface_vectors_are_unit_length_and_independent_of_the_batch(checkpoint):
    pytest.importorskip("langchain_huggingface")
    check_embedder(HuggingFaceEmbedder(checkpoint, device="cpu"), 32)


def test_bge_scores_are_plain_floats_in_the_unit_interval(reranker_checkpoint):
    reranker = BGEReranker(reranker_checkpoint, device="cpu")
    scores = reranker.rerank("泵的流量", TEXTS)
    assert all(type(score) is float and 0 < score < 1 for score in scores)
    assert scores == pytest.approx(
        [reranker.rerank("泵的流量", [text])[0] for text in TEXTS], abs=1e-4
    )
    assert reranker.rerank("泵", []) == []


def test_bge_scores_a_text_longer_than_the_models_window_by_its_best_part(reranker_checkpoint):
    reranker, question = BGEReranker(reranker_checkpoint, device="cpu"), "泵的流量"
    short, long = reranker.rerank(question, [TEXTS[0], "天气很好" * 50 + TEXTS[1]])
    assert [short] == pytest.approx(reranker.rerank(question, [TEXTS[0]]), abs=1e-4)
    room = 64 - len(question) - 8
    parts = reranker.rerank(question, windows("天气很好" * 50 + TEXTS[1], room))
    assert len(parts) > 4
    assert long == pytest.approx(max(parts), abs=1e-4)


@pytest.mark.skipif(installed("FlagEmbedding"), reason="the extra is installed")
@pytest.mark.parametrize(
    "use",
    [
        lambda: BGEEmbedder().embed_passages(["x"]),
        lambda: BGEReranker().rerank("x", ["y"]),
        lambda: HuggingFaceEmbedder("m").embed_passages(["x"]),
    ],
)
def test_missing_package_names_its_extra(use):
    with pytest.raises(MissingExtraError, match=r"tuwen\[bge\]"):
        use()


def test_huggingface_encoder_needs_a_model():
    with pytest.raises(SettingsError, match=r"embedding\.model"):
        HuggingFaceEmbedder("")


@pytest.mark.parametrize(
    ("model", "prefix"),
    [
        ("intfloat/multilingual-e5-small", "query: "),
        ("/models/multilingual-e5-large-instruct", ""),
        ("BAAI/bge-small-zh-v1.5", ""),
    ],
)
def test_e5_models_get_their_prefixes(model, prefix):
    assert HuggingFaceEmbedder(model)._prefixes[0] == prefix
