"""Speed and memory of a model on one core: seconds to load, words per second with and without explanations.

    python scripts/bench_simplify.py [-m MODEL] [FILE]     # without FILE: docs/example.txt, repeated
    python scripts/bench_simplify.py --memory FILE         # FILE: many different lines

CPU time covers everything from raw text to text (sentences, tokens, search, realisation); medians of 5 runs.
--memory prints the memory of the process after 1,000, 2,000, 5,000 ... lines of FILE, its own (anonymous) and mapped
from files, read from Linux's /proc.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from measure import MB, held_now, median_cpu, peak_bytes
from parsers import script_parser

from sbmt.cli.shared.command import command
from sbmt.io import read_lines
from sbmt.simplifier import Options, Simplifier

LINES, REPEATS = 1000, 5
MARKS = frozenset(digit * 10**power for power in range(3, 9) for digit in (1, 2, 5))
EXAMPLE = Path(__file__).parents[1] / "docs" / "example.txt"


def simplify_all(simplifier: Simplifier, lines: Iterable[str]) -> None:
    """Simplify each line."""
    for line in lines:
        simplifier.simplify_line(line)


def print_memory(simplifier: Simplifier, lines: Iterable[str]) -> None:
    """Print the memory held after the numbers of lines in MARKS."""
    for number, line in enumerate(lines, 1):
        simplifier.simplify_line(line)
        if number in MARKS:
            held = held_now()
            print(f"{number:>11,} lines: {held.own / MB:.0f} MB own, {held.files / MB:.0f} MB of files", flush=True)


@command
def main(argv: Sequence[str] | None = None) -> None:
    """Print the figures."""
    parser = script_parser(__doc__)
    parser.add_argument("-m", "--model", default="starter")
    parser.add_argument("--memory", action="store_true", help="print how memory grows over the lines of FILE")
    parser.add_argument("file", nargs="?", default=EXAMPLE)
    args = parser.parse_args(argv)
    if args.memory:
        print_memory(Simplifier.load(args.model, Options(explain=False)), read_lines(args.file))
        return
    lines = list(read_lines(args.file))
    lines = (lines * (LINES // len(lines) + 1))[:LINES]
    words = sum(len(line.split()) for line in lines)
    for name, options in (("text", Options(explain=False)), ("jsonl", Options())):
        start = time.process_time()
        simplifier = Simplifier.load(args.model, options)
        load = time.process_time() - start
        median = median_cpu(partial(simplify_all, simplifier, lines), REPEATS)
        print(f"{name:6} load {load:.2f} s, {words / median:,.0f} words/s, {1000 * median / len(lines):.2f} ms a line")
    print(f"peak memory {peak_bytes() / MB:.0f} MB")


if __name__ == "__main__":
    raise SystemExit(main())
