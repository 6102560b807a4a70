"""Log messages of a tuning run: its task, its progress, why it ends, and how its weights have changed."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

import numpy as np

from sbmt.arrays import Floats
from sbmt.errors import counted
from sbmt.tuning.curve import sparkline
from sbmt.tuning.folder import Record
from sbmt.tuning.objective import Objective
from sbmt.tuning.pool import Candidates
from sbmt.tuning.settings import TuneSettings
from sbmt.tuning.stopping import StoppingRule
from sbmt.tuning.weights import StartWeights, WeightSpace

_log = logging.getLogger(__name__)

_MAX_LISTED = 10  # weights in a message


def introduce(settings: TuneSettings, objective: Objective, space: WeightSpace, tuned: int, held_out: int) -> None:
    """Log the task: weights, metric, tuner, and numbers of sentences."""
    _log.info(
        "tuning %s for %s by %s: %s, %d held out",
        counted(int(np.count_nonzero(space.free)), "weight"),
        objective.metric.signature(),
        settings.tuner,
        counted(tuned, "sentence"),
        held_out,
    )


def remark_on_start(start: StartWeights, of_model: Mapping[str, float]) -> None:
    """Log the start weights that were moved into their ranges, and warn of weights that no sentence uses."""
    space = start.space
    in_range = np.where(space.free, start.in_range, start.given)  # those that are not free were set by the user
    if moved := moves(space.names, start.given, in_range, np.ones_like(start.given)):
        _log.info("start weights outside their ranges are moved into them: %s", moved)
    if unused := sorted(name for name in of_model.keys() - {*space.names} if of_model[name]):
        _log.warning("weights for features that no sentence shows stay as they are: %s", ", ".join(unused))


def remark_on_normalising(settings: TuneSettings, space: WeightSpace) -> None:
    """Warn if pro.normalise has no effect."""
    normalised = settings.pro.normalise if settings.tuner == "pro" else ""
    if normalised in space.names and not space.scales:
        _log.warning("pro.normalise (%s) has no effect beside weights that are fixed or bounded", normalised)


def report(records: Sequence[Record], iterations: int, objective: Objective) -> None:
    """Log the result of the last record, and how long the rest of `iterations` may take."""
    last = records[-1]
    curve = [record.decoded if record.held_out is None else record.held_out for record in records]
    remaining = (iterations - len(records)) * float(np.mean([sum(r.seconds) for r in records]))
    _log.info(
        "iteration %d: %s%s, pool %s, %d new candidates, at most %.0f s left  %s",
        last.iteration,
        objective.shown(last.decoded),
        "" if last.held_out is None else f", held out {objective.shown(last.held_out)}",
        objective.shown(last.pool),
        last.new_candidates,
        remaining,
        sparkline(curve),
    )


def explain_end(stopping: StoppingRule, records: Sequence[Record]) -> None:
    """Log why there is no further iteration although the settings allow one."""
    settings, last = stopping.settings, records[-1]
    if len(records) >= settings.iterations:  # more if the run was resumed with a larger number before
        return
    _log.info(
        "no iteration after %d: it brought %d new candidates, and min_new (%g) asks for more than %g",
        last.iteration,
        last.new_candidates,
        settings.min_new,
        stopping.too_few,
    )


def remark_on_moves(start: StartWeights, final: Floats, pool: Sequence[Candidates]) -> None:
    """Log which weights have moved."""
    if moved := moves(start.space.names, start.given, final, _spread(pool)):
        _log.info("weights that have moved, those that matter most first: %s", moved)


def moves(names: Sequence[str], before: Floats, after: Floats, effect: Floats) -> str:
    """Describe the weights that have changed, listing the ten with the largest change x effect."""
    size = np.abs(after - before) * effect
    moved = [i for i in np.argsort(-size, kind="stable") if after[i] != before[i]]
    listed = [f"{names[i]} {before[i]:.4g} -> {after[i]:.4g}" for i in moved[:_MAX_LISTED]]
    return ", ".join(listed) + (f" and {len(moved) - _MAX_LISTED} more" if len(moved) > _MAX_LISTED else "")


def _spread(pool: Sequence[Candidates]) -> Floats:
    """Return each feature's standard deviation among the candidates of a sentence, averaged, [n_features]."""
    spreads = np.array([candidates.features.std(axis=0, dtype=np.float64) for candidates in pool])
    return np.asarray(spreads.mean(axis=0))


def remark_on_bounds(space: WeightSpace, weights: Floats) -> None:
    """Log which weights are at or near their bounds, and how to widen the search."""
    near = np.flatnonzero(space.near_bounds(weights))
    if len(near):
        _log.info(
            "%d of %d free weights are on a bound or within a tenth of their range of one (%s): wider ranges (--range) "
            "or the preset default let them go further; rules of your own bring new candidates",
            len(near),
            np.count_nonzero(space.free),
            ", ".join(f"{space.names[i]} {weights[i]:.4g} in {space.low[i]:g}:{space.high[i]:g}" for i in near),
        )


def warn_of_negative(weights: Mapping[str, float]) -> None:
    """Warn of language models with a negative weight, which prefers unlikely English."""
    for name in sorted(weights):
        if name.startswith("lm_") and weights[name] < 0:
            message = (
                "the weight of %s is negative (%.3g), so unlikely English is preferred: a range prevents that "
                "(--range %s=0:1, in Python ranges)"
            )
            _log.warning(message, name, weights[name], name)
