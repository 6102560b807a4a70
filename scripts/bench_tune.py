"""Time and memory of tuning at the paper's size: 2,000 sentences x 8 references, 300-best, 30 iterations.

    python scripts/bench_tune.py --data DIR [--sentences N] [--iterations N] [--nbest K] [--jobs N] [--min-new X]

The grammar is PPDB XL's list of word pairs (some 15 candidates a word), filtered to the text and annotated with the
features that need no other resource. The language model is the starter model's. Prints one JSON object.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from corpora import add_data
from joblib.externals.loky import get_reusable_executor
from measure import ENDED, MB, SELF, cpu_seconds, peak_bytes
from parsers import script_parser

from sbmt.cli.shared.command import command
from sbmt.features.annotation.options import FeatureOptions
from sbmt.io import read_lines, write_lines
from sbmt.model import Model
from sbmt.ppdb.filtering import in_text
from sbmt.ppdb.formats import format_rule
from sbmt.ppdb.learn.pair_lists import read_pair_list
from sbmt.ppdb.rule import Rule
from sbmt.tuning.presets import load_preset
from sbmt.tuning.run import start_run
from sbmt.tuning.workers import Workers

MODEL = """\
format: 1
grammars: [{path: grammar, owner: pt, span_limit: 5}]
language_models: [{path: 'cache:starter'}]
weights: {lm_0: 0.5, WordPenalty: -0.1, Changes: -1.0}
"""


def prepare(data: Path, folder: Path, sentences: int) -> tuple[Path, list[Path]]:
    """Write the tuning set and the bundle; return the files of source and references."""
    stem = data / "turkcorpus" / "data" / "turkcorpus" / "tune.8turkers.tok."
    files = [Path(f"{stem}norm"), *(Path(f"{stem}turk.{i}") for i in range(8))]
    paths = [folder / file.name for file in files]
    for file, path in zip(files, paths, strict=True):
        write_lines(path, islice(read_lines(file), sentences))
    usable = in_text(read_lines(paths[0]))
    annotate = FeatureOptions().annotator().annotate
    pairs = read_pair_list(str(data / "ppdb" / "retrofitting" / "ppdb-xl.txt"))
    rules = (Rule("X", pair.source, pair.target, {}, ((0, 0),)) for pair in pairs)
    write_lines(folder / "grammar", (format_rule(annotate(rule)) for rule in rules if usable(rule)))
    (folder / "model.yaml").write_text(MODEL, encoding="utf-8")
    return paths[0], paths[1:]


@command
def main(argv: Sequence[str] | None = None) -> None:
    """Prepare, tune, report."""
    parser = script_parser(__doc__)
    add_data(parser)
    parser.add_argument("--sentences", type=int, default=2000)
    parser.add_argument("--iterations", type=int, default=30)
    parser.add_argument("--nbest", type=int, default=300)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--preset", default="default")
    parser.add_argument("--min-new", type=float, help="end when a smaller share of candidates is new; 0: when none is")
    args = parser.parse_args(argv)
    changes = {"iterations": args.iterations, "nbest": args.nbest, "min_new": args.min_new}
    settings = load_preset(args.preset, {key: value for key, value in changes.items() if value is not None})
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source, references = prepare(args.data, folder, args.sentences)
        rules = sum(1 for _ in read_lines(folder / "grammar"))
        start = time.perf_counter()
        tuned = start_run(folder / "run", Model.load(folder), source, references, settings, Workers(args.jobs))
        seconds = time.perf_counter() - start
        get_reusable_executor().shutdown()  # the costs of workers count once they have ended
        report = {
            "rules": rules,
            "iterations": len(list((folder / "run" / "iterations").glob("*.json"))),
            "seconds": round(seconds, 1),
            "cpu_seconds": round(cpu_seconds(SELF, ENDED), 1),
            "peak_rss_mb_parent": peak_bytes() // MB,
            "peak_rss_mb_worker": peak_bytes(ENDED) // MB,
            "held_out": tuned.config.tuned["gain"],
        }
        print(json.dumps(report))


if __name__ == "__main__":
    raise SystemExit(main())
