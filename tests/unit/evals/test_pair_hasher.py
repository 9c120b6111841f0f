import numpy as np

from tuwen.evals.pair_hasher import PairHasher


def test_vectors_are_unit_the_same_every_time_and_near_for_near_texts():
    texts = ["水泵轴承的温度不得超过75℃", "水泵轴承的温度不得超过80℃", "汛期调度规程", ""]
    vectors = PairHasher(dim=64).embed_passages(texts)
    assert vectors.shape == (4, 64)
    np.testing.assert_allclose(np.linalg.norm(vectors[:3], axis=1), 1, atol=1e-5)
    np.testing.assert_array_equal(vectors, PairHasher(dim=64).embed_queries(texts))
    assert vectors[0] @ vectors[1] > 0.6 > abs(vectors[0] @ vectors[2])
