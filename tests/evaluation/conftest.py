"""The report that several tests read."""

from __future__ import annotations

import pytest

from sbmt.evaluation.report.build import Settings, build
from sbmt.evaluation.report.content import Report
from sbmt.evaluation.report.system import System
from tests.evaluation.examples import CHANGES, GOOD, MARKUP_NAME, REFERENCES, SOURCES


@pytest.fixture(scope="session")
def report() -> Report:
    """Two systems; one of a name that is markup, and with derivations."""
    systems = [System("plain", SOURCES), System(MARKUP_NAME, GOOD, CHANGES)]
    return build(SOURCES, REFERENCES, systems, Settings(title="Our <test> set", samples=100))
