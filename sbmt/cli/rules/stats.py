"""`sbmt-rules stats`: what a grammar consists of."""

from __future__ import annotations

import argparse
import json
import logging
import re
from typing import TYPE_CHECKING

from sbmt.cli.shared.grammars import GRAMMAR, add_reading_rules, read_grammars
from sbmt.cli.shared.parsers import Verbs, add_verb
from sbmt.errors import counted
from sbmt.paths import display_name

if TYPE_CHECKING:
    from sbmt.ppdb.statistics import FeatureRange

_log = logging.getLogger(__name__)
_MOST_NAMED = 20  # labels, unless as JSON


def add_stats(verbs: Verbs) -> None:
    """Declare the command and its options."""
    parser = add_verb(
        verbs,
        "stats",
        _run,
        "count rules by kind and label, and the ranges of features",
        "Count rules by kind and label, and the ranges of features. A packed grammar stores no zeros: they count as "
        "missing there, and not in the ranges.",
        "  sbmt-rules stats both.gz\n  sbmt-rules stats --json both.gz",
    )
    parser.add_argument("input", metavar="IN", help=GRAMMAR)
    parser.add_argument("--json", action="store_true", help="print JSON, with all labels")
    add_reading_rules(parser)


def _run(args: argparse.Namespace) -> None:
    from sbmt.ppdb.statistics import count

    with read_grammars(args, [args.input]) as [rules]:
        totals = count(rules)
    if not totals.rules:
        _log.warning("%s holds no rules", display_name(args.input))
    features = {name: {**_bounds(f), "missing": totals.missing(name)} for name, f in totals.features.items()}
    if args.json:
        labels = dict(totals.labels.most_common())
        print(
            json.dumps({"rules": totals.rules, "kinds": totals.kinds, "labels": labels, "features": features}, indent=1)
        )
        return
    print(f"{counted(totals.rules, 'rule')}: " + ", ".join(f"{n} {kind}" for kind, n in totals.kinds.most_common()))
    others = len(totals.labels) - _MOST_NAMED
    named = [f"{label} {n}" for label, n in totals.labels.most_common(_MOST_NAMED)]
    print("labels: " + ", ".join(named) + (f" and {counted(others, 'other')}" if others > 0 else ""))
    print(f"{'feature':28}{'least':>12}{'most':>12}{'missing':>12}")
    for name, row in sorted(features.items(), key=lambda named: _in_order(named[0])):
        least, most = ("-" if row[bound] is None else f"{row[bound]:.5g}" for bound in ("least", "most"))
        print(f"{name:28}{least:>12}{most:>12}{row['missing']:12}")


def _in_order(name: str) -> list[str | int]:
    """A key for sorting by which tm_pt_2 comes before tm_pt_10."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", name)]


def _bounds(values: FeatureRange) -> dict[str, float | None]:
    """What the values lie between, for people: 0 is never -0."""
    if not values.count:
        return {"least": None, "most": None}
    return {"least": values.least + 0.0, "most": values.most + 0.0}
