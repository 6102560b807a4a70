"""sbmt: statistical machine translation from English to simpler English (Xu et al., TACL 2016).

The names below can be imported from here; their modules are imported on first use.

- `Simplifier`, `Options`: `Simplifier.load("starter").simplify(text)` gives the simpler text, and each change with its
  rule (`sbmt.simplifier`).
- `evaluate`, `get_metric`: `evaluate(get_metric("sari"), sources, references, systems)` gives scores with intervals and
  tests (`sbmt.metrics`).
- `Model`: a bundle of grammars, language models and weights (`sbmt.model`).

Further subpackages: `sbmt.evaluation` (word alignment, transformations, reports, studies), `sbmt.inspection` (a
model's candidates for a phrase, and their scores), `sbmt.tuning` (learning weights), `sbmt.decoder`, `sbmt.lm`,
`sbmt.ppdb` and `sbmt.features` (the parts of models), `sbmt.text` and `sbmt.data`.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from sbmt.version import __version__

if TYPE_CHECKING:
    from sbmt.metrics import evaluate, get_metric
    from sbmt.model import Model
    from sbmt.simplifier import Options, Simplifier

__all__ = ["Model", "Options", "Simplifier", "__version__", "evaluate", "get_metric"]

_MODULES = {
    "Model": "sbmt.model",
    "Options": "sbmt.simplifier",
    "Simplifier": "sbmt.simplifier",
    "evaluate": "sbmt.metrics",
    "get_metric": "sbmt.metrics",
}


def __getattr__(name: str) -> object:
    """Import a public name on first use, so that `import sbmt` alone is quick."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
