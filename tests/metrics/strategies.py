"""Sentences over a small vocabulary, so that n-grams repeat and match."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st

WORDS = st.sampled_from(["the", "a", "cat", "mat", "sat", ".", ",", "on"])
SENTENCES = st.lists(WORDS, max_size=9).map(" ".join)
FILLED = st.lists(WORDS, min_size=1, max_size=9).map(" ".join)
REFERENCES = st.lists(FILLED, min_size=1, max_size=4)

REPRODUCIBLE = settings(derandomize=True, deadline=None, max_examples=60)
