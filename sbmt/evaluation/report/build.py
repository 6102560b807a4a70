"""What a report says about systems on one test set: scores, features, word labels, lengths, and every sentence.

Figures come from scores.py (as sbmt-eval computes them), quality.py and transformations.py; page.py writes the HTML.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from math import inf
from typing import Any

import numpy as np

from sbmt.arguments import check_kind
from sbmt.arrays import Floats, Ints
from sbmt.config import ConfigError, check_fields
from sbmt.errors import HALVED, SbmtError, counted
from sbmt.evaluation.report.scores import REFERENCE, SOURCE, Bucket, Row, Scores
from sbmt.evaluation.report.system import System
from sbmt.evaluation.transformations import Agreement, Transformed, agreement, kinds, shares, transform
from sbmt.metrics.arguments import check_lines, check_texts
from sbmt.metrics.base import counted_references
from sbmt.metrics.quality import FEATURES, quality
from sbmt.metrics.registry import DEFAULT_METRICS
from sbmt.metrics.significance import RESAMPLES
from sbmt.text.lines import line_tokens, line_words
from sbmt.text.tokens import Token
from sbmt.version import __version__

REFERENCES = "references"  # the column of all references together
_TAKEN = (REFERENCES, SOURCE, REFERENCE)  # by columns and rows that are no system
# Kinds of change of whole outputs: more sentences; the same words in other capitals, spaces or signs; the same text.
SPLIT, TYPOGRAPHY, UNCHANGED = "split", "typography alone", "unchanged"


@dataclass(frozen=True, slots=True)
class Settings:
    """What is computed, and how many sentences a report may hold; `origin`: what a reader is told of its making."""

    metrics: tuple[str, ...] = DEFAULT_METRICS
    title: str = "Simplification report"
    baseline: str | None = None  # the first system, where none is named
    seed: int = 1
    samples: int = RESAMPLES
    max_sentences: int = 2000
    max_bytes: int = 6_000_000  # of text in UTF-8
    holm: bool = False  # p-values are corrected for the number of tests
    origin: tuple[tuple[str, str], ...] = ()  # names and values: files, the command

    def __post_init__(self) -> None:
        """Raises ConfigError, as `check_fields` does, and for no metric and for an origin that is no pair."""
        check_fields(self, (("samples seed", 0, inf), ("max_sentences max_bytes", 1, inf)))
        if not self.metrics:
            raise ConfigError("metrics: there is none to report")
        for pair in self.origin:
            if len(pair) != 2:
                raise ConfigError(f"origin: {pair!r} is no pair of a name and a value")


@dataclass(frozen=True, slots=True)
class Output:
    """What a system made of a sentence: its tokens, their labels and the kinds of change."""

    text: str
    tokens: list[Token]
    words: Transformed
    kinds: frozenset[str]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A source with its references and, for each system, its output."""

    number: int  # from 1, in the test set
    source: str
    references: list[str]
    tokens: list[Token]
    outputs: list[Output]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Report:
    """All that the page shows; `total` counts the test set's sentences, of which `sentences` may be a sample.

    `blank`: lines without a word in source, outputs and references; they count in the scores but are not shown.
    """

    settings: Settings
    total: int
    blank: int
    systems: list[System]
    baseline: str
    scores: Scores
    rows: list[Row]
    buckets: list[Bucket]
    features: dict[str, dict[str, float]]  # feature -> system or "references" -> mean
    feature_values: dict[str, dict[str, Floats]]  # system or "references" -> feature -> [n_outputs]
    labels: dict[str, dict[str, float]]  # system or "references" -> label -> share of words
    agreements: dict[str, dict[str, Agreement]]  # system, or SOURCE -> label -> agreement with the best reference
    sentences: list[Sentence]
    lone: int  # lines of fewer than two references

    def __repr__(self) -> str:
        """What it is of, in a line."""
        return f"<report on {', '.join(system.name for system in self.systems)}, {len(self.sentences)} sentences>"

    def to_dict(self) -> dict[str, Any]:
        """All figures, without the sentences' texts, as JSON has them; `numbers` are those of the sentences scored."""
        settings = self.settings
        return {
            "title": settings.title,
            "version": __version__,
            "origin": dict(settings.origin),
            "baseline": self.baseline,
            "seed": settings.seed,
            "samples": settings.samples,
            "sentences": len(self.sentences),
            "total": self.total,
            "blank": self.blank,
            "numbers": [sentence.number for sentence in self.sentences],
            "scores": {
                row.name: {m: result.to_dict(sentence_level=True) for m, result in row.results.items()}
                for row in self.rows
            },
            "features": self.features,
            "labels": self.labels,
            "agreement": {
                name: {label: found.to_dict() for label, found in by_label.items()}
                for name, by_label in self.agreements.items()
            },
            "lengths": [asdict(bucket) for bucket in self.buckets],
        }


def build(
    sources: Sequence[str], references: Sequence[Sequence[str]], systems: Sequence[System], settings: Settings
) -> Report:
    """Compute a report; references[i] are those of sources[i], blank ones absent unless a metric counts them.

    Raises SbmtError for no sentence, no system, systems of the same name or one of the report's own, another length, an
    unknown baseline, or half of a surrogate pair; and, of other kinds and shapes, what `evaluate` raises.
    """
    check_texts(sources, references)
    check_kind("settings", settings, Settings)
    systems = list(systems)
    for system in systems:
        check_kind("systems", system, System)
    if not systems:
        raise SbmtError("there is no system to report on")
    names = [system.name for system in systems]
    if len(set(names)) < len(names):
        raise SbmtError(f"two systems have the same name ({', '.join(names)})")
    if taken := next((name for name in names if name in _TAKEN), None):
        raise SbmtError(f"{taken!r} cannot be a system's name: the report uses it")
    due = f"for {counted(len(sources), 'source')}"
    for system in systems:
        check_lines(f"System({system.name!r}).outputs", system.outputs)
        if len(system.outputs) != len(sources):
            raise SbmtError(f"{system.name} has {counted(len(system.outputs), 'line')} {due}")
        if system.changes is not None and len(system.changes) != len(sources):
            raise SbmtError(f"{system.name} has changes of {counted(len(system.changes), 'line')} {due}")
    texts = _Texts(sources, references, systems)
    written = texts.written()
    if not written:
        raise SbmtError("there is no sentence to report on")
    chosen = _sample(texts, written, settings)
    scored = chosen if len(chosen) < len(written) else list(range(len(sources)))
    return _build(texts.of(scored), np.searchsorted(scored, chosen), [i + 1 for i in chosen], len(written), settings)


@dataclass(frozen=True, slots=True)
class _Texts:
    sources: Sequence[str]
    references: Sequence[Sequence[str]]  # of each source
    systems: Sequence[System]

    def of(self, numbers: Sequence[int]) -> _Texts:
        """Those of the lines of these numbers, from 0, in their order."""
        systems = [system.of(numbers) for system in self.systems]
        return _Texts([self.sources[i] for i in numbers], [self.references[i] for i in numbers], systems)

    def all_of(self, i: int) -> list[str]:
        """Source, references and outputs of a line."""
        return [self.sources[i], *self.references[i], *(system.outputs[i] for system in self.systems)]

    def size(self, i: int) -> int:
        """The bytes of a line in UTF-8; raises SbmtError for half of a surrogate pair."""
        try:
            return sum(len(text.encode()) for text in self.all_of(i))
        except UnicodeEncodeError as error:
            raise SbmtError(f"sentence {i + 1}: {error.object!r} {HALVED}") from None

    def written(self) -> list[int]:
        """The numbers of the lines that are not blank throughout."""
        return [i for i in range(len(self.sources)) if any(map(str.strip, self.all_of(i)))]


def _sample(texts: _Texts, written: Sequence[int], settings: Settings) -> list[int]:
    """Return all of these lines, or as many random ones as a report may hold, in order."""
    drawn = np.random.default_rng(settings.seed).permutation(len(written))[: settings.max_sentences]
    order = [written[k] for k in drawn.tolist()]
    sizes = np.cumsum([texts.size(i) for i in order])
    fits = int(np.searchsorted(sizes, settings.max_bytes, side="right"))
    return sorted(order[: max(fits, 1)])


def _build(scored: _Texts, places: Ints, numbers: list[int], total: int, settings: Settings) -> Report:
    """Report on the lines at these places, whose numbers in the test set are given; metrics count all lines."""
    baseline = settings.baseline or scored.systems[0].name
    # Metrics see blank lines and references: some count them.
    outputs = {system.name: system.outputs for system in scored.systems}
    scores = Scores(settings.metrics, scored.sources, scored.references, outputs)
    texts = scored.of(places.tolist())
    outputs = {system.name: system.outputs for system in texts.systems}
    references = [counted_references(lines, "absent") for lines in texts.references]
    values = _qualities(texts.sources, references, outputs)
    tokens = list(map(line_tokens, texts.sources))
    made = {
        name: [_output(*row) for row in zip(texts.sources, tokens, lines, values[name]["split"], strict=True)]
        for name, lines in outputs.items()
    }
    columns = (numbers, texts.sources, references, tokens, map(list, zip(*made.values(), strict=True)))
    sentences = [Sentence(*row) for row in zip(*columns, strict=True)]
    labelled = {name: [output.words for output in found] for name, found in made.items()}
    to_references = [_references(sentence) for sentence in sentences]
    compared = {**labelled, SOURCE: [_unchanged(sentence) for sentence in sentences]} if all(to_references) else {}
    if REFERENCES in values:
        labelled[REFERENCES] = list(chain.from_iterable(to_references))
    return Report(
        settings=settings,
        total=total,
        blank=len(scored.sources) - len(sentences),
        systems=list(texts.systems),
        baseline=baseline,
        scores=scores,
        rows=[row.at(places) for row in scores.summary(baseline, settings.seed, settings.samples, settings.holm)],
        buckets=scores.buckets(list(map(len, tokens)), places),
        features={
            feature: {who: float(found[feature].mean()) for who, found in values.items()} for feature in FEATURES
        },
        feature_values=values,
        labels={name: shares(found) for name, found in labelled.items()},
        agreements={name: agreement(found, to_references) for name, found in compared.items()},
        sentences=sentences,
        lone=sum(len(counted_references(lines, "absent")) < 2 for lines in scored.references),
    )


def _qualities(
    sources: Sequence[str], references: Sequence[Sequence[str]], outputs: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, Floats]]:
    """Each feature of each system's outputs and, where there are any, of all references: {who: {feature: [n]}}.

    Computed together: lines share most of their words.
    """
    pairs = {name: list(zip(sources, lines, strict=True)) for name, lines in outputs.items()}
    flat = [(source, line) for source, lines in zip(sources, references, strict=True) for line in lines]
    pairs |= {REFERENCES: flat} if flat else {}
    here, there = zip(*chain.from_iterable(pairs.values()), strict=True)
    found = quality(here, there)
    ends = np.cumsum([len(members) for members in pairs.values()])[:-1]
    parts = {feature: np.split(values, ends) for feature, values in found.items()}
    return {name: {feature: parts[feature][k] for feature in parts} for k, name in enumerate(pairs)}


def _unchanged(sentence: Sentence) -> Transformed:
    words = [token.word for token in sentence.tokens]
    return transform(words, words)


def _references(sentence: Sentence) -> list[Transformed]:
    source = [token.word for token in sentence.tokens]
    labelled = {line: transform(source, line_words(line)) for line in dict.fromkeys(sentence.references)}
    return [labelled[line] for line in sentence.references]


def _output(source: str, source_tokens: Sequence[Token], line: str, split: float) -> Output:
    """What a system made of a source; `split` is 1 where it made several sentences of one."""
    tokens = line_tokens(line)
    found = transform([t.word for t in source_tokens], [t.word for t in tokens])
    changes = kinds(found) | ({SPLIT} if split else set())
    whole = UNCHANGED if line.split() == source.split() else TYPOGRAPHY
    return Output(line, tokens, found, changes or frozenset({whole}))
