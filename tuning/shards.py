"""Decoding the tuning set in pieces that any process can work on: a shard is a file, its work a pure function.

A shard's parse forests do not depend on the weights. They are built once and kept on disk beside the prepared
references; a worker that gets the same shard again still has them in memory. Weights go out and n-best lists come
back, then the strings that the pool does not know go out and their statistics come back, so joblib's cluster backends
work where the run folder is shared.
"""

from __future__ import annotations

import functools
import pickle
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np

from sbmt.arrays import Floats, Int64s
from sbmt.decoder.base import ForestDecoder
from sbmt.decoder.forest import Forest
from sbmt.decoder.garbage_collection import collect_rarely
from sbmt.decoder.hypothesis import Constraint
from sbmt.decoder.result import Result
from sbmt.errors import SbmtError
from sbmt.files import atomic_path
from sbmt.metrics import AnyMetric
from sbmt.model import FILE_NAME, Model
from sbmt.simplifier.constraints import whole_line
from sbmt.text.pipeline import Pipeline
from sbmt.tuning.folder import RunFolder
from sbmt.tuning.objective import Objective, tuning_metric
from sbmt.tuning.pool import Compact, NBest, Scores, Texts
from sbmt.tuning.settings import TuneSettings
from sbmt.tuning.split import split

_Prepared = tuple[list[Forest], list[Any], tuple[str, ...]]  # forests, references by the metric, names of all features
_kept: dict[Path, tuple[int, _Prepared]] = {}  # by the files of a run: when they were written, and what they hold
_REMEMBERED = 1_500_000  # language model steps and joins that a worker keeps for the next iteration (`ForestDecoder`)
# How many a tuning set is cut into, whatever the number of jobs, for results cannot depend on that: at most so many and
# one more for each fold of both parts.
SHARDS = 64


@runtime_checkable
class Searcher(Protocol):
    """What can be tuned: a decoder that prepares a sentence once and searches it under changing weights."""

    weights: dict[str, float]

    def parse(self, words: Sequence[str], constraints: Sequence[Constraint] = ()) -> Forest:
        """All that needs no weights, picklable."""

    def feature_names(self, forest: Forest) -> tuple[str, ...]:
        """Names of all features that outputs of a forest may have."""

    def search(self, forest: Forest, *, nbest: int | None = None, narrow: bool = False) -> Result:
        """Search with the present weights for so many outputs; `narrow`: fast rather than complete."""


@dataclass(frozen=True, slots=True)
class Shard:
    """Some sentences of the tuning set. `parser` is the bundle whose grammars they are parsed with, `model` the one
    that searches (they differ in cross-fitting); `forests` is the file that keeps what need not be done twice.
    """

    model: Path
    parser: Path
    metric: str
    sources: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    forests: Path


def sentence_count(shards: Iterable[Shard]) -> int:
    """How many sentences some shards hold."""
    return sum(len(shard.sources) for shard in shards)


def make_shards(
    folder: RunFolder,
    settings: TuneSettings,
    sources: Sequence[str],
    references: Sequence[tuple[str, ...]],
    folds: Sequence[int],
) -> tuple[list[Shard], list[Shard]]:
    """Shards of the sentences to tune on and of those held out (see `split`).

    folds: the fold of each sentence; empty without cross-fitting.
    """
    fold = np.array(folds or [-1] * len(sources))

    def shard(piece: Int64s) -> Shard:
        number = int(fold[piece[0]])
        return Shard(
            folder.start,
            folder.start if number < 0 else folder.fold(number),
            settings.metric,
            tuple(sources[i] for i in piece),
            tuple(references[i] for i in piece),
            folder.forests / f"{piece[0]}-{piece[-1]}.pickle",
        )

    tuned, rest = ([shard(piece) for piece in _pieces(part, fold)] for part in split(sources, settings))
    return tuned, rest


def _pieces(chosen: Int64s, fold: Int64s) -> list[Int64s]:
    """Cut the chosen sentences into a proportionate number of pieces; the sentences of a piece share their fold."""
    pieces = []
    for number in np.unique(fold[chosen]):
        members = chosen[fold[chosen] == number]
        count = max(1, SHARDS * len(members) // len(fold))
        pieces += np.array_split(members, min(count, len(members)))
    return pieces


def _decoder(model: Path) -> tuple[Model, Searcher]:
    return _load(model, _written(model / FILE_NAME))


@functools.lru_cache(maxsize=2)
def _load(model: Path, _: int) -> tuple[Model, Searcher]:
    bundle = Model.load(model)
    decoder = bundle.translator()
    if not isinstance(decoder, Searcher):
        raise SbmtError(f"models of kind {bundle.config.decoder.kind!r} have no weights to tune")
    if isinstance(decoder, ForestDecoder):
        decoder.most_remembered = _REMEMBERED
    collect_rarely()
    return bundle, decoder


def _written(path: Path) -> int:
    """When a file was written: what is remembered of it holds until then, for a folder may be used for another run."""
    return path.stat().st_mtime_ns


def prepare_shard(shard: Shard) -> tuple[str, ...]:
    """Parse the sentences and prepare the references, unless that has been done; names all features there are.

    Raises SbmtError for a model without weights to tune, and a file of forests that is damaged.
    """
    return _prepared(shard)[2]


def _prepared(shard: Shard) -> _Prepared:
    """What the file of a shard holds, read once; what is kept of another run is forgotten.

    The file is made where it is not there, also when it was deleted to save space.
    """
    if not shard.forests.exists():
        _prepare(shard)
    forests, written = shard.forests, _written(shard.forests)
    if any(path.parent != forests.parent for path in _kept):
        _kept.clear()
    if forests not in _kept or _kept[forests][0] != written:
        _kept[forests] = written, _unpickled(forests)
    return _kept[forests][1]


def _prepare(shard: Shard) -> None:
    bundle, decoder = _decoder(shard.parser)
    pipeline = Pipeline(bundle.config.text, tokenized=True)
    forests = [decoder.parse(*whole_line(pipeline.sentences(line))) for line in shard.sources]
    prepared = _metric(shard.metric).prepare_many(shard.sources, shard.references)
    _, searcher = _decoder(shard.model)  # which may have language models that the parser has not
    names = {name for forest in forests for name in searcher.feature_names(forest)}
    with atomic_path(shard.forests) as temporary, temporary.open("wb") as stream:
        pickle.dump((forests, prepared, tuple(sorted(names))), stream, protocol=pickle.HIGHEST_PROTOCOL)


def _unpickled(forests: Path) -> _Prepared:
    with forests.open("rb") as stream:
        try:
            loaded: _Prepared = pickle.load(stream)
            if list(map(type, loaded)) != [list, list, tuple]:
                raise TypeError("it holds something else")
        except Exception as error:  # unpickling can raise anything
            raise SbmtError(f"{forests}: is damaged: delete it, and it is made again ({error})") from error
    return loaded


def decode_shard(shard: Shard, names: Sequence[str], weights: Floats, nbest: int) -> list[NBest]:
    """The n-best list of each sentence under `weights`; `names` says their order and that of the features.

    Raises what `prepare_shard` does, and SbmtError for a feature that is not finite.
    """
    _, decoder = _decoder(shard.model)
    decoder.weights = dict(zip(names, weights.tolist(), strict=True))
    place = {name: i for i, name in enumerate(names)}
    lists = []
    for source, forest in zip(shard.sources, _prepared(shard)[0], strict=True):
        texts, values, columns = decoder.search(forest, nbest=nbest, narrow=nbest > 1).nbest_features(nbest)
        features = np.zeros((len(texts), len(names)), dtype=np.float32)
        with np.errstate(over="ignore"):
            features[:, [place[name] for name in columns]] = values
        if not np.isfinite(features).all():
            name = names[int(np.argmin(np.isfinite(features).all(axis=0)))]
            raise SbmtError(f"feature {name} is not finite for a candidate of {source!r}; mend the grammar or drop it")
        lists.append(NBest(Texts(texts), features))
    return lists


def score_shard(shard: Shard, outputs: Sequence[Texts]) -> list[Scores]:
    """The metric's statistics and gains of the outputs of each sentence; raises what `prepare_shard` does.

    Also SbmtError for a gain that is not finite.
    """
    objective, prepared = Objective(_metric(shard.metric)), _prepared(shard)[1]
    rows = objective.metric.statistics_lists(prepared, outputs)
    return [
        Scores(_compact(found), objective.gains(found, source))
        for source, found in zip(shard.sources, rows, strict=True)
    ]


@functools.lru_cache(maxsize=2)
def _metric(specification: str) -> AnyMetric:
    """Kept for what it remembers: a function of the user's own is asked once about an output."""
    return tuning_metric(specification)


def _compact(statistics: Floats) -> Compact | Floats:
    """Single precision where that holds them exactly, as it does counts."""
    with np.errstate(over="ignore"):
        small = statistics.astype(np.float32)
    return small if np.array_equal(small, statistics) else statistics
