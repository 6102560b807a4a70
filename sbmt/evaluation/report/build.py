"""Computing a report: the sample of sentences that a page can hold, and the figures of all.

Figures come from scores.py (as sbmt-eval computes them), quality.py and transformations.py; page.py writes the HTML.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np

from sbmt.arguments import check_kind
from sbmt.arrays import Floats, Ints
from sbmt.errors import HALVED, SbmtError, counted
from sbmt.evaluation.report.content import REFERENCES, SPLIT, TYPOGRAPHY, UNCHANGED, Output, Report, Sentence
from sbmt.evaluation.report.scores import REFERENCE, SOURCE, Scores
from sbmt.evaluation.report.settings import Settings
from sbmt.evaluation.report.system import System
from sbmt.evaluation.transformations import Transformed, agreement, kinds, shares, transform
from sbmt.metrics.arguments import check_lines, check_texts
from sbmt.metrics.base import counted_references
from sbmt.metrics.quality import FEATURES, quality
from sbmt.text.lines import line_tokens, line_words
from sbmt.text.tokens import Token

__all__ = ["Settings", "build"]  # what programs import from here

_RESERVED_NAMES = (REFERENCES, SOURCE, REFERENCE)  # of columns and rows that are not systems
# What a page holds besides texts, in bytes: measured on 20 systems with 25 words a sentence, rounded up.
_OUTPUT_BYTES, _SCORE_BYTES = 80, 7  # an output's keys, kinds and feature values; each of its scores
_RUN_BYTES = 4  # where the label changes from one word to the next
_RULE_BYTES = 30  # a rule's score and keys
_WITH_LABELS = 1.5  # times `Settings.max_bytes`: the limit of texts and all this together


def build(
    sources: Sequence[str], references: Sequence[Sequence[str]], systems: Sequence[System], settings: Settings
) -> Report:
    """Compute a report; references[i] are those of sources[i], blank ones absent unless a metric counts them.

    Raises SbmtError for no sentence, no system, systems of the same name or of a name that the report uses, another
    length, an unknown baseline, or half of a surrogate pair; TypeError for a system's `changes` of another form than
    `System` states. Arguments of other kinds and shapes raise what `evaluate` raises.
    """
    check_texts(sources, references)
    check_kind("settings", settings, Settings)
    systems = list(systems)
    _check_systems(systems, len(sources))
    texts = _Texts(sources, references, systems)
    written = texts.written()
    if not written:
        raise SbmtError("there is no sentence to report on")
    sample = _sample(texts, written, settings)
    chosen = list(sample)
    scored = chosen if len(chosen) < len(written) else list(range(len(sources)))
    return _build(texts.of(scored), np.searchsorted(scored, chosen), sample, len(written), settings)


def _check_systems(systems: Sequence[System], n_sources: int) -> None:
    """Raise what `build` raises for systems."""
    for system in systems:
        check_kind("systems", system, System)
    if not systems:
        raise SbmtError("there is no system to report on")
    names = [system.name for system in systems]
    if len(set(names)) < len(names):
        raise SbmtError(f"two systems have the same name ({', '.join(names)})")
    if reserved := next((name for name in names if name in _RESERVED_NAMES), None):
        raise SbmtError(f"{reserved!r} cannot be a system's name: the report uses it")
    expected = f"for {counted(n_sources, 'source')}"
    for system in systems:
        check_lines(f"System({system.name!r}).outputs", system.outputs)
        if len(system.outputs) != n_sources:
            raise SbmtError(f"{system.name} has {counted(len(system.outputs), 'line')} {expected}")
        system.check_changes()
        if system.changes is not None and len(system.changes) != n_sources:
            raise SbmtError(f"{system.name} has changes of {counted(len(system.changes), 'line')} {expected}")


@dataclass(frozen=True, slots=True)
class _Labelled:
    """A source's tokens and, for each system, its output's tokens and the labels of both sides' words."""

    tokens: list[Token]
    outputs: list[tuple[list[Token], Transformed]]

    def size(self, n_metrics: int) -> int:
        """Return how many bytes labels, kinds and figures take on a page, approximately."""
        changes = sum(
            label != following
            for _, words in self.outputs
            for side in (words.source, words.output)
            for label, following in pairwise(side)
        )
        return len(self.outputs) * (_OUTPUT_BYTES + _SCORE_BYTES * n_metrics) + _RUN_BYTES * changes


@dataclass(frozen=True, slots=True)
class _Texts:
    """Sources, references and systems that belong together, line by line."""

    sources: Sequence[str]
    references: Sequence[Sequence[str]]  # of each source
    systems: Sequence[System]

    def of(self, numbers: Sequence[int]) -> _Texts:
        """Return the texts of the lines of these numbers, from 0, in their order."""
        systems = [system.of(numbers) for system in self.systems]
        return _Texts([self.sources[i] for i in numbers], [self.references[i] for i in numbers], systems)

    def outputs(self) -> dict[str, list[str]]:
        """Return the outputs of each system by its name."""
        return {system.name: system.outputs for system in self.systems}

    def all_of(self, i: int) -> list[str]:
        """Return source, references and outputs of a line."""
        return [self.sources[i], *self.references[i], *(system.outputs[i] for system in self.systems)]

    def size(self, i: int) -> int:
        """Return the bytes of a line in UTF-8; raises SbmtError for half of a surrogate pair."""
        try:
            return sum(len(text.encode()) for text in self.all_of(i))
        except UnicodeEncodeError as error:
            raise SbmtError(f"sentence {i + 1}: {error.object!r} {HALVED}") from None

    def rules_size(self, i: int) -> int:
        """Return how many bytes the rules behind a line's outputs take, approximately."""
        changes = chain.from_iterable(system.changes[i] for system in self.systems if system.changes)
        return sum(
            _RULE_BYTES + len(f"{change.get('rule', '')}{change.get('owner', '')}".encode(errors="replace"))
            for change in changes
        )

    def label(self, i: int) -> _Labelled:
        """Align and label a line's outputs."""
        tokens = line_tokens(self.sources[i])
        words = [token.word for token in tokens]
        outputs = [line_tokens(system.outputs[i]) for system in self.systems]
        return _Labelled(tokens, [(output, transform(words, [token.word for token in output])) for output in outputs])

    def written(self) -> list[int]:
        """Return the numbers of the lines that are not blank throughout."""
        return [i for i in range(len(self.sources)) if any(map(str.strip, self.all_of(i)))]


def _sample(texts: _Texts, written: Sequence[int], settings: Settings) -> dict[int, _Labelled]:
    """Label all of these lines, or as many random ones as a report may hold, in order: {number from 0: labels}."""
    drawn = np.random.default_rng(settings.seed).permutation(len(written))[: settings.max_sentences]
    order = [written[k] for k in drawn.tolist()]
    text_sizes = np.cumsum([texts.size(i) for i in order])
    fitting_texts = int(np.searchsorted(text_sizes, settings.max_bytes, side="right"))
    labelled: dict[int, _Labelled] = {}
    other_size = 0
    for i, text_size in zip(order[: max(fitting_texts, 1)], text_sizes.tolist(), strict=False):
        line = texts.label(i)
        other_size += line.size(len(settings.metrics)) + texts.rules_size(i)
        if labelled and text_size + other_size > _WITH_LABELS * settings.max_bytes:
            break
        labelled[i] = line
    return dict(sorted(labelled.items()))


def _build(scored: _Texts, places: Ints, sample: Mapping[int, _Labelled], total: int, settings: Settings) -> Report:
    """Report on the lines at these places, which are those of the sample; metrics count all lines."""
    baseline = settings.baseline or scored.systems[0].name
    # Metrics see blank lines and references: some count them.
    scores = Scores(settings.metrics, scored.sources, scored.references, scored.outputs())
    texts = scored.of(places.tolist())
    references = [counted_references(lines, "absent") for lines in texts.references]
    values = _qualities(texts.sources, references, texts.outputs())
    sentences = _sentences(texts, references, sample, values)
    transformed = {
        system.name: [sentence.outputs[k].words for sentence in sentences] for k, system in enumerate(texts.systems)
    }
    to_references = [_references(sentence) for sentence in sentences]
    compared = {**transformed, SOURCE: [_unchanged(sentence) for sentence in sentences]} if all(to_references) else {}
    if REFERENCES in values:
        transformed[REFERENCES] = list(chain.from_iterable(to_references))
    return Report(
        settings=settings,
        total=total,
        blank=len(scored.sources) - len(sentences),
        systems=list(texts.systems),
        baseline=baseline,
        scores=scores,
        rows=[row.at(places) for row in scores.summary(baseline, settings.seed, settings.samples, settings.holm)],
        buckets=scores.buckets([len(sentence.tokens) for sentence in sentences], places),
        features={
            feature: {name: float(by_feature[feature].mean()) for name, by_feature in values.items()}
            for feature in FEATURES
        },
        feature_values=values,
        labels={name: shares(words) for name, words in transformed.items()},
        agreements={name: agreement(words, to_references) for name, words in compared.items()},
        sentences=sentences,
        lone=sum(len(counted_references(lines, "absent")) < 2 for lines in scored.references),
    )


def _sentences(
    texts: _Texts,
    references: Sequence[list[str]],
    sample: Mapping[int, _Labelled],
    values: Mapping[str, Mapping[str, Floats]],
) -> list[Sentence]:
    """Return the lines of the sample, which `texts` has in its order; `values` are those of `_qualities`."""
    splits = [values[system.name]["split"] for system in texts.systems]
    sentences = []
    for k, (number, line) in enumerate(sample.items()):
        source = texts.sources[k]
        outputs = [
            _output(source, system.outputs[k], *labelled, split[k])
            for system, labelled, split in zip(texts.systems, line.outputs, splits, strict=True)
        ]
        sentences.append(Sentence(number + 1, source, references[k], line.tokens, outputs))
    return sentences


def _qualities(
    sources: Sequence[str], references: Sequence[Sequence[str]], outputs: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, Floats]]:
    """Return each feature of each system's outputs and of all references, if any: {name: {feature: [n]}}.

    They are computed together because lines share most of their words.
    """
    pairs = {name: list(zip(sources, lines, strict=True)) for name, lines in outputs.items()}
    reference_pairs = [(source, line) for source, lines in zip(sources, references, strict=True) for line in lines]
    pairs |= {REFERENCES: reference_pairs} if reference_pairs else {}
    all_sources, all_outputs = zip(*chain.from_iterable(pairs.values()), strict=True)
    features = quality(all_sources, all_outputs)
    ends = np.cumsum([len(members) for members in pairs.values()])[:-1]
    parts = {feature: np.split(values, ends) for feature, values in features.items()}
    return {name: {feature: parts[feature][k] for feature in parts} for k, name in enumerate(pairs)}


def _unchanged(sentence: Sentence) -> Transformed:
    words = [token.word for token in sentence.tokens]
    return transform(words, words)


def _references(sentence: Sentence) -> list[Transformed]:
    source = [token.word for token in sentence.tokens]
    by_line = {line: transform(source, line_words(line)) for line in dict.fromkeys(sentence.references)}
    return [by_line[line] for line in sentence.references]


def _output(source: str, line: str, tokens: list[Token], words: Transformed, split: float) -> Output:
    """Return an output with its kinds of change; `split` is 1 where it has more sentences than the source."""
    changes = kinds(words) | ({SPLIT} if split else set())
    whole = UNCHANGED if line.split() == source.split() else TYPOGRAPHY
    return Output(line, tokens, words, changes or frozenset({whole}))
