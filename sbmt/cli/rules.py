"""`sbmt-rules`: pack, filter, merge, count and look into grammars."""

from __future__ import annotations

import argparse
import json
import logging
import math
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from sbmt.cli.command import command, parser, positive
from sbmt.errors import SbmtError
from sbmt.io import STDIO

if TYPE_CHECKING:
    from sbmt.inspection import Ranking
    from sbmt.ppdb.filtering import Test
    from sbmt.ppdb.rule import Rule

EXAMPLES = """\
  sbmt-rules show principal "make a significant contribution"
  sbmt-rules show --features --top 5 -m starter -m RUN principal
  sbmt-rules filter ppdb.gz --text test.src --least PPDB2.0Score=3 -o small.gz
  sbmt-rules filter ppdb-2.0.gz --names 1.0 -o renamed.gz
  sbmt-rules pack small.gz small.packed
  sbmt-rules merge learnt.gz ppdb.gz -o both.gz
  sbmt-rules stats both.gz"""


def build_parser() -> argparse.ArgumentParser:
    """Declare the commands and options."""
    made = parser("Pack, filter, merge, count and look into grammars.", EXAMPLES)
    verbs = made.add_subparsers(dest="verb", required=True, metavar="COMMAND")
    pack = verbs.add_parser("pack", help="write a grammar as one memory-mapped file")
    pack.add_argument("input", metavar="IN")
    pack.add_argument("output", metavar="OUT", help="a file; not - or a pipe, for it is written out of order")
    check = verbs.add_parser("check", help="compare a packed grammar with its checksum")
    check.add_argument("input", metavar="PACKED")
    filtered = verbs.add_parser("filter", help="keep the rules that pass every test named")
    filtered.add_argument("input", metavar="IN")
    filtered.add_argument("--text", action="append", metavar="FILE", help="rules that can apply to this tokenised text")
    filtered.add_argument("--least", action="append", default=[], metavar="NAME=VALUE", help="bound of a feature")
    filtered.add_argument("--most", action="append", default=[], metavar="NAME=VALUE", help="bound of a feature")
    filtered.add_argument("--kind", action="append", metavar="KIND", help="lexical, phrasal or syntactic (repeatable)")
    filtered.add_argument("--label", action="append", metavar="LHS", help="left-hand side, such as NN (repeatable)")
    merge = verbs.add_parser("merge", help="join grammars and the features of rules they share")
    merge.add_argument("inputs", nargs="+", metavar="IN")
    counts = "count rules by kind and label, and the ranges of features"
    zeros = "A packed grammar stores no zeros: they count as missing there, and not in the ranges."
    stats = verbs.add_parser("stats", help=counts, description=f"{counts.capitalize()}. {zeros}")
    stats.add_argument("input", metavar="IN")
    stats.add_argument("--json", action="store_true")
    for verb in (filtered, merge):
        verb.add_argument("-o", "--output", default="-", metavar="OUT")
    for verb in (pack, filtered, merge, stats):
        verb.add_argument("--owner", default="pt", help="names values without label tm_OWNER_i (default: pt)")
        verb.add_argument("--on-error", choices=("stop", "skip"), default="stop", help="what to do with a bad line")
        verb.add_argument("--names", choices=("1.0", "2.0"), help="give probabilities the names of that PPDB release")
    show = verbs.add_parser("show", help="rank what models would put for words or phrases")
    show.add_argument("phrases", nargs="+", metavar="PHRASE")
    show.add_argument("-m", "--model", action="append", metavar="MODEL", help="repeat to compare (default: starter)")
    show.add_argument("--top", type=positive, default=20, metavar="N", help="candidates a phrase (default: 20)")
    show.add_argument("--features", action="store_true", help="show weight x value of the features")
    form = show.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true")
    form.add_argument("--csv", action="store_true")
    verbs.add_parser("list-features", help="name the features that sbmt-features adds")
    return made


@command
def main(argv: Sequence[str] | None = None) -> None:
    """Run the command named."""
    arguments = build_parser().parse_args(argv)
    {
        "pack": _pack,
        "check": _check,
        "filter": _filter,
        "merge": _merge,
        "stats": _stats,
        "show": _show,
        "list-features": _list_features,
    }[arguments.verb](arguments)


def _rules(arguments: argparse.Namespace, path: str, output: str = STDIO, part: str = "") -> Iterator[Rule]:
    """Rules of a file with a progress bar; bad lines set aside, beside the output, if that was asked for."""
    from sbmt.ppdb.load import read_any
    from sbmt.ppdb.names import rename
    from sbmt.ppdb.outputs import SkippedLines
    from sbmt.progress import progress

    skipped = SkippedLines.beside(output, part) if arguments.on_error == "skip" else None
    for rule in progress(read_any(path, arguments.owner, skipped), "reading", "rules"):
        yield rename(rule, arguments.names) if arguments.names else rule
    if skipped and skipped.count:
        log = logging.getLogger(__name__)
        log.warning(f"{skipped.count} bad lines of {path} set aside in {skipped.path}")


def _pack(arguments: argparse.Namespace) -> None:
    from sbmt.ppdb.packed import pack

    count = pack(_rules(arguments, arguments.input, arguments.output), arguments.output)
    logging.getLogger(__name__).info(f"{count} rules packed into {arguments.output}")


def _check(arguments: argparse.Namespace) -> None:
    from sbmt.ppdb.packed import open_packed, verify

    verify(arguments.input)
    print(f"{arguments.input}: {len(open_packed(arguments.input))} rules, checksum right")


def _filter(arguments: argparse.Namespace) -> None:
    from sbmt.io import check_standard_input, open_output
    from sbmt.ppdb.formats import format_rule

    check_standard_input([arguments.input, *(arguments.text or ())])
    tests = _tests(arguments)
    rules = _rules(arguments, arguments.input, arguments.output)
    with open_output(arguments.output) as stream:
        stream.writelines(format_rule(rule) + "\n" for rule in rules if all(test(rule) for test in tests))


def _tests(arguments: argparse.Namespace) -> list[Test]:
    from sbmt.io import read_lines
    from sbmt.ppdb import filtering
    from sbmt.ppdb.formats import named_label

    tests = []
    if arguments.text:
        tests.append(filtering.in_text(line for path in arguments.text for line in read_lines(path)))
    if arguments.least or arguments.most:
        tests.append(filtering.by_value(_bounds(arguments.least), _bounds(arguments.most)))
    if arguments.kind:
        tests.append(filtering.by_kind(arguments.kind))
    if arguments.label:
        tests.append(filtering.by_label(set(map(named_label, arguments.label))))
    return tests


def _bounds(pairs: Sequence[str]) -> dict[str, float]:
    bounds = {}
    for pair in pairs:
        name, _, value = pair.rpartition("=")
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not name or math.isnan(number):
            raise SbmtError(f"{pair!r} is not NAME=NUMBER")
        bounds[name] = number
    return bounds


def _merge(arguments: argparse.Namespace) -> None:
    from sbmt.io import check_standard_input, open_output
    from sbmt.ppdb.formats import format_rule
    from sbmt.ppdb.merging import merge

    check_standard_input(arguments.inputs)
    grammars = [_rules(arguments, path, arguments.output, str(i)) for i, path in enumerate(arguments.inputs, 1)]
    with open_output(arguments.output) as stream:
        stream.writelines(format_rule(rule) + "\n" for rule in merge(grammars))


def _stats(arguments: argparse.Namespace) -> None:
    from sbmt.ppdb.statistics import count

    found = count(_rules(arguments, arguments.input))
    features = {
        name: {"least": f.least, "most": f.most, "missing": found.missing(name)} for name, f in found.features.items()
    }
    if arguments.json:
        labels = dict(found.labels.most_common())
        print(
            json.dumps({"rules": found.rules, "kinds": found.kinds, "labels": labels, "features": features}, indent=1)
        )
        return
    print(f"{found.rules} rules: " + ", ".join(f"{n} {kind}" for kind, n in found.kinds.most_common()))
    print("labels: " + ", ".join(f"{label} {n}" for label, n in found.labels.most_common(20)))
    print(f"{'feature':28}{'least':>12}{'most':>12}{'missing':>12}")
    for name, row in sorted(features.items()):
        print(f"{name:28}{row['least']:12.5g}{row['most']:12.5g}{row['missing']:12}")


def _show(arguments: argparse.Namespace) -> None:
    from sbmt.inspection import Inspector
    from sbmt.model import Model
    from sbmt.text.whitespace import split_words

    if not all(map(split_words, arguments.phrases)):
        raise SbmtError("one of the phrases has no word")
    names = arguments.model or ["starter"]
    inspectors = {name: Inspector(Model.load(name)) for name in names}
    rankings = [inspector.rank(phrase, name) for phrase in arguments.phrases for name, inspector in inspectors.items()]
    if arguments.json:
        _show_json(rankings, arguments.top, several=len(inspectors) > 1)
    elif arguments.csv:
        _show_csv(rankings, arguments.top, arguments.features)
    elif len(inspectors) == 1:
        for ranking in rankings:
            _show_ranking(ranking, arguments.top, arguments.features)
    else:
        for place in range(0, len(rankings), len(inspectors)):
            _show_beside(rankings[place : place + len(inspectors)], arguments.top, arguments.features)


def _show_json(rankings: Sequence[Ranking], top: int, several: bool) -> None:
    from dataclasses import asdict

    rows = [asdict(c) | ({"model": r.model} if several else {}) for r in rankings for _, c in r.best(top)]
    print(json.dumps(rows, ensure_ascii=False, indent=1))


def _show_csv(rankings: Sequence[Ranking], top: int, features: bool) -> None:
    import csv

    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(("model", "source", "target", "lhs", "score", *(["features"] if features else [])))
    for ranking in rankings:
        for _, c in ranking.best(top):
            parts = [" ".join(f"{n}={value:.5g}" for n, value in ranking.parts(c).items())] if features else []
            writer.writerow((ranking.model, c.source, c.target, c.lhs, f"{c.score:.5f}", *parts))


def _show_ranking(ranking: Ranking, top: int, features: bool) -> None:
    """One model: a candidate a line, below it weight x value of its features."""
    print(f"{ranking.phrase}   ({ranking.model})")
    for place, candidate in ranking.best(top):
        print(f"{place:3}  {candidate.score:9.4f}  {candidate}")
        for name, part in ranking.parts(candidate).items() if features else ():
            print(f"{'':16}{part:9.4f}  {name} = {ranking.weights[name]:.4g} x {candidate.features[name]:.5g}")
    print()


def _show_beside(rankings: Sequence[Ranking], top: int, features: bool) -> None:
    """Several models: a candidate a line, place and score by each model in columns; the first model's order."""
    places = [{(c.target, c.lhs): (n, c) for n, c in enumerate(r.candidates, 1)} for r in rankings]
    keys = dict.fromkeys((c.target, c.lhs) for ranking in rankings for _, c in ranking.best(top))
    print(f"{rankings[0].phrase:42}" + "".join(f"{ranking.model[-16:]:>18}" for ranking in rankings))
    for key in keys:
        found = [place.get(key) for place in places]
        name = next(str(pair[1]) for pair in found if pair)
        print(f"{name:42}" + "".join(f"{p[0]:6} {p[1].score:11.4f}" if p else f"{'-':>18}" for p in found))
        if features:
            parts = [r.parts(pair[1]) if pair else {} for r, pair in zip(rankings, found, strict=True)]
            for feature in dict.fromkeys(name for column in parts for name in column):
                print(f"    {feature:38}" + "".join(f"{column.get(feature, 0.0):18.4f}" for column in parts))
    print()


def _list_features(arguments: argparse.Namespace) -> None:
    from sbmt.features.annotate import Annotator
    from sbmt.features.shape import Shape
    from sbmt.features.simplicity import Simplicity

    for info in Annotator([Shape(), Simplicity()]).info:
        print(f"{info.name:28}{info.meaning}; {info.sign}; {info.source}")
    print(f"{'SourceNAMELM, TargetNAMELM,':28}ln p of a side by the model given as --lm NAME=FILE; Xu et al. 2016, 3.3")
    print(f"{'NAMELMDiff':28}target minus source of these; positive: likelier; Xu et al. 2016, 3.3")
