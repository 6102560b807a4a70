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
        imports[name] = set()
        for node in nodes:
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
            if isinstance(node, ast.ImportFrom):
                imports[name] |= {node.module, *(f"{node.module}.{imported}" for imported in names)}
            else:
                imports[name].update(names)
    assert {"sbmt.decoder.search.cell", "sbmt.decoder.search.chart"} <= imports.keys()
    TopologicalSorter(imports).prepare()  # raises CycleError
