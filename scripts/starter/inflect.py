"""Every inflected form of a phrase, by Penn tag: lemminflect's dictionary with a few corrections.

A paradigm maps a tag to its forms, the preferred one first. The forms of "be" that differ in person are in the order
singular, plural, so that two phrases led by "be" can be paired person by person.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import lemminflect

from sbmt.text.frequency import zipf
from starter.lists import Phrase

Paradigm = Mapping[str, tuple[str, ...]]

TAGS = {
    "VERB": ("VB", "VBD", "VBG", "VBN", "VBP", "VBZ"),
    "NOUN": ("NN", "NNS"),
    "ADJ": ("JJ", "JJR", "JJS"),
    "ADV": ("RB",),
}
BASE = {"VERB": "VB", "NOUN": "NN", "ADJ": "JJ", "ADV": "RB"}
INFLECTING = {"VERB": 0, "NOUN": -1, "ADJ": -1, "ADV": -1}

# What the dictionary lacks, misspells, or lists in an order that is not the common usage.
CORRECTIONS: dict[tuple[str, str], Paradigm] = {
    ("abide", "VERB"): {"VBD": ("abided",), "VBN": ("abided",)},  # an abode is a home
    ("forbid", "VERB"): {"VBN": ("forbidden",)},
    ("forgo", "VERB"): {"VBD": ("forwent",), "VBN": ("forgone",), "VBG": ("forgoing",), "VBZ": ("forgoes",)},
    ("get", "VERB"): {"VBN": ()},  # no passive: "was obtained" is not "was got"
    ("lie", "VERB"): {"VBD": ("lay",), "VBN": ("lain",)},
    ("loyal", "ADJ"): {"JJR": (), "JJS": ()},
    ("plead", "VERB"): {"VBD": ("pleaded", "pled"), "VBN": ("pleaded", "pled")},
    ("put", "VERB"): {"VBD": ("put",), "VBN": ("put",)},
    ("quit", "VERB"): {"VBN": ("quit",)},
    ("relay", "VERB"): {"VBD": ("relayed",), "VBN": ("relayed",)},  # what is relaid was laid again
    ("wake", "VERB"): {"VBN": ("woken",)},
    ("wet", "VERB"): {"VBD": ("wet",)},
}
_KNOWN_ZIPF = 1.0  # a verb that is rarer is taken for a misspelling
ZERO_PLURALS = frozenset("aircraft crossroads deer fish headquarters means offspring series sheep species".split())
# Nouns without a plural.
MASS_NOUNS = frozenset(
    "advice anger clothing crowning effectiveness equipment evidence firmness furniture harm health help information "
    "joining knowledge luck luggage machinery money music news rebuilding research software traffic usefulness "
    "weather".split()
)


def inflect(phrase: Phrase, pos: str) -> dict[str, tuple[str, ...]]:
    """All forms of a phrase as {tag: (form, ...)}; empty if the dictionary does not know the inflecting word."""
    at = phrase.marked if phrase.marked is not None else INFLECTING[pos] % len(phrase.words)
    if pos == "ADV" or (pos == "ADJ" and len(phrase.words) > 1):
        return {BASE[pos]: (str(phrase),)}
    before, after = phrase.words[:at], phrase.words[at + 1 :]
    return {
        tag: tuple(" ".join((*before, form, *after)) for form in forms)
        for tag, forms in word_forms(phrase.words[at], pos).items()
    }


@cache
def word_forms(lemma: str, pos: str) -> dict[str, tuple[str, ...]]:
    """The forms of one word; a hyphenated word inflects as its last part; what the dictionary lacks, regularly."""
    known = lemminflect.getAllInflections(lemma, upos=pos)
    stem, hyphen, last = lemma.rpartition("-")
    if not known and hyphen:
        return {tag: tuple(f"{stem}-{form}" for form in forms) for tag, forms in word_forms(last, pos).items()}
    if not known and (pos == "NOUN" or (pos == "VERB" and zipf(lemma) >= _KNOWN_ZIPF)):
        known = lemminflect.getAllInflectionsOOV(lemma, upos=pos)
        known["VBP"] = known.get("VB", ())
    if pos == "ADJ":
        known.setdefault("JJ", (lemma,))
    if pos == "VERB" and "VBD" in known:
        known.setdefault("VBN", known["VBD"])
    if pos == "NOUN":
        known["NNS"] = _plurals(lemma, known.get("NNS", ()))
    known |= CORRECTIONS.get((lemma, pos), {})
    return {tag: known[tag] for tag in TAGS[pos] if known.get(tag)}


def _plurals(lemma: str, forms: tuple[str, ...]) -> tuple[str, ...]:
    """The dictionary writes mass nouns as their own plurals, or gives them plurals that nobody uses."""
    if lemma in ZERO_PLURALS:
        return (lemma,)
    return () if lemma in MASS_NOUNS else tuple(form for form in forms if form != lemma)
