"""Which noun is the subject of a verb, as far as the words before it tell."""

from __future__ import annotations

from sbmt.features.sentence.label_context import Context, is_content_word
from sbmt.features.sentence.label_words import DETERMINERS, PREPOSITIONS

_RELATIVES = frozenset(("that", "which", "who"))
# Prepositions that join nouns, and words before "of" that leave the number to the noun after it.
_JOINING = PREPOSITIONS | {"at", "on"}
_AMOUNTS = frozenset(
    "all any both couple few group half lot lots majority many more most none number numbers part rest several some "
    "variety".split()
)


def subject_of(context: Context, end: int) -> int:
    """Index of the noun that a verb at `end` goes with: of *benefits* in "the benefits of the plan".

    The noun right before the verb, or after *who*, if it is unclear or belongs to an amount ("a number of people").
    """
    last = context.place_before_adverbs(end)
    if context.word(last) in _RELATIVES:
        return last - 1 - (context.word(last - 1) == ",")
    head = _head(context, last)
    return last if head < 0 or context.word(head) in _AMOUNTS else head


def _head(context: Context, last: int) -> int:
    """Index of the first noun of some that prepositions join, the last of them at `last`; -1: one precedes it, too."""
    place = last
    while _is_noun_or_adjective(context.word(place)):
        place -= 1
    place -= context.word(place) in DETERMINERS
    if context.word(place) not in _JOINING:
        return last
    return _head(context, place - 1) if _is_noun_or_adjective(context.word(place - 1)) else -1


def _is_noun_or_adjective(word: str) -> bool:
    """Whether a word may belong to a noun phrase, after its determiner."""
    return is_content_word(word) and word not in DETERMINERS and word not in _JOINING
