"""Commands within a command, such as `sbmt-rules filter`: each with a --help of its own."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from sbmt.cli.command import described, with_version

if TYPE_CHECKING:
    Verbs = argparse._SubParsersAction[argparse.ArgumentParser]  # cannot be subscripted at run time


def add_verb(verbs: Verbs, name: str, about: str, description: str, examples: str) -> argparse.ArgumentParser:
    """Declare a command: `about` is for the list of commands, `description` and `examples` for its own --help."""
    return with_version(verbs.add_parser(name, help=about, **described(description, examples)))
