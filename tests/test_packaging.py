"""The wheel has all packages, commands and files that setup.cfg promises."""

from __future__ import annotations

import configparser
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from sbmt.version import __version__

ROOT = Path(__file__).parents[1]
SETUP = configparser.ConfigParser()
SETUP.read(ROOT / "setup.cfg")
FOLDERS = {
    "sbmt": "sbmt",
    "ppdb": "sbmt.ppdb",
    "features": "sbmt.features",
    "tuning": "sbmt.tuning",
    "configs": "sbmt.configs",
}
COMMANDS = [line.split(" = ") for line in SETUP["options.entry_points"]["console_scripts"].strip().splitlines()]


def test_every_folder_with_code_is_a_listed_package() -> None:
    listed = set(SETUP["options"]["packages"].split())
    in_folders = {
        ".".join([package, *path.parent.relative_to(ROOT / folder).parts])
        for folder, package in FOLDERS.items()
        for path in (ROOT / folder).rglob("__init__.py")
    }
    assert in_folders == listed


def test_the_citation_is_of_this_version_and_licence() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert (cited["version"], cited["license"]) == (__version__, SETUP["metadata"]["license"])
    assert cited["references"][0]["url"] in (ROOT / "README.md").read_text(encoding="utf-8")


def test_a_source_archive_has_what_the_readme_leads_to() -> None:
    lines = [line.split() for line in (ROOT / "MANIFEST.in").read_text(encoding="utf-8").splitlines()]
    included = {path for line in lines if line[0] == "include" for pattern in line[1:] for path in ROOT.glob(pattern)}
    grafted = [ROOT / folder for line in lines if line[0] == "graft" for folder in line[1:]]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    named = re.findall(r"\]\((?!http)([^)#]+)", readme) + re.findall(r"(?:bash|python) (scripts/[\w.]+)", readme)
    assert len(named) > 10
    for path in map(ROOT.joinpath, [*named, "CHANGELOG.md", "tests/conftest.py"]):
        assert path in included or any(path.is_relative_to(folder) for folder in grafted), path


@pytest.mark.parametrize(("name", "target"), COMMANDS)
def test_every_command_exists(name: str, target: str) -> None:
    module, function = target.split(":")
    assert callable(getattr(importlib.import_module(module), function)), name


@pytest.mark.parametrize("name", ["ppdb", "features", "tuning", "configs"])
def test_importing_a_folder_by_its_bare_name_is_refused(tmp_path: Path, name: str) -> None:
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import {name}"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert f"import sbmt.{name}, not {name}" in done.stderr
