"""The registry that comes with the package, and the published files where they are (SBMT_DATA)."""

from __future__ import annotations

import re

from sbmt.data.registry import registry
from sbmt.data.testsets import load_test_set
from tests.corpora import DATA, needs_data


def test_the_registry_is_complete() -> None:
    entries = registry()
    for wanted in ("turkcorpus/test", "asset/test", "hsplit/test", "pwkp/test", "qats/test", "wikisplit/test"):
        assert entries[wanted].references >= 1
    assert {name.split("/")[0] for name in entries} >= {"onestopenglish", "assetann", "ats-eval", "asset-ratings"}
    for entry in entries.values():
        assert entry.licence
        assert entry.format in ("lines", "numbered", "pairs", "pairs-reversed", "files")
        for file in entry.files:
            assert re.fullmatch(r"[0-9a-f]{64}", file.sha256)
            assert re.match(r"https://raw\.githubusercontent\.com/[^/]+/[^/]+/[0-9a-f]{40}/", file.address)


@needs_data
def test_published_sets_load() -> None:
    for entry in registry().values():
        if entry.format != "files" and entry.is_under(DATA):
            test_set = load_test_set(entry.name, DATA)
            assert len(test_set.sources) == entry.sentences
            assert {len(lines) for lines in test_set.references} == {entry.references}
            different = len(set(test_set.sources))
            assert entry.distinct_sources == (different if different < 0.9 * entry.sentences else None)
