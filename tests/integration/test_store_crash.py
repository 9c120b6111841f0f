"""A crash at any step of a write, then a start: the old or the new edition, and nothing else."""

import multiprocessing
import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "unit" / "backends"))

import store_fakes as kit

from tuwen.core.errors import IndexMismatchError

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


def recovered_alone(home):
    """What a store of one document holds after a start, the same in every part."""
    store = kit.open_small(home)
    try:
        store.recover()
        view = kit.view(store)
        assert view["chunks"] == view["vectors"] == view["keywords"]
        assert view["stale"] == []
        assert bool(view["assets"]) == bool(view["documents"])
        return view
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


@pytest.mark.parametrize("action", ["commit", "delete", "drop"])
def test_whatever_was_on_the_disk_when_the_process_died_leaves_one_edition(
    filled, outcomes, tmp_path, action
):
    home = copied(filled, tmp_path / "whole")
    states = kit.disk_states(home, kit.ACTIONS[action], tmp_path / "states")
    assert len(states) >= 10
    ends = [recovered(state) for state in states]
    assert all(end in (outcomes[None], outcomes[action]) for end in ends)
    turned = [end == outcomes[action] for end in ends]
    assert turned == sorted(turned)
    assert (turned[0], turned[-1]) == (False, True)


def test_the_first_document_of_a_new_store_is_there_or_not(tmp_path):
    home = tmp_path / "home"
    kit.open_small(home).close()
    states = kit.disk_states(home, lambda s: kit.commit(s, kit.OLD), tmp_path / "states")
    documents = [recovered_alone(state)["documents"] for state in states]
    assert documents == sorted(documents)
    assert documents[0] == []
    assert documents[-1] == [("d1", "e1")]


def test_a_recovery_that_dies_is_finished_by_the_next_one(filled, outcomes, tmp_path):
    home = copied(filled, tmp_path / "whole")
    begun = kit.disk_states(home, kit.ACTIONS["commit"], tmp_path / "begun")
    for number, half in enumerate((begun[len(begun) // 2], begun[-3])):
        end = recovered(copied(half, tmp_path / f"end{number}"))
        assert end in (outcomes[None], outcomes["commit"])
        states = kit.disk_states(half, lambda s: s.recover(), tmp_path / f"states{number}")
        assert states
        assert all(recovered(state) == end for state in states)


def test_a_reindex_that_dies_anywhere_is_whole_or_refused(filled, tmp_path):
    home = copied(filled, tmp_path / "whole")
    states = kit.disk_states(home, lambda s: s.reindex(kit.COLLECTION), tmp_path / "states")
    refused = []
    for state in states:
        store = kit.open_small(state)
        store.recover()
        try:
            store.check_fingerprint(kit.COLLECTION)
            refused.append(False)
            view = kit.view(store)
            assert view["vectors"] == view["chunks"]
        except IndexMismatchError:
            refused.append(True)
        store.close()
    assert True in refused
    assert refused[-1] is False


@pytest.mark.skipif(sys.platform == "win32", reason="needs a fork server")
def test_a_process_that_really_dies_leaves_one_edition(filled, outcomes, tmp_path):
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["store_fakes", "chromadb", "langchain_chroma", "jieba"])

    def run(home, step):
        process = context.Process(target=kit.die_at, args=(home, "commit", step))
        process.start()
        process.join(60)
        return process.exitcode

    whole = copied(filled, tmp_path / "whole")
    assert run(whole, 0) == 0
    steps = int((whole / "steps").read_text())
    for step in range(steps // 4, steps, steps // 4):
        home = copied(filled, tmp_path / str(step))
        assert run(home, step) == 9
        end = recovered(home)
        assert end in (outcomes[None], outcomes["commit"]), f"died at call {step} of {steps}"
