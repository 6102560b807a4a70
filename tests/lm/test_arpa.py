"""ARPA files: round trips, the forms other programs write, and every complaint."""

from __future__ import annotations

import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest

from sbmt.errors import FormatError, ModelError
from sbmt.lm.arpa import read_arpa, write_arpa
from sbmt.lm.counts import count_text
from sbmt.lm.kneser_ney import estimate
from sbmt.lm.load import load_kenlm
from sbmt.lm.model import LanguageModel

Text = Callable[..., list[str]]

HEAD = "\\data\\\nngram 1=3\nngram 2=1\n\n\\1-grams:\n-1\t<s>\t-0.5\n-1\t</s>\n-0.5\ta\n\n\\2-grams:\n"
WHOLE = HEAD + "-0.2\t<s> a\n\n\\end\\\n"


@pytest.mark.parametrize("name", ["lm.arpa", "lm.arpa.gz", "lm.arpa.xz"])
def test_round_trip(tmp_path: Path, name: str, text: Text) -> None:
    model = estimate(count_text([*text(40, 20), "non\u00a0breaking wörter"], 3))
    write_arpa(model, tmp_path / name)
    again = read_arpa(tmp_path / name)
    assert again.words == model.words
    for k in range(1, 4):
        assert (again.trie.words(k) == model.trie.words(k)).all()
        assert again.log10_p[k - 1] == pytest.approx(model.log10_p[k - 1], abs=2e-6)
        assert again.log10_backoff[k - 1] == pytest.approx(model.log10_backoff[k - 1], abs=2e-6)


def test_other_programs_forms(tmp_path: Path) -> None:
    """A remark before the data, blanks as separators, no <unk>, "<UNK>", compressed without saying so."""
    text = (
        "made by hand\n"
        + HEAD.replace("ngram 1=3", "ngram 1=4").replace("a\n\n", "a\n-2 <UNK>\n\n")
        + "-0.2 <s> <UNK>\n\n\\end\\\n"
    )
    (tmp_path / "lm").write_bytes(gzip.compress(text.encode()))
    model = read_arpa(tmp_path / "lm")
    assert model.words == ["<unk>", "<s>", "</s>", "a"]
    assert model.log10_p[0].tolist() == [-2.0, -1.0, -1.0, -0.5]
    assert model.trie.words(2).tolist() == [[1, 0]]
    (tmp_path / "lm").write_text(WHOLE)
    assert read_arpa(tmp_path / "lm").log10_p[0][0] == -100.0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("some text\n", r"has no \\data\\ line \(is it an ARPA file\?\)"),
        (
            WHOLE.replace("2=1", "2=3").replace("-0.2\t<s> a", "-0.2\t<s> a\n-0.3\ta a\n-0.4\t<s> a"),
            r"line 13: has the 2-gram '<s> a' a second time \(keep one of the two\)",
        ),
        ("x\n" * 200, r"line 101: no \\data\\ line so far"),
        ("\\data\\\nngram 2=1\n", "line 2: expected 'ngram 1=COUNT', found 'ngram 2=1'"),
        ("\\data\\\n", r"has no line 'ngram 1=COUNT' below \\data\\ \(is it whole"),
        ("\\data\\\n\n\\end\\\n", "has no line 'ngram 1=COUNT' below"),
        (
            "\\data\\\nngram 1=1\n\n\\2-grams:\n",
            r"line 4: expected \\1-grams:, found '\\\\2-grams:' \(is it whole, and",
        ),
        ("\\data\\\nngram 1=1\n", r"expected \\1-grams:, found 'the end of the file'"),
        (HEAD, r"has 0 2-grams, but its head says 1 \(is it whole\?\)"),
        (WHOLE.replace("1=3", "1=4"), "line 10: has 3 1-grams, but its head says 4"),
        (WHOLE.replace("1=3", "1=2"), r"line 8: expected \\2-grams:, found '-0.5\\ta'"),
        (WHOLE.replace("2=1", "2=2"), "line 13: has 1 2-grams, but its head says 2"),
        (WHOLE.replace("2=1", "2=0"), r"line 11: expected \\end\\, found '-0.2\\t<s> a'"),
        (WHOLE.replace("ngram 2=1\n", ""), r"line 9: expected \\end\\, found '\\\\2-grams:'"),
        (WHOLE.replace("\\end\\\n", ""), r"expected \\end\\, found 'the end of the file'"),
        ("\\data\\\nngram 1=²\n", "line 2: expected 'ngram 1=COUNT', found 'ngram 1=²'"),
        ("\\data\\\nngram 1=" + "7" * 5000, "line 2: expected 'ngram 1=COUNT', found 'ngram 1=7{72}'$"),
        (WHOLE.replace("-0.2", "nan"), "line 11: the log10 probability nan is not from -1000 to 0"),
        (WHOLE.replace("-0.2", "0.2"), "line 11: the log10 probability 0.2 is not from -1000 to 0"),
        (WHOLE.replace("-0.2", "-1e300"), "line 11: the log10 probability -inf is not from -1000 to 0"),
        (
            WHOLE.replace("-0.5\ta", "-0.5\ta\t1e30"),
            r"line 8: the log10 back-off weight 1e\+30 is not from -1000 to 1000",
        ),
        (
            WHOLE.replace("1=3", "1=4").replace("-0.5\ta", "-0.5\ta\n-0.5\ta"),
            r"line 9: has the 1-gram 'a' a second time \(keep one of the two\)",
        ),
        (
            WHOLE.replace("1=3", "1=4").replace("-0.5\ta", "\n-0.5\ta\n\n-0.5\ta"),
            "line 11: has the 1-gram 'a' a second time",
        ),
        (WHOLE.replace("-0.2", "\n\nnan"), "line 13: the log10 probability nan is not from -1000 to 0"),
        (
            WHOLE.replace("2=1", "2=3").replace("-0.2", "-0.3\ta a\n\n-0.2\t<s> a\n\n-0.2"),
            "line 15: has the 2-gram '<s> a'",
        ),
        (WHOLE.replace("</s>", "b"), r"has no 1-gram </s> \(estimate it from text with sentence marks\)"),
        (WHOLE.replace("<s>", "b"), "has no 1-gram <s>"),
        (HEAD.replace("2=1", f"2={10**15}"), f"says that it has {10**15} 2-grams, more than memory holds"),
        (HEAD + "-0.2\t<s>\n", r"line 11: expected a number and 2 words, found '-0.2\\t<s>'"),
        (HEAD + "-0.2\t<s> a a a\n", r"line 11: expected a number and 2 words, found '-0.2\\t<s> a a a'"),
        (HEAD + "x\t<s> a\n", "line 11: expected a number and 2 words"),
        (HEAD + "-0.2\t<s> b\n", "line 11: the word 'b' is not among the 1-grams"),
        (
            HEAD.replace("2=1", "2=1\nngram 3=1") + "-0.2\t<s> a\n\n\\3-grams:\n-0.1\ta a a\n\n\\end\\\n",
            "has 'a a a' without its first 2 words",
        ),
    ],
)
def test_complaints(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "bad.arpa").write_text(text)
    with pytest.raises(FormatError, match=message):
        read_arpa(tmp_path / "bad.arpa")


@pytest.mark.parametrize(
    ("line", "more"), [("\\1-grams:\n", "\n"), ("\\2-grams:\n", "\n \t\n"), ("\t</s>\n", "\n"), ("<s> a\n", "\n\n")]
)
def test_blank_lines_are_taken_where_kenlm_takes_them(tmp_path: Path, line: str, more: str) -> None:
    whole, path = WHOLE.replace("1=3", "1=4").replace("-0.5\ta", "-2\t<unk>\n-0.5\ta"), tmp_path / "m.arpa"
    path.write_text(whole.replace(line, line + more))
    model = read_arpa(path)
    assert model.words == ["<unk>", "<s>", "</s>", "a"]
    write_arpa(model, tmp_path / "again.arpa")
    expected = load_kenlm(path).score("a z a")
    assert expected == pytest.approx(-0.2 - 2 - 0.5 - 1)
    assert load_kenlm(tmp_path / "again.arpa").score("a z a") == pytest.approx(expected)
    assert LanguageModel(path, log10=True).states().combine(("<s>", "a", "z", "a", "</s>"), ())[0] == pytest.approx(
        expected
    )


@pytest.mark.parametrize("number", ["-inf", "-1e39"])
def test_a_word_that_nothing_could_be_decoded_with_is_refused(tmp_path: Path, number: str) -> None:
    (tmp_path / "bad.arpa").write_text(WHOLE.replace("-0.5\ta", f"{number}\ta"))
    with pytest.raises(ModelError, match=rf"bad\.arpa, line 8: a number is not from -1000 to 1000: '{number}\\ta'"):
        LanguageModel(tmp_path / "bad.arpa")
    (tmp_path / "least.arpa").write_text(WHOLE.replace("-0.5\ta", "-1000\ta"))
    assert LanguageModel(tmp_path / "least.arpa").score(["a", "a"]) < -2.3e3
    (tmp_path / "marked.arpa").write_text("\ufeff" + WHOLE)
    with pytest.raises(ModelError, match=r"language model .*marked\.arpa: begins with a byte order mark"):
        LanguageModel(tmp_path / "marked.arpa")


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress])
def test_a_compressed_model_cut_short_is_named(tmp_path: Path, compress: Callable[[bytes], bytes]) -> None:
    (tmp_path / "cut.arpa").write_bytes(compress(WHOLE.encode())[:15])
    with pytest.raises(ModelError, match=r"language model .*cut\.arpa: the compressed file is damaged"):
        load_kenlm(tmp_path / "cut.arpa")


def test_what_kenlm_says_of_words_that_are_not_utf8(tmp_path: Path) -> None:
    """It quotes them as they are: a bigram whose second word is no unigram. Python 3.11.2 loses what it says."""
    lines = ["\\data\\", "ngram 1=4", "ngram 2=1", "", "\\1-grams:", "-1\t<unk>", "-1\t<s>\t-0.3", "-1\t</s>"]
    lines += ["-1\tcafé\t-0.3", "", "\\2-grams:", "-0.5\tcafé ré", "", "\\end\\", ""]
    (tmp_path / "bad.arpa").write_text("\n".join(lines), encoding="latin-1")
    said = r"Word r\ufffd was not seen|cannot be read: perhaps its words are not UTF-8"
    with pytest.raises(ModelError, match=rf"language model .*bad\.arpa: ({said})"):
        load_kenlm(tmp_path / "bad.arpa")


@pytest.mark.parametrize("count", ["-2", "-1", "9223372036854775808", "18446744073709551615"])
def test_kenlm_never_sees_a_head_that_it_breaks_down_on(tmp_path: Path, count: str) -> None:
    (tmp_path / "bad.arpa").write_text("# a remark\n" + WHOLE.replace("2=1", f"2={count}"))
    with pytest.raises(
        ModelError, match=f"language model .*bad.arpa, line 4: expected 'ngram 2=COUNT', found .*{count}'"
    ):
        load_kenlm(tmp_path / "bad.arpa")
