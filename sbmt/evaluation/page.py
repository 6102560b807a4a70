"""A report as one HTML file that needs nothing else: styles, script, charts and sentences are inside.

jinja2 escapes every string of the tables; sentences travel as JSON, in which no character can end the script element,
and the script writes them as text, never as markup.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

import numpy as np
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from sbmt.evaluation import charts
from sbmt.evaluation.quality import SHARES
from sbmt.evaluation.report import REFERENCES, UNCHANGED, Report, Sentence, System
from sbmt.evaluation.transformations import COPY, LABELS, SOURCE_LABELS
from sbmt.text.tokens import Token
from sbmt.version import __version__

_HISTOGRAMS = {"compression ratio": (0.0, 1.6), "Levenshtein similarity": (0.0, 1.0), "additions": (0.0, 1.0)}
_BINS = 20
_ALPHA = 0.05


def render(report: Report) -> str:
    """Return the page; the same report gives the same bytes."""
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["figure"] = _figure
    template = environment.from_string(_resource("report.html.j2"))
    return template.render(
        report=report,
        version=__version__,
        styles=Markup(_resource("report.css")),
        script=Markup(_resource("report.js")),
        data=_embedded(_data(report)),
        names=[system.name for system in report.systems],
        references=REFERENCES,
        shares=SHARES,
        labels=LABELS,
        source_labels=SOURCE_LABELS,
        unchanged=UNCHANGED,
        facts=_facts(report),
        best=_best(report),
        verdict=_verdict,
        legend=charts.legend([system.name for system in report.systems]),
        length_charts=_length_charts(report),
        histograms=_histograms(report),
        signatures=[result.score.signature for result in report.rows[0].results.values()],
    )


def _resource(name: str) -> str:
    return files("sbmt.evaluation").joinpath(name).read_text(encoding="utf-8")


def _figure(value: float, digits: int = 2) -> str:
    """A number with a real minus sign."""
    return f"{value:.{digits}f}".replace("-", "\u2212")


def _embedded(data: Any) -> Markup:
    """JSON that can stand in a script element, whatever its strings hold."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)


def _facts(report: Report) -> list[tuple[str, str]]:
    lengths = [len(sentence.tokens) for sentence in report.sentences]
    counts = {len(sentence.references) for sentence in report.sentences}
    shown = len(report.sentences)
    sentences = f"{shown:,}" if shown == report.total else f"{shown:,} at random of {report.total:,}"
    return [
        ("Sentences", sentences),
        ("References a sentence", str(min(counts)) if len(counts) == 1 else f"{min(counts)} to {max(counts)}"),
        ("Words a source", f"{np.mean(lengths):.1f} (from {min(lengths)} to {max(lengths)})"),
        ("Systems", str(len(report.systems))),
        ("Compared with", report.baseline),
    ]


def _best(report: Report) -> dict[str, str]:
    """The best of several systems by each metric of which higher is better."""
    systems = [row for row in report.rows if row.is_system]
    return {
        name: max(systems, key=lambda row: row.results[name].score.value).name
        for name, scored in report.scores.scored.items()
        if len(systems) > 1 and scored.metric.higher_is_better
    }


def _verdict(p_value: float | None) -> str:
    if p_value is None:
        return ""
    return "different" if p_value < _ALPHA else "no evidence of a difference"


def _length_charts(report: Report) -> list[tuple[str, Markup]]:
    points = [f"{bucket.low}\u2013{bucket.high}" for bucket in report.buckets]
    return [
        (
            metric,
            charts.lines(
                points,
                {s.name: [bucket.scores[metric][s.name] for bucket in report.buckets] for s in report.systems},
                f"{metric} by source length in words",
            ),
        )
        for metric in report.settings.metrics
    ]


def _histograms(report: Report) -> list[tuple[str, list[tuple[str, Markup]]]]:
    """For each feature, and the first metric's sentence scores, a histogram a system."""
    first = report.settings.metrics[0]
    rows = {row.name: row.results[first].sentences for row in report.rows if row.is_system}
    edges = _edges(np.concatenate(list(rows.values())))
    drawn = [(f"{first} of single sentences", rows, edges)]
    for feature, (low, high) in _HISTOGRAMS.items():
        values = {name: found[feature] for name, found in report.feature_values.items()}
        drawn.append((feature, values, np.linspace(low, high, _BINS + 1)))
    return [(title, charts.histograms(by_system, edges, title)) for title, by_system, edges in drawn]


def _edges(values: Any) -> Any:
    low, high = float(values.min()), float(values.max())
    if low >= 0 and high <= 100:
        low, high = 0.0, 100.0
    return np.linspace(low, high if high > low else low + 1, _BINS + 1)


def _data(report: Report) -> dict[str, Any]:
    """What the sentence browser needs, as short as it can be."""
    rows = [row for row in report.rows if row.is_system]
    return {
        "systems": [system.name for system in report.systems],
        "baseline": [system.name for system in report.systems].index(report.baseline),
        "metrics": list(report.settings.metrics),
        "labels": {label[0]: label for label in LABELS},
        "scores": [
            [[round(float(v), 2) for v in row.results[metric].sentences] for metric in report.settings.metrics]
            for row in rows
        ],
        "sentences": [_sentence(sentence, k, report.systems) for k, sentence in enumerate(report.sentences)],
    }


def _sentence(sentence: Sentence, k: int, systems: Sequence[System]) -> dict[str, Any]:
    found: dict[str, Any] = {
        "n": sentence.number,
        "w": len(sentence.tokens),
        "s": sentence.source,
        "r": sentence.references,
        "o": [
            {
                "t": output.text,
                "k": sorted(output.kinds),
                "a": _runs(sentence.source, sentence.tokens, output.words.source),
                "b": _runs(output.text, output.tokens, output.words.output),
            }
            for output in sentence.outputs
        ],
    }
    for output, system in zip(found["o"], systems, strict=True):
        if system.changes:
            output["d"] = [_change(change) for change in system.changes[k]]
    return found


def _runs(text: str, tokens: Sequence[Token], labels: Sequence[str]) -> str:
    """Word labels as runs of characters: `c12r4c20` is 12 copied characters, 4 replaced, 20 copied.

    White space between words of one label belongs to them, other white space counts as copied.
    """
    runs: list[tuple[str, int]] = []

    def add(label: str, characters: int) -> None:
        if characters and runs and runs[-1][0] == label:
            runs[-1] = (label, runs[-1][1] + characters)
        elif characters:
            runs.append((label, characters))

    place, before = 0, COPY
    for token, label in zip(tokens, labels, strict=True):
        add(label[0] if label == before else COPY[0], token.start - place)
        add(label[0], token.end - token.start)
        place, before = token.end, label
    add(COPY[0], len(text) - place)
    return "".join(f"{label}{count}" for label, count in runs)


def _change(change: dict[str, Any]) -> list[Any]:
    return [str(change.get("rule", "")), str(change.get("owner", "")), change.get("score", "")]
