"""KenLM itself is the judge: it must read our binaries and score as it does with the ARPA file."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import kenlm
import numpy as np
import pytest

from sbmt.lm.arpa import read_arpa, write_arpa
from sbmt.lm.counts import count_text
from sbmt.lm.kenlm_binary import LONGEST, murmur_hash, probing_table, write_kenlm_binary
from sbmt.lm.kneser_ney import estimate
from sbmt.lm.model import LanguageModel
from tests.decoder.brute_force import write_arpa as write_random

HASHES = ["0x758639bd217e70", "0x6be0737df1f76c0a", "0xda8e9b438311dfab", "0xbda22647f930da63"]

Text = Callable[..., list[str]]

# "b c" is missing, as entropy pruning leaves it, and so is <unk>; word lengths go over MurmurHash's blocks of eight.
GAPPY = """
\\data\\
ngram 1=9
ngram 2=5
ngram 3=3

\\1-grams:
-1.1\t</s>
-99\t<s>\t-0.3
-0.9\ta\t-0.25
-0.8\tb\t-0.5
-1.2\tc
-1.3\tachtbuch\t-0.1
-1.4\tneunbuchs
-1.5\tein-noch-längeres-wort\t-0.2
-1.6\t-0\t0

\\2-grams:
-0.4\t<s> a\t-0.1
-0.5\ta b\t-0.2
-0.6\tb achtbuch
-0.7\tb </s>
-0.3\tachtbuch neunbuchs\t-0.7

\\3-grams:
-0.2\ta b c
-0.35\t<s> a b
-0.15\tb achtbuch neunbuchs

\\end\\
"""


def full_scores(model: kenlm.Model, sentence: str) -> list[tuple[float, int, bool]]:
    return list(model.full_scores(sentence))


def check(arpa: Path, binary: Path, words: list[str], ngrams: list[str]) -> None:
    """The same probability, n-gram length and unknown flag for every word of n-grams and of random sentences."""
    expected, ours = kenlm.Model(str(arpa)), kenlm.Model(str(binary))
    assert ours.order == expected.order
    generator = random.Random(3)
    sentences = [" ".join(generator.choices([*words, "unseen"], k=generator.randint(0, 8))) for _ in range(500)]
    for sentence in ngrams + sentences:
        assert full_scores(ours, sentence) == full_scores(expected, sentence)


@pytest.mark.parametrize("order", [2, 3, 5])
def test_scores_as_the_arpa_file(tmp_path: Path, order: int, text: Text) -> None:
    write_arpa(estimate(count_text(text(300, 80), order), (0, 0, 1)[:order]), tmp_path / "lm.arpa")
    model = read_arpa(tmp_path / "lm.arpa")
    write_kenlm_binary(model, tmp_path / "lm.binary")
    ngrams = [
        " ".join(model.words[i] for i in row if i > 2) for k in range(1, order + 1) for row in model.trie.words(k)
    ]
    check(tmp_path / "lm.arpa", tmp_path / "lm.binary", model.words[3:], ngrams)


def test_model_with_missing_suffixes(tmp_path: Path) -> None:
    (tmp_path / "lm.arpa").write_text(GAPPY, encoding="utf-8")
    model = read_arpa(tmp_path / "lm.arpa")
    assert model.trie.size(2) == 6  # with "b c"
    write_kenlm_binary(model, tmp_path / "lm.binary")
    check(tmp_path / "lm.arpa", tmp_path / "lm.binary", model.words[3:], ["a b c", "b c a", "b achtbuch neunbuchs a"])


def test_states_are_as_short(tmp_path: Path) -> None:
    """Words that no longer n-gram can use leave the state, or recombination in the decoder would suffer."""
    (tmp_path / "lm.arpa").write_text(GAPPY, encoding="utf-8")
    write_kenlm_binary(read_arpa(tmp_path / "lm.arpa"), tmp_path / "lm.binary")
    for name in ("lm.arpa", "lm.binary"):
        model, after_b, after_end, nothing = kenlm.Model(str(tmp_path / name)), *(kenlm.State() for _ in range(3))
        model.NullContextWrite(nothing)
        model.BaseScore(nothing, "b", after_b)
        model.BaseScore(after_b, "c", after_end)  # neither a back-off weight nor a continuation
        assert after_b != nothing
        assert after_end == nothing


def test_states_are_exact_where_an_ngram_weighs_and_its_end_does_not(tmp_path: Path) -> None:
    """Of a binary nothing is known but what KenLM says of contexts."""
    for seed in range(20):
        arpa = write_random(tmp_path / "lm.arpa", seed, "abc", 4, weightless=0.7)
        write_kenlm_binary(read_arpa(arpa), tmp_path / "lm.binary")
        states, judge = LanguageModel(tmp_path / "lm.binary", log10=True).states(), kenlm.Model(str(arpa))
        generator = random.Random(seed)
        for _ in range(50):
            words = generator.choices("abcz", k=6)
            (left, first), (right, second) = states.combine(words[:2], ()), states.combine(words[2:], ())
            added, _ = states.combine(("<s>", 0, 1, "</s>"), (first, second))
            assert left + right + added == pytest.approx(judge.score(" ".join(words)), abs=1e-4)


def test_order_one(tmp_path: Path, text: Text) -> None:
    model = estimate(count_text(text(100, 20), 1))
    write_kenlm_binary(model, tmp_path / "lm.binary")
    loaded = kenlm.Model(str(tmp_path / "lm.binary"))
    word = model.words.index("w1")
    assert loaded.score("w1", bos=False, eos=False) == pytest.approx(float(model.log10_p[0][word]))


def test_probing_wraps_around() -> None:
    entries = np.array([(2, 1.0), (5, 2.0), (8, 3.0), (11, 4.0)], LONGEST)  # 6 buckets: all want 2 or 5
    table = probing_table(entries, 4)
    assert len(table) == 6
    for entry in entries:
        bucket = int(entry["key"]) % 6
        while table[bucket]["key"] != entry["key"]:
            assert table[bucket]["key"] != 0
            bucket = (bucket + 1) % 6
        assert table[bucket]["probability"] == entry["probability"]


def test_murmur_hash() -> None:
    """Keys read from the vocabulary table of a binary that KenLM's build_binary wrote."""
    words = [b"<s>", b"</s>", b"neunbuch1", b"sechzehnbuchstab"]
    assert [hex(value) for value in murmur_hash(words).tolist()] == HASHES


def test_failure_leaves_no_file(tmp_path: Path) -> None:
    model = estimate(count_text(["a b"], 2))
    model.log10_p.pop()
    with pytest.raises(IndexError):
        write_kenlm_binary(model, tmp_path / "lm.binary")
    assert not list(tmp_path.iterdir())
