"""Time and memory of a large grammar: read, annotate, merge, pack, open, look up; on a synthetic file like PPDB.

    python scripts/bench_grammar.py                        # 200,000 rules
    python scripts/bench_grammar.py --rules 10000000       # PPDB XL's size: some 4 GB of files, half an hour

The file has lexical, phrasal and syntactic rules (30, 50 and 20 %) with PPDB 1.0's 35 features, over made-up words that
follow Zipf's law. Values are spread as widely as real ones.

Every step runs in a process of its own. Times are CPU time. Peak memory includes mapped files, which the system can
take back. Reading and annotating are measured on the first --sample rules, as medians over pieces of 5,000.
"""

from __future__ import annotations

import gzip
import math
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from measure import MB, apart, held_now, peak_bytes
from parsers import script_parser

from sbmt.cli.shared.command import command
from sbmt.cli.shared.parsers import positive

FIXED = (
    "Abstract=0 Adjacent=0 CharCountDiff=%d CharLogCR=%.5f ContainsX=0 GlueRule=0 Identity=0 Lex(e|f)=%.5f "
    "Lex(f|e)=%.5f Lexical=%d LogCount=%.5f Monotonic=1 PhrasePenalty=1 RarityPenalty=%.5f "
    "SourceTerminalsButNoTarget=0 SourceWords=%d TargetTerminalsButNoSource=0 TargetWords=%d UnalignedSource=0 "
    "UnalignedTarget=0 WordCountDiff=%d WordLenDiff=%.5f WordLogCR=%.5f p(LHS|e)=%.5f p(LHS|f)=%.5f p(e|LHS)=%.5f "
    "p(e|f)=%.5f p(e|f,LHS)=%.5f p(f|LHS)=%.5f p(f|e)=%.5f p(f|e,LHS)=%.5f AGigaSim=%.5f GoogleNgramSim=%.5f"
)
# Lexical, phrasal, syntactic: share of the rules, and mean number of targets per source side. A word of running text
# has 14 targets in PPDB XL's lexical part.
KINDS = ((0.3, 15), (0.5, 5), (0.2, 5))
PIECE = 5_000
SENTENCES = 200
LABELS = "NN NP NNS JJ VB VBD VBN VBG VBZ VBP NNP RB IN DT CD PP VP S ADJP ADVP NP/NN VP/NP S/VP NP\\DT".split()


def vocabulary(size: int) -> list[str]:
    """Return distinct made-up words, the frequent ones short."""
    rng = np.random.default_rng(0)
    syllables = [c + v + e for c in "bcdfghjklmnprstvwz" for v in "aeiou" for e in ("", "n", "r", "s")]
    words: dict[str, None] = {}
    while len(words) < size:
        count = 1 + int(math.log(len(words) + 1) / 3) if rng.random() < 0.8 else int(rng.integers(1, 5))
        words["".join(syllables[i] for i in rng.integers(0, len(syllables), count))] = None
    return list(words)


def phrases(words: list[str], rng: np.random.Generator) -> Iterator[tuple[int, list[str], str]]:
    """Yield kind, words and label of sides endlessly; kinds distributed as in KINDS, words by Zipf's law."""
    chances = np.array([share / targets for share, targets in KINDS])
    while True:
        kinds = rng.choice(3, 1000, p=chances / chances.sum())
        ranks = (len(words) ** rng.random((1000, 3))).astype(int) - 1
        labels = rng.integers(0, len(LABELS), 1000)
        for kind, row, label in zip(kinds.tolist(), ranks.tolist(), labels.tolist(), strict=True):
            yield kind, [words[i] for i in row[: (1, 2 + label % 2, 2)[kind]]], LABELS[label]


def lines(rules: int, seed: int) -> Iterator[str]:
    """Yield the lines of the synthetic grammar: each source side once, including all words of the vocabulary."""
    rng = np.random.default_rng(seed)
    words = vocabulary(size_of_vocabulary(rules))
    unused = iter(words)
    source, target = phrases(words, rng), phrases(words, rng)
    used: set[tuple[str, ...]] = set()
    count = 0
    while count < rules:
        kind, left, label = next(source)
        if kind == 0:
            left = list(islice(unused, 1))
        gap = f"[{LABELS[count % 7]},1]"
        key = (left[0], gap, *left[1:]) if kind == 2 else tuple(left)
        if not left or key in used:
            continue
        used.add(key)
        for _ in range(min(int(rng.geometric(1 / KINDS[kind][1])), rules - count)):
            right = next(target)[1]
            sides = " ".join(key), " ".join([right[0], gap, *right[1:]] if kind == 2 else right)
            yield f"[{label}] ||| {sides[0]} ||| {sides[1]} ||| {features(*sides, kind, rng)} ||| 0-0\n"
            count += 1


def size_of_vocabulary(rules: int) -> int:
    """Return a number of words that suffices for the lexical rules."""
    return 2_000 + rules // 40


def features(left: str, right: str, kind: int, rng: np.random.Generator) -> str:
    """Return features like PPDB's: those of the sides computed, the others drawn."""
    n, m = len(left.split()), len(right.split())
    costs = rng.gamma(2.0, 3.0, 10).tolist()
    count = int(rng.geometric(0.5))
    shape = (len(right) - len(left), math.log(len(right) / len(left)), 4 * costs[0], 4 * costs[1], kind == 0)
    ratio = (n, m, m - n, len(right) / m - len(left) / n, math.log(m / n))
    return FIXED % (*shape, math.log(count), math.exp(1 - count), *ratio, *costs[:8], costs[8] % 1, costs[9] % 1)


def make(path: Path, rules: int, seed: int) -> str:
    """Step: write the file."""
    size = 0
    with gzip.open(path, "wt", 1, encoding="utf-8") as stream:
        for line in lines(rules, seed):
            size += stream.write(line)
    return f"{rules} rules, {size / 1e6:.0f} MB, {path.stat().st_size / 1e6:.0f} MB gzipped"


def rate(items: Iterator[Any]) -> str:
    """Return items per second of CPU time, median over pieces; a shorter piece counts if it is the only one."""
    rates: list[float] = []
    begin = time.process_time()
    while (count := sum(1 for _ in islice(items, PIECE))) == PIECE or (count and not rates):
        now = time.process_time()
        rates.append(count / (now - begin))
        begin = now
    return f"median {statistics.median(rates):.0f} a second, slowest {min(rates):.0f}, fastest {max(rates):.0f}"


def read(path: Path, sample: int) -> str:
    """Step: parse."""
    from sbmt.ppdb.formats import read_rules

    return rate(islice(read_rules(path), sample))


def annotate(path: Path, sample: int) -> str:
    """Step: read, parse, compute all features but language models, format."""
    from sbmt.features.annotation.options import FeatureOptions
    from sbmt.ppdb.formats import read_rules

    annotator = FeatureOptions().annotator()
    return rate(annotator.line(rule) for rule in islice(read_rules(path), sample))


def merge(path: Path, merged: Path) -> str:
    """Step: merge the file with itself, the worst case: every rule is in both."""
    from sbmt.io import write_lines
    from sbmt.ppdb.formats import format_rule, read_rules
    from sbmt.ppdb.merging import merge as join

    count = write_lines(merged, map(format_rule, join([read_rules(path), read_rules(path)])))
    return f"{count} rules, {merged.stat().st_size / 1e6:.0f} MB"


def pack(path: Path, packed: Path) -> str:
    """Step: pack."""
    from sbmt.ppdb.formats import read_rules
    from sbmt.ppdb.packed import pack as write

    count = write(read_rules(path), packed)
    return f"{count} rules, {packed.stat().st_size / 1e6:.0f} MB, {packed.stat().st_size / count:.0f} bytes a rule"


def look_up(packed: Path, rules: int, seed: int) -> str:
    """Step: open; parse sentences of 25 words made up of source sides."""
    from sbmt.decoder.decoder import Decoder
    from sbmt.ppdb.glue import GLUE, glue_rules
    from sbmt.ppdb.grammar import Grammar
    from sbmt.ppdb.packed import open_packed

    before, begin = held_now(), time.perf_counter()
    grammar = open_packed(packed)
    opened = time.perf_counter() - begin
    after_open = held_now()
    marks = glue_rules((), "GOAL")  # without labels: only look-up is measured
    decoder = Decoder([grammar, Grammar.from_rules(marks, GLUE, -1)], [], {})
    stream = phrases(vocabulary(size_of_vocabulary(rules)), np.random.default_rng(seed + 1))
    times, counts = [], []
    for _ in range(SENTENCES):
        words: list[str] = []
        while len(words) < 25:
            words += next(stream)[1]
        begin = time.process_time()
        forest = decoder.parse(words[:25])
        times.append(1000 * (time.process_time() - begin))
        counts.append(forest.n_applications)
    after = held_now()
    own, mapped = [held.own / MB for held in (before, after_open, after)], (after.files - before.files) / MB
    return (
        f"opened in {1000 * opened:.1f} ms; own memory {own[0]:.0f} MB before, {own[1]:.0f} MB then, "
        f"{own[2]:.0f} MB after {SENTENCES} sentences, {mapped:.0f} MB of the file mapped; 25 words: "
        f"{statistics.median(times):.2f} ms (median; slowest {max(times):.2f}), {statistics.mean(counts):.0f} rules"
    )


def measured(step: Callable[..., str], *arguments: Any) -> tuple[str, float, float]:
    """Run a step; return its report, CPU seconds and peak memory in megabytes."""
    begin = time.process_time()
    report = step(*arguments)
    return report, time.process_time() - begin, peak_bytes() / MB


@command
def main(argv: Sequence[str] | None = None) -> None:
    """Run the steps."""
    parser = script_parser(__doc__)
    parser.add_argument("--rules", type=positive, default=200_000)
    parser.add_argument(
        "--sample", type=positive, default=200_000, help="rules to read and annotate (default: 200,000)"
    )
    folder_help = "where files are written, to be removed at the end (default: the system's temporary folder)"
    parser.add_argument("--folder", type=Path, help=folder_help)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    if args.folder:
        args.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        text, packed = Path(folder, "grammar.gz"), Path(folder, "grammar.packed")
        steps: list[tuple[Callable[..., str], tuple[Any, ...]]] = [
            (make, (text, args.rules, args.seed)),
            (read, (text, args.sample)),
            (annotate, (text, args.sample)),
            (merge, (text, Path(folder, "merged"))),
            (pack, (text, packed)),
            (look_up, (packed, args.rules, args.seed)),
        ]
        for step, arguments in steps:
            report, seconds, memory = apart(measured, step, *arguments)
            print(f"{step.__name__:9}{seconds:9.1f} s {memory:7.0f} MB  {report}", flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
