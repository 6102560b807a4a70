"""Baselines without search: identity, truncate, frequency. All three obey constraints."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from sbmt.baselines.settings import FrequencySettings, IdentitySettings, TruncateSettings
from sbmt.decoder.hypothesis import Constraint, Hypothesis, Step, check_constraints, check_words
from sbmt.features.sentence.application import CONSTRAINT_OWNER, PASS_THROUGH_OWNER
from sbmt.model import Model
from sbmt.ppdb.formats import read_rules
from sbmt.ppdb.rule import DEFAULT_LABEL, Rule, is_gap
from sbmt.text.words.english import SENTENCE_ENDS
from sbmt.text.words.frequency import zipf

SYNONYM = "synonym"  # owner of replacements


class Identity:
    """Returns the sentence."""

    def translate(
        self, words: Sequence[str], nbest: int = 1, constraints: Sequence[Constraint] = ()
    ) -> list[Hypothesis]:
        """Return one hypothesis, whatever `nbest` is."""
        return [_hypothesis(_pieces(words, constraints), words)]


class Truncate:
    """Keeps the beginning: surprisingly hard to beat on readability formulas."""

    def __init__(self, share: float) -> None:
        self._share = Fraction(str(share))  # 100 x 0.55 is 55.00000000000001

    def translate(
        self, words: Sequence[str], nbest: int = 1, constraints: Sequence[Constraint] = ()
    ) -> list[Hypothesis]:
        """Return one hypothesis, whatever `nbest` is."""
        end = math.ceil(len(words) * self._share)
        kept = []
        for span, target, owner in _pieces(words, constraints):
            stop = span[1] == len(words) and words[span[0]] in SENTENCE_ENDS
            stays = span[0] < end or owner == CONSTRAINT_OWNER or stop
            kept.append((span, target if stays else (), owner))
        return [_hypothesis(kept)]


class Frequency:
    """Replaces each rare word by its most frequent listed synonym, if that is more frequent (Zipf scale)."""

    def __init__(self, synonyms: Mapping[str, str], rare: float) -> None:
        """Use `synonyms`, the most frequent one of each word, for words below the frequency `rare`."""
        self._synonyms, self._rare = synonyms, rare

    def translate(
        self, words: Sequence[str], nbest: int = 1, constraints: Sequence[Constraint] = ()
    ) -> list[Hypothesis]:
        """Return one hypothesis, whatever `nbest` is."""
        pieces: list[Piece] = []
        for span, target, owner in _pieces(words, constraints):
            word = words[span[0]]
            if owner != CONSTRAINT_OWNER and word in self._synonyms and zipf(word) < self._rare:
                pieces.append((span, (self._synonyms[word],), SYNONYM))
            else:
                pieces.append((span, target, owner))
        return [_hypothesis(pieces, words)]


def most_frequent_synonyms(rules: Iterable[Rule]) -> dict[str, str]:
    """Return the most frequent one-word synonym of each word for which rules have a more frequent one.

    Ties are broken alphabetically.
    """
    best: dict[str, tuple[float, str]] = {}
    for rule in rules:
        if len(rule.source) == len(rule.target) == 1 and not is_gap(rule.source[0]):
            word, synonym = rule.source[0], rule.target[0]
            candidate = (-zipf(synonym), synonym)
            if candidate < best.get(word, (-zipf(word), "")):
                best[word] = candidate
    return {word: synonym for word, (_, synonym) in best.items()}


Piece = tuple[tuple[int, int], tuple[str, ...], str]  # span, its target, owner


def _pieces(words: Sequence[str], constraints: Sequence[Constraint]) -> Iterator[Piece]:
    """Yield the spans of constraints with their targets, and every other word by itself."""
    check_words(words)
    end = 0
    for constraint in [*check_constraints(constraints, len(words)), Constraint(len(words), len(words))]:
        yield from (((i, i + 1), (words[i],), PASS_THROUGH_OWNER) for i in range(end, constraint.i))
        if constraint.j > constraint.i:
            span_words = tuple(words[constraint.i : constraint.j])
            target = span_words if constraint.target is None else constraint.target
            yield (constraint.i, constraint.j), target, CONSTRAINT_OWNER
        end = constraint.j


def _hypothesis(pieces: Iterable[Piece], words: Sequence[str] = ()) -> Hypothesis:
    """Return the concatenated targets; with the source `words` also a derivation, one rule per piece."""
    output: list[str] = []
    steps = []
    for (i, j), target, owner in pieces:
        if words:
            rule = Rule(DEFAULT_LABEL, tuple(words[i:j]), target)
            aligned = tuple((i + k, len(output) + k) for k in range(min(j - i, len(target))))
            target_span = (len(output), len(output) + len(target))
            steps.append(Step(rule, owner, (i, j), target_span, 0.0, aligned))
        output += target
    return Hypothesis(tuple(output), 0.0, derivation=steps)


def identity(model: Model) -> Identity:
    """Return the translator of a bundle of kind "identity"."""
    model.settings(IdentitySettings)
    return Identity()


def truncate(model: Model) -> Truncate:
    """Return the translator of a bundle of kind "truncate"."""
    return Truncate(model.settings(TruncateSettings).share)


def frequency(model: Model) -> Frequency:
    """Return the translator of a bundle of kind "frequency"; its grammars are lists of synonyms."""
    rules = (rule for entry in model.config.grammars for rule in read_rules(model.file(entry.path), entry.owner))
    return Frequency(most_frequent_synonyms(rules), model.settings(FrequencySettings).rare)
