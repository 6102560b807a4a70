"""Loading language models."""

from __future__ import annotations

import gzip
from pathlib import Path

import kenlm
import pytest

from sbmt.errors import SbmtError
from sbmt.lm.arpa import read_arpa
from sbmt.lm.kenlm_binary import write_kenlm_binary
from sbmt.lm.model import LanguageModel
from tests.decoder.brute_force import write_arpa


def test_missing_or_damaged_language_model(tmp_path: Path) -> None:
    with pytest.raises(SbmtError, match=r"language model .*none\.arpa: no such file"):
        LanguageModel(tmp_path / "none.arpa")
    (tmp_path / "bad.arpa").write_text("\\data\\\nngram 1=two\n")
    with pytest.raises(
        SbmtError, match=r"language model .*bad\.arpa, line 2: expected 'ngram 1=COUNT', found 'ngram 1=two'"
    ):
        LanguageModel(tmp_path / "bad.arpa")


def test_a_name_that_is_not_utf_8(tmp_path: Path) -> None:
    arpa, kenlm_binary = tmp_path / "lm\udcff.arpa", tmp_path / "lm\udcff.binary"
    write_arpa(arpa, seed=1)
    write_kenlm_binary(read_arpa(arpa), kenlm_binary)
    for path in (arpa, kenlm_binary):
        assert LanguageModel(path).order == 3
    kenlm_binary.write_bytes(kenlm_binary.read_bytes()[:200])
    with pytest.raises(SbmtError, match=r"language model .*lm\udcff\.binary: .*copy or make it again"):
        LanguageModel(kenlm_binary)


MANY = [f"a {x} {y}" for x in "bcd" for y in "abcd"]  # trigrams, whose last two words are no bigrams


def pruned(path: Path) -> Path:
    """As SRILM prunes; KenLM's table has no room for that many ends of n-grams that are missing."""
    unigrams = ["-1.5\t<unk>", "-99\t<s>\t-0.2", "-1\t</s>", "-0.7\ta\t-0.1", *(f"-0.8\t{x}\t-0.3" for x in "bcd")]
    sections = [unigrams, [f"-0.5\ta {x}\t-0.05" for x in "bcd"], [f"-0.4\t{ngram}" for ngram in MANY]]
    head = "".join(f"ngram {n}={len(lines)}\n" for n, lines in enumerate(sections, 1))
    body = "".join(f"\n\\{n}-grams:\n" + "\n".join(lines) + "\n" for n, lines in enumerate(sections, 1))
    path.write_text(f"\\data\\\n{head}{body}\n\\end\\\n")
    return path


def test_a_pruned_model_that_kenlm_has_no_room_for(tmp_path: Path) -> None:
    """Worked by hand: an n-gram's own probability, else the weight of its context and what the shorter one gives."""
    path = pruned(tmp_path / "m.arpa")
    with pytest.raises(OSError, match="Cannot read model"):
        kenlm.Model(str(path))
    model = LanguageModel(path, log10=True)
    expected = {
        "a b c": [-0.2 - 0.7, -0.5, -0.4, -0.3 - 1],  # "b c" has no weight, "c" has
        "b c d x": [-0.2 - 0.8, -0.3 - 0.8, -0.3 - 0.8, -0.3 - 1.5, -1],
        "a b a b": [-0.2 - 0.7, -0.5, -0.4, -0.5, -0.05 - 0.3 - 1],
    }
    for text, values in expected.items():
        assert model.word_scores(text.split()) == pytest.approx(values)
        states = model.states()
        (left, first), (right, second) = states.combine(text.split()[:1], ()), states.combine(text.split()[1:], ())
        added, _ = states.combine(("<s>", 0, 1, "</s>"), (first, second))
        assert left + right + added == pytest.approx(sum(values))
    assert not model.ends_heavily("b")


def test_a_pruned_model_with_a_fault_is_named(tmp_path: Path) -> None:
    """Which KenLM, out of room, does not come to."""
    path = pruned(tmp_path / "m.arpa")
    path.write_text(path.read_text().replace("a d d", "a b a"))
    with pytest.raises(SbmtError, match=r"language model .*m\.arpa, line 32: has the 3-gram 'a b a' a second time"):
        LanguageModel(path)


def test_language_model_of_too_high_order(tmp_path: Path) -> None:
    with pytest.raises(SbmtError, match=r"m\.arpa: there is no order 0"):
        LanguageModel(tmp_path / "m.arpa", order=0)
    with pytest.raises(SbmtError, match="its order is above what this KenLM was built for"):
        LanguageModel(write_arpa(tmp_path / "seven.arpa", 0, vocabulary="ab", order=9))


def test_a_language_model_that_is_cut_off_is_told(tmp_path: Path) -> None:
    arpa, binary = write_arpa(tmp_path / "m.arpa", 0), tmp_path / "m.binary"
    write_kenlm_binary(read_arpa(arpa), binary)
    compressed = gzip.compress(arpa.read_bytes())
    for name, content, cause in (
        ("cut.arpa", arpa.read_bytes().partition(b"\n\\end")[0], "End of file"),
        ("cut.arpa.gz", compressed[: len(compressed) // 2], "zlib encountered an error"),
        ("cut.binary", binary.read_bytes()[:-100], "has size [0-9]+ but the headers say it should be at least"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(SbmtError, match=rf"{name}: .*{cause}.*; copy or make it again$") as raised:
            LanguageModel(tmp_path / name)
        assert "Byte:" not in str(raised.value)
