"""A hypothesis written as text, with the spans of its steps in the source and in the output."""

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
        self.realised = realise(sentence, self.words)

    @property
    def shown(self) -> str:
        """The output for n-best lists: text, or the decoder's tokens if the input was tokenised."""
        return self.hypothesis.text if self.sentence.tokenized else self.realised.text

    def spans(self, step: Step) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return the characters of a step in the source and in the output, so that one can replace the other.

        Both include what changes with the step: an article, a clitic, a capital, or white space.
        """
        i, j, a, b = extent = self._extent(step)
        spaces = self._spaces(*extent)
        return self._source.characters(i, j, *spaces), self._output.characters(a, b, *spaces)

    @cached_property
    def _source(self) -> _Side:
        return _Side(self.sentence.text, [(token.start, token.end) for token in self.sentence.tokens])

    @cached_property
    def _output(self) -> _Side:
        return _Side(self.realised.text, self.realised.spans)

    @cached_property
    def _ends(self) -> set[tuple[int, int]]:
        """Pairs of a source and an output place at which a step ends on both sides."""
        return {(0, 0), *((step.span[1], step.target_span[1]) for step in self.steps)}

    @cached_property
    def _starts(self) -> dict[tuple[int, int], bool]:
        """Pairs of places at which a step starts on both sides -> whether it is a change, with an article before it."""
        steps = ((step.span[0], step.target_span[0]) for step in self.steps)
        end = len(self.sentence.tokens), len(self.words)
        changes = (self._start(step) for step in self.steps if is_change(step))
        return dict.fromkeys([*steps, end], False) | dict.fromkeys(changes, True)

    def _spaces(self, i: int, j: int, a: int, b: int) -> tuple[bool, bool]:
        """Return whether the white space before and after an extent changes with it.

        White space between two changes belongs to the second. It never changes with an extent whose neighbours differ
        from those in the source.
        """
        meets_left, meets_right = (i, a) in self._ends, (j, b) in self._starts
        source, output = self._source, self._output
        left, right = source.gap(i) != output.gap(a), source.gap(j) != output.gap(b)
        before_change = self._starts.get((j, b), False)
        if i < j and a < b:
            return meets_left and left, meets_right and right and not before_change
        if not (meets_left and meets_right):
            return False, False
        if before_change or not right:  # if one gap became two, or two became one, one remains
            return True, False
        return left, True

    @cached_property
    def _opening(self) -> set[int]:
        return opening(self.sentence, self.words)

    def _extent(self, step: Step) -> tuple[int, int, int, int]:
        """Return the words [i, j) of the source and [a, b) of the output that change with a step."""
        (i, a), (j, b) = self._start(step), (step.span[1], step.target_span[1])
        altered = self._altered_after(j, b)
        return i, j + altered, a, b + altered

    def _start(self, step: Step) -> tuple[int, int]:
        """Return the starts of the extent on both sides: at the step, or at an altered article before it."""
        (i, _), (a, _) = step.span, step.target_span
        before = next((t for t in range(a - 1, -1, -1) if t not in self._opening), -1)
        if before in self.realised.articles and self.words[before].copied == i - a + before:
            return i - a + before, before
        return i, a

    def _altered_after(self, j: int, b: int) -> int:
        """Return how many copied words from j and b on lead up to an altered clitic, or a first word after marks."""
        for t in range(b, len(self.words)):
            i, item = j + t - b, self.words[t]
            if item.copied != i or self._starts.get((i, t)):  # not a copy, or part of another change
                break
            if t in self.realised.firsts or (t == b and t in self.realised.clitics):
                return t + 1 - b
            if item.word[:1].isalnum():
                break
        return 0

    def write(self, step: Step, wording: Sequence[OutputWord]) -> str:
        """Return another wording of a step as text, including what `spans` includes."""
        (a, b), extent = step.target_span, self._extent(step)
        realised = realise(self.sentence, [*self.words[:a], *wording, *self.words[b:]])
        first, last = extent[2], extent[3] + a + len(wording) - b
        start, end = _Side(realised.text, realised.spans).characters(first, last, *self._spaces(*extent))
        return realised.text[start:end]


class _Side:
    """Source or output: a text with the characters of its words."""

    def __init__(self, text: str, spans: Sequence[tuple[int, int]]) -> None:
        self._text = text
        self._starts = [*(start for start, _ in spans), spans[-1][1] if spans else 0]
        self._ends = [0, *(end for _, end in spans)]

    def gap(self, i: int) -> str:
        """Return the text between words i - 1 and i."""
        return self._text[self._ends[i] : self._starts[i]]

    def characters(self, i: int, j: int, before: bool, after: bool) -> tuple[int, int]:
        """Return the characters of words i .. j - 1, optionally with the gaps around; if empty, the place before i."""
        start = self._ends[i] if before else self._starts[i]
        return start, max(start, self._starts[j] if after else self._ends[j])
