"""A small test set of our own, with markup, right-to-left text and characters beyond 16 bits in it."""

from __future__ import annotations

from typing import Any

SOURCES = [
    "The committee endeavoured to ascertain the cause of the fire, which had destroyed the old mill.",
    "He utilized numerous tools & said: <script>alert('x')</script> </script><!-- .",
    "\u05d4\u05db\u05dc\u05d1 \u05e8\u05e5 \u05d1\u05d2\u05df \u05d4\u05d2\u05d3\u05d5\u05dc .",
    "The boats were moved at dawn because the storm approached.",
    "Snow fell on the 𝒜 mountain in \u202eMay\u202c.",
    "A dog barked.",
]
REFERENCES = [
    ["The committee tried to find the cause of the fire. It had destroyed the old mill.", "They tried to find out."],
    ["He used many tools & said: <script>alert('x')</script>.", ""],
    ["\u05d4\u05db\u05dc\u05d1 \u05e8\u05e5 \u05d1\u05d2\u05df .", "\u05d4\u05db\u05dc\u05d1 \u05e8\u05e5 ."],
    ["The boats were moved at dawn because a storm was coming.", "At dawn they moved the boats."],
    ["Snow fell on the mountain.", "In May snow fell."],
    ["A dog barked.", "The dog barked."],
]
GOOD = [
    "The committee tried to find the cause of the fire. It had destroyed the old mill.",
    "He used many tools & said: <b onclick=alert(1)>x</b> .",
    "\u05d4\u05db\u05dc\u05d1 \u05e8\u05e5 .",
    "At dawn the boats were moved because the storm approached.",
    "Snow fell on the 𝒜 mountain in early \u202eMay\u202c.",
    "A dog barked.",
]
CHANGES: list[list[dict[str, Any]]] = [[] for _ in SOURCES]
CHANGES[1] = [{"rule": "[VBD] ||| utilized ||| used <i>", "owner": "pt", "score": -0.25}, {"rule": "by hand"}]

MARKUP_NAME = '<good> & "quoted"'
