"""N-gram language models through KenLM, and the states that a chart decoder needs of them.

This is the one place where KenLM's log10 becomes natural logarithms. KenLM's Python module has no chart state, so
`States` keeps it: a partial translation is (left, right), where `left` are the words whose probability still depends
on what will stand before them and `right` is KenLM's own minimised state after the last word
(Li & Khudanpur 2008; Heafield, Hoang, Koehn, Kiso & Federico 2011). Words of `left` are first scored without context;
when context comes, that estimate is replaced by their true probability.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

import kenlm

from sbmt.errors import ModelError
from sbmt.io import read_lines

BEGIN, END, UNKNOWN = "<s>", "</s>", "<unk>"
_KENLM_BINARY = b"mmap lm http"
_MAX_SCANNED = 200_000_000  # bytes of an ARPA file that are worth a scan
_SWING = 6.0  # log10 by which two contexts hardly ever differ in what they give to the words that follow
Symbol = str | int  # a word, or the number of a gap (from 0)
_State = kenlm.State
_SHIFT, _LOW = 24, (1 << 24) - 1
_SPACES = frozenset(" \t\n\v\f\r")  # where KenLM would split a token


class LanguageModel:
    """An n-gram model read from an ARPA or KenLM binary file (ARPA also compressed with gzip or xz).

    `order` below the file's uses shorter contexts. Values are natural logarithms, or log10 if `log10` is set
    (as Joshua has it). `name` is the feature that carries the value.
    """

    def __init__(self, path: str | Path, name: str = "lm_0", order: int | None = None, log10: bool = False) -> None:
        """Raises ModelError if the file is missing or damaged, or its order is above what KenLM was built for."""
        if not Path(path).is_file():
            raise ModelError(f"language model {path}: no such file")
        try:
            self._model = kenlm.Model(str(path), _quiet())
        except OSError as error:
            raise ModelError(f"language model {path}: {_reason(error)}") from None
        self.path, self.name, self.log10 = str(path), name, log10
        self.order = min(order or self._model.order, self._model.order)
        self._base_score = self._model.BaseScore
        self._ends = _ends_of_bigrams(path)
        self.unit = 1.0 if log10 else math.log(10)
        self.swing = _SWING * self.unit
        self.step: Callable[[Any, str], tuple[float, Hashable]] = (
            self._full_step if self.order == self._model.order else self._short_step
        )

    def __reduce__(self) -> tuple[type[LanguageModel], tuple[str, str, int, bool]]:
        return type(self), (self.path, self.name, self.order, self.log10)

    def __contains__(self, word: str) -> bool:
        return word in self._model

    def ends_no_ngram(self, word: str) -> bool:
        """Whether it is sure that no n-gram but the word itself ends in a word (unsure for binary files)."""
        return self._ends is not None and word not in self._ends and UNKNOWN not in self._ends

    def score(self, words: Sequence[str], begin: bool = True, end: bool = True) -> float:
        """Log probability of a whole sentence, given without its marks; `begin` and `end` say whether it has them."""
        if self.order == self._model.order and _SPACES.isdisjoint("".join(words)):
            return float(self._model.score(" ".join(words), bos=begin, eos=end)) * self.unit
        context = self.begin if begin else self.null
        total = 0.0
        for word in [*words, END] if end else words:
            value, context = self.step(context, word)
            total += value
        return total

    def word_scores(self, words: Sequence[str]) -> list[float]:
        """Log probability of each word in its context and of the end of the sentence, float [len(words) + 1]."""
        scores, context = [], self.begin
        for word in [*words, END]:
            value, context = self.step(context, word)
            scores.append(value)
        return scores

    @property
    def begin(self) -> Hashable:
        """The context at the start of a sentence."""
        if self.order < self._model.order:
            return (BEGIN,)[: self.order - 1]
        state: Hashable = _State()
        self._model.BeginSentenceWrite(state)
        return state

    @property
    def null(self) -> Hashable:
        """The empty context."""
        if self.order < self._model.order:
            return ()
        state: Hashable = _State()
        self._model.NullContextWrite(state)
        return state

    def _full_step(self, context: Any, word: str) -> tuple[float, Hashable]:
        """Log probability of a word and the context after it; `step` is this or `_short_step`."""
        after = _State()
        return self._base_score(context, word, after) * self.unit, after

    def _short_step(self, context: tuple[str, ...], word: str) -> tuple[float, Hashable]:
        """The same for an order below the file's: contexts are the last words themselves."""
        state, after = _State(), _State()
        words = context
        if context[:1] == (BEGIN,):
            self._model.BeginSentenceWrite(state)
            words = context[1:]
        else:
            self._model.NullContextWrite(state)
        for earlier in words:
            self._model.BaseScore(state, earlier, after)
            state, after = after, state
        value = self._model.BaseScore(state, word, after) * self.unit
        return value, (*context, word)[len(context) + 2 - self.order :] if self.order > 1 else ()

    def states(self) -> States:
        """A fresh table of states, for one sentence."""
        return States(self)


class States:
    """States of partial translations, numbered from 0; both directions of context are kept minimal.

    Columns by state: `_left` words, their value without context, whether `_left` is complete (closed), and the context
    after the last word. Words and contexts are numbered too. `_steps` numbers the steps that were taken before, by
    `context << 24 | word`; two columns tell their `_value` and the `_next` context. (Flat, because tuples by the
    hundred thousand would keep Python's cycle collector busy.)
    """

    def __init__(self, model: LanguageModel) -> None:
        self._model_step, self._most = model.step, max(model.order - 1, 1)
        self._model = model
        self._words: list[str] = []
        self._word_ids: dict[str, int] = {}
        self._left_word: list[int] = []  # of each word: what stands for it in `_left`
        self._contexts: list[Hashable] = []
        self._context_ids: dict[Hashable, int] = {}
        self._steps: dict[int, int] = {}
        self._value: list[float] = []
        self._next: list[int] = []
        self._null, self._begin = self._context(model.null), self._context(model.begin)
        self._left: list[tuple[int, ...]] = []
        self._estimate: list[float] = []
        self._closed: list[bool] = []
        self._right: list[int] = []
        self._siblings: list[dict[int, int]] = []  # {context: state} of the closed states with the same left
        self._with_left: dict[tuple[int, ...], dict[int, int]] = {}
        self._open: dict[tuple[int, ...], int] = {}
        self._none: dict[int, int] = {}
        self._take = self._make_take()
        self.append = self._make_append()

    @property
    def size(self) -> int:
        """Steps that are remembered."""
        return len(self._value)

    def _context(self, context: Hashable) -> int:
        found = self._context_ids.get(context)
        if found is None:
            found = self._context_ids[context] = len(self._contexts)
            self._contexts.append(context)
        return found

    def _word(self, word: str) -> int:
        found = self._word_ids.get(word)
        if found is None:
            found = self._word_ids[word] = len(self._words)
            self._words.append(word)
            self._left_word.append(found)
            # Words that depend on what is before them in no more than its back-off weights are all alike there.
            if word != UNKNOWN and self._model.ends_no_ngram(word):
                self._left_word[found] = self._word(UNKNOWN)
        return found

    def _make_take(self) -> Callable[[int], int]:
        """`take(key)`: add a step that is not known yet; returns its number."""
        step, steps, values, nexts = self._model_step, self._steps, self._value, self._next
        contexts, ids, words = self._contexts, self._context_ids, self._words

        def take(key: int) -> int:
            value, context = step(contexts[key >> _SHIFT], words[key & _LOW])
            after = ids.get(context)
            if after is None:
                after = ids[context] = len(contexts)
                contexts.append(context)
            found = steps[key] = len(values)
            values.append(value)
            nexts.append(after)
            return found

        return take

    def _step(self, context: int, word: int) -> tuple[float, int]:
        step = self._steps.get(context << _SHIFT | word)
        if step is None:
            step = self._take(context << _SHIFT | word)
        return self._value[step], self._next[step]

    def _state(self, left: tuple[int, ...], closed: bool, right: int) -> int:
        """Number of a state; an open one's context follows from its words."""
        if not closed:
            found = self._open.get(left)
            if found is None:
                found = self._open[left] = self._new(left, False, right, self._none)
            return found
        siblings = self._with_left.get(left)
        if siblings is None:
            siblings = self._with_left[left] = {}
        found = siblings.get(right)
        if found is None:
            found = siblings[right] = self._new(left, True, right, siblings)
        return found

    def _new(self, left: tuple[int, ...], closed: bool, right: int, siblings: dict[int, int]) -> int:
        estimate, context = 0.0, self._null
        for word in left:
            value, context = self._step(context, word)
            estimate += value
        self._left.append(left)
        self._estimate.append(estimate)
        self._closed.append(closed)
        self._right.append(right)
        self._siblings.append(siblings)
        return len(self._left) - 1

    def combine(self, target: Sequence[Symbol], tails: Sequence[int]) -> tuple[float, int]:
        """Join words and partial translations; returns what that adds to the value, and the new state.

        `target` holds words and numbers of gaps; gap g is filled by state `tails[g]`. A leading "<s>" starts the
        sentence and costs nothing.
        """
        value, context, closed = 0.0, self._null, False
        left: tuple[int, ...] = ()
        for position, symbol in enumerate(target):
            if isinstance(symbol, str):
                if symbol == BEGIN and position == 0:
                    context, closed = self._begin, True
                    continue
                words: tuple[int, ...] = (self._word(symbol),)
            else:
                tail = tails[symbol]
                if context == self._null and not left and not closed:
                    left, context, closed = self._left[tail], self._right[tail], self._closed[tail]
                    continue
                words = self._left[tail]
                value -= self._estimate[tail]
            for word in words:
                added, context = self._step(context, word)
                value += added
                if not closed:
                    left += (self._left_word[word],)
                    alike = self._left_word[word] != word
                    closed = alike or len(left) >= self._most or self._forgets_first(left, context)
            if not isinstance(symbol, str) and self._closed[tail]:
                context, closed = self._right[tail], True
        return value, self._state(left, closed, context)

    def _make_append(self) -> Callable[[int, int], tuple[float, int]]:
        """`append(state, after)`: `combine` for two partial translations, one after the other.

        Two thirds of a search are calls of this function, so all that it needs is bound beforehand.
        """
        left, estimate, closed, right, siblings = (
            self._left, self._estimate, self._closed, self._right, self._siblings,
        )  # fmt: skip
        known, take, values, nexts = self._steps.get, self._take, self._value, self._next

        def append(state: int, after: int) -> tuple[float, int]:
            if not closed[state]:
                return self.combine((0, 1), (state, after))
            value, context = -estimate[after], right[state]
            for word in left[after]:
                step = known(context << _SHIFT | word)
                if step is None:
                    step = take(context << _SHIFT | word)
                value += values[step]
                context = nexts[step]
            if closed[after]:
                context = right[after]
            found = siblings[state].get(context)
            return value, self._state(left[state], True, context) if found is None else found

        return append

    def _forgets_first(self, left: tuple[int, ...], context: int) -> bool:
        """Whether no later word's probability can depend on anything before `left`.

        True when the context after `left` does not reach back to its first word: then it equals the context after
        all but the first.
        """
        shorter = self._null
        for word in left[1:]:
            _, shorter = self._step(shorter, word)
        return shorter == context


def _ends_of_bigrams(path: str | Path) -> frozenset[str] | None:
    """The last words of an ARPA file's bigrams; None for a binary file or a very large one."""
    with open(path, "rb") as raw:
        binary = raw.read(len(_KENLM_BINARY)) == _KENLM_BINARY
    if binary or Path(path).stat().st_size > _MAX_SCANNED:
        return None
    lines = iter(read_lines(path))
    for line in lines:
        if line.startswith("\\2-grams:"):
            break
    ends = takewhile(lambda line: line and not line.startswith("\\"), lines)
    return frozenset(line.split()[2] for line in ends)


def _quiet() -> kenlm.Config:
    """KenLM otherwise writes a progress bar to standard error."""
    config = kenlm.Config()
    config.show_progress = False
    config.arpa_complain = kenlm.ARPALoadComplain.NONE
    return config


def _reason(error: OSError) -> str:
    """KenLM's own explanation, without its file and function names, and the cure where we know it."""
    cause = str(error.__cause__ or error).strip()
    if ("order" in cause and "KENLM_MAX_ORDER" in cause) or "MAX_ORDER" in cause:
        return "its order is above what this KenLM was built for; install kenlm with MAX_ORDER set to the model's order"
    return cause.splitlines()[-1] if cause else "cannot be read"
