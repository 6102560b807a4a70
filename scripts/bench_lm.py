"""CPU time and peak memory of language models: estimating from a text, building the starter model, loading.

    python scripts/bench_lm.py corpus.tok      # orders 3 to 5, from one tokenised sentence per line
    python scripts/bench_lm.py                 # the starter model alone

Each measurement runs in its own process.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from measure import SELF, apart, cpu_seconds, peak_bytes
from parsers import script_parser

from sbmt.cli.shared.command import command
from sbmt.io import read_lines
from sbmt.lm.counts import count_text
from sbmt.lm.kenlm_binary import write_kenlm_binary
from sbmt.lm.kneser_ney import estimate
from sbmt.lm.starter import build_starter

SETTINGS = [(3, ()), (4, (0, 0, 1, 2)), (5, ())]


def estimate_file(text: str, order: int, prune: tuple[int, ...], path: Path) -> None:
    """Count, estimate and write."""
    write_kenlm_binary(estimate(count_text(read_lines(text), order), prune), path)


def load(path: Path) -> None:
    """Load a binary with KenLM and score one sentence."""
    import kenlm

    kenlm.Model(str(path)).score("a sentence to score")


def measure(work: Callable[[], object]) -> None:
    """Run work and print the cost of this process."""
    work()
    print(f"{cpu_seconds(SELF):8.2f} s CPU {peak_bytes() / 1e9:8.2f} GB", end="  ", flush=True)


@command
def main(argv: Sequence[str] | None = None) -> None:
    """Measure every setting."""
    parser = script_parser(__doc__)
    parser.add_argument("text", nargs="*", help="tokenised, one sentence a line")
    texts = parser.parse_args(argv).text
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "lm.binary")
        work: list[tuple[str, Callable[[], object]]] = [("starter, build", partial(build_starter, path))]
        work.append(("starter, load and score", partial(load, path)))
        for text in texts:
            for order, prune in SETTINGS:
                name = f"{text}, order {order}, prune {' '.join(map(str, prune)) or '0'}"
                work.append((name, partial(estimate_file, text, order, prune, path)))
        for name, job in work:
            start = time.perf_counter()
            apart(measure, job)
            print(f"{time.perf_counter() - start:8.2f} s {path.stat().st_size / 1e6:8.1f} MB  {name}")


if __name__ == "__main__":
    raise SystemExit(main())
