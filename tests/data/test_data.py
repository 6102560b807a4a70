"""The registry, sets by name, and `sbmt-data` against a folder and against a server on this machine."""

from __future__ import annotations

import hashlib
import re
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from sbmt.cli.data import main
from sbmt.data import registry, testsets
from sbmt.data.registry import DataFile, Entry
from sbmt.errors import SbmtError
from sbmt.files import try_lock

CONTENT = {
    "small/data/s.src": b"one\ntwo\n",
    "small/data/s.0": b"uno\ndos\n",
    "numbered/n.src": b"4\tfour\n7\tseven\n",
    "numbered/n.0": b"4\tvier\n\n",
    "pairs/p.txt": b"hard\neasy\n***\nh\ne\n*\n",
}


def made(name: str, kind: str, *paths: str) -> Entry:
    return Entry(
        name,
        "our own",
        "CC0",
        kind,
        tuple(
            DataFile(
                path,
                (f"flat/{Path(path).name}",),
                f"http://127.0.0.1:9/{path}",
                hashlib.sha256(CONTENT[path]).hexdigest(),
                CONTENT[path].count(b"\n"),
            )
            for path in paths
        ),
    )


ENTRIES = {
    "small/test": made("small/test", "lines", "small/data/s.src", "small/data/s.0"),
    "numbered/a": made("numbered/a", "numbered", "numbered/n.src", "numbered/n.0"),
    "pairs/a": made("pairs/a", "pairs", "pairs/p.txt"),
    "pairs/b": made("pairs/b", "pairs-reversed", "pairs/p.txt"),
    "study": made("study", "files", "pairs/p.txt"),
}


@pytest.fixture(autouse=True)
def small_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SBMT_DATA", raising=False)
    for module in (registry, testsets):
        monkeypatch.setattr(module, "registry", lambda: ENTRIES)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for path, content in CONTENT.items():
        place = tmp_path / "copy" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    return tmp_path / "copy"


class Server:
    """Serves CONTENT below a random port, and remembers what it was asked for."""

    def __init__(self) -> None:
        self.ranges: list[str | None] = []
        self.cut = 0  # send this many bytes only, of those announced
        self.knows_ranges = True
        self.silent = threading.Event()  # while set, no answer
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.answer(self)

            def log_message(self, *arguments: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.http.server_port}/deep"

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        asked = handler.headers.get("Range")
        self.ranges.append(asked)
        while self.silent.is_set():
            time.sleep(0.01)
        content = CONTENT.get(handler.path.removeprefix("/deep/"))
        if content is None:
            handler.send_error(404)
            return
        start = int(re.findall(r"\d+", asked)[0]) if asked and self.knows_ranges else 0
        if start >= len(content):
            handler.send_error(416)
            return
        handler.send_response(206 if start else 200)
        handler.send_header("Content-Length", str(len(content) - start))
        handler.end_headers()
        handler.wfile.write(content[start : self.cut or None])


@pytest.fixture
def server() -> Iterator[Server]:
    local = Server()
    thread = threading.Thread(target=local.http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield local
    local.http.shutdown()
    thread.join()
    local.http.server_close()


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    assert main(list(arguments)) == 0
    return capsys.readouterr().out.splitlines()


def fail(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 2
    return capsys.readouterr().err.splitlines()[-1]


def test_sentences_and_references_are_counted_by_the_form_of_the_files() -> None:
    sizes = {name: (entry.sentences, entry.references) for name, entry in ENTRIES.items()}
    assert sizes == {"study": (0, 0), **dict.fromkeys(("small/test", "numbered/a", "pairs/a", "pairs/b"), (2, 1))}


def test_get_copies_and_checks(
    capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture, copy: Path, tmp_path: Path
) -> None:
    root = str(tmp_path / "data")
    arguments = ("get", "small/test", "--from", str(copy), "--data-dir", root)
    assert run(capsys, *arguments) == ["copied small/data/s.src", "copied small/data/s.0"]
    assert caplog.messages[-1].endswith(f"; from {copy}")
    assert run(capsys, *arguments) == ["present small/data/s.src", "present small/data/s.0"]
    assert run(capsys, "check", "--data-dir", root) == ["ok small/data/s.src", "ok small/data/s.0"]
    (tmp_path / "empty").mkdir()
    assert main(["check", "--data-dir", str(tmp_path / "empty")]) == 0
    assert caplog.messages[-1].startswith(f"{tmp_path}/empty: no file of a known test set is there (sbmt-data list na")
    test_set = testsets.load_test_set("small/test", root)
    assert (test_set.sources, test_set.references) == (["one", "two"], [["uno"], ["dos"]])
    inside = ("get", "small", "--from", str(copy / "small"), "--data-dir", str(tmp_path / "other"))
    assert len(run(capsys, *inside)) == 2  # the collection's own repository, all of its sets


def test_other_layouts_and_formats(copy: Path, tmp_path: Path) -> None:
    (tmp_path / "flat").mkdir()
    for path, content in CONTENT.items():
        (tmp_path / "flat" / Path(path).name).write_bytes(content)
    assert testsets.load_test_set("small/test", str(tmp_path)).sources == ["one", "two"]
    numbered = testsets.load_test_set("numbered/a", str(copy))
    assert (numbered.sources, numbered.references) == (["four", "seven"], [["vier"], [""]])
    pairs = testsets.load_test_set("pairs/a", str(copy))
    assert (pairs.sources, pairs.references) == (["hard", "h"], [["easy"], ["e"]])
    assert testsets.load_test_set("pairs/b", str(copy)).sources == ["easy", "e"]


def test_list_tells_where_a_named_set_is_published(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "list", "small/test") == [
        "small/test: our own; licence: CC0",
        *chain.from_iterable(
            [f"  {path}", f"    http://127.0.0.1:9/{path}", f"    SHA-256 {hashlib.sha256(CONTENT[path]).hexdigest()}"]
            for path in ("small/data/s.src", "small/data/s.0")
        ),
    ]
    assert "unknown test set 'smal'" in fail(capsys, "list", "smal")


def test_list_tells_of_named_sets_what_is_there(capsys: pytest.CaptureFixture[str], copy: Path) -> None:
    (copy / "testsets.yaml").write_text("mine: {source: m.src, references: [none]}\n")
    (copy / "m.src").write_text("one\n")
    shown = run(capsys, "list", "mine", "small/test", "small/test", "--data-dir", str(copy))
    own = [
        "mine: your own; sentences: not there; references: 1",
        f"  {copy / 'm.src'} (there)",
        f"  {copy / 'none'} (not there)",
    ]
    assert shown[:4] == [*own, "small/test: our own; licence: CC0"]
    assert [line.rsplit(" (")[-1] for line in shown if line.startswith("  small")] == ["there)", "there)"]
    (copy / "testsets.yaml").write_text("mine: {source: m.src, references: [m.ref.]}\n")
    for i in range(2):
        (copy / f"m.ref.{i}").write_text("one\n")
    first = "mine: your own; sentences: 1; references: 2"
    assert run(capsys, "list", "mine", "--data-dir", str(copy))[0] == first
    assert run(capsys, "list", "--data-dir", str(copy))[1].split()[1:3] == ["1", "2"]


def test_list_shows_what_is_there(capsys: pytest.CaptureFixture[str], copy: Path) -> None:
    (copy / "testsets.yaml").write_text("mine: {source: small/data/s.src, references: [gone]}")
    rows = [row.split() for row in run(capsys, "list", "--data-dir", str(copy))]
    assert [row[0] for row in rows] == ["name", "mine", *ENTRIES]
    assert rows[1][1:] == ["1", "your", "own", "no", "testsets.yaml"]
    assert rows[2][1:5] == ["2", "1", "CC0", "yes"]
    assert rows[4][1:3] == ["2", "1"]  # two pairs in six lines
    assert [row[-3] for row in map(str.split, run(capsys, "list"))][1:] == ["-"] * 5  # no folder given


def test_sets_of_your_own_are_listed_and_checked(
    capsys: pytest.CaptureFixture[str], copy: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (copy / "testsets.yaml").write_text(
        "bad: {source: s}\nstudy: {source: s, references: [s]}\nmine: {source: small/data/s.src, references: [/gone]}"
    )
    rows = [row.split() for row in run(capsys, "list", "--data-dir", str(copy))]
    assert [row[0] for row in rows] == ["name", "mine", *ENTRIES]
    assert "bad.references: is missing" in caplog.messages[0]
    assert "'study' is the name" in caplog.messages[1]
    assert "'study' is the name of a registered set" in fail(capsys, "get", "study", "--data-dir", str(copy))
    assert main(["check", "mine", "small", "--data-dir", str(copy)]) == 2
    captured = capsys.readouterr()
    assert captured.out.splitlines()[:3] == [f"there {copy}/small/data/s.src", "missing /gone", "ok small/data/s.src"]
    assert "of 4 files 1 missing" in captured.err
    (copy / "short").write_text("one line\n")
    with (copy / "testsets.yaml").open("a") as stream:
        stream.write("\nshort: {source: small/data/s.src, references: [short]}")
    caplog.clear()
    published = (copy / "small/data/s.0").read_text()
    (copy / "small/data/s.0").write_text("something else\n")
    assert main(["check", "--data-dir", str(copy)]) == 2
    assert "'study' is the name" in caplog.messages[1]
    assert "bad.references: is missing" in caplog.messages[0]
    assert f"{copy}/short: has 1 line, but {copy}/small/data/s.src has 2" in caplog.messages[2]
    captured = capsys.readouterr()
    assert "DIFFERS small/data/s.0" in captured.out.splitlines()  # of the published sets, too
    assert "missing or not as published; of your own sets bad, study, short cannot be used" in captured.err
    caplog.clear()
    assert "of your own sets bad cannot be used" in fail(capsys, "check", "bad", "--data-dir", str(copy))
    assert ["bad.references: is missing" in message for message in caplog.messages] == [True]  # and nothing else
    (copy / "small/data/s.0").write_text(published)
    (copy / "testsets.yaml").write_text("mine: {source: small/data/s.src, references: []}")
    assert testsets.load_test_set("mine", str(copy)).references == [[], []]
    (copy / "testsets.yaml").write_text("mine: {source: small/data/s.src, references: [small/data/s.0]}")
    assert f"there {copy}/small/data/s.0" in run(capsys, "check", "--data-dir", str(copy))  # of all sets
    named = run(capsys, "check", "small", "small/test", "--data-dir", str(copy))
    assert named == ["ok small/data/s.src", "ok small/data/s.0"]  # each once, and of no other set
    assert "'mine' is a set of your own, named in testsets.yaml" in fail(capsys, "get", "mine", "--data-dir", str(copy))


def test_repeated_sources_are_counted(
    capsys: pytest.CaptureFixture[str], copy: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ENTRIES, "small/test", replace(ENTRIES["small/test"], distinct_sources=1))
    rows = run(capsys, "list", "--data-dir", str(copy))
    assert "2 (1 different)" in rows[1]
    (copy / "mine").write_text("one\n\ntwo\n\none\n\n")  # blank lines are no sources
    (copy / "testsets.yaml").write_text("mine: {source: mine, references: [mine]}")
    run(capsys, "check", "mine", "small", "--data-dir", str(copy))
    run(capsys, "check", "--data-dir", str(copy))
    said = [message.split(". When")[0] for message in caplog.messages]
    assert said == ["mine: only 2 of 3 sources are distinct", "small/test: only 1 of 2 sources are distinct"] * 2


def test_a_folder_that_is_not_there_is_said_to_be_none(
    capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    run(capsys, "list", "--data-dir", "nowhere")
    assert caplog.messages == ["nowhere: no such data folder"]


def test_get_downloads_only_then_and_resumes(
    capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture, server: Server, tmp_path: Path
) -> None:
    root = tmp_path / "data"
    arguments = ("get", "small/test", "--data-dir", str(root), "--mirror", server.address)
    run(capsys, "list", "--data-dir", str(root))
    assert server.ranges == []
    server.cut = 3
    assert "ended 5 bytes early (--from DIR takes a local copy)" in fail(capsys, *arguments)
    assert caplog.messages[-1].endswith(f"; from {server.address}")
    assert not (root / "small/data/s.src").exists()
    assert (root / "small/data/s.src.part").read_bytes() == b"one"
    server.cut = 0
    assert run(capsys, *arguments) == ["fetched small/data/s.src", "fetched small/data/s.0"]
    assert server.ranges == [None, "bytes=3-", None]
    assert (root / "small/data/s.src").read_bytes() == CONTENT["small/data/s.src"]
    assert run(capsys, *arguments) == ["present small/data/s.src", "present small/data/s.0"]
    assert len(server.ranges) == 3
    assert not list(root.rglob("*.part"))


def test_the_address_of_a_mirror_may_end_in_a_slash(
    capsys: pytest.CaptureFixture[str], server: Server, tmp_path: Path
) -> None:
    arguments = ("get", "small/test", "--data-dir", str(tmp_path), "--mirror", f"{server.address}/")
    assert run(capsys, *arguments) == ["fetched small/data/s.src", "fetched small/data/s.0"]


def test_two_processes_do_not_fetch_into_one_file(
    capsys: pytest.CaptureFixture[str], server: Server, tmp_path: Path
) -> None:
    part = tmp_path / "small/data/s.src.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(b"one")
    arguments = ("get", "small/test", "--data-dir", str(tmp_path), "--mirror", server.address)
    with part.open("ab") as other:
        assert try_lock(other)
        assert "s.src.part: another process is fetching this file; wait until it ends, or stop" in fail(
            capsys, *arguments
        )
        assert (part.read_bytes(), server.ranges) == (b"one", [])
    assert run(capsys, *arguments) == ["fetched small/data/s.src", "fetched small/data/s.0"]
    assert server.ranges == ["bytes=3-", None]


@pytest.mark.parametrize("again", [False, True])
def test_a_file_that_another_process_had_ready_meanwhile_is_left_alone(
    capsys: pytest.CaptureFixture[str], server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, again: bool
) -> None:
    """It ends between our opening its file and our lock; `again`: and a third one has begun."""
    part = tmp_path / "small/data/s.src.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(CONTENT["small/data/s.src"])

    def late(stream: Any) -> bool:
        part.rename(part.with_suffix(""))
        if again:
            part.write_bytes(b"o")
        return try_lock(stream)

    monkeypatch.setattr("sbmt.data.fetch.try_lock", late)
    arguments = ("get", "small/test", "--data-dir", str(tmp_path), "--mirror", server.address)
    assert "another process is fetching this file" in fail(capsys, *arguments)
    assert (tmp_path / "small/data/s.src").read_bytes() == CONTENT["small/data/s.src"]
    assert part.exists() == again


@pytest.mark.parametrize("knows_ranges", [True, False])
def test_a_part_that_is_whole_or_a_server_without_ranges(
    capsys: pytest.CaptureFixture[str], server: Server, tmp_path: Path, knows_ranges: bool
) -> None:
    server.knows_ranges = knows_ranges
    part = tmp_path / "small/data/s.src.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(CONTENT["small/data/s.src"])
    assert len(run(capsys, "get", "small/test", "--data-dir", str(tmp_path), "--mirror", server.address)) == 2


def test_a_damaged_part_is_fetched_again(capsys: pytest.CaptureFixture[str], server: Server, tmp_path: Path) -> None:
    part = tmp_path / "small/data/s.src.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(b"uno")
    arguments = ("get", "small/test", "--data-dir", str(tmp_path), "--mirror", server.address)
    assert run(capsys, *arguments) == ["fetched small/data/s.src", "fetched small/data/s.0"]
    assert server.ranges == ["bytes=3-", None, None]
    assert (tmp_path / "small/data/s.src").read_bytes() == CONTENT["small/data/s.src"]


def test_a_server_that_does_not_answer(
    capsys: pytest.CaptureFixture[str], server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sbmt.data.fetch._TIMEOUT", 0.1)
    arguments = ("get", "small/test", "--data-dir", str(tmp_path), "--mirror", server.address)
    server.silent.set()
    assert "cannot be fetched: timed out" in fail(capsys, *arguments)
    server.silent.clear()
    assert len(run(capsys, *arguments)) == 2


def test_a_wrong_file_is_never_used(
    capsys: pytest.CaptureFixture[str], server: Server, copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(CONTENT, "small/data/s.src", b"something else\n")
    root = tmp_path / "data"
    message = fail(capsys, "get", "small/test", "--data-dir", str(root), "--mirror", server.address)
    assert re.search(r"is not the published file: its SHA-256 is \w{64}, expected \w{64}", message)
    assert server.ranges == [None]  # once, for nothing was left over that may be damaged
    assert not [path for path in root.rglob("*") if path.is_file()]
    (copy / "small/data/s.src").write_bytes(b"something else\n")
    assert "is not the published file" in fail(capsys, "get", "small", "--from", str(copy), "--data-dir", str(root))
    again = rf"expected \w{{64}} \(sbmt-data get small/test --data-dir {copy} gets it again\)"
    with pytest.raises(SbmtError, match=rf"is not the published file: its SHA-256 is \w{{64}}, {again}"):
        testsets.load_test_set("small/test", str(copy))
    assert "1 missing or not as published" in fail(capsys, "check", "--data-dir", str(copy))


def test_a_folder_in_a_files_place(capsys: pytest.CaptureFixture[str], copy: Path, tmp_path: Path) -> None:
    root = tmp_path / "data"
    (root / "small/data/s.src").mkdir(parents=True)
    (root / "small/data/s.0").write_bytes(CONTENT["small/data/s.0"])
    assert main(["check", "--data-dir", str(root)]) == 2
    captured = capsys.readouterr()
    assert captured.out.splitlines() == ["DIFFERS small/data/s.src", "ok small/data/s.0"]
    assert "of 2 files 1 missing or not as published" in captured.err
    with pytest.raises(SbmtError, match=r"s\.src is not the published file: it is a folder \(sbmt-data get small/test"):
        testsets.load_test_set("small/test", root)
    message = fail(capsys, "get", "small", "--from", str(copy), "--data-dir", str(root))
    assert "s.src: a folder is in the place of a file: move it away" in message


def test_what_was_fetched_before_a_failure_is_printed(
    capsys: pytest.CaptureFixture[str], copy: Path, tmp_path: Path
) -> None:
    (copy / "small/data/s.0").unlink()
    assert main(["get", "small/test", "--from", str(copy), "--data-dir", str(tmp_path / "data")]) == 2
    captured = capsys.readouterr()
    assert captured.out.splitlines() == ["copied small/data/s.src"]
    assert "s.0 is not under" in captured.err


def test_check_does_not_pass_over_a_set_of_which_a_file_is_gone(capsys: pytest.CaptureFixture[str], copy: Path) -> None:
    """Nor over one of your own, whichever it is."""
    (copy / "small/data/s.0").unlink()
    assert main(["check", "--data-dir", str(copy)]) == 2
    assert "missing small/data/s.0" in capsys.readouterr().out.splitlines()
    (copy / "testsets.yaml").write_text("mine: {source: gone, references: [small/data/s.src]}\n")
    assert main(["check", "mine", "--data-dir", str(copy)]) == 2
    captured = capsys.readouterr()
    assert captured.out.splitlines() == [f"missing {copy}/gone", f"there {copy}/small/data/s.src"]
    assert "of 2 files 1 missing or not as published" in captured.err


def test_what_cannot_be_had_is_named(capsys: pytest.CaptureFixture[str], server: Server, tmp_path: Path) -> None:
    root = str(tmp_path)
    assert "unknown test set 'nothing' (sbmt-data list names" in fail(capsys, "get", "nothing", "--data-dir", root)
    assert "give --data-dir or set SBMT_DATA" in fail(capsys, "get", "small/test")
    assert "nowhere: no such folder" in fail(capsys, "get", "small", "--data-dir", root, "--from", "nowhere")
    (tmp_path / "file").write_text("")
    file = str(tmp_path / "file")
    assert f"{file}: no such folder" in fail(capsys, "get", "small", "--data-dir", root, "--from", file)
    assert "s.src is not under" in fail(capsys, "get", "small", "--data-dir", root, "--from", root)
    assert "cannot be fetched: " in fail(capsys, "get", "small", "--data-dir", root)  # nothing listens on port 9
    gone = ("get", "small", "--data-dir", root, "--mirror", server.address + "/gone")
    assert "404" in fail(capsys, *gone)
    assert not list(tmp_path.rglob("*.part"))
    for mirror in ("nonsense", "file:///tmp"):
        message = fail(capsys, "get", "small", "--data-dir", root, "--mirror", mirror)
        assert "s.src cannot be fetched: it is no http address (--from DIR takes a local copy)" in message
    with pytest.raises(SystemExit, match="2"):
        main(["get", "small", "--data-dir", root, "--mirror", server.address, "--from", root])
    assert "not allowed with argument" in capsys.readouterr().err
    assert "2 missing or not as published" in fail(capsys, "check", "small", "--data-dir", root)
    with pytest.raises(SbmtError, match=f"sbmt-data get small/test --data-dir {root}"):
        testsets.load_test_set("small/test", root)
    with pytest.raises(SbmtError, match="no test set: it holds the files of a study"):
        testsets.load_test_set("study", root)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [", r"testsets\.yaml, line 1: is not valid YAML"),
        ("- a", "the file: expected names with values"),
        ("a: {source: s}", "a.references: is missing"),
        ("a: b", r"a: expected names with values, found 'b' \(NAME: {source: FILE, references"),
        ("a: {source: s, references: r}", "a.references: expected a list"),
    ],
)
def test_custom_sets_must_be_well_formed(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "testsets.yaml").write_text(text)
    with pytest.raises(SbmtError, match=message):
        testsets.load_test_set("a", str(tmp_path))


def test_pairs_must_be_well_formed(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DataFile, "check", lambda *_: None)
    for content, line in (("a\nb\nc\n", 3), ("a\nb\n***\nc\nd\n", 6)):
        (copy / "pairs/p.txt").write_text(content)
        with pytest.raises(SbmtError, match=f"line {line}: expected a line of asterisks"):
            testsets.load_test_set("pairs/a", str(copy))
