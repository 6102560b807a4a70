"""Tests of learnt rules by their words alone; the context may still rule them out.

`possible` is for paraphrases of any origin, `grammatical` for rules that are new to a grammar (`with_learnt` in
`sbmt.ppdb.learn.evidence` uses it), `sound` for those learnt from few sentences and their simplifications.
`grammatical`, `shared_tags` and `sound` look words up in lemminflect's dictionary (`sbmt.text.words.inflection`).
"""

from __future__ import annotations

import math

from sbmt.ppdb.filtering import CLOSING, OPENING, SHORT_WORDS, dropped_or_added
from sbmt.ppdb.rule import Rule
from sbmt.text.order import shared_ends
from sbmt.text.words.content import NOT_CONTENT
from sbmt.text.words.inflection import tags

_HIGHEST_COST = -math.log(0.01)  # -ln p(e|f) of a paraphrase that is in no list
_HIGHEST_COST_BACK = -math.log(0.003)  # -ln p(f|e)
_PAIRED = frozenset((*OPENING, *CLOSING))
_MODIFIERS = frozenset(("JJ", "JJR", "JJS", "RB", "RBR", "RBS"))
Words = tuple[str, ...]


def possible(rule: Rule) -> bool:
    """Whether a rule may be a paraphrase: likely or listed, no punctuation but commas, the same numbers.

    Likely means p(e|f) of at least .01; a rule without the feature p(e|f), its -ln, counts as likely.
    """
    if rule.features.get("p(e|f)", 0.0) > _HIGHEST_COST and rule.features.get("Listed", 0.0) == 0:
        return False
    if not all(word == "," or (_is_word(word) and word not in _PAIRED) for word in rule.source + rule.target):
        return False
    numbers = [sorted(filter(_has_digit, side)) for side in rule.sides]
    return numbers[0] == numbers[1]


def grammatical(rule: Rule) -> bool:
    """Whether the target can take the place of the source.

    False if the rule only drops or adds short words, or if it replaces one word by one of another part of speech,
    number or tense.
    """
    changed_words = dropped_or_added(rule)
    if changed_words is not None:
        return not SHORT_WORDS.issuperset(changed_words)
    changes = [pair for pair in zip(rule.source, rule.target, strict=False) if pair[0] != pair[1]]
    if len(rule.source) != len(rule.target) or len(changes) != 1:
        return True
    before, after = map(tags, changes[0])
    return not before or not after or not before.isdisjoint(after)


def shared_tags(rule: Rule) -> list[str]:
    """Return the Penn tags that the dictionary has for both sides, if each is a single word."""
    if len(rule.source) != 1 or len(rule.target) != 1:
        return []
    return sorted(tags(rule.source[0]) & tags(rule.target[0]))


def sound(rule: Rule, back: str) -> bool:
    """Whether a rule neither loses nor adds too much; `back` names its feature -ln p(f|e).

    Both sides are compared without the words that they share at their ends. A change of punctuation alone is left to
    the context. References hardly ever have content words out of nothing, lost nouns and verbs at an edge, dropped
    function words after shared words, or rules with p(f|e) below .003.
    """
    begin, before, after, end = _trim(rule.source, rule.target)
    if not any(map(_is_word, before + after)) or (not after and begin and end):
        return True
    lost, gained = _content(before), _content(after)
    if not before or (gained and not lost and not any(map(_has_digit, before))) or (len(lost) > 1 and not gained):
        return False
    if not after and lost:
        return len(before) == 1 and _MODIFIERS.issuperset(tags(before[0]) or ("?",))  # nouns and verbs are needed
    if not after and begin:
        return False  # what followed "is one of" does not follow "is"
    return rule.features.get(back, 0.0) <= _HIGHEST_COST_BACK


def _trim(source: Words, target: Words) -> tuple[Words, Words, Words, Words]:
    """Return the words that both sides begin with, the rest of each, and the words that both end with."""
    begin, end = shared_ends(source, target)
    last = len(source) - end
    return source[:begin], source[begin:last], target[begin : len(target) - end], source[last:]


def _is_word(word: str) -> bool:
    return any(map(str.isalnum, word))


def _has_digit(word: str) -> bool:
    return any(map(str.isdigit, word))


def _content(words: Words) -> list[str]:
    return [word for word in words if _is_word(word) and not _has_digit(word) and word not in NOT_CONTENT]
