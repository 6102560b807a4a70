"""One output of the decoder, written as text, and where each of its steps is in the source and in the output."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from sbmt.decoder.hypothesis import Hypothesis, Step
from sbmt.simplifier.output import is_change, output_words, steps_of
from sbmt.text.pipeline import Sentence
from sbmt.text.realisation.agreement import opening
from sbmt.text.realisation.output_word import OutputWord
from sbmt.text.realisation.realise import realise


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
        """Characters of a step in the source and in the output, with what is altered beside it.

        That may be an article, a clitic, a capital or the white space, so that one may be put in the other's place.
        """
        i, j, a, b = extent = self._extent(step)
        spaces = self._spaces(*extent)
        return self._source.characters(i, j, *spaces), self._output.characters(a, b, *spaces)

    @cached_property
    def _source(self) -> _Side:
        return _Side(self.sentence.text, [(token.start, token.end) for token in self.sentence.tokens])

    @cached_property
    def _output(self) -> _Side:
        return _Side(self.made.text, self.made.spans)

    @cached_property
    def _ends(self) -> set[tuple[int, int]]:
        """Places in the source and in the output at which a step ends on both sides."""
        return {(0, 0), *((step.span[1], step.target_span[1]) for step in self.steps)}

    @cached_property
    def _starts(self) -> dict[tuple[int, int], bool]:
        """Places at which a step starts on both sides, and whether a change does, or what is altered before it."""
        steps = ((step.span[0], step.target_span[0]) for step in self.steps)
        end = len(self.sentence.tokens), len(self.words)
        changes = (self._start(step) for step in self.steps if is_change(step))
        return dict.fromkeys([*steps, end], False) | dict.fromkeys(changes, True)

    def _spaces(self, i: int, j: int, a: int, b: int) -> tuple[bool, bool]:
        """Whether the white space before and after those words is altered with them.

        What is between two changes is altered with the second. Where the neighbours are others than in the source,
        nothing can be said.
        """
        meets_left, meets_right = (i, a) in self._ends, (j, b) in self._starts
        source, output = self._source, self._output
        left, right = source.gap(i) != output.gap(a), source.gap(j) != output.gap(b)
        before_change = self._starts.get((j, b), False)
        if i < j and a < b:
            return meets_left and left, meets_right and right and not before_change
        if not (meets_left and meets_right):
            return False, False
        if before_change or not right:  # of a gap that became two, or two that became one, one stays
            return True, False
        return left, True

    @cached_property
    def _opening(self) -> set[int]:
        return opening(self.sentence, self.words)

    def _extent(self, step: Step) -> tuple[int, int, int, int]:
        """Those words: from i to j in the source, from a to b in the output."""
        (i, a), (j, b) = self._start(step), (step.span[1], step.target_span[1])
        altered = self._altered_after(j, b)
        return i, j + altered, a, b + altered

    def _start(self, step: Step) -> tuple[int, int]:
        """Where they start on both sides: at the step, or at an article before it."""
        (i, _), (a, _) = step.span, step.target_span
        before = next((t for t in range(a - 1, -1, -1) if t not in self._opening), -1)
        if before in self.made.articles and self.words[before].copied == i - a + before:
            return i - a + before, before
        return i, a

    def _altered_after(self, j: int, b: int) -> int:
        """How many words from j and b on are copies up to an altered one: a clitic, or after marks a first word."""
        for t in range(b, len(self.words)):
            i, item = j + t - b, self.words[t]
            if item.copied != i or self._starts.get((i, t)):  # it belongs to another change, if to any
                break
            if t in self.made.firsts or (t == b and t in self.made.clitics):
                return t + 1 - b
            if item.word[:1].isalnum():
                break
        return 0

    def write(self, step: Step, wording: Sequence[OutputWord]) -> str:
        """Another wording of a step, as it would be written in its place, with what `spans` has beside it."""
        (a, b), extent = step.target_span, self._extent(step)
        made = realise(self.sentence, [*self.words[:a], *wording, *self.words[b:]])
        first, last = extent[2], extent[3] + a + len(wording) - b
        start, end = _Side(made.text, made.spans).characters(first, last, *self._spaces(*extent))
        return made.text[start:end]


class _Side:
    """One side, source or output: a text and the characters of its words."""

    def __init__(self, text: str, spans: Sequence[tuple[int, int]]) -> None:
        self._text = text
        self._starts = [*(start for start, _ in spans), spans[-1][1] if spans else 0]
        self._ends = [0, *(end for _, end in spans)]

    def gap(self, i: int) -> str:
        """What is before word i."""
        return self._text[self._ends[i] : self._starts[i]]

    def characters(self, i: int, j: int, before: bool, after: bool) -> tuple[int, int]:
        """Those of words i .. j - 1, and of the gaps before and after them; of nothing, the place before word i."""
        start = self._ends[i] if before else self._starts[i]
        return start, max(start, self._starts[j] if after else self._ends[j])
