"""The option of scripts that says where the corpora are."""

from __future__ import annotations

import argparse
import os
from pathlib import Path


def add_data(made: argparse.ArgumentParser) -> None:
    """Declare --data, a Path."""
    given = os.environ.get("SBMT_DATA") or None
    about = "folder of the corpora (default: $SBMT_DATA)"
    made.add_argument("--data", type=Path, default=given, required=given is None, metavar="DIR", help=about)
