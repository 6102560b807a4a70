"""Metrics by name: `NAME[:VARIANT][,OPTION=VALUE...]`, `MODULE:FUNCTION` for one of the user's own, or a sum of them,
`NAME+WEIGHT*NAME`; and functions themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sbmt.errors import SbmtError, unknown_name
from sbmt.metrics.base import AnyMetric, bounded_number
from sbmt.metrics.bleu import Bleu
from sbmt.metrics.custom import CustomMetric, name_of
from sbmt.metrics.fkbleu import FkBleu, IBleu
from sbmt.metrics.quality import QualityFeature
from sbmt.metrics.readability import FleschKincaid
from sbmt.metrics.sari import Sari
from sbmt.metrics.support import Support
from sbmt.metrics.surface import EditDistance, Length
from sbmt.metrics.weighted import WeightedSum

METRICS: dict[str, type[AnyMetric]] = {
    metric.name: metric
    for metric in (Sari, Bleu, IBleu, FkBleu, Support, FleschKincaid, EditDistance, Length, QualityFeature)
}

ALIASES = {  # Joshua's name of its objective, EASSE's of its grade level, and what people look for
    "star": "sari:star",
    "fkgl": "fk:easse",
    "readability": "fk:plain",
}
_SUM = "a sum is NAME+WEIGHT*NAME"
DEFAULT_METRICS = ("sari:easse", "bleu:easse", "fk:easse")  # as most papers since 2019 print them


def get_metric(specification: str | Callable[..., Any], **options: str) -> AnyMetric:
    """Make a metric, e.g. `sari`, `bleu:sacrebleu,case=lc`, `sari+0.2*bleu`; `options` win over the string's.

    A function of a source, an output and a list of references is a metric, too (`sbmt.metrics.custom`).
    Raises SbmtError naming what is unknown and what there is instead, TypeError for what is neither name nor function.
    """
    if not isinstance(specification, str):
        if not callable(specification):
            raise TypeError(f"{specification!r} is neither a metric's name nor a function(source, output, references)")
        name = name_of(specification)
        return CustomMetric(name, specification, **_known(name, CustomMetric, options))
    if "+" in specification or "*" in specification:
        weights, names = zip(*(_term(term, specification) for term in specification.split("+")), strict=True)
        return WeightedSum(names, [(w, get_metric(name, **options)) for w, name in zip(weights, names, strict=True)])
    head, *pairs = specification.split(",")
    name, _, variant = ALIASES.get(head, head).partition(":")
    chosen = {**_options(pairs, specification), **options}
    if name in ALIASES:  # still: what follows its colon is no part of an alias
        raise SbmtError(f"{head}: {name} stands for {ALIASES[name]} and takes no variant")
    if name not in METRICS and variant and name.casefold() not in {*METRICS, *ALIASES}:
        return CustomMetric(head, **_known(head, CustomMetric, chosen))
    if name not in METRICS:
        raise unknown_name("metric", name, [*METRICS, *ALIASES], "or MODULE:FUNCTION")
    metric = METRICS[name]
    variant = variant or next(iter(metric.variants))
    if variant not in metric.variants:
        raise SbmtError(f"{name} has no variant {variant!r} (known: {', '.join(metric.variants)})")
    preset = dict(metric.variants[variant])
    if "tok" in chosen:  # for all texts, the sources too, unless they are given their own
        preset.pop("src_tok", None)
    return metric(variant, **{**preset, **_known(name, metric, chosen)})


def each_variant(specification: str) -> list[str]:
    """Return, for `NAME:all[,OPTION=VALUE...]`, the metric in all its variants; anything else as it is."""
    head, comma, options = specification.partition(",")
    name, _, variant = head.partition(":")
    if variant != "all" or name not in METRICS:
        return [specification]
    return [f"{name}:{known}{comma}{options}" for known in METRICS[name].variants]


def _term(term: str, specification: str) -> tuple[float, str]:
    """Split a term into weight and metric."""
    weight, _, name = term.strip().rpartition("*")
    try:
        factor = bounded_number("weight", weight or "1")
    except SbmtError as error:
        raise SbmtError(f"{specification}: {error} ({_SUM})") from None
    if not name.strip():
        raise SbmtError(f"{specification}: a term has no metric ({_SUM})")
    return factor, name.strip()


def _options(pairs: Sequence[str], specification: str) -> dict[str, str]:
    """What a specification says after its name; raises SbmtError for another form and an option given twice."""
    options: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            cure = "metrics are separated by spaces, or joined to a sum by +"
            raise SbmtError(f"{specification}: {pair!r} is not OPTION=VALUE ({cure})")
        if key in options:
            raise SbmtError(f"{specification}: {key} is there twice: leave one of the two out")
        options[key] = value
    return options


def _known(name: str, metric: type[AnyMetric], options: dict[str, str]) -> dict[str, str]:
    known = metric.options()
    for option in options:
        if option not in known:
            raise SbmtError(f"{name} has no option {option!r} (known: {', '.join(known)})")
    return options
