"""Time and memory of learning a grammar, stage by stage.

    python scripts/bench_learn.py                                 # a made-up text of 20,000 pairs, always the same
    python scripts/bench_learn.py --multi-reference versions.tsv --jobs 2 --min-count 2

CPU seconds are those of this process and its workers. Memory is the peak of this process, plus the peak of the largest
worker times the number of workers.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from joblib import cpu_count
from measure import ENDED, SELF, cpu_seconds, peak_bytes
from parsers import script_parser

from sbmt.cli.shared.command import command
from sbmt.ppdb.learn.corpus import read_corpus
from sbmt.ppdb.learn.learner import Learner
from sbmt.ppdb.learn.settings import LearnSettings, Limits, Pruning

PAIRS = VOCABULARY = 20_000  # of the made-up text


def write_synthetic_text(path: Path) -> None:
    """Write two versions of each segment: words drawn by Zipf's law, some replaced by a synonym, some moved."""
    rng = np.random.default_rng(7)
    with open(path, "w", encoding="utf-8") as stream:
        for segment in range(PAIRS):
            words = np.minimum(rng.zipf(1.3, rng.integers(5, 25)), VOCABULARY)
            paraphrase = np.where(rng.random(len(words)) < 0.2, words + VOCABULARY, words)
            if rng.random() < 0.3:
                paraphrase = np.roll(paraphrase, 3)
            for version in (words, paraphrase):
                stream.write(f"{segment}\t{' '.join(f'w{word}' for word in version)}\n")


@contextmanager
def stage(name: str) -> Iterator[None]:
    """Print wall-clock and CPU seconds of the block."""
    wall, cpu = time.perf_counter(), cpu_seconds(SELF, ENDED)
    yield
    seconds = time.perf_counter() - wall, cpu_seconds(SELF, ENDED) - cpu
    print(f"{name:12} {seconds[0]:8.1f} s {seconds[1]:8.1f} s CPU", flush=True)


@command
def main(argv: Sequence[str] | None = None) -> None:
    """Learn once and report."""
    parser = script_parser(__doc__)
    parser.add_argument("--multi-reference", metavar="FILE")
    parser.add_argument("--max-gaps", type=int, default=Limits().max_gaps)
    parser.add_argument("--min-count", type=int, default=Pruning().min_count)
    parser.add_argument("--top", type=int, default=Pruning().top)
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args(argv)
    settings = LearnSettings(Limits(max_gaps=args.max_gaps), Pruning(args.min_count, args.top), jobs=args.jobs)
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder, stage("all"):
        path = args.multi_reference or str(Path(folder) / "versions")
        if not args.multi_reference:
            write_synthetic_text(Path(path))
        with stage("read"):
            text = read_corpus([], [path])
        print(f"{len(text):,} sentence pairs, {len(text.tokens):,} words, {len(text.words):,} different ones")
        with stage("align+extract"):
            learner = Learner(text, settings)
        disk = sum(file.stat().st_size for file in learner.folder.iterdir())
        with learner, stage("count+write"):
            rules = sum(1 for _ in learner.lines())
    main_process, worker = peak_bytes() / 1e9, peak_bytes(ENDED) / 1e9
    workers = args.jobs or cpu_count()
    print(f"{rules:,} rules in {(time.perf_counter() - start) / 60:.1f} minutes, {disk / 1e9:.1f} GB of scratch files")
    print(f"memory {main_process:.1f} GB" + (f" + {workers} x {worker:.1f} GB" if workers > 1 else ""))


if __name__ == "__main__":
    raise SystemExit(main())
