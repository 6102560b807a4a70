"""Options for the texts of an evaluation (a test set, or sources and references, and outputs), and reading them."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from sbmt.cli.shared.options import OptionGroup
from sbmt.cli.shared.records import OUTPUT_KEY
from sbmt.cli.shared.systems import Reading, SystemFile, read_systems, system_file
from sbmt.errors import SbmtError
from sbmt.evaluation.report.system import System
from sbmt.io import read_text, writable
from sbmt.paths import STDIO, check_standard_input, expand
from sbmt.text.checks.mistakes import by_number, remark_on_mistakes
from sbmt.text.checks.style import TextStyle, style_of

if TYPE_CHECKING:
    from sbmt.metrics import AnyMetric

_log = logging.getLogger(__name__)

_MAX_LISTED = 3  # systems in a message
_CURE = "scores suffer; docs/metrics.md says which test set goes with which outputs"


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of an evaluation, all of the same length; sources and references are None if there are none."""

    test_set: str | None  # its name
    sources: list[str] | None
    references: list[list[str]] | None  # of each source
    reference_names: list[str]  # for messages
    systems: list[System]

    def system(self, named: str | None) -> str | None:
        """Return the name of the system that a path, file name or name stands for; anything else unchanged.

        The file of one of several runs stands for no system.
        """
        runs = self.runs()
        files = {(system.path, system.name) for system in self.systems if len(runs[system.name]) == 1}
        matches = {name for path, name in files if named in (path, Path(path).name)} | ({named} & runs.keys())
        return matches.pop() if len(matches) == 1 else named

    def runs(self) -> dict[str, list[list[str]]]:
        """Return the outputs of each system's runs."""
        return {
            name: [s.outputs for s in self.systems if s.name == name]
            for name in dict.fromkeys(s.name for s in self.systems)
        }


def add_text_options(parser: argparse.ArgumentParser, title: str, systems_help: str) -> None:
    """Declare, in a group of their own, the options that `read_texts` reads."""
    data = parser.add_argument_group(title)
    data.add_argument("--source", metavar="FILE", help="sources, one per line")
    data.add_argument(
        "--references",
        nargs="+",
        default=[],
        metavar="FILE",
        help="reference files, if any; PREFIX stands for PREFIX0, PREFIX1 ... (or from 1 on, or 00, 01 ...)",
    )
    data.add_argument(
        "-t", "--test-set", metavar="NAME", help="sources and references by name, e.g. asset/test; EASSE's do, too"
    )
    data.add_argument("--data-dir", metavar="DIR", help="where test sets are (default: $SBMT_DATA)")
    data.add_argument(
        "--systems",
        nargs="+",
        type=system_file,
        default=[SystemFile(STDIO)],
        metavar="[NAME=]FILE",
        help=f"{systems_help}; a system is named by its file, or as you say",
    )
    data.add_argument(
        "--output-key",
        default=OUTPUT_KEY,
        metavar="KEY",
        help="of the output's text in the objects of JSON lines (default: %(default)s); `source` is checked, if it is "
        "there",
    )
    data.add_argument("--allow-empty", action="store_true", help="take empty outputs instead of stopping at one")


def add_baseline(parser: OptionGroup, baseline_help: str) -> None:
    """Declare --baseline and --holm."""
    parser.add_argument("--baseline", metavar="SYSTEM", help=baseline_help)
    parser.add_argument("--holm", action="store_true", help="correct the p-values for the number of tests (Holm 1979)")


def read_texts(args: argparse.Namespace, runs: bool = False) -> Texts:
    """Read the texts named by the options of `add_text_options`; `runs` as in `Reading`.

    Raises SbmtError if sources are named in two ways, for texts of different length, and as `read_systems` does.
    """
    if args.test_set is not None and (args.source is not None or args.references):
        raise SbmtError("give either --test-set or --source and --references")
    reading = Reading(allow_empty=args.allow_empty, runs=runs, output_key=args.output_key)
    if args.test_set is not None:
        from sbmt.data.testsets import load_test_set

        test_set = load_test_set(args.test_set, args.data_dir)
        texts = {test_set.name: test_set.sources}
        systems = read_systems(args.systems, test_set.sources, texts, replace(reading, part=test_set.part))
        references = test_set.references if any(test_set.references) else None
        names = [f"{test_set.name}, {reference}" for reference, _ in by_number(test_set.references)]
        return Texts(test_set.name, test_set.sources, references, names, systems)
    files = expand_references(args.references)
    source = [] if args.source is None else [args.source]
    check_standard_input([*source, *files, *(system.path for system in args.systems)])
    texts = {path: read_text(path) for path in (*source, *files)}
    sources = texts[args.source] if source else None
    systems = read_systems(args.systems, sources, texts, reading)
    references = [list(lines) for lines in zip(*(texts[path] for path in files), strict=True)] if files else None
    return Texts(None, sources, references, files, systems)


def missing_references(metric: str, texts: Texts) -> SbmtError:
    """Return the error for a metric that needs references when there are none."""
    lacking = f", and {texts.test_set} has none" if texts.test_set else " (--references or --test-set)"
    return SbmtError(f"{metric} needs references{lacking}; fk:easse, fk:plain and length need none")


def remark_on_looks(metrics: Iterable[AnyMetric], texts: Texts) -> None:
    """Warn of texts that do not belong together (see `remark_on_mistakes`) or do not suit the metrics, once each.

    Texts do not suit a metric if outputs differ from the references in case (for a case-sensitive metric) or in
    tokenisation; if they are not tokenised and the metric splits words at white space; or if the sources are not
    tokenised and the metric tokenises the outputs alone.
    """
    systems = [(writable(system.path), system.outputs) for system in texts.systems]
    references = list(zip(texts.reference_names, zip(*texts.references or (), strict=True), strict=True))
    remark_on_mistakes(texts.sources or (), systems, references)
    terms = [term for metric in metrics for term in metric.terms()]
    uneven = [term for term in terms if term.splits_sources_at_spaces and not term.splits_at_spaces]
    if uneven and texts.sources and style_of(texts.sources).tokenized is False:
        _log.warning(
            "the sources are not tokenised, and %s tokenises outputs and references alone, so that 'end.' is deleted: "
            "scores are inflated; give tokenised text (sbmt-text), or add tok=%s to the metric, without src_tok",
            _named(uneven[0]),
            uneven[0].tok,
        )
    styles = {name: style_of(chain.from_iterable(runs)) for name, runs in texts.runs().items()}
    if _warn_of_unlike_references([term for term in terms if term.needs_references], texts, styles):
        return
    at_spaces = [term for term in terms if term.splits_at_spaces]
    raw = [name for name, of_system in styles.items() if of_system.tokenized is False]
    if at_spaces and raw:
        _log.warning(
            "the outputs of %s are not tokenised, but %s splits at white space alone, so that 'end.' is one word: "
            "give tokenised text (sbmt-text), or write %s,tok=ptb",
            _joined(raw),
            _named(at_spaces[0]),
            f"{at_spaces[0].name}:{at_spaces[0].variant}",
        )


def _named(metric: AnyMetric) -> str:
    """Return a metric as the user may have written it, with its tokeniser if that is not its variant's."""
    default = metric.variants[metric.variant].get("tok", "none")
    return f"{metric.name}:{metric.variant}" + (f",tok={metric.tok}" if metric.tok != default else "")


def _warn_of_unlike_references(terms: Sequence[AnyMetric], texts: Texts, styles: Mapping[str, TextStyle]) -> bool:
    """Warn of outputs unlike the references in case or tokenisation; return whether they differ in tokenisation."""
    if not texts.references or not terms:
        return False
    of_references = style_of(chain.from_iterable(texts.references))
    other_case = [name for name, of_system in styles.items() if of_system.cased != of_references.cased]
    case_sensitive = [term.name for term in terms if term.case == "mixed"]
    if other_case and case_sensitive:
        have = ("capitals", "none") if of_references.cased else ("no capitals", "some")
        message = "the references have %s, the outputs of %s have %s, and %s is case-sensitive: %s"
        _log.warning(message, have[0], _joined(other_case), have[1], case_sensitive[0], _CURE)
    other_tokens = [
        name for name, of_system in styles.items() if {of_system.tokenized, of_references.tokenized} == {True, False}
    ]
    if not other_tokens or all(term.tok == "ptb" for term in terms):
        return False
    are = ("are tokenised", "are not") if of_references.tokenized else ("are not tokenised", "are")
    _log.warning("the references %s, the outputs of %s %s: %s", are[0], _joined(other_tokens), are[1], _CURE)
    return True


def _joined(names: Sequence[str]) -> str:
    """Join the names of systems for a message; of more than three, name the first and count the rest."""
    if len(names) > _MAX_LISTED:
        return f"{names[0]} and {len(names) - 1} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def expand_references(names: Sequence[str]) -> list[str]:
    """Return the reference files: a name that is no file is a prefix of files numbered from 0 or 1.

    Raises SbmtError if there is no such file, or one is missing in between.
    """
    return [path for name in names for path in _expand_or_fail(name)]


def _expand_or_fail(name: str) -> list[str]:
    if paths := expand(name):
        return paths
    cure = " (a space stands between files, no comma)" if "," in name else ""
    for prefix in (name + separator for separator in "._-"):
        if numbered := expand(prefix):
            cure = f" ({numbered[0]} does: write {prefix})"
    raise SbmtError(f"{name}: neither this file nor {name}0 or {name}1 exists{cure}")
