"""The --data option of scripts, the folder of the corpora."""

from __future__ import annotations

import argparse
import os
from pathlib import Path


def add_data(parser: argparse.ArgumentParser) -> None:
    """Declare --data, a Path."""
    default = os.environ.get("SBMT_DATA") or None
    help_text = "folder of the corpora (default: $SBMT_DATA)"
    parser.add_argument("--data", type=Path, default=default, required=default is None, metavar="DIR", help=help_text)
