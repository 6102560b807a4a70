"""Test sets, or sources and references, with the outputs to be compared: as several commands name and read them."""

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
from sbmt.text.checks.style import Look, look

if TYPE_CHECKING:
    from sbmt.metrics import AnyMetric

_log = logging.getLogger(__name__)

_MOST_NAMED = 3  # systems in a message
_CURE = "scores suffer; docs/metrics.md says which test set goes with which outputs"


@dataclass(frozen=True, slots=True)
class Texts:
    """What is compared: all are of one length; sources and references are None where there are none."""

    test_set: str | None  # its name
    sources: list[str] | None
    references: list[list[str]] | None  # those of each source
    reference_names: list[str]  # for messages
    systems: list[System]

    def system(self, named: str | None) -> str | None:
        """Return the name of the system that a path or a file's name stands for; what is neither, as it is.

        The file of one of several runs stands for no system.
        """
        runs = self.runs()
        files = {(system.path, system.name) for system in self.systems if len(runs[system.name]) == 1}
        found = {name for path, name in files if named in (path, Path(path).name)} | ({named} & runs.keys())
        return found.pop() if len(found) == 1 else named

    def runs(self) -> dict[str, list[list[str]]]:
        """Return the outputs of each system's runs."""
        return {
            name: [s.outputs for s in self.systems if s.name == name]
            for name in dict.fromkeys(s.name for s in self.systems)
        }


def add_text_options(parser: argparse.ArgumentParser, title: str, systems_help: str) -> None:
    """Declare, in a group of their own, the options that `read_texts` reads."""
    data = parser.add_argument_group(title)
    data.add_argument("--source", metavar="FILE", help="sources, one a line")
    data.add_argument(
        "--references",
        nargs="+",
        default=[],
        metavar="FILE",
        help="reference files; PREFIX stands for PREFIX0, PREFIX1 ... (or from 1 on, or 00, 01 ...)",
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
    """Read all that `add_text_options` names; `runs` as in `Reading`.

    Raises SbmtError for sources named in two ways, texts of different length, and as `read_systems` does.
    """
    if args.test_set is not None and (args.source is not None or args.references):
        raise SbmtError("give either --test-set or --source and --references")
    reading = Reading(allow_empty=args.allow_empty, runs=runs, output_key=args.output_key)
    if args.test_set is not None:
        from sbmt.data.testsets import load_test_set

        found = load_test_set(args.test_set, args.data_dir)
        given = {found.name: found.sources}
        systems = read_systems(args.systems, found.sources, given, replace(reading, part=found.part))
        references = found.references if any(found.references) else None
        names = [f"{found.name}, {reference}" for reference, _ in by_number(found.references)]
        return Texts(found.name, found.sources, references, names, systems)
    files = expand_references(args.references)
    source = [] if args.source is None else [args.source]
    check_standard_input([*source, *files, *(system.path for system in args.systems)])
    texts = {path: read_text(path) for path in (*source, *files)}
    sources = texts[args.source] if source else None
    systems = read_systems(args.systems, sources, texts, reading)
    references = [list(lines) for lines in zip(*(texts[path] for path in files), strict=True)] if files else None
    return Texts(None, sources, references, files, systems)


def missing_references(metric: str, texts: Texts) -> SbmtError:
    """Say that a metric lacks references."""
    lacking = f", and {texts.test_set} has none" if texts.test_set else " (--references or --test-set)"
    return SbmtError(f"{metric} needs references{lacking}; fk:easse, fk:plain and length need none")


def remark_on_looks(metrics: Iterable[AnyMetric], texts: Texts) -> None:
    """Warn, once each, of what is no text of these sentences, and of what does not go with the metrics.

    Outputs are unlike the references in capitals that a metric heeds, or in being tokenised; failing that, they are not
    tokenised, and a metric counts words at white space. So are the sources, and a metric tokenises the outputs alone.
    For the rest see `remark_on_mistakes`.
    """
    systems = [(writable(system.path), system.outputs) for system in texts.systems]
    references = list(zip(texts.reference_names, zip(*texts.references or (), strict=True), strict=True))
    remark_on_mistakes(texts.sources or (), systems, references)
    terms = [term for metric in metrics for term in metric.terms()]
    uneven = [term for term in terms if term.splits_sources_at_spaces and not term.splits_at_spaces]
    if uneven and texts.sources and look(texts.sources).tokenized is False:
        _log.warning(
            "the sources are not tokenised, and %s tokenises outputs and references alone, so that 'end.' is deleted: "
            "scores are inflated; give tokenised text (sbmt-text), or add tok=%s to the metric, without src_tok",
            _named(uneven[0]),
            uneven[0].tok,
        )
    ours = {name: look(chain.from_iterable(runs)) for name, runs in texts.runs().items()}
    if _unlike_references([term for term in terms if term.needs_references], texts, ours):
        return
    at_spaces = [term for term in terms if term.splits_at_spaces]
    raw = [name for name, found in ours.items() if found.tokenized is False]
    if at_spaces and raw:
        _log.warning(
            "the outputs of %s are not tokenised, but %s splits at white space alone, so that 'end.' is one word: "
            "give tokenised text (sbmt-text), or write %s,tok=ptb",
            _listed(raw),
            _named(at_spaces[0]),
            f"{at_spaces[0].name}:{at_spaces[0].variant}",
        )


def _named(metric: AnyMetric) -> str:
    """A metric as the user may have written it, with a tokeniser that is not its variant's."""
    own = metric.variants[metric.variant].get("tok", "none")
    return f"{metric.name}:{metric.variant}" + (f",tok={metric.tok}" if metric.tok != own else "")


def _unlike_references(terms: Sequence[AnyMetric], texts: Texts, ours: Mapping[str, Look]) -> bool:
    """Warn of outputs unlike the references; returns whether they are so in being tokenised."""
    if not texts.references or not terms:
        return False
    theirs = look(chain.from_iterable(texts.references))
    other_case = [name for name, found in ours.items() if found.cased != theirs.cased]
    heeding = [term.name for term in terms if term.case == "mixed"]
    if other_case and heeding:
        have = ("the references have capitals", "none") if theirs.cased else ("the references have no capitals", "some")
        message = "%s, the outputs of %s have %s, and %s is case-sensitive: %s"
        _log.warning(message, have[0], _listed(other_case), have[1], heeding[0], _CURE)
    other_tokens = [name for name, found in ours.items() if {found.tokenized, theirs.tokenized} == {True, False}]
    if not other_tokens or all(term.tok == "ptb" for term in terms):
        return False
    have = ("are tokenised", "are not") if theirs.tokenized else ("are not tokenised", "are")
    _log.warning("the references %s, the outputs of %s %s: %s", have[0], _listed(other_tokens), have[1], _CURE)
    return True


def _listed(names: Sequence[str]) -> str:
    """Names of systems for a message: of more than three, how many."""
    if len(names) > _MOST_NAMED:
        return f"{names[0]} and {len(names) - 1} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def expand_references(names: Sequence[str]) -> list[str]:
    """Return the reference files: each name that is no file itself stands for the files that number it, from 0 or 1.

    Raises SbmtError where there is none, or one is missing in between.
    """
    return [path for name in names for path in _found(name)]


def _found(name: str) -> list[str]:
    if found := expand(name):
        return found
    cure = " (a space stands between files, no comma)" if "," in name else ""
    raise SbmtError(f"{name}: neither this file nor {name}0 or {name}1 exists{cure}")
