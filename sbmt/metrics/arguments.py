"""What `evaluate` and `evaluate_runs` are given: errors that say what is wrong with it, and what is due instead."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet

from sbmt.arguments import refuse_text
from sbmt.errors import SbmtError
from sbmt.metrics.base import Metric, unequal_lists

_log = logging.getLogger(__name__)

_FAR = 2  # times the words in common: a sentence and its simplification share far more than two sentences do
_BY_PLACE = "references[i] are the references of sources[i]"
_BY_SENTENCE = "give list(zip(*references, strict=True))"
_RUNS = "{name: [outputs of each run]}"


def check_metric(metric: object) -> None:
    """Raise TypeError for what is no metric."""
    if not isinstance(metric, Metric):
        raise TypeError(f"metric: {metric!r} is no metric: make one, get_metric('sari:easse') or get_metric(function)")


def check_metric_names(metrics: Collection[str]) -> None:
    """Raise TypeError for what is no list of names, SbmtError for an empty one."""
    refuse_text(metrics, "metrics is a list of names")
    for metric in metrics:
        if not isinstance(metric, str):
            cure = "call evaluate(get_metric(function), ...) for each, or name it MODULE:FUNCTION"
            raise TypeError(f"metrics: {metric!r} is no metric's name: {cure}")
    if not len(metrics):
        raise SbmtError("metrics: there is none: give a list of names, such as ['sari:easse', 'length']")


def check_systems(systems: object) -> None:
    """Raise TypeError for what is no {name: outputs}."""
    for name, outputs in _named(systems, "{name: outputs}").items():
        check_lines(f"systems[{name!r}]", outputs)


def check_runs(systems: object) -> None:
    """Raise TypeError for what is no {name: [outputs of each run]}, SbmtError for a system without a run."""
    for name, runs in _named(systems, _RUNS).items():
        if not isinstance(runs, Collection):
            raise TypeError(f"systems[{name!r}]: a {type(runs).__name__} is no list of runs: give {_RUNS}")
        if any(isinstance(run, str) for run in runs):
            raise TypeError(f"systems[{name!r}]: a run is a text, not a list of lines: give {_RUNS}")
        if not len(runs):
            raise SbmtError(f"systems[{name!r}] has no run: give {_RUNS}")
        for i, run in enumerate(runs):
            check_lines(f"systems[{name!r}][{i}]", run)


def check_texts(sources: Sequence[str], references: Sequence[Sequence[str]]) -> None:
    """Raise TypeError for what are no lines and lists of lines, SbmtError for another shape; warn of lists by file."""
    if not isinstance(references, Collection):
        what = f"references: a {type(references).__name__} is no list of lists"
        raise TypeError(f"{what} (where there are no references: [[]] * len(sources))")
    check_lines("sources", sources, _BY_PLACE)
    for i, lines in enumerate(references):
        check_lines(f"references[{i}]", lines, _BY_PLACE)
    _check_shapes(sources, references)


def check_baseline(baseline: str, systems: Collection[str]) -> None:
    """Raise SbmtError for a baseline that is none of the systems."""
    if baseline not in systems:
        raise SbmtError(f"the baseline {baseline!r} is not among the systems ({', '.join(systems)})")


def _named(systems: object, due: str) -> Mapping[str, object]:
    if not isinstance(systems, Mapping):
        raise TypeError(f"systems: a {type(systems).__name__} names no system: give {due}")
    return systems


def check_lines(name: str, lines: object, due: str = "") -> None:
    """Raise TypeError for what is no list of lines; of a text, whose characters would pass, it says what is `due`."""
    if isinstance(lines, str):
        raise TypeError(f"{name} is a text, not a list of lines" + (f": {due}" if due else ""))
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
        raise SbmtError(problem + (f" (these are lists by file: {_BY_SENTENCE})" if by_file else ""))
    if _look_transposed(sources, references):
        _log.warning("the references seem to be lists by file, not by sentence: %s", _BY_SENTENCE)


def _look_transposed(sources: Sequence[str], references: Sequence[Sequence[str]]) -> bool:
    """Whether n lists of n references each have far more of the sources' words when read by file."""
    n = len(sources)
    if any(len(lines) != n for lines in references):
        return False
    of, words = [set(line.split()) for line in sources], [[set(line.split()) for line in lines] for lines in references]
    as_given = sum(_overlap(of[i], words[i][j]) for i in range(n) for j in range(n) if i != j)
    transposed = sum(_overlap(of[i], words[j][i]) for i in range(n) for j in range(n) if i != j)
    return transposed > _FAR * as_given


def _overlap(one: set[str], other: set[str]) -> float:
    """Share of their words that both have, 0-1."""
    return len(one & other) / max(len(one | other), 1)
