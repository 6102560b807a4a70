"""The tuning loop: decode, merge the n-best lists, fit, interpolate, until nothing is new or all iterations are done.

This module prepares the loop or finds that the run is finished; `sbmt.tuning.iterations` does the iterations.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

import numpy as np

from sbmt.errors import counted
from sbmt.model import FILE_NAME, Model
from sbmt.paths import is_there
from sbmt.tuning.folder import Record, RunFolder
from sbmt.tuning.iterations import Iterations, settings_note
from sbmt.tuning.messages import explain_end
from sbmt.tuning.objective import Objective, tuning_metric
from sbmt.tuning.settings import TuneSettings
from sbmt.tuning.shards import Shard, make_shards, prepare_shard, sentence_count
from sbmt.tuning.stopping import StoppingRule
from sbmt.tuning.weights import StartWeights, WeightSpace, matching
from sbmt.tuning.workers import Workers

_log = logging.getLogger(__name__)


def run_iterations(
    folder: RunFolder,
    settings: TuneSettings,
    sources: Sequence[str],
    references: Sequence[tuple[str, ...]],
    folds: Sequence[int],
    workers: Workers,
) -> Model:
    """Run all iterations that the folder does not hold yet, and return the tuned model.

    folds: the fold of each sentence; empty without cross-fitting.
    """
    model = Model.load(folder.start)
    tuned, held_out = make_shards(folder, settings, sources, references, folds)
    stopping = StoppingRule(settings, sentence_count(tuned))
    records = folder.records()
    if finished := _finished_model(folder, settings, stopping, records):
        return finished
    feature_names = _prepare(tuned + held_out, workers)
    iterations = Iterations(
        folder=folder,
        settings=settings,
        workers=workers,
        model=model,
        objective=Objective(tuning_metric(settings.metric)),
        tuned=tuned,
        held_out=held_out,
        stopping=stopping,
        start=_start_weights(model, settings, feature_names),
    )
    return iterations.run(records)


def _finished_model(
    folder: RunFolder, settings: TuneSettings, stopping: StoppingRule, records: Sequence[Record]
) -> Model | None:
    """Return the final model of the run if it was finished with exactly these iterations, else None."""
    if not (stopping.is_reached(records) and is_there(folder.path / FILE_NAME)):
        return None
    model = Model.load(folder.path)
    notes = model.config.tuned
    if not notes.get("finished") or notes.get("settings") != settings_note(settings, records):
        return None
    explain_end(stopping, records)
    _log.info("the result: %s", notes.get("chosen"))
    return model


def _prepare(shards: Sequence[Shard], workers: Workers) -> set[str]:
    """Parse the sentences that are not parsed yet, and return the names of all features in the forests."""
    if to_parse := sentence_count(shard for shard in shards if not shard.forests.exists()):
        _log.info("parsing %s", counted(to_parse, "sentence"))
    return set().union(*workers.map(prepare_shard, [(shard,) for shard in shards], "parsing"))


def _start_weights(model: Model, settings: TuneSettings, feature_names: set[str]) -> StartWeights:
    """Return the model's weights of the features in the forests and of those that the settings restrict.

    Other weights of the model stay as they are.
    """
    weights = model.config.weights
    switched_off = {name for pattern in settings.without for name in matching(weights, pattern)}
    restricted = weights.keys() & (settings.fixed.keys() | settings.ranges.keys() | switched_off)
    names = sorted(feature_names | restricted)
    space = WeightSpace.build(names, settings.fixed, settings.ranges, settings.without)
    return StartWeights(space, np.array([weights.get(name, 0.0) for name in space.names]))
