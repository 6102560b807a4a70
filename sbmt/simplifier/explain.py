"""Why a change was made: its score split by feature, and what else could have stood there.

Exact, not from a n-best list: the forest holds every rule for the span, and the score of the sentence with another rule
in the same place differs by the two rules' scores and by what the language models say of the two sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sbmt.decoder.decoder import Decoder
from sbmt.decoder.forest import Forest
from sbmt.decoder.hypothesis import Hypothesis, Step
from sbmt.lm.model import LanguageModel
from sbmt.ppdb.rule import NONTERMINAL
from sbmt.simplifier.output import has_gaps, innermost


class Explainer:
    """Explains one hypothesis of one sentence."""

    def __init__(self, decoder: Decoder, forest: Forest, hypothesis: Hypothesis, steps: Sequence[Step]) -> None:
        self._forest, self._hypothesis = forest, hypothesis
        self._weights = decoder.weights
        self._stateful = [f for f in decoder.language_models if decoder.weights.get(f.name)]
        self._word_scores = {
            f.name: f.word_scores(hypothesis.words) for f in self._stateful if isinstance(f, LanguageModel)
        }
        self._scores = forest.scores(decoder.weights)
        self._at: dict[tuple[int, int], list[int]] = {}
        for number, application in enumerate(forest.applications):
            self._at.setdefault(application.span, []).append(number)
        self._values = _values(forest)
        self._total = {f.name: f.score(hypothesis.words) for f in self._stateful}
        _, self._writer = innermost(steps, len(forest.sentence), len(hypothesis.words))

    def features(self, step: Step, number: int) -> dict[str, float]:
        """weight x value of each feature with a weight: of the rule, and of the words that the step itself wrote."""
        application = self._application(step)
        parts = {} if application is None else dict(self._values[application])
        parts = {name: value * self._weights.get(name, 0.0) for name, value in parts.items()}
        for name, scores in self._word_scores.items():
            own = sum(scores[t] for t in range(*step.target_span) if self._writer[t] == number)
            parts[name] = own * self._weights[name]
        return {name: part for name, part in parts.items() if part}

    def alternatives(self, step: Step, limit: int, write: Callable[[tuple[str, ...]], str]) -> list[tuple[str, float]]:
        """The best other wordings of a step without gaps, as text and the sentence's model score."""
        if limit <= 0 or has_gaps(step):
            return []
        i, j = step.span
        chosen = self._hypothesis.words[slice(*step.target_span)]
        options: dict[tuple[str, ...], float] = {}
        for number in self._at.get(step.span, []):
            application = self._forest.applications[number]
            if not application.arity and (application.label == step.rule.lhs or application.grammar < 0):
                target = tuple(str(symbol) for symbol in application.target)
                options[target] = max(options.get(target, self._scores[number]), self._scores[number])
        copies = [self._copy(position) for position in range(i, j)]
        if None not in copies:
            words = tuple(self._forest.sentence[i:j])
            score = sum(copy for copy in copies if copy is not None)
            options[words] = max(options.get(words, score), score)
        options.pop(chosen, None)
        rated = [(target, self._rescored(step, target, score)) for target, score in options.items()]
        rated.sort(key=lambda item: (-item[1], item[0]))
        return [(write(target), score) for target, score in rated[:limit]]

    def _rescored(self, step: Step, target: tuple[str, ...], score: float) -> float:
        """Model score of the sentence with other words, of that rule score, in place of a step's."""
        a, b = step.target_span
        words = (*self._hypothesis.words[:a], *target, *self._hypothesis.words[b:])
        gained = sum(
            self._weights[feature.name] * (feature.score(words) - self._total[feature.name])
            for feature in self._stateful
        )
        return self._hypothesis.score - step.score + score + gained

    def _copy(self, position: int) -> float | None:
        """Score of passing one word through, if the forest has it."""
        for number in self._at.get((position, position + 1), []):
            if self._forest.applications[number].grammar < 0:
                return self._scores[number]
        return None

    def _application(self, step: Step) -> int | None:
        """The application in the forest that a step shows."""
        terminals = [symbol for symbol in step.rule.target if not NONTERMINAL.fullmatch(symbol)]
        for number in self._at.get(step.span, []):
            application = self._forest.applications[number]
            words = [symbol for symbol in application.target if isinstance(symbol, str)]
            same = application.owner == step.owner and application.label == step.rule.lhs and words == terminals
            if same and self._scores[number] == step.score:
                return number
        return None


def _values(forest: Forest) -> list[dict[str, float]]:
    """Feature values of every application."""
    values: list[dict[str, float]] = [{} for _ in forest.applications]
    for application, feature, value in zip(*(column.tolist() for column in forest.entries), strict=True):
        name = forest.feature_names[feature]
        values[application][name] = values[application].get(name, 0.0) + value
    return values
