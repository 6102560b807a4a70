"""A report as one self-contained HTML file, with styles, script, charts and sentences.

jinja2 escapes every string of the tables; sentences are embedded as JSON (browser.py), which the script inserts as
text, never as markup.
"""

from __future__ import annotations

from importlib.resources import files

import numpy as np
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from sbmt.arrays import Floats
from sbmt.evaluation.report import charts
from sbmt.evaluation.report.browser import embedded
from sbmt.evaluation.report.content import REFERENCES, SPLIT, TYPOGRAPHY, UNCHANGED, Report
from sbmt.evaluation.report.scores import REFERENCE, SOURCE
from sbmt.evaluation.transformations import ALL, LABELS
from sbmt.metrics import tables
from sbmt.metrics.quality import SHARES
from sbmt.metrics.significance import ALPHA, SWAPS
from sbmt.text.casing import capitalise
from sbmt.version import __version__

_HISTOGRAMS = {"compression ratio": (0.0, 1.6), "Levenshtein similarity": (0.0, 1.0), "additions": (0.0, 1.0)}
_BINS = 20
_MAX_RANGE = 7  # characters of a range of lengths that have space on one line
_MIN_WORDS = 20  # with a label: fewer are marked as too few to judge its agreement


def render(report: Report) -> str:
    """Return the page; equal reports give equal bytes."""
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["figure"] = _figure
    environment.filters["capitalise"] = capitalise
    environment.filters["p_value"] = _p_value
    names = [system.name for system in report.systems]
    template = environment.from_string(_resource("report.html.j2"))
    decimals, verdicts = tables.decimals({row.name: row.results for row in report.rows}), _verdicts(report)
    return template.render(
        report=report,
        alpha=ALPHA,
        version=__version__,
        styles=Markup(_resource("report.css")),
        script=Markup(_resource("report.js")),
        data=embedded(report, decimals),
        names=names,
        columns=[*names, REFERENCES] if REFERENCES in report.labels else names,
        references=REFERENCES,
        shares=SHARES,
        labels=(*LABELS, ALL) if report.agreements else LABELS,
        overall=ALL,
        few=_MIN_WORDS,
        unchanged=report.agreements[SOURCE][ALL].f1 if report.agreements else None,
        kinds=[*LABELS[1:], SPLIT, TYPOGRAPHY, UNCHANGED],
        facts=_facts(report),
        origin=_origin(report),
        has_intervals=_has_intervals(report),
        has_reference_row=any(row.name == REFERENCE for row in report.rows),
        decimals=decimals,
        best=tables.best_systems({row.name: row.results for row in report.rows if row.is_system}, decimals),
        verdicts=verdicts,
        tests=sum(map(len, verdicts.values())),
        parts=_parts(report),
        legend=charts.legend(names),
        length_charts=_length_charts(report),
        histograms=_histograms(report),
        signatures=[result.score.signature for result in report.rows[0].results.values()],
    )


def _resource(name: str) -> str:
    return files("sbmt.evaluation.report").joinpath(name).read_text(encoding="utf-8")


def _figure(value: float, digits: int = 2) -> str:
    """Return a number with a real minus sign."""
    return f"{value:.{digits}f}".replace("-", "\u2212")


def _p_value(value: float) -> str:
    """Return a p-value, or the least that the number of swaps allows, which no line break divides."""
    least = 1 / (SWAPS + 1)
    return (f"p \u2264 {least:.4f}" if value <= least else f"p = {value:.4f}").replace(" ", "\u00a0")


def _facts(report: Report) -> list[tuple[str, str]]:
    """Return the facts at the head of the page: sizes and the baseline."""
    lengths = [len(sentence.tokens) for sentence in report.sentences]
    counts = {len(sentence.references) for sentence in report.sentences}
    shown = len(report.sentences)
    sentences = f"{shown:,}" if shown == report.total else f"{shown:,} at random of {report.total:,}"
    facts = [
        ("Sentences", sentences),
        ("References per sentence", str(min(counts)) if len(counts) == 1 else f"{min(counts)} to {max(counts)}"),
        ("Tokens per source", f"{np.mean(lengths):.1f} on average ({min(lengths)} to {max(lengths)})"),
        ("Systems", str(len(report.systems))),
    ]
    if report.blank:
        facts.insert(1, ("Blank lines", f"{report.blank:,}, which count in the scores alone"))
    return [*facts, ("Baseline", report.baseline)] if len(report.systems) > 1 else facts


def _origin(report: Report) -> list[tuple[str, str]]:
    """Return the files read, how figures were computed, seed and version."""
    settings = report.settings
    intervals = f"bootstrap, {settings.samples:,} samples" if _has_intervals(report) else "none"
    origin = [*settings.origin, ("Intervals", intervals)]
    if len(report.systems) > 1:
        correction = ", p-values corrected for their number (Holm 1979)" if settings.holm else ""
        origin.append(("Tests", f"paired permutation, {SWAPS:,} swaps{correction}"))
    return [*origin, ("Seed", str(settings.seed)), ("Version", f"sbmt {__version__}")]


def _has_intervals(report: Report) -> bool:
    return any(result.interval for row in report.rows for result in row.results.values())


def _verdicts(report: Report) -> dict[str, dict[str, str]]:
    """Return the verdict of each test of a system against the baseline: {system: {metric: words}}."""
    baseline = next(row for row in report.rows if row.name == report.baseline)
    verdicts: dict[str, dict[str, str]] = {row.name: {} for row in report.rows}
    for row in report.rows:
        for name, result in row.results.items():
            if result.p_value is None:
                continue
            higher = result.score.value > baseline.results[name].score.value
            words = ("better", "worse") if report.scores.metrics[name].higher_is_better else ("higher", "lower")
            verdicts[row.name][name] = words[not higher] if result.p_value < ALPHA else "no evidence of a difference"
    return verdicts


def _parts(report: Report) -> list[tuple[str, dict[str, int]]]:
    """Return the parts of each metric that has any, with their decimals: 0 where all values are whole numbers."""
    parts = []
    for name in report.scores.metrics:
        rows = [row.results[name].score.parts for row in report.rows]
        decimals = {part: 0 if all(row[part].is_integer() for row in rows) else 2 for part in rows[0]}
        parts += [(name, decimals)] if decimals else []
    return parts


def _length_charts(report: Report) -> list[tuple[str, Markup]]:
    """Draw each metric's scores by source length; long ranges take two lines, for on one they would touch."""
    are_long = max(len(bucket.range) for bucket in report.buckets) > _MAX_RANGE
    points = [
        (*(_two_lines(bucket.range) if are_long else [bucket.range]), f"n = {bucket.sentences}")
        for bucket in report.buckets
    ]
    x_title = "tokens of the source, number of sentences"
    return [
        (
            metric,
            charts.lines(
                points,
                {s.name: [bucket.scores[metric][s.name] for bucket in report.buckets] for s in report.systems},
                f"{metric} by source length in tokens",
                x_title,
            ),
        )
        for metric in report.scores.metrics
    ]


def _two_lines(length_range: str) -> tuple[str, str]:
    """Break a range behind its dash; the second line of a single length is blank."""
    low, dash, high = length_range.partition("\u2013")
    return low + dash, high


def _histograms(report: Report) -> list[tuple[str, list[tuple[str, Markup]]]]:
    """Draw a histogram per system of the first metric's sentence scores and of features, with those of references."""
    first = next(iter(report.scores.metrics))
    scores = {row.name: row.results[first].sentences for row in report.rows if row.is_system}
    distributions = [
        (f"{first} of single sentences", scores, _edges(report, first, np.concatenate(list(scores.values()))))
    ]
    for feature, (low, high) in _HISTOGRAMS.items():
        values = {name: by_feature[feature] for name, by_feature in report.feature_values.items()}
        distributions.append((capitalise(feature), values, np.linspace(low, high, _BINS + 1)))
    drawn = []
    for title, values, edges in distributions:
        of_references = values.pop(REFERENCES, None)
        drawn.append((title, charts.histograms(values, edges, title, beside=of_references)))
    return drawn


def _edges(report: Report, metric: str, values: Floats) -> Floats:
    """Return bin edges over the metric's scale if it holds the values, else over round numbers around them."""
    low, high, scale = float(values.min()), float(values.max()), report.scores.metrics[metric].scale
    ends = [0.0, scale] if scale == 100 and low >= 0 and high <= scale else charts.ticks(low, high)
    return np.linspace(ends[0], ends[-1], _BINS + 1)
