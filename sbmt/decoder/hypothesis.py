"""The results of decoding, hypotheses with features and derivations, and what restricts them: constraints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sbmt.arguments import check_kind, refuse_text
from sbmt.errors import SbmtError
from sbmt.ppdb.rule import Rule

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Constraint:
    """Words i .. j - 1 of the source become `target`; None keeps them as they are.

    They count as `label` in the gaps of rules, beside the decoder's default label.
    """

    i: int
    j: int
    target: tuple[str, ...] | None = None
    label: str = ""

    def __post_init__(self) -> None:
        """Check the target; raises what `check_words` does."""
        if self.target is not None:
            check_words(self.target, "the target of a constraint")


def check_words(words: Sequence[str], what: str = "a sentence") -> None:
    """Raise TypeError unless it is a list of words, and SbmtError for an empty word or one with a NUL character."""
    expected = f"{what} is a list of words"
    refuse_text(words, expected, "split it, or give text to sbmt.simplifier.Simplifier")
    if not isinstance(words, Sequence):  # an array (its comparisons are arrays), or an iterator
        raise TypeError(f"{expected}, not of the kind {type(words).__name__}: make it a list")
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"{expected}, and {word!r} is none")
        if not word:
            raise SbmtError(f"{expected}, and one of them is empty")
        if "\0" in word:
            raise SbmtError(f"{expected}, and {word!r} has a NUL character, which ends words")


def check_constraints(constraints: Sequence[Constraint], length: int) -> list[Constraint]:
    """Return the constraints, sorted.

    Raises SbmtError if one is outside the sentence or two overlap, and TypeError for anything but a Constraint.
    """
    for constraint in constraints:
        check_kind("constraints", constraint, Constraint)
    ordered = sorted(constraints, key=lambda constraint: (constraint.i, constraint.j))
    end = 0
    for constraint in ordered:
        span = f"[{constraint.i}, {constraint.j})"
        if not 0 <= constraint.i < constraint.j <= length:
            raise SbmtError(f"constraint {span} does not lie in the sentence of {length} words")
        if constraint.i < end:
            raise SbmtError(f"constraint {span} overlaps the one before it; give each word to one constraint")
        end = constraint.j
    return ordered


@dataclass(frozen=True, slots=True)
class Step:
    """One rule of a derivation. Spans count words of the source and of the output, without the sentence marks.

    `score` is the rule's own weighted sum, without language models; `alignment` points are (source word, output word);
    `application` is its number among the forest's applications, -1 without a forest.
    """

    rule: Rule
    owner: str
    span: Span
    target_span: Span
    score: float
    alignment: tuple[tuple[int, int], ...]
    application: int = -1


class Hypothesis:
    """One output: model `score` and, computed on first access, `words`, `features` (value by name) and `derivation`.

    Hypotheses are equal if all four are.
    """

    __slots__ = ("_derivation", "_features", "_words", "score")

    def __init__(
        self,
        words: Callable[[], tuple[str, ...]] | tuple[str, ...],
        score: float,
        features: Callable[[], dict[str, float]] | dict[str, float] | None = None,
        derivation: Callable[[], list[Step]] | list[Step] | None = None,
    ) -> None:
        """Store the parts; all but the score may be functions, called on first access."""
        self._words, self.score = words, score
        self._features, self._derivation = features or {}, derivation or []

    @property
    def words(self) -> tuple[str, ...]:
        """The output, word by word."""
        if callable(self._words):
            self._words = self._words()
        return self._words

    @property
    def features(self) -> dict[str, float]:
        """Feature values by name, without zeros."""
        if callable(self._features):
            self._features = self._features()
        return self._features

    @property
    def derivation(self) -> list[Step]:
        """The rules used, each before those that fill its gaps."""
        if callable(self._derivation):
            self._derivation = self._derivation()
        return self._derivation

    @property
    def text(self) -> str:
        """The words between single spaces."""
        return " ".join(self.words)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hypothesis):
            return NotImplemented
        if (self.words, self.score) != (other.words, other.score):
            return False
        return self.features == other.features and self.derivation == other.derivation

    def __hash__(self) -> int:
        return hash((self.words, self.score))

    def __repr__(self) -> str:
        return f"Hypothesis({self.text!r}, {self.score:.4f})"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle with the derivation worked out: the grammar stays behind."""
        return Hypothesis, (self.words, self.score, self.features, self.derivation)
