"""Time and size of `sbmt-report` on TurkCorpus test, with two and with five systems.

    python scripts/bench_report.py --data DIR [--runs N]

Prints medians of the CPU and wall-clock seconds of whole processes, and the size of the page.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from corpora import add_data
from measure import ENDED, cpu_seconds

SYSTEMS = ("PBMT-R", "SBMT-SARI", "Dress-Ls", "ACCESS", "DMASS-DCSS")


def main() -> None:
    """Run the command several times and print medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_data(parser)
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args()
    outputs = [str(args.data / "easse/system_outputs/turkcorpus/test" / name) for name in SYSTEMS]
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        for count in (2, 5):
            command = [sys.executable, "-P", "-c", "from sbmt.cli.report import main; main()"]
            command += ["--data-dir", str(args.data), "--test-set", "turkcorpus-truecased/test", "-o", str(page)]
            command += ["--systems", *outputs[:count]]
            times = [_time(command) for _ in range(args.runs)]
            cpu, wall = (statistics.median(column) for column in zip(*times, strict=True))
            print(f"{count} systems: {cpu:.2f} s CPU, {wall:.2f} s wall, {page.stat().st_size / 1e6:.2f} MB")


def _time(command: list[str]) -> tuple[float, float]:
    cpu, wall = cpu_seconds(ENDED), time.perf_counter()
    subprocess.run(command, check=True)
    return cpu_seconds(ENDED) - cpu, time.perf_counter() - wall


if __name__ == "__main__":
    main()
