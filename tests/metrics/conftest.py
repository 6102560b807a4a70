"""Files that tests of sbmt-eval read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.metrics.eval_command import REFERENCES, SOURCE, SYSTEMS, write


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write the files S, R.0, R.1, A and B into an empty working folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SBMT_DATA", raising=False)
    contents = {"S": SOURCE, "R.0": REFERENCES[0], "R.1": REFERENCES[1], **SYSTEMS}
    for name, content in contents.items():
        write(name, content)
    return tmp_path
