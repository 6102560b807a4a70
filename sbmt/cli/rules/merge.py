"""`sbmt-rules merge`: join several grammars."""

from __future__ import annotations

import argparse
import re

from sbmt.cli.shared.grammars import GRAMMAR, add_reading_rules, read_grammars
from sbmt.cli.shared.options import add_output
from sbmt.cli.shared.parsers import Verbs, add_named, add_verb, file_name
from sbmt.errors import SbmtError
from sbmt.io import write_lines
from sbmt.paths import check_standard_input


def add_merge(verbs: Verbs) -> None:
    """Declare the command and its options."""
    parser = add_verb(
        verbs,
        "merge",
        _run,
        "join grammars and the features of rules they share",
        "Join grammars: one rule for each label and pair of sides, in the order of first sight, with the features of "
        "all. Of a feature that two grammars give a rule, the value of the one named first stays. With --learnt and "
        "--evidence the joined grammar, then in memory, gets what other grammars say of its pairs of sides, whatever "
        "the label: a rule that NAME has gets In:NAME = 1 and NAME:p(e|f), NAME:p(f|e), NAME:Lex..., NAME:LogCount, "
        "NAME:RarityPenalty.",
        "  sbmt-rules merge learnt.gz ppdb.gz -o both.gz\n"
        "  sbmt-rules merge starter --learnt tune=tune.gz --evidence ppdb=ppdb.gz -o joined.gz",
    )
    parser.add_argument("inputs", nargs="+", metavar="IN", help=GRAMMAR)
    learnt = (
        "a grammar whose other pairs follow as rules with LearntOnly = 1, unless their words alone show that they are "
        "ungrammatical; one word for another gets the labels that both can have (needs lemminflect; repeatable)"
    )
    evidence = "a grammar that gives features and no rules (repeatable)"
    add_named(parser, "--learnt", "NAME=FILE", learnt, file_name)
    add_named(parser, "--evidence", "NAME=FILE", evidence, file_name)
    add_output(parser)
    add_reading_rules(parser)


def _run(args: argparse.Namespace) -> None:
    from sbmt.ppdb.formats import format_rule
    from sbmt.ppdb.merging import merge

    _check_names(args)
    others = [*args.learnt.values(), *args.evidence.values()]
    paths = [*args.inputs, *others]
    check_standard_input(paths)
    with read_grammars(args, paths, args.output, others, numbered=True) as readers:
        grammars = iter(readers)
        rules = merge([next(grammars) for _ in args.inputs])
        if others:
            from sbmt.ppdb.learn.evidence import with_learnt

            learnt = {name: next(grammars) for name in args.learnt}
            rules = with_learnt(rules, learnt, {name: next(grammars) for name in args.evidence})
        write_lines(args.output, map(format_rule, rules))


def _check_names(args: argparse.Namespace) -> None:
    """Raise SbmtError for a name that cannot begin feature names, or that two grammars have."""
    for option, grammars in (("--learnt", args.learnt), ("--evidence", args.evidence)):
        for name in grammars:
            if not re.fullmatch(r"[\w.-]+", name):
                raise SbmtError(f"{option} {name}=...: a name is of letters, digits, '.', '_' and '-'")
    for name in args.learnt:
        if name in args.evidence:
            raise SbmtError(f"--learnt and --evidence both name {name}: give one of them another name")
