import numpy as np
import pytest

from tuwen.backends.calibrated import PAIR, CalibratedEmbedder, Scale, scale_of
from tuwen.backends.usem3 import BuiltinEmbedder


class Squeezed:
    """An encoder whose cosines all lie high up: a constant direction is added to each vector."""

    name, dim = "squeezed", 513

    def __init__(self, inner):
        self.inner = inner

    def embed_passages(self, texts):
        found = self.inner.embed_passages(texts)
        longer = np.concatenate([found, np.full((len(found), 1), 2.0, dtype=np.float32)], axis=1)
        return longer / np.linalg.norm(longer, axis=1, keepdims=True)

    embed_queries = embed_passages


@pytest.fixture(scope="module")
def usem3():
    return BuiltinEmbedder()


def test_any_encoders_cosines_come_to_the_targets_scale(usem3):
    squeezed = Squeezed(usem3)
    assert scale_of(squeezed).unrelated > 0.7
    for inner in (usem3, squeezed):
        found = scale_of(CalibratedEmbedder(inner, PAIR))
        assert found == pytest.approx(PAIR, abs=1e-3)


def test_the_order_of_passages_stays(usem3):
    texts = ["轴承温度不得超过70度", "食堂十二点开饭", "The pump runs at 1450 rpm"]
    scaled = CalibratedEmbedder(usem3, Scale(-0.3, 0.9))
    plain = usem3.embed_passages(texts) @ usem3.embed_queries(["轴承温度"])[0]
    moved = scaled.embed_passages(texts) @ scaled.embed_queries(["轴承温度"])[0]
    assert np.argsort(plain).tolist() == np.argsort(moved).tolist()
    assert scaled.embed_passages(texts).shape == (3, scaled.dim)


def test_an_encoder_that_tells_nothing_keeps_its_cosines():
    class Flat:
        name, dim = "flat", 2

        def embed_passages(self, texts):
            return np.tile(np.array([[1.0, 0.0]], dtype=np.float32), (len(texts), 1))

        embed_queries = embed_passages

    assert scale_of(CalibratedEmbedder(Flat(), PAIR)) == pytest.approx((1.0, 1.0))
