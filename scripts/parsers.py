"""Parsers of scripts, which say in their docstrings what they do."""

from __future__ import annotations

import argparse


def script_parser(docstring: str | None) -> argparse.ArgumentParser:
    """One that shows a script's docstring line by line as it is written."""
    return argparse.ArgumentParser(description=docstring, formatter_class=argparse.RawDescriptionHelpFormatter)
