"""The tuning loop: decode, merge the n-best lists, fit, interpolate; until nothing is new or time is up."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain, islice

import numpy as np

from sbmt.arrays import Floats
from sbmt.errors import counted
from sbmt.model import FILE_NAME, Model
from sbmt.paths import is_there
from sbmt.tuning.curve import draw_curve, sparkline
from sbmt.tuning.folder import Record, RunFolder
from sbmt.tuning.objective import Objective, tuning_metric
from sbmt.tuning.pool import Candidates, NBest, Pool, Scores, Texts, chosen_statistics
from sbmt.tuning.remarks import moves, remark_on_bounds, spread, warn_of_negative
from sbmt.tuning.settings import TuneSettings
from sbmt.tuning.shards import Shard, decode_shard, make_shards, prepare_shard, score_shard
from sbmt.tuning.tuner import Problem
from sbmt.tuning.weights import WeightSpace, matching
from sbmt.tuning.workers import Workers

_log = logging.getLogger(__name__)


class Loop:
    """A run under way: what it was given, and the folder that it stores each iteration in.

    given: the model's weights as they are, [n_features]; start: the same, each moved into its range.
    """

    def __init__(
        self,
        folder: RunFolder,
        settings: TuneSettings,
        sources: Sequence[str],
        references: Sequence[tuple[str, ...]],
        folds: Sequence[int],
        workers: Workers,
    ) -> None:
        self.folder, self.settings, self.workers = folder, settings, workers
        self.model = Model.load(folder.start)
        self.objective = Objective(tuning_metric(settings.metric))
        self.tuned, self.held_out = make_shards(folder, settings, sources, references, folds)

    def _prepare(self) -> None:
        """Parse what was not parsed before, and find out which weights there are."""
        if to_parse := sum(len(s.sources) for s in self.tuned + self.held_out if not s.forests.exists()):
            _log.info("parsing %s", counted(to_parse, "sentence"))
        shown: set[str] = set().union(
            *self.workers.map(prepare_shard, [(s,) for s in self.tuned + self.held_out], "parsing")
        )
        self.space = self._space(shown)
        own = self.model.config.weights
        self.given = np.array([own.get(name, 0.0) for name in self.space.names])
        self.start = self.space.clip(self.given)

    def _space(self, shown: set[str]) -> WeightSpace:
        """Weights of the features that some sentence shows, and those that settings name; others of the model stay."""
        settings, weights = self.settings, self.model.config.weights
        off = {name for pattern in settings.without for name in matching(weights, pattern)}
        named = weights.keys() & (settings.fixed.keys() | settings.ranges.keys() | off)
        return WeightSpace.build(sorted(shown | named), settings.fixed, settings.ranges, settings.without)

    def run(self) -> Model:
        """All iterations that are still to be done. Each is stored while the next one is decoded."""
        records = self.folder.records()
        if done := self._done(records):
            return done
        self._prepare()
        pool = self.folder.pool(records[-1].iteration) if records else Pool(self.settings.pool_iterations)
        weights = self.space.vector(records[-1].next) if records else self.start
        self._introduce(is_new=not records)
        with ThreadPoolExecutor(1) as background:
            stored: Future[None] | None = None
            while not self._finished(records):
                records.append(self._iterate(len(records) + 1, weights, pool, stored))
                weights = self.space.vector(records[-1].next)
                self._report(records)
                stored = background.submit(self._store, tuple(records), pool)
            if stored:
                stored.result()
        self._explain_end(records)
        model = self._save(records, finished=True)
        self._remark(model.config.weights, records, pool)
        return model

    def _done(self, records: Sequence[Record]) -> Model | None:
        """The model that a run of these iterations has come to before, if none is to be added."""
        if not (self._finished(records) and is_there(self.folder.path / FILE_NAME)):
            return None
        model = Model.load(self.folder.path)
        if not model.config.tuned.get("finished") or model.config.tuned.get("settings") != self._how(records):
            return None
        self._explain_end(records)
        _log.info("the result: %s", model.config.tuned.get("chosen"))
        return model

    def _introduce(self, is_new: bool) -> None:
        """Say what is about to be done, and warn of a setting that has no effect."""
        tuned, held_out = (sum(len(shard.sources) for shard in part) for part in (self.tuned, self.held_out))
        _log.info(
            "tuning %s for %s by %s: %s, %d held out",
            counted(int(np.count_nonzero(self.space.free)), "weight"),
            self.objective.metric.signature(),
            self.settings.tuner,
            counted(tuned, "sentence"),
            held_out,
        )
        in_range = np.where(self.space.free, self.start, self.given)  # others are where the user has put them
        if is_new and (moved := moves(self.space.names, self.given, in_range, np.ones_like(self.given))):
            _log.info("start weights outside their ranges are moved into them: %s", moved)
        given = self.model.config.weights
        if is_new and (idle := sorted(name for name in given.keys() - {*self.space.names} if given[name])):
            _log.warning("weights for features that no sentence shows stay as they are: %s", ", ".join(idle))
        normalised = self.settings.pro.normalise if self.settings.tuner == "pro" else ""
        if normalised in self.space.names and not self.space.scales:
            _log.warning("pro.normalise (%s) has no effect beside weights that are fixed or bounded", normalised)

    def _store(self, records: Sequence[Record], pool: Pool) -> None:
        self.folder.write(records[-1], pool)
        self._save(records, finished=False)

    def _finished(self, records: Sequence[Record]) -> bool:
        if len(records) >= self.settings.iterations:
            return True
        return bool(records) and records[-1].new_candidates <= self._too_few

    def _is_fitted(self, new_candidates: int) -> bool:
        """Whether an iteration that brought so many fits weights."""
        return self.settings.fit_last or new_candidates > self._too_few

    @property
    def _too_few(self) -> float:
        """New candidates with which an iteration is the last: `min_new` of all that it could bring."""
        possible = self.settings.nbest * sum(len(shard.sources) for shard in self.tuned)
        return self.settings.min_new * possible

    def _explain_end(self, records: Sequence[Record]) -> None:
        """Say why there is no further iteration, if the settings allow one."""
        if len(records) >= self.settings.iterations:  # more where it was resumed with a larger number before
            return
        last = records[-1]
        _log.info(
            "no iteration after %d: it brought %d new candidates, and min_new (%g) asks for more than %g",
            last.iteration,
            last.new_candidates,
            self.settings.min_new,
            self._too_few,
        )

    def _iterate(self, iteration: int, weights: Floats, pool: Pool, stored: Future[None] | None) -> Record:
        began = time.perf_counter()
        new, held_out = self._extend(pool, weights, iteration, stored)
        decoded = time.perf_counter()
        fitted = following = weights
        if self._is_fitted(new):
            rng = np.random.default_rng([self.settings.seed, iteration])
            fitted = self.settings.make_tuner().fit(Problem(pool.sentences, self.objective, weights, self.space), rng)
            share = self.settings.interpolation
            following = self.space.clip(share * fitted + (1 - share) * weights)
        return Record(
            iteration=iteration,
            weights=self.space.named(weights),
            fitted=self.space.named(fitted),
            next=self.space.named(following),
            decoded=self._corpus(pool.sentences),
            held_out=held_out,
            pool=self.objective.corpus(chosen_statistics(pool.sentences, fitted)),
            new_candidates=new,
            seconds=(round(decoded - began, 2), round(time.perf_counter() - decoded, 2)),
        )

    def _extend(
        self, pool: Pool, weights: Floats, iteration: int, stored: Future[None] | None
    ) -> tuple[int, float | None]:
        """Decode into the pool, once it is `stored` as it was; returns how many strings it did not know, and the gain
        on the held-out part if there is one.

        Most strings of a list have been decoded before: only those that the pool does not know are scored.
        """
        nbests, unknown = [], []
        for i, nbest in enumerate(self._decode(self.tuned, self.held_out, weights, iteration)):
            nbests.append(nbest)
            unknown.append(pool.unknown(i, nbest.texts))  # the held-out part comes last: the pool knows none of it
        scored = self._score(self.tuned + self.held_out, unknown)
        tuned = sum(len(shard.sources) for shard in self.tuned)
        if stored:
            stored.result()
        new = pool.merge(nbests[:tuned], islice(scored, tuned))
        return new, self._corpus(scored) if self.held_out else None

    def _decode(
        self, tuned: Sequence[Shard], held_out: Sequence[Shard], weights: Floats, iteration: int
    ) -> Iterator[NBest]:
        """The n-best list of each sentence of `tuned`, then the best output of each of `held_out`."""
        calls = [(shard, self.space.names, weights, self.settings.nbest) for shard in tuned]
        calls += [(shard, self.space.names, weights, 1) for shard in held_out]
        what = f"iteration {iteration}/{self.settings.iterations}"
        return chain.from_iterable(self.workers.map(decode_shard, calls, what))

    def _score(self, shards: Sequence[Shard], outputs: Sequence[Texts]) -> Iterator[Scores]:
        """Scores of some outputs of each sentence of `shards`."""
        remaining = iter(outputs)
        calls = [(shard, list(islice(remaining, len(shard.sources)))) for shard in shards]
        return chain.from_iterable(self.workers.map(score_shard, calls, "scoring"))

    def _corpus(self, sentences: Iterable[Candidates | Scores]) -> float:
        """Gain of the first output of each sentence."""
        return self.objective.corpus(np.array([scored.statistics[0] for scored in sentences], dtype=np.float64))

    def _held_out(self, weights: Floats, iteration: int) -> float:
        """Gain of the weights on the held-out part."""
        best = [nbest.texts for nbest in self._decode([], self.held_out, weights, iteration)]
        return self._corpus(self._score(self.held_out, best))

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
            "settings": self._how(records),
            "finished": finished,
        }
        own = self.model.config.weights  # names with weight 0 stay: some features are computed for being named
        named = {name: weight for name, weight in {**own, **weights}.items() if weight or name in own}
        model = self.model.replace(weights=named, tuned=notes)
        return model.save(self.folder.path)

    def _how(self, records: Sequence[Record]) -> str:
        """How the weights were found, in the notes of a model."""
        return f"{self.settings.tuner}, seed {self.settings.seed}, {counted(len(records), 'iteration')}"

    def _remark(self, weights: Mapping[str, float], records: Sequence[Record], pool: Pool) -> None:
        """Say which weights have moved, and why there may be none."""
        found = self.space.vector(weights)
        if moved := moves(self.space.names, self.given, found, spread(pool.sentences)):
            _log.info("weights that have moved, those that matter most first: %s", moved)
        if (found == self.start).all() or len(records) < self.settings.iterations:
            remark_on_bounds(self.space, found)

    def _best(self, records: Sequence[Record], finished: bool) -> tuple[dict[str, float], float | None, str]:
        """With a held-out part the weights that scored best on it, else the last ones.

        Also their gain on the held-out part, and in words which they are.
        """
        last = records[-1]
        is_fitted = self._is_fitted(last.new_candidates)
        fitted, after = (f"the weights {how} iteration {last.iteration}, the last" for how in ("fitted in", "after"))
        later = (f"the weights that iteration {record.iteration} decoded with" for record in records[1:])
        names = [self._unchanged(), *later]
        if not self.held_out:
            weights, name = (last.fitted, fitted) if finished else (last.next, after)
            return dict(weights), None, f"{name if is_fitted else names[-1]} (nothing is held out)"
        candidates = [(r.held_out or 0.0, dict(r.weights), name) for r, name in zip(records, names, strict=True)]
        if finished and is_fitted:  # the last weights have not been decoded with yet
            vector = self.space.vector(last.next)
            candidates.append((self._held_out(vector, last.iteration), self.space.named(vector), after))
        gain, best, name = max(candidates, key=lambda candidate: candidate[0])
        return best, gain, f"{name}; {self._shown(gain)} on the held-out part, none did better"

    def _shown(self, gain: float) -> str:
        """A gain in the metric's own figures."""
        return f"{self.objective.unit * gain:.{self.objective.decimals}f}"

    def _unchanged(self) -> str:
        restricted = self.settings.fixed or self.settings.ranges or self.settings.without
        return "the start weights, unchanged" + " but for what is fixed, bounded or switched off" * bool(restricted)

    def _report(self, records: Sequence[Record]) -> None:
        last = records[-1]
        shown = [record.decoded if record.held_out is None else record.held_out for record in records]
        remaining = (self.settings.iterations - len(records)) * float(np.mean([sum(r.seconds) for r in records]))
        _log.info(
            "iteration %d: %s%s, pool %s, %d new candidates, at most %.0f s left  %s",
            last.iteration,
            self._shown(last.decoded),
            "" if last.held_out is None else f", held out {self._shown(last.held_out)}",
            self._shown(last.pool),
            last.new_candidates,
            remaining,
            sparkline(shown),
        )
