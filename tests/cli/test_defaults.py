"""What a command does by default is what the function that it calls does."""

from __future__ import annotations

import pytest

from sbmt.cli import decode, evaluate, report, tune
from sbmt.errors import SbmtError
from sbmt.evaluation.report.settings import Settings as ReportSettings
from sbmt.metrics import Resampling
from sbmt.simplifier import Options
from sbmt.simplifier.stream import Request
from sbmt.tuning.settings import TuneSettings


def test_decode() -> None:
    args = decode.build_parser().parse_args([])
    assert Request(args.model, args.config, output=args.output, unwrap=args.unwrap) == Request()
    assert args.strength is None
    text = decode.build_parser().format_help()
    assert f"(default: {Options().strength}, the model as tuned)" in " ".join(text.split())


def test_evaluate() -> None:
    args = evaluate.build_parser().parse_args([])
    assert Resampling(args.samples, args.seed, args.baseline, args.test) == Resampling()


def test_report() -> None:
    args = report.build_parser().parse_args([])
    by_command = ReportSettings(
        baseline=args.baseline, seed=args.seed, samples=args.samples, max_sentences=args.max_sentences
    )
    assert by_command == ReportSettings()


def test_tune() -> None:
    actions = {action.dest: action for action in tune.build_parser()._actions}
    for tuner in actions["tuner"].choices:
        TuneSettings(tuner=tuner).make_tuner()
    with pytest.raises(SbmtError, match=rf"known: {', '.join(actions['tuner'].choices)}\)"):
        TuneSettings(tuner="none").make_tuner()
