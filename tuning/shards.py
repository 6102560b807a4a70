"""Shards: pieces of the tuning set that any process can parse, decode and score.

A shard's parse forests do not depend on the weights. They are built once and kept on disk together with the prepared
references; a worker that gets the same shard again still has them in memory. Workers receive weights and return n-best
lists, then receive the strings that are new to the pool and return their statistics, so joblib's cluster backends work
if the run folder is shared.
"""

from __future__ import annotations

import functools
import pickle
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sbmt.arrays import Floats, Int64s
from sbmt.decoder.base import ForestDecoder
from sbmt.decoder.forest import Forest
from sbmt.decoder.garbage_collection import collect_rarely
from sbmt.decoder.translator import TunableTranslator
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

_cache: dict[Path, tuple[int, _Prepared]] = {}  # forest file of the current run -> modification time, content
_MAX_REMEMBERED = 1_500_000  # language model steps and joins kept for the next iteration (`ForestDecoder`)
# Number of shards: at most this many plus one for each fold of both parts. It is independent of the number of jobs, so
# that results do not depend on the jobs either.
SHARDS = 64


@dataclass(frozen=True, slots=True)
class Shard:
    """Some sentences of the tuning set.

    parser: the bundle that parses them; model: the bundle that searches (they differ in cross-fitting). forests: the
    file with their forests and prepared references.
    """

    model: Path
    parser: Path
    metric: str
    sources: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    forests: Path


class _Prepared(NamedTuple):
    """The content of a shard's file, which holds it as a plain tuple."""

    forests: list[Forest]  # of each sentence, as are the references
    references: list[Any]  # prepared by the metric
    feature_names: tuple[str, ...]  # all that outputs may have


def sentence_count(shards: Iterable[Shard]) -> int:
    """Return the number of sentences in the shards."""
    return sum(len(shard.sources) for shard in shards)


def make_shards(
    folder: RunFolder,
    settings: TuneSettings,
    sources: Sequence[str],
    references: Sequence[tuple[str, ...]],
    folds: Sequence[int],
) -> tuple[list[Shard], list[Shard]]:
    """Return shards of the sentences to tune on and of those held out (see `split`).

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

    tuned, held_out = ([shard(piece) for piece in _pieces(part, fold)] for part in split(sources, settings))
    return tuned, held_out


def _pieces(part: Int64s, fold: Int64s) -> list[Int64s]:
    """Cut a part of the sentences into a proportionate number of pieces; the sentences of a piece share their fold."""
    pieces = []
    for number in np.unique(fold[part]):
        members = part[fold[part] == number]
        count = max(1, SHARDS * len(members) // len(fold))
        pieces += np.array_split(members, min(count, len(members)))
    return pieces


def _decoder(model: Path) -> tuple[Model, TunableTranslator]:
    return _load(model, _modification_time(model / FILE_NAME))


@functools.lru_cache(maxsize=2)
def _load(model: Path, _: int) -> tuple[Model, TunableTranslator]:
    """Return a bundle and its decoder, cached until its file is written again."""
    bundle = Model.load(model)
    decoder = bundle.translator()
    if not isinstance(decoder, TunableTranslator):
        raise SbmtError(f"models of kind {bundle.config.decoder.kind!r} have no weights to tune")
    if isinstance(decoder, ForestDecoder):
        decoder.most_remembered = _MAX_REMEMBERED
    collect_rarely()
    return bundle, decoder


def _modification_time(path: Path) -> int:
    """Return the modification time of a file in ns, part of cache keys because a folder may be used for another run."""
    return path.stat().st_mtime_ns


def prepare_shard(shard: Shard) -> tuple[str, ...]:
    """Parse the sentences and prepare the references, unless that is done; return the names of all features.

    Raises SbmtError for a model without weights to tune, and for a damaged file of forests.
    """
    return _prepared(shard).feature_names


def _prepared(shard: Shard) -> _Prepared:
    """Return the content of a shard's file, cached; the cache is cleared when another run begins.

    The file is created if it is missing, also when it was deleted to save space.
    """
    if not shard.forests.exists():
        _prepare(shard)
    forests, modified = shard.forests, _modification_time(shard.forests)
    if any(path.parent != forests.parent for path in _cache):
        _cache.clear()
    if forests not in _cache or _cache[forests][0] != modified:
        _cache[forests] = modified, _read_prepared(forests)
    return _cache[forests][1]


def _prepare(shard: Shard) -> None:
    bundle, decoder = _decoder(shard.parser)
    pipeline = Pipeline(bundle.config.text, tokenized=True)
    forests = [decoder.parse(*whole_line(pipeline.sentences(line))) for line in shard.sources]
    prepared = _metric(shard.metric).prepare_many(shard.sources, shard.references)
    _, searcher = _decoder(shard.model)  # may have language models that the parser does not have
    names = {name for forest in forests for name in searcher.feature_names(forest)}
    with atomic_path(shard.forests) as temporary, temporary.open("wb") as stream:
        pickle.dump((forests, prepared, tuple(sorted(names))), stream, protocol=pickle.HIGHEST_PROTOCOL)


def _read_prepared(forests: Path) -> _Prepared:
    with forests.open("rb") as stream:
        try:
            loaded = pickle.load(stream)
            if list(map(type, loaded)) != [list, list, tuple]:
                raise TypeError("it holds something else")
            return _Prepared(*loaded)
        except Exception as error:  # unpickling can raise anything
            raise SbmtError(f"{forests}: is damaged: delete it, and it is made again ({error})") from error


def decode_shard(shard: Shard, names: Sequence[str], weights: Floats, nbest: int) -> list[NBest]:
    """Return the n-best list of each sentence under `weights`; `names` is the order of weights and features.

    Raises SbmtError as `prepare_shard` does, and for a feature that is not finite.
    """
    _, decoder = _decoder(shard.model)
    decoder.weights = dict(zip(names, weights.tolist(), strict=True))
    column = {name: i for i, name in enumerate(names)}
    lists = []
    for source, forest in zip(shard.sources, _prepared(shard).forests, strict=True):
        texts, values, value_names = decoder.search(forest, nbest=nbest, narrow=nbest > 1).nbest_features(nbest)
        features = np.zeros((len(texts), len(names)), dtype=np.float32)
        with np.errstate(over="ignore"):
            features[:, [column[name] for name in value_names]] = values
        if not np.isfinite(features).all():
            name = names[int(np.argmin(np.isfinite(features).all(axis=0)))]
            raise SbmtError(f"feature {name} is not finite for a candidate of {source!r}; mend the grammar or drop it")
        lists.append(NBest(Texts(texts), features))
    return lists


def score_shard(shard: Shard, outputs: Sequence[Texts]) -> list[Scores]:
    """Return the metric's statistics and gains of the outputs of each sentence.

    Raises SbmtError as `prepare_shard` does, and for a gain that is not finite.
    """
    objective, references = Objective(_metric(shard.metric)), _prepared(shard).references
    statistics_lists = objective.metric.statistics_lists(references, outputs)
    return [
        Scores(_compact(statistics), objective.gains(statistics, source))
        for source, statistics in zip(shard.sources, statistics_lists, strict=True)
    ]


@functools.lru_cache(maxsize=2)
def _metric(specification: str) -> AnyMetric:
    """Return the tuning metric, kept for its cache: a user-defined function is called once per output."""
    return tuning_metric(specification)


def _compact(statistics: Floats) -> Compact | Floats:
    """Return the statistics in single precision if that is exact, as for counts."""
    with np.errstate(over="ignore"):
        small = statistics.astype(np.float32)
    return small if np.array_equal(small, statistics) else statistics
