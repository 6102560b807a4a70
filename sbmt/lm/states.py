"""States of partial translations under an n-gram model, for a chart decoder.

KenLM's Python module has no chart state, so it is implemented here: a partial translation is (left, right), where
`left` are the words whose probability still depends on what will stand before them and `right` is KenLM's own minimised
state after the last word (Li & Khudanpur 2008; Heafield, Hoang, Koehn, Kiso & Federico 2011). Words of `left` are first
scored without context; when context comes, that estimate is replaced by their true probability.

`left` ends where KenLM's state shows that nothing later depends on what is before. It goes on after a *heavy* word, the
last of an n-gram that matters as a context though its own last words do not (`sbmt.lm.endings`). Such words are not
known for binaries made by KenLM itself and for very large ARPA files: there the n-gram's back-off weight may be missed.

Words, contexts and states are numbers here, and all answers of KenLM are cached: a *step* is a word after a context.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Protocol

from sbmt.lm.symbols import BEGIN, UNKNOWN, Symbol


class ContextModel(Protocol):
    """The part of a language model that states need (`sbmt.lm.model.LanguageModel`)."""

    order: int

    @property
    def step(self) -> Callable[[Any, str], tuple[float, Hashable]]: ...
    @property
    def begin(self) -> Hashable: ...
    @property
    def null(self) -> Hashable: ...
    def ends_no_ngram(self, word: str) -> bool: ...
    def ends_heavily(self, word: str) -> bool: ...


class _Contexts:
    """Contexts by number; `n_steps` counts the steps taken from them."""

    def __init__(self, model: ContextModel) -> None:
        self.step = model.step
        self.contexts: list[Hashable] = []
        self._numbers: dict[Hashable, int] = {}
        self.n_steps = 0

    def number(self, context: Hashable) -> int:
        """Return the number of a context."""
        number = self._numbers.get(context)
        if number is None:
            number = self._numbers[context] = len(self.contexts)
            self.contexts.append(context)
        return number


class _Steps(dict[int, tuple[float, int]]):
    """The steps over one `word`, by context: value and the context after it. A missing one is taken on access."""

    __slots__ = ("table", "word")

    word: str
    table: _Contexts

    def __missing__(self, context: int) -> tuple[float, int]:
        table = self.table
        value, after = table.step(table.contexts[context], self.word)
        self[context] = step = value, table.number(after)
        table.n_steps += 1
        return step


class States:
    """States numbered from 0; contexts in both directions are minimal.

    A state is (left words, whether these are complete (*closed*), context after the last word); a *family* is the
    states that share the first two. An open one has a single state, for the context follows from its words. Columns by
    state: family and context. Columns by family: `_left` words, the steps over them, their value without context,
    whether closed, and {context: state}.
    """

    def __init__(self, model: ContextModel) -> None:
        self._model, self._max_left = model, max(model.order - 1, 1)
        self._contexts = _Contexts(model)
        self._null, self._begin = self._contexts.number(model.null), self._contexts.number(model.begin)
        self._word_numbers: dict[str, int] = {}
        self._steps: list[_Steps] = []  # by word
        self._left_word: list[int] = []  # by word: the word that stands for it in `_left`
        self._heavy: set[int] = set()  # words after which a longer context may matter where a shorter one does not
        self._families: dict[tuple[bool, tuple[int, ...]], int] = {}
        self._left: list[tuple[int, ...]] = []
        self._estimate: list[float] = []
        self._closed: list[bool] = []
        self._left_steps: list[list[_Steps]] = []
        self._members: list[dict[int, int]] = []
        self._family: list[int] = []
        self._right: list[int] = []

    @property
    def size(self) -> int:
        """The number of cached steps."""
        return self._contexts.n_steps

    def _word(self, word: str) -> int:
        number = self._word_numbers.get(word)
        if number is None:
            number = self._word_numbers[word] = len(self._steps)
            steps = _Steps()  # without a constructor, as there is one for each word of each rule
            steps.word, steps.table = word, self._contexts
            self._steps.append(steps)
            self._left_word.append(number)
            # Words for which only the back-off weights of what is before them matter are equivalent in `left`. Sharing
            # one saves no time, but with a low pop limit more outputs survive, as many as in Joshua.
            if word != UNKNOWN and self._model.ends_no_ngram(word):
                self._left_word[number] = self._word(UNKNOWN)
            if self._model.ends_heavily(word):
                self._heavy.add(number)
        return number

    def _state(self, left: tuple[int, ...], closed: bool, right: int) -> int:
        """Return the number of a state."""
        family = self._families.get((closed, left))
        if family is None:
            family = self._families[closed, left] = len(self._left)
            steps = [self._steps[word] for word in left]
            estimate, context = 0.0, self._null
            for word_steps in steps:
                value, context = word_steps[context]
                estimate += value
            self._left.append(left)
            self._left_steps.append(steps)
            self._estimate.append(estimate)
            self._closed.append(closed)
            self._members.append({})
        return self._member(family, right)

    def _member(self, family: int, right: int) -> int:
        """Return the state of a family with this context after it."""
        state = self._members[family].get(right)
        if state is None:
            state = self._members[family][right] = len(self._right)
            self._family.append(family)
            self._right.append(right)
        return state

    def combine(self, target: Sequence[Symbol], tails: Sequence[int]) -> tuple[float, int]:
        """Join words and partial translations; returns what that adds to the value, and the new state.

        `target` holds words and numbers of gaps; gap g is filled by state `tails[g]`. A leading "<s>" starts the
        sentence and costs nothing.
        """
        steps = self._steps
        total, context, closed = 0.0, self._null, False
        left: tuple[int, ...] = ()
        shorter = self._null  # the context after all words of `left` but the first
        for position, symbol in enumerate(target):
            tail = family = -1
            if isinstance(symbol, str):
                if position == 0 and symbol == BEGIN:
                    context, closed = self._begin, True
                    continue
                number = self._word_numbers.get(symbol)
                words: tuple[int, ...] = (self._word(symbol) if number is None else number,)
            else:
                tail = tails[symbol]
                family = self._family[tail]
                words = self._left[family]
                if not left and not closed:
                    left, closed, context = words, self._closed[family], self._right[tail]
                    for word in () if closed else left[1:]:
                        _, shorter = steps[word][shorter]
                    continue
                total -= self._estimate[family]
            for word in words:
                value, context = steps[word][context]
                total += value
                if not closed:
                    left_word = self._left_word[word]
                    if left:
                        _, shorter = steps[left_word][shorter]
                    left += (left_word,)
                    # If the context does not reach back to the first word, no later probability can depend on anything
                    # before it: the context is then the one after all words but the first.
                    reaches = context != shorter or word in self._heavy
                    closed = left_word != word or len(left) >= self._max_left or not reaches
            if tail >= 0 and self._closed[family]:
                context, closed = self._right[tail], True
        return total, self._state(left, closed, context)

    def appender(self) -> Callable[[int, int], tuple[float, int]]:
        """Return `append(state, after)`: `combine` for two partial translations, one after the other.

        Search calls it more than anything else, so everything it needs is bound beforehand. (Not stored in an
        attribute: a cycle would keep dead states in memory.)
        """
        family_of, right, closed = self._family, self._right, self._closed
        steps, estimate, members = self._left_steps, self._estimate, self._members

        def append(state: int, after: int) -> tuple[float, int]:
            family, last = family_of[state], family_of[after]
            if not closed[family]:
                return self.combine((0, 1), (state, after))
            total, context = -estimate[last], right[state]
            for word_steps in steps[last]:
                value, context = word_steps[context]
                total += value
            if closed[last]:
                context = right[after]
            member = members[family].get(context)
            return total, self._member(family, context) if member is None else member

        return append
