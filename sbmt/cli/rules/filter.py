"""`sbmt-rules filter`: keep the rules of a grammar that pass tests."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from sbmt.cli.shared.grammars import GRAMMAR, add_reading_rules, read_grammars
from sbmt.cli.shared.options import add_output
from sbmt.cli.shared.parsers import Verbs, add_named, add_verb, number
from sbmt.io import read_lines, write_lines
from sbmt.paths import check_standard_input

if TYPE_CHECKING:
    from sbmt.ppdb.filtering import Predicate
    from sbmt.ppdb.rule import Rule

_log = logging.getLogger(__name__)


def add_filter(verbs: Verbs) -> None:
    """Declare the command and its options."""
    parser = add_verb(
        verbs,
        "filter",
        _run,
        "keep the rules that pass every test named",
        "Keep the rules that pass every test named, in their order; without a test, all. A feature that a rule does "
        "not have counts as 0. OUT may be IN, which is then replaced at the end.",
        "  sbmt-rules filter ppdb.gz --text test.src --least PPDB2.0Score=3 -o small.gz\n"
        "  sbmt-rules filter ppdb.gz --kind lexical --kind phrasal --label NN --label NNS -o nouns.gz\n"
        "  sbmt-rules filter ppdb-2.0.gz --names 1.0 -o renamed.gz",
    )
    parser.add_argument("input", metavar="IN", help=GRAMMAR)
    parser.add_argument("--text", action="append", metavar="FILE", help="rules that can apply to this tokenised text")
    add_named(parser, "--least", "NAME=NUMBER", "least value of a feature (repeatable)", number, at_last=True)
    add_named(parser, "--most", "NAME=NUMBER", "largest value of a feature (repeatable)", number, at_last=True)
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
    add_reading_rules(parser)


def _run(args: argparse.Namespace) -> None:
    from sbmt.ppdb.formats import format_rule
    from sbmt.ppdb.symbols import named_label

    texts = args.text or []
    check_standard_input([args.input, *texts])
    with read_grammars(args, [args.input], args.output, texts) as [rules]:
        labels = frozenset(map(named_label, args.label or []))
        tests = _tests(args, labels)
        features = {*args.least, *args.most}
        if args.sound is not None:
            features.add(f"In:{args.sound}")
        if features or labels:
            rules = _with_warnings(rules, features, labels)
        write_lines(args.output, (format_rule(rule) for rule in rules if all(test(rule) for test in tests)))


def _with_warnings(rules: Iterator[Rule], features: Collection[str], labels: Collection[str]) -> Iterator[Rule]:
    """Yield the rules, then warn of each feature and label that no rule has, which may be misspelt."""
    missing_features, missing_labels = set(features), set(labels)
    for rule in rules:
        if missing_features:
            missing_features.difference_update(rule.features)
        missing_labels.discard(rule.lhs)
        yield rule
    for label in sorted(missing_labels):
        _log.warning("no rule has the label %s", label)
    for name in sorted(missing_features):
        _log.warning("no rule has the feature %s, which then counts as 0 everywhere", name)


def _tests(args: argparse.Namespace, labels: Collection[str]) -> list[Predicate]:
    from sbmt.ppdb import filtering

    tests = []
    if args.text:
        tests.append(filtering.in_text(line for path in args.text for line in read_lines(path)))
    if args.least or args.most:
        tests.append(filtering.by_value(args.least, args.most))
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
    if labels:
        tests.append(filtering.by_label(labels))
    return tests
