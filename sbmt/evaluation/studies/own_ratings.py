"""Ratings of the user's own: metrics, and features that need no reference, against what people said of outputs.

A table with a header (comma-separated; `.tsv`: tabs, quotes are text) has a row for each rating: columns `source`,
`output`, those that begin with `reference`, blank ones being none, and any others. Those that hold numbers in all rows
are aspects, and an output has the mean of its ratings.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from sbmt.errors import FormatError, SbmtError
from sbmt.evaluation.correlation import P_VALUES
from sbmt.evaluation.studies.files import numbered_rows
from sbmt.evaluation.studies.ratings import FEATURES, comparisons, correlations, scatters, sentence_scores
from sbmt.evaluation.studies.table import Request, Study, Table
from sbmt.metrics.quality import quality
from sbmt.metrics.registry import DEFAULT_METRICS, get_metric

_log = logging.getLogger(__name__)

_REFERENCE = "reference"

Item = tuple[str, str, tuple[str, ...]]  # source, output, references


def study(request: Request) -> Study:
    """Correlate; raises SbmtError without a file of ratings, FormatError for one that is no such table."""
    if request.ratings is None:
        raise SbmtError("own-ratings needs --ratings FILE, a table with columns source, output, and ratings")
    path = Path(request.ratings)
    rows = numbered_rows(path, ("source", "output"), tabs=path.suffix.lower() == ".tsv")
    aspects = _aspects(path, rows)
    rated: dict[Item, list[dict[str, str]]] = {}
    for _, row in rows:
        references = tuple(row[name] for name in row if name.startswith(_REFERENCE) and row[name].strip())
        rated.setdefault((row["source"], row["output"], references), []).append(row)
    if len(rated) < 4:
        raise FormatError(str(path), None, "rates fewer than four outputs")
    scores = _scores(list(rated), request.metrics)
    means = {a: [float(np.mean([float(row[a]) for row in given])) for given in rated.values()] for a in aspects}
    reason = f"{len(rows)} ratings of {len(rated)} outputs; of several of one output the mean."
    figures = correlations(scores, means, request.rng, {})
    table = Table("Metrics and features against ratings", path.name, reason, figures, p_values=P_VALUES)
    return Study("own-ratings", [table, comparisons(scores, means)], scatters(scores, means))


def _aspects(path: Path, rows: Sequence[tuple[int, dict[str, str]]]) -> list[str]:
    """The columns of ratings: all that hold nothing but numbers."""
    names = [n for n in (rows[0][1] if rows else ()) if n not in ("source", "output") and not n.startswith(_REFERENCE)]
    lines = {name: next((number for number, row in rows if not _is_number(row[name])), None) for name in names}
    aspects = [name for name in names if lines[name] is None]
    if not aspects:
        first = f" (the first in {names[0]!r} that is none: line {lines[names[0]]})" if names else ""
        raise FormatError(str(path), None, f"no column holds ratings, a number in every row{first}")
    if others := [f"{name} (line {lines[name]})" for name in names if name not in aspects]:
        _log.info("%s: columns that do not hold numbers alone are left out: %s", path, ", ".join(others))
    return aspects


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _scores(items: Sequence[Item], metrics: Sequence[str]) -> dict[str, list[float]]:
    """Scores by metric or feature, a number for each output; by default the metrics that the references allow."""
    sources, outputs, references = map(list, zip(*items, strict=True))
    by_signature = {get_metric(name).signature(): name for name in (*DEFAULT_METRICS, *metrics)}  # each once
    chosen, scores = list(by_signature.values()), {}
    for name in chosen:
        bare = get_metric(name).without_reference(references)
        if bare and name in metrics:
            raise SbmtError(f"{name} needs references, and some outputs have none (columns reference, reference2 ...)")
        if bare and any(references):
            _log.warning("%s is left out: %r, for one, has no reference", name, outputs[bare - 1])
        if not bare:
            scores[name] = sentence_scores(name, sources, references, outputs).tolist()
    return scores | {name: values.tolist() for name, values in quality(sources, outputs, names=FEATURES).items()}
