"""Running `sbmt-meta` in this process."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from sbmt.cli.meta import main
from tests import commands


def write(path: Path, lines: list[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


run, fail = partial(commands.run, main), partial(commands.fail, main)
