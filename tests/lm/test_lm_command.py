"""sbmt-lm as a user runs it."""

from __future__ import annotations

import gzip
import io
import math
import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import kenlm
import pytest

from sbmt.cli.lm import main
from sbmt.errors import SbmtError
from sbmt.lm.arpa import read_arpa
from sbmt.lm.lmplz import run_lmplz
from sbmt.lm.perplexity import perplexity

Text = Callable[..., list[str]]


@pytest.fixture
def corpus(tmp_path: Path, text: Text) -> Path:
    (tmp_path / "corpus.tok").write_text("\n".join(text(400, 60)) + "\n\n")
    return tmp_path / "corpus.tok"


@pytest.fixture(autouse=True)
def no_lmplz(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the machine has."""
    monkeypatch.setattr(shutil, "which", lambda name: None)


def test_estimate_and_evaluate(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    binary, arpa = corpus.with_suffix(".binary"), corpus.with_suffix(".arpa.gz")
    assert main([str(corpus), "--order", "4", "--prune", "0", "1", "-o", str(binary), "--evaluate", str(corpus)]) == 0
    assert main([str(corpus), "--order", "4", "--prune", "0", "1", "-o", str(arpa)]) == 0
    assert gzip.decompress(arpa.read_bytes()).startswith(b"\\data\\")
    assert main(["--evaluate", str(corpus), "--model", str(arpa)]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == second
    assert "400 sentences" in first
    assert "0 unknown (0.00 %)" in first


def test_raw_text_is_remarked_on_once(corpus: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    raw, binary = tmp_path / "raw", tmp_path / "binary"
    raw.write_text("It rained.\nThe town's people left.\n" * 2000)
    assert main([str(raw), str(raw), "--order", "2", "-o", str(binary)]) == 0
    assert [message for message in caplog.messages if "glued" in message] == [
        f"{raw}, {raw} has capitals and punctuation glued to words, unlike the text that models are made from: "
        "convert it with sbmt-text --lowercase"
    ]
    caplog.clear()
    assert main([str(corpus), "-o", str(binary)]) == 0
    assert "glued" not in caplog.text
    caplog.clear()
    assert main(["--evaluate", str(raw), "--model", str(binary)]) == 0
    assert [message.split(" has ")[0] for message in caplog.messages] == [str(raw)]
    arpa, mixed = str(corpus.with_suffix(".arpa")), str(tmp_path / "mixed.binary")
    assert main([str(corpus), "--order", "2", "-o", arpa]) == 0
    caplog.clear()
    assert main(["--mix", arpa, arpa, "--sample", str(raw), "-o", mixed]) == 0
    assert [message.split(" has ")[0] for message in caplog.messages if "glued" in message] == [str(raw)]


def test_standard_input_and_several_files(
    corpus: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    twice, piped = corpus.with_suffix(".2.arpa"), corpus.with_suffix(".stdin.arpa")
    assert main([str(corpus), str(corpus), "-o", str(twice)]) == 0
    stream = io.TextIOWrapper(io.BytesIO(corpus.read_bytes() * 2))
    monkeypatch.setattr("sys.stdin", stream)
    assert main(["-o", str(piped)]) == 0
    assert twice.read_bytes() == piped.read_bytes()


def test_standard_output(
    corpus: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO")
    monkeypatch.chdir(corpus.parent)
    arpa = corpus.with_suffix(".arpa")
    main([str(corpus), "-o", str(arpa)])
    assert main([str(corpus), "-o", "-"]) == 0
    assert capsys.readouterr().out == arpa.read_text()
    sizes = ", ".join(f"{read_arpa(arpa).trie.size(k)} {k}-grams" for k in (1, 2, 3))
    assert [message for message in caplog.messages if "2-grams" in message] == [f"wrote {arpa}: {sizes}", sizes]
    assert not Path("-").exists()


def test_mix_and_convert(corpus: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture) -> None:
    lines = corpus.read_text().splitlines()
    parts = []
    for i in range(2):
        (part := corpus.with_suffix(f".{i}")).write_text("\n".join(lines[i * 150 : (i + 1) * 150]))
        parts.append(str(part) + ".arpa")
        main([str(part), "-o", parts[-1]])
    (sample := corpus.with_suffix(".sample")).write_text("\n".join(lines[300:]))
    mixed, converted = str(corpus.with_suffix(".mixed")), str(corpus.with_suffix(".converted"))
    caplog.set_level("INFO")
    assert main(["--mix", *parts, "--sample", str(sample), "-o", mixed]) == 0
    assert caplog.text.count("weight 0.") == 2
    better, *single = (perplexity(model, lines[300:]).all for model in [mixed, *parts])
    assert better < min(single)
    assert main(["--mix", parts[0], "-o", converted]) == 0
    assert perplexity(converted, lines[300:]) == perplexity(parts[0], lines[300:])


def test_texts_of_another_encoding(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each text makes what the same text makes in UTF-8: estimated from, evaluated, or as a sample."""
    text, first = corpus.read_text() + "café\n" * 5, str(corpus.with_suffix(".arpa"))
    main([str(corpus), "-o", first])
    outputs = []
    for encoding in ("utf-8", "latin-1"):
        (path := corpus.with_suffix(f".{encoding}")).write_text(text, encoding=encoding)
        arpa, mixed = f"{path}.arpa", f"{path}.mixed.arpa"
        assert main([str(path), "--encoding", encoding, "-o", arpa, "--evaluate", str(path)]) == 0
        assert main(["--mix", first, arpa, "--sample", str(path), "--encoding", encoding, "-o", mixed]) == 0
        outputs.append((Path(arpa).read_text("utf-8"), Path(mixed).read_text("utf-8"), capsys.readouterr().out))
    assert outputs[0] == outputs[1]
    assert "\tcafé\t" in outputs[0][0]


def test_the_most_frequent_words_alone(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("a b c\na b d\na e\n")
    arpa = tmp_path / "lm.arpa"
    assert main([str(tmp_path / "text"), "--order", "2", "--vocabulary-limit", "2", "-o", str(arpa)]) == 0
    unigrams = arpa.read_text().partition("\\1-grams:\n")[2].partition("\n\n")[0]
    assert {line.split("\t")[1] for line in unigrams.splitlines()} == {"<unk>", "<s>", "</s>", "a", "b"}


def test_perplexity_by_hand(tmp_path: Path) -> None:
    unigrams = "-1\t<unk>\n-99\t<s>\n-0.5\t</s>\n-0.5\ta\n"
    (tmp_path / "lm.arpa").write_text(
        f"\\data\\\nngram 1=4\nngram 2=1\n\n\\1-grams:\n{unigrams}\n\\2-grams:\n-0.25\ta a\n\n\\end\\\n"
    )
    result = perplexity(tmp_path / "lm.arpa", ["a a b", "", " ", "a"])
    assert (result.sentences, result.words, result.unknown) == (2, 4, 1)
    assert result.log10_p == pytest.approx(-(0.5 + 0.25 + 1 + 0.5) - (0.5 + 0.5))
    assert result.all == pytest.approx(10 ** (3.25 / 6))
    assert result.known == pytest.approx(10 ** (2.25 / 5))
    assert str(result).endswith("2 sentences, 4 words, 1 unknown (25.00 %)")
    assert perplexity(tmp_path / "lm.arpa", ["a", "\u00a0"]).unknown == 1  # that space separates no words: it is one


def test_sentence_marks_in_a_text_are_no_words(tmp_path: Path) -> None:
    unigrams = "-1\t<unk>\n-99\t<s>\t0\n-0.5\t</s>\n-0.5\ta\t0\n"
    (tmp_path / "lm").write_text(
        f"\\data\\\nngram 1=4\nngram 2=1\n\n\\1-grams:\n{unigrams}\n\\2-grams:\n-0.25\ta a\n\n\\end\\\n"
    )
    marked = perplexity(tmp_path / "lm", ["<s> a a b </s>", "<s> </s>", "a </s>"])
    assert (marked.sentences, marked.words, marked.unknown) == (2, 4, 1)
    assert marked.all == pytest.approx(10 ** (3.25 / 6))  # as above, without marks
    assert marked == perplexity(tmp_path / "lm", ["a a b", "", "a"])
    one = perplexity(tmp_path / "lm", ["<unk>"])  # a word, unlike in the text that a model is made from
    assert one == perplexity(tmp_path / "lm", ["b"])
    assert str(one).endswith("1 sentence, 1 word, 1 unknown (100.00 %)")


def fake_lmplz(folder: Path, script: str) -> Path:
    program = folder / "lmplz"
    program.write_text("#!/bin/sh\n" + script)
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return program


def test_a_perplexity_beyond_all_floats_is_infinite(tmp_path: Path) -> None:
    unigrams = "-1\t<unk>\n-99\t<s>\t0\n-900\t</s>\n-900\ta\t0\n"
    counts = "\\data\\\nngram 1=4\nngram 2=1\n\n"
    (tmp_path / "lm").write_text(f"{counts}\\1-grams:\n{unigrams}\n\\2-grams:\n-900\ta a\n\n\\end\\\n")
    measured = perplexity(tmp_path / "lm", ["a"])
    assert (measured.all, measured.known) == (math.inf, math.inf)


def test_lmplz_is_used(corpus: Path, monkeypatch: pytest.MonkeyPatch, text: Text) -> None:
    """A stand-in that keeps its arguments and input, and puts out a model that was estimated before."""
    folder = corpus.parent
    main([str(corpus), "-o", str(folder / "ready.arpa")])
    copies = f'cp "$4" {folder}/text; cp {folder}/ready.arpa "$6"; for last; do :; done; cp "$last" {folder}/words'
    program = fake_lmplz(folder, f'echo "$@" > {folder}/arguments; {copies}')
    monkeypatch.setattr(shutil, "which", lambda name: str(program))
    binary = str(folder / "lm.binary")
    assert main([str(corpus), "--order", "3", "--prune", "0", "1", "--vocabulary-limit", "5", "-o", binary]) == 0
    arguments = (folder / "arguments").read_text()
    for expected in ("--order 3 --text ", "--skip_symbols", "--discount_fallback 0.5 1.0 1.5", "--prune 0 1 "):
        assert expected in arguments
    assert (folder / "text").read_text().split("\n")[:-1] == text(400, 60)
    assert len((folder / "words").read_text().split()) == 5
    assert kenlm.Model(binary).order == read_arpa(folder / "ready.arpa").order


def test_a_no_break_space_is_a_word_for_lmplz_too(tmp_path: Path) -> None:
    program = fake_lmplz(tmp_path, f'cp "$4" {tmp_path}/text')
    run_lmplz(str(program), ["a", "\u00a0", " ", "b"], 2, tmp_path / "arpa")
    assert (tmp_path / "text").read_text() == "a\n\u00a0\nb\n"


def test_lmplz_gets_no_special_tokens(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    program = fake_lmplz(tmp_path, f'cp "$4" {tmp_path}/text')
    run_lmplz(str(program), ["a <unk> b", "<s>", "<s> a </s>"], 2, tmp_path / "arpa", name="corpus")
    assert (tmp_path / "text").read_text() == "a b\na\n"
    assert [message.partition(" <s>,")[0] for message in caplog.messages] == ["corpus: left out 1 token"]


def test_lmplz_gets_no_half_of_a_surrogate_pair(tmp_path: Path) -> None:
    with pytest.raises(SbmtError, match="corpus, line 2: holds half of a surrogate pair"):
        run_lmplz("lmplz", ["a", "\ud800"], 2, tmp_path / "arpa", name="corpus")


def test_lmplz_fails(corpus: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    program = fake_lmplz(corpus.parent, "echo first >&2; echo no more room >&2; exit 1")
    monkeypatch.setattr(shutil, "which", lambda name: str(program))
    assert main([str(corpus), "-o", str(corpus.with_suffix(".arpa"))]) == 2
    assert "lmplz failed: no more room" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["x"], "nothing to do: give -o LM"),
        (["--evaluate", "x"], "nothing to do"),
        (["x", "-o", "y", "--order", "6"], "--order 6: orders are 1 to 5"),
        (["x", "--model", "y", "--evaluate", "z"], "--model is only evaluated"),
        (["x", "--mix", "y", "-o", "z"], "--mix reads models instead of text"),
        (["x", "-o", "-", "--evaluate", "y"], "--evaluate needs the model in a file"),
        (["--mix", "x", "y", "-o", "z"], "--mix of several models and --sample TEXT"),
        (["--mix", "x", "--sample", "y", "-o", "z"], "--mix of several models and --sample TEXT"),
        (["x", "--sample", "y", "-o", "z"], "--mix of several models and --sample TEXT"),
        (["--mix", "x", "-o", "z", "--prune", "1"], "--prune is for estimating from text, not for --mix: leave it"),
        (["--mix", "x", "-o", "z", "--order", "4"], "--order is for estimating from text, not for --mix"),
        (["--evaluate", "x", "--model", "y", "--order", "4"], ", not for --model: leave it out"),
        (["--evaluate", "x", "--model", "y", "--prune", "1"], ", not for --model: leave it out"),
        (["--evaluate", "x", "--model", "y", "--vocabulary-limit", "9"], ", not for --model: leave it out"),
        (["--evaluate", "x", "--model", "y", "--estimator", "sbmt"], ", not for --model: leave it out"),
        ([__file__, "-o", "y", "--prune", "2", "1"], "pruning thresholds 2 1 fall"),
        ([__file__, "/no/such/text", "-o", "y"], "/no/such/text: no such file"),
        ([__file__, "-o", "y", "--evaluate", "/no/such/text"], "/no/such/text: no such file"),
        (["--mix", __file__, __file__, "--sample", "/no/such/text", "-o", "y"], "/no/such/text: no such file"),
        (["--evaluate", __file__, "--model", "/no/such/model"], "language model /no/such/model: "),
        (["--evaluate", __file__, "--model", __file__], f"language model {__file__}, line 101: no "),
        (["--evaluate", __file__, "--model", ""], "language model '': "),
        (["--evaluate", __file__, "--model", "/dev/null"], "/dev/null: is no file; name an ARPA file or a KenLM"),
        (["--evaluate", __file__, "--model", "/"], "language model /: is a folder; name an ARPA file or a KenLM"),
        (["--evaluate", "", "--model", "x"], "language model x: no such file; name an ARPA file or a KenLM"),
        (["x", "--model", "", "-o", "y"], "--model is only evaluated"),
        (["x", "-o", "./x"], "./x is read: give another name to write to"),
        (["--mix", "x", "-o", "x"], "x is read: give another name to write to"),
        (["x", "-o", "y", "--evaluate", "y"], "y is read: give another name to write to"),
        (["-o", "y", "--evaluate", "-"], "standard input (-) stands for two of the texts"),
        (["x", "-", "-", "-o", "y"], "standard input (-) stands for two of the texts"),
        ([__file__, "-o", "y", "--estimator", "lmplz"], "lmplz is not on the PATH: build it with scripts/build_"),
    ],
)
def test_what_cannot_be_meant(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("wrong", [["--vocabulary-limit", "0"], ["--prune", "0", "-1"]])
def test_numbers_that_cannot_be_meant(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["x", "-o", "y", *wrong])
    assert "is less than" in capsys.readouterr().err


def test_a_binary_model_does_not_replace_a_pipe(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert main([str(tmp_path / "nowhere"), "-o", str(tmp_path / "pipe")]) == 2
    assert "pipe: is a device or a pipe, which a file would replace; name a file" in capsys.readouterr().err


def test_a_binary_model_cannot_be_mixed(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    binary = str(corpus.with_suffix(".binary"))
    main([str(corpus), "-o", binary])
    assert main(["--mix", binary, "-o", "never"]) == 2
    assert f"{binary}: is a KenLM binary, not a text file (give the ARPA file" in capsys.readouterr().err


def test_a_text_without_words_is_named(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (blank := corpus.with_suffix(".blank")).write_text("\n \n")
    assert main([str(corpus), "-o", str(corpus.with_suffix(".arpa")), "--evaluate", str(blank)]) == 2
    assert f"{blank} has no words" in capsys.readouterr().err
    assert main([str(blank), str(blank), "-o", "never", "--estimator", "sbmt"]) == 2
    assert f"{blank}, {blank} has no words" in capsys.readouterr().err
    arpa = str(corpus.with_suffix(".arpa"))
    assert main(["--mix", arpa, arpa, "--sample", str(blank), "-o", str(corpus.with_suffix(".binary"))]) == 2
    assert f"{blank} has no words" in capsys.readouterr().err


def test_order_1_is_evaluated_from_either_file(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """KenLM itself loads no ARPA file of that order."""
    arpa, binary = str(corpus.with_suffix(".arpa.gz")), str(corpus.with_suffix(".binary"))
    assert main([str(corpus), "--order", "1", "-o", arpa, "--evaluate", str(corpus)]) == 0
    assert main(["--evaluate", str(corpus), "--model", arpa]) == 0
    assert main(["--mix", arpa, "-o", binary, "--evaluate", str(corpus)]) == 0
    first, *others = capsys.readouterr().out.splitlines()
    assert first.startswith("perplexity ")
    assert others == [first, first]


def test_a_damaged_arpa_file_of_order_1_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (arpa := tmp_path / "one.arpa").write_text("\\data\\\nngram 1=2\n\n\\1-grams:\n-1\ta\n\n\\end\\\n")
    assert main(["--evaluate", str(arpa), "--model", str(arpa)]) == 2
    assert f"error: language model {arpa}, line " in capsys.readouterr().err


def test_blank_lines_are_no_sentences(corpus: Path) -> None:
    """As docs/language-models.md says; lmplz counts each as a sentence without words."""
    blank = corpus.with_name("blank")
    blank.write_text(corpus.read_text().replace("\n", "\n\n \n"))
    for path in (corpus, blank):
        assert main([str(path), "--estimator", "sbmt", "-o", str(path.with_suffix(".arpa"))]) == 0
    assert corpus.with_suffix(".arpa").read_bytes() == blank.with_suffix(".arpa").read_bytes()
