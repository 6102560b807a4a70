"""Measure decoding on Joshua workloads: folders with `joshua.config`, `input`, and the files they name.

    python scripts/bench_decode.py                # ppdb100, bn-en-hiero and bn-en-samt in $SBMT_DECODER_CASES
    python scripts/bench_decode.py --workload DIR [--nbest K] [--config FILE] [--input FILE] [--limit N] [--json]
    python scripts/bench_decode.py --workload DIR --nbest K --complete
    python scripts/bench_decode.py --workload DIR --lengths 10,20,50,100,200

Prints the cost of one process on one core:

- CPU milliseconds per sentence, without loading, with n-best lists of all feature values (but not their text);
- CPU milliseconds per sentence of decoding again with other weights, as tuning does;
- words per second, seconds to load (and to decode the first sentence), peak memory, and the sum of 1-best model scores;
- `calibration_s`, the time of a small loop on the same machine (`_calibrate`; median of 3), to compare machines.

`--repeats` takes the median of several passes; each starts with empty caches. `--complete` adds the share of the n-best
lists of full searches that are found. `--lengths` joins input sentences to show how cost grows with length.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections.abc import Sequence
from dataclasses import replace
from heapq import heappop, heappush
from pathlib import Path
from random import Random

from measure import MB, apart, peak_bytes
from parsers import script_parser

from sbmt.cli.shared.command import command
from sbmt.cli.shared.parsers import positive
from sbmt.decoder.decoder import Decoder
from sbmt.decoder.garbage_collection import collect_rarely
from sbmt.decoder.joshua import load_joshua
from sbmt.decoder.joshua.lines import read_segment
from sbmt.errors import SbmtError
from sbmt.io import read_lines

CASES = "SBMT_DECODER_CASES"
CONFIG, INPUT = "joshua.config", "input"
FILES = {  # configuration and sentences of the workloads with other file names
    "bn-en-hiero": ("joshua6.pop10.config", "input.bn"),
    "bn-en-samt": ("joshua6.pop10.config", "input.bn"),
}


@command
def main(argv: Sequence[str] | None = None) -> None:
    """Measure each workload."""
    args = _parse_arguments(argv)
    for workload in args.workload or _all_workloads():
        print(apart(_measure, workload, args), flush=True)


def _all_workloads() -> list[Path]:
    if not os.environ.get(CASES):
        raise SbmtError(
            f"no workload: give --workload DIR, or set {CASES} to the folder of {', '.join(['ppdb100', *FILES])}"
        )
    return [Path(os.environ[CASES], name) for name in ("ppdb100", *FILES)]


def _measure(workload: Path, args: argparse.Namespace) -> str:
    """Return the formatted figures of a workload."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    config, source = FILES.get(workload.resolve().name, (CONFIG, INPUT))
    start = time.process_time()
    decoder = load_joshua(workload / (args.config or config)).decoder
    if not isinstance(decoder, Decoder):
        raise SbmtError(f"{workload}: search = stack is not measured here, but a chart decoder")
    lines = read_lines(workload / (args.input or source))
    sentences = [words for number, line in enumerate(lines) if (words := read_segment(line, number).words)][
        : args.limit
    ]
    if not sentences:
        raise SbmtError(f"{workload / (args.input or source)}: has no sentence")
    collect_rarely()
    decoder.decode(sentences[0], nbest=args.nbest).nbest(args.nbest)  # some modules are loaded when first needed
    load = time.process_time() - start
    if args.lengths:
        rows = _by_length(decoder, sentences, args)
        return json.dumps(rows) if args.json else "\n".join(f"{n:6d} words {ms:9.2f} ms" for n, ms in rows)
    figures = {"workload": workload.resolve().name, **_figures(decoder, sentences, load, args)}
    if args.json:
        return json.dumps(figures)
    return "\n".join(
        f"{name:26s}{value:>12}" if isinstance(value, str) else f"{name:26s}{value:12.3f}"
        for name, value in figures.items()
    )


def _figures(
    decoder: Decoder, sentences: Sequence[Sequence[str]], load: float, args: argparse.Namespace
) -> dict[str, float]:
    passes = [_decode(decoder, sentences, args.nbest) for _ in range(args.repeats)]
    milliseconds = statistics.median(per_sentence for per_sentence, _ in passes)
    figures = {
        "sentences": len(sentences),
        "nbest": args.nbest,
        "ms_per_sentence": milliseconds,
        "words_per_s": 1000 * sum(map(len, sentences)) / len(sentences) / milliseconds,
        "redecode_ms_per_sentence": _redecode(decoder, sentences, args.nbest),
        "load_s": load,
        "peak_rss_mb": peak_bytes() / MB,
        "score_sum": passes[0][1],
        "calibration_s": statistics.median(_calibrate() for _ in range(3)),
    }
    if args.complete:
        figures["complete"] = statistics.fmean(_complete(decoder, words, args.nbest) for words in sentences)
    return figures


def _parse_arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = script_parser(__doc__)
    parser.add_argument(
        "--workload",
        type=Path,
        nargs="+",
        metavar="DIR",
        help=f"folders, each with a configuration and its input (default: three of ${CASES})",
    )
    parser.add_argument("--config", help=f"configuration, in that folder (default: {CONFIG}, or what FILES names)")
    parser.add_argument("--input", help=f"sentences, in that folder (default: {INPUT}, or what FILES names)")
    parser.add_argument("--nbest", type=positive, default=1, help="length of the n-best lists (default: %(default)s)")
    parser.add_argument("--limit", type=positive, help="decode only so many sentences")
    parser.add_argument(
        "--repeats", type=positive, default=1, help="take the median of so many passes (default: %(default)s)"
    )
    parser.add_argument("--complete", action="store_true", help="compare the n-best lists with those of full searches")
    parser.add_argument("--lengths", help="measure by sentence length instead, for example 10,20,50,100,200")
    parser.add_argument("--json", action="store_true", help="print a JSON object a workload")
    return parser.parse_args(argv)


def _calibrate() -> float:
    """Return the CPU seconds of 400,000 heap pushes: a measure of the machine, not of the decoder.

    Each pushes (a random float, the number of the round, the tuple of that number and the next), pops the least entry
    if the heap then has more than 100, and stores the float in a dict under that tuple. The time includes making the
    entries. The dict ends with 400,000 keys; with 1,000 recurring keys the loop takes three fifths of the time.
    """
    draw, heap, table = Random(1).random, list[tuple[float, int, tuple[int, int]]](), dict[tuple[int, int], float]()
    start = time.process_time()
    for number in range(400_000):
        entry = draw(), number, (number, number + 1)
        heappush(heap, entry)
        if len(heap) > 100:
            heappop(heap)
        table[entry[2]] = entry[0]
    return time.process_time() - start


def _decode(decoder: Decoder, sentences: Sequence[Sequence[str]], nbest: int) -> tuple[float, float]:
    """Return CPU milliseconds per sentence, and the sum of the best scores."""
    decoder.forget()
    total = 0.0
    start = time.process_time()
    for words in sentences:
        total += decoder.decode(words, nbest=nbest).nbest(nbest)[0].score
    return 1000 * (time.process_time() - start) / len(sentences), total


def _redecode(decoder: Decoder, sentences: Sequence[Sequence[str]], nbest: int) -> float:
    """Return CPU milliseconds per sentence of a second search of the same forest with other weights, as in tuning."""
    decoder.forget()
    weights, spent = dict(decoder.weights), 0.0
    for words in sentences:
        forest = decoder.parse(words)
        decoder.weights = weights
        decoder.search(forest, nbest=nbest)
        decoder.weights = {
            name: weight * (0.9 + 0.2 * (number % 2)) for number, (name, weight) in enumerate(weights.items())
        }
        start = time.process_time()
        decoder.search(forest, nbest=nbest, narrow=nbest > 1).nbest_features(nbest)
        spent += time.process_time() - start
    decoder.weights = weights
    return 1000 * spent / len(sentences)


def _complete(decoder: Decoder, words: Sequence[str], nbest: int) -> float:
    """Return the share of the n-best outputs of a full search that a search for only n outputs finds."""
    forest = decoder.parse(words)
    full, limited = (
        {hypothesis.words for hypothesis in decoder.search(forest, nbest=limit).nbest(nbest)} for limit in (None, nbest)
    )
    return len(full & limited) / len(full)


def _by_length(
    decoder: Decoder, sentences: Sequence[Sequence[str]], args: argparse.Namespace
) -> list[tuple[int, float]]:
    uncut = replace(decoder.settings, max_words=None)
    decoder = Decoder(decoder.grammars, decoder.language_models, decoder.weights, uncut, decoder.feature_functions)
    return [_length(decoder, sentences, int(length), args.nbest) for length in args.lengths.split(",")]


def _length(decoder: Decoder, sentences: Sequence[Sequence[str]], length: int, nbest: int) -> tuple[int, float]:
    """Return the mean CPU milliseconds of sentences of one length, cut from the input's words in order."""
    words = [word for sentence in sentences for word in sentence]
    while len(words) < length:
        words += words
    pieces = [words[start : start + length] for start in range(0, min(len(words), 20 * length) - length + 1, length)]
    return length, _decode(decoder, pieces, nbest)[0]


if __name__ == "__main__":
    raise SystemExit(main())
