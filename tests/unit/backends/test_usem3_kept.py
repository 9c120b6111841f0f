import numpy as np
import pytest

from tuwen.backends.usem3 import BuiltinEmbedder

TEXTS = ["离心泵的额定流量", "Rated flow, 1,234.5 m³/h", "ＡＢＣ　給水泵 ½", "", "broken \ud800"]


@pytest.fixture(scope="module")
def plain():
    return BuiltinEmbedder().embed_passages(TEXTS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory, plain):
    made = tmp_path_factory.mktemp("models")
    assert np.array_equal(BuiltinEmbedder(folder=made).embed_passages(TEXTS), plain)
    return made


def test_a_kept_model_gives_the_same_vectors(folder, plain):
    again = BuiltinEmbedder(folder=folder)
    assert np.array_equal(again.embed_passages(TEXTS), plain)
    assert again._model._sp._pieces == ()  # it was not parsed again


@pytest.mark.parametrize("damage", [b"", b"not a zip file"])
@pytest.mark.parametrize("suffix", [".npz", ".npy"])
def test_a_damaged_file_is_made_again(folder, plain, damage, suffix):
    (path,) = folder.glob(f"*{suffix}")
    whole = path.read_bytes()
    path.write_bytes(damage)
    assert np.array_equal(BuiltinEmbedder(folder=folder).embed_passages(TEXTS), plain)
    assert path.read_bytes() == whole


def test_a_folder_that_cannot_be_made_costs_only_the_files(tmp_path, plain):
    (tmp_path / "file").write_text("")
    blocked = BuiltinEmbedder(folder=tmp_path / "file" / "models")
    assert np.array_equal(blocked.embed_passages(TEXTS), plain)
