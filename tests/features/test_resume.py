"""An annotation killed anywhere and resumed gives the same bytes, and sets aside the same lines, as one not killed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sbmt.features.annotation import resumable, stream
from sbmt.features.annotation.options import FeatureOptions
from sbmt.features.annotation.stream import annotate_file
from sbmt.ppdb.formats import read_rules
from sbmt.ppdb.packed import pack, packed_rules
from sbmt.ppdb.skipped import SkippedLines

LINES = [
    "lonely"
    if i % 7 == 3
    else ""
    if i % 11 == 5
    else f"[NN] ||| dwelling{i} ||| house ||| Score={i / 7:.4f} MVLSASim=NA"
    for i in range(30)
]
BATCH = 4  # 23 rules: the last batch is short


class Killed(BaseException):
    """An exception that no code catches, like SIGKILL."""


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(stream, "_BATCH", BATCH)
    path = tmp_path / "rules"
    path.write_text("\n".join(LINES) + "\n")
    return path


def run(source: Path, target: Path, resume: bool = False) -> None:
    aside = SkippedLines(target.with_name(target.name + ".skipped"))
    annotate_file(str(source), str(target), FeatureOptions(), resume=resume, skipped=aside)


def everything(target: Path) -> tuple[bytes, bytes]:
    return target.read_bytes(), target.with_name(target.name + ".skipped").read_bytes()


def test_killed_before_the_first_batch(
    rules: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A script that always resumes can begin; lines that were set aside are not set aside twice."""
    whole, target = rules.with_name("whole"), rules.with_name("killed")
    run(rules, whole)
    with monkeypatch.context() as patch:
        patch.setattr(resumable, "atomic_path", lambda path: 1 / 0)
        patch.setattr(resumable.ResumableOutput, "_give_up", lambda output: None)  # as when nothing has the time to
        with pytest.raises(ZeroDivisionError):
            run(rules, target)
    with caplog.at_level("INFO"):
        run(rules, target, resume=True)
    assert caplog.messages == [f"{target}: no interrupted run has recorded anything: starting from the beginning"]
    assert everything(target) == everything(whole)
    aside = SkippedLines(target.with_name(f"{target.name}.skipped"))
    with aside.growing():
        assert not aside.path.exists()


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz"])
@pytest.mark.parametrize("recorded", [True, False], ids=["after the record", "before the record"])
@pytest.mark.parametrize("batches", range(1, 6))
def test_killed_at_any_batch(
    rules: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, recorded: bool, batches: int
) -> None:
    whole, target = rules.with_name(f"whole{suffix}"), rules.with_name(f"killed{suffix}")
    run(rules, whole)
    calls = 0

    @contextmanager
    def dying(path: Path) -> Iterator[Path]:
        nonlocal calls
        calls += 1
        if calls == batches + 1 and not recorded:
            raise Killed
        with atomic_path(path) as temporary:
            yield temporary
        if calls == batches and recorded:
            raise Killed

    atomic_path = resumable.atomic_path
    with monkeypatch.context() as patch:
        patch.setattr(resumable, "atomic_path", dying)
        with pytest.raises(Killed):
            run(rules, target)
    assert not target.exists()
    run(rules, target, resume=True)
    assert everything(target) == everything(whole)
    assert sorted(path.name for path in rules.parent.glob("killed*")) == [target.name, f"{target.name}.skipped"]


def test_packed_input(rules: Path) -> None:
    """A packed grammar is annotated in its own order."""
    pack(read_rules(rules, on_error=lambda *_: None), rules.with_name("packed"))
    run(rules.with_name("packed"), rules.with_name("out"))
    sources = [rule.source for rule in read_rules(rules.with_name("out"))]
    assert sources == [rule.source for rule in packed_rules(rules.with_name("packed"))]
    assert len(sources) == sum(line.startswith("[") for line in LINES)
