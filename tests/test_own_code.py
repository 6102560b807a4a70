"""Where what the user's own code prints goes."""

from __future__ import annotations

import sys
from threading import Barrier, Thread

import pytest

from sbmt.own_code import printing_to_stderr


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
