"""Metrics by name: `NAME[:VARIANT][,OPTION=VALUE...]`, `MODULE:FUNCTION`, or a sum, `NAME+WEIGHT*NAME`."""

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

ALIASES = {  # Joshua's name of its objective, EASSE's of its grade level, and a common search term
    "star": "sari:star",
    "fkgl": "fk:easse",
    "readability": "fk:plain",
}
_SUM = "a sum is NAME+WEIGHT*NAME"
DEFAULT_METRICS = ("sari:easse", "bleu:easse", "fk:easse")  # those of most papers since 2019


def get_metric(specification: str | Callable[..., Any], **options: str) -> AnyMetric:
    """Return a metric, e.g. `sari`, `bleu:sacrebleu,case=lc`, `sari+0.2*bleu`; `options` override the string's.

    A function of a source, an output and a list of references is a metric, too (`sbmt.metrics.custom`).
    Raises SbmtError for an unknown name, listing the known ones; TypeError for anything but a name or a function.
    """
    if not isinstance(specification, str):
        if not callable(specification):
            raise TypeError(f"{specification!r} is neither a metric's name nor a function(source, output, references)")
        name = name_of(specification)
        return CustomMetric(name, specification, **_check_options(name, CustomMetric, options))
    if "+" in specification or "*" in specification:
        weights, names = zip(*(_parse_term(term, specification) for term in specification.split("+")), strict=True)
        return WeightedSum(names, [(w, get_metric(name, **options)) for w, name in zip(weights, names, strict=True)])
    head, *pairs = specification.split(",")
    name, _, variant = ALIASES.get(head, head).partition(":")
    chosen = {**_parse_options(pairs, specification), **options}
    if name in ALIASES:  # an alias followed by a variant, such as fkgl:plain
        raise SbmtError(f"{head}: {name} stands for {ALIASES[name]} and takes no variant")
    if name not in METRICS and variant and name.casefold() not in {*METRICS, *ALIASES}:
        return CustomMetric(head, **_check_options(head, CustomMetric, chosen))
    if name not in METRICS:
        raise unknown_name("metric", name, [*METRICS, *ALIASES], "or MODULE:FUNCTION")
    metric = METRICS[name]
    variant = variant or next(iter(metric.variants))
    if variant not in metric.variants:
        raise SbmtError(f"{name} has no variant {variant!r} (known: {', '.join(metric.variants)})")
    preset = dict(metric.variants[variant])
    if "tok" in chosen:  # applies to sources too, unless src_tok is chosen as well
        preset.pop("src_tok", None)
    return metric(variant, **{**preset, **_check_options(name, metric, chosen)})


def each_variant(specification: str) -> list[str]:
    """Return the names of all variants for `NAME:all[,OPTION=VALUE...]`; any other name as it is."""
    head, comma, options = specification.partition(",")
    name, _, variant = head.partition(":")
    if variant != "all" or name not in METRICS:
        return [specification]
    return [f"{name}:{variant_name}{comma}{options}" for variant_name in METRICS[name].variants]


def _parse_term(term: str, specification: str) -> tuple[float, str]:
    """Split a term into weight and metric."""
    weight, _, name = term.strip().rpartition("*")
    try:
        factor = bounded_number("weight", weight or "1")
    except SbmtError as error:
        raise SbmtError(f"{specification}: {error} ({_SUM})") from None
    if not name.strip():
        raise SbmtError(f"{specification}: a term has no metric ({_SUM})")
    return factor, name.strip()


def _parse_options(pairs: Sequence[str], specification: str) -> dict[str, str]:
    """Return the options of a specification; raises SbmtError for another form and for an option given twice."""
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


def _check_options(name: str, metric: type[AnyMetric], options: dict[str, str]) -> dict[str, str]:
    """Return the options; raises SbmtError for one that the metric does not have."""
    known_options = metric.options()
    for option in options:
        if option not in known_options:
            raise SbmtError(f"{name} has no option {option!r} (known: {', '.join(known_options)})")
    return options
