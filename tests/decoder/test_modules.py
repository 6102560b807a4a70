"""Within the decoder imports go one way, too, those for type checking included."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import sbmt.decoder

FOLDER = Path(sbmt.decoder.__file__).parent


def test_no_module_imports_itself_through_others() -> None:
    imports = {}
    for path in FOLDER.rglob("*.py"):
        name = ".".join(("sbmt.decoder", *path.relative_to(FOLDER).with_suffix("").parts))
        nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        imports[name] = {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
    assert {"sbmt.decoder.search.cell", "sbmt.decoder.search.found"} <= imports.keys()
    TopologicalSorter(imports).prepare()  # raises CycleError
