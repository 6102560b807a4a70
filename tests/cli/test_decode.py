"""sbmt-decode as a user runs it: outputs, files and streams, workers, and bad input."""

from __future__ import annotations

import gzip
import io
import json
import logging
import os
import pty
import shlex
import shutil
import subprocess
import sys
import termios
from collections.abc import Iterator
from pathlib import Path
from select import select

import pytest

from sbmt.cli.decode import build_parser, main
from sbmt.cli.shared.systems import Reading, SystemFile, read_systems
from sbmt.simplifier import Simplifier
from sbmt.simplifier.stream import FORMATS, Request, simplified_lines

LINES = ["He utilized numerous tools.", "", "  An enormous dog\tcame.\r", "Nothing here.", "¡Él utilized [X] ||| %s!"]
SIMPLER = ["He used many tools.", "", "  A big dog\tcame.\r", "Nothing here.", "¡Él used [X] ||| %s!"]

COMMAND = [sys.executable, "-P", "-c", "import sys; from sbmt.cli.decode import main; sys.exit(main())"]


def run_process(*arguments: str | Path, lines: list[str] | bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*COMMAND, *map(str, arguments)], input=_bytes(lines), capture_output=True, check=False)


def run(*arguments: str | Path, lines: list[str] | bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """The same in this process, which is much faster."""
    data = {"stdin": _bytes(lines), "stdout": b"", "stderr": b""}
    streams = {name: io.TextIOWrapper(io.BytesIO(start), encoding="utf-8") for name, start in data.items()}
    with pytest.MonkeyPatch.context() as patch:
        for name, stream in streams.items():
            patch.setattr(sys, name, stream)
        patch.setattr(sys, "argv", ["-c"])
        patch.setattr(logging.root, "handlers", [])  # pytest's: the command then logs to standard error
        code = main(list(map(str, arguments)))
    for stream in streams.values():
        stream.flush()
    out, err = (streams[name].buffer.getvalue() for name in ("stdout", "stderr"))
    return subprocess.CompletedProcess(arguments, code, out, err)


def _bytes(lines: list[str] | bytes) -> bytes:
    return lines if isinstance(lines, bytes) else "".join(line + "\n" for line in lines).encode()


def decoded(path: Path) -> list[str]:
    return path.read_bytes().decode().split("\n")[:-1]


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "in.txt"
    path.write_bytes("".join(line + "\n" for line in LINES).encode())
    return path


def test_a_table_is_remarked_on(bundle: Path, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("utilized,numerous\n")
    done = run("-m", bundle, tmp_path / "in.csv", lines=[])
    assert f"{tmp_path}/in.csv: is read as text, headers and all: for one column of a table" in done.stderr.decode()


def test_text_through_the_pipe_keeps_lines_and_bytes(bundle: Path) -> None:
    done = run_process("-m", bundle, lines=LINES)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == "".join(line + "\n" for line in SIMPLER)


def test_any_number_of_jobs_gives_the_same_bytes(bundle: Path, text: Path, tmp_path: Path) -> None:
    text.write_bytes(text.read_bytes() * 20)
    outputs = []
    for jobs in ("1", "2"):
        out = tmp_path / f"out{jobs}"
        assert main(["-m", str(bundle), "--output", "jsonl", "--jobs", jobs, "-o", str(out), str(text)]) == 0
        outputs.append(out.read_bytes())
    assert outputs[0] == outputs[1]
    assert len(outputs[0].splitlines()) == 100


def test_standard_output_is_in_utf_8_whatever_the_locale(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "latin-1")
    assert run_process("-m", bundle, lines=["Él utilized it"]).stdout.decode() == "Él used it\n"


def test_a_byte_order_mark_is_no_part_of_a_word(bundle: Path) -> None:
    assert run("-m", bundle, lines="\ufeffNumerous dogs.\n".encode()).stdout == b"Many dogs.\n"


def test_files_follow_one_another_and_may_be_packed(bundle: Path, text: Path, tmp_path: Path) -> None:
    packed, out = tmp_path / "more.gz", tmp_path / "out.gz"
    packed.write_bytes(gzip.compress(b"Numerous dogs.\n"))
    assert main(["-m", str(bundle), str(packed), str(text), "-o", str(out)]) == 0
    assert gzip.decompress(out.read_bytes()).decode().split("\n")[:-1] == ["Many dogs.", *SIMPLER]


def test_missing_folders_are_made(bundle: Path, text: Path, tmp_path: Path) -> None:
    """As the help says."""
    assert "missing folders are made" in " ".join(build_parser().format_help().split())
    out = tmp_path / "new" / "folder" / "out"
    assert main(["-m", str(bundle), str(text), "-o", str(out)]) == 0
    assert decoded(out) == SIMPLER


def test_a_block_of_code_ends_with_its_file(bundle: Path, text: Path, tmp_path: Path) -> None:
    """One that is never closed goes on to the end of the document."""
    cut, out = tmp_path / "cut.txt", tmp_path / "out.txt"
    cut.write_text("Numerous dogs.\n```\nnumerous\n")
    assert main(["-m", str(bundle), str(cut), str(text), "-o", str(out)]) == 0
    assert decoded(out) == ["Many dogs.", "```", "numerous", *SIMPLER]


def test_indented_code_stays(bundle: Path) -> None:
    """From Python, too, where it is a single line."""
    line = "    numerous = get(tools)"
    assert run("-m", bundle, lines=[line, "", "  Numerous tools."]).stdout.decode() == f"{line}\n\n  Many tools.\n"
    simplifier = Simplifier.load(bundle)
    assert simplifier.simplify(line).output == line
    assert simplifier.simplify(f"{line}\nNumerous").output == f"{line}\nMany"
    assert run("-m", bundle, "--unprotect", "code", lines=[line]).stdout.decode() != f"{line}\n"


def test_scripts_and_json_stay(bundle: Path) -> None:
    """A script on one line may hold the ends of sentences."""
    script, json_line = '<script>x = "utilized. He utilized";</script>', '{"utilized": 1}'
    lines = [f"<p>He utilized.</p>{script}<p>He utilized it.</p>", json_line]
    kept = [f"<p>He used.</p>{script}<p>He used it.</p>", json_line]
    assert run("-m", bundle, lines=lines).stdout.decode().splitlines() == kept
    assert run("-m", bundle, "--unprotect", "code", lines=lines).stdout.decode().count("utilized") == 0


def test_lines_broken_for_width_are_joined(bundle: Path, tmp_path: Path) -> None:
    """In every kind of output, by any number of workers; each file has a width of its own."""
    wrapped, packed = tmp_path / "wrapped.txt", tmp_path / "packed.txt"
    wrapped.write_text("> It was said: he utilized numer-\n> ous tools, and all of those\n> were enormous.\n\n- one\n")
    packed.write_text("They utilized it.\nHe utilized it.\n```\nan enormous number of\ntools\n")
    simpler = "> It was said: he used many tools, and all of those were big."
    expected = [simpler, "", "- one", "They used it.", "He used it.", "```"]
    command = ["-m", str(bundle), "--unwrap", str(wrapped), str(packed), "-o", str(tmp_path / "out")]
    for jobs in ("1", "2"):
        assert main([*command, "--jobs", jobs]) == 0
        assert decoded(tmp_path / "out") == [*expected, "an enormous number of", "tools"]
    assert main([*command, "--output", "jsonl"]) == 0
    entries = [json.loads(line) for line in decoded(tmp_path / "out")]
    assert entries[0]["source"] == "> It was said: he utilized numerous tools, and all of those were enormous."
    assert [entry["output"] for entry in entries[:6]] == expected


def test_lines_before_a_bad_one_come_out_joined(bundle: Path) -> None:
    """And nothing of the files after it."""
    done = run_process("-m", bundle, "--unwrap", lines=b"It was said he utilized an enormous\ntool.\n\nb\xe9te\n")
    assert (done.returncode, done.stdout) == (2, b"It was said he used a big tool.\n\n")
    assert b"standard input, line 4: is not valid utf-8" in done.stderr


def test_diff(bundle: Path, text: Path, tmp_path: Path) -> None:
    assert main(["-m", str(bundle), "--output", "diff", str(text), "-o", str(tmp_path / "out")]) == 0
    assert decoded(tmp_path / "out")[:3] == [
        "He [-utilized-]{+used+} [-numerous-]{+many+} tools.",
        "",
        "  [-An enormous-]{+A big+} dog\tcame.\r",
    ]


def test_diff_has_colours_in_a_terminal(bundle: Path) -> None:
    ((_, shown, _),) = simplified_lines(Request(str(bundle), output="diff", colour=True), ["He utilized it"])
    assert shown == "He \x1b[31;9mutilized\x1b[0m \x1b[32mused\x1b[0m it"


@pytest.mark.parametrize(("variable", "value"), [("NO_COLOR", "1"), ("TERM", "dumb"), ("NO_COLOR", "")])
def test_colours_that_are_not_wanted(bundle: Path, monkeypatch: pytest.MonkeyPatch, variable: str, value: str) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv(variable, value)
    theirs, ours = pty.openpty()
    subprocess.run([*COMMAND, "-m", bundle, "--output", "diff"], input=b"He utilized it\n", stdout=ours, check=True)
    shown = b"[-utilized-]{+used+}" if value else b"\x1b[31;9mutilized\x1b[0m \x1b[32mused\x1b[0m"
    assert os.read(theirs, 1000) == b"He " + shown + b" it\r\n"
    for end in (theirs, ours):
        os.close(end)


def test_jsonl(bundle: Path, text: Path, tmp_path: Path) -> None:
    assert main(["-m", str(bundle), "--output", "jsonl", str(text), "-o", str(tmp_path / "out")]) == 0
    entries = [json.loads(line) for line in decoded(tmp_path / "out")]
    assert [entry["source"] for entry in entries] == LINES
    assert [entry["output"] for entry in entries] == SIMPLER
    assert list(entries[0]) == ["source", "output", "score", "changes"]
    assert list(entries[0]["changes"][0]) == [
        "source", "output", "source_span", "output_span", "rule", "label", "owner", "score", "features", "alternatives",
    ]  # fmt: skip
    assert "employed" in [alternative["output"] for alternative in entries[0]["changes"][0]["alternatives"]]
    assert entries[1] == {"source": "", "output": "", "score": 0.0, "changes": []}


def test_json_lines_of_several_files_name_theirs(bundle: Path, text: Path, tmp_path: Path) -> None:
    """After all else, and the commands that read such lines take them as before."""
    other, out = tmp_path / "other", tmp_path / "out.jsonl"
    other.write_text("Fine.\n")
    files = ["-", str(text), str(other)]
    done = run("-m", bundle, "--output", "jsonl", "-o", out, *files, lines=["Numerous dogs."])
    assert done.returncode == 0
    entries = [json.loads(line) for line in decoded(out)]
    places = [("-", 1), *((str(text), n) for n in range(1, 6)), (str(other), 1)]
    assert [(entry["file"], entry["line"]) for entry in entries] == places
    assert list(entries[0]) == ["source", "output", "score", "changes", "file", "line"]
    (system,) = read_systems(
        [SystemFile(str(out))], ["Numerous dogs.", *map(str.rstrip, LINES), "Fine."], {}, Reading()
    )
    assert [system.outputs[0], system.outputs[-1]] == ["Many dogs.", "Fine."]


def test_a_terminal_is_told_that_it_is_read(bundle: Path) -> None:
    """Unless a file is named, also "-"."""
    for arguments, told in (((), True), (("-",), False)):
        theirs, ours = pty.openpty()
        os.write(theirs, b"Numerous dogs.\n\x04")
        done = subprocess.run([*COMMAND, "-m", bundle, *arguments], stdin=ours, capture_output=True, check=True)
        os.close(theirs)
        os.close(ours)
        assert done.stdout == b"Many dogs.\n"
        assert done.stderr.endswith(b"reading standard input; --help has examples\n") == told


def test_a_terminal_without_a_size_has_a_bar(bundle: Path, tmp_path: Path) -> None:
    """As one that a program opens."""
    for columns, length in ((0, 80), (50, 50)):
        theirs, ours = pty.openpty()
        termios.tcsetwinsize(theirs, (24, columns) if columns else (0, 0))
        subprocess.run([*COMMAND, "-m", bundle, "-o", tmp_path / "out"], input=b"big\n", stderr=ours, check=True)
        shown = os.read(theirs, 10_000).decode().split("\r")
        os.close(theirs)
        os.close(ours)
        assert any("simplifying: 0 lines" in bar for bar in shown)
        assert max(map(len, shown)) <= length


def test_nbest(bundle: Path, tmp_path: Path) -> None:
    """The scores are the weights of the bundle times the values shown, and the list is sorted and unique."""
    done = run(
        "-m", bundle, "--tokenized", "--output", "nbest", "--nbest", "4", lines=["he utilized tools", "", "[X] -LRB-"]
    )
    fields = [line.split(" ||| ") for line in done.stdout.decode().splitlines()]
    assert [(number, output) for number, output, *_ in fields][:2] == [
        ("0", "he used tools"),
        ("0", "he utilized tools"),
    ]
    assert fields[4] == ["1", "", "", "0.000"]
    assert fields[5][1] == "&#91;x&#93; -lrb-"
    objects = run("-m", bundle, "--output", "jsonl", "--nbest", "4", lines=["He utilized tools.", " ", "```", "code"])
    lists = [json.loads(line)["nbest"] for line in objects.stdout.decode().splitlines()]
    assert len(lists[0]) == 4
    assert lists[1:] == [[{"output": line, "score": 0, "features": {}}] for line in (" ", "```", "code")]
    weights = {"lm_0": 1.0, "p(e|f)": -1.0, "WordPenalty": -0.5, "OOVPenalty": -0.2, "Changes": 0.3}
    for _, _, features, score in fields[:4]:
        values = dict(feature.split("=") for feature in features.split())
        assert sum(weights[name] * float(value) for name, value in values.items()) == pytest.approx(
            float(score), abs=0.005
        )
    scores = [float(score) for *_, score in fields[:4]]
    assert scores == sorted(scores, reverse=True)
    assert len({output for _, output, *_ in fields[:4]}) == 4


def test_protection(bundle: Path, tmp_path: Path) -> None:
    terms = tmp_path / "terms.txt"
    terms.write_text("numerous\n/tool./\n", encoding="utf-8")
    line = ["They utilized numerous tools in “The Enormous”."]
    assert run("-m", bundle, "--protect", terms, lines=line).stdout.decode() == (
        "They used numerous tools in “The Enormous”.\n"
    )
    done = run("-m", bundle, "--unprotect", "titles", "--unprotect", "names", lines=line)
    assert done.stdout.decode() == "They used many tools in “The Big”.\n"


def test_strength_zero_changes_nothing(bundle: Path) -> None:
    assert run("-m", bundle, "--strength", "0", lines=LINES).stdout == "".join(f"{line}\n" for line in LINES).encode()


def test_lines_are_read_as_they_are_needed(bundle: Path) -> None:
    """Flat memory: no more of the input is read than has been asked for."""
    read = []

    def endless() -> Iterator[str]:
        while True:
            read.append(1)
            yield "He utilized it."

    results = simplified_lines(Request(str(bundle)), endless())
    assert [next(results)[1] for _ in range(3)] == ["He used it."] * 3
    assert len(read) == 3


def test_another_encoding(bundle: Path) -> None:
    done = run("-m", bundle, "--encoding", "latin-1", lines="Él utilized tools.\n".encode("latin-1"))
    assert done.stdout == "Él used tools.\n".encode("latin-1")


def test_protected_words_have_the_encoding_of_the_text(bundle: Path, tmp_path: Path) -> None:
    terms, line = tmp_path / "terms.txt", "Él numerous tools.\n".encode("latin-1")
    terms.write_bytes("él numerous\n".encode("latin-1"))
    assert run("-m", bundle, "--encoding", "latin-1", lines=line).stdout == line.replace(b"numerous", b"many")
    assert run("-m", bundle, "--encoding", "latin-1", "--protect", terms, lines=line).stdout == line


def test_an_encoding_without_the_words_of_a_rule(bundle: Path, tmp_path: Path) -> None:
    shutil.copytree(bundle, tmp_path / "model")
    with (tmp_path / "model" / "grammar.ppdb").open("a", encoding="utf-8") as stream:
        stream.write("[NN] ||| inn ||| café ||| p(e|f)=-50\n")
    for out in ("-", tmp_path / "out"):
        done = run("-m", tmp_path / "model", "--encoding", "ascii", "-o", out, lines=["Fine", "An inn"])
        assert done.returncode == 2
        assert done.stderr.endswith(b"error: '\\xe9' cannot be written in ascii: use utf-8\n")


def test_utf_16_can_be_read_again(bundle: Path) -> None:
    """Its mark of the order of bytes is written on a pipe, too; without one the input is refused."""
    once = run("-m", bundle, "--encoding", "utf-16", lines="He utilized tools.\n".encode("utf-16")).stdout
    assert once.decode("utf-16") == "He used tools.\n"
    assert run("-m", bundle, "--encoding", "utf-16", lines=once).stdout == once
    done = run("-m", bundle, "--encoding", "utf16", lines=b"x\0\n\0")
    assert done.returncode == 2
    assert b"error: standard input, line 1: is not valid utf16: it does not begin with a byte order mark" in done.stderr
    assert done.stderr.endswith(b"(try utf-16-le or utf-16-be)\n")


def test_standard_input_may_be_packed(bundle: Path) -> None:
    assert run_process("-m", bundle, lines=gzip.compress(b"Numerous dogs.\n")).stdout == b"Many dogs.\n"


def test_an_output_that_was_there_keeps_its_permissions_and_links(bundle: Path, text: Path, tmp_path: Path) -> None:
    secret, link = tmp_path / "secret", tmp_path / "folder" / "link"
    secret.write_text("old")
    secret.chmod(0o640)  # neither a new file's nor a temporary one's
    link.parent.mkdir()
    link.symlink_to("../secret")
    assert main(["-m", str(bundle), str(text), "-o", str(link)]) == 0
    assert decoded(secret) == SIMPLER
    assert secret.stat().st_mode & 0o777 == 0o640
    assert link.is_symlink()


def test_lines_come_out_as_they_are_made(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits for an answer gets it, though no terminal is at the other end."""
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    with subprocess.Popen([*COMMAND, "-m", bundle], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"He utilized it.\n")
        process.stdin.flush()
        assert select([process.stdout], [], [], 60)[0]
        assert process.stdout.readline() == b"He used it.\n"


def test_a_full_disk(bundle: Path) -> None:
    done = run("-m", bundle, "-o", "/dev/full", lines=["Fine"])
    assert done.returncode == 2
    assert done.stderr.endswith(b"error: output: the disk is full; make room\n")


@pytest.mark.parametrize("arguments", [["--help"], ["in.txt"]])
def test_little_output_that_cannot_be_written(
    bundle: Path, text: Path, arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stays in Python's buffer until the end, which must not complain of it once more."""
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    command = shlex.join([*COMMAND, "-m", str(bundle), *arguments])
    for ending, code, message in ((">/dev/full", 2, b"error: output: the disk is full; make room"), ("| true", 0, b"")):
        script = ["bash", "-c", f"{command} {ending}; exit ${{PIPESTATUS[0]}}"]
        done = subprocess.run(script, cwd=text.parent, capture_output=True, check=False)
        assert (done.returncode, done.stderr.count(b"\n")) == (code, 1 if message else 0)
        assert message in done.stderr


@pytest.mark.parametrize(
    ("arguments", "data", "message"),
    [
        (["nosuch.txt"], b"", "nosuch.txt: no such file"),
        (["He used it."], b"", 'He used it.: no such file; to simplify a text write: echo "some text" | sbmt-decode'),
        (["-", "."], b"He left.\n", ".: is a folder"),
        (["-m", "nosuch"], b"", "nosuch: no such model (known: starter"),
        (["--protect", "nosuch.txt"], b"", "nosuch.txt: no such file"),
        (["--protect", ""], b"", "'': no such file"),
        (["--unwrap", "--tokenized"], b"", "--unwrap needs text as people write it"),
        (["--nbest", "3"], b"", "--nbest needs --output nbest or jsonl"),
        (["--strength", "2"], b"", "--strength: 2.0 is not from 0 to 1"),
        (["--encoding", "klingon"], b"x\n", "unknown encoding 'klingon'"),
        (["--encoding", "base64"], b"x\n", "unknown encoding 'base64'"),
        (["--encoding", "punycode"], b"x\n", "unknown encoding 'punycode'"),
        (["--protect", "-"], b"x\n", "standard input (-) stands for two of the texts"),
        (["-", "-"], b"x\n", "standard input (-) stands for two of the texts"),
        ([], b"fine\nb\xe9te\n", "standard input, line 2: is not valid utf-8 at byte 1"),
        ([], b"fine\n\x7fELF\0\0\n", "standard input, line 2: holds a NUL byte"),
    ],
)  # fmt: skip
def test_bad_input_is_one_clear_line(bundle: Path, arguments: list[str], data: bytes, message: str) -> None:
    model = [] if "-m" in arguments else ["-m", str(bundle)]
    done = run(*model, *arguments, lines=data)
    assert done.returncode == 2
    (line,) = done.stderr.decode().splitlines()
    assert f"error: {message}" in line
    assert done.stdout == (b"fine\n" if b"fine" in data else b"")


@pytest.mark.parametrize(("closed", "message"), [("<&-", "standard input is closed"), (">&-", "standard output is")])
def test_a_closed_stream_is_one_clear_line(bundle: Path, closed: str, message: str) -> None:
    done = subprocess.run(
        ["bash", "-c", f'"$@" {closed}', "bash", *COMMAND, "-m", bundle], capture_output=True, check=False
    )
    assert done.returncode == 2
    (line,) = done.stderr.decode().splitlines()
    assert f"error: {message}" in line


def test_without_standard_error_nothing_is_said(bundle: Path, text: Path) -> None:
    """Neither there nor, instead, on standard output."""
    script = ["bash", "-c", '"$@" 2>&-', "bash", *COMMAND, "-m", bundle]
    done = subprocess.run([*script, text], capture_output=True, check=False)
    assert (done.returncode, done.stdout.decode().split("\n")[:-1]) == (0, SIMPLER)
    done = subprocess.run([*script, "nosuch"], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (2, b"")


@pytest.mark.parametrize("number", ["x", "-1", "1.5"])
def test_a_number_that_is_none(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["--jobs", number])
    assert f"argument --jobs: {number}" in capsys.readouterr().err.replace("'", "")


@pytest.mark.parametrize("option", ["--protect", "--glossary", "--config"])
def test_what_is_read_beside_the_text_is_not_written_over(
    option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("list").write_text("utilize = use\n")
    assert main([option, "list", "-o", "./list"]) == 2
    assert "./list is read: give another name to write to" in capsys.readouterr().err
    assert Path("list").read_text() == "utilize = use\n"


def test_a_text_is_not_written_over_by_what_is_made_of_it(
    text: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nor through a link, and before a model is looked for."""
    before, link = text.read_bytes(), tmp_path / "link"
    link.symlink_to(text)
    for out in (text, link):
        assert main(["-m", "nosuch", str(text), "-o", str(out)]) == 2
        assert f"{out} is read: give another name to write to" in capsys.readouterr().err
    with open(text, "rb") as stream:
        done = subprocess.run([*COMMAND, "-o", text], stdin=stream, capture_output=True, check=False)
    assert f"{text} is read: give another name to write to" in done.stderr.decode()
    assert text.read_bytes() == before


def test_files_of_a_model_are_not_written_over(
    bundle: Path, text: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = shutil.copytree(bundle, tmp_path / "model")
    config, weights, rules = model / "joshua.config", model / "weights", model / "grammar.ppdb"
    config.write_text("lm = kenlm 2 true false 100 model.arpa\ntm = thrax pt 9 grammar.ppdb\nweights-file = weights\n")
    weights.write_text("lm_0 1\n")
    before = {path: path.read_bytes() for path in model.iterdir()}
    for given, outputs in (
        (["-m", str(model)], [rules, model / "model.yaml", model / "model.arpa"]),
        (["-c", str(config)], [rules, model / "model.arpa", weights]),
    ):
        for out in outputs:
            assert main([*given, str(text), "-o", str(out)]) == 2
            assert f"{out} is read: give another name to write to" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in model.iterdir()} == before


def test_a_configuration_from_a_stream_is_for_one_job(text: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-c", "-", str(text), "--jobs", "2"]) == 2
    assert "-: several --jobs cannot read one stream: put the configuration in a file" in capsys.readouterr().err


def test_a_device_may_be_read_and_written(bundle: Path) -> None:
    assert not main(["-m", str(bundle), "/dev/null", "-o", "/dev/null"])


@pytest.mark.parametrize("given", ["0.5", "0.6"])
def test_a_joshua_configuration_needs_no_strength(tmp_path: Path, given: str) -> None:
    done = run("-c", tmp_path / "joshua.config", "--strength", given)
    assert b"--strength needs a model (-m)" in done.stderr


def test_a_joshua_configuration(bundle: Path, tmp_path: Path) -> None:
    """Tokens come out as the decoder has them; the n-best list is the Joshua module's own."""
    (tmp_path / "joshua.config").write_text(
        f"lm = kenlm 2 true false 100 {bundle}/model.arpa\ntm = thrax pt 20 {bundle}/grammar.ppdb\n"
        "tm = thrax glue -1 glue\nfeature-function = WordPenalty\nlm_0 1\nWordPenalty -0.5\np(e|f) -1\n",
        encoding="utf-8",
    )
    (tmp_path / "glue").write_text(
        "[GOAL] ||| <s> ||| <s> ||| 0\n[GOAL] ||| [GOAL,1] </s> ||| [GOAL,1] </s> ||| 0\n"
        + "".join(f"[GOAL] ||| [GOAL,1] [{x},2] ||| [GOAL,1] [{x},2] ||| 0\n" for x in ("X", "VBD", "JJ", "NP")),
        encoding="utf-8",
    )
    config = tmp_path / "joshua.config"
    assert run("-c", config, lines=["He utilized  numerous tools", ""]).stdout == b"He used  many tools\n\n"
    listed = run("-c", config, "--output", "nbest", "--nbest", "2", lines=["He utilized tools"]).stdout.decode()
    assert [line.split(" ||| ")[:2] for line in listed.splitlines()] == [
        ["0", "He used tools"],
        ["0", "He utilized tools"],
    ]
    assert run("-c", config, lines=["He utilized."]).stdout == b"He utilized.\n"  # is tokenised: "utilized." is a word
    config.write_text(config.read_text() + "top-n = 2\n")
    listed = run("-c", config, "--output", "nbest", lines=["He utilized tools"]).stdout.decode()
    assert len(listed.splitlines()) == 2


def test_options_stand_for_what_there_is() -> None:
    actions = {action.dest: action for action in build_parser()._actions}
    assert actions["output"].choices == list(FORMATS)


def test_the_starter_model() -> None:
    """The default of everything: the model of the package, with its language model in the user's cache."""
    lines = ["He utilized numerous tools in order to win.", "We met Ana Numerous on 4 July 1999.", ""]
    done = run(lines=lines)
    assert done.returncode == 0
    simpler, *others = done.stdout.decode().split("\n")
    assert not {"numerous", "order"} & set(simpler.rstrip(".").split())
    assert others == [*lines[1:], ""]


def test_what_is_said_of_a_line_names_its_file(bundle: Path, tmp_path: Path) -> None:
    """A sentence that the goal cannot take stays as it is; so does what follows an open fence, but not in tokens."""
    model, one, other = (tmp_path / name for name in ("model", "one", "other"))
    shutil.copytree(bundle, model)
    (model / "glue").write_text("[GOAL] ||| <s> [X,1] </s> ||| <s> [X,1] </s>\n")
    config = (model / "model.yaml").read_text()
    glue = "grammars: [{path: glue, owner: glue, span_limit: -1}, "
    (model / "model.yaml").write_text(config.replace("grammars: [", glue))
    one.write_text("x\n\n```\n")
    other.write_text("x\ntwo words\n")
    fence, left = "line 3: ``` opens a block of code that nothing closes", "line 2: left as it is ("
    for options, expected in (
        ((one, other), [f"{one}, {fence}", f"{other}, {left}"]),
        (("--tokenized", one, other), [f"{other}, {left}"]),
    ):
        said = run("-m", model, *options).stderr.decode().splitlines()
        assert len(said) == len(expected)
        assert all(line.startswith(f"-c: {start}") for line, start in zip(said, expected, strict=True)), said
    assert b"-c: standard input, line 2: left as it is (" in run("-m", model, lines=["x", "two words"]).stderr
    assert b"standard input, joined line 2: left" in run("-m", model, "--unwrap", lines=["x", "two words"]).stderr
    (said,) = run("-m", model, lines=["Two words. No. Three words more."]).stderr.splitlines()
    assert said.startswith(b"-c: standard input, line 1: left as it is (")
    assert said.endswith(b": two words . (and 2 more in it)")
