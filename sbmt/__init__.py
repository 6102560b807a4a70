"""sbmt: statistical machine translation from English to simpler English (Xu et al., TACL 2016).

Where to begin:

- `sbmt.simplifier`: `Simplifier.load("starter").simplify(text)` gives the simpler text, and each change
  with its rule. `sbmt.Simplifier` is the same.
- `sbmt.metrics`: `evaluate(get_metric("sari"), sources, references, systems)` gives scores with intervals and tests;
  `quality.quality(sources, outputs)` gives features that need no reference.
- `sbmt.evaluation`: `alignment.align`, `transformations.transform`, `operations.operations`, `report.build`.
- `sbmt.inspection`: what a model would put for a word, and why.
- `sbmt.model`: bundles of grammars, language models and weights, which `sbmt.decoder`, `sbmt.lm`, `sbmt.ppdb` and
  `sbmt.features` are about; `sbmt.tuning` learns the weights.
"""

from typing import TYPE_CHECKING

from sbmt.version import __version__

if TYPE_CHECKING:
    from sbmt.simplifier import Simplifier

__all__ = ["Simplifier", "__version__"]


def __getattr__(name: str) -> object:
    """`Simplifier`, imported when somebody asks for it: `import sbmt` alone is quick."""
    if name == "Simplifier":
        from sbmt.simplifier import Simplifier

        return Simplifier
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
