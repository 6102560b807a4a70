"""The words of a sentence and the parts of speech that the grammar knows them as."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from sbmt.features.sentence.application import KEPT, Application
from sbmt.features.sentence.label_words import AFTER_PHRASES
from sbmt.text.words.english import is_plural_form

NOUNS = frozenset(("NN", "NNS"))
NOUN_PHRASE = NOUNS | {"JJ"}
COMPARED = frozenset(("JJR", "JJS"))
VERBS = frozenset(("VB", "VBD", "VBG", "VBN", "VBP", "VBZ"))
# What may stand between a participle and its form of "be" or "have", beside adverbs in -ly.
_BETWEEN = frozenset(
    "not n't again all almost also always already both each even ever far first hence hereby however indeed instead "
    "itself just later likewise meanwhile never nevertheless nonetheless now often once otherwise perhaps since so "
    "sometimes soon still themselves then thereby therefore thus well yet".split()
)


class Context:
    """The words of a sentence, and what they can be."""

    def __init__(self, words: Sequence[str], applications: Iterable[Application]) -> None:
        self.words = words
        self._labels: dict[int, set[str]] = {}
        self._degrees: dict[tuple[int, int], set[str]] = {}
        self._kept = set[int]()
        for application in applications:
            start, end = application.span
            if application.rule_id == KEPT:
                self._kept.update(range(start, end))
            if application.grammar < 0 or application.arity:
                continue
            if end - start == 1:
                self._labels.setdefault(start, set()).add(application.label)
            elif application.label in COMPARED:
                self._degrees.setdefault(application.span, set()).add(str(*application.target[:1]))

    def word(self, i: int) -> str:
        """The word at `i`; outside the sentence an empty one."""
        return self.words[i] if 0 <= i < len(self.words) else ""

    def labels(self, i: int) -> set[str]:
        """The labels of the rules for the word at `i` alone."""
        return self._labels.get(i, set())

    def may_be_noun(self, i: int) -> bool:
        """Whether the grammar knows the word at `i` as a noun, whatever else it may be."""
        return not self.labels(i).isdisjoint(NOUNS)

    def degrees(self, start: int, end: int) -> set[str]:
        """The comparatives and superlatives for some words ("worse" for "more harmful")."""
        return self._degrees.get((start, end), set())

    def before_adverbs(self, end: int) -> str:
        """The word before the adverbs that end at `end`; if there is nothing else, the first of them."""
        return self.word(self.place_before_adverbs(end))

    def place_before_adverbs(self, end: int) -> int:
        """Index of the word before the adverbs that end at `end`, or of the first adverb if nothing precedes it.

        -1 before the sentence.
        """
        before = end - 1
        while before > 0 and (self.words[before] in _BETWEEN or self.is_adverb(before)):
            before -= 1
        return before

    def after_adverbs(self, start: int) -> str:
        """The word after the adverbs that begin at `start`; an empty one if there is nothing else."""
        while self.word(start) in _BETWEEN or self.is_adverb(start):
            start += 1
        return self.word(start)

    def is_name(self, i: int) -> bool:
        """Whether the word at `i` stays, as names do."""
        return i in self._kept

    def is_adverb(self, i: int) -> bool:
        """Whether the word at `i` ends in *-ly* and is no noun, as *family* is."""
        return self.word(i).endswith("ly") and NOUNS.isdisjoint(self.labels(i))

    def is_adjective(self, i: int) -> bool:
        """Whether the word at `i` is an adjective and nothing else."""
        return self.labels(i) in ({"JJ"}, {"JJR"}, {"JJS"})

    def is_plural(self, i: int) -> bool:
        """Whether the word at `i` is a plural noun, or ends as one and is neither a name nor known to the grammar."""
        labels, word = self.labels(i), self.word(i)
        if labels or i in self._kept:
            return "NNS" in labels
        return is_plural_form(word)


PlaceCheck = Callable[[Application, Context], bool]  # whether a rule cannot stand where it is applied


def is_content_word(word: str) -> bool:
    """Whether a word is no function word and no adverb in *-ly*."""
    return word.isalpha() and word not in AFTER_PHRASES and not word.endswith("ly")
