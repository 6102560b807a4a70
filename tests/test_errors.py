"""What messages say of the system's own errors."""

from __future__ import annotations

import errno
import os

import pytest

from sbmt.errors import system_cause


@pytest.mark.parametrize(
    ("number", "cause"),
    [
        (errno.EACCES, "permission denied; see chmod"),
        (errno.ENOSPC, "the disk is full; make room"),
        (errno.EIO, os.strerror(errno.EIO)),  # one without a cure
    ],
)
def test_a_cause_names_the_cure_if_there_is_one(number: int, cause: str) -> None:
    assert system_cause(OSError(number, os.strerror(number), "file")) == cause


def test_an_error_without_a_number_speaks_for_itself() -> None:
    assert system_cause(OSError("9 requested, 0 written")) == "9 requested, 0 written"
