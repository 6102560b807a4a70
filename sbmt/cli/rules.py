"""`sbmt-rules`: pack, filter, merge, count and look into grammars."""

from __future__ import annotations

import argparse
import json
import logging
import math
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from sbmt.cli.command import command
from sbmt.cli.grammars import check_files, refuse_packed, rules_of
from sbmt.cli.options import add_output, add_reading
from sbmt.cli.parsers import add_verb, new_parser, positive
from sbmt.errors import SbmtError
from sbmt.io import read_lines, write_lines
from sbmt.paths import check_standard_input

if TYPE_CHECKING:
    from sbmt.cli.parsers import Verbs
    from sbmt.ppdb.filtering import Predicate
    from sbmt.ppdb.rule import Rule

_log = logging.getLogger(__name__)

_EXAMPLES = """\
  sbmt-rules show principal "make a significant contribution"
  sbmt-rules show --features --top 5 -m starter -m RUN principal
  sbmt-rules filter ppdb.gz --text test.src --least PPDB2.0Score=3 -o small.gz
  sbmt-rules filter ppdb-2.0.gz --names 1.0 -o renamed.gz
  sbmt-rules pack small.gz small.packed
  sbmt-rules merge learnt.gz ppdb.gz -o both.gz
  sbmt-rules stats both.gz
  sbmt-rules filter --help"""
_GRAMMAR = "rules in any format, packed ones too; a model, for all its grammars; - for standard input"


def build_parser() -> argparse.ArgumentParser:
    """Declare the commands and options."""
    parser = new_parser("Pack, filter, merge, count and look into grammars.", _EXAMPLES)
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="COMMAND")
    _add_pack(verbs)
    _add_check(verbs)
    _add_filter(verbs)
    _add_merge(verbs)
    _add_stats(verbs)
    _add_show(verbs)
    _add_list_features(verbs)
    return parser


def _add_pack(verbs: Verbs) -> None:
    parser = add_verb(
        verbs,
        "pack",
        "write a grammar as one memory-mapped file",
        "Write a grammar as one file that opens at once, however large it is, and that processes share. Its rules "
        "are in the order of their source sides; a feature with over 65,536 different values keeps them in single "
        "precision.",
        "  sbmt-rules pack small.gz small.packed\n  sbmt-rules pack --on-error skip ppdb.gz ppdb.packed",
    )
    parser.add_argument("input", metavar="IN", help=_GRAMMAR)
    parser.add_argument("output", metavar="OUT", help="a file; not - or a pipe, for it is written out of order")
    _add_reading_and_names(parser)


def _add_check(verbs: Verbs) -> None:
    parser = add_verb(
        verbs,
        "check",
        "compare a packed grammar with its checksum",
        "Read a packed grammar as a whole and compare it with its checksum. Ends with 2 if they differ.",
        "  sbmt-rules check small.packed",
    )
    parser.add_argument("input", metavar="PACKED", help="what sbmt-rules pack wrote")


def _add_filter(verbs: Verbs) -> None:
    parser = add_verb(
        verbs,
        "filter",
        "keep the rules that pass every test named",
        "Keep the rules that pass every test named, in their order; without a test, all. A feature that a rule does "
        "not have counts as 0. OUT may be IN, which is then replaced at the end.",
        "  sbmt-rules filter ppdb.gz --text test.src --least PPDB2.0Score=3 -o small.gz\n"
        "  sbmt-rules filter ppdb.gz --kind lexical --kind phrasal --label NN --label NNS -o nouns.gz\n"
        "  sbmt-rules filter ppdb-2.0.gz --names 1.0 -o renamed.gz",
    )
    parser.add_argument("input", metavar="IN", help=_GRAMMAR)
    parser.add_argument("--text", action="append", metavar="FILE", help="rules that can apply to this tokenised text")
    bounds: dict[str, Any] = {"action": "append", "default": [], "metavar": "NAME=VALUE"}
    parser.add_argument("--least", help="least value of a feature (repeatable)", **bounds)
    parser.add_argument("--most", help="largest value of a feature (repeatable)", **bounds)
    parser.add_argument("--kind", action="append", metavar="KIND", help="lexical, phrasal or syntactic (repeatable)")
    parser.add_argument("--label", action="append", metavar="LHS", help="left-hand side, such as NN (repeatable)")
    parser.add_argument(
        "--substantial",
        action="store_true",
        help="rules that do more than drop or add short words and punctuation, and keep brackets and quotes in pairs",
    )
    parser.add_argument("--balanced", action="store_true", help="rules that keep brackets and quotes in pairs")
    possible = "rules with p(e|f) of at least .01 (or Listed), the same numbers on both sides, no marks but commas"
    parser.add_argument("--possible", action="store_true", help=possible)
    sound = (
        "of the rules that merge --learnt NAME=FILE has added, those that lose or invent no more than a sentence can "
        "bear as far as their words tell; all others stay (needs lemminflect)"
    )
    parser.add_argument("--sound", metavar="NAME", help=sound)
    add_output(parser)
    _add_reading_and_names(parser)


def _add_merge(verbs: Verbs) -> None:
    parser = add_verb(
        verbs,
        "merge",
        "join grammars and the features of rules they share",
        "Join grammars: one rule for each label and pair of sides, in the order of first sight, with the features of "
        "all. Of a feature that two grammars give a rule, the value of the one named first stays. With --learnt and "
        "--evidence the joined grammar, then in memory, gets what other grammars say of its pairs of sides, whatever "
        "the label: a rule that NAME has gets In:NAME = 1 and NAME:p(e|f), NAME:p(f|e), NAME:Lex..., NAME:LogCount, "
        "NAME:RarityPenalty.",
        "  sbmt-rules merge learnt.gz ppdb.gz -o both.gz\n"
        "  sbmt-rules merge starter --learnt tune=tune.gz --evidence ppdb=ppdb.gz -o joined.gz",
    )
    parser.add_argument("inputs", nargs="+", metavar="IN", help=_GRAMMAR)
    named: dict[str, Any] = {"action": "append", "default": [], "metavar": "NAME=FILE"}
    learnt = (
        "a grammar whose other pairs follow as rules with LearntOnly = 1, unless their words alone show that they are "
        "ungrammatical; one word for another gets the labels that both can have (needs lemminflect; repeatable)"
    )
    parser.add_argument("--learnt", help=learnt, **named)
    parser.add_argument("--evidence", help="a grammar that gives features and no rules (repeatable)", **named)
    add_output(parser)
    _add_reading_and_names(parser)


def _add_stats(verbs: Verbs) -> None:
    parser = add_verb(
        verbs,
        "stats",
        "count rules by kind and label, and the ranges of features",
        "Count rules by kind and label, and the ranges of features. A packed grammar stores no zeros: they count as "
        "missing there, and not in the ranges.",
        "  sbmt-rules stats both.gz\n  sbmt-rules stats --json both.gz",
    )
    parser.add_argument("input", metavar="IN", help=_GRAMMAR)
    parser.add_argument("--json", action="store_true", help="print JSON, with all labels")
    _add_reading_and_names(parser)


def _add_show(verbs: Verbs) -> None:
    parser = add_verb(
        verbs,
        "show",
        "rank what models would put for words or phrases",
        "Rank what models would put for words or phrases, and the copy that changes nothing. A rule for the phrase in "
        "a context (gaps, or a word beside it) is shown as a whole, and counts without what copying the context has. "
        "The score is the sum of weight x value over the features of the model, higher is better; language models see "
        "the candidate alone, without a sentence around it; of features of your own only those of rules count. Scores "
        "of one phrase and one model can be compared with each other, no others. To look words up in a grammar that "
        "belongs to no model, use sbmt-rules filter GRAMMAR --text FILE.",
        '  sbmt-rules show principal "make a significant contribution"\n'
        "  sbmt-rules show --features --top 5 -m starter -m RUN principal\n"
        "  sbmt-rules show --csv principal",
    )
    parser.add_argument("phrases", nargs="+", metavar="PHRASE", help="a word, or several in quotation marks")
    parser.add_argument("-m", "--model", action="append", metavar="MODEL", help="repeat to compare (default: starter)")
    parser.add_argument("--top", type=positive, default=20, metavar="N", help="candidates a phrase (default: 20)")
    parser.add_argument("--features", action="store_true", help="show weight x value of the features")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON, with all features")
    form.add_argument("--csv", action="store_true", help="print a table, comma-separated")


def _add_list_features(verbs: Verbs) -> None:
    parser = add_verb(
        verbs,
        "list-features",
        "name the features that weights may name",
        "Name the features that weights may name, each with its meaning, sign and source: those that sbmt-features "
        "annotate adds, then those that the decoder computes or that grammars bring with them.",
        "  sbmt-rules list-features\n  sbmt-rules list-features --json",
    )
    parser.add_argument("--json", action="store_true", help="print a list of {name, meaning, sign, source}")


def _add_reading_and_names(parser: argparse.ArgumentParser) -> None:
    """How rules are read, and what their features are called."""
    add_reading(parser)
    parser.add_argument("--names", choices=("1.0", "2.0"), help="give probabilities the names of that PPDB release")


@command
def main(argv: Sequence[str] | None = None) -> None:
    """Run the command named."""
    args = build_parser().parse_args(argv)
    {
        "pack": _pack,
        "check": _check,
        "filter": _filter,
        "merge": _merge,
        "stats": _stats,
        "show": _show,
        "list-features": _list_features,
    }[args.verb](args)


def _pack(args: argparse.Namespace) -> None:
    from sbmt.ppdb.packed import pack

    check_files(args, [args.input], output=args.output, read=[args.input])
    count = pack(rules_of(args, args.input, args.output), args.output)
    _log.info("%d rules packed into %s", count, args.output)


def _check(args: argparse.Namespace) -> None:
    from sbmt.ppdb.packed import open_packed, verify

    verify(args.input)
    print(f"{args.input}: {len(open_packed(args.input))} rules, checksum right")


def _filter(args: argparse.Namespace) -> None:
    from sbmt.ppdb.formats import format_rule, named_label

    texts = args.text or []
    refuse_packed(args.output)
    check_standard_input([args.input, *texts])
    check_files(args, [args.input], output=args.output, read=texts)
    tests = _tests(args)
    rules = rules_of(args, args.input, args.output)
    bounded = {pair.rpartition("=")[0] for pair in (*args.least, *args.most)}
    if args.sound is not None:
        bounded.add(f"In:{args.sound}")
    labels = set(map(named_label, args.label or []))
    if bounded or labels:
        rules = _remarked(rules, bounded, labels)
    write_lines(args.output, (format_rule(rule) for rule in rules if all(test(rule) for test in tests)))


def _remarked(rules: Iterator[Rule], features: set[str], labels: set[str]) -> Iterator[Rule]:
    """The same rules; at their end a warning of each of the features and labels named that none has: a misspelling?"""
    for rule in rules:
        if features:
            features = features.difference(rule.features)
        labels.discard(rule.lhs)
        yield rule
    for label in sorted(labels):
        _log.warning("no rule has the label %s", label)
    for name in sorted(features):
        _log.warning("no rule has the feature %s, which then counts as 0 everywhere", name)


def _tests(args: argparse.Namespace) -> list[Predicate]:
    from sbmt.ppdb import filtering
    from sbmt.ppdb.formats import named_label

    tests = []
    if args.text:
        tests.append(filtering.in_text(line for path in args.text for line in read_lines(path)))
    if args.least or args.most:
        tests.append(filtering.by_value(_bounds(args.least), _bounds(args.most)))
    if args.kind:
        tests.append(filtering.by_kind(args.kind))
    if args.substantial:
        tests.append(filtering.substantial)
    if args.balanced:
        tests.append(filtering.balanced)
    if args.possible:
        from sbmt.ppdb.learn.soundness import possible

        tests.append(possible)
    if args.sound is not None:
        from sbmt.ppdb.learn.evidence import sound_of

        tests.append(sound_of(args.sound))
    if args.label:
        tests.append(filtering.by_label(set(map(named_label, args.label))))
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
        if name in bounds:
            raise SbmtError(f"{pair!r}: {name} has such a bound already; give it one")
        bounds[name] = number
    return bounds


def _merge(args: argparse.Namespace) -> None:
    from sbmt.ppdb.formats import format_rule
    from sbmt.ppdb.merging import merge

    refuse_packed(args.output)
    named = _named_files([*args.learnt, *args.evidence])
    paths = [*args.inputs, *named.values()]
    check_standard_input(paths)
    parts = [str(number) for number in range(1, len(paths) + 1)]
    check_files(args, paths, parts, args.output, read=list(named.values()))
    grammars = [rules_of(args, path, args.output, part) for path, part in zip(paths, parts, strict=True)]
    own, others = grammars[: len(args.inputs)], list(zip(named, grammars[len(args.inputs) :], strict=True))
    rules = merge(own)
    if others:
        from sbmt.ppdb.learn.evidence import with_learnt

        rules = with_learnt(rules, dict(others[: len(args.learnt)]), dict(others[len(args.learnt) :]))
    write_lines(args.output, map(format_rule, rules))


def _named_files(pairs: Sequence[str]) -> dict[str, str]:
    """Of texts NAME=FILE the files by their names, which become parts of names of features."""
    files: dict[str, str] = {}
    for pair in pairs:
        name, _, path = pair.partition("=")
        if not path or not re.fullmatch(r"[\w.-]+", name):
            raise SbmtError(f"{pair!r} is not NAME=FILE, with a name of letters, digits, '.', '_' and '-'")
        if name in files:
            raise SbmtError(f"{pair!r}: {name} is the name of {files[name]} already; give another one")
        files[name] = path
    return files


def _stats(args: argparse.Namespace) -> None:
    from sbmt.ppdb.statistics import count

    check_files(args, [args.input])
    found = count(rules_of(args, args.input))
    features = {
        name: {"least": f.least + 0.0, "most": f.most + 0.0, "missing": found.missing(name)}  # + 0.0: no -0
        for name, f in found.features.items()
    }
    if args.json:
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


def _show(args: argparse.Namespace) -> None:
    from sbmt.cli.rankings import print_beside, print_csv, print_json, print_ranking
    from sbmt.inspection import Inspector
    from sbmt.model import Model
    from sbmt.text.whitespace import split_words

    if not all(map(split_words, args.phrases)):
        raise SbmtError("one of the phrases has no word")
    for phrase in args.phrases:
        if not phrase.isalpha() and os.path.isfile(phrase):  # a word may be a file's name, too; a long phrase is none
            cure = f"to look words up in it: echo WORDS | sbmt-rules filter {phrase} --text -"
            raise SbmtError(f"{phrase} is a file, not a phrase; {cure}")
    names = args.model or ["starter"]
    inspectors = {name: Inspector(Model.load(name)) for name in names}
    rankings = [inspector.rank(phrase, name) for phrase in args.phrases for name, inspector in inspectors.items()]
    if args.json:
        print_json(rankings, args.top, several=len(inspectors) > 1)
    elif args.csv:
        print_csv(rankings, args.top, args.features)
    elif len(inspectors) == 1:
        for ranking in rankings:
            print_ranking(ranking, args.top, args.features)
    else:
        for place in range(0, len(rankings), len(inspectors)):
            print_beside(rankings[place : place + len(inspectors)], args.top, args.features)


def _list_features(args: argparse.Namespace) -> None:
    from sbmt.features.catalogue import catalogue, others

    features = catalogue() + others()
    if args.json:
        print(json.dumps([asdict(info) for info in features], indent=1))
        return
    for info in features:
        print(f"{info.name:28}{info.meaning}; {info.sign}; {info.source}")
