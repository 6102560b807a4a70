"""The iterations of a tuning run: each decodes, merges the n-best lists, fits, interpolates, and is stored."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np

from sbmt.arrays import Floats
from sbmt.errors import counted
from sbmt.model import Model
from sbmt.tuning.curve import draw_curve
from sbmt.tuning.folder import Record, RunFolder
from sbmt.tuning.messages import (
    explain_end,
    introduce,
    remark_on_bounds,
    remark_on_moves,
    remark_on_normalising,
    remark_on_start,
    report,
    warn_of_negative,
)
from sbmt.tuning.objective import Objective
from sbmt.tuning.pool import Candidates, NBest, Pool, Scores, Texts, chosen_statistics
from sbmt.tuning.settings import TuneSettings
from sbmt.tuning.shards import Shard, decode_shard, score_shard, sentence_count
from sbmt.tuning.stopping import StoppingRule
from sbmt.tuning.tuners.tuner import Problem
from sbmt.tuning.weights import StartWeights, WeightSpace
from sbmt.tuning.workers import Workers

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, eq=False)
class Iterations:
    """A run whose sentences are parsed; each iteration is stored in `folder`."""

    folder: RunFolder
    settings: TuneSettings
    workers: Workers
    model: Model  # the start model
    objective: Objective
    tuned: list[Shard]
    held_out: list[Shard]
    stopping: StoppingRule
    start: StartWeights

    @property
    def _space(self) -> WeightSpace:
        return self.start.space

    def run(self, records: list[Record]) -> Model:
        """Append the remaining iterations to `records` and return the tuned model.

        Each iteration is stored while the next one decodes.
        """
        is_new = not records
        pool = Pool(self.settings.pool_iterations) if is_new else self.folder.pool(records[-1].iteration)
        weights = self.start.in_range if is_new else self._space.vector(records[-1].next)
        introduce(self.settings, self.objective, self._space, sentence_count(self.tuned), sentence_count(self.held_out))
        if is_new:
            remark_on_start(self.start, self.model.config.weights)
        remark_on_normalising(self.settings, self._space)
        with ThreadPoolExecutor(1) as background:
            stored: Future[None] | None = None
            while not self.stopping.is_reached(records):
                records.append(self._iterate(len(records) + 1, weights, pool, stored))
                weights = self._space.vector(records[-1].next)
                report(records, self.settings.iterations, self.objective)
                stored = background.submit(self._store, tuple(records), pool)
            if stored:
                stored.result()
        explain_end(self.stopping, records)
        model = self._save(records, finished=True)
        final = self._space.vector(model.config.weights)
        remark_on_moves(self.start, final, pool.sentences)
        if (final == self.start.in_range).all() or len(records) < self.settings.iterations:
            remark_on_bounds(self._space, final)
        return model

    def _store(self, records: Sequence[Record], pool: Pool) -> None:
        self.folder.write(records[-1], pool)
        self._save(records, finished=False)

    def _iterate(self, iteration: int, weights: Floats, pool: Pool, stored: Future[None] | None) -> Record:
        start_time = time.perf_counter()
        new_candidates, held_out = self._extend(pool, weights, iteration, stored)
        decoded_time = time.perf_counter()
        fitted = next_weights = weights
        if self.stopping.is_fitted(new_candidates):
            rng = np.random.default_rng([self.settings.seed, iteration])
            fitted = self.settings.make_tuner().fit(Problem(pool.sentences, self.objective, weights, self._space), rng)
            share = self.settings.interpolation
            next_weights = self._space.clip(share * fitted + (1 - share) * weights)
        return Record(
            iteration=iteration,
            weights=self._space.named(weights),
            fitted=self._space.named(fitted),
            next=self._space.named(next_weights),
            decoded=self._corpus_gain(pool.sentences),
            held_out=held_out,
            pool=self.objective.corpus(chosen_statistics(pool.sentences, fitted)),
            new_candidates=new_candidates,
            seconds=(round(decoded_time - start_time, 2), round(time.perf_counter() - decoded_time, 2)),
        )

    def _extend(
        self, pool: Pool, weights: Floats, iteration: int, stored: Future[None] | None
    ) -> tuple[int, float | None]:
        """Decode and merge the n-best lists into the pool, after waiting until its previous state is `stored`.

        Returns the number of new strings, and the gain on the held-out part if there is one. Most strings of a list
        have been decoded before: only those that are not in the pool are scored.
        """
        nbests, unknown = [], []
        for i, nbest in enumerate(self._decode(self.tuned, self.held_out, weights, iteration)):
            nbests.append(nbest)
            unknown.append(pool.unknown(i, nbest.texts))  # the held-out part comes last and is never in the pool
        scores = self._score(self.tuned + self.held_out, unknown)
        n_tuned = sentence_count(self.tuned)
        if stored:
            stored.result()
        new_candidates = pool.merge(nbests[:n_tuned], islice(scores, n_tuned))
        return new_candidates, self._corpus_gain(scores) if self.held_out else None

    def _decode(
        self, tuned: Sequence[Shard], held_out: Sequence[Shard], weights: Floats, iteration: int
    ) -> Iterator[NBest]:
        """Yield the n-best list of each sentence of `tuned`, then the 1-best of each of `held_out`."""
        calls = [(shard, self._space.names, weights, self.settings.nbest) for shard in tuned]
        calls += [(shard, self._space.names, weights, 1) for shard in held_out]
        title = f"iteration {iteration}/{self.settings.iterations}"
        return chain.from_iterable(self.workers.map(decode_shard, calls, title))

    def _score(self, shards: Sequence[Shard], outputs: Sequence[Texts]) -> Iterator[Scores]:
        """Yield the scores of the given outputs of each sentence of `shards`."""
        remaining = iter(outputs)
        calls = [(shard, list(islice(remaining, len(shard.sources)))) for shard in shards]
        return chain.from_iterable(self.workers.map(score_shard, calls, "scoring"))

    def _corpus_gain(self, sentences: Iterable[Candidates | Scores]) -> float:
        """Return the corpus gain of the first output of each sentence."""
        return self.objective.corpus(np.array([scored.statistics[0] for scored in sentences], dtype=np.float64))

    def _held_out_gain(self, weights: Floats, iteration: int) -> float:
        """Return the gain of the weights on the held-out part."""
        best = [nbest.texts for nbest in self._decode([], self.held_out, weights, iteration)]
        return self._corpus_gain(self._score(self.held_out, best))

    def _save(self, records: Sequence[Record], finished: bool) -> Model:
        """Write the bundle with the best weights so far, and the learning curve."""
        draw_curve(records, self.objective, self.folder.path / "curve.png")
        weights, gain, chosen = self._best(records, finished)
        if finished:
            _log.info("the result: %s", chosen)
            warn_of_negative(weights)
        notes = {
            "metric": self.objective.metric.signature(),
            "gain": gain,
            "chosen": chosen,
            "settings": settings_note(self.settings, records),
            "finished": finished,
        }
        start = self.model.config.weights  # names with weight 0 stay: some features are computed because they are named
        kept = {name: weight for name, weight in {**start, **weights}.items() if weight or name in start}
        model = self.model.replace(weights=kept, tuned=notes)
        return model.save(self.folder.path)

    def _best(self, records: Sequence[Record], finished: bool) -> tuple[dict[str, float], float | None, str]:
        """Return the weights that scored best on the held-out part, or without one the last weights.

        Also returns their gain on the held-out part, and a description of where they come from.
        """
        last = records[-1]
        is_fitted = self.stopping.is_fitted(last.new_candidates)
        fitted, after = (f"the weights {how} iteration {last.iteration}, the last" for how in ("fitted in", "after"))
        decoded_with = (f"the weights that iteration {record.iteration} decoded with" for record in records[1:])
        names = [_start_weights_name(self.settings), *decoded_with]
        if not self.held_out:
            weights, name = (last.fitted, fitted) if finished else (last.next, after)
            return dict(weights), None, f"{name if is_fitted else names[-1]} (nothing is held out)"
        candidates = [(r.held_out or 0.0, dict(r.weights), name) for r, name in zip(records, names, strict=True)]
        if finished and is_fitted:  # the last weights have not been decoded with yet
            vector = self._space.vector(last.next)
            candidates.append((self._held_out_gain(vector, last.iteration), self._space.named(vector), after))
        gain, best, name = max(candidates, key=lambda candidate: candidate[0])
        return best, gain, f"{name}; {self.objective.shown(gain)} on the held-out part, none did better"


def settings_note(settings: TuneSettings, records: Sequence[Record]) -> str:
    """Return the tuner, seed and number of iterations, for the notes of a model."""
    return f"{settings.tuner}, seed {settings.seed}, {counted(len(records), 'iteration')}"


def _start_weights_name(settings: TuneSettings) -> str:
    """Return a description of the weights that the first iteration decodes with."""
    restricted = settings.fixed or settings.ranges or settings.without
    return "the start weights, unchanged" + " but for what is fixed, bounded or switched off" * bool(restricted)
