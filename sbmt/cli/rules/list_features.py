"""`sbmt-rules list-features`: list the features that weights may name."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from sbmt.cli.shared.parsers import Verbs, add_verb


def add_list_features(verbs: Verbs) -> None:
    """Declare the command and its options."""
    parser = add_verb(
        verbs,
        "list-features",
        _run,
        "name the features that weights may name",
        "Name the features that weights may name, each with its meaning, sign and source: those that sbmt-features "
        "annotate adds, then those that the decoder computes or that grammars bring with them.",
        "  sbmt-rules list-features\n  sbmt-rules list-features --json",
    )
    parser.add_argument("--json", action="store_true", help="print a list of {name, meaning, sign, source}")


def _run(args: argparse.Namespace) -> None:
    from sbmt.features.catalogue import other_features, rule_features

    features = rule_features() + other_features()
    if args.json:
        print(json.dumps([asdict(info) for info in features], indent=1))
        return
    for info in features:
        print(f"{info.name:28}{info.meaning}; {info.sign}; {info.source}")
