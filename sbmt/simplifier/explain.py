"""Explanations of changes: their scores by feature, and alternative wordings.

They are exact, not taken from an n-best list: the forest has all rules for a span, and replacing a rule changes the
score of the sentence by the difference of the two rule scores and of the language model scores. (For a copy in place
of a rule with gaps, features of glue rules are left out; by default they have none.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from sbmt.decoder.base import ForestDecoder
from sbmt.decoder.forest import Forest
from sbmt.decoder.hypothesis import Hypothesis, Step
from sbmt.decoder.phrase import PhraseDecoder
from sbmt.features.sentence.application import CONSTRAINT_OWNER
from sbmt.features.sentence.refused import REFUSED
from sbmt.lm.model import LanguageModel
from sbmt.lm.symbols import MARKS
from sbmt.ppdb.rule import is_gap
from sbmt.simplifier.output import has_gaps, innermost, is_glue, without_marks
from sbmt.text.realisation.output_word import OutputWord

Wording = tuple[OutputWord, ...]


class Filling(NamedTuple):
    """The output that fills a gap, with the source span and label of the step that wrote it."""

    span: tuple[int, int]
    label: str
    words: Wording


class Explainer:
    """Explains one hypothesis of one sentence; `words` are its output."""

    def __init__(
        self,
        decoder: ForestDecoder,
        forest: Forest,
        hypothesis: Hypothesis,
        steps: Sequence[Step],
        words: Sequence[OutputWord],
    ) -> None:
        self._forest, self._hypothesis, self._steps, self._words = forest, hypothesis, steps, words
        self._weights, self._has_phrases = decoder.weights, isinstance(decoder, PhraseDecoder)
        self._stateful = [f for f in decoder.language_models if decoder.weights.get(f.name)]
        self._lm_scores = {f.name: f.score(hypothesis.words) for f in self._stateful}
        self._word_scores = {
            f.name: f.word_scores(hypothesis.words) for f in self._stateful if isinstance(f, LanguageModel)
        }
        self._applications = list(forest.applications)
        self._goal = forest.rules.labels.get(forest.goal_label, "")
        self._scores = forest.scores(decoder.weights)
        self._applications_by_span: dict[tuple[int, int], list[int]] = {}
        for number, application in enumerate(self._applications):
            self._applications_by_span.setdefault(application.span, []).append(number)
        self._values = forest.values()
        _, self._step_of_word = innermost(steps, len(forest.sentence), len(hypothesis.words))

    def features(self, number: int) -> dict[str, float]:
        """Return weight x value of the weighted features of a step: of its rule, and of the words it wrote itself."""
        step = self._steps[number]
        values = self._values[step.application] if step.application >= 0 else {}
        contributions = {name: value * self._weights.get(name, 0.0) for name, value in values.items()}
        for name, scores in self._word_scores.items():
            lm_score = sum(scores[t] for t in range(*step.target_span) if self._step_of_word[t] == number)
            contributions[name] = lm_score * self._weights[name]
        return {name: contribution for name, contribution in contributions.items() if contribution}

    def alternatives(self, number: int, limit: int) -> list[tuple[Wording, float]]:
        """Return the best other wordings of a step, each with the model score of the sentence."""
        step = self._steps[number]
        if step.owner == CONSTRAINT_OWNER:
            return []
        chosen = tuple(self._hypothesis.words[slice(*step.target_span)])
        best: dict[tuple[str, ...], tuple[Wording, float]] = {}
        fillings = self._fillings(number)
        for wording, score in chain(self._rule_wordings(number, fillings), self._copy_wording(number, fillings)):
            words = tuple(item.word for item in wording)
            if words != chosen and (words not in best or score > best[words][1]):
                best[words] = wording, score
        rated = [(wording, self._rescored(step, words, score)) for words, (wording, score) in best.items()]
        return sorted(rated, key=lambda item: -item[1])[:limit]

    def _rule_wordings(self, number: int, fillings: Sequence[Filling]) -> Iterator[tuple[Wording, float]]:
        """Yield the wordings of other rules in place of a step, with the scores of the rules."""
        step = self._steps[number]
        own = _uncovered_words(step, fillings)
        for application in self._alternative_applications(number):
            if self._values[application].get(REFUSED):
                continue
            target = self._applications[application].target
            pieces = (
                fillings[symbol].words if isinstance(symbol, int) else (OutputWord(symbol, None, own, span=step.span),)
                for symbol in target
                if symbol not in MARKS
            )
            yield tuple(chain.from_iterable(pieces)), self._scores[application]

    def _copy_wording(self, number: int, fillings: Sequence[Filling]) -> Iterator[tuple[Wording, float]]:
        """Yield the wording in which a step's words are copied, with the score of the copies, if that is possible.

        It is if glue rules accept the copies and what fills the step's gaps; a single word may also fill a gap of its
        label.
        """
        step, glued_spans = self._steps[number], self._glued_spans(number)
        copy_spans = {*glued_spans, (step.span, step.rule.lhs)}
        copies = [self._copy_application(i, copy_spans) for i in _uncovered_words(step, fillings)]
        if None not in copies and all((filling.span, filling.label) in glued_spans for filling in fillings):
            applications = [copy for copy in copies if copy is not None]
            gaps = (filling.words for filling in fillings)
            copied_words = ((self._copied_word(copy),) for copy in applications)
            source = (next(gaps if is_gap(symbol) else copied_words) for symbol in without_marks(step.rule.source))
            yield tuple(chain.from_iterable(source)), sum(self._scores[copy] for copy in applications)

    def _glued_spans(self, number: int) -> set[tuple[tuple[int, int], str]]:
        """Return the spans and labels that glue rules accept, if one is around the step; for phrases, those of all."""
        if self._has_phrases:
            return {(application.span, application.label) for application in self._applications}
        parent = self._parent(number)
        return self._goal_spans if is_glue(parent) and parent.rule.lhs == self._goal else set()

    def _parent(self, number: int) -> Step:
        """Return the innermost step around a step; itself if there is none."""
        i, j = self._steps[number].span
        parents = (step for step in reversed(self._steps[:number]) if step.span[0] <= i and j <= step.span[1])
        return next(parents, self._steps[number])

    @cached_property
    def _goal_spans(self) -> set[tuple[tuple[int, int], str]]:
        """The spans and labels that fill gaps of rules of the goal."""
        forest = self._forest
        cubes, labels = forest.cubes, forest.rules.labels
        places = {item: (cell.span, label) for cell in forest.cells for label, item in cell.items.items()}
        glue = (cube for cube, rule in enumerate(cubes.first) if forest.rules.head[rule] == forest.goal_label)
        glued_places = {places[tail] for cube in glue for tail in cubes.tails[cube]}
        return {(span, labels[label]) for span, label in glued_places}

    def _alternative_applications(self, number: int) -> Iterator[int]:
        """Yield the applications that could replace a step: those with the same gaps in the same places.

        They have its label or, if it has no gaps and is under a glue rule, any label that glue rules accept there.
        """
        step = self._steps[number]
        if not has_gaps(step):
            glued_spans = self._glued_spans(number)
            for application in self._applications_by_span.get(step.span, []):
                candidate = self._applications[application]
                fits = candidate.label == step.rule.lhs or (step.span, candidate.label) in glued_spans
                if fits and not candidate.arity and candidate.grammar >= 0:
                    yield application
            return
        if step.application >= 0:
            cube, cubes = self._forest.cube_of(step.application), self._forest.cubes
            for application in range(cubes.application[cube], cubes.application[cube] + cubes.count[cube]):
                if self._applications[application].label == step.rule.lhs:
                    yield application

    def _fillings(self, number: int) -> list[Filling]:
        """Return what fills the gaps of a step: steps that follow it, each before those that fill its own gaps."""
        step, fillings = self._steps[number], list[Filling]()
        if not has_gaps(step):
            return fillings
        place = number + 1
        for _ in range(self._arity(number)):
            child = self._steps[place]
            fillings.append(Filling(child.span, child.rule.lhs, tuple(self._words[slice(*child.target_span)])))
            open_gaps = 1
            while open_gaps:
                open_gaps += self._arity(place) - 1
                place += 1
        return fillings

    def _arity(self, number: int) -> int:
        application = self._steps[number].application
        return 0 if application < 0 else self._applications[application].arity

    def _rescored(self, step: Step, target: Sequence[str], score: float) -> float:
        """Return the model score of the sentence with a step replaced by other words, whose rule score is `score`."""
        a, b = step.target_span
        words = (*self._hypothesis.words[:a], *target, *self._hypothesis.words[b:])
        lm_differences = (self._weights[f.name] * (f.score(words) - self._lm_scores[f.name]) for f in self._stateful)
        return self._hypothesis.score - step.score + score + sum(lm_differences)

    def _copied_word(self, copy: int) -> OutputWord:
        (i, j), (word,) = self._applications[copy].span, self._applications[copy].target
        return OutputWord(str(word), i, (i,), span=(i, j))

    def _copy_application(self, i: int, glued_spans: Set[tuple[tuple[int, int], str]]) -> int | None:
        """Return the application that copies word i with one of these spans and labels, if there is one."""
        for number in self._applications_by_span.get((i, i + 1), []):
            application = self._applications[number]
            if application.grammar < 0 and (application.span, application.label) in glued_spans:
                return number
        return None


def _uncovered_words(step: Step, fillings: Sequence[Filling]) -> tuple[int, ...]:
    """Return the source words of a step outside its gaps."""
    inside = {i for filling in fillings for i in range(*filling.span)}
    return tuple(i for i in range(*step.span) if i not in inside)
