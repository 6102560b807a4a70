"""Forms and tags of words; most of what the dictionary knows is tested with the starter's lists."""

from __future__ import annotations

import sys

import pytest

from sbmt.errors import SbmtError
from sbmt.text.words.inflection import tags, word_forms


def test_a_word_has_the_tags_of_all_its_readings() -> None:
    assert tags("saw") == {"VBD", "VB", "VBP", "NN"}
    assert tags("the") == tags("zorbs") == frozenset()


def test_the_dictionary_must_be_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    word_forms.cache_clear()
    monkeypatch.setitem(sys.modules, "lemminflect", None)
    with pytest.raises(SbmtError, match=r"lemminflect's dictionary, which is not installed .*sbmt\[inflection\]"):
        word_forms("house", "NOUN")
