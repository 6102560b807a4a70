"""Time and size of `sbmt-report` on TurkCorpus test, with two and with five systems.

    python scripts/bench_report.py --data DIR [--runs N]

Prints medians of the CPU and wall-clock seconds of whole processes, and the size of the page.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from corpora import add_data
from measure import ENDED, cpu_seconds
from parsers import script_parser

from sbmt.cli.shared.command import command

SYSTEMS = ("PBMT-R", "SBMT-SARI", "Dress-Ls", "ACCESS", "DMASS-DCSS")


@command
def main(argv: Sequence[str] | None = None) -> None:
    """Run the command several times and print medians."""
    parser = script_parser(__doc__)
    add_data(parser)
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args(argv)
    outputs = [str(args.data / "easse/system_outputs/turkcorpus/test" / name) for name in SYSTEMS]
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        for count in (2, 5):
            line = [sys.executable, "-P", "-c", "from sbmt.cli.report import main; main()"]
            line += ["--data-dir", str(args.data), "--test-set", "turkcorpus-truecased/test", "-o", str(page)]
            line += ["--systems", *outputs[:count]]
            times = [_time(line) for _ in range(args.runs)]
            cpu, wall = (statistics.median(column) for column in zip(*times, strict=True))
            print(f"{count} systems: {cpu:.2f} s CPU, {wall:.2f} s wall, {page.stat().st_size / 1e6:.2f} MB")


def _time(line: list[str]) -> tuple[float, float]:
    cpu, wall = cpu_seconds(ENDED), time.perf_counter()
    subprocess.run(line, check=True)
    return cpu_seconds(ENDED) - cpu, time.perf_counter() - wall


if __name__ == "__main__":
    raise SystemExit(main())
