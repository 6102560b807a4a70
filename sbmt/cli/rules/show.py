"""`sbmt-rules show`: rank what models would replace words or phrases with."""

from __future__ import annotations

import argparse
import os

from sbmt.cli.shared.options import DEFAULT_MODEL
from sbmt.cli.shared.parsers import Verbs, add_verb, positive
from sbmt.errors import SbmtError


def add_show(verbs: Verbs) -> None:
    """Declare the command and its options."""
    parser = add_verb(
        verbs,
        "show",
        _run,
        "rank what models would put for words or phrases",
        "Rank what models would put for words or phrases, and the copy that changes nothing. A rule for the phrase in "
        "a context (gaps, or a word beside it) is shown as a whole, and counts without what copying the context has. "
        "The score is the sum of weight x value over the features of the model, higher is better; language models see "
        "the candidate alone, without a sentence around it; of features of your own only those of rules count. Scores "
        "of one phrase and one model can be compared with each other, no others. What the model's glossary wants comes "
        "first, and what it refuses is marked. To look words up in a grammar that "
        "belongs to no model, use sbmt-rules filter GRAMMAR --text FILE.",
        '  sbmt-rules show principal "make a significant contribution"\n'
        "  sbmt-rules show --features --top 5 -m starter -m RUN principal\n"
        "  sbmt-rules show --csv principal",
    )
    parser.add_argument("phrases", nargs="+", metavar="PHRASE", help="a word, or several in quotation marks")
    compared = f"repeat to compare (default: {DEFAULT_MODEL})"
    parser.add_argument("-m", "--model", action="append", metavar="MODEL", help=compared)
    top = "candidates per phrase (default: %(default)s)"
    parser.add_argument("--top", type=positive, default=20, metavar="N", help=top)
    parser.add_argument("--features", action="store_true", help="show weight x value of the features")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON, with all features")
    form.add_argument("--csv", action="store_true", help="print a table, comma-separated")


def _run(args: argparse.Namespace) -> None:
    from sbmt.cli.rules.rankings import print_beside, print_csv, print_json, print_ranking
    from sbmt.inspection import Inspector
    from sbmt.model import Model
    from sbmt.text.whitespace import split_words

    if not all(map(split_words, args.phrases)):
        raise SbmtError("one of the phrases has no word")
    for phrase in args.phrases:
        if not phrase.isalpha() and os.path.isfile(phrase):  # words may also name files
            cure = f"to look words up in it: echo WORDS | sbmt-rules filter {phrase} --text -"
            raise SbmtError(f"{phrase} is a file, not a phrase; {cure}")
    names = args.model or [DEFAULT_MODEL]
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
        for start in range(0, len(rankings), len(inspectors)):
            print_beside(rankings[start : start + len(inspectors)], args.top, args.features)
