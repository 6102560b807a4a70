"""Fixtures for tuning: a small model and a tuning set that it can learn from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

RULES = [
    ("purchased", "bought", 0.2),
    ("purchased", "got", 1.5),
    ("residence", "home", 0.3),
    ("residence", "house", 0.9),
    ("enormous", "big", 0.4),
    ("enormous", "mass", 0.1),
    ("commenced", "began", 0.5),
    ("commenced", "started", 0.6),
    ("individuals", "people", 0.3),
    ("the", "an", 0.2),
    ("a", "one", 0.6),
]
SENTENCES = [
    ("the individuals purchased a residence .", ["the people bought a home .", "the people bought a house ."]),
    ("an enormous storm commenced .", ["a big storm began .", "an enormous storm started ."]),
    ("individuals commenced a journey .", ["people began a trip .", "people started a journey ."]),
    ("the residence is enormous .", ["the home is big .", "the house is big ."]),
    ("he purchased the enormous ship .", ["he bought the big ship .", "he bought the enormous ship ."]),
    ("the journey commenced early .", ["the journey began early .", "the trip started early ."]),
    ("few individuals purchased it .", ["few people bought it .", "few people purchased it ."]),
    ("the storm is enormous .", ["the storm is big .", "the storm is huge ."]),
]


def _arpa() -> Iterator[str]:
    words = sorted({word for line, references in SENTENCES for text in (line, *references) for word in text.split()})
    words += sorted({target for _, target, _ in RULES} - set(words))
    yield "\\data\\"
    yield f"ngram 1={len(words) + 3}"
    yield "ngram 2=1"  # KenLM wants bigrams
    yield ""
    yield "\\1-grams:"
    yield "-2\t<unk>"
    yield "-99\t<s>\t0"
    yield "-1\t</s>"
    yield from (f"-{1 + len(word) / 10:.1f}\t{word}\t0" for word in words)
    yield ""
    yield "\\2-grams:"
    yield "-1\t. </s>"
    yield ""
    yield "\\end\\"


@pytest.fixture(autouse=True)
def light_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out what takes most of the time of a small run: the drawing, and the collector in a process full of tests.

    The tests of the two put them back.
    """
    monkeypatch.setattr("sbmt.tuning.iterations.draw_curve", lambda _records, _objective, path: path.touch())
    monkeypatch.setattr("sbmt.tuning.shards.collect_rarely", lambda: None)


@pytest.fixture
def tuning_bundle(tmp_path: Path) -> Path:
    """A folder with model.yaml, a grammar and a unigram model."""
    folder = tmp_path / "model"
    folder.mkdir()
    lines = [
        f"[X] ||| {source} ||| {target} ||| p(e|f)={cost} Shorter={len(source) - len(target)} ||| 0-0"
        for source, target, cost in RULES
    ]
    (folder / "grammar").write_text("\n".join(lines) + "\n")
    (folder / "lm.arpa").write_text("\n".join(_arpa()) + "\n")
    (folder / "model.yaml").write_text(
        "format: 1\n"
        "grammars: [{path: grammar}]\n"
        "language_models: [{path: lm.arpa}]\n"
        "weights: {lm_0: 0.1, 'p(e|f)': -1.0, Shorter: 0.0, WordPenalty: -0.1, Changes: -0.5}\n"
    )
    return folder


@pytest.fixture
def tuning_set(tmp_path: Path) -> tuple[Path, list[Path]]:
    """A source file and two reference files."""
    source, references = tmp_path / "tune.src", [tmp_path / "tune.ref0", tmp_path / "tune.ref1"]
    source.write_text("".join(line + "\n" for line, _ in SENTENCES))
    for i, path in enumerate(references):
        path.write_text("".join(texts[i] + "\n" for _, texts in SENTENCES))
    return source, references
