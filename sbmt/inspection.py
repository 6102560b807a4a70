"""What a model would put for a word or phrase, and why: the ranking of the paper's Table 3."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

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
    `replacement` is what replaces the phrase. Rules of one label that put the same in several contexts are one
    candidate, the best of them; `others` counts the rest. `refused`: the model's glossary never writes it.
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
        """The rule as grammars have it, without its features."""
        return rule_text(self.lhs, self.source, self.target)

    @property
    def key(self) -> tuple[str, str, bool]:
        """What another model's candidate that puts the same has in common: words, label, in a context or not."""
        return self.replacement, self.lhs, self.replacement != self.target

    def __str__(self) -> str:
        shown = f"{self.replacement or '(nothing)'}  [{self.lhs}]"
        if self.replacement != self.target:
            shown += f"  {self.source} -> {self.target}"
        if self.source == self.target:
            shown += "  (copy)"
        return shown + (f"  (and {self.others} more like it)" if self.others else "")


@dataclass(frozen=True, slots=True)
class Ranking:
    """What one model puts for one phrase, best first; `wanted`: what its glossary has in place of all these, or ""."""

    model: str
    phrase: str
    candidates: list[Candidate]
    weights: Mapping[str, float]
    wanted: str = ""

    def best(self, top: int) -> list[tuple[int, Candidate]]:
        """The first `top` with their places; the best copy follows them if it is not among them."""
        placed = list(enumerate(self.candidates, 1))
        copies = [pair for pair in placed if pair[1].source == pair[1].target]
        return placed[:top] + [pair for pair in copies[:1] if pair[0] > top]

    def parts(self, candidate: Candidate) -> dict[str, float]:
        """Weight x value of a candidate's features, largest first, without those that weigh nothing."""
        weigh = self.weights.get
        parts = {name: weigh(name, 0.0) * value for name, value in candidate.features.items() if weigh(name)}
        return dict(sorted(parts.items(), key=lambda part: -abs(part[1])))


class Inspector:
    """Ranks what one model would put."""

    def __init__(self, model: Model) -> None:
        """Loads the model; raises SbmtError for one whose kind is none of "scfg", "phrase" and "pbmt-r"."""
        check_kind("model", model, Model)
        decoder, kind = model.translator(), model.config.decoder.kind
        if isinstance(decoder, Dissimilar):  # what it re-ranks are sentences
            decoder = decoder.decoder
        if not isinstance(decoder, ForestDecoder):
            shown = "of models of kind 'scfg', 'phrase' and 'pbmt-r'"
            raise SbmtError(f"{model.folder}: rules are shown {shown}, not {kind!r}")
        self.decoder, self.lowercase = decoder, model.config.text.lowercase
        glossary = model.config.text.glossary
        self._glossary = read_glossary(model.file(glossary)) if glossary else NO_GLOSSARY

    def rank(self, phrase: str, name: str) -> Ranking:
        """The candidates for a phrase, with the weights behind their scores; `name`: the model's."""
        with blaming_damage(self.decoder.grammars):
            return Ranking(name, phrase, self.candidates(phrase), dict(self.decoder.weights), self._wanted(phrase))

    def candidates(self, phrase: str) -> list[Candidate]:
        """All candidates for a phrase, tokenised as text is, best first; of phrase tables those for all of it.

        Raises SbmtError for a phrase without words.
        """
        check_kind("phrase", phrase, str)
        words = tuple(token.word for token in phrase_tokens(phrase, self.lowercase))
        if not words:
            raise SbmtError(f"the phrase {phrase!r} has no words")
        found = self._whole(words)
        if isinstance(self.decoder, Decoder):  # where copying the context costs the same whatever the context is
            found += self._in_contexts(words)
        return sorted(
            found, key=lambda candidate: (-candidate.score, candidate.replacement, candidate.lhs, candidate.source)
        )

    def _wanted(self, phrase: str) -> str:
        """A phrase with what the glossary wants for the terms in it; "" if it has none."""
        tokens = phrase_tokens(phrase)
        words, end = [], 0
        for span in self._glossary.spans(tokens):
            kept = tokens[end : span.i] if span.target else tokens[end : span.j]
            words += [*(token.text for token in kept), *(span.target or ())]
            end = span.j
        return " ".join([*words, *(token.text for token in tokens[end:])]) if end else ""

    def _whole(self, words: tuple[str, ...]) -> list[Candidate]:
        """The copy and the rules for the whole phrase."""
        forest, settings = self.decoder.parse(words), self.decoder.parsing
        rules: list[tuple[tuple[tuple[str, ...], str], list[int]]] = []  # output and label; applications, here one
        passed: dict[str, list[int]] = defaultdict(list)  # label -> applications: the copy is made word by word
        for number, application in enumerate(forest.applications):
            if application.rule_id == PASSED and application.grammar < 0:
                passed[application.label].append(number)
            elif application.span == (0, len(words)) and not application.arity and application.label != settings.goal:
                rules.append(((tuple(map(str, application.target)), application.label), [number]))
        copies = [((words, label), numbers) for label, numbers in passed.items() if len(numbers) == len(words)]
        # As for rules in a context, nothing is added that depends on the sentence, which a phrase is not.
        places, feature, value = forest.application_entries
        features = replace(forest, application_entries=(places[:0], feature[:0], value[:0])).values()
        found: dict[object, Candidate] = {}
        for (target, label), numbers in sorted([*copies, *rules], key=lambda way: way[0][1] != settings.default_label):
            values = _sum([*(features[number] for number in numbers), self._language_models([target])])
            made = self._candidate(words, target, label, values, target)
            # To copy is the same under any label: said once, under the default label if that is one of them.
            key = made.score if target == words else (target, label)
            if key not in found or made.score > found[key].score:
                found[key] = made
        return list(found.values())

    def _in_contexts(self, words: tuple[str, ...]) -> list[Candidate]:
        """The best rule of each label for each thing that is put in a context."""
        found = [(n, frame) for n, grammar in enumerate(self.decoder.grammars) for frame in frames(grammar, words)]
        copied, *values = self._penalties(found)
        copy = self._language_models([words])
        best: dict[tuple[str, str, bool], Candidate] = {}
        for (_, frame), own in zip(found, values, strict=True):
            rule = frame.rule
            pieces = _pieces(rule.source)
            more = sum(map(len, pieces)) - len(words)
            copying = _sum([{name: more * value for name, value in copied.items()}, self._language_models(pieces)])
            total = _sum([rule.features, own, self._language_models(_pieces(rule.target)), copy], less=copying)
            made = self._candidate(rule.source, rule.target, rule.lhs, total, frame.replacement)
            before = best.get(made.key)
            if before is None:
                best[made.key] = made
            else:
                better = max(before, made, key=lambda candidate: candidate.score)
                best[made.key] = replace(better, others=before.others + 1)
        return list(best.values())

    def _penalties(self, found: Sequence[tuple[int, Frame]]) -> list[Features]:
        """What the decoder adds to a word that is copied and to each of these rules of numbered grammars."""
        rules = [frame.rule for _, frame in found]
        default = self.decoder.parsing.default_label
        labels = {label: number for number, label in enumerate(dict.fromkeys([default, *(rule.lhs for rule in rules)]))}
        targets = [("",), *(_symbols(rule) for rule in rules)]
        arity = [sum(isinstance(symbol, int) for symbol in target) for target in targets]
        table = RuleTable(
            grammar=[-1, *(number for number, _ in found)],
            rule_id=[PASSED, *(frame.rule_id for _, frame in found)],
            head=[labels[default], *(labels[rule.lhs] for rule in rules)],
            arity=arity,
            target=targets,
            words=np.array([len(target) for target in targets]) - np.array(arity),
            labels={number: label for label, number in labels.items()},
        )
        owners = [*(grammar.owner for grammar in self.decoder.grammars), PASS_THROUGH_OWNER]
        columns = [rule_column(f, table, owners) for f in self.decoder.feature_functions if isinstance(f, RuleFeature)]
        return [{name: float(column[row]) for name, column in columns} for row in range(len(targets))]

    def _language_models(self, pieces: Sequence[Sequence[str]]) -> Features:
        """The language models' values of some words, each piece by itself."""
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


def _sum(parts: Iterable[Mapping[str, float]], *, less: Mapping[str, float] = MappingProxyType({})) -> Features:
    """The sum of features by name, and what is `less`."""
    total: Features = defaultdict(float)
    for part in parts:
        for name, value in part.items():
            total[name] += value
    for name, value in less.items():
        total[name] -= value
    return total


def _pieces(side: Sequence[str]) -> list[list[str]]:
    """The words of a side, cut where it has gaps."""
    pieces: list[list[str]] = [[]]
    for symbol in side:
        if is_gap(symbol):
            pieces.append([])
        else:
            pieces[-1].append(symbol)
    return [piece for piece in pieces if piece]


def _symbols(rule: Rule) -> tuple[Symbol, ...]:
    """The target side as feature functions see it."""
    gaps = [symbol for symbol in rule.source if is_gap(symbol)]
    return tuple(gaps.index(symbol) if is_gap(symbol) else symbol for symbol in rule.target)
