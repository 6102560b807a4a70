"""One output of the decoder, written as text, and where each of its steps is in the source and in the output."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from sbmt.decoder.hypothesis import Hypothesis, Step
from sbmt.simplifier.output import output_words, steps_of
from sbmt.text.pipeline import Sentence
from sbmt.text.realise import OutputWord, opening, realise


class Rewritten:
    """A hypothesis of a sentence, written as text."""

    def __init__(self, sentence: Sentence, hypothesis: Hypothesis) -> None:
        self.sentence, self.hypothesis = sentence, hypothesis
        self.steps = steps_of(sentence, hypothesis)
        self.words = output_words(sentence, hypothesis, self.steps)
        self.made = realise(sentence, self.words)

    @property
    def shown(self) -> str:
        """How an n-best list has it: text, or the decoder's own tokens where the input was tokenised."""
        return self.hypothesis.text if self.sentence.tokenized else self.made.text

    def spans(self, step: Step) -> tuple[tuple[int, int], tuple[int, int]]:
        """Characters of a step in the source and in the output, with an article or clitic altered beside it."""
        i, j, a, b = self._extent(step)
        source = _characters([(token.start, token.end) for token in self.sentence.tokens], i, j)
        return source, _characters(self.made.spans, a, b)

    @cached_property
    def _opening(self) -> set[int]:
        return opening(self.sentence, self.words)

    def _extent(self, step: Step) -> tuple[int, int, int, int]:
        """Those words: from i to j in the source, from a to b in the output."""
        (i, j), (a, b) = step.span, step.target_span
        before = next((t for t in range(a - 1, -1, -1) if t not in self._opening), -1)
        if before in self.made.articles and self.words[before].copied == i - a + before:
            i, a = i - a + before, before
        if b in self.made.clitics and self.words[b].copied == j:
            j, b = j + 1, b + 1
        return i, j, a, b

    def write(self, step: Step, wording: Sequence[OutputWord]) -> str:
        """Another wording of a step, as it would be written in its place, with what `spans` has beside it."""
        (a, b), (*_, first, last) = step.target_span, self._extent(step)
        made = realise(self.sentence, [*self.words[:a], *wording, *self.words[b:]])
        last += a + len(wording) - b
        return made.text[made.spans[first][0] : made.spans[last - 1][1]] if first < last else ""


def _characters(spans: Sequence[tuple[int, int]], i: int, j: int) -> tuple[int, int]:
    """The characters of words i .. j - 1, whose own are in `spans`; without a word, the place before word i."""
    if i < j:
        return spans[i][0], spans[j - 1][1]
    place = spans[i][0] if i < len(spans) else spans[-1][1] if spans else 0
    return place, place
