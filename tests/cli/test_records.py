"""Outputs in JSON lines: the decoder's, and others'."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from sbmt.cli.shared.records import read_records
from sbmt.io import read_text
from tests.metrics.eval_command import SOURCE, SYSTEMS, fail, run, write

OUTPUTS = SYSTEMS["A"]
NESTED = "[" * 10**5 + "]" * 10**5

FILES = ("--source", "S", "--references", "R", "--systems")


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write the files S, R and A into an empty working folder."""
    monkeypatch.chdir(tmp_path)
    for name, lines in (("S", SOURCE), ("R", [OUTPUTS[0], SOURCE[1]]), ("A", OUTPUTS)):
        write(name, lines)


def test_records_of_the_decoder_are_read_as_such(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = run(capsys, *FILES, "A", "--metrics", "sari", "-b")
    records = [{"source": s, "output": o, "changes": []} for s, o in zip(SOURCE, OUTPUTS, strict=True)]
    write("A.jsonl", [json.dumps(record) for record in records])
    assert run(capsys, *FILES, "A.jsonl", "--metrics", "sari", "-b") == expected
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(Path("A.jsonl").read_bytes())))
    assert run(capsys, *FILES[:-1], "--metrics", "sari", "-b") == expected
    write("other.jsonl", [json.dumps(record) for record in records[::-1]])
    assert "other.jsonl: the same sources in another order (line 1 is line 2) (bring the lines into" in fail(
        capsys, *FILES, "other.jsonl", "--metrics", "sari"
    )
    write("other.jsonl", [json.dumps(records[0]), json.dumps(records[1] | {"source": "x" * 99})])
    assert f"other.jsonl, line 2: its source is '{'x' * 57}...', but that of line 2 is {SOURCE[1]!r}" in fail(
        capsys, *FILES, "other.jsonl", "--metrics", "sari"
    )


def test_other_json_lines_name_the_output_by_a_key(capsys: pytest.CaptureFixture[str]) -> None:
    """Sources need not be there; in another form of white space and quotation marks they are the same ones."""
    write("quoted", ['he said "no" .', "it 's his"])
    head = ("--source", "quoted", "--references", "quoted", "--metrics", "sari", "-b", "--systems")
    expected = run(capsys, *head, "A")
    sources = ["he said \u201cno\u201d  .", "it \u2019s his\u00a0"]
    for name, key, records in (
        ("llm.jsonl", "output", [{"output": output, "model": 1} for output in OUTPUTS]),
        ("llm", "output", [{"id": 1, "output": output} for output in OUTPUTS]),
        ("null", "output", [{"output": output, "source": None, "changes": None} for output in OUTPUTS]),
        ("said", "output", [{"output": output, "changes": "shortened"} for output in OUTPUTS]),
        ("list", "output", [{"output": output, "changes": ["shortened"]} for output in OUTPUTS]),
        ("llm.json", "response", [{"source": s, "response": o} for s, o in zip(sources, OUTPUTS, strict=True)]),
    ):
        write(name, [json.dumps(record) for record in records])
        assert run(capsys, *head, name, "--output-key", key) == expected
        assert all(record.changes == [] for record in read_records(name, read_text(name), key))


@pytest.mark.parametrize(
    ("name", "line", "message"),
    [
        (
            "a.jsonl",
            '{"id": 1, "text": "a"}',
            "line 2: has no key 'output', but 'id, text' (--output-key names that of",
        ),
        ("a.jsonl", "{}", "line 2: has no key 'output', nor another"),
        ("a.jsonl", '{"output": null}', "line 2: 'output' is null, not a text"),
        ("a.jsonl", '{"output": "a", "source": ["b"]}', "line 2: 'source' is ['b'], not a text"),
        ("a.jsonl", "text", "line 2: is no JSON object (each line is one, with the output under 'output')"),
        ("a.jsonl", '["a"]', "line 2: is no JSON object"),
        ("a.jsonl", "text", "line 1: is no JSON object"),
        ("a.json", '["a"]', "line 1: is a JSON array"),
        (
            "a",
            '[{"output": "a"}]',
            "line 1: is a JSON array, where one object per line is due (jq -c '.[]' takes one apar",
        ),
        ("a.json", "[", "line 1: is a JSON array"),
        ("a", "[", "line 1: is a JSON array"),
        ("a", '{"a": ' * 10**5, "line 1: is nested too deeply"),
        ("a.jsonl", f'{{"output": "a", "changes": [{{"a": {NESTED}}}]}}', "line 2: is nested too deeply"),
    ],
)
def test_json_of_another_form_is_named(capsys: pytest.CaptureFixture[str], name: str, line: str, message: str) -> None:
    write(name, [line] if "line 1" in message else ['{"output": "a"}', line])
    assert f"{name}, {message}" in fail(capsys, "--systems", name, "--metrics", "length")
