"""Loading language models."""

from __future__ import annotations

from pathlib import Path

import pytest

from sbmt.errors import SbmtError
from sbmt.lm.model import LanguageModel
from tests.decoder.brute_force import write_arpa


def test_missing_or_damaged_language_model(tmp_path: Path) -> None:
    with pytest.raises(SbmtError, match=r"language model .*none\.arpa: no such file"):
        LanguageModel(tmp_path / "none.arpa")
    few = (
        "\\data\\\nngram 1=6\nngram 2=1\nngram 3=2\n\n\\1-grams:\n-1\t<unk>\n-1\t<s>\n-1\t</s>\n-1\ta\n-1\tb\n-1\tc\n\n"
    )
    few += "\\2-grams:\n-1\ta a\n\n\\3-grams:\n-1\ta a b\n-1\ta a c\n\n\\end\\\n"
    (tmp_path / "few.arpa").write_text(few)
    with pytest.raises(SbmtError, match=r"language model .*few\.arpa: Avoid pruning n-grams like"):
        LanguageModel(tmp_path / "few.arpa")
    (tmp_path / "bad.arpa").write_text("\\data\\\nngram 1=two\n")
    with pytest.raises(
        SbmtError, match=r"language model .*bad\.arpa, line 2: expected 'ngram 1=COUNT', found 'ngram 1=two'"
    ):
        LanguageModel(tmp_path / "bad.arpa")


def test_language_model_of_too_high_order(tmp_path: Path) -> None:
    with pytest.raises(SbmtError, match=r"m\.arpa: there is no order 0"):
        LanguageModel(tmp_path / "m.arpa", order=0)
    with pytest.raises(SbmtError, match="its order is above what this KenLM was built for"):
        LanguageModel(write_arpa(tmp_path / "seven.arpa", 0, vocabulary="ab", order=9))
