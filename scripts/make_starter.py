"""Expand the starter grammar's word lists into ppdb/starter/starter.ppdb.gz (needs the `experiment` extra).

    python scripts/make_starter.py
    python scripts/make_starter.py --unlisted > words.txt     # common words that have no entry yet

The same lists give the same file to the byte: the tests compare it with a new expansion.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import experiment  # noqa: F401 - says what to install
import lemminflect
from parsers import script_parser
from starter.copies import copy_rules
from starter.expand import ADVERBIAL_LIST, MODIFIER_LIST, expand_lists
from starter.lists import read_list
from wordfreq import top_n_list

from sbmt.cli.shared.command import command
from sbmt.features.annotation.annotate import Annotator
from sbmt.features.rule.shape import Shape
from sbmt.features.rule.simplicity import Simplicity
from sbmt.io import write_lines
from sbmt.ppdb.formats import format_rule
from sbmt.ppdb.rule import Rule
from sbmt.ppdb.starter import GRAMMAR, LISTS
from sbmt.text.words.inflection import TAGS

SIMPLE, COMMON = 2_500, 20_000  # ranks: words that need no simpler one, and those worth an entry


def starter_rules(listed: Iterable[Rule]) -> list[Rule]:
    """The grammar without features: the lists' rules, which are given, then the copies."""
    return [*listed, *copy_rules()]


def starter_lines(rules: Iterable[Rule]) -> Iterator[str]:
    """Rules of the grammar in PPDB format, with their features."""
    annotator = Annotator([Shape(), Simplicity()])
    return (format_rule(annotator.annotate(rule)) for rule in rules)


def unlisted(rules: Iterable[Rule]) -> Iterator[tuple[str, str]]:
    """(part of speech, lemma) of every word without an entry as that part of speech, the commonest first.

    `rules` are the lists'. The words are of the COMMON most frequent of English, without those of which any form is
    among the first SIMPLE.
    """
    listed = {(rule.lhs, " ".join(rule.source)) for rule in rules}
    for tag, name in (("JJ", MODIFIER_LIST), ("RB", ADVERBIAL_LIST)):
        listed |= {(tag, str(entry.head)) for entry in read_list(LISTS / f"{name}.txt")}
    seen = set[tuple[str, str]]()
    for rank, word in enumerate(top_n_list("en", COMMON)):
        for pos, lemmas in lemminflect.getAllLemmas(word).items():
            for lemma in lemmas if pos in TAGS else ():
                if (pos, lemma) not in seen and rank >= SIMPLE and not any((tag, lemma) in listed for tag in TAGS[pos]):
                    yield pos, lemma
                seen.add((pos, lemma))


@command
def main(argv: Sequence[str] | None = None) -> None:
    """Write the grammar, or list the words without an entry."""
    parser = script_parser(__doc__)
    parser.add_argument(
        "--unlisted", action="store_true", help=f"print words of rank {SIMPLE:,} to {COMMON:,} that have no entry"
    )
    args = parser.parse_args(argv)
    rules = expand_lists(LISTS)
    if args.unlisted:
        for pos, lemma in unlisted(rules):
            print(pos, lemma)
    else:
        write_lines(GRAMMAR, starter_lines(starter_rules(rules)))
        print(f"{GRAMMAR}: {GRAMMAR.stat().st_size:,} bytes")


if __name__ == "__main__":
    raise SystemExit(main())
