"""Cases of clashes: a sentence in which a rule replaces what is between brackets."""

from __future__ import annotations

from sbmt.features.sentence.application import Application
from sbmt.features.sentence.label_clash import LabelClash

# What the grammar has for the words of the cases below, as copies of words have it.
LABELS = {
    "funds": "NNS VBZ", "attributes": "NNS VBZ", "defeat": "NN VB VBP", "attempt": "NN VB VBP",
    "produce": "NN VB VBP", "demand": "NN VB VBP", "travel": "NN VB VBP", "customs": "NNS", "cigarettes": "NNS",
    "systems": "NNS", "organic": "JJ", "poor": "JJ", "young": "JJ NN", "entry-level": "JJ", "loud": "JJ",
    "televised": "VBD VBN", "expressed": "VBD VBN", "keeping": "VBG", "using": "VBG", "sharing": "VBG",
    "spending": "VBG", "painting": "NN VBG", "novel": "JJ NN", "minor": "JJ NN", "house": "NN", "children": "NNS",
    "fairest": "JJS",
    "dogs": "NNS", "unhealthy": "JJ", "pass": "NN VB", "shows": "NNS VBZ", "tools": "NNS",
    "permit": "NN VB VBP", "permits": "NNS VBZ",
    "cause": "NN VB VBP", "love": "NN VB VBP", "further": "RB VB", "felt": "VBD VBN",
    "remain": "VB VBP", "remains": "NNS VBZ", "valid": "JJ", "type": "NN VB VBP", "granted": "VBD VBN",
    "lapsed": "VBD VBN", "cost": "NN VB VBD VBN VBP", "visitors": "NNS", "converts": "NNS VBZ", "access": "NN VB VBP",
    "usually": "RB", "starts": "NNS VBZ", "dwelling": "NN VBG", "ending": "NN VBG",
    "weighs": "VBZ", "worrying": "JJ VBG", "shops": "NNS VBZ", "often": "RB", "fresh": "JJ",
}  # fmt: skip


def clash(text: str, label: str, target: str, *more: Application) -> bool:
    """Whether a rule clashes that replaces what is between brackets."""
    words = text.split()
    start, end = words.index("["), words.index("]") - 1
    words = [word for word in words if word not in "[]"]
    applications = [Application(0, 1, "pt", label, (start, end), tuple(target.split()), 0)]
    for i, word in enumerate(words):
        applications += [Application(0, 2, "pt", tag, (i, i + 1), (word,), 0) for tag in LABELS.get(word, "").split()]
    values = list(LabelClash().values(words, [*applications, *more]))
    assert values in ([], [(0, "LabelClash", 1.0)])
    return bool(values)
