"""sbmt-rules as a user runs it; `show` has a file of its own."""

from __future__ import annotations

import gzip
import io
import json
import os
import signal
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path

import pytest

from sbmt.cli.rules import main
from sbmt.model import Model
from sbmt.ppdb.formats import read_rules
from tests import commands

shown = partial(commands.run, main)
RULES = """\
[NN] ||| dwelling ||| house ||| p=1 Score=2.5 ||| 0-0
[IN] ||| prior to ||| before ||| p=3 Score=NA ||| 0-0 1-0
[NP] ||| the [NN,1] of [NP,2] ||| [NP,2] 's [NN,1] ||| p=-2 ||| 1-2 3-0
"""


@pytest.fixture
def grammar(tmp_path: Path) -> Path:
    path = tmp_path / "rules"
    path.write_text(RULES)
    return path


def test_a_grammar_is_not_packed_over_itself(grammar: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (link := grammar.with_name("link")).symlink_to(grammar)
    assert main(["pack", str(grammar), str(link)]) == 2
    assert f"error: {link} is read: give another name to write to\n" in capsys.readouterr().err
    assert grammar.read_text() == RULES


def test_how_many_rules_are_packed_is_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    (tmp_path / "rules").write_text("[X] ||| a ||| b ||| p=0\n")
    assert main(["pack", str(tmp_path / "rules"), str(tmp_path / "packed")]) == 0
    assert caplog.messages == [f"1 rule packed into {tmp_path / 'packed'}"]


@pytest.mark.parametrize("content", ["", "\n\n"])
def test_a_grammar_without_rules_is_warned_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, content: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty").write_text(content)
    assert main(["stats", "empty"]) == 0
    assert main(["pack", "empty", "packed"]) == 0
    assert caplog.messages == ["empty holds no rules", "empty holds no rules: 0 are packed into packed"]


def test_check_finds_a_byte_that_is_another(grammar: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    packed = tmp_path / "packed"
    shown(capsys, "pack", grammar, packed)
    whole = packed.read_bytes()
    packed.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    assert main(["check", str(packed)]) == 2
    captured = capsys.readouterr()
    assert not captured.out
    assert f"{packed}: the data does not match its checksum; pack it again" in captured.err


def test_filter_to_a_text(grammar: Path, tmp_path: Path) -> None:
    text, out = tmp_path / "text", tmp_path / "out.gz"
    text.write_text("prior to the end of it\n")
    assert main(["filter", str(grammar), "--text", str(text), "-o", str(out)]) == 0
    assert gzip.decompress(out.read_bytes()).decode() == "".join(RULES.splitlines(keepends=True)[1:])


@pytest.mark.parametrize(
    ("options", "left"),
    [
        (["--least", "p=1"], ["NN", "IN"]),
        (["--least", "p=1", "--most", "p=2"], ["NN"]),
        (["--kind", "phrasal", "--kind", "syntactic"], ["IN", "NP"]),
        (["--label", "NP", "--label", "NN"], ["NN", "NP"]),
        (["--label", "[NP]"], ["NP"]),
        ([], ["NN", "IN", "NP"]),
    ],
)
def test_filter_by_value_kind_and_label(
    grammar: Path, capsys: pytest.CaptureFixture[str], options: list[str], left: list[str]
) -> None:
    lines = shown(capsys, "filter", grammar, *options).splitlines()
    assert [line[1:3] for line in lines] == left


def test_a_bound_on_a_feature_that_no_rule_has_is_remarked_on(
    grammar: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    assert shown(capsys, "filter", grammar, "--least", "Scor=1", "--least", "Score=1", "--most", "q=1") == ""
    message = "no rule has the feature %s, which then counts as 0 everywhere"
    assert caplog.messages == [message % "Scor", message % "q"]


def test_merge(grammar: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "other"
    other.write_text("[NN] ||| dwelling ||| house ||| q=7\n[NN] ||| dwelling ||| home ||| q=8\n")
    lines = shown(capsys, "merge", grammar, other).splitlines()
    assert lines == [
        "[NN] ||| dwelling ||| house ||| p=1 Score=2.5 q=7 ||| 0-0",
        *RULES.splitlines()[1:],
        "[NN] ||| dwelling ||| home ||| q=8",
    ]


def test_a_bare_zero_is_no_minus_zero(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Though it is negated as it is read; nor is one that the file has so."""
    for zero in ("0", "p=-0"):
        (tmp_path / "rules").write_text(f"[X] ||| a ||| b ||| {zero}\n")
        assert "-0" not in shown(capsys, "stats", tmp_path / "rules").replace("tm_pt_0", "")
        statistics = shown(capsys, "stats", "--json", tmp_path / "rules")
        assert '"least": 0.0' in statistics
        assert '"most": 0.0' in statistics


def test_stats(grammar: Path, capsys: pytest.CaptureFixture[str]) -> None:
    statistics = json.loads(shown(capsys, "stats", "--json", grammar))
    assert statistics == {
        "rules": 3,
        "kinds": {"lexical": 1, "phrasal": 1, "syntactic": 1},
        "labels": {"NN": 1, "IN": 1, "NP": 1},
        "features": {
            "p": {"least": -2, "most": 3, "missing": 0},
            "Score": {"least": 2.5, "most": 2.5, "missing": 2},
        },
    }
    text = shown(capsys, "stats", grammar)
    assert text.startswith("3 rules: 1 lexical, 1 phrasal, 1 syntactic\nlabels: NN 1, IN 1, NP 1\n")
    assert "Score                                2.5         2.5           2" in text


def test_stats_of_a_feature_without_any_value(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "rules").write_text("[X] ||| a ||| b ||| p=1 q=NA\n[X] ||| c ||| d ||| p=2\n")
    features = json.loads(shown(capsys, "stats", "--json", tmp_path / "rules"))["features"]
    assert features["q"] == {"least": None, "most": None, "missing": 2}
    assert shown(capsys, "stats", tmp_path / "rules").splitlines()[-1].split() == ["q", "-", "-", "2"]


def test_stats_count_features_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "rules").write_text("[X] ||| a ||| b ||| tm_10=1 tm_2=1 lm_1=1 tm_1=1\n")
    lines = shown(capsys, "stats", tmp_path / "rules").splitlines()
    assert lines[0] == "1 rule: 1 lexical"
    assert [line.split()[0] for line in lines[3:]] == ["lm_1", "tm_1", "tm_2", "tm_10"]


def test_stats_tell_how_many_labels_are_not_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The most frequent ones are; JSON has all, in that order, too."""
    rules = [f"[L{number}] ||| a ||| b\n" for number in range(22)]
    (tmp_path / "rules").write_text("".join([*rules, "[L21] ||| a ||| c d\n", "[L21] ||| e f ||| g\n"]))
    kinds, labels, _ = shown(capsys, "stats", tmp_path / "rules").splitlines()
    assert kinds == "24 rules: 22 lexical, 2 phrasal"
    assert labels.startswith("labels: L21 3, L0 1, ")
    assert labels.endswith("L18 1 and 2 others")
    by_label = json.loads(shown(capsys, "stats", "--json", tmp_path / "rules"))["labels"]
    assert (next(iter(by_label)), len(by_label)) == ("L21", 22)
    (tmp_path / "rules").write_text("".join(rules[:20]))
    assert shown(capsys, "stats", tmp_path / "rules").splitlines()[1].endswith("L19 1")


def test_rules_from_a_pipe(grammar: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing of them is lost, whichever command reads them."""
    expected = shown(capsys, "stats", "--json", grammar)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for arguments in (["stats", "--json", pipe], ["pack", pipe, tmp_path / "packed"], ["filter", pipe]):
        writer = threading.Thread(target=pipe.write_text, args=(RULES,), daemon=True)
        writer.start()
        output = shown(capsys, *arguments)
        writer.join(10)
        assert output == {"stats": expected, "pack": "", "filter": RULES}[str(arguments[0])]
    assert "3 rules, checksum right" in shown(capsys, "check", tmp_path / "packed")


def test_a_packed_grammar_stores_no_zeros(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As `stats --help` says."""
    (tmp_path / "rules").write_text("[X] ||| a ||| b ||| p=0\n[X] ||| a ||| c ||| p=2\n")
    shown(capsys, "pack", tmp_path / "rules", tmp_path / "packed")
    text, packed = (json.loads(shown(capsys, "stats", "--json", tmp_path / name)) for name in ("rules", "packed"))
    assert text["features"] == {"p": {"least": 0, "most": 2, "missing": 0}}
    assert packed["features"] == {"p": {"least": 2, "most": 2, "missing": 1}}


def test_a_no_break_space_is_part_of_a_word(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "rules").write_text("[X] ||| 10\u00a0km ||| far\n[X] ||| km ||| far\n")
    (tmp_path / "text").write_text("some 10\u00a0km away\n")
    kept = shown(capsys, "filter", tmp_path / "rules", "--text", tmp_path / "text")
    assert kept == "[X] ||| 10\u00a0km ||| far\n"


def test_bad_lines_stop_or_are_set_aside(
    grammar: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    grammar.write_text(RULES + "[X] ||| a ||| b ||| p=x\n")
    out = tmp_path / "out"
    assert main(["filter", str(grammar), "-o", str(out)]) == 2
    assert f"{grammar}, line 4: 'x' is not a number" in capsys.readouterr().err
    assert not out.exists()
    assert main(["filter", str(grammar), "--on-error", "skip", "-o", str(out)]) == 0
    assert out.read_text() == RULES
    aside = (tmp_path / "out.skipped").read_text()
    assert "[X] ||| a ||| b ||| p=x" in aside
    assert "'x' is not a number" in aside
    assert caplog.messages == [f"1 bad line of {grammar} set aside in {out}.skipped"]


def test_lines_that_are_no_text_are_bad_lines(
    grammar: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    bad = tmp_path / "bad"
    bad.write_bytes(b"[X] ||| caf\xe9 ||| b ||| p=1\n" + RULES.encode() + b"[X] ||| a\0 ||| b ||| p=1\n")
    commands = (["filter", bad, "-o", "f/out"], ["pack", bad, "p/out"], ["merge", bad, "-o", "m/out"], ["stats", bad])
    for arguments in commands:
        assert main([*map(str, arguments)]) == 2
        assert f"{bad}, line 1: is not valid utf-8 at byte 11 (mend the line, or make" in capsys.readouterr().err
        assert main([*map(str, arguments), "--on-error", "skip"]) == 0
    for aside in ("f/out.skipped", "p/out.skipped", "m/out.1.skipped", "rules.skipped"):
        assert (tmp_path / aside).read_text() == (
            "1\tis not valid utf-8 at byte 11\t[X] ||| caf\\xe9 ||| b ||| p=1\n"
            "5\tholds a NUL byte\t[X] ||| a\\x00 ||| b ||| p=1\n"
        )
    assert (tmp_path / "f/out").read_text() == (tmp_path / "m/out").read_text() == RULES


def test_a_packed_grammar_is_read_from_no_pipe(
    grammar: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    packed = tmp_path / "packed"
    shown(capsys, "pack", grammar, packed)
    code = "import sys; from sbmt.cli.rules import main; sys.exit(main(['stats', '-']))"
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], input=packed.read_bytes(), capture_output=True, check=False
    )
    message = b"standard input: is a packed grammar, not a text file (give it as a file, where a grammar is due)\n"
    assert (done.returncode, done.stdout, done.stderr.endswith(message)) == (2, b"", True)
    assert main(["filter", str(grammar), "--text", str(packed)]) == 2
    complaint = "packed: is a packed grammar, not a text file (give it as a file, where a grammar is due)"
    assert complaint in capsys.readouterr().err


def test_bad_lines_of_several_files_and_of_earlier_runs(grammar: Path, tmp_path: Path) -> None:
    other, out = tmp_path / "other", tmp_path / "out"
    for path in (grammar, other):
        path.write_text(RULES + f"[X] ||| a ||| b ||| {path.name}=x\n")
    assert main(["merge", str(grammar), str(other), "--on-error", "skip", "-o", str(out)]) == 0
    assert out.read_text() == RULES
    for number, path in enumerate((grammar, other), 1):
        assert f"{path.name}=x" in (tmp_path / f"out.{number}.skipped").read_text()
    grammar.write_text(RULES)
    assert main(["merge", str(grammar), str(other), "--on-error", "skip", "-o", str(out)]) == 0
    assert [path.name for path in tmp_path.glob("*.skipped")] == ["out.2.skipped"]


@pytest.mark.parametrize(
    ("verb", "end", "code"),
    [
        ("filter", signal.SIGINT, 130),
        ("merge", signal.SIGINT, 130),
        ("pack", signal.SIGINT, 130),
        ("stats", signal.SIGINT, 130),
        ("merge", signal.SIGTERM, 143),
    ],
)
def test_an_interrupted_run_leaves_earlier_outputs_as_they_were(
    grammar: Path, tmp_path: Path, verb: str, end: signal.Signals, code: int
) -> None:
    """The signal comes when the first lines, a bad one among them, have been read."""
    out = [] if verb == "stats" else ["out"] if verb == "pack" else ["-o", "out"]
    aside = Path({"merge": "out.1.skipped", "stats": "rules.skipped"}.get(verb, "out.skipped"))
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    earlier = {name: f"earlier {name}" for name in ("out", aside.name)}
    for name, text in earlier.items():
        (tmp_path / name).write_text(text)
    # Python's own handler, for in the background a shell has the signal ignored: the test would wait for ever.
    program = """if True:
        import signal, sys
        from sbmt.cli.rules import main
        signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.exit(main())
    """
    command = [sys.executable, "-P", "-c", program, verb, "pipe", *out, "--on-error", "skip"]
    with (
        subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process,
        open(pipe, "w") as stream,
    ):
        stream.write(("[X] ||| a ||| b ||| p=x\n" + RULES) * 10_000)
        stream.flush()  # most of it has been read by now: a pipe holds 64 kB
        process.send_signal(end)
        process.wait()
    assert process.returncode == code
    assert {path.name: path.read_text() for path in tmp_path.iterdir() if path not in (grammar, pipe)} == earlier


def test_bad_lines_without_an_output(grammar: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    grammar.write_text(RULES + "[X] ||| a ||| b ||| p=x\n")
    monkeypatch.chdir(tmp_path)
    for verb in ("stats", "filter", "merge"):
        assert main([verb, str(grammar), "--on-error", "skip"]) == 0
        aside = tmp_path / ("rules.1.skipped" if verb == "merge" else "rules.skipped")
        assert "p=x" in aside.read_text()
        aside.unlink()
    assert not list(tmp_path.rglob("*.skipped"))


@pytest.mark.parametrize(
    ("arguments", "read"),
    [
        (["filter", "out.skipped", "-o", "out"], "out.skipped"),
        (["filter", "rules", "--text", "out.skipped", "-o", "out"], "out.skipped"),
        (["pack", "out.skipped", "out"], "out.skipped"),
        (["merge", "rules", "out.2.skipped", "-o", "out"], "out.2.skipped"),
        (["merge", "out.2.skipped", "rules", "-o", "out"], "out.2.skipped"),
        (["stats", "rules.skipped"], "rules.skipped"),
        (["filter", "-"], "rules.skipped"),
    ],
)
def test_bad_lines_are_set_aside_over_nothing_that_is_read(
    grammar: Path, tmp_path: Path, arguments: list[str], read: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(read).write_text(RULES)
    with open(read) as stdin:
        done = subprocess.run(
            [sys.executable, "-P", "-c", "import sys; from sbmt.cli.rules import main; sys.exit(main())", *arguments,
             "--on-error", "skip"], stdin=stdin, capture_output=True, text=True, check=False,
        )  # fmt: skip
    complaint = f"error: {read} is read, but has the name of a file to be written: rename it, or the output\n"
    assert (done.returncode, done.stderr.endswith(complaint)) == (2, True)
    assert Path(read).read_text() == RULES
    assert sorted(os.listdir()) == sorted({"rules", read})


def test_a_label_that_no_rule_has_is_remarked_on(
    grammar: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    assert shown(capsys, "filter", grammar, "--label", "NN", "--label", "[NOPE]").count("\n") == 1
    assert caplog.messages == ["no rule has the label NOPE"]


@pytest.mark.parametrize("owner", ["", "a b", "a=b", "a|b", "a\u00a0b"])
def test_an_owner_is_part_of_a_features_name(grammar: Path, capsys: pytest.CaptureFixture[str], owner: str) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["filter", str(grammar), "--owner", owner])
    assert f"argument --owner: {owner!r} would not be read back: give one word without = and |" in (
        capsys.readouterr().err
    )


def test_a_command_may_be_called_in_a_thread(capsys: pytest.CaptureFixture[str]) -> None:
    codes: list[int] = []
    thread = threading.Thread(target=lambda: codes.append(main(["list-features"])))
    thread.start()
    thread.join()
    assert codes == [0]
    assert "PhrasePenalty" in capsys.readouterr().out


def test_values_without_label_take_the_owners_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "glue").write_text("[GOAL] ||| <s> ||| <s> ||| -1\n")
    assert shown(capsys, "filter", tmp_path / "glue", "--owner", "glue") == "[GOAL] ||| <s> ||| <s> ||| tm_glue_0=1\n"


def test_the_catalogue_names_every_feature_once(capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(capsys, "list-features").splitlines()
    names = [line.split()[0] for line in lines]
    assert len(names) == len(set(names))
    assert {"CharLogCR", "SourceMaxWordSyl", "TargetMaxWordSyl", "MaxWordSylDiff", "MaxDiffWordSylDiff"} <= set(names)
    assert {"MaxDiffWordLenDiff", "HardWordDiff", "SourceWords", "ZipfDiff"} <= set(names)
    assert {"SourceNAMELM", "TargetNAMELM", "NAMELMDiff"} <= set(names)
    assert {"LogCount", "p(e|f)", "-logp(e2|e1)", "Lex(e1|e2)", "AGigaSim", "Distortion", "RuleQuality"} <= set(names)
    assert all(line.count("; ") == 2 for line in lines)
    rows = json.loads(shown(capsys, "list-features", "--json"))
    assert [f"{row['name']:28}{row['meaning']}; {row['sign']}; {row['source']}" for row in rows] == lines


def test_the_catalogue_has_what_the_packaged_model_weighs(capsys: pytest.CaptureFixture[str]) -> None:
    names = {line.split()[0].replace("lm_N", "lm_0") for line in shown(capsys, "list-features").splitlines()}
    weighed = set(Model.load("starter").config.weights)
    assert weighed <= names
    rows = json.loads(shown(capsys, "show", "--json", "principal", "able-bodied"))
    assert {name for row in rows for name in row["features"]} <= names


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["filter", "GRAMMAR", "--kind", "odd"], "unknown kind 'odd'"),
        (["filter", "GRAMMAR", "--label", "[NN"], "'[NN' is no label"),
        (["filter", "-", "--text", "-"], "standard input (-) stands for two of the texts"),
        (["merge", "-", "GRAMMAR", "-"], "standard input (-) stands for two of the texts"),
        (["pack", "GRAMMAR", "-"], "-: is standard output; name a file to write to"),
        (["filter", "GRAMMAR", "--text", "TEXT", "-o", "TEXT"], "TEXT is read: give another name to write to"),
        (["stats", "absent"], "absent: no such file"),
        (["check", "GRAMMAR"], "is not a packed grammar"),
        (["show", "-m", "absent", "word"], "absent: no such model"),
        (["show", "word", " "], "one of the phrases has no word"),
    ],
)
def test_complaints(grammar: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], complaint: str) -> None:
    assert main([str(grammar) if argument == "GRAMMAR" else argument for argument in arguments]) == 2
    assert complaint in capsys.readouterr().err


def test_a_file_is_no_phrase(
    bundle: Path, grammar: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """But for one whose name may be a word that is meant; and what the message says works."""
    assert main(["show", "-m", str(bundle), str(grammar), "dwelling"]) == 2
    assert f"{grammar} is a file, not a phrase; to look words up in it: echo WORDS" in capsys.readouterr().err
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"dwelling\n")))
    assert shown(capsys, "filter", grammar, "--text", "-").startswith("[NN] ||| dwelling ||| house |||")
    monkeypatch.chdir(tmp_path)
    assert "rules  [X]  (copy)" in shown(capsys, "show", "-m", bundle, "rules")


def test_packed_and_text_grammars_merge(grammar: Path, tmp_path: Path) -> None:
    assert main(["pack", str(grammar), str(tmp_path / "one")]) == 0
    assert main(["merge", str(tmp_path / "one"), str(grammar), "-o", str(tmp_path / "both")]) == 0
    assert {(rule.lhs, rule.target) for rule in read_rules(tmp_path / "both")} == {
        (rule.lhs, rule.target) for rule in read_rules(grammar)
    }


def test_a_model_stands_for_its_grammars(bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In a folder or by name; a file of that name counts first."""
    from_file = shown(capsys, "filter", bundle / "grammar.ppdb")
    assert from_file.count("\n") == 12
    assert shown(capsys, "filter", bundle) == from_file
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "model.yaml").write_text(
        f"format: 1\ngrammars: [{{path: {bundle}/grammar.ppdb}}, {{path: {bundle}/grammar.ppdb, owner: other}}]\n"
    )
    assert shown(capsys, "filter", tmp_path / "two") == 2 * from_file
    assert "[JJ] ||| numerous ||| many" in shown(capsys, "filter", "starter", "--kind", "lexical", "--label", "JJ")


def test_a_file_counts_before_a_model_of_its_name(
    grammar: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(grammar.parent)
    Path("starter").write_text(RULES)
    assert shown(capsys, "filter", "starter").count("\n") == 3


def test_a_grammar_is_joined_by_learnt_rules_and_evidence_and_the_unsound_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    own, tune, crowd, joined = (str(tmp_path / name) for name in ("own", "tune", "crowd", "joined.gz"))
    Path(own).write_text("[NN] ||| dwelling ||| house ||| p=1\n")
    Path(tune).write_text(
        "[X] ||| dwelling ||| house ||| p(f|e)=1\n[X] ||| required ||| needed ||| p(f|e)=1\n"
        "[X] ||| in the ||| in the large ||| p(f|e)=1\n[X] ||| mountains ||| mountain ||| p(f|e)=1\n"
    )
    Path(crowd).write_text("[X] ||| dwelling ||| house ||| LogCount=2\n[X] ||| vast ||| big ||| LogCount=2\n")
    named = ["--learnt", f"tune={tune}", "--evidence", f"crowd={crowd}"]
    assert main(["merge", own, *named, "-o", joined]) == 0
    rules = {(rule.lhs, " ".join(rule.target)): dict(rule.features) for rule in read_rules(joined)}
    alone = {"tune:p(f|e)": 1, "In:tune": 1, "LearntOnly": 1}
    assert rules == {
        ("NN", "house"): {"p": 1, "tune:p(f|e)": 1, "In:tune": 1, "crowd:LogCount": 2, "In:crowd": 1},
        ("VBD", "needed"): alone,
        ("VBN", "needed"): alone,
        ("X", "in the large"): alone,
    }
    assert shown(capsys, "filter", joined, "--sound", "tune").count("|||") == 3 * 3
    assert shown(capsys, "filter", joined, "--sound", "tnue").count("|||") == 3 * 4
    assert "no rule has the feature In:tnue" in caplog.text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--evidence", "my rules=a.gz"], "--evidence my rules=...: a name is of letters, digits, '.', '_' and '-'"),
        (["--learnt", "a=a.gz", "--evidence", "a=b.gz"], "--learnt and --evidence both name a: give one of them"),
    ],
)
def test_sources_have_names_of_their_own(options: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["merge", "starter", *options]) == 2
    assert message in capsys.readouterr().err


def test_rules_of_which_words_alone_tell_that_they_are_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    grammar = tmp_path / "rules"
    lines = ["[X] ||| 2 men ||| 3 men ||| p=1", "[X] ||| a -rrb- b ||| a b ||| p=1", "[X] ||| vast ||| big ||| p=1"]
    lines.append("[X] ||| of cars ||| cars ||| p=1")
    grammar.write_text("\n".join(lines) + "\n")
    assert shown(capsys, "filter", grammar, "--possible").splitlines() == lines[2:]
    assert shown(capsys, "filter", grammar, "--balanced").splitlines() == [lines[0], *lines[2:]]
    assert shown(capsys, "filter", grammar, "--substantial").splitlines() == [lines[0], lines[2]]
