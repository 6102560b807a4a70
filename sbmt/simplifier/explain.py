"""Why a change was made: its score split by feature, and what else could have been there.

Exact, not from an n-best list: the forest holds every rule for the place, and replacing a rule changes the sentence's
score by the difference of the two rules' scores and of the language models' scores. (For the copy in place of a rule
with gaps this leaves out features of glue rules, which have none by default.)
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
    """The output that fills a gap, and the source span and label of what wrote it."""

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
        self._total = {f.name: f.score(hypothesis.words) for f in self._stateful}
        self._word_scores = {
            f.name: f.word_scores(hypothesis.words) for f in self._stateful if isinstance(f, LanguageModel)
        }
        self._applications = list(forest.applications)
        self._goal = forest.rules.labels.get(forest.goal_label, "")
        self._scores = forest.scores(decoder.weights)
        self._at: dict[tuple[int, int], list[int]] = {}
        for number, application in enumerate(self._applications):
            self._at.setdefault(application.span, []).append(number)
        self._values = forest.values()
        _, self._writer = innermost(steps, len(forest.sentence), len(hypothesis.words))

    def features(self, number: int) -> dict[str, float]:
        """weight x value of each feature with a weight: of a step's rule, and of the words that it wrote itself."""
        step = self._steps[number]
        values = self._values[step.application] if step.application >= 0 else {}
        parts = {name: value * self._weights.get(name, 0.0) for name, value in values.items()}
        for name, scores in self._word_scores.items():
            own = sum(scores[t] for t in range(*step.target_span) if self._writer[t] == number)
            parts[name] = own * self._weights[name]
        return {name: part for name, part in parts.items() if part}

    def alternatives(self, number: int, limit: int) -> list[tuple[Wording, float]]:
        """The best other wordings of a step, each with the sentence's model score."""
        step = self._steps[number]
        if step.owner == CONSTRAINT_OWNER:
            return []
        chosen = tuple(self._hypothesis.words[slice(*step.target_span)])
        best: dict[tuple[str, ...], tuple[Wording, float]] = {}
        fillings = self._fillings(number)
        for wording, score in chain(self._wordings(number, fillings), self._copying(number, fillings)):
            words = tuple(item.word for item in wording)
            if words != chosen and (words not in best or score > best[words][1]):
                best[words] = wording, score
        rated = [(wording, self._rescored(step, words, score)) for words, (wording, score) in best.items()]
        return sorted(rated, key=lambda item: -item[1])[:limit]

    def _wordings(self, number: int, fillings: Sequence[Filling]) -> Iterator[tuple[Wording, float]]:
        """What rules for the place of a step would write, with their own scores."""
        step = self._steps[number]
        own = _own(step, fillings)
        for rival in self._rivals(number):
            if self._values[rival].get(REFUSED):
                continue
            target = self._applications[rival].target
            made = (
                fillings[symbol].words if isinstance(symbol, int) else (OutputWord(symbol, None, own, span=step.span),)
                for symbol in target
                if symbol not in MARKS
            )
            yield tuple(chain.from_iterable(made)), self._scores[rival]

    def _copying(self, number: int, fillings: Sequence[Filling]) -> Iterator[tuple[Wording, float]]:
        """What is written there if the step's words are passed through, with their scores.

        They may be where glue takes them and what fills the step's gaps; a single word also in a gap of its label.
        """
        step, glued = self._steps[number], self._taken(number)
        copies = [self._copy(i, {*glued, (step.span, step.rule.lhs)}) for i in _own(step, fillings)]
        if None not in copies and all((filling.span, filling.label) in glued for filling in fillings):
            passed = [copy for copy in copies if copy is not None]
            gaps = (filling.words for filling in fillings)
            rest = ((self._copied(copy),) for copy in passed)
            source = (next(gaps if is_gap(symbol) else rest) for symbol in without_marks(step.rule.source))
            yield tuple(chain.from_iterable(source)), sum(self._scores[copy] for copy in passed)

    def _taken(self, number: int) -> set[tuple[tuple[int, int], str]]:
        """The spans and labels that glue takes, if it puts a step into the sentence; among phrases, those of all."""
        if self._has_phrases:
            return {(application.span, application.label) for application in self._applications}
        above = self._above(number)
        return self._glued if is_glue(above) and above.rule.lhs == self._goal else set()

    def _above(self, number: int) -> Step:
        """The innermost step around a step; itself, if there is none."""
        i, j = self._steps[number].span
        above = (step for step in reversed(self._steps[:number]) if step.span[0] <= i and j <= step.span[1])
        return next(above, self._steps[number])

    @cached_property
    def _glued(self) -> set[tuple[tuple[int, int], str]]:
        """The spans and labels of what rules of the goal put into the sentence."""
        forest = self._forest
        cubes, labels = forest.cubes, forest.rules.labels
        places = {item: (cell.span, label) for cell in forest.cells for label, item in cell.items.items()}
        glue = (cube for cube, rule in enumerate(cubes.first) if forest.rules.head[rule] == forest.goal_label)
        found = {places[tail] for cube in glue for tail in cubes.tails[cube]}
        return {(span, labels[label]) for span, label in found}

    def _rivals(self, number: int) -> Iterator[int]:
        """Applications that could stand in the place of a step: with the same gaps in the same places.

        They are of its label or, where it has no gaps and glue puts it into the sentence, of any that glue takes there.
        """
        step = self._steps[number]
        if not has_gaps(step):
            glued = self._taken(number)
            for rival in self._at.get(step.span, []):
                application = self._applications[rival]
                fits = application.label == step.rule.lhs or (step.span, application.label) in glued
                if fits and not application.arity and application.grammar >= 0:
                    yield rival
            return
        if step.application >= 0:
            cube, cubes = self._forest.cube_of(step.application), self._forest.cubes
            for rival in range(cubes.application[cube], cubes.application[cube] + cubes.count[cube]):
                if self._applications[rival].label == step.rule.lhs:
                    yield rival

    def _fillings(self, number: int) -> list[Filling]:
        """What fills the gaps of a step: the steps that do so follow it, each before those that fill its own gaps."""
        step, found = self._steps[number], list[Filling]()
        if not has_gaps(step):
            return found
        place = number + 1
        for _ in range(self._arity(number)):
            below = self._steps[place]
            found.append(Filling(below.span, below.rule.lhs, tuple(self._words[slice(*below.target_span)])))
            open_gaps = 1
            while open_gaps:
                open_gaps += self._arity(place) - 1
                place += 1
        return found

    def _arity(self, number: int) -> int:
        application = self._steps[number].application
        return 0 if application < 0 else self._applications[application].arity

    def _rescored(self, step: Step, target: Sequence[str], score: float) -> float:
        """Model score of the sentence with other words, of that rule score, in place of a step's."""
        a, b = step.target_span
        words = (*self._hypothesis.words[:a], *target, *self._hypothesis.words[b:])
        gained = (self._weights[f.name] * (f.score(words) - self._total[f.name]) for f in self._stateful)
        return self._hypothesis.score - step.score + score + sum(gained)

    def _copied(self, copy: int) -> OutputWord:
        (i, j), (word,) = self._applications[copy].span, self._applications[copy].target
        return OutputWord(str(word), i, (i,), span=(i, j))

    def _copy(self, i: int, taken: Set[tuple[tuple[int, int], str]]) -> int | None:
        """The application that passes one word through, if the forest has it where it is taken."""
        for number in self._at.get((i, i + 1), []):
            application = self._applications[number]
            if application.grammar < 0 and (application.span, application.label) in taken:
                return number
        return None


def _own(step: Step, fillings: Sequence[Filling]) -> tuple[int, ...]:
    """The source words of a step that are in none of its gaps."""
    inside = {i for filling in fillings for i in range(*filling.span)}
    return tuple(i for i in range(*step.span) if i not in inside)
