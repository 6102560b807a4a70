"""`sbmt-learn` as it is typed."""

from __future__ import annotations

import errno
import math
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

from sbmt.cli.learn import main
from sbmt.ppdb.formats import read_rules
from sbmt.ppdb.packed import pack
from sbmt.ppdb.rule import Rule
from tests.corpora import DATA, needs_data

Captured = pytest.CaptureFixture[str]
SENTENCES = [
    ("the doctor purchased a small house", "the doctor bought a small house"),
    ("she purchased the tools", "she bought the tools"),
    ("they purchased some land in the north", "they bought some land in the north"),
    ("the committee commenced its work", "the committee started its work"),
    ("he commenced a long journey", "he started a long journey"),
    ("work commenced in the north", "work started in the north"),
]


@pytest.fixture
def sides(tmp_path: Path) -> list[str]:
    for name, column in zip(("complex", "simple"), zip(*SENTENCES, strict=True), strict=True):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in column))
    return ["--source", str(tmp_path / "complex"), "--target", str(tmp_path / "simple")]


def best(path: Path) -> dict[str, str]:
    """The likeliest target of each source."""
    targets: dict[str, str] = {}
    for rule in read_rules(path):
        targets.setdefault(" ".join(rule.source), " ".join(rule.target))
    return targets


def test_raw_text_is_remarked_on_once(sides: list[str], tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    for side in ("complex", "simple"):
        lines = (tmp_path / side).read_text().splitlines()
        (tmp_path / side).write_text("".join(f"{line.capitalize()}.\n" for line in lines))
    for options, signs in (((), "capitals and punctuation"), (("--lowercase",), "punctuation")):
        caplog.clear()
        assert main([*sides, *sides, *options, "-o", str(tmp_path / "rules.gz")]) == 0
        assert caplog.messages[0].startswith(f"the text has {signs} glued to words, unlike the text that models")
        assert sum("glued" in message for message in caplog.messages) == 1


def test_a_grammar_from_two_sides(sides: list[str], tmp_path: Path) -> None:
    assert main([*sides, "-o", str(tmp_path / "rules.gz")]) == 0
    targets = best(tmp_path / "rules.gz")
    assert targets["purchased"] == "bought"
    assert targets["commenced"] == "started"
    assert main([*sides, "--max-gaps", "2", "-o", str(tmp_path / "gaps")]) == 0
    assert best(tmp_path / "gaps")["[X,1] purchased [X,2]"] == "[X,1] bought [X,2]"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--source", "complex", "--target", "simple", "-o", "./simple"],
        ["--source", "complex", "--target", "simple", "--alignment", "x.fold1", "--folds", "2", "-o", "x"],
        ["pivot", "complex", "-o", "complex"],
        ["quality", "simple", "--vectors", "complex", "-o", "complex"],
        ["judgements", "simple", "--vectors", "complex", "-o", "complex"],
        ["vectors", "complex", "-o", "complex"],
    ],
)
def test_inputs_are_not_overwritten(
    sides: list[str], tmp_path: Path, arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.fold1").write_text("0-0\n")
    before = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert main(arguments) == 2
    output = "x.fold1" if arguments[-1] == "x" else arguments[-1]
    assert f"error: {output} is read: give another name to write to\n" in capsys.readouterr().err
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == before


def test_a_judged_grammar_may_replace_the_one_it_is_of_but_not_grow_it(tmp_path: Path) -> None:
    """By >> the command would read what it writes, without end."""
    (tmp_path / "rules").write_text("[NN] ||| automobile ||| car\n")
    program = "from sbmt.cli.learn import main; raise SystemExit(main())"
    judge = shlex.join([sys.executable, "-P", "-c", program, "quality", "rules"])
    shell = ["bash", "-c", f"{judge} >> rules"]
    done = subprocess.run(shell, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "standard output goes to a file that is read (rules): name another one" in done.stderr
    assert (tmp_path / "rules").read_text() == "[NN] ||| automobile ||| car\n"
    assert main(["quality", str(tmp_path / "rules"), "-o", str(tmp_path / "rules")]) == 0
    assert [list(rule.features) for rule in read_rules(tmp_path / "rules")] == [["RuleQuality"]]


@pytest.mark.parametrize(
    ("output", "complaint"),
    [("pipe", "pipe: is a device or a pipe, which a file would replace"), ("-", "-: is standard output")],
)
def test_vectors_need_a_file(
    tmp_path: Path, output: str, complaint: str, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    """The error comes before that of the text, which is too short."""
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    Path("text").write_text("a b c\n")
    assert main(["vectors", "text", "-o", output]) == 2
    assert f"{complaint}; name a file to write to" in capsys.readouterr().err
    assert sorted(os.listdir()) == ["pipe", "text"]


def test_a_folder_is_refused_before_anything_is_learnt(tmp_path: Path, capsys: Captured) -> None:
    assert main(["--source", "absent", "--target", "absent", "-o", str(tmp_path)]) == 2
    assert f"{tmp_path}: is a folder; name a file" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--alignment", "--labels", "--pairs"])
def test_a_missing_file_is_named_before_the_text_is_read(tmp_path: Path, capsys: Captured, option: str) -> None:
    text = tmp_path / "text"
    text.write_bytes(b"\xff\n")  # not UTF-8: to read it would be an error of its own
    assert main(["--source", str(text), "--target", str(text), option, "absent"]) == 2
    assert "error: absent: no such file" in capsys.readouterr().err


def test_a_no_break_space_is_part_of_a_word(tmp_path: Path) -> None:
    for name, verb in (("complex", "commenced"), ("simple", "began")):
        lines = [f"work {verb} 10\u00a0km away", f"she {verb} 5\u2028km away", f"they {verb} early"]
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines * 3))
        (tmp_path / f"{name}.tags").write_text("N V M A\nN V M A\nN V A\n" * 3)
    command = ["--source", str(tmp_path / "complex"), "--target", str(tmp_path / "simple"), "--identical"]
    assert main([*command, "--labels", str(tmp_path / "complex.tags"), "-o", str(tmp_path / "rules")]) == 0
    sources = {word for rule in read_rules(tmp_path / "rules") for word in rule.source}
    assert {"10\u00a0km", "5\u2028km"} <= sources
    assert "km" not in sources


def test_words_that_hold_bars_make_no_rule(tmp_path: Path) -> None:
    for name, verb in (("complex", "commenced"), ("simple", "began")):
        (tmp_path / name).write_text(f"work {verb} on|||off\nwork {verb} ||| early\n" * 3)
    sides = ["--source", str(tmp_path / "complex"), "--target", str(tmp_path / "simple")]
    assert main([*sides, "--identical", "-o", str(tmp_path / "rules")]) == 0
    assert {rule.source for rule in read_rules(tmp_path / "rules")} == {
        ("work",), ("commenced",), ("early",), ("work", "commenced")
    }  # fmt: skip


def test_words_written_like_gaps_make_no_rule(tmp_path: Path) -> None:
    """Other words in brackets do."""
    for name, verb in (("complex", "commenced"), ("simple", "began")):
        (tmp_path / name).write_text(f"work {verb} [NN,1]\nwork {verb} [NN,10]\nwork {verb} [12]\n" * 3)
    sides = ["--source", str(tmp_path / "complex"), "--target", str(tmp_path / "simple")]
    assert main([*sides, "--identical", "-o", str(tmp_path / "rules")]) == 0
    words = {word for rule in read_rules(tmp_path / "rules") for word in rule.source}
    assert words == {"work", "commenced", "[12]"}


@pytest.mark.parametrize("at", ["reserving", "writing"])
def test_a_full_temporary_folder_is_named(
    sides: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], at: str
) -> None:
    """A mapped file without room would kill the process when it is written to."""

    def full(*_: object) -> None:
        raise (
            OSError(errno.ENOSPC, "No space left on device") if at == "reserving" else OSError("9 requested, 0 written")
        )

    monkeypatch.setattr(*((os, "posix_fallocate") if at == "reserving" else (np, "save")), full)
    assert main([*sides, "-o", str(tmp_path / "rules")]) == 2
    error = capsys.readouterr().err
    assert f"{tempfile.gettempdir()}: no room is left for temporary files; let TMPDIR name a folder with more" in error
    assert not (tmp_path / "rules").exists()


def test_file_systems_that_reserve_no_room(sides: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    main([*sides, "-o", str(tmp_path / "expected")])

    def unable(*_: object) -> None:
        raise OSError(errno.EOPNOTSUPP, "Operation not supported")

    monkeypatch.setattr(os, "posix_fallocate", unable)
    assert main([*sides, "-o", str(tmp_path / "rules")]) == 0
    assert (tmp_path / "rules").read_bytes() == (tmp_path / "expected").read_bytes()


def test_standard_input_stands_for_one_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--source", "-", "--target", "-"]) == 2
    assert "standard input (-) stands for two of the texts" in capsys.readouterr().err


def test_the_same_bytes_for_any_jobs(sides: list[str], tmp_path: Path) -> None:
    for jobs in ("1", "2"):
        main([*sides, "--max-gaps", "1", "--jobs", jobs, "-o", str(tmp_path / jobs)])
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()


def test_several_pairs_of_files(sides: list[str], tmp_path: Path) -> None:
    _, source, _, target = sides
    main([*sides, "--source", target, "--target", source, "-o", str(tmp_path / "again")])
    main(["--source", source, target, "--target", target, source, "-o", str(tmp_path / "at once")])
    assert (tmp_path / "again").read_bytes() == (tmp_path / "at once").read_bytes()
    assert {"purchased", "bought"} <= best(tmp_path / "again").keys()


def test_versions_are_learnt_from_both_ways(tmp_path: Path) -> None:
    lines = [f"{k}\t{side}\n" for k, pair in enumerate(SENTENCES) for side in pair]
    (tmp_path / "versions").write_text("".join(lines))
    main(["--multi-reference", str(tmp_path / "versions"), "-o", str(tmp_path / "rules")])
    rules = {(rule.source, rule.target): rule.features for rule in read_rules(tmp_path / "rules")}
    there, back = rules[("purchased",), ("bought",)], rules[("bought",), ("purchased",)]
    for name, inverse in (("p(e|f)", "p(f|e)"), ("Lex(e|f)", "Lex(f|e)")):
        assert there[name] == pytest.approx(back[inverse], abs=1e-4)


def test_folds(sides: list[str], tmp_path: Path) -> None:
    main([*sides, "--folds", "3", "-o", str(tmp_path / "rules.gz")])
    assert (tmp_path / "rules.folds").read_text() == "0\n1\n2\n0\n1\n2\n"
    assert "small" in " ".join(best(tmp_path / "rules.gz"))
    # "small house" is in segment 0 only, "commenced" in 3, 4, 5.
    assert "purchased a" not in best(tmp_path / "rules.fold0.gz")
    assert "purchased a" in best(tmp_path / "rules.fold1.gz")
    assert best(tmp_path / "rules.fold0.gz")["commenced"] == "started"


@pytest.mark.parametrize("last", ["", "a " * 10 + "house"])  # a blank side, and one ten times as long as the other
def test_segments_left_out_at_the_end_have_a_fold_too(
    last: str, sides: list[str], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    for name, line in (("complex", "dwelling"), ("simple", last)):
        with (tmp_path / name).open("a") as stream:
            stream.write(f"{line}\n")
    assert main([*sides, "--folds", "2", "-o", str(tmp_path / "rules.gz")]) == 0
    assert (tmp_path / "rules.folds").read_text().split() == list("0101010")
    paths = [tmp_path / name for name in ("rules.gz", "rules.fold0.gz", "rules.fold1.gz")]
    said = [message for message in caplog.messages if message.endswith("rules")]
    assert said == [f"wrote {path}: {sum(1 for _ in read_rules(path))} rules" for path in paths]


def test_versions_without_a_pair_at_the_end_have_a_fold_too(tmp_path: Path) -> None:
    lines = [f"{k}\t{side}\n" for k, pair in enumerate(SENTENCES) for side in pair] + ["6\talone\n"]
    (tmp_path / "versions").write_text("".join(lines))
    assert main(["--multi-reference", str(tmp_path / "versions"), "--folds", "2", "-o", str(tmp_path / "rules")]) == 0
    assert (tmp_path / "rules.folds").read_text().split() == list("0101010")


def test_bare_pairs_get_features(sides: list[str], tmp_path: Path) -> None:
    (tmp_path / "list").write_text("purchased bought acquired\nendeavour\ttry hard\n")
    main([*sides, "--pairs", str(tmp_path / "list"), "--min-count", "99", "-o", str(tmp_path / "rules")])
    rules = {" ".join(rule.target): rule.features for rule in read_rules(tmp_path / "rules")}
    assert set(rules) == {"bought", "acquired", "try hard"}
    assert rules["bought"]["p(e|f)"] < rules["acquired"]["p(e|f)"]
    assert main(["quality", str(tmp_path / "rules"), "-o", str(tmp_path / "judged")]) == 0
    assert all(1 <= rule.features["RuleQuality"] <= 5 for rule in read_rules(tmp_path / "judged"))


def test_listed_pairs_are_in_the_grammar_of_every_fold(sides: list[str], tmp_path: Path) -> None:
    (tmp_path / "list").write_text("endeavour\ttry hard\n")
    assert main([*sides, "--pairs", str(tmp_path / "list"), "--folds", "2", "-o", str(tmp_path / "rules")]) == 0
    for name in ("rules", "rules.fold0", "rules.fold1"):
        assert best(tmp_path / name)["endeavour"] == "try hard"


@pytest.mark.filterwarnings("error")
def test_pairs_beside_a_text_in_which_nothing_is_seen_once(sides: list[str], tmp_path: Path) -> None:
    """Smoothing leaves something for what a list adds, though by its formula it would leave nothing."""
    for path in (sides[1], sides[3]):
        Path(path).write_text(Path(path).read_text() * 2)
    (tmp_path / "pairs").write_text("a\tunseen\n")
    assert main([*sides, "--pairs", str(tmp_path / "pairs"), "--top", "0", "-o", str(tmp_path / "rules")]) == 0
    rules = list(read_rules(str(tmp_path / "rules")))
    assert any(rule.target == ("unseen",) for rule in rules)
    assert all(math.isfinite(value) for rule in rules for value in rule.features.values())


@pytest.mark.filterwarnings("error")
def test_pairs_beside_a_text_without_links_are_not_certain(sides: list[str], tmp_path: Path) -> None:
    (tmp_path / "links").write_text("\n" * len(SENTENCES))
    (tmp_path / "list").write_text("purchased\tbought\n")
    options = ["--alignment", str(tmp_path / "links"), "--pairs", str(tmp_path / "list")]
    assert main([*sides, *options, "-o", str(tmp_path / "rules")]) == 0
    (rule,) = read_rules(tmp_path / "rules")
    assert all(rule.features[name] > 0 for name in ("p(e|f)", "p(f|e)", "p(e|f,LHS)", "p(f|e,LHS)"))


def test_the_longest_listed_pair_comes_back(sides: list[str], tmp_path: Path) -> None:
    words = [f"w{k}" for k in range(250)]
    (tmp_path / "list").write_text(f"{' '.join(words)}\t{' '.join(words[1:])} end\n{' '.join(words)} 251\ta\n")
    main([*sides, "--pairs", str(tmp_path / "list"), "--min-count", "99", "-o", str(tmp_path / "rules")])
    (rule,) = read_rules(tmp_path / "rules")
    assert (list(rule.source), list(rule.target)) == (words, [*words[1:], "end"])
    assert rule.alignment == tuple((k + 1, k) for k in range(249))


def test_labels_and_scores_of_a_list_are_not_used(sides: list[str], tmp_path: Path) -> None:
    """A pair that is in the text has the counts of the text, whatever the list has."""
    for name, content in (("bare", "purchased\tbought\n"), ("labelled", "[VBD]\tpurchased\tbought\n")):
        (tmp_path / name).write_text(content)
        main([*sides, "--pairs", str(tmp_path / name), "--min-count", "99", "-o", str(tmp_path / f"{name}.rules")])
    bare, labelled = ((tmp_path / f"{name}.rules").read_text() for name in ("bare", "labelled"))
    assert labelled == bare
    (rule,) = read_rules(tmp_path / "labelled.rules")
    assert (rule.lhs, rule.features["Listed"]) == ("X", 1)
    assert rule.features["LogCount"] == pytest.approx(math.log(3), abs=1e-5)  # SENTENCES has it three times


def test_given_alignments_and_tags(tmp_path: Path) -> None:
    for name, line in (("f", "the big dog"), ("e", "the large dog"), ("a", "0-0 1-1 2-2"), ("t", "DT JJ NN")):
        (tmp_path / name).write_text(f"{line}\n")
    f, e, a, t = (str(tmp_path / name) for name in "feat")
    main(["--source", f, "--target", e, "--alignment", a, "--labels", t, "--max-gaps", "1", "-o", str(tmp_path / "r")])
    rules = {(rule.lhs, " ".join(rule.source)) for rule in read_rules(tmp_path / "r")}
    assert {("JJ", "big"), ("JJ+NN", "big dog"), ("DT+JJ+NN", "[DT,1] big dog"), ("DT+JJ", "[DT,1] big")} <= rules


def test_tags_of_brackets(tmp_path: Path) -> None:
    for name, line in (("f", "( big dog )"), ("e", "( large dog )"), ("a", "0-0 1-1 2-2 3-3"), ("t", "( JJ NN )")):
        (tmp_path / name).write_text(f"{line}\n")
    f, e, a, t = (str(tmp_path / name) for name in "feat")
    assert main(["--source", f, "--target", e, "--alignment", a, "--labels", t, "-o", str(tmp_path / "r")]) == 0
    rules = {(rule.lhs, " ".join(rule.source)) for rule in read_rules(tmp_path / "r")}
    assert {("JJ", "big"), ("(+JJ", "( big"), ("JJ+NN+)", "big dog )")} <= rules


def test_pivot(tmp_path: Path) -> None:
    half = math.log(2)
    lines = [f"[NN] ||| haus ||| {word} ||| {half} {half} ||| 0-0\n" for word in ("house", "home")]
    (tmp_path / "de-en").write_text("".join(lines))
    columns = ["--forward", "tm_pt_0", "--backward", "tm_pt_1"]
    assert main(["pivot", str(tmp_path / "de-en"), *columns, "-o", str(tmp_path / "out")]) == 0
    assert best(tmp_path / "out") == {"house": "home", "home": "house"}
    assert main(["pivot", str(tmp_path / "de-en"), *columns, "--top-targets", "1", "-o", str(tmp_path / "none")]) == 0
    assert best(tmp_path / "none") == {}


@pytest.mark.parametrize("verb", ["", "pivot", "quality"])
def test_packed_grammars_are_made_by_another_command(sides: list[str], verb: str, capsys: Captured) -> None:
    assert main([*([verb, sides[1]] if verb else sides), "-o", "rules.packed"]) == 2
    problem = "rules.packed: rules are written as text: name it rules.gz, then sbmt-rules pack rules.gz rules.packed"
    assert problem in capsys.readouterr().err


def test_packed_grammars_are_not_read(tmp_path: Path, capsys: Captured) -> None:
    packed = tmp_path / "rules"
    pack([Rule("X", ("a",), ("b",), {"p(e|f)": 0.0, "p(f|e)": 1.0})], packed)
    assert main(["pivot", str(packed)]) == 2
    assert f"{packed}: is a packed grammar, where rules are read as text (give the rules" in capsys.readouterr().err


def test_the_number_of_rules_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """No rules at all are a warning with the cause."""
    lines = [f"[NN] ||| haus ||| {word} ||| p(e|f)=0.7 p(f|e)=0.7 ||| 0-0\n" for word in ("house", "home")]
    for name, text in (("two", "".join(lines)), ("one", lines[0]), ("none", "")):
        (tmp_path / name).write_text(text)
    said = []
    with caplog.at_level("INFO"):
        for verb, name in (("pivot", "two"), ("pivot", "one"), ("quality", "one"), ("quality", "none")):
            caplog.clear()
            assert main([verb, str(tmp_path / name), "-o", str(tmp_path / "out")]) == 0
            said += [(record.levelname, record.getMessage()) for record in caplog.records]
    wrote = f"wrote {tmp_path / 'out'}: "
    assert [line for line in said if line[0] == "INFO"] == [("INFO", f"{wrote}2 rules"), ("INFO", f"{wrote}1 rule")]
    warned = [message for level, message in said if level == "WARNING"]
    assert warned[0].startswith(f"no rules: no two targets in {tmp_path / 'one'} have the foreign side, the label and")
    assert warned[1:] == [f"no rules: {tmp_path / 'none'} has none"]


def test_vectors_and_judgements(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    text, ratings = tmp_path / "text", tmp_path / "rated"
    text.write_text("the cat sat on the mat and saw a dog\n" * 30)
    words = "the cat sat on mat and saw a dog".split()
    ratings.write_text(
        "".join(f"{1 + (i + j) % 5}\t[X]\t{a} {b}\t{b}\n" for i, a in enumerate(words * 2) for j, b in enumerate(words))
    )
    vectors = str(tmp_path / "v.npz")
    assert main(["vectors", str(text), "--dimensions", "3", "--min-count", "2", "-o", vectors]) == 0
    with caplog.at_level("INFO"):
        assert main(["judgements", str(ratings), "--vectors", vectors, "-o", str(tmp_path / "w")]) == 0
    assert "strings, vectors: 26 features" in caplog.text  # a regression guard: our own count
    (tmp_path / "rules").write_text("[X] ||| the cat ||| a dog ||| p(e|f)=1 ||| 0-0\n")
    assert main(["quality", str(tmp_path / "rules"), "--weights", str(tmp_path / "w"), "--vectors", vectors]) == 0


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ([], "nothing to learn from: give --source and --target"),
        (["--source", "x"], "1 --source but 0 --target"),
        (["--source", "x", "--target", "y", "--alignment", "a", "--alignment", "b"], "2 --alignment for 1"),
        (["--source", "x", "--target", "y", "--folds", "2"], "--folds writes several files: name the grammar with -o"),
        (["--source", "missing", "--target", "missing"], "missing: no such file"),
        (["--multi-reference", "missing", "--max-phrase", "99"], "no such file"),
        (["quality", "missing"], "missing: no such file"),
        (["quality", "missing", "--weights", "-"], "-: every process reads it for itself: name a file"),
        (["quality", "missing", "--vectors", "/dev/null"], "/dev/null: every process reads it for itself: name a file"),
        (["judgements", "-", "-"], "standard input (-) stands for two of the texts"),
        (["judgements", "-", "--grammar", "-"], "standard input (-) stands for two of the texts"),
    ],
)
def test_error_messages(arguments: list[str], problem: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert problem in capsys.readouterr().err


@pytest.mark.parametrize("wrong", [["--top", "-1"], ["--jobs", "-1"], ["--min-count", "0"], ["--folds", "-2"]])
def test_numbers_out_of_range(sides: list[str], wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main([*sides, *wrong])
    assert f"argument {wrong[0]}: {wrong[1]} is less than" in capsys.readouterr().err


def test_limits_and_folds_out_of_range(sides: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*sides, "--max-phrase", "21"]) == 2
    assert "--max-phrase: 21 is not from 1 to 20" in capsys.readouterr().err
    assert main([*sides, "--max-length", "251"]) == 2
    assert "--max-length: 251 is not from 1 to 250" in capsys.readouterr().err
    assert main([*sides, "--folds", "1", "-o", "x"]) == 2
    assert "1 fold cannot be made of 6 segments" in capsys.readouterr().err
    assert main([*sides, "--folds", "7", "-o", "x"]) == 2
    assert "7 folds cannot be made of 6 segments" in capsys.readouterr().err
    assert main([*sides, "--folds", "1000000000", "-o", "x"]) == 2  # no name is made for any
    assert "1000000000 folds cannot be made of 6 segments" in capsys.readouterr().err


@needs_data
def test_paraphrases_found_for_words_of_turkcorpus(tmp_path: Path) -> None:
    """Simplifications that anybody would name; tune part only."""
    stem = DATA / "turkcorpus/data/turkcorpus/tune.8turkers.tok"
    texts = [part for k in range(3) for part in ("--source", f"{stem}.norm", "--target", f"{stem}.turk.{k}")]
    main([*texts, "--lowercase", "--max-phrase", "1", "--min-count", "2", "-o", str(tmp_path / "rules")])
    targets = best(tmp_path / "rules")
    expected = {
        "approximately": "about",
        "situated": "located",
        "derives": "comes",
        "currently": "now",
    }
    assert {word: targets.get(word) for word in expected} == expected
