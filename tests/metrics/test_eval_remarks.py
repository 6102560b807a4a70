"""sbmt-eval: warnings about texts that look wrong or say little."""

from __future__ import annotations

import pytest

from sbmt.cli.evaluate import main
from tests.metrics.eval_command import FILES, SOURCE, run, write

pytestmark = pytest.mark.usefixtures("files")


CASED, RAW = ["The cat was on the mat .", "He ate it ."], ["the cat was on the mat.", "he ate it."]


@pytest.mark.parametrize(
    ("outputs", "metric", "warning"),
    [
        (
            CASED,
            "bleu",
            "the references have no capitals, the outputs of C have some, and bleu is case-sensitive: scor",
        ),
        (CASED, "sari+0.5*bleu", "the outputs of C have some, and bleu is case-sensitive"),
        (CASED, "sari", ""),
        (RAW, "sari", "the references are tokenised, the outputs of C are not: scores suffer; docs/metrics.md"),
        (RAW, "sari,tok=ptb", ""),
        (RAW, "sari,tok=ptb+bleu", "the references are tokenised, the outputs of C are not: scores suffer"),
        (RAW, "length:characters", ""),
        (
            RAW,
            "length",
            "the outputs of C are not tokenised, but length:words splits at white space alone, so that 'end.'",
        ),
        (
            RAW,
            "fk:xu2016",
            "the outputs of C are not tokenised, but fk:xu2016 splits at white space alone, so that 'end.'",
        ),
        (CASED, "fk", ""),
        (RAW, "fk:plain", ""),
    ],
)
def test_outputs_unlike_the_references_are_remarked_on_once(
    caplog: pytest.LogCaptureFixture, outputs: list[str], metric: str, warning: str
) -> None:
    write("C", outputs)
    main(["--source", "S", "--references", "R.", "--systems", "A", "C", "--metrics", metric, "length:characters"])
    assert len(caplog.messages) == bool(warning)
    assert warning in "".join(caplog.messages)


def test_files_that_are_not_what_they_are_given_as_are_remarked_on(caplog: pytest.LogCaptureFixture) -> None:
    lines = [" ".join(f"w{12 * i + k}" for k in range(12)) + " ." for i in range(20)]
    for name, content in (("S20", lines), ("R20", lines), ("late", lines[1:] + lines[:1])):
        write(name, content)
    write("table", [f"{line}\t{line}" for line in lines])
    write("testsets.yaml", ["twice: {source: S20, references: [R20, R20]}"])
    systems = ("--systems", "mine=late", "table", "S20", "--metrics", "sari", "bleu", "-b")
    for named, twice in (
        (("--source", "S20", "--references", "R20", "R20"), "R20 and R20 hold the same lines"),
        (("-t", "twice", "--data-dir", "."), "twice, reference 1 and twice, reference 2 hold the same lines"),
    ):
        caplog.clear()
        assert main([*named, *systems]) == 0
        starts = ["late: 20 of 20 lines have hardly a word of", "table: most lines have a tab", twice]
        assert [message[: len(start)] for message, start in zip(caplog.messages, starts, strict=True)] == starts


def test_raw_sources_of_a_metric_that_tokenises_outputs_alone(caplog: pytest.LogCaptureFixture) -> None:
    write("RAW", RAW)
    for name, warned in (("sari:easse-legacy", True), ("sari:easse-legacy,tok=13a", False), ("sari:easse", False)):
        caplog.clear()
        main(["--source", "RAW", "--references", "RAW", "--systems", "RAW", "--metrics", name])
        message = "the sources are not tokenised, and sari:easse-legacy tokenises outputs and references alone"
        assert any(message in told for told in caplog.messages) is warned
        assert len(caplog.messages) == warned
    main(["--source", "RAW", "--references", "RAW", "--systems", "RAW", "--metrics", "sari,tok=none"])
    assert "the outputs of RAW are not tokenised, but sari:easse,tok=none splits at white" in caplog.messages[-1]


def test_and_references_unlike_the_outputs(caplog: pytest.LogCaptureFixture) -> None:
    write("R", ["The cat was on the mat.", "He ate it."])
    main(["--source", "S", "--references", "R", "--systems", "A", "B", "--metrics", "bleu"])
    first, second = caplog.messages
    assert "the references have capitals, the outputs of A and B have none, and bleu is case-sensitive" in first
    assert "the references are not tokenised, the outputs of A and B are: " in second
    for name in ("D", "E"):
        write(name, SOURCE)
    write("cased", ["The cat sat.", "He ate."])
    caplog.clear()
    main(["--source", "S", "--references", "R.", "--systems", "a=cased", "a=A", "--metrics", "bleu", "-b"])
    assert "the outputs of a have some, and bleu is case-sensitive" in caplog.text  # one run of them
    caplog.clear()
    main(["--source", "S", "--references", "R", "--systems", "A", "B", "D", "--metrics", "bleu,case=lc"])
    main(["--source", "S", "--references", "R", "--systems", "A", "B", "D", "E", "--metrics", "bleu,case=lc"])
    assert "the outputs of A, B and D are" in caplog.messages[0]
    assert "of A and 3 more are" in caplog.messages[1]


def test_too_few_sentences_are_remarked_on(
    capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    run(capsys, *FILES, "--metrics", "sari", "--baseline", "B")
    assert caplog.messages == ["too few sentences to tell systems apart: with 2 no p-value is below 0.5"]
    caplog.clear()
    write("one", SOURCE[:1])
    assert "[" not in run(capsys, "--systems", "one", "--metrics", "length")
    assert caplog.messages == ["a single sentence has no interval"]
