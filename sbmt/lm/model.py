"""N-gram language models through KenLM. Only here its log10 values become natural logarithms."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from typing import Any

import kenlm

from sbmt.arguments import check_whole, refuse_text
from sbmt.errors import ModelError
from sbmt.lm.endings import read_endings
from sbmt.lm.load import load_kenlm
from sbmt.lm.states import States
from sbmt.lm.symbols import BEGIN, END, UNKNOWN

_SWING = 6.0  # orders of magnitude: a change of context hardly ever changes the probability of what follows by more
_UNKNOWN = (UNKNOWN.encode(), UNKNOWN.upper().encode())  # KenLM accepts both
_EXPECTED = "a sentence is a list of words"
_State = kenlm.State


class LanguageModel:
    """An n-gram model read from an ARPA or KenLM binary file (ARPA also compressed with gzip or xz).

    An `order` below that of the file, `file_order`, means shorter contexts. Values are natural logarithms, or log10 if
    `log10` is set (as in Joshua). `name` is the name of the feature. A word with half of a surrogate pair is unknown.
    """

    def __init__(self, path: str | Path, name: str = "lm_0", order: int | None = None, log10: bool = False) -> None:
        """Load a file; raises ModelError if it is missing or damaged, or the order is beyond KenLM's or below 1."""
        if order is not None:
            check_whole(order=order)
            if order < 1:
                raise ModelError(f"language model {path}: there is no order {order}")
        self._model = load_kenlm(path)
        self.path, self.name, self.log10 = str(path), name, log10
        self.file_order = int(self._model.order)
        self.order = self.file_order if order is None else min(order, self.file_order)
        self._base_score = self._model.BaseScore
        endings = read_endings(path, self.file_order)
        self._last_words: frozenset[bytes] | None = None if endings is None else endings.last_words
        if self._last_words and not self._last_words.isdisjoint(_UNKNOWN):
            self._last_words = None  # if an n-gram ends in the unknown word, any word might end one
        self._heavy = frozenset() if endings is None else endings.heavy
        self.unit = 1.0 if log10 else math.log(10)
        self.swing = _SWING * self.unit

    def __reduce__(self) -> tuple[type[LanguageModel], tuple[str, str, int, bool]]:
        return type(self), (self.path, self.name, self.order, self.log10)

    def ends_no_ngram(self, word: str) -> bool:
        """Whether no n-gram of two or more words ends in `word`.

        False also if that is not known (binary or very large files).
        """
        return self._last_words is not None and word.encode(errors="surrogatepass") not in self._last_words

    def ends_heavily(self, word: str) -> bool:
        """Whether some n-gram that ends in `word` matters as a context, though its own end does not (`Endings`).

        False also if that is not known (binary or very large files).
        """
        if not self._heavy:  # true for nearly all models; this is called for each word of each sentence
            return False
        return not self._heavy.isdisjoint((word.encode(errors="surrogatepass"), *_UNKNOWN))

    @property
    def step(self) -> Callable[[Any, str], tuple[float, Hashable]]:
        """A function from a context and a word to the word's log probability and the context after it."""
        # Not an attribute: a model that refers to itself would stay mapped after its last user.
        return self._full_step if self.order == self.file_order else self._short_step

    def score(self, words: Sequence[str], begin: bool = True, end: bool = True) -> float:
        """Return the log probability of a sentence, given without its marks; `begin` and `end` say whether it has them.

        Raises TypeError for a text instead of words, as `word_scores` does.
        """
        refuse_text(words, _EXPECTED)
        text = " ".join(words)
        is_plain = text.split() == list(words)  # KenLM would split words at white space, and drop it
        if is_plain and self.order == self.file_order:
            try:
                return float(self._model.score(text, bos=begin, eos=end)) * self.unit
            except UnicodeEncodeError:
                pass  # word by word, only the offending one is unknown
        context = self.begin if begin else self.null
        total, step = 0.0, self.step
        for word in [*words, END] if end else words:
            value, context = step(context, word)
            total += value
        return total

    def score_texts(self, texts: Sequence[str]) -> list[float]:
        """Return the `score` of each sentence, given as words between single spaces, none with white space in it."""
        if self.order == self.file_order:
            score, unit = self._model.score, self.unit
            try:
                return [score(text, bos=True, eos=True) * unit for text in texts]
            except UnicodeEncodeError:
                pass  # handled by `score`
        return [self.score(text.split()) for text in texts]

    def word_scores(self, words: Sequence[str]) -> list[float]:
        """Return the log probability of each word in its context and of the end of the sentence: [len(words) + 1]."""
        refuse_text(words, _EXPECTED)
        scores, context, step = [], self.begin, self.step
        for word in [*words, END]:
            value, context = step(context, word)
            scores.append(value)
        return scores

    @property
    def begin(self) -> Hashable:
        """The context at the start of a sentence."""
        if self.order < self.file_order:
            return (BEGIN,)[: self.order - 1]
        state: Hashable = _State()
        self._model.BeginSentenceWrite(state)
        return state

    @property
    def null(self) -> Hashable:
        """The empty context."""
        if self.order < self.file_order:
            return ()
        state: Hashable = _State()
        self._model.NullContextWrite(state)
        return state

    def _full_step(self, context: Any, word: str) -> tuple[float, Hashable]:
        """Take a step in the file's own order."""
        after = _State()
        try:
            return self._base_score(context, word, after) * self.unit, after
        except UnicodeEncodeError:
            return self._full_step(context, UNKNOWN)

    def _short_step(self, context: tuple[str, ...], word: str) -> tuple[float, Hashable]:
        """Take a step in an order below the file's: contexts are the last words themselves."""
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
        try:
            value = self._model.BaseScore(state, word, after) * self.unit
        except UnicodeEncodeError:
            return self._short_step(context, UNKNOWN)
        return value, (*context, word)[max(len(context) + 2 - self.order, 0) :]

    def states(self) -> States:
        """Return a fresh table of states, for one sentence."""
        return States(self)
