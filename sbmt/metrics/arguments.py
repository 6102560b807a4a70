"""Checks of the arguments of `evaluate` and its like, with messages that say what is wrong and what to give instead."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet

from sbmt.arguments import refuse_text
from sbmt.errors import SbmtError
from sbmt.metrics.base import Metric, unequal_lists

_log = logging.getLogger(__name__)

# How many times more words than by sentence references share with the sources by file, to be taken for lists by file.
_TRANSPOSED_RATIO = 2
_REFERENCES_FORM = "references[i] are the references of sources[i]"
_TRANSPOSE = "give list(zip(*references, strict=True))"
_RUNS_FORM = "{name: [outputs of each run]}"


def check_metric(metric: object) -> None:
    """Raise TypeError for an object that is not a metric."""
    if not isinstance(metric, Metric):
        raise TypeError(f"metric: {metric!r} is no metric: make one, get_metric('sari:easse') or get_metric(function)")


def check_metric_names(metrics: Collection[str]) -> None:
    """Raise TypeError unless `metrics` is a list of names, SbmtError for an empty one."""
    refuse_text(metrics, "metrics is a list of names")
    for metric in metrics:
        if not isinstance(metric, str):
            cure = "call evaluate(get_metric(function), ...) for each, or name it MODULE:FUNCTION"
            raise TypeError(f"metrics: {metric!r} is no metric's name: {cure}")
    if not len(metrics):
        raise SbmtError("metrics: there is none: give a list of names, such as ['sari:easse', 'length']")


def check_systems(systems: object) -> None:
    """Raise TypeError unless `systems` is {name: outputs}."""
    for name, outputs in _check_mapping(systems, "{name: outputs}").items():
        check_lines(f"systems[{name!r}]", outputs)


def check_runs(systems: object) -> None:
    """Raise TypeError unless `systems` is {name: [outputs of each run]}, SbmtError for a system without a run."""
    for name, runs in _check_mapping(systems, _RUNS_FORM).items():
        if not isinstance(runs, Collection):
            raise TypeError(f"systems[{name!r}]: a {type(runs).__name__} is no list of runs: give {_RUNS_FORM}")
        if any(isinstance(run, str) for run in runs):
            raise TypeError(f"systems[{name!r}]: a run is a text, not a list of lines: give {_RUNS_FORM}")
        if not len(runs):
            raise SbmtError(f"systems[{name!r}] has no run: give {_RUNS_FORM}")
        for i, run in enumerate(runs):
            check_lines(f"systems[{name!r}][{i}]", run)


def check_texts(sources: Sequence[str], references: Sequence[Sequence[str]]) -> None:
    """Raise TypeError unless these are lines and lists of lines, SbmtError for another shape; warn of lists by file."""
    if not isinstance(references, Collection):
        problem = f"references: a {type(references).__name__} is no list of lists"
        raise TypeError(f"{problem} (where there are no references: [[]] * len(sources))")
    check_lines("sources", sources, _REFERENCES_FORM)
    for i, lines in enumerate(references):
        check_lines(f"references[{i}]", lines, _REFERENCES_FORM)
    _check_shapes(sources, references)


def check_baseline(baseline: str, systems: Collection[str]) -> None:
    """Raise SbmtError for a baseline that is not among the systems."""
    if baseline not in systems:
        raise SbmtError(f"the baseline {baseline!r} is not among the systems ({', '.join(systems)})")


def _check_mapping(systems: object, form: str) -> Mapping[str, object]:
    if not isinstance(systems, Mapping):
        raise TypeError(f"systems: a {type(systems).__name__} names no system: give {form}")
    return systems


def check_lines(name: str, lines: object, form: str = "") -> None:
    """Raise TypeError unless `lines` is a list of texts; for a text, whose characters would pass, naming the `form`."""
    if isinstance(lines, str):
        raise TypeError(f"{name} is a text, not a list of lines" + (f": {form}" if form else ""))
    if not isinstance(lines, Collection) or isinstance(lines, AbstractSet):  # sets have no order
        raise TypeError(f"{name}: a {type(lines).__name__} is no list of lines")
    for i, line in enumerate(lines):
        if not isinstance(line, str):
            raise TypeError(f"{name}[{i}] is {line!r}, not a text")


def _check_shapes(sources: Sequence[str], references: Sequence[Sequence[str]]) -> None:
    """Raise SbmtError unless each source has its list; warn where the lists seem to be by file."""
    if len(references) != len(sources):
        problem = unequal_lists(sources, references)
        by_file = len(references) and all(len(lines) == len(sources) for lines in references)
        raise SbmtError(problem + (f" (these are lists by file: {_TRANSPOSE})" if by_file else ""))
    if _look_transposed(sources, references):
        _log.warning("the references seem to be lists by file, not by sentence: %s", _TRANSPOSE)


def _look_transposed(sources: Sequence[str], references: Sequence[Sequence[str]]) -> bool:
    """Whether n lists of n references each share far more words with the sources when read by file."""
    n = len(sources)
    if any(len(lines) != n for lines in references):
        return False
    source_words = [set(line.split()) for line in sources]
    words = [[set(line.split()) for line in lines] for lines in references]
    by_sentence = sum(_overlap(source_words[i], words[i][j]) for i in range(n) for j in range(n) if i != j)
    by_file = sum(_overlap(source_words[i], words[j][i]) for i in range(n) for j in range(n) if i != j)
    return by_file > _TRANSPOSED_RATIO * by_sentence


def _overlap(words: set[str], other_words: set[str]) -> float:
    """Return the share of all their words that are in both, 0-1."""
    return len(words & other_words) / max(len(words | other_words), 1)
