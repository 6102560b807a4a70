"""Ranked candidates of a model for a word or phrase with their scores, as in the paper's Table 3."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from sbmt.arguments import check_kind
from sbmt.baselines.pbmt_r import Dissimilar
from sbmt.decoder.base import ForestDecoder
from sbmt.decoder.decoder import Decoder
from sbmt.decoder.feature_checks import rule_column
from sbmt.decoder.features import RuleFeature, RuleTable
from sbmt.errors import SbmtError
from sbmt.features.sentence.application import PASS_THROUGH_OWNER, PASSED
from sbmt.lm.model import LanguageModel
from sbmt.lm.symbols import Symbol
from sbmt.model import Model
from sbmt.ppdb.frames import Frame, frames
from sbmt.ppdb.packed import blaming_damage
from sbmt.ppdb.rule import Rule, is_gap, rule_text
from sbmt.text.glossary import NO_GLOSSARY, is_refused
from sbmt.text.glossary_lines import read_glossary
from sbmt.text.tokens import phrase_tokens

Features = dict[str, float]


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way to write a phrase: a rule for all of it, the copy, or a rule for it in a context (`sbmt.ppdb.frames`).

    `score` is the sum of weight x value over `features`, zeros left out. Language models see the target alone,
    without a sentence around it, and features that depend on the sentence are left out. If the rule has words around
    the phrase, the score and features of copying those words are subtracted, so that all candidates can be compared.
    `replacement` is what replaces the phrase. Rules of one label with the same replacement in several contexts are one
    candidate, the best of them; `others` counts the rest. `refused`: the model's glossary forbids it.
    """

    source: str
    target: str
    lhs: str
    score: float
    features: Features = field(hash=False)
    replacement: str
    others: int = 0
    refused: bool = False

    @property
    def rule(self) -> str:
        """The rule in the format of grammars, without its features."""
        return rule_text(self.lhs, self.source, self.target)

    @property
    def key(self) -> tuple[str, str, bool]:
        """Replacement, label, and whether there is a context: equal for equivalent candidates of different models."""
        return self.replacement, self.lhs, self.replacement != self.target

    def __str__(self) -> str:
        text = f"{self.replacement or '(nothing)'}  [{self.lhs}]"
        if self.replacement != self.target:
            text += f"  {self.source} -> {self.target}"
        if self.source == self.target:
            text += "  (copy)"
        return text + (f"  (and {self.others} more like it)" if self.others else "")


@dataclass(frozen=True, slots=True)
class Ranking:
    """The candidates of one model for a phrase, best first.

    `wanted` is what the model's glossary writes in place of all of them, or "".
    """

    model: str
    phrase: str
    candidates: list[Candidate]
    weights: Mapping[str, float]
    wanted: str = ""

    def best(self, top: int) -> list[tuple[int, Candidate]]:
        """Return the first `top` candidates with their ranks, followed by the best copy if it is not among them."""
        placed = list(enumerate(self.candidates, 1))
        copies = [pair for pair in placed if pair[1].source == pair[1].target]
        return placed[:top] + [pair for pair in copies[:1] if pair[0] > top]

    def parts(self, candidate: Candidate) -> dict[str, float]:
        """Return weight x value of a candidate's features, largest first, without those of weight 0."""
        weigh = self.weights.get
        parts = {name: weigh(name, 0.0) * value for name, value in candidate.features.items() if weigh(name)}
        return dict(sorted(parts.items(), key=lambda part: -abs(part[1])))


class _Output(NamedTuple):
    """What is written for a whole phrase under a label, and the numbers of the applications that write it."""

    target: tuple[str, ...]
    label: str
    applications: list[int]


class Inspector:
    """Ranks the candidates of one model for phrases."""

    def __init__(self, model: Model) -> None:
        """Loads the model; raises SbmtError unless its kind is "scfg", "phrase" or "pbmt-r"."""
        check_kind("model", model, Model)
        decoder, kind = model.translator(), model.config.decoder.kind
        if isinstance(decoder, Dissimilar):  # it re-ranks whole sentences
            decoder = decoder.decoder
        if not isinstance(decoder, ForestDecoder):
            shown = "of models of kind 'scfg', 'phrase' and 'pbmt-r'"
            raise SbmtError(f"{model.folder}: rules are shown {shown}, not {kind!r}")
        self.decoder, self.lowercase = decoder, model.config.text.lowercase
        glossary = model.config.text.glossary
        self._glossary = read_glossary(model.file(glossary)) if glossary else NO_GLOSSARY

    def rank(self, phrase: str, name: str) -> Ranking:
        """Return the candidates for a phrase with the weights behind their scores; `name` is the model's."""
        with blaming_damage(self.decoder.grammars):
            candidates, wanted = self.candidates(phrase), self._with_glossary(phrase)
            return Ranking(name, phrase, candidates, dict(self.decoder.weights), wanted)

    def candidates(self, phrase: str) -> list[Candidate]:
        """Return all candidates for a phrase, tokenised like text, best first; phrase tables have none in a context.

        Raises SbmtError for a phrase without words.
        """
        check_kind("phrase", phrase, str)
        words = tuple(token.word for token in phrase_tokens(phrase, self.lowercase))
        if not words:
            raise SbmtError(f"the phrase {phrase!r} has no words")
        ranked = self._whole_phrase(words)
        if isinstance(self.decoder, Decoder):  # only there does copying cost the same in any context
            ranked += self._in_contexts(words)
        return sorted(
            ranked, key=lambda candidate: (-candidate.score, candidate.replacement, candidate.lhs, candidate.source)
        )

    def _with_glossary(self, phrase: str) -> str:
        """Return a phrase with its terms replaced as the glossary says; "" if it has none."""
        tokens = phrase_tokens(phrase)
        words, end = [], 0
        for span in self._glossary.spans(tokens):
            kept = tokens[end : span.i] if span.target else tokens[end : span.j]
            words += [*(token.text for token in kept), *(span.target or ())]
            end = span.j
        return " ".join([*words, *(token.text for token in tokens[end:])]) if end else ""

    def _whole_phrase(self, words: tuple[str, ...]) -> list[Candidate]:
        """Return the copy and the rules for the whole phrase."""
        forest, settings = self.decoder.parse(words), self.decoder.parse_settings
        rules: list[_Output] = []
        copied_words: dict[str, list[int]] = defaultdict(list)  # label -> applications, one per word
        for number, application in enumerate(forest.applications):
            if application.rule_id == PASSED and application.grammar < 0:
                copied_words[application.label].append(number)
            elif application.span == (0, len(words)) and not application.arity and application.label != settings.goal:
                rules.append(_Output(tuple(map(str, application.target)), application.label, [number]))
        whole = [(label, numbers) for label, numbers in copied_words.items() if len(numbers) == len(words)]
        copies = [_Output(words, label, numbers) for label, numbers in whole]
        # As for rules in a context, features that depend on the sentence are left out.
        places, feature, value = forest.application_entries
        features = replace(forest, application_entries=(places[:0], feature[:0], value[:0])).values()
        outputs = sorted([*copies, *rules], key=lambda output: output.label != settings.default_label)
        best: dict[float | tuple[tuple[str, ...], str], Candidate] = {}  # by score (copies), or target and label
        for target, label, numbers in outputs:
            values = _sum([*(features[number] for number in numbers), self._lm_scores([target])])
            candidate = self._candidate(words, target, label, values, target)
            # Copies of one score are the same under any label: keep one, under the default label if possible.
            key = candidate.score if target == words else (target, label)
            if key not in best or candidate.score > best[key].score:
                best[key] = candidate
        return list(best.values())

    def _in_contexts(self, words: tuple[str, ...]) -> list[Candidate]:
        """Return the best rule of each label for each replacement in a context."""
        found_frames = [
            (n, frame) for n, grammar in enumerate(self.decoder.grammars) for frame in frames(grammar, words)
        ]
        copy_penalties, *rule_penalties = self._penalties(found_frames)
        copy = self._lm_scores([words])
        best: dict[tuple[str, str, bool], Candidate] = {}
        for (_, frame), penalties in zip(found_frames, rule_penalties, strict=True):
            rule = frame.rule
            pieces = _pieces(rule.source)
            n_context = sum(map(len, pieces)) - len(words)
            context_copy = _sum(
                [{name: n_context * value for name, value in copy_penalties.items()}, self._lm_scores(pieces)]
            )
            features = _sum(
                [rule.features, penalties, self._lm_scores(_pieces(rule.target)), copy], subtracted=context_copy
            )
            candidate = self._candidate(rule.source, rule.target, rule.lhs, features, frame.replacement)
            previous = best.get(candidate.key)
            if previous is None:
                best[candidate.key] = candidate
            else:
                better = max(previous, candidate, key=lambda candidate: candidate.score)
                best[candidate.key] = replace(better, others=previous.others + 1)
        return list(best.values())

    def _penalties(self, found_frames: Sequence[tuple[int, Frame]]) -> list[Features]:
        """Return the decoder's penalties for a copied word, then for the rule of each frame of a numbered grammar."""
        rules = [frame.rule for _, frame in found_frames]
        default = self.decoder.parse_settings.default_label
        labels = {label: number for number, label in enumerate(dict.fromkeys([default, *(rule.lhs for rule in rules)]))}
        targets = [("",), *(_symbols(rule) for rule in rules)]
        arity = [sum(isinstance(symbol, int) for symbol in target) for target in targets]
        table = RuleTable(
            grammar=[-1, *(number for number, _ in found_frames)],
            rule_id=[PASSED, *(frame.rule_id for _, frame in found_frames)],
            head=[labels[default], *(labels[rule.lhs] for rule in rules)],
            arity=arity,
            target=targets,
            words=np.array([len(target) for target in targets]) - np.array(arity),
            labels={number: label for label, number in labels.items()},
        )
        owners = [*(grammar.owner for grammar in self.decoder.grammars), PASS_THROUGH_OWNER]
        columns = [rule_column(f, table, owners) for f in self.decoder.feature_functions if isinstance(f, RuleFeature)]
        return [{name: float(column[row]) for name, column in columns} for row in range(len(targets))]

    def _lm_scores(self, pieces: Sequence[Sequence[str]]) -> Features:
        """Return the scores of all language models, summed over pieces that are scored separately."""
        return {
            model.name: sum(model.score(piece, begin=False, end=False) for piece in pieces)
            for model in self.decoder.language_models
            if isinstance(model, LanguageModel)
        }

    def _candidate(
        self, source: Sequence[str], target: Sequence[str], label: str, features: Features, replacement: Sequence[str]
    ) -> Candidate:
        present = {name: value for name, value in features.items() if value}
        score = sum(self.decoder.weights.get(name, 0.0) * value for name, value in present.items())
        refused = any(is_refused(pair, tuple(source), tuple(target)) for pair in self._glossary.refused)
        return Candidate(
            " ".join(source), " ".join(target), label, score, present, " ".join(replacement), refused=refused
        )


def _sum(parts: Iterable[Mapping[str, float]], *, subtracted: Mapping[str, float] = MappingProxyType({})) -> Features:
    """Return the sum of features by name, minus those in `subtracted`."""
    total: Features = defaultdict(float)
    for part in parts:
        for name, value in part.items():
            total[name] += value
    for name, value in subtracted.items():
        total[name] -= value
    return total


def _pieces(side: Sequence[str]) -> list[list[str]]:
    """Return the words between the gaps of a side."""
    pieces: list[list[str]] = [[]]
    for symbol in side:
        if is_gap(symbol):
            pieces.append([])
        else:
            pieces[-1].append(symbol)
    return [piece for piece in pieces if piece]


def _symbols(rule: Rule) -> tuple[Symbol, ...]:
    """Return the target side as feature functions see it."""
    source_gaps = [symbol for symbol in rule.source if is_gap(symbol)]
    return tuple(source_gaps.index(symbol) if is_gap(symbol) else symbol for symbol in rule.target)
