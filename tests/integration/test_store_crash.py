"""A crash at any step of a write, then a start: the old or the new edition, and nothing else."""

import multiprocessing
import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "unit" / "backends"))

import store_fakes as kit

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    home = tmp_path_factory.mktemp("filled") / "home"
    kit.fill(home)
    return home


@pytest.fixture(scope="module")
def outcomes(filled, tmp_path_factory):
    """What the store holds before an action, and after it when nothing goes wrong."""
    views = {}
    for action in [None, *kit.ACTIONS]:
        home = copied(filled, tmp_path_factory.mktemp("outcome"))
        store = kit.open_small(home)
        if action:
            kit.ACTIONS[action](store)
        views[action] = kit.view(store)
        store.close()
    return views


def copied(filled, folder):
    return Path(shutil.copytree(filled, folder / "home"))


def recovered(home):
    store = kit.open_small(home)
    try:
        store.recover()
        assert kit.view(store)["stale"] == []
        words = {"离心泵", "阀门", "轴承", "锅炉", "密封"}
        found = {i for w in words for i, _ in store.keywords.search(kit.COLLECTION, w, 9).hits}
        assert found == set(store.catalog.select(kit.COLLECTION, {}))
        return kit.view(store)
    finally:
        store.close()


def writes(filled, folder, action):
    store = kit.open_small(copied(filled, folder))
    wire = kit.Tripwire(store, 0, after=False)
    kit.ACTIONS[action](store)
    store.close()
    return wire.seen


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("action", ["commit", "delete"])
def test_a_crash_around_any_write_leaves_one_edition(filled, outcomes, tmp_path, action, after):
    total = writes(filled, tmp_path / "count", action)
    assert total >= 5
    ends = []
    for step in range(1, total + 1):
        home = copied(filled, tmp_path / str(step))
        store = kit.open_small(home)
        kit.Tripwire(store, step, after=after)
        with pytest.raises(kit.Crash):
            kit.ACTIONS[action](store)
        store.close()
        ends.append(recovered(home))
    assert all(end in (outcomes[None], outcomes[action]) for end in ends)
    assert ends[0] == outcomes[None] or after
    assert ends[-1] == outcomes[action]
    # Once the new state is reached no later crash brings the old one back.
    turned = [end == outcomes[action] for end in ends]
    assert turned == sorted(turned)


def test_an_error_during_a_commit_is_rolled_back_at_once(filled, outcomes, tmp_path):
    store = kit.open_small(copied(filled, tmp_path))

    def full(*_args):
        raise OSError("no space left on device")

    store.keywords.add = full
    with pytest.raises(OSError, match="no space"):
        kit.commit(store, kit.NEW)
    assert kit.view(store) == outcomes[None]
    store.close()


@pytest.mark.skipif(sys.platform == "win32", reason="needs a fork server")
@pytest.mark.parametrize("action", ["commit", "delete", "drop"])
def test_a_process_that_dies_at_any_call_leaves_one_edition(filled, outcomes, tmp_path, action):
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["store_fakes", "chromadb", "langchain_chroma", "jieba"])

    def run(home, step):
        process = context.Process(target=kit.die_at, args=(home, action, step))
        process.start()
        process.join(60)
        return process.exitcode

    whole = copied(filled, tmp_path / "whole")
    assert run(whole, 0) == 0
    steps = int((whole / "steps").read_text())
    for step in range(1, steps, max(1, steps // 10)):
        home = copied(filled, tmp_path / str(step))
        assert run(home, step) == 9
        end = recovered(home)
        assert end in (outcomes[None], outcomes[action]), f"died at call {step} of {steps}"
