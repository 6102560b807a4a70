"""Candidates for phrases; scores are worked by hand from the files below."""

from __future__ import annotations

import math
import shutil
from pathlib import Path

import pytest

from sbmt.cli.rules import main
from sbmt.errors import SbmtError
from sbmt.inspection import Candidate, Inspector
from sbmt.model import Model
from sbmt.simplifier import Simplifier

LN10 = math.log(10)
WORD = 0.5 * math.log10(math.e)  # what a word of the output gains by the weight of WordPenalty
GRAMMAR = """\
[NP] ||| grand [NN,1] ||| big [NN,1] ||| p(e|f)=0.5 ||| 0-0 1-1
[NP] ||| grand [NNS,1] ||| big [NNS,1] ||| p(e|f)=0.75 ||| 0-0 1-1
[X] ||| grand total ||| big total ||| p(e|f)=1 ||| 0-0 1-1
[NP] ||| the grand [NN,1] ||| large [NN,1] the ||| p(e|f)=2 ||| 0-2 1-0 2-1
[JJ] ||| grand ||| many ||| p(e|f)=3 ||| 0-0
"""


@pytest.fixture
def folder(bundle: Path, tmp_path: Path) -> Path:
    """The small bundle with other rules."""
    folder = tmp_path / "model"
    shutil.copytree(bundle, folder)
    (folder / "grammar.ppdb").write_text(GRAMMAR)
    return folder


@pytest.fixture
def candidates(folder: Path) -> dict[str, Candidate]:
    """Of "grand", by their source and target sides."""
    ranked = Inspector(Model.load(folder)).candidates("grand")
    assert [c.score for c in ranked] == sorted((c.score for c in ranked), reverse=True)
    return {f"{c.source} -> {c.target}": c for c in ranked}


def test_rules_with_gaps_are_ranked_with_the_others(candidates: dict[str, Candidate]) -> None:
    """-p + lm + word penalty + 0.3 for a change, with or without a gap; a label's best is shown for the rest."""
    assert candidates.keys() == {
        "grand -> grand",
        "grand -> many",
        "grand [NN,1] -> big [NN,1]",
        "grand total -> big total",
        "the grand [NN,1] -> large [NN,1] the",
    }
    assert candidates["grand -> many"].score == pytest.approx(-3 - 1.2 * LN10 + WORD + 0.3, abs=1e-4)
    framed = candidates["grand [NN,1] -> big [NN,1]"]
    assert framed.score == pytest.approx(-0.5 - 1.4 * LN10 + WORD + 0.3, abs=1e-4)
    assert (framed.replacement, framed.lhs, framed.others) == ("big", "NP", 1)


def test_what_copying_the_context_has_is_left_out(candidates: dict[str, Candidate]) -> None:
    """So the difference from the copy is that between the two in a sentence."""
    total = candidates["grand total -> big total"]
    in_sentence = -1 + (-1.4 - 0.1 - 3) * LN10 + 2 * WORD + 0.3
    copied_there = -6 * LN10 + 2 * WORD - 2 * 0.2
    copy = candidates["grand -> grand"].score
    assert copy == pytest.approx(-3 * LN10 + WORD - 0.2, abs=1e-4)
    assert total.score - copy == pytest.approx(in_sentence - copied_there, abs=1e-4)
    weights = {"lm_0": 1.0, "p(e|f)": -1.0, "WordPenalty": -0.5, "OOVPenalty": -0.2, "Changes": 0.3}
    assert total.score == pytest.approx(sum(weights[name] * value for name, value in total.features.items()))


def test_language_models_see_no_gap_as_a_neighbour(candidates: dict[str, Candidate]) -> None:
    """The word before the gap is copied: lm(large) + lm(the) - lm(the grand) + lm(grand)."""
    reordered = candidates["the grand [NN,1] -> large [NN,1] the"]
    assert reordered.replacement == "large"
    assert reordered.features["lm_0"] == pytest.approx(-1.6 * LN10, abs=1e-4)


def test_text_tells_the_context(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "-m", str(folder), "grand"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.endswith("big  [NP]  grand [NN,1] -> big [NN,1]  (and 1 more like it)") for line in lines)


def test_models_side_by_side_share_a_line_for_what_is_put(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where each has the best score in another context."""
    other = tmp_path / "other"
    shutil.copytree(folder, other)
    (other / "grammar.ppdb").write_text(GRAMMAR.replace("p(e|f)=0.5", "p(e|f)=1.5"))
    assert main(["show", "-m", str(folder), "-m", str(other), "grand"]) == 0
    line = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("big  [NP]"))
    best = -0.5 - 1.4 * LN10 + WORD + 0.3
    assert line.endswith(f"{1:6} {best:11.4f}{1:6} {best - 0.25:11.4f}")


def test_what_depends_on_the_sentence_is_left_out_everywhere(folder: Path) -> None:
    """So that a rule for the phrase and one for it in a context compare."""
    before = {str(candidate): candidate.score for candidate in Inspector(Model.load(folder)).candidates("grand")}
    (folder / "change.json").write_text('{"weights": {"bias": 0.0, "w=grand": 2.0}, "lexicons": {}}')
    config = (folder / "model.yaml").read_text()
    config = config.replace("weights: {", "change_model: change.json\nweights: {ChangeLogOdds: 1, ")
    (folder / "model.yaml").write_text(config)
    assert "ChangeLogOdds" in config
    after = Inspector(Model.load(folder)).candidates("grand")
    assert {str(candidate): candidate.score for candidate in after} == pytest.approx(before)


def test_phrases_of_a_phrase_table(folder: Path) -> None:
    """Those for the whole phrase, scored as in any model; the copy is a rule, or is made where nothing else is."""
    path = folder / "grammar.ppdb"
    path.write_text("".join(line for line in GRAMMAR.splitlines(keepends=True) if ",1]" not in line))
    with path.open("a") as stream:
        stream.write("[JJ] ||| grand ||| grand ||| p(e|f)=0.25 ||| 0-0\n")
    config = (folder / "model.yaml").read_text()
    (folder / "model.yaml").write_text(f"{config}decoder: {{kind: phrase}}\n")
    inspector = Inspector(Model.load(folder))
    scores = {candidate.replacement: candidate.score for candidate in inspector.candidates("grand")}
    assert scores == pytest.approx({"many": -3 - 1.2 * LN10 + WORD + 0.3, "grand": -0.25 - 3 * LN10 + WORD}, abs=1e-4)
    assert [str(candidate) for candidate in inspector.candidates("total")] == ["total  [X]  (copy)"]
    assert [candidate.replacement for candidate in inspector.candidates("grand total")] == ["big total"]
    table = inspector.candidates("grand")
    (folder / "model.yaml").write_text(f"{config}decoder: {{kind: pbmt-r}}\n")
    assert Inspector(Model.load(folder)).candidates("grand") == table  # before sentences are re-ranked


def test_copies_that_are_alike_are_one(folder: Path) -> None:
    with (folder / "model.yaml").open("a") as stream:
        stream.write("decoder: {settings: {pass_labels: [JJ, NN, X]}}\n")
    ranked = Inspector(Model.load(folder)).candidates("grand")
    assert [c.lhs for c in ranked if c.source == c.target] == ["X"]


def test_a_rule_that_copies_is_not_added_to_the_copy_without_one(folder: Path) -> None:
    with (folder / "grammar.ppdb").open("a") as stream:
        stream.write("[X] ||| zzz ||| zzz ||| p(e|f)=0.5 ||| 0-0\n")
    ranked = Inspector(Model.load(folder)).candidates("zzz")
    scores = [-3 * LN10 + WORD - 0.2, -3 * LN10 + WORD - 0.5]
    assert [c.score for c in ranked] == pytest.approx(scores, abs=1e-4)


def test_of_rules_that_write_the_same_the_best_is_shown(folder: Path) -> None:
    with (folder / "grammar.ppdb").open("a") as stream:
        stream.write("[NN] ||| zzz ||| many ||| p(e|f)=2 ||| 0-0\n[NN] ||| zzz ||| many ||| p(e|f)=0.5 ||| 0-0\n")
    inspector = Inspector(Model.load(folder))
    (shown,) = [candidate for candidate in inspector.candidates("zzz") if candidate.replacement == "many"]
    assert shown.features["p(e|f)"] == 0.5


def test_a_phrase_is_tokenised_as_text_is(folder: Path) -> None:
    assert [candidate.replacement for candidate in Inspector(Model.load(folder)).candidates("Don't")] == ["do n't"]


def test_what_is_no_phrase_and_no_model(folder: Path) -> None:
    inspector = Inspector(Model.load(folder))
    with pytest.raises(SbmtError, match="the phrase ' ' has no words"):
        inspector.rank(" ", "small")
    with pytest.raises(TypeError, match=r"phrase: \['grand'\] is no str"):
        inspector.candidates(["grand"])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="model: 'starter' is no Model"):
        Inspector("starter")  # type: ignore[arg-type]
    halved = inspector.rank("\ud800", "small").candidates  # a word that no grammar and no language model knows
    assert [candidate.replacement for candidate in halved] == ["&#55296;"]  # as decoding has it
    assert len({*halved, *inspector.candidates("\ud800")}) == 1


@pytest.fixture(scope="module")
def starter() -> tuple[Simplifier, Inspector]:
    return Simplifier.load("starter"), Inspector(Model.load("starter"))


@pytest.mark.parametrize(
    ("phrase", "sentence"),
    [
        ("principal", "The principal reason was money."),
        ("able-bodied", "They were able-bodied men."),
        ("cardiac", "It is a cardiac muscle."),
        ("accidentally", "He was accidentally killed."),
    ],
)
def test_what_the_packaged_model_writes_is_among_the_first(
    starter: tuple[Simplifier, Inspector], phrase: str, sentence: str
) -> None:
    """The two words of the paper's Table 3, a modifier and an adverbial, before the copy."""
    simplifier, inspector = starter
    written = simplifier.simplify(sentence).output
    assert phrase not in written
    places = [c.replacement for c in inspector.candidates(phrase)]
    assert any(put in written for put in places[:3] if put)
    assert places.index(phrase) > 0
