"""Commands within a command, such as `sbmt-rules filter`: each with a --help of its own."""

from __future__ import annotations

import argparse
import textwrap
from typing import TYPE_CHECKING

from sbmt.version import __version__

if TYPE_CHECKING:
    Verbs = argparse._SubParsersAction[argparse.ArgumentParser]  # cannot be subscripted at run time

# Help of --owner, which several have.
OWNER = "whose rules they are, for naming values without a name: tm_OWNER_0, tm_OWNER_1 ... (default: pt)"
_WIDTH = 79  # of a description, which stands as it is


def add_verb(verbs: Verbs, name: str, about: str, description: str, examples: str) -> argparse.ArgumentParser:
    """Declare a command: `about` stands in the list of commands, `description` and `examples` in its own --help."""
    made: argparse.ArgumentParser = verbs.add_parser(
        name,
        help=about,
        description=textwrap.fill(description, _WIDTH),
        epilog=f"examples:\n{examples}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    return made
