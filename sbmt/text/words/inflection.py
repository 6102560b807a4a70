"""Inflected forms of English words and their possible Penn tags: lemminflect's dictionary with a few corrections.

This needs lemminflect, which the extra `inflection` installs.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import ModuleType

from sbmt.errors import SbmtError
from sbmt.text.words.english import MASS_NOUNS
from sbmt.text.words.frequency import zipf

Paradigm = Mapping[str, tuple[str, ...]]  # tag -> forms, the preferred one first

TAGS = {
    "VERB": ("VB", "VBD", "VBG", "VBN", "VBP", "VBZ"),
    "NOUN": ("NN", "NNS"),
    "ADJ": ("JJ", "JJR", "JJS"),
    "ADV": ("RB",),
}

# Forms that the dictionary lacks, misspells, or lists in an unusual order.
CORRECTIONS: dict[tuple[str, str], Paradigm] = {
    ("abide", "VERB"): {"VBD": ("abided",), "VBN": ("abided",)},  # an abode is a home
    ("forbid", "VERB"): {"VBN": ("forbidden",)},
    ("forgo", "VERB"): {"VBD": ("forwent",), "VBN": ("forgone",), "VBG": ("forgoing",), "VBZ": ("forgoes",)},
    ("get", "VERB"): {"VBN": ()},  # no passive: "was obtained" is not "was got"
    ("lie", "VERB"): {"VBD": ("lay",), "VBN": ("lain",)},
    ("loyal", "ADJ"): {"JJR": (), "JJS": ()},
    ("person", "NOUN"): {"NNS": ("people", "persons")},
    ("plead", "VERB"): {"VBD": ("pleaded", "pled"), "VBN": ("pleaded", "pled")},
    ("put", "VERB"): {"VBD": ("put",), "VBN": ("put",)},
    ("quit", "VERB"): {"VBN": ("quit",)},
    ("relay", "VERB"): {"VBD": ("relayed",), "VBN": ("relayed",)},  # what is relaid was laid again
    ("wake", "VERB"): {"VBN": ("woken",)},
    ("wet", "VERB"): {"VBD": ("wet",)},
}
_MIN_VERB_ZIPF = 1.0  # rarer unknown verbs are taken for misspellings
ZERO_PLURALS = frozenset("aircraft crossroads deer fish headquarters means offspring series sheep species".split())
# Nouns that have no plural, though some follow "a" ("a help").
WITHOUT_PLURAL = MASS_NOUNS | frozenset(
    "anger crowning effectiveness firmness harm help joining knowledge rebuilding usefulness".split()
)


@cache
def word_forms(lemma: str, pos: str) -> dict[str, tuple[str, ...]]:
    """Return the forms of a word by tag; unknown hyphenated words inflect like their last part, others regularly.

    `pos` is a key of TAGS. Raises SbmtError if lemminflect is not installed.
    """
    dictionary = _dictionary()
    forms_by_tag = dictionary.getAllInflections(lemma, upos=pos)
    stem, hyphen, last = lemma.rpartition("-")
    if not forms_by_tag and hyphen:
        return {tag: tuple(f"{stem}-{form}" for form in forms) for tag, forms in word_forms(last, pos).items()}
    if not forms_by_tag and (pos == "NOUN" or (pos == "VERB" and zipf(lemma) >= _MIN_VERB_ZIPF)):
        forms_by_tag = dictionary.getAllInflectionsOOV(lemma, upos=pos)
        forms_by_tag["VBP"] = forms_by_tag.get("VB", ())
    if pos == "ADJ":
        forms_by_tag.setdefault("JJ", (lemma,))
    if pos == "VERB" and "VBD" in forms_by_tag:
        forms_by_tag.setdefault("VBN", forms_by_tag["VBD"])
    if pos == "NOUN":
        forms_by_tag["NNS"] = _plurals(lemma, forms_by_tag.get("NNS", ()))
    forms_by_tag |= CORRECTIONS.get((lemma, pos), {})
    return {tag: forms_by_tag[tag] for tag in TAGS[pos] if forms_by_tag.get(tag)}


@cache
def tags(word: str) -> frozenset[str]:
    """Return the Penn tags of a word in the dictionary; none for words of closed classes and unknown words.

    Raises SbmtError if lemminflect is not installed.
    """
    return frozenset(
        tag
        for pos, lemmas in _dictionary().getAllLemmas(word).items()
        if pos in TAGS
        for lemma in lemmas
        for tag, forms in word_forms(lemma, pos).items()
        if word in forms
    )


def _plurals(lemma: str, forms: tuple[str, ...]) -> tuple[str, ...]:
    """Return the plurals without those that the dictionary wrongly has for mass nouns."""
    if lemma in ZERO_PLURALS:
        return (lemma,)
    return () if lemma in WITHOUT_PLURAL else tuple(form for form in forms if form != lemma)


def _dictionary() -> ModuleType:
    try:
        import lemminflect
    except ImportError:
        cure = "pip install lemminflect, or sbmt with its extra: pip install 'sbmt[inflection]'"
        raise SbmtError(f"parts of speech need lemminflect's dictionary, which is not installed ({cure})") from None
    module: ModuleType = lemminflect
    return module
