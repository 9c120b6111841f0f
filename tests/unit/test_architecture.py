"""The import contract, read from the source."""

import ast
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MAY_IMPORT = {
    "core": set(),
    "prompts": {"core"},
    "ingestion": {"core", "prompts"},
    "tools": {"core", "prompts"},
    "backends": {"core", "prompts"},
    "agents": {"core", "prompts", "tools"},
    "graph": {"core", "prompts", "tools", "agents", "ingestion"},
    "app": {"core", "prompts", "tools", "agents", "ingestion", "backends", "graph"},
    "evals": {"core", "prompts", "tools", "agents", "ingestion", "backends", "graph", "app"},
}
FILES = [path for name in MAY_IMPORT for path in sorted((ROOT / name).rglob("*.py"))]


def imported_rooms(path: Path) -> set[str]:
    """Top-level folders of the package that a file imports."""
    package = path.relative_to(ROOT).parent.parts
    rooms = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) - (node.level - 1)]
            full = (*base, *(node.module.split(".") if node.module else ()))
            rooms.update(full[:1] or {alias.name for alias in node.names})
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tuwen"):
            rooms.add("absolute import of tuwen")
    return rooms - {"__version__"}


def test_there_are_files_to_check():
    assert len(FILES) > 20


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_arrows_run_one_way(path):
    room = path.relative_to(ROOT).parts[0]
    assert imported_rooms(path) - {room} <= MAY_IMPORT[room]


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_only_app_reads_the_environment_and_only_graph_builds_graphs(path):
    room = path.relative_to(ROOT).parts[0]
    source = path.read_text(encoding="utf-8")
    assert room in {"app", "evals"} or "os.environ" not in source
    assert room in {"app", "evals"} or "getenv" not in source
    assert room == "graph" or "StateGraph(" not in source


def test_core_imports_only_the_standard_library_and_pydantic():
    import sys

    for path in sorted((ROOT / "core").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        typing_only = {
            child
            for node in ast.walk(tree)
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
            for child in ast.walk(node)
        }
        for node in ast.walk(tree):
            if node in typing_only or not isinstance(node, ast.Import | ast.ImportFrom):
                continue
            if isinstance(node, ast.ImportFrom) and node.level:
                continue
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else [node.module]
            tops = {name.split(".")[0] for name in names}
            assert tops <= {*sys.stdlib_module_names, "pydantic"}, path


def test_listed_packages_are_the_folders():
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = set(listed["tool"]["setuptools"]["packages"])
    found = {"tuwen"}
    for name in MAY_IMPORT.keys() - {"evals"}:
        for init in (ROOT / name).rglob("__init__.py"):
            found.add("tuwen." + ".".join(init.parent.relative_to(ROOT).parts))
    assert packages == found


def test_nothing_of_ours_lands_in_the_top_level_of_site_packages():
    import tuwen.agents
    import tuwen.graph
    import tuwen.tools

    for module in (tuwen.agents, tuwen.graph, tuwen.tools):
        assert Path(module.__file__).resolve().is_relative_to(ROOT)


def test_every_node_is_async():
    import inspect

    from tuwen.graph.drawing import draw_chat
    from tuwen.graph.nodes import answer, chat, ingest, search

    assert "finish" in draw_chat()
    for module in (answer, chat, ingest, search):
        for name, function in vars(module).items():
            if name.startswith("make_"):
                inner = [
                    node
                    for node in ast.walk(ast.parse(inspect.getsource(function)))
                    if isinstance(node, ast.AsyncFunctionDef)
                ]
                assert inner, f"{module.__name__}.{name} makes no async node"
