"""N-gram language models through KenLM. This is the one place where its log10 becomes natural logarithms."""

from __future__ import annotations

import math
import os
import re
import tempfile
from codecs import BOM_UTF8
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from typing import Any

import kenlm

from sbmt.errors import FormatError, ModelError, check_whole, refuse_text
from sbmt.io import open_bytes, read_lines
from sbmt.lm.arpa import LOWEST, read_arpa, read_sizes
from sbmt.lm.kenlm_binary import KENLM_BINARY, write_kenlm_binary
from sbmt.lm.marks import BEGIN, END, UNKNOWN
from sbmt.lm.states import States

_MAX_SCANNED = 200_000_000  # bytes of an ARPA file that are worth a scan
_SWING = 6.0  # orders of magnitude: two contexts hardly ever change what follows by more than this
_PLACE = re.compile(r"(Byte|File): .*")  # lines of KenLM's that say where, not what
_SECTION = re.compile(rb"\\([1-9][0-9]*)-grams:")
_UNKNOWN = (UNKNOWN.encode(), UNKNOWN.upper().encode())  # KenLM takes both
_DUE = "a sentence is a list of words"
_State = kenlm.State


class LanguageModel:
    """An n-gram model read from an ARPA or KenLM binary file (ARPA also compressed with gzip or xz).

    An `order` below the file's, `file_order`, uses shorter contexts. Values are natural logarithms, or log10 if `log10`
    is set (as Joshua has it). `name` is the feature that carries the value. A word with half of a surrogate pair is
    unknown.
    """

    def __init__(self, path: str | Path, name: str = "lm_0", order: int | None = None, log10: bool = False) -> None:
        """Raises ModelError for a missing or damaged file, an order above what KenLM was built for, and one below 1."""
        if order is not None:
            check_whole(order=order)
            if order < 1:
                raise ModelError(f"language model {path}: there is no order {order}")
        self._model = load_kenlm(path)
        self.path, self.name, self.log10 = str(path), name, log10
        self.file_order = int(self._model.order)
        self.order = self.file_order if order is None else min(order, self.file_order)
        self._base_score = self._model.BaseScore
        self._ends = _last_words(path)
        self.unit = 1.0 if log10 else math.log(10)
        self.swing = _SWING * self.unit

    def __reduce__(self) -> tuple[type[LanguageModel], tuple[str, str, int, bool]]:
        return type(self), (self.path, self.name, self.order, self.log10)

    def ends_no_ngram(self, word: str) -> bool:
        """True if no n-gram of two or more words ends in `word`.

        False also where that is not known (binary or very large files).
        """
        return self._ends is not None and self._ends.isdisjoint((word.encode(errors="surrogatepass"), *_UNKNOWN))

    @property
    def step(self) -> Callable[[Any, str], tuple[float, Hashable]]:
        """Takes a context and a word to the word's log probability and the context after it."""
        # Not an attribute: a model that refers to itself stays mapped after its last user.
        return self._full_step if self.order == self.file_order else self._short_step

    def score(self, words: Sequence[str], begin: bool = True, end: bool = True) -> float:
        """Log probability of a whole sentence, given without its marks; `begin` and `end` say whether it has them.

        Raises TypeError for a text instead of words, as `word_scores` does.
        """
        refuse_text(words, _DUE)
        text = " ".join(words)
        plain = len(text.split()) == len(words) == text.count(" ") + 1  # KenLM would cut a word with a space
        if plain and self.order == self.file_order:
            try:
                return float(self._model.score(text, bos=begin, eos=end)) * self.unit
            except UnicodeEncodeError:
                pass  # word by word, it is known which one is unknown
        context = self.begin if begin else self.null
        total, step = 0.0, self.step
        for word in [*words, END] if end else words:
            value, context = step(context, word)
            total += value
        return total

    def word_scores(self, words: Sequence[str]) -> list[float]:
        """Log probability of each word in its context and of the end of the sentence, float [len(words) + 1]."""
        refuse_text(words, _DUE)
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
        """`step` in the file's own order."""
        after = _State()
        try:
            return self._base_score(context, word, after) * self.unit, after
        except UnicodeEncodeError:
            return self._full_step(context, UNKNOWN)

    def _short_step(self, context: tuple[str, ...], word: str) -> tuple[float, Hashable]:
        """`step` in an order below the file's: contexts are the last words themselves."""
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
        """A fresh table of states, for one sentence."""
        return States(self)


def _last_words(path: str | Path) -> frozenset[bytes] | None:
    """The last words of an ARPA file's n-grams of two words and more; None for a binary file or a very large one.

    Not of its bigrams alone: KenLM takes files in which the end of a longer n-gram is missing. It also takes -inf as a
    probability, with which no sentence that has the word could be decoded: raises ModelError, naming the line.
    """
    found: set[bytes] = set()
    order = 0
    with open_bytes(path) as stream:
        head = stream.read(len(KENLM_BINARY))
        if Path(path).stat().st_size > _MAX_SCANNED or head == KENLM_BINARY:
            return None
        for number, line in enumerate(stream, 1 + head.count(b"\n")):
            if line.startswith(b"\\"):
                section = _SECTION.match(line)
                order = int(section[1]) if section else 0
            elif order and len(fields := line.split(maxsplit=order + 1)) > order:  # ASCII white space only
                if order > 1:
                    found.add(fields[order])
                weighs = len(fields) > order + 1
                if not float(fields[0]) >= LOWEST or (weighs and not abs(float(fields[-1])) <= -LOWEST):  # nor is NaN
                    problem = (
                        f"a number is not from {LOWEST:g} to {-LOWEST:g}: {line.decode(errors='replace').strip()!r}"
                    )
                    raise ModelError(f"language model {path}, line {number}: {problem}")
    return frozenset(found)


def load_kenlm(path: str | Path) -> kenlm.Model:
    """KenLM's model of an ARPA or binary file, read without a word on standard error; raises ModelError."""
    if not Path(path).is_file():
        found = "is no file" if Path(path).exists() else "no such file"
        raise ModelError(f"language model {path or repr(path)}: {found}")
    if _arpa_order(path) == 1:
        return _load_unigrams(path)
    config = kenlm.Config()
    config.show_progress = False
    config.arpa_complain = kenlm.ARPALoadComplain.NONE
    try:
        return kenlm.Model(os.path.realpath(path), config)  # to it "link/.." would be text, not a folder
    except OSError as error:
        raise ModelError(f"language model {path}: {_reason(str(error.__cause__ or error))}") from None
    except UnicodeDecodeError as error:  # of KenLM's own message, which quotes a word of the file
        raise ModelError(f"language model {path}: {_reason(error.object.decode(errors='replace'))}") from None


def _load_unigrams(path: str | Path) -> kenlm.Model:
    """An ARPA file of order 1, which KenLM loads as a binary only; the mapped file outlives its name."""
    with tempfile.TemporaryDirectory(prefix="sbmt-lm-") as folder:
        binary = Path(folder, "unigrams.binary")
        try:
            write_kenlm_binary(read_arpa(path), binary)
        except FormatError as error:
            raise ModelError(f"language model {error}") from None
        return load_kenlm(binary)


def _arpa_order(path: str | Path) -> int | None:
    """The order of an ARPA file, None for a KenLM binary.

    Raises ModelError where the head is wrong: KenLM takes some such heads and breaks down.
    """
    try:
        with open_bytes(path) as stream:
            head = stream.read(len(KENLM_BINARY))
        if head == KENLM_BINARY:
            return None
        if head.startswith(BOM_UTF8):
            raise FormatError(str(path), None, "begins with a byte order mark", "save it without one")
        return len(read_sizes(path, enumerate(read_lines(path, "latin-1"), 1)))  # KenLM takes any bytes as words
    except FormatError as error:
        raise ModelError(f"language model {error}") from None


def _reason(cause: str) -> str:
    """KenLM's own explanation, without its file and function names, and the cure where we know it.

    Python 3.11.2, for one, loses those that quote what is not UTF-8.
    """
    if "MAX_ORDER" in cause:
        return "its order is above what this KenLM was built for; install kenlm with MAX_ORDER set to the model's order"
    lines = [line for line in cause.splitlines() if line.strip() and not _PLACE.fullmatch(line.strip())]
    return lines[-1].strip() if lines else "cannot be read: perhaps its words are not UTF-8"
