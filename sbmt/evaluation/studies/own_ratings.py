"""User-provided ratings: metrics, and features that need no reference, against people's ratings of outputs.

A table with a header (comma-separated; `.tsv`: tabs, quotes are text) has columns `source`, `output` (or, as ASSET's,
`original`, `simplification`), `reference`, `reference2` ..., of which blank ones are absent, and ratings, which are
numbers; blank ones and NA are missing. Either a row has a column for each aspect, or, in a table with columns `aspect`
and `rating`, it is the rating of one. The rating of an output is the mean of its ratings.
"""

from __future__ import annotations

import logging
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from sbmt.errors import FormatError, SbmtError, counted, quoted, unknown_name
from sbmt.evaluation.correlation import P_VALUES
from sbmt.evaluation.studies.files import numbered_rows
from sbmt.evaluation.studies.ratings import (
    RATED_FEATURES,
    comparisons,
    correlations,
    each_once,
    scatters,
    sentence_scores,
)
from sbmt.evaluation.studies.request import Request
from sbmt.evaluation.studies.table import AS_IF_INDEPENDENT, Study, Table
from sbmt.metrics.quality import variant_of
from sbmt.metrics.registry import DEFAULT_METRICS, get_metric
from sbmt.ppdb.feature_text import finite

_log = logging.getLogger(__name__)

_REFERENCE = re.compile(r"reference[ _-]?\d*")
_ALIASES = {"original": "source", "simplification": "output"}  # ASSET's names
_FEATURES = tuple(f"quality:{variant_of(name)}" for name in RATED_FEATURES)  # as --metrics takes them
_LEAST_RATED = 4  # outputs, from which correlations can be compared
_MISSING = ("", "na", "n/a", "nan")  # cells of missing ratings
_ID = re.compile(r"^$|(?i:(?:^|[_\W])id)$|[a-z]I[dD]$")  # names of columns of numbers that are not ratings

Item = tuple[str, str, tuple[str, ...]]  # source, output, references
Row = tuple[int, dict[str, str]]  # number of its last line, cells
Rating = tuple[Item, str, float]  # item, aspect, rating (NaN if missing)


def study(request: Request) -> Study:
    """Correlate metrics with ratings; raises SbmtError without a file of these, FormatError for another form of it."""
    if request.ratings is None:
        raise SbmtError("own-ratings needs --ratings FILE, a table with columns source, output, and ratings")
    path = Path(request.ratings)
    rows = numbered_rows(path, ("source", "output"), path.suffix.lower() == ".tsv", _ALIASES)
    if not rows:
        raise FormatError(str(path), None, "has no row below its header")
    items, means = _mean_ratings(path, rows, request.aspects)
    scores = _scores(items, request.metrics)
    size = f"{len(rows)} rows of ratings of {len(items)} outputs; of several of one output the mean."
    figures = correlations(scores, means, request.rng, {})
    title = "Metrics and features against ratings"
    table = Table(title, of=path.name, reason=f"{size} {AS_IF_INDEPENDENT}", figures=figures, p_values=P_VALUES)
    compared = comparisons(scores, means)  # empty for a single metric
    return Study("own-ratings", [table, compared] if compared.figures else [table], scatters(scores, means))


def _mean_ratings(path: Path, rows: Sequence[Row], aspects: Sequence[str]) -> tuple[list[Item], dict[str, list[float]]]:
    """Return the outputs that are rated and, by aspect, the mean rating of each (NaN if it has none).

    Aspects that rate fewer than four outputs are left out; raises FormatError if one of these is named in `aspects`, or
    there is no other.
    """
    ratings: defaultdict[Item, defaultdict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    missing: Counter[str] = Counter()
    for item, aspect, rating in _read_ratings(path, rows, aspects):
        if math.isnan(rating):
            missing[aspect] += 1
        ratings[item][aspect] += [] if math.isnan(rating) else [rating]
    for aspect, count in missing.items():
        _log.info("%s: %s lacks %s", path, aspect, counted(count, "rating"))
    means = {
        aspect: [float(np.mean(of_item[aspect])) if of_item[aspect] else math.nan for of_item in ratings.values()]
        for aspect in dict.fromkeys(aspect for of_item in ratings.values() for aspect in of_item)
    }
    few = [aspect for aspect, values in means.items() if np.count_nonzero(~np.isnan(values)) < _LEAST_RATED]
    if few and (aspects or len(few) == len(means)):
        raise FormatError(str(path), None, f"rates fewer than four outputs by {few[0]!r}")
    for aspect in few:
        _log.warning("%s: %s is left out, for it rates fewer than four outputs", path, aspect)
        del means[aspect]
    return list(ratings), means


def _read_ratings(path: Path, rows: Sequence[Row], aspects: Sequence[str]) -> Iterator[Rating]:
    """Yield the ratings in the order of the table; only those of the `aspects`, if any are named."""
    names = list(rows[0][1])
    has_row_per_aspect = {"aspect", "rating"} <= set(names)
    available = list(dict.fromkeys(row["aspect"] for _, row in rows)) if has_row_per_aspect else names
    if unknown := [aspect for aspect in aspects if aspect not in available]:
        raise FormatError(str(path), None, str(unknown_name("aspect", unknown[0], available)))
    columns = ["rating"] if has_row_per_aspect else list(aspects) or _rating_columns(path, rows, names)
    for number, row in rows:
        references = tuple(row[name] for name in names if _REFERENCE.fullmatch(name) and row[name].strip())
        for column in columns:
            aspect = row["aspect"] if has_row_per_aspect else column
            if has_row_per_aspect and aspects and aspect not in aspects:
                continue
            rating = _number(row[column])
            if rating is None:
                raise FormatError(str(path), number, f"{row[column]!r} is no rating by {aspect!r}: numbers are")
            yield (row["source"], row["output"], references), aspect, rating


def _rating_columns(path: Path, rows: Sequence[Row], names: Sequence[str]) -> list[str]:
    """Return the columns of ratings: those of numbers that are not all the same and not ids; some may be missing."""
    candidates = [name for name in names if name not in ("source", "output") and not _REFERENCE.fullmatch(name)]
    reasons = {name: _reason_against(name, rows) for name in candidates}
    columns = [name for name in candidates if not reasons[name]]
    left_out = ", ".join(f"{name} ({reason})" for name, reason in reasons.items() if reason)
    if not columns:
        raise FormatError(str(path), None, f"no column holds ratings, which are numbers{left_out and ': '}{left_out}")
    _log.info("%s: the aspects are %s (--aspects chooses)", path, ", ".join(columns))
    if left_out:
        _log.info("%s: columns that hold no ratings are left out: %s", path, left_out)
    return columns


def _reason_against(name: str, rows: Sequence[Row]) -> str:
    """Return why a column holds no ratings; an empty text if it does."""
    if _ID.search(name):
        return "ids"
    numbers = [(line, _number(row[name])) for line, row in rows]
    if first := next((line for line, value in numbers if value is None), None):
        return f"no number in line {first}"
    different = {value for _, value in numbers if value is not None and not math.isnan(value)}
    return {0: "blank", 1: "the same number throughout"}.get(len(different), "")


def _number(text: str) -> float | None:
    """Return a rating, NaN for a missing one; None for other text."""
    if text.strip().lower() in _MISSING:
        return math.nan
    try:
        return finite(text.strip())
    except ValueError:
        return None


def _scores(items: Sequence[Item], metrics: Sequence[str]) -> dict[str, list[float]]:
    """Return scores by metric, a number for each output; by default of features and the metrics with references."""
    sources, outputs, references = map(list, zip(*items, strict=True))
    scores = {}
    for name in each_once(metrics or (*DEFAULT_METRICS, *_FEATURES)):
        number = get_metric(name).first_without_reference(references)
        if number and name in metrics:
            raise SbmtError(f"{name} needs references, and some outputs have none (columns reference, reference2 ...)")
        if number and any(references):
            _log.warning("%s is left out: %s, for one, has no reference", name, quoted(outputs[number - 1]))
        if not number:
            scores[name] = sentence_scores(name, sources, references, outputs)
    return scores
