"""Inflected forms of English words and the Penn tags they can have: lemminflect's dictionary with a few corrections.

It needs lemminflect, which the extra `experiment` installs.
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

# What the dictionary lacks, misspells, or lists in an order that is not the common usage.
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
_KNOWN_ZIPF = 1.0  # a verb that is rarer is taken for a misspelling
ZERO_PLURALS = frozenset("aircraft crossroads deer fish headquarters means offspring series sheep species".split())
# Nouns that have no plural, though some follow "a" ("a help").
WITHOUT_PLURAL = MASS_NOUNS | frozenset(
    "anger crowning effectiveness firmness harm help joining knowledge rebuilding usefulness".split()
)


@cache
def word_forms(lemma: str, pos: str) -> dict[str, tuple[str, ...]]:
    """The forms of one word; a hyphenated word inflects as its last part; what the dictionary lacks, regularly.

    `pos` is a key of TAGS. Raises SbmtError if lemminflect is not installed.
    """
    dictionary = _dictionary()
    known = dictionary.getAllInflections(lemma, upos=pos)
    stem, hyphen, last = lemma.rpartition("-")
    if not known and hyphen:
        return {tag: tuple(f"{stem}-{form}" for form in forms) for tag, forms in word_forms(last, pos).items()}
    if not known and (pos == "NOUN" or (pos == "VERB" and zipf(lemma) >= _KNOWN_ZIPF)):
        known = dictionary.getAllInflectionsOOV(lemma, upos=pos)
        known["VBP"] = known.get("VB", ())
    if pos == "ADJ":
        known.setdefault("JJ", (lemma,))
    if pos == "VERB" and "VBD" in known:
        known.setdefault("VBN", known["VBD"])
    if pos == "NOUN":
        known["NNS"] = _plurals(lemma, known.get("NNS", ()))
    known |= CORRECTIONS.get((lemma, pos), {})
    return {tag: known[tag] for tag in TAGS[pos] if known.get(tag)}


@cache
def tags(word: str) -> frozenset[str]:
    """The Penn tags that the dictionary has for a word; none for words of closed classes and unknown ones.

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
    """The dictionary writes mass nouns as their own plurals, or gives them plurals that nobody uses."""
    if lemma in ZERO_PLURALS:
        return (lemma,)
    return () if lemma in WITHOUT_PLURAL else tuple(form for form in forms if form != lemma)


def _dictionary() -> ModuleType:
    try:
        import lemminflect
    except ImportError:
        cure = "pip install lemminflect, or sbmt with its extra: pip install 'sbmt[experiment]'"
        raise SbmtError(f"parts of speech need lemminflect's dictionary, which is not installed ({cure})") from None
    module: ModuleType = lemminflect
    return module
