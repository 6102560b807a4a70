"""sbmt-features as a user runs it: any format in, the same bytes for any number of workers, resuming, bad lines."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from wordfreq import zipf_frequency

from sbmt.cli.features import main
from sbmt.errors import FormatError
from sbmt.features.annotation import stream
from sbmt.features.annotation.resumable import ResumableOutput
from sbmt.io import read_lines
from sbmt.ppdb.formats import read_rules
from sbmt.ppdb.skipped import SkippedLines

PAIRS = "".join(f"utilization{i}\tuse{i % 7}\n" for i in range(60))


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.tsv"
    path.write_text(PAIRS)
    return path


def annotated(source: Path, target: Path, *options: str) -> list[str]:
    assert main(["annotate", str(source), str(target), *options]) == 0
    return target.read_text().splitlines()


def test_a_bare_pair_list_becomes_a_grammar(tmp_path: Path) -> None:
    (tmp_path / "pairs").write_text("utilize use\nin order to\tto\n")
    annotated(tmp_path / "pairs", tmp_path / "out")
    first, second = read_rules(tmp_path / "out")
    assert (first.lhs, first.source, first.target, first.alignment) == ("X", ("utilize",), ("use",), ((0, 0),))
    assert {n: first.features[n] for n in ("CharCountDiff", "SourceSyl", "TargetSyl", "SylDiff", "Lexical")} == {
        "CharCountDiff": -4, "SourceSyl": 3, "TargetSyl": 1, "SylDiff": -2, "Lexical": 1,
    }  # fmt: skip
    assert (second.source, second.features["WordCountDiff"]) == (("in", "order", "to"), -2)


def test_values_without_a_name_belong_to_the_owner(tmp_path: Path) -> None:
    (tmp_path / "rules").write_text("[NN] ||| dwelling ||| house ||| 1\n")
    (line,) = annotated(tmp_path / "rules", tmp_path / "out", "--owner", "own")
    assert "tm_own_0=-1" in line.split()


def test_frequencies_are_those_of_the_language(tmp_path: Path) -> None:
    (tmp_path / "pairs").write_text("haus gift\n")
    for language in ("en", "de"):
        annotated(tmp_path / "pairs", tmp_path / "out", "--language", language)
        (rule,) = read_rules(tmp_path / "out")
        values = (rule.features["SourceZipf"], rule.features["TargetZipf"])
        assert values == (zipf_frequency("haus", language), zipf_frequency("gift", language))


def test_any_number_of_jobs_gives_the_same_bytes(pairs: Path, tmp_path: Path) -> None:
    one, two = (annotated(pairs, tmp_path / jobs, "--jobs", jobs) for jobs in ("1", "2"))
    assert one == two
    assert [line.split(" ||| ")[1] for line in one] == [line.split()[0] for line in PAIRS.splitlines()]


@pytest.mark.parametrize(("suffix", "unpack"), [(".gz", gzip.decompress), (".xz", lzma.decompress)])
def test_compressed_output_of_several_batches(
    pairs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, unpack: object
) -> None:
    monkeypatch.setattr(stream, "_BATCH", 25)
    plain = annotated(pairs, tmp_path / "plain")
    assert main(["annotate", str(pairs), str(tmp_path / f"out{suffix}")]) == 0
    data = (tmp_path / f"out{suffix}").read_bytes()
    assert unpack(data).decode().splitlines() == plain  # type: ignore[operator]


def test_an_interrupted_run_goes_on(pairs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run stops at a bad line after some batches; the line is corrected, and only the rest is annotated."""
    monkeypatch.setattr(stream, "_BATCH", 10)
    whole = annotated(pairs, tmp_path / "whole")
    lines = PAIRS.splitlines(keepends=True)
    pairs.write_text("".join([*lines[:33], "bad\n", *lines[34:]]))
    out = tmp_path / "out"
    assert main(["annotate", str(pairs), str(out)]) == 2
    assert not out.exists()
    assert json.loads((tmp_path / "out.state").read_text())["rules"] == 30
    with (tmp_path / "out.partial").open("a") as partial:
        partial.write("half a li")
    pairs.write_text(PAIRS)
    assert annotated(pairs, out, "--resume") == whole
    assert sorted(path.name for path in tmp_path.glob("out*")) == ["out"]


@pytest.mark.parametrize(("batches", "said"), [(0, ""), (2, ": --resume goes on with out")])
def test_an_interruption_says_how_to_go_on(
    pairs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], batches: int, said: str
) -> None:
    """A run can be resumed once a batch is written."""
    write: Callable[[ResumableOutput, object], None] = ResumableOutput.write

    def interrupted(self: ResumableOutput, batch: object) -> None:
        if self.lines == 10 * batches:
            raise KeyboardInterrupt
        write(self, batch)

    monkeypatch.chdir(pairs.parent)
    monkeypatch.setattr(stream, "_BATCH", 10)
    monkeypatch.setattr(ResumableOutput, "write", interrupted)
    assert main(["annotate", str(pairs), "out"]) == 130
    assert capsys.readouterr().err.partition(": ")[2] == f"interrupted{said}\n"


def test_an_interruption_keeps_bad_lines_that_can_be_resumed(
    pairs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """After a batch; before it, nothing stays."""
    write: Callable[[ResumableOutput, object], None] = ResumableOutput.write
    batches = 0

    def interrupted(self: ResumableOutput, batch: object) -> None:
        if not batches or self.lines:
            raise KeyboardInterrupt
        write(self, batch)

    monkeypatch.chdir(pairs.parent)
    pairs.write_text(f"lonely\n{PAIRS}")
    monkeypatch.setattr(stream, "_BATCH", 10)
    command = ["annotate", "pairs.tsv", "out", "--on-error", "skip"]
    with monkeypatch.context() as patch:
        patch.setattr(ResumableOutput, "write", interrupted)
        assert main(command) == 130
        assert capsys.readouterr().err.partition(": ")[2] == "interrupted\n"
        assert os.listdir() == ["pairs.tsv"]
        batches = 1
        assert main(command) == 130
    message = "interrupted: --resume goes on with out and out.skipped\n"
    assert capsys.readouterr().err.partition(": ")[2] == message
    assert sorted(os.listdir()) == ["out.partial", "out.skipped", "out.state", "pairs.tsv"]
    assert main([*command, "--resume"]) == 0
    assert sorted(os.listdir()) == ["out", "out.skipped", "pairs.tsv"]
    assert Path("out.skipped").read_text().startswith("1\t")


def test_a_finished_output_needs_no_resuming(
    pairs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    out = tmp_path / "out"
    lines = annotated(pairs, out, "--resume")  # of no run: begins one
    caplog.clear()
    for _ in range(2):
        assert annotated(pairs, out, "--resume") == lines
    message = f"{out}: is there and finished: nothing is left to do; to make it anew, start without --resume"
    assert caplog.messages == [message] * 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "pairs.tsv"]
    os.utime(out, ns=(0, 0))  # that of another input
    assert main(["annotate", str(pairs), str(out), "--resume"]) == 2
    assert f"{out}: is older than {pairs}, so it is not made from it; start without --resume" in capsys.readouterr().err


def test_resuming_needs_the_same_run(pairs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    pairs.write_text("a b\nbad\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stream, "_BATCH", 1)
        assert main(["annotate", str(pairs), str(out)]) == 2
    assert main(["annotate", str(pairs), str(out), "--resume", "--replace"]) == 2
    assert "the interrupted run had another replace; start without --resume" in capsys.readouterr().err


@pytest.fixture
def interrupted(pairs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The command of a run that stopped at line 34, after three batches."""
    (tmp_path / "easy").write_text("use1\n")
    monkeypatch.setattr(stream, "_BATCH", 10)
    lines = PAIRS.splitlines(keepends=True)
    pairs.write_text("".join([*lines[:33], "bad\n", *lines[34:]]))
    command = ["annotate", str(pairs), str(tmp_path / "out"), "--common-words", str(tmp_path / "easy")]
    assert main(command) == 2
    return [*command, "--resume"]


def changed(text: str) -> str:
    """Change one of the lines that were read, keeping its length."""
    return text.replace("utilization7\tuse0", "utilization7\tuse9")


def cut(text: str) -> str:
    """Keep fewer lines than were read."""
    return "".join(text.splitlines(keepends=True)[:9])


@pytest.mark.parametrize("change", [changed, cut])
@pytest.mark.parametrize("packed", [False, True])
def test_a_changed_input_is_not_resumed(
    pairs: Path,
    tmp_path: Path,
    interrupted: list[str],
    capsys: pytest.CaptureFixture[str],
    change: Callable[[str], str],
    packed: bool,
) -> None:
    text = change(pairs.read_text()).encode()
    pairs.write_bytes(gzip.compress(text) if packed else text)
    before = (tmp_path / "out.partial").read_bytes()
    for _ in range(2):
        assert main(interrupted) == 2
        message = f"{pairs}: has changed where the interrupted run has read it; start without --resume"
        assert message in capsys.readouterr().err
    assert (tmp_path / "out.partial").read_bytes() == before


def test_other_files_that_are_read_must_not_change(
    pairs: Path, tmp_path: Path, interrupted: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    easy = tmp_path / "easy"
    before = easy.stat()
    for text, times in (("use1 and more\n", 0), ("use2\n", 1)):  # another size, another time
        easy.write_text(text)
        os.utime(easy, ns=(before.st_atime_ns, before.st_mtime_ns + times))
        assert main(interrupted) == 2
        message = f"out: the interrupted run had another size or time of {easy}; start without --resume"
        assert message in capsys.readouterr().err
    easy.write_text("use1\n")
    os.utime(easy, ns=(before.st_atime_ns, before.st_mtime_ns))
    pairs.write_text(PAIRS)
    assert main(interrupted) == 0


def test_another_version_resumes_nothing(
    interrupted: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(stream, "__version__", "0.0.1")
    assert main(interrupted) == 2
    assert "the interrupted run had another version of sbmt; start without --resume" in capsys.readouterr().err


def test_bad_lines_stop_or_are_set_aside(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "in").write_text("utilize use\n\n[X] ||| a ||| b ||| p=x\nprior to\tbefore\nlonely\n")
    assert main(["annotate", str(tmp_path / "in"), str(tmp_path / "out")]) == 2
    complaint = capsys.readouterr().err
    assert "line 3: 'x' is not a number (--on-error skip passes such lines over)" in complaint
    assert len(annotated(tmp_path / "in", tmp_path / "out", "--on-error", "skip")) == 2
    assert "2 rules written, 2 bad lines set aside" in caplog.text
    aside = [line.split("\t") for line in (tmp_path / "out.skipped").read_text().splitlines()]
    assert [(row[0], row[2]) for row in aside] == [("3", "[X] ||| a ||| b ||| p=x"), ("5", "lonely")]


def test_a_truncated_archive_is_named(pairs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cut = tmp_path / "cut.gz"
    cut.write_bytes(gzip.compress(PAIRS.encode() * 50)[:-20])
    assert main(["annotate", str(cut), str(tmp_path / "out")]) == 2
    assert "the compressed file is damaged" in capsys.readouterr().err


def test_standard_streams(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"[NN] ||| dwelling ||| house ||| Score=2.50\n")))
    assert main(["annotate", "-", "-"]) == 0
    assert capsys.readouterr().out.startswith("[NN] ||| dwelling ||| house ||| Score=2.50 CharCountDiff=-3 ")


def test_a_list_of_common_words_and_a_language_model(tmp_path: Path) -> None:
    (tmp_path / "rules").write_text("[NN] ||| dwelling ||| house\n")
    (tmp_path / "easy").write_text("Dwelling\n")
    (tmp_path / "lm").write_text(
        "\\data\\\nngram 1=4\nngram 2=1\n\n\\1-grams:\n-1\t<unk>\n-9\t<s>\t0\n-1\t</s>\n-2\thouse\t0\n\n"
        "\\2-grams:\n-1\thouse </s>\n\n\\end\\\n"
    )
    options = ("--common-words", str(tmp_path / "easy"), "--lm", f"Simp={tmp_path / 'lm'}")
    assert main(["annotate", str(tmp_path / "rules"), str(tmp_path / "out"), *options]) == 0
    values = next(iter(read_rules(tmp_path / "out"))).features
    assert values["HardWordDiff"] == values["TargetHardWord"] == 1
    assert values["SimpLMDiff"] == pytest.approx(-2.302585, abs=1e-4)


def test_where_nothing_can_be_written(pairs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["annotate", str(pairs), "/proc/absent/out"]) == 2
    assert "absent/out: cannot be written: no such file or folder" in capsys.readouterr().err


def test_missing_folders_are_made(pairs: Path, tmp_path: Path) -> None:
    assert len(annotated(pairs, tmp_path / "new" / "folder" / "out")) == 60


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_lines_that_are_no_text_are_set_aside(tmp_path: Path, capsys: pytest.CaptureFixture[str], jobs: str) -> None:
    source, out = tmp_path / "in", tmp_path / "out"
    source.write_bytes(b"big large\nhuge caf\xe9\na\0b c\nsmall little\n")
    assert main(["annotate", str(source), str(out)]) == 2
    complaint = "in, line 2: is not valid utf-8 at byte 8 (--on-error skip passes such lines over)"
    assert complaint in capsys.readouterr().err
    whole = annotated(source, tmp_path / "whole", "--on-error", "skip", "--jobs", jobs)
    assert len(whole) == 2
    assert (tmp_path / "whole.skipped").read_text().splitlines() == [
        "2\tis not valid utf-8 at byte 8\thuge caf\\xe9",
        "3\tholds a NUL byte\ta\\x00b c",
    ]


def test_a_run_goes_on_after_lines_that_are_no_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines that were read are compared byte for byte."""
    monkeypatch.setattr(stream, "_BATCH", 1)
    source, out = tmp_path / "in", tmp_path / "out"
    source.write_bytes(b"big large\nhuge caf\xe9\nsmall little\nvast big\n")
    assert main(["annotate", str(source), str(out)]) == 2  # at line 2
    lines = source.read_bytes().splitlines(keepends=True)
    source.write_bytes(b"".join([*lines[:3], b"vast \xe9\n"]))
    assert len(annotated(source, out, "--on-error", "skip", "--resume")) == 2
    assert [line[0] for line in (tmp_path / "out.skipped").read_text().splitlines()] == ["2", "4"]


def test_capitals_that_no_rule_is_matched_with_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """All of them are counted, also after an interrupted run."""
    monkeypatch.setattr(stream, "_BATCH", 2)
    source, rules = tmp_path / "in", "Numerous\tmany\nsmall\tLittle\n[X,1] of Ulm\tUlm 's [X,1]\n"
    message = (
        f"{source}: rules with capitals in the source side: 2; they never apply where text is matched in lower case, "
        "as it is by default: lower-case their words"
    )
    source.write_text(rules)
    assert len(annotated(source, tmp_path / "out")) == 3
    assert caplog.messages == [message]
    source.write_text(f"{rules}bad line |||\n")
    assert main(["annotate", str(source), str(tmp_path / "again")]) == 2
    assert caplog.messages == [message]
    source.write_text(rules)
    assert annotated(source, tmp_path / "again", "--resume") == annotated(source, tmp_path / "out")
    assert caplog.messages == [message] * 3


@contextmanager
def written(pipe: Path, content: str) -> Iterator[None]:
    """Write into a pipe during the block."""
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(content,), daemon=True)
    writer.start()
    yield
    writer.join(10)


def test_rules_from_a_pipe(pairs: Path, tmp_path: Path) -> None:
    expected = annotated(pairs, tmp_path / "from file")
    with written(tmp_path / "pipe", PAIRS):
        assert annotated(tmp_path / "pipe", tmp_path / "from pipe") == expected


def test_rules_into_a_pipe(pairs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The pipe stays a pipe, also behind a link, and no files are made beside it."""
    pipe, link, read = tmp_path / "pipe", tmp_path / "link", []
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    for target in (pipe, link):
        reader = threading.Thread(target=lambda: read.append(pipe.read_text()), daemon=True)
        reader.start()
        assert main(["annotate", str(pairs), str(target)]) == 0
        reader.join(10)
    assert [text.splitlines() for text in read] == [annotated(pairs, tmp_path / "out")] * 2
    assert pipe.is_fifo()
    assert link.is_symlink()
    assert main(["annotate", str(pairs), str(pipe), "--resume"]) == 2
    assert "pipe: --resume needs a file" in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "out", "pairs.tsv", "pipe"]


def test_a_link_to_a_file_stays(pairs: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    lines = annotated(pairs, tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text().splitlines() == lines


@pytest.mark.parametrize(
    "arguments",
    [["identity", "words", "words"], ["annotate", "-", "words", "--common-words", "words"],
     ["annotate", "-", "words", "--lm", "Simp=words"]],
)  # fmt: skip
def test_inputs_beside_rules_are_not_overwritten(
    tmp_path: Path, arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("words").write_text("easy\n")
    assert main(arguments) == 2
    assert "words is read: give another name to write to" in capsys.readouterr().err
    assert Path("words").read_text() == "easy\n"


def test_a_folder_is_refused_at_once(pairs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "folder").mkdir()
    for folder in (tmp_path / "folder", Path()):
        assert main(["annotate", str(pairs), str(folder)]) == 2
        assert f"{folder}: is a folder; name a file" in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "pairs.tsv"]


def test_a_run_that_cannot_begin_leaves_nothing(tmp_path: Path) -> None:
    assert main(["annotate", str(tmp_path / "absent"), str(tmp_path / "out")]) == 2
    assert not list(tmp_path.iterdir())


WHOLE = {"run": {}, "lines": 0, "rules": 0, "check_sum": 0, "capitals": 0, "bytes": 0}
COUNTS = [json.dumps(WHOLE | odd) for odd in ({"lines": -5}, {"lines": "5"}, {"lines": 5.5}, {"bytes": 5.5},
                                             {"bytes": -5}, {"rules": 1 << 64})]  # fmt: skip


@pytest.mark.parametrize("record", ["[]", "7", '{"run": []}', "half", *COUNTS])
def test_a_damaged_record_of_a_run(
    pairs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], record: str
) -> None:
    (tmp_path / "out.state").write_text(record)
    assert main(["annotate", str(pairs), str(tmp_path / "out"), "--resume"]) == 2
    message = "out.state and out.partial are not what an interrupted run leaves; start without --resume"
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out.partial").exists()


def test_resuming_in_place_begins(pairs: Path) -> None:
    lines = annotated(pairs, pairs, "--resume")
    assert len(lines) == len(PAIRS.splitlines())
    assert all(line.startswith("[X] ||| ") for line in lines)


def test_damaged_lines_set_aside(pairs: Path, tmp_path: Path, interrupted: list[str]) -> None:
    (tmp_path / "out.skipped").write_text("lonely\n")
    message = r"out\.skipped, line 1: does not begin with the number of a bad line \(start without --resume\)"
    with pytest.raises(FormatError, match=message), SkippedLines(tmp_path / "out.skipped").growing(30):
        pass


@pytest.mark.parametrize(
    ("arguments", "read"),
    [
        (["out.partial", "out"], "out.partial"),
        (["out.state", "out"], "out.state"),
        (["out.skipped", "out", "--on-error", "skip"], "out.skipped"),
        (["rules.skipped", "-", "--on-error", "skip"], "rules.skipped"),
        (["pairs.tsv", "out", "--lm", "G=out.partial"], "out.partial"),
        (["pairs.tsv", "out", "--common-words", "out.partial"], "out.partial"),
        (["pairs.tsv", "link", "--common-words", "file.partial"], "file.partial"),
    ],
)
def test_inputs_with_names_of_working_files_are_refused(
    pairs: Path, arguments: list[str], read: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(pairs.parent)
    Path("link").symlink_to("file")
    Path(read).write_text(PAIRS)
    assert main(["annotate", *arguments]) == 2
    message = f"{read} is read, but has the name of a file to be written: rename it, or the output\n"
    assert capsys.readouterr().err.endswith(message)
    assert Path(read).read_text() == PAIRS
    assert not Path("out").exists()


@pytest.mark.parametrize("options", [(), ("--resume",)])
def test_an_output_that_another_process_writes(
    pairs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...]
) -> None:
    """Neither the output of the other process nor the lines that it set aside are touched."""
    out, aside = tmp_path / "out", tmp_path / "out.skipped"
    with ResumableOutput(out, {}, resume=False) as other:
        other.write([("rule", (1, 0, 0))])
        aside.write_text("1\twrong\tline\n")
        assert main(["annotate", str(pairs), str(out), "--on-error", "skip", *options]) == 2
        message = f"{out}: another process is writing it; wait until it ends, or stop it\n"
        assert capsys.readouterr().err.endswith(message)
        assert other.finish() == 1
    assert out.read_text() == "rule\n"
    assert aside.exists()
    assert annotated(pairs, out)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "out.skipped", "pairs.tsv"]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_list_of_common_words_from_a_stream(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: str) -> None:
    (tmp_path / "rules").write_text("[NN] ||| dwelling ||| house\n")
    (tmp_path / "easy").write_text("Dwelling\n")
    options = ("--jobs", jobs, "--common-words")
    expected = annotated(tmp_path / "rules", tmp_path / "from file", *options, str(tmp_path / "easy"))
    assert "TargetHardWord=1" in expected[0].split()
    with written(tmp_path / "pipe", "Dwelling\n"):
        assert annotated(tmp_path / "rules", tmp_path / "from pipe", *options, str(tmp_path / "pipe")) == expected
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"Dwelling\n")))
    assert annotated(tmp_path / "rules", tmp_path / "from input", *options, "-") == expected


def test_an_output_that_there_is_no_room_for_is_named(
    pairs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("sbmt.features.annotation.resumable.compressing", full)
    assert main(["annotate", str(pairs), str(tmp_path / "out")]) == 2
    assert capsys.readouterr().err.endswith(f"{tmp_path / 'out'}: cannot be written: the disk is full; make room\n")
    assert list(tmp_path.iterdir()) == [pairs]


def test_standard_input_stands_for_one_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["annotate", "-", "-", "--common-words", "-"]) == 2
    assert "standard input (-) stands for two of the texts" in capsys.readouterr().err


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_stray_line_among_rules(tmp_path: Path, jobs: str) -> None:
    (tmp_path / "in").write_text("[NN] ||| dwelling ||| house ||| p=1\nstray words\n")
    assert len(annotated(tmp_path / "in", tmp_path / "out", "--on-error", "skip", "--jobs", jobs)) == 1
    assert (tmp_path / "out.skipped").read_text().startswith("2\tlooks like two bare words among rules")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("a b=x", "--lm a b=...: names of features have neither white space nor |||; name it otherwise"),
        ("a|||b=x", "--lm a|||b=...: names of features have neither"),
    ],
)
def test_a_language_model_needs_a_name_that_features_can_have(
    pairs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], given: str, message: str
) -> None:
    assert main(["annotate", str(pairs), str(tmp_path / "out"), "--lm", given]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz"])
def test_no_rules_make_a_file_without_lines(tmp_path: Path, suffix: str) -> None:
    (tmp_path / "none").touch()
    assert main(["annotate", str(tmp_path / "none"), str(tmp_path / f"out{suffix}")]) == 0
    assert list(read_lines(tmp_path / f"out{suffix}")) == []


@pytest.mark.parametrize(
    ("suffix", "begins", "unpack"), [(".gz", b"\x1f\x8b", gzip.decompress), (".xz", b"\xfd7zXZ\0", lzma.decompress)]
)
def test_an_archive_of_no_rules_is_one(
    tmp_path: Path, suffix: str, begins: bytes, unpack: Callable[[bytes], bytes]
) -> None:
    """`gzip -d` and `xz -d` refuse a file of no bytes, though Python's gzip does not."""
    (tmp_path / "none").touch()
    assert main(["annotate", str(tmp_path / "none"), str(tmp_path / f"out{suffix}")]) == 0
    data = (tmp_path / f"out{suffix}").read_bytes()
    assert data.startswith(begins)
    assert unpack(data) == b""


def test_jobs_are_not_negative(pairs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["annotate", str(pairs), "-", "--jobs", "-1"])
    assert "argument --jobs: -1 is less than 0" in capsys.readouterr().err
