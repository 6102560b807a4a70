"""House rules that can be read off the source: which way imports point, no import cycles, sizes of functions and files.

Each part may import only from itself and from the levels above its own in LEVELS. No module needs what a plain install
lacks, except those listed in OPTIONAL.
"""

from __future__ import annotations

import ast
import configparser
import re
import subprocess
import sys
from collections.abc import Container, Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = {"sbmt": "sbmt", "ppdb": "sbmt.ppdb", "features": "sbmt.features", "tuning": "sbmt.tuning"}
LEVELS = [
    set("sbmt version errors arguments cache files paths arrays compressed io layout user_code".split())
    | {"progress", "parallel", "config", "configs"},
    {"text"},
    {"metrics", "lm"},
    {"ppdb"},
    {"features"},
    {"decoder"},
    {"model"},
    {"translators"},
    {"joshua_model", "baselines"},
    {"simplifier", "inspection"},
    {"data"},
    {"tuning", "evaluation"},
    {"cli"},
]
RANK = {part: rank for rank, parts in enumerate(LEVELS) for part in parts}
SETUP = configparser.ConfigParser()
SETUP.read(ROOT / "setup.cfg")
# Modules that name the extra they need when they are used without it.
OPTIONAL = {("sbmt.text.words.inflection", "lemminflect")}
# What the package itself imports lazily, to re-export it.
PASSED_ON = {("sbmt", f"sbmt.{part}") for part in ("metrics", "model", "simplifier")}
MAX_FUNCTION_LINES = 60
MAX_FILE_LINES = 400
EXTRAS = {re.split("[<>=]", line)[0] for names in SETUP["options.extras_require"].values() for line in names.split()}


def modules() -> Iterator[tuple[str, Path]]:
    for folder, package in FOLDERS.items():
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = [*package.split("."), *path.relative_to(ROOT / folder).with_suffix("").parts]
            yield ".".join(part for part in parts if part != "__init__"), path


def part_of(module: str) -> str:
    return [*module.split("."), "sbmt"][1]


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield node.module or ""


@pytest.mark.parametrize(("module", "path"), list(modules()), ids=lambda value: value if isinstance(value, str) else "")
def test_imports_point_one_way(module: str, path: Path) -> None:
    part = part_of(module)
    assert part in RANK, f"give {part} a level in LEVELS"
    for name in imported(path):
        if (module, name) in OPTIONAL | PASSED_ON:
            continue
        assert name.split(".")[0] not in EXTRAS, f"{module} imports {name}, which a plain install lacks"
        if name.split(".")[0] in {"ppdb", "features", "tuning"}:
            pytest.fail(f"{module} imports {name}: write sbmt.{name}")
        if name == "sbmt" or not name.startswith("sbmt."):
            continue
        other = part_of(name)
        allowed = other == part or RANK[other] < RANK[part] or RANK[part] == 0 == RANK[other]
        assert allowed, f"{module} imports {name}, which comes no earlier than itself"
        assert {part, other} != {"decoder", "metrics"}, f"{module} imports {name}"


def imported_modules(path: Path, modules: Container[str]) -> Iterator[str]:
    """Yield the names of imported modules, also of those for type checking and in `from package import module`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (name if name in modules else node.module or "" for name in names)


def test_no_module_imports_itself_through_others() -> None:
    paths = dict(modules())
    imports = {module: set(imported_modules(path, paths)) for module, path in paths.items()}
    assert "sbmt.tuning.iterations" in imports["sbmt.tuning.loop"]
    TopologicalSorter(imports).prepare()  # raises CycleError


@pytest.mark.parametrize("path", [path for _, path in modules()], ids=lambda path: str(path.relative_to(ROOT)))
def test_functions_and_files_are_short(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= MAX_FILE_LINES
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            assert lines <= MAX_FUNCTION_LINES, f"{node.name} has {lines} lines"


def test_what_the_package_passes_on() -> None:
    import sbmt
    from sbmt.metrics import get_metric
    from sbmt.simplifier import Simplifier

    assert sbmt.Simplifier is Simplifier
    assert sbmt.get_metric is get_metric
    assert all(hasattr(sbmt, name) and name in dir(sbmt) for name in sbmt.__all__)
    with pytest.raises(AttributeError, match="no attribute 'Simplifer'"):
        sbmt.Simplifer  # noqa: B018 - looked up, as by somebody who mistypes it


def test_the_package_alone_imports_next_to_nothing() -> None:
    listed = subprocess.run(
        [sys.executable, "-c", "import sys, sbmt; print(*sys.modules)"], capture_output=True, check=True
    )
    assert {"numpy", "sbmt.simplifier"}.isdisjoint(listed.stdout.decode().split())
