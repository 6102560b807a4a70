"""Alternatives, whose scores equal those of the decoder for the same words."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from sbmt.simplifier import Options, Simplifier
from sbmt.simplifier.result import Change, Result


def test_rules_of_other_labels_are_alternatives_where_glue_takes_them(bundle: Path, tmp_path: Path) -> None:
    """Not in a gap, which asks for its label; their scores are those of the n-best list."""
    shutil.copytree(bundle, tmp_path, dirs_exist_ok=True)
    with (tmp_path / "grammar.ppdb").open("a") as grammar:
        grammar.write("[CD] ||| numerous ||| several ||| p(e|f)=1.2 ||| 0-0\n")
    simplifier = Simplifier.load(tmp_path, Options(nbest=20))
    result = simplifier.simplify("He saw numerous tools")
    (change,) = result.changes
    assert sorted(alternative.output for alternative in change.alternatives) == ["a lot of", "numerous", "several"]
    by_text = {entry.output: entry.score for entry in result.nbest}
    for alternative in change.alternatives:
        assert alternative.score == pytest.approx(by_text[f"He saw {alternative.output} tools"])
    _, inner = simplifier.simplify("We saw a numerous population there").changes
    assert [alternative.output for alternative in inner.alternatives] == ["a lot of"]


@pytest.mark.parametrize(
    ("source", "chosen", "rival", "text", "people"),
    [
        ("[NNP,1] 's folk", "the folk of [NNP,1]", "[NNP,1] 's people", "Ulm's folk", "Ulm's people"),
        (
            "[NNP,1] 's [JJ,2] folk",
            "the [JJ,2] folk of [NNP,1]",
            "[NNP,1] 's [JJ,2] people",
            "Ulm's numerous folk",
            "Ulm's many people",
        ),
    ],
)
def test_rules_with_the_same_gaps_are_alternatives(
    bundle: Path, tmp_path: Path, source: str, chosen: str, rival: str, text: str, people: str
) -> None:
    """Filled as the gaps are; their scores are those of the n-best list."""
    shutil.copytree(bundle, tmp_path, dirs_exist_ok=True)
    with (tmp_path / "grammar.ppdb").open("a") as grammar:
        grammar.write(f"[NP] ||| {source} ||| {chosen} ||| p(e|f)=-9\n[NP] ||| {source} ||| {rival} ||| p(e|f)=1\n")
    result = Simplifier.load(tmp_path, Options(nbest=50)).simplify(f"He saw {text}")
    (change,) = [change for change in result.changes if change.output.startswith("the ")]
    (alternative,) = [entry for entry in change.alternatives if entry.output == people]
    assert alternative.score == pytest.approx(listed(result)[f"He saw {people}"])


def test_phrases_of_any_label_are_alternatives_of_each_other(bundle: Path, tmp_path: Path) -> None:
    """So is the copy, where words pass through."""
    shutil.copytree(bundle, tmp_path, dirs_exist_ok=True)
    (tmp_path / "grammar.ppdb").write_text(
        "[JJ] ||| numerous ||| many ||| p(e|f)=0.5 ||| 0-0\n[CD] ||| numerous ||| several ||| p(e|f)=1.2 ||| 0-0\n"
        "[NP] ||| numerous tools ||| many tools ||| p(e|f)=0.5 ||| 0-0 1-1\n"
    )
    decoder = "{kind: phrase, settings: {pass_only_unknown: false}}"
    result = explained(tmp_path, decoder, "He saw numerous people")
    assert others(result.changes[0]) == ["numerous", "several"]
    for alternative in result.changes[0].alternatives:
        assert alternative.score == pytest.approx(listed(result)[f"He saw {alternative.output} people"])


@pytest.mark.parametrize(
    ("rules", "output", "changes"),
    [
        ("[X] ||| </s> ||| . </s> ||| p=1\n", "He left.", [("", (7, 7), ".", (7, 8), [("", 0)])]),
        ("[X] ||| </s> ||| ||| p=1\n", "He left", []),
        ("[GOAL] ||| <s> ||| <s> well ||| p=1\n", "Well he left", [("He", (0, 2), "Well he", (0, 7), [("He", 0)])]),
        ("[GOAL] ||| [GOAL,1] </s> ||| [GOAL,1] </s> ||| p=1\n", "He left", []),
        (
            "[X] ||| left [X,1] ||| [X,1] went ||| p=1\n[X] ||| </s> ||| away </s> ||| p=1\n",
            "He away went",
            [("left", (3, 7), "away went", (3, 12), []), ("", (7, 7), "away", (3, 7), [])],
        ),
    ],
)
def test_what_rules_write_at_the_marks_of_a_sentence(
    tmp_path: Path, rules: str, output: str, changes: list[tuple[object, ...]]
) -> None:
    """They stand for no character of the source, but for a capital altered; the marks are no part of the text."""
    (tmp_path / "rules").write_text(rules)
    (tmp_path / "model.yaml").write_text("format: 1\ngrammars: [{path: rules}]\nweights: {p: 1}\n")
    result = Simplifier.load(tmp_path, Options()).simplify("He left")
    assert result.output == output
    described = [
        (c.source, c.source_span, c.output, c.output_span, [(a.output, a.score) for a in c.alternatives])
        for c in result.changes
    ]
    assert [entry[:4] for entry in described] == [entry[:4] for entry in changes]
    if len(changes) == 1:
        assert described == changes


def test_a_copy_is_an_alternative_where_words_pass_through(bundle: Path, tmp_path: Path) -> None:
    """As the decoder passes them: marked, if it marks them."""
    shutil.copytree(bundle, tmp_path, dirs_exist_ok=True)
    result = explained(tmp_path, "{settings: {mark_oovs: true}}", "numerous")
    (copy,) = [entry for entry in result.changes[0].alternatives if entry.output.lower() == "numerous"]
    assert copy.score == pytest.approx(listed(result)["numerous_OOV"])


def explained(bundle: Path, decoder: str, text: str) -> Result:
    """A text by a bundle with these settings of the decoder, and a long n-best list."""
    path = bundle / "model.yaml"
    path.write_text(f"{path.read_text()}decoder: {decoder}\n")
    return Simplifier.load(bundle, Options(nbest=500)).simplify(text)


def others(change: Change) -> list[str]:
    return sorted(alternative.output for alternative in change.alternatives)


def listed(result: Result) -> dict[str, float]:
    return {entry.output: entry.score for entry in result.nbest}


def test_a_change_is_explained_by_the_rule_that_made_it(bundle: Path, tmp_path: Path) -> None:
    """Not by one of the same words, whose features add up to the same but for the tenth decimal."""
    shutil.copytree(bundle, tmp_path, dirs_exist_ok=True)
    rule = "[JJ] ||| numerous ||| several ||| {} ||| 0-0\n"
    (tmp_path / "grammar.ppdb").write_text(rule.format("f=-5"))
    (tmp_path / "other.ppdb").write_text(rule.format("g=-5.0000000001"))
    model = (tmp_path / "model.yaml").read_text().replace("weights: {", "weights: {f: -1.0, g: -1.0, ")
    model = model.replace("{path: grammar.ppdb}", "{path: grammar.ppdb}, {path: other.ppdb}")
    (tmp_path / "model.yaml").write_text(model)
    (change,) = explained(tmp_path, "{kind: scfg}", "numerous").changes
    assert change.features["g"] == pytest.approx(5.0)
    assert "f" not in change.features
