"""A report as one HTML file that needs nothing else: styles, script, charts and sentences are inside.

jinja2 escapes every string of the tables; sentences travel as JSON (browser.py), which the script writes as text, never
as markup.
"""

from __future__ import annotations

from importlib.resources import files

import numpy as np
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from sbmt.arrays import Floats
from sbmt.evaluation.report import charts
from sbmt.evaluation.report.browser import embedded
from sbmt.evaluation.report.build import REFERENCES, SPLIT, TYPOGRAPHY, UNCHANGED, Report
from sbmt.evaluation.report.scores import SOURCE
from sbmt.evaluation.transformations import ALL, LABELS
from sbmt.metrics import tables
from sbmt.metrics.quality import SHARES
from sbmt.metrics.significance import ALPHA, SWAPS
from sbmt.text.casing import capitalise
from sbmt.version import __version__

_HISTOGRAMS = {"compression ratio": (0.0, 1.6), "Levenshtein similarity": (0.0, 1.0), "additions": (0.0, 1.0)}
_BINS = 20
_FEW = 20  # words with a label say too little of how rightly they are given it


def render(report: Report) -> str:
    """Return the page; the same report gives the same bytes."""
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["figure"] = _figure
    environment.filters["capitalise"] = capitalise
    environment.filters["p_value"] = _p_value
    template = environment.from_string(_resource("report.html.j2"))
    decimals, verdicts = tables.decimals({row.name: row.results for row in report.rows}), _verdicts(report)
    return template.render(
        report=report,
        alpha=ALPHA,
        version=__version__,
        styles=Markup(_resource("report.css")),
        script=Markup(_resource("report.js")),
        # Of sentence scores one fewer are shown than of corpus scores.
        data=embedded(report, {metric: digits - 1 for metric, digits in decimals.items()}),
        names=[system.name for system in report.systems],
        references=REFERENCES,
        shares=SHARES,
        labels=(*LABELS, ALL) if report.agreements else LABELS,
        overall=ALL,
        few=_FEW,
        unchanged=report.agreements[SOURCE][ALL].f1 if report.agreements else None,
        kinds=[*LABELS[1:], SPLIT, TYPOGRAPHY, UNCHANGED],
        facts=_facts(report),
        origin=_origin(report),
        has_intervals=_has_intervals(report),
        decimals=decimals,
        best=_best(report, decimals),
        verdicts=verdicts,
        tests=sum(map(len, verdicts.values())),
        parts=_parts(report),
        legend=charts.legend([system.name for system in report.systems]),
        length_charts=_length_charts(report),
        histograms=_histograms(report),
        signatures=[result.score.signature for result in report.rows[0].results.values()],
    )


def _resource(name: str) -> str:
    return files("sbmt.evaluation.report").joinpath(name).read_text(encoding="utf-8")


def _figure(value: float, digits: int = 2) -> str:
    """A number with a real minus sign."""
    return f"{value:.{digits}f}".replace("-", "\u2212")


def _p_value(value: float) -> str:
    """A p-value, or the least that so many swaps can give."""
    least = 1 / (SWAPS + 1)
    return f"p \u2264 {least:.4f}" if value <= least else f"p = {value:.4f}"


def _facts(report: Report) -> list[tuple[str, str]]:
    lengths = [len(sentence.tokens) for sentence in report.sentences]
    counts = {len(sentence.references) for sentence in report.sentences}
    shown = len(report.sentences)
    sentences = f"{shown:,}" if shown == report.total else f"{shown:,} at random of {report.total:,}"
    found = [
        ("Sentences", sentences),
        ("References per sentence", str(min(counts)) if len(counts) == 1 else f"{min(counts)} to {max(counts)}"),
        ("Tokens per source", f"{np.mean(lengths):.1f} on average ({min(lengths)} to {max(lengths)})"),
        ("Systems", str(len(report.systems))),
    ]
    if report.blank:
        found.insert(1, ("Blank lines", f"{report.blank:,}, which count in the scores alone"))
    return [*found, ("Baseline", report.baseline)] if len(report.systems) > 1 else found


def _origin(report: Report) -> list[tuple[str, str]]:
    """What was read and how it was computed."""
    settings = report.settings
    drawn = f"bootstrap, {settings.samples:,} samples" if _has_intervals(report) else "none"
    found = [*settings.origin, ("Intervals", drawn)]
    if len(report.systems) > 1:
        corrected = ", p-values corrected for their number (Holm 1979)" if settings.holm else ""
        found.append(("Tests", f"paired permutation, {SWAPS:,} swaps{corrected}"))
    return [*found, ("Seed", str(settings.seed)), ("Version", f"sbmt {__version__}")]


def _has_intervals(report: Report) -> bool:
    return any(result.interval for row in report.rows for result in row.results.values())


def _best(report: Report, decimals: dict[str, int]) -> dict[str, set[str]]:
    """Of several systems, those that are highest, as shown, for each metric where higher is better."""
    found = {}
    for name, metric in report.scores.metrics.items():
        values = {
            row.name: round(row.results[name].score.value, decimals[name]) for row in report.rows if row.is_system
        }
        if len(values) > 1 and metric.higher_is_better:
            found[name] = {system for system, value in values.items() if value == max(values.values())}
    return found


def _verdicts(report: Report) -> dict[str, dict[str, str]]:
    """What each test says of a system next to the baseline: {system: {metric: words}}."""
    baseline = next(row for row in report.rows if row.name == report.baseline)
    found: dict[str, dict[str, str]] = {row.name: {} for row in report.rows}
    for row in report.rows:
        for name, result in row.results.items():
            if result.p_value is None:
                continue
            higher = result.score.value > baseline.results[name].score.value
            words = ("better", "worse") if report.scores.metrics[name].higher_is_better else ("higher", "lower")
            found[row.name][name] = words[not higher] if result.p_value < ALPHA else "no evidence of a difference"
    return found


def _parts(report: Report) -> list[tuple[str, dict[str, int]]]:
    """The parts of each metric that has some, with their decimals: none where all are whole numbers, as lengths are."""
    found = []
    for name in report.scores.metrics:
        rows = [row.results[name].score.parts for row in report.rows]
        decimals = {part: 0 if all(row[part].is_integer() for row in rows) else 2 for part in rows[0]}
        found += [(name, decimals)] if decimals else []
    return found


def _length_charts(report: Report) -> list[tuple[str, Markup]]:
    points = [(bucket.range, f"n = {bucket.sentences}") for bucket in report.buckets]
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


def _histograms(report: Report) -> list[tuple[str, list[tuple[str, Markup]]]]:
    """For the first metric's sentence scores and some features, a histogram a system, features next to references'."""
    first = next(iter(report.scores.metrics))
    scores = {row.name: row.results[first].sentences for row in report.rows if row.is_system}
    drawn = [(f"{first} of single sentences", scores, _edges(report, first, np.concatenate(list(scores.values()))))]
    for feature, (low, high) in _HISTOGRAMS.items():
        values = {name: found[feature] for name, found in report.feature_values.items()}
        drawn.append((capitalise(feature), values, np.linspace(low, high, _BINS + 1)))
    made = []
    for title, values, edges in drawn:
        beside = values.pop(REFERENCES, None)
        made.append((title, charts.histograms(values, edges, title, beside)))
    return made


def _edges(report: Report, metric: str, values: Floats) -> Floats:
    """The metric's scale where it has one that holds the values, else round numbers around them."""
    low, high, scale = float(values.min()), float(values.max()), report.scores.metrics[metric].scale
    ends = [0.0, scale] if scale == 100 and low >= 0 and high <= scale else charts.ticks(low, high)
    return np.linspace(ends[0], ends[-1], _BINS + 1)
