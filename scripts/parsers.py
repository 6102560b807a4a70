"""Argument parsers of scripts, which show the scripts' docstrings as help."""

from __future__ import annotations

import argparse


def script_parser(docstring: str | None) -> argparse.ArgumentParser:
    """Return a parser that shows a script's docstring with its line breaks."""
    return argparse.ArgumentParser(description=docstring, formatter_class=argparse.RawDescriptionHelpFormatter)
