"""`sbmt-data`: test sets by name: what there is, bringing it into the data folder, checking it."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sbmt.cli.shared.command import command
from sbmt.cli.shared.parsers import Verbs, add_verb, new_parser
from sbmt.errors import SbmtError, counted

if TYPE_CHECKING:
    from sbmt.data.registry import Entry

_log = logging.getLogger(__name__)

_EXAMPLES = """\
  sbmt-data list
  sbmt-data list asset/test                                               with addresses and checksums
  sbmt-data get turkcorpus-truecased/test asset/test --data-dir corpora   downloads, after saying from where
  sbmt-data get asset --from ~/asset --data-dir corpora                   all sets of ASSET, from a local copy
  sbmt-data check --data-dir corpora

The data folder is --data-dir, else $SBMT_DATA. Sets of your own: testsets.yaml in that folder, docs/evaluation.md.
Nothing is downloaded but by `get` without --from; an interrupted download goes on where it stopped."""
_NAME = "a set (asset/test), or a collection (asset)"  # help of names


def build_parser() -> argparse.ArgumentParser:
    """Declare the options."""
    parser = new_parser("Test sets by name: list, get, check.", _EXAMPLES)
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="list|get|check")
    for verb in (_add_list(verbs), _add_get(verbs), _add_check(verbs)):
        verb.add_argument("--data-dir", metavar="DIR", help="the data folder (default: $SBMT_DATA)")
    return parser


def _add_list(verbs: Verbs) -> argparse.ArgumentParser:
    about = "name all sets, with licence and whether their files are there (`check` compares what these hold)"
    parser = add_verb(
        verbs,
        "list",
        _list,
        about,
        f"{about.capitalize()}; of those that are named tell where each file is published, and its SHA-256.",
        "  sbmt-data list --data-dir corpora\n  sbmt-data list asset/test",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=_NAME)
    return parser


def _add_get(verbs: Verbs) -> argparse.ArgumentParser:
    parser = add_verb(
        verbs,
        "get",
        _get,
        "bring sets into the data folder and check them",
        "Bring sets into the data folder and check them. Files that are there as published stay; the others are "
        "downloaded from where they are published, or copied from the folder --from.",
        "  sbmt-data get turkcorpus-truecased/test asset/test --data-dir corpora\n"
        "  sbmt-data get asset --from ~/asset --data-dir corpora",
    )
    parser.add_argument("names", nargs="+", metavar="NAME", help=_NAME)
    origin = parser.add_mutually_exclusive_group()
    origin.add_argument("--from", dest="source", metavar="DIR", help="copy from this folder instead of downloading")
    origin.add_argument("--mirror", metavar="URL", help="download FOLDER/PATH from below this http address")
    return parser


def _add_check(verbs: Verbs) -> argparse.ArgumentParser:
    parser = add_verb(
        verbs,
        "check",
        _check,
        "compare files with their checksums",
        "Compare files with their checksums. Prints ok, missing or DIFFERS with each file, and fails unless all are "
        "as published.",
        "  sbmt-data check --data-dir corpora\n  sbmt-data check asset/test --data-dir corpora",
    )
    about = "sets or collections (default: those of which a file is there)"
    parser.add_argument("names", nargs="*", metavar="NAME", help=about)
    return parser


@command
def main(argv: Sequence[str] | None = None) -> None:
    """Run the command named."""
    args = build_parser().parse_args(argv)
    args.run(args)


def _list(args: argparse.Namespace) -> None:
    from sbmt.data.testsets import named_folder

    root = named_folder(args.data_dir)
    if root and not root.is_dir():
        _log.warning("%s: no such data folder", root)
    if args.names:
        _describe(args.names, root)
    else:
        _list_all(root)


def _describe(names: Sequence[str], root: Path | None) -> None:
    """Print for each file of these sets whether it is there, where it is published, and its checksum."""
    from sbmt.data.testsets import custom_files, custom_sets

    own = {name: custom_files(root, name) for name in names if name in custom_sets(root)} if root else {}
    for name, paths in own.items():
        sentences, references = _own_size(name, root, paths)
        print(f"{name}: your own; sentences: {sentences or 'not there'}; references: {references}")
        for path in paths:
            print(f"  {path} ({'there' if path.exists() else 'not there'})")
    for entry in dict.fromkeys(_chosen([name for name in names if name not in own])):
        print(f"{entry.name}: {entry.about}; licence: {entry.licence}")
        for file in entry.files:
            there = "" if root is None else " (there)" if file.find(root) else " (not there)"
            print(f"  {file.path}{there}\n    {file.address}\n    SHA-256 {file.sha256}")


def _list_all(root: Path | None) -> None:
    from sbmt.data.registry import registry
    from sbmt.layout import aligned

    rows = [["name", "sentences", "references", "licence", "there", "about"], *(_own_rows(root) if root else ())]
    for entry in registry().values():
        there = "-" if root is None else "yes" if entry.is_under(root) else "no"
        different = f" ({entry.distinct_sources} different)" if entry.distinct_sources else ""
        sizes = [f"{entry.sentences}{different}", str(entry.references)] if entry.references else ["", ""]
        rows.append([entry.name, *sizes, entry.licence, there, entry.about])
    for line in aligned(rows, str.ljust):
        print(line)


def _own_rows(root: Path) -> Iterator[list[str]]:
    from sbmt.data.testsets import CUSTOM, custom_files, custom_sets

    for name in custom_sets(root):
        try:
            paths = custom_files(root, name)
            size = _own_size(name, root, paths)
        except SbmtError as error:
            _log.warning("%s", error)
            continue
        yield [name, *size, "your own", "yes" if size[0] else "no", CUSTOM]


def _own_size(name: str, root: Path | None, paths: Sequence[Path]) -> list[str]:
    """Return the numbers of sentences, if all files are there, and of references of a user-defined set."""
    from sbmt.data.testsets import load_test_set

    there = all(path.exists() for path in paths)
    return [str(len(load_test_set(name, root).sources)) if there else "", str(len(paths) - 1)]


def _get(args: argparse.Namespace) -> None:
    from sbmt.data.fetch import get
    from sbmt.data.testsets import CUSTOM, custom_files, custom_sets, given_folder

    root = given_folder(args.data_dir)
    if args.source and not Path(args.source).is_dir():
        raise SbmtError(f"{args.source}: no such folder")
    if own := [name for name in args.names if name in custom_sets(root)]:
        custom_files(root, own[0])  # raises for a name that is not free
        raise SbmtError(f"{own[0]!r} is a set of your own, named in {CUSTOM}: there is nothing to get it from")
    for entry in _chosen(args.names):
        origin = args.source or args.mirror or entry.files[0].address
        _log.info("%s: %s; licence: %s; from %s", entry.name, entry.about, entry.licence, origin)
        source = Path(args.source) if args.source else None
        for line in get(entry, root, source, args.mirror):
            print(line)


def _check(args: argparse.Namespace) -> None:
    from sbmt.data.registry import registry
    from sbmt.data.testsets import custom_sets, data_folder
    from sbmt.text.checks.duplicates import remark_on_repeats

    root = data_folder(args.data_dir)
    own = [name for name in custom_sets(root) if not args.names or name in args.names]
    states: list[tuple[str, str]] = []
    unusable = [name for name in own if not _check_own(name, root, states)]
    if args.names:
        entries = _chosen([name for name in args.names if name not in own])
    else:
        entries = [entry for entry in registry().values() if any(file.find(root) for file in entry.files)]
    states += _states(entries, root)
    for state, path in states:
        print(f"{state} {path}")
    for entry in entries:
        remark_on_repeats(entry.distinct_sources or entry.sentences, entry.sentences, entry.name)
    if not (states or unusable):
        _log.warning("%s: no file of a known test set is there (sbmt-data list names the sets)", root)
    problems = []
    if bad := sum(state in ("missing", "DIFFERS") for state, _ in states):
        problems.append(f"of {counted(len(states), 'file')} {bad} missing or not as published")
    if unusable:
        problems.append(f"of your own sets {', '.join(unusable)} cannot be used")
    if problems:
        raise SbmtError("; ".join(problems))


def _check_own(name: str, root: Path, states: list[tuple[str, str]]) -> bool:
    """Add `there` or `missing` with each file of a set of the user's own; returns whether what is there can be used."""
    from sbmt.data.testsets import custom_files, load_test_set

    try:
        paths = custom_files(root, name)
        states += [("there" if path.exists() else "missing", str(path)) for path in paths]
        if all(path.exists() for path in paths):
            load_test_set(name, root)
    except SbmtError as error:
        _log.warning("%s", error)
        return False
    _remark_on_own(name, paths[0])
    return True


def _remark_on_own(name: str, source: Path) -> None:
    """Warn of repeated sources in a set of the user's own, if its file is there; blank lines are none."""
    from sbmt.io import read_text
    from sbmt.text.checks.duplicates import remark_on_repeats

    if source.is_file():
        lines = [line for line in read_text(source) if line.strip()]
        remark_on_repeats(len(set(lines)), len(lines), name)


def _states(entries: Iterable[Entry], root: Path) -> list[tuple[str, str]]:
    """Return `ok`, `missing` or `DIFFERS` with each published file."""
    states = []
    for file in dict.fromkeys(file for entry in entries for file in entry.files):
        path = file.find(root)
        state = "missing" if path is None else "ok" if file.matches(path) else "DIFFERS"
        states.append((state, str(path.relative_to(root)) if path else file.path))
    return states


def _chosen(names: Sequence[str]) -> list[Entry]:
    """Return the entries named, or all of a collection for `asset`."""
    from sbmt.data.registry import find_entry, registry

    chosen: list[Entry] = []
    for name in names:
        members = [entry for entry in registry().values() if entry.name.split("/")[0] == name]
        chosen += members or [find_entry(name)]
    return chosen
