"""Where paraphrases come from, crowd translations and lists of PPDB pairs, and which rules of them are kept.

The tests for grammar know no context: they ask lemminflect's dictionary (the `experiment` extra) for parts of speech.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import lemminflect
from starter.inflect import TAGS, word_forms

from experiment.text import FILES
from sbmt.io import read_lines
from sbmt.ppdb.filtering import CLOSING, OPENING, SHORT_WORDS, dropped_or_added
from sbmt.ppdb.rule import Rule
from sbmt.text.content import NOT_CONTENT

LEAST_LIKELY = -math.log(0.01)  # p(e|f)
LEAST_LIKELY_BACK = -math.log(0.003)  # p(f|e)
LEAST_QUALITY = 2.0
PAIRED = frozenset((*OPENING, *CLOSING))
MODIFIERS = frozenset(("JJ", "JJR", "JJS", "RB", "RBR", "RBS"))
Words = tuple[str, ...]
LISTS = (
    "retrofitting/ppdb-xl.txt",
    "easse/ppdb-1.0-xxxl-lexical.extended.synonyms.uniquepairs",
    "counter-fitting/ppdb_synonyms.txt",
)


def versions(data: Path) -> Iterator[str]:
    """Crowd translations as segment, tab, version; some came with a full stop stuck to their first word."""
    for line in read_lines(data / FILES["crowd"]):
        *key, sentence = line.lower().split("\t")
        yield f"{'_'.join(key)}\t{re.sub(r'^[ .]*', '', sentence)}"


def pair_lists(data: Path) -> Iterator[str]:
    """The PPDB lists in one, with pairs of the unordered list both ways."""
    for name in LISTS:
        for line in read_lines(data / "ppdb" / name):
            yield line
            fields = line.strip().split("\t")
            if len(fields) == 2:
                yield f"{fields[1]}\t{fields[0]}"
    for line in read_lines(data / "ppdb/human-labels/ppdb-sample.tsv"):
        score, label, source, target = line.lower().split("\t")[:4]
        if float(score) >= 3:
            yield f"{label.upper()}\t{source}\t{target}"


def possible(rule: Rule) -> bool:
    """Whether the rule may be a paraphrase: likely or listed, no punctuation but commas, the same numbers."""
    if rule.features["p(e|f)"] > LEAST_LIKELY and rule.features.get("Listed", 0) == 0:
        return False
    if not all(word == "," or (_is_word(word) and word not in PAIRED) for word in rule.source + rule.target):
        return False
    numbers = [sorted(filter(_has_digit, side)) for side in (rule.source, rule.target)]
    return numbers[0] == numbers[1]


def grammatical(rule: Rule) -> bool:
    """Whether the target can take the place of the source, as far as words alone tell.

    Not if all that it does is drop or add short words, or if it changes one word into one of another part of speech,
    number or tense.
    """
    dropped = dropped_or_added(rule)
    if dropped is not None:
        return not SHORT_WORDS.issuperset(dropped)
    changes = [pair for pair in zip(rule.source, rule.target, strict=False) if pair[0] != pair[1]]
    if len(rule.source) != len(rule.target) or len(changes) != 1:
        return True
    before, after = map(_tags, changes[0])
    return not before or not after or not before.isdisjoint(after)


def shared_tags(rule: Rule) -> list[str]:
    """The tags that the dictionary has for both sides, if each is a single word."""
    if len(rule.source) != 1 or len(rule.target) != 1:
        return []
    return sorted(_tags(rule.source[0]) & _tags(rule.target[0]))


def sound(rule: Rule) -> bool:
    """Whether a rule learnt from tune loses or invents no more than a sentence can bear, as far as words alone tell.

    Looked at is what is left of both sides without the words that they share at their ends; a change of marks alone is
    for the context to judge. Content words out of nothing, nouns and verbs lost at an edge, and function words at the
    end of what is left are nearly never what a reference has.
    """
    begin, before, after, end = _trimmed(rule.source, rule.target)
    if not any(map(_is_word, before + after)) or (not after and begin and end):
        return True
    lost, gained = _content(before), _content(after)
    if not before or (gained and not lost and not any(map(_has_digit, before))) or (len(lost) > 1 and not gained):
        return False
    if not after and lost:
        return len(before) == 1 and MODIFIERS.issuperset(_tags(before[0]) or ("?",))  # nouns and verbs hold a place
    if not after and begin:
        return False  # what followed "is one of" does not follow "is"
    return rule.features.get("tune:p(f|e)", 0.0) <= LEAST_LIKELY_BACK


def _trimmed(source: Words, target: Words) -> tuple[Words, Words, Words, Words]:
    """The words that both sides begin with, what is left of each, and the words that both end with."""
    shortest = min(len(source), len(target))
    begin = next((k for k in range(shortest) if source[k] != target[k]), shortest)
    rest = shortest - begin
    end = next((k for k in range(rest) if source[-1 - k] != target[-1 - k]), rest)
    last = len(source) - end
    return source[:begin], source[begin:last], target[begin : len(target) - end], source[last:]


def _is_word(word: str) -> bool:
    return any(map(str.isalnum, word))


def _has_digit(word: str) -> bool:
    return any(map(str.isdigit, word))


def _content(words: Words) -> list[str]:
    return [word for word in words if _is_word(word) and not _has_digit(word) and word not in NOT_CONTENT]


@cache
def _tags(word: str) -> frozenset[str]:
    """The Penn tags that the dictionary has for a word; none for words of closed classes and unknown ones."""
    return frozenset(
        tag
        for pos, lemmas in lemminflect.getAllLemmas(word).items()
        if pos in TAGS
        for lemma in lemmas
        for tag, forms in word_forms(lemma, pos).items()
        if word in forms
    )
