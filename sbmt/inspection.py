"""What a model would put for a word or phrase, and why: the ranking of the paper's Table 3."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from sbmt.decoder.decoder import Decoder
from sbmt.errors import SbmtError
from sbmt.features.applications import PASSED
from sbmt.lm.model import LanguageModel
from sbmt.model import Model
from sbmt.text.whitespace import split_words


@dataclass(frozen=True, slots=True)
class Candidate:
    """A way to put a phrase: a rule for all of it, or the copy.

    `score` is the sum of weight x value over `features`, zeros left out. Language models see the target alone,
    without a sentence around it.
    """

    source: str
    target: str
    lhs: str
    score: float
    features: dict[str, float]

    def __str__(self) -> str:
        copy = "  (copy)" if self.source == self.target else ""
        return f"{self.target}  [{self.lhs}]{copy}"


@dataclass(frozen=True, slots=True)
class Ranking:
    """What one model puts for one phrase, best first."""

    model: str
    phrase: str
    candidates: list[Candidate]
    weights: Mapping[str, float]

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
        """Loads the model; raises SbmtError for one without a grammar to look into."""
        decoder = model.translator()
        if not isinstance(decoder, Decoder):
            raise SbmtError(f"{model.folder}: models of kind {model.config.decoder.kind!r} have no rules to show")
        self.decoder, self.lowercase = decoder, model.config.text.lowercase

    def rank(self, phrase: str, name: str) -> Ranking:
        """The candidates for a phrase, with the weights behind their scores; `name`: the model's."""
        return Ranking(name, phrase, self.candidates(phrase), dict(self.decoder.weights))

    def candidates(self, phrase: str) -> list[Candidate]:
        """All candidates for a phrase (white-space tokens), best first."""
        words = tuple(split_words(phrase.lower() if self.lowercase else phrase))
        forest = self.decoder.parse(words)
        ways: dict[tuple[tuple[str, ...], str], list[int]] = defaultdict(list)  # output and label -> applications
        for number, application in enumerate(forest.applications):
            if application.rule_id == PASSED and application.grammar < 0:
                ways[words, application.label].append(number)  # the copy is made word by word
            elif application.span == (0, len(words)) and not application.arity and application.label != self._goal:
                ways.setdefault((tuple(map(str, application.target)), application.label), [number])
        features = forest.values()
        found = [
            self._candidate(words, target, label, [features[number] for number in numbers])
            for (target, label), numbers in ways.items()
        ]
        return sorted(found, key=lambda candidate: (-candidate.score, candidate.target, candidate.lhs))

    @property
    def _goal(self) -> str:
        return self.decoder.settings.goal

    def _candidate(
        self, source: tuple[str, ...], target: tuple[str, ...], label: str, parts: list[dict[str, float]]
    ) -> Candidate:
        features: dict[str, float] = defaultdict(float)
        for part in parts:
            for name, value in part.items():
                features[name] += value
        for model in self.decoder.language_models:
            if isinstance(model, LanguageModel):
                features[model.name] = model.score(target, begin=False, end=False)
        present = {name: value for name, value in features.items() if value}
        score = sum(self.decoder.weights.get(name, 0.0) * value for name, value in present.items())
        return Candidate(" ".join(source), " ".join(target), label, score, present)
