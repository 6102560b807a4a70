#!/usr/bin/env python3
"""Rules for the TurkCorpus experiment: from crowd paraphrases, from real PPDB pairs, and, cross-fitted, from tune.

    python scripts/learn_rules.py --data DATA --out RUN/rules --jobs 2

DATA is the folder with indian-parallel-en/, ppdb/, lm-enwiki2015/ and turkcorpus/. OUT then holds

    paraphrases.gz   rules of the crowd paraphrases and of the PPDB lists (Listed = 1), with features of both
    tune.gz          rules of the tuning references; tune.foldK.gz without the sentences of fold K; tune.folds
    vectors.npz      word vectors of Wikipedia

each with RuleQuality and without rules that are judged badly or cannot be paraphrases (`possible`). A step whose output
is there is not done again.
"""

from __future__ import annotations

import argparse
import logging
import math
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from sbmt.cli.learn import main as sbmt_learn
from sbmt.errors import SbmtError
from sbmt.io import open_output, read_lines
from sbmt.ppdb.formats import format_rule, read_rules
from sbmt.ppdb.learn.annotate import annotated
from sbmt.ppdb.learn.judge import WEIGHTS
from sbmt.ppdb.rule import Rule

log = logging.getLogger("learn_rules")

FOLDS = 10
LEAST_LIKELY = -math.log(0.01)  # p(e|f)
LEAST_QUALITY = 2.0
TOKEN = re.compile(r"\w+(?:[-'.,]\w+)*|[^\w\s]")
BRACKETS = frozenset(("-lrb-", "-rrb-", "-lsb-", "-rsb-"))
LISTS = (
    "retrofitting/ppdb-xl.txt",
    "easse/ppdb-1.0-xxxl-lexical.extended.synonyms.uniquepairs",
    "counter-fitting/ppdb_synonyms.txt",
)


def versions(data: Path) -> Iterator[str]:
    """Crowd translations as segment, tab, version; some came with a full stop stuck to their first word."""
    for line in read_lines(data / "indian-parallel-en/multiref.en.tsv.xz"):
        *key, sentence = line.lower().split("\t")
        yield f"{'_'.join(key)}\t{re.sub(r'^[ .]*', '', sentence)}"


def wikipedia(data: Path) -> Iterator[str]:
    """Paragraphs in lower case, tokens apart."""
    for line in read_lines(data / "lm-enwiki2015/enwiki2015-sample.txt.xz"):
        yield " ".join(TOKEN.findall(line.lower().replace("'s", " 's ")))


def pair_lists(data: Path) -> Iterator[str]:
    """The PPDB lists in one, with pairs of the unordered list both ways."""
    for name in LISTS:
        for line in read_lines(data / "ppdb" / name):
            yield line
            if "\t" in line:
                left, right = line.strip().split("\t") if line.strip().count("\t") == 1 else ("", "")
                yield f"{right}\t{left}"
    for line in read_lines(data / "ppdb/human-labels/ppdb-sample.tsv"):
        score, label, source, target = line.lower().split("\t")[:4]
        if float(score) >= 3:
            yield f"{label.upper()}\t{source}\t{target}"


def possible(rule: Rule) -> bool:
    """Whether the rule may be a paraphrase: likely or listed, no punctuation but commas, the same numbers."""
    if rule.features["p(e|f)"] > LEAST_LIKELY and rule.features.get("Listed", 0) == 0:
        return False
    if not all(
        word == "," or (any(map(str.isalnum, word)) and word not in BRACKETS) for word in rule.source + rule.target
    ):
        return False
    numbers = [sorted(word for word in side if any(map(str.isdigit, word))) for side in (rule.source, rule.target)]
    return numbers[0] == numbers[1]


def made(path: Path, lines: Callable[[], Iterable[str]]) -> Path:
    """The file, written first if it is not there."""
    if not path.exists():
        log.info("making %s", path.name)
        with open_output(path) as stream:
            stream.writelines(f"{line}\n" for line in lines())
    return path


def run(arguments: list[str], output: Path) -> Path:
    """`sbmt-learn` with these arguments, unless its output is there."""
    if not output.exists():
        log.info("making %s", output.name)
        if sbmt_learn([*arguments, "-o", str(output)]):
            raise SbmtError(f"sbmt-learn could not make {output}")
    return output


def judged(raw: Path, path: Path, vectors: Path, jobs: int) -> Path:
    """The possible rules, with RuleQuality if that is high enough."""
    rules = annotated(filter(possible, read_rules(raw)), str(WEIGHTS), str(vectors), jobs)
    return made(path, lambda: (format_rule(rule) for rule in rules if rule.features["RuleQuality"] >= LEAST_QUALITY))


def main() -> None:
    """Make all that is missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    data, out, jobs = options.data, options.out, ["--jobs", str(options.jobs)]
    raw = out / "raw"
    text = made(raw / "wikipedia.gz", lambda: wikipedia(data))
    vectors = run(["vectors", str(text)], out / "vectors.npz")
    paraphrases = made(raw / "versions.tsv", lambda: versions(data))
    pairs = made(raw / "pairs.tsv", lambda: pair_lists(data))
    learnt = ["--multi-reference", str(paraphrases), "--pairs", str(pairs), "--min-count", "3", *jobs]
    judged(run(learnt, raw / "paraphrases.gz"), out / "paraphrases.gz", vectors, options.jobs)
    stem = data / "turkcorpus/data/turkcorpus/tune.8turkers.tok"
    sides = [part for k in range(8) for part in ("--source", f"{stem}.norm", "--target", f"{stem}.turk.{k}")]
    run([*sides, "--lowercase", "--folds", str(FOLDS), "--min-count", "2", *jobs], raw / "tune.gz")
    for name in ("tune.gz", *(f"tune.fold{fold}.gz" for fold in range(FOLDS))):
        judged(raw / name, out / name, vectors, options.jobs)
    made(out / "tune.folds", lambda: read_lines(raw / "tune.folds"))


if __name__ == "__main__":
    main()
