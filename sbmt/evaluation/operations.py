"""Operations of simplification told from strings: the labels of ASSETann (Cardon et al. 2022) that strings can show.

ASSETann's labels: insertions and deletions of modifiers (`mod`), clauses (`prop`), words that another change makes
necessary (`cst`, consistency) and others (`oth`); synonym; verbf, the form of a verb; POSchange; s2p and p2s, number;
pron and fromPron; p2a and a2p, voice; pos2neg and neg2pos; move; split; merge. Left out, because they need meaning or
parses: hyperonym, hyponym, toImp, fromImp. The rules were written from what the labels mean, not from annotated text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from sbmt.evaluation.alignment import is_inflection
from sbmt.evaluation.transformations import ADD, DELETE, MOVE, REPLACE, Pairs, Transformed, transform
from sbmt.evaluation.words import FUNCTION_WORDS, NEGATIONS, PRONOUNS

LABELS = tuple(
    """synonym delmod delprop delcst deloth inmod inprop incst inoth move split merge verbf POSchange s2p p2s pron
    fromPron p2a a2p pos2neg neg2pos""".split()
)
_VERB_ENDINGS = ("ed", "ing", "en", "d")
_CLAUSE_STARTS = frozenset("which who whom whose that because although though while when where if since".split())
_CLAUSE = 5  # words from which a deleted or inserted stretch with a verb is taken for a clause
_MODIFIER = 2  # content words up to which a stretch is taken for a modifier
_BE = frozenset("is are was were be been being am".split())
_ENDS = frozenset(".!?;")
_MODIFIER_ENDINGS = ("ly", "ous", "ive", "ful", "al", "ic", "able", "ible", "less", "ary", "ent", "ant")


def operations(source: Sequence[str], output: Sequence[str], pairs: Pairs = ()) -> frozenset[str]:
    """Return the labels of LABELS that a pair of token lists shows."""
    a, b = [w.lower() for w in source], [w.lower() for w in output]
    found = transform(a, b, pairs)
    return frozenset((*_replaced(a, b, found), *_stretches(a, b, found), *_counted(a, b, found)))


def _replaced(a: Sequence[str], b: Sequence[str], found: Transformed) -> Iterator[str]:
    """Labels of single links between words that differ."""
    for i, j in found.links:
        if found.source[i] != REPLACE:
            continue
        one, other = a[i], b[j]
        if other in PRONOUNS and one not in PRONOUNS:
            yield "pron"
        elif one in PRONOUNS and other not in PRONOUNS:
            yield "fromPron"
        elif {one, other} <= FUNCTION_WORDS:
            yield "verbf" if {one, other} <= _BE else "delcst"
        elif is_inflection(one, other):
            yield _inflected(one, other)
        else:
            yield "synonym"


def _inflected(one: str, other: str) -> str:
    longer, shorter = (one, other) if len(one) >= len(other) else (other, one)
    if longer.endswith("s") and not longer.endswith("ss") and not shorter.endswith(("s", *_VERB_ENDINGS)):
        return "p2s" if longer == one else "s2p"
    if any(word.endswith(_VERB_ENDINGS) for word in (one, other)):
        return "verbf"
    return "POSchange"


def _stretches(a: Sequence[str], b: Sequence[str], found: Transformed) -> Iterator[str]:
    """Deleted and inserted words that stand together, by what they are."""
    for prefix, words, labels, wanted in (("del", a, found.source, DELETE), ("in", b, found.output, ADD)):
        for label, group in groupby(range(len(words)), key=labels.__getitem__):
            if label == wanted:
                yield prefix + _stretch([words[k] for k in group])


def _stretch(words: Sequence[str]) -> str:
    content = [word for word in words if word[0].isalnum() and word not in FUNCTION_WORDS]
    if not content:
        return "cst"
    has_verb = any(word in _BE or word.endswith(("ed", "ing")) for word in words)
    if len(words) >= _CLAUSE and (has_verb or words[0] in _CLAUSE_STARTS or words[1] in _CLAUSE_STARTS):
        return "prop"
    if len(content) <= _MODIFIER and any(word.endswith(_MODIFIER_ENDINGS) for word in content):
        return "mod"
    return "oth"


def _counted(a: Sequence[str], b: Sequence[str], found: Transformed) -> Iterator[str]:
    """Labels of whole sentences."""
    if MOVE in found.source:
        yield "move"
    before, after = _sentences(a), _sentences(b)
    if after != before:
        yield "split" if after > before else "merge"
    negated = sum(w in NEGATIONS for w in b) - sum(w in NEGATIONS for w in a)
    if negated:
        yield "pos2neg" if negated > 0 else "neg2pos"
    passive, still = _passive(a), _passive(b)
    if passive != still:
        yield "p2a" if passive else "a2p"


def _sentences(words: Sequence[str]) -> int:
    """Ends of sentences inside, and the last."""
    return 1 + sum(word in _ENDS for word in words[:-1])


def _passive(words: Sequence[str]) -> bool:
    """A form of be and a participle within two words, then `by`."""
    for k, word in enumerate(words):
        if word in _BE and any(w.endswith(("ed", "en")) and "by" in words[k + 2 :] for w in words[k + 1 : k + 3]):
            return True
    return False
