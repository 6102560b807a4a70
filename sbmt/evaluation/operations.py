"""Simplification operations detected from strings: those labels of ASSETann (Cardon et al. 2022) that strings show.

ASSETann's labels: insertions and deletions of modifiers (`mod`), clauses (`prop`), words that another change makes
necessary (`cst`, consistency) and others (`oth`); synonym; verbf, the form of a verb; POSchange; s2p and p2s, number;
pron and fromPron; p2a and a2p, voice; pos2neg and neg2pos; move; split; merge. Left out, because they need meaning or
parses: hyperonym, hyponym, toImp, fromImp. The rules follow what the labels mean; which rules to keep was decided on
the first DEVELOPED sources of ASSETann, so those cannot serve as test data.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from rapidfuzz.distance import Prefix

from sbmt.evaluation.alignment import is_inflection
from sbmt.evaluation.transformations import ADD, DELETE, MOVE, REPLACE, Pairs, Transformed, transform
from sbmt.text.words.content import NOT_CONTENT, is_content
from sbmt.text.words.english import FORMS_OF_BE, FORMS_OF_DO, MODALS, NEGATIONS, PRONOUNS

DEVELOPED = 180  # of 359 sources

LABELS = tuple(
    """synonym delmod delprop delcst deloth inmod inprop incst inoth move split merge verbf POSchange s2p p2s pron
    fromPron p2a a2p pos2neg neg2pos""".split()
)
_VERB_ENDINGS = ("ed", "ing", "en", "wn", "d")
_DERIVING = tuple("ion ions ment ments ness ity ly al able ous ance ence ive ic er or ist ful".split())
_DERIVED = 2 / 3  # of the longer word's letters are shared by words of one root
_ROOT = 4  # letters at least
_BEFORE_VERBS = MODALS.union(FORMS_OF_DO, "to who which that this there i you he she it we they".split())
_CLAUSE_STARTS = frozenset("which who whom whose that because although though while when where if since".split())
_CLAUSE = 5  # words from which a deleted or inserted stretch with a verb counts as a clause
_MODIFIER = 2  # content words up to which a stretch counts as a modifier
_BE = frozenset(FORMS_OF_BE)
_ENDS = frozenset(".!?;")
_MODIFIER_ENDINGS = ("ly", "ous", "ive", "ful", "al", "ic", "able", "ible", "less", "ary", "ent", "ant")
_MODIFIERS = frozenset(
    """again almost already also always both certain different even ever first further however instead just later many
    more most mostly much never now often once only originally other own perhaps quite rather same several similar so
    soon still such then therefore thus too various very""".split()
)
_PREPOSITIONS = frozenset(
    """about after against around as at before between among by despite during for from in into near of on over since
    through to under until upon with within without""".split()
)
_PARTICIPLES = frozenset(
    """become begun born built chosen driven found given grown held kept known led left lost made met paid put read said
    seen sent set shown sold taken thought told used won worn written""".split()
)


def operations(source: Sequence[str], output: Sequence[str], pairs: Pairs = ()) -> frozenset[str]:
    """Return the labels of LABELS that a pair of word lists shows. Raises what `align` does."""
    words = transform(source, output, pairs)
    a, b = [w.lower() for w in source], [w.lower() for w in output]
    labels = (
        *_label_replacements(a, b, words),
        *_label_stretches(a, b, words),
        *_label_by_counts(a, b, words),
        *_label_voice(a, b, words),
    )
    return frozenset(labels)


def _label_replacements(a: Sequence[str], b: Sequence[str], words: Transformed) -> Iterator[str]:
    """Yield labels of single links between words that differ."""
    for i, j in words.links:
        if words.source[i] != REPLACE:
            continue
        word, other = a[i], b[j]
        if other in PRONOUNS and word not in PRONOUNS:
            if word not in NOT_CONTENT and not (j and b[j - 1] in _ENDS):  # after an end of sentence a split needs it
                yield "pron"
        elif word in PRONOUNS and other not in PRONOUNS:
            yield "fromPron"
        elif {word, other} <= NOT_CONTENT:
            yield "verbf" if {word, other} <= _BE else "delcst"
        elif is_inflection(word, other):
            yield _label_inflection((word, other), {*a[max(i - 1, 0) : i], *b[max(j - 1, 0) : j]})
        else:
            yield "POSchange" if _share_root(word, other) else "synonym"


def _label_inflection(forms: tuple[str, str], before: set[str]) -> str:
    """Return the label of two forms of a word; `before` are the words before them."""
    form, other = forms
    if _adds_s(form, other) or _adds_s(other, form):
        if not _BEFORE_VERBS.isdisjoint(before):
            return "verbf"
        return "s2p" if len(form) < len(other) else "p2s"
    if form.endswith(_DERIVING) != other.endswith(_DERIVING):
        return "POSchange"
    return "verbf" if any(word.endswith(_VERB_ENDINGS) for word in forms) else "POSchange"


def _adds_s(word: str, longer: str) -> bool:
    """Whether the longer word is the other one with the ending of a plural, which is also that of a verb."""
    return longer in (word + "s", word + "es") or (word.endswith("y") and longer == word[:-1] + "ies")


def _share_root(word: str, other: str) -> bool:
    """Whether two words have a root in common: "invention", "inventive"."""
    shared = Prefix.similarity(word, other)
    return shared >= max(_ROOT, _DERIVED * max(len(word), len(other)))


def _label_stretches(a: Sequence[str], b: Sequence[str], transformed: Transformed) -> Iterator[str]:
    """Yield labels of stretches of deleted and of inserted words."""
    for prefix, words, labels, edit in (("del", a, transformed.source, DELETE), ("in", b, transformed.output, ADD)):
        for label, group in groupby(range(len(words)), key=labels.__getitem__):
            if label != edit:
                continue
            positions = list(group)
            stretch, following = [words[k] for k in positions], words[positions[-1] + 1 : positions[-1] + 2]
            yield prefix + _classify_stretch(stretch, following)
            if {stretch[0], stretch[-1]} & {",", ";"}:
                yield prefix + "cst"


def _classify_stretch(words: Sequence[str], following: Sequence[str]) -> str:
    """Return `mod`, `prop`, `cst` or `oth`; `following` holds the word after the stretch, if any."""
    inner = [word for word in words if word[0].isalnum()]
    content = list(filter(is_content, inner))
    if inner and all(word in _MODIFIERS or word.endswith("ly") for word in inner):
        return "mod"
    if not content:
        return "cst"
    has_verb = any(word in _BE or word.endswith(("ed", "ing")) for word in words)
    begins_clause = not _CLAUSE_STARTS.isdisjoint((inner[0], *words[:2]))
    if begins_clause or (len(words) >= _CLAUSE and has_verb):
        return "prop"
    if len(content) <= _MODIFIER and any(word.endswith(_MODIFIER_ENDINGS) for word in content):
        return "mod"
    if inner[0] in _PREPOSITIONS and not has_verb:
        return "mod"
    return "mod" if len(inner) == 1 and any(map(is_content, following)) else "oth"


def _label_by_counts(a: Sequence[str], b: Sequence[str], words: Transformed) -> Iterator[str]:
    """Yield labels that follow from counts over the pair: moves, sentences, negations."""
    if MOVE in words.source:
        yield "move"
    source_ends, output_ends = _count_ends(a), _count_ends(b)
    if output_ends != source_ends:
        yield "split" if output_ends > source_ends else "merge"
    negated = sum(w in NEGATIONS for w in b) - sum(w in NEGATIONS for w in a)
    if negated:
        yield "pos2neg" if negated > 0 else "neg2pos"


def _count_ends(words: Sequence[str]) -> int:
    """Count the ends of sentences before the last word."""
    return sum(word in _ENDS for word in words[:-1])


def _label_voice(a: Sequence[str], b: Sequence[str], words: Transformed) -> Iterator[str]:
    """Yield labels of verbs that are passive on one side only."""
    for i, j in words.links:
        if a[i] == b[j] or is_inflection(a[i], b[j]):
            was_passive, is_passive = _is_passive(a, i), _is_passive(b, j)
            if was_passive != is_passive:
                yield "p2a" if was_passive else "a2p"


def _is_passive(words: Sequence[str], k: int) -> bool:
    """Whether a word is a participle with a form of be at most two words before it."""
    participle = words[k].endswith(("ed", "en")) or words[k] in _PARTICIPLES
    return participle and not _BE.isdisjoint(words[max(k - 2, 0) : k])
