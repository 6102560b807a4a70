"""Finding user-defined code, and redirecting what it prints."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from threading import Barrier, Thread

import pytest

from sbmt.user_code import load, module_file, printing_to_stderr


def test_threads_inside_at_the_same_time(capsys: pytest.CaptureFixture[str]) -> None:
    """Standard output comes back, whichever thread entered first and whichever leaves last."""
    stdout, both_inside, first_left = sys.stdout, Barrier(2), Barrier(2)

    def first() -> None:
        with printing_to_stderr:
            both_inside.wait()
        first_left.wait()

    thread = Thread(target=first)
    thread.start()
    with printing_to_stderr:
        both_inside.wait()
        first_left.wait()
        print("of own code")
    thread.join()
    assert sys.stdout is stdout
    with pytest.raises(ZeroDivisionError), printing_to_stderr, printing_to_stderr:
        print(1 / 0)
    print("the program's")
    assert capsys.readouterr() == ("the program's\n", "of own code\n")


def test_a_module_in_the_current_folder_is_found_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if entry])
    for name in ("of_this_folder", "json"):
        (tmp_path / f"{name}.py").write_text("dumps = len\n")
    assert load("of_this_folder:dumps", "unknown") is len
    assert module_file("of_this_folder:dumps") == tmp_path / "of_this_folder.py"
    assert load("json:dumps", "unknown") is json.dumps
