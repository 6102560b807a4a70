"""For all tests: how hypothesis runs, when slow tests run, and a small model bundle for everything that needs one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The same examples in every run, and no failure because a machine is busy.
settings.register_profile("reproducible", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("reproducible")

GRAMMAR = """\
[VBD] ||| utilized ||| used ||| p(e|f)=0.5 ||| 0-0
[VBD] ||| utilized ||| employed ||| p(e|f)=1.5 ||| 0-0
[JJ] ||| numerous ||| many ||| p(e|f)=0.5 ||| 0-0
[JJ] ||| numerous ||| a lot of ||| p(e|f)=0.9 ||| 0-0 0-1 0-2
[JJ] ||| enormous ||| big ||| p(e|f)=0.5 ||| 0-0
[JJ] ||| enormous ||| large ||| p(e|f)=0.7 ||| 0-0
[JJ] ||| enormous ||| enormous ||| p(e|f)=0.1 ||| 0-0
[TO] ||| in order to ||| to ||| p(e|f)=0.1 ||| 2-0
[NNS] ||| tools ||| things ||| p(e|f)=4 ||| 0-0
[VB] ||| commence ||| start ||| p(e|f)=2 ||| 0-0
[NP] ||| [NNP,1] 's population ||| the population of [NNP,1] ||| p(e|f)=-9 ||| 2-1
[NP] ||| a [JJ,1] population ||| [JJ,1] folk ||| p(e|f)=-9 ||| 2-1
"""
LANGUAGE_MODEL = r"""
\data\
ngram 1=13
ngram 2=4

\1-grams:
-3	<unk>
-99	<s>	-0.3
-1	</s>
-2	he	-0.2
-2.5	utilized	-0.1
-1.5	used	-0.3
-2.5	numerous	-0.1
-1.2	many	-0.3
-2	tools	-0.1
-1	.	-0.1
-1	a	-0.1
-1.4	big	-0.1
-1.6	large	-0.1

\2-grams:
-0.5	many tools
-0.6	used many
-0.3	. </s>
-0.9	<s> he

\end\
"""
MODEL = """\
format: 1
grammars: [{path: grammar.ppdb}]
language_models: [{path: model.arpa}]
weights: {lm_0: 1.0, "p(e|f)": -1.0, WordPenalty: -0.5, OOVPenalty: -0.2, Changes: 0.3}
"""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip slow tests, unless the corpora are there, as in CI, or `-m` chooses the tests."""
    if os.environ.get("SBMT_DATA") or config.getoption("-m"):
        return
    reason = pytest.mark.skip(reason="slow: runs with SBMT_DATA or -m slow")
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(reason)


@pytest.fixture(scope="session")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the bundle."""
    folder = tmp_path_factory.mktemp("bundle")
    for name, text in (("grammar.ppdb", GRAMMAR), ("model.arpa", LANGUAGE_MODEL), ("model.yaml", MODEL)):
        (folder / name).write_text(text.lstrip("\n"), encoding="utf-8")
    return folder
