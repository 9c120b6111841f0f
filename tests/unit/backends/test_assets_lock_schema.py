import os
import subprocess
import sys
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st
from store_fakes import asset, chunk, document, figure, record

from tuwen.backends.assets import FileAssets
from tuwen.backends.lock import StoreLock
from tuwen.backends.schema import internal_name, restored, storable, vector_records
from tuwen.core.chunk import Edition, PageBox
from tuwen.core.document import BBox
from tuwen.core.errors import StoreBusyError, StoreError
from tuwen.core.label import Label


def test_assets_are_kept_once_and_removed(tmp_path):
    store = FileAssets(tmp_path)
    name = asset("a")
    store.put(name, b"png")
    store.put(name, b"png")
    assert store.path(name).read_bytes() == b"png"
    assert store.ids() == {name}
    store.delete([name, asset("unknown"), "../evil"])
    assert store.path(name) is None
    assert store.ids() == set()


@pytest.mark.parametrize(
    "name",
    ["", "a", "../../etc/passwd", "..", "0123456789abcdef/../x.png", "0123456789abcdef.png\n",
     "/etc/passwd", "0123456789ABCDEF.png", "0123456789abcdef.", "0123456789abcdef.p/g",
     "c:\\0123456789abcdef", "0123456789abcdef.png\x00"],
)  # fmt: skip
def test_what_is_no_asset_id_reaches_no_file(tmp_path, name):
    store = FileAssets(tmp_path / "assets")
    assert store.path(name) is None
    with pytest.raises(StoreError, match="no asset id"):
        store.put(name, b"x")
    store.delete([name])


def test_a_half_written_asset_is_written_again(tmp_path):
    store = FileAssets(tmp_path)
    store.put(asset("a"), b"who")
    store.put(asset("a"), b"whole")
    assert store.path(asset("a")).read_bytes() == b"whole"
    (tmp_path / asset("a")[:2] / ".part-x").write_bytes(b"left by a crash")
    assert store.ids() == {asset("a")}


def test_an_unwritable_asset_folder_is_named(tmp_path):
    blocked = tmp_path / "assets"
    blocked.write_text("a file, not a folder")
    with pytest.raises(StoreError, match="cannot be written") as raised:
        FileAssets(blocked).put(asset("a"), b"x")
    assert str(blocked) in str(raised.value)
    assert str(tmp_path) not in raised.value.said("en")


def test_the_second_owner_is_refused_and_told_who_the_first_is(tmp_path):
    with (
        StoreLock(tmp_path, wait_seconds=0),
        pytest.raises(StoreBusyError, match=f"process {os.getpid()} .*in use|in use by process"),
    ):
        StoreLock(tmp_path, wait_seconds=0.1).acquire()
    with StoreLock(tmp_path, wait_seconds=0):
        pass
    assert not (tmp_path / "store.owner").exists()


def test_a_dead_owner_frees_the_lock(tmp_path):
    script = textwrap.dedent(
        """
        import os, sys
        from pathlib import Path
        from tuwen.backends.lock import StoreLock
        StoreLock(Path(sys.argv[1]), wait_seconds=0).acquire()
        os._exit(9)
        """
    )
    died = subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=False)
    assert died.returncode == 9
    assert (tmp_path / "store.owner").exists()
    with StoreLock(tmp_path, wait_seconds=0):
        assert str(os.getpid()) in (tmp_path / "store.owner").read_text()


def test_an_unusable_home_is_named(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(StoreError, match="cannot be used") as raised:
        StoreLock(blocked / "home", wait_seconds=0).acquire()
    assert str(blocked) in str(raised.value)


@given(st.text(max_size=300))
def test_internal_names_are_valid_for_every_engine(name):
    made = internal_name(name)
    assert 3 <= len(made) <= 55
    assert set(made) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert made[0].isalnum()
    assert made[-1].isalnum()


@given(st.lists(st.text(max_size=20), unique=True, max_size=50))
def test_different_names_never_share_an_internal_name(names):
    assert len({internal_name(n) for n in names}) == len(names)


scalars = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=5)
values = st.recursive(
    scalars | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)
keys = st.text(min_size=1, max_size=5).filter(lambda k: k != "json_fields")


@given(st.dictionaries(keys, values, max_size=5))
def test_metadata_keep_their_shape_except_for_none(metadata):
    stored = storable(metadata)
    assert all(type(v) in (str, int, float, bool) for v in stored.values())
    assert restored(stored) == {k: v for k, v in metadata.items() if v is not None}


def test_records_carry_the_documented_names():
    rec = record(metadata={"author": "甲", "page": "not this"}, doc_type="报告")
    box = PageBox(page=4, bbox=BBox(x0=0, y0=0, x1=1, y1=0.5))
    pic = figure(
        "f1", label=Label(kind="figure", parts=("2", "3")), label_text="图2.3", caption="水位",
        asset_id=asset("a"), described=True, description="一条曲线",
    )  # fmt: skip
    made = vector_records(
        rec,
        Edition(
            chunks=(
                chunk("c1", "水位图", chunk_type="chart", figure_id="f1", page_start=4, page_end=4,
                      boxes=(box,), mentions=("f9",), source_ids=(7,), section_title="水情",
                      section_path="第一章 > 水情", section_level=2, metadata={"year": 2023}),
                chunk("c2", "正文", 1),
            ),
            figures=(pic,),
        ),
    )  # fmt: skip
    picture, text = made
    assert (picture.id, picture.visual, text.visual) == ("c1", True, False)
    assert picture.text == "手册 水位图"
    expected = {
        "source": "d1.pdf", "doc_id": "d1", "page": 4, "page_start": 4, "page_end": 4,
        "chunk_type": "chart", "section": "水情", "section_path": "第一章 > 水情", "level": 2,
        "doc_type": "报告", "has_table": False, "caption": "水位", "figure_number": "图2.3",
        "image_path": asset("a"), "has_vlm_desc": True, "full_description": "一条曲线",
        "preview": "水位图", "bbox": [box.model_dump()], "referenced_images": ["f9"],
        "semantic_id": "s-c1", "source_ids": [7], "collection": rec.collection,
        "year": 2023, "author": "甲",
    }  # fmt: skip
    assert expected.items() <= picture.metadata.items()
    assert text.metadata["page"] == "not this", "a user's value stands where we have none"
    assert "bbox" not in text.metadata
    assert vector_records(*document("d", "e", [])) == []
