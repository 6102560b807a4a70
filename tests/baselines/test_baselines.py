"""Baselines: what they do to sentences, and as bundles made by the command and used by another."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from rapidfuzz.distance import Levenshtein

from sbmt.baselines.make import make_frequency, make_pbmt_r
from sbmt.baselines.pbmt_r import Dissimilar, pbmt_r
from sbmt.baselines.settings import PbmtSettings
from sbmt.baselines.words import Frequency, Identity, Truncate, most_frequent_synonyms
from sbmt.cli.baseline import main
from sbmt.decoder.hypothesis import Constraint, Hypothesis
from sbmt.errors import FormatError
from sbmt.model import DecoderConfig, Model
from sbmt.ppdb.formats import read_rules
from sbmt.ppdb.packed import pack
from sbmt.ppdb.rule import Rule
from sbmt.simplifier import Options, Simplifier
from sbmt.text.pipeline import TextOptions

WORDS = "the physician utilized a novel remedy in the afternoon .".split()


def output(translator: object, words: Sequence[str] = WORDS, constraints: Sequence[Constraint] = ()) -> str:
    (hypothesis,) = translator.translate(words, 1, constraints)  # type: ignore[attr-defined]
    return hypothesis.text


def test_identity_changes_nothing_but_what_it_is_told() -> None:
    assert output(Identity()) == " ".join(WORDS)
    assert output(Identity(), "a b c".split(), [Constraint(1, 3, ("x",))]) == "a x"
    assert output(Identity(), []) == ""


def test_a_text_is_no_list_of_words() -> None:
    for translator in (Identity(), Truncate(0.5), Frequency({}, 3.0)):
        with pytest.raises(TypeError, match="a sentence is a list of words, not the text 'he left'"):
            output(translator, "he left")


def test_truncate_keeps_the_beginning_and_the_full_stop() -> None:
    assert output(Truncate(0.5)) == "the physician utilized a novel ."
    assert output(Truncate(0.41)) == "the physician utilized a novel ."  # 4.1 words, rounded up
    assert output(Truncate(0.2), constraints=[Constraint(4, 6)]) == "the physician novel remedy ."
    assert output(Truncate(1)) == " ".join(WORDS)
    assert output(Truncate(0.2), "a mill burned . he left .".split()) == "a mill ."  # 1.4 words, and the final mark
    assert len(output(Truncate(0.55), ["w"] * 100).split()) == 55  # and not 55.00000000000001


@pytest.mark.parametrize("share", [0, -1, 1.5])
def test_truncate_needs_a_share(share: float, tmp_path: Path) -> None:
    """The file that gives another is named."""
    (tmp_path / "model.yaml").write_text(f"format: 1\ndecoder: {{kind: truncate, settings: {{share: {share}}}}}\n")
    complaint = rf"model\.yaml: decoder\.settings\.share: {float(share)} is not above 0 and at most 1"
    with pytest.raises(FormatError, match=complaint):
        Model.load(tmp_path).translator()


def test_frequency_takes_the_most_frequent_synonym_of_rare_words() -> None:
    pairs = [
        ("physician", "doctor"),
        ("physician", "medic"),
        ("utilized", "used"),
        ("the", "of"),
        ("doctor", "physician"),
    ]
    best = most_frequent_synonyms(Rule("X", (f,), (e,)) for f, e in pairs)
    assert best == {"physician": "doctor", "utilized": "used"}  # "of" is rarer than "the"
    frequency = Frequency(best, rare=5)
    assert output(frequency) == "the doctor used a novel remedy in the afternoon ."
    assert output(frequency, constraints=[Constraint(1, 2)]) == "the physician used a novel remedy in the afternoon ."
    assert output(Frequency(best, rare=0)) == " ".join(WORDS)


def test_a_replacement_is_a_step_of_its_own() -> None:
    (hypothesis,) = Frequency({"physician": "doctor"}, rare=5).translate(WORDS[:2])
    copy, step = hypothesis.derivation
    assert (copy.owner, copy.span) == ("oov", (0, 1))
    assert (step.owner, step.span, step.target_span) == ("synonym", (1, 2), (1, 2))
    assert step.alignment == ((1, 1),)


@pytest.mark.parametrize("translator", [Identity(), Frequency({}, rare=5)])
def test_what_a_constraint_writes_is_its_own(translator: Identity | Frequency) -> None:
    (hypothesis,) = translator.translate(WORDS[:4], constraints=[Constraint(1, 3, ("family", "doctor"))])
    owners = [(step.owner, step.rule.target) for step in hypothesis.derivation]
    assert owners == [("oov", ("the",)), ("constraint", ("family", "doctor")), ("oov", (WORDS[3],))]
    assert hypothesis.derivation[1].alignment == ((1, 1), (2, 2))


class Listed:
    """A translator that has its outputs ready, best first, and notes how many it was asked for."""

    asked = 0

    def translate(self, words: list[str], nbest: int = 1, constraints: object = ()) -> list[Hypothesis]:
        self.asked = nbest
        texts = ["a b c", "a x c", "y x c", "a z c", "x y z w v"]
        return [Hypothesis(tuple(text.split()), -float(k)) for k, text in enumerate(texts)][:nbest]


def test_re_ranking_takes_the_most_dissimilar_of_the_candidates() -> None:
    words = "a b c".split()
    best = Dissimilar(Listed(), 4).translate(words, 4)
    assert [hypothesis.text for hypothesis in best] == ["y x c", "a x c", "a z c", "a b c"]  # equal ones by score
    assert [hypothesis.text for hypothesis in Dissimilar(Listed(), 2).translate(words)] == ["a x c"]
    assert Dissimilar(Listed(), 10).translate(words)[0].text == "x y z w v"
    longer = [hypothesis.text for hypothesis in Dissimilar(Listed(), 2).translate(words, 4)]
    assert longer == ["a x c", "a b c", "y x c", "a z c"]  # two candidates, then the decoder's own order


def test_lists_stay_re_ranked() -> None:
    simplifier = Simplifier(Dissimilar(Listed(), 4), TextOptions(), Options(nbest=4, tokenized=True))
    result = simplifier.simplify_line("a b c")
    assert [candidate.output for candidate in result.nbest] == ["y x c", "a x c", "a z c", "a b c"]
    assert result.output == "y x c"
    two = Simplifier(Dissimilar(Listed(), 4), TextOptions(), Options(nbest=3)).simplify_line("A b c. A b c.")
    assert two.nbest[0].output == two.output


def simplified(folder: Path, text: str) -> str:
    return Simplifier.load(folder).simplify(text).output


def test_bundles_are_models_like_any_other(tmp_path: Path) -> None:
    text = "On Monday the physician utilized 12 remedies of Mary Brown in the long and cold afternoon."
    assert main(["identity", "-o", str(tmp_path / "i")]) == 0
    assert simplified(tmp_path / "i", text) == text
    assert main(["truncate", "--share", "0.5", "-o", str(tmp_path / "t")]) == 0
    assert simplified(tmp_path / "t", text) == "On Monday the physician utilized 12 remedies of Mary."
    synonyms = tmp_path / "synonyms"
    synonyms.write_text("physician medic doctor\nutilized used\nbrown red\n")
    assert main(["frequency", "--synonyms", str(synonyms), "--rare", "5", "-o", str(tmp_path / "f")]) == 0
    assert simplified(tmp_path / "f", text) == text.replace("physician", "doctor").replace("utilized", "used")


def test_capitals_of_synonyms_do_not_matter(tmp_path: Path) -> None:
    (tmp_path / "synonyms").write_text("Physician\tDOCTOR\n")
    assert main(["frequency", "--synonyms", str(tmp_path / "synonyms"), "--rare", "5", "-o", str(tmp_path / "f")]) == 0
    assert simplified(tmp_path / "f", "Ask a physician. Physician unknown.") == "Ask a doctor. Doctor unknown."


def test_synonyms_may_be_a_grammar(tmp_path: Path) -> None:
    """Also one that begins with a blank line and a comment, or is packed."""
    grammar = tmp_path / "rules"
    rules = "[NN] ||| physician ||| doctor ||| p(e|f)=1 ||| 0-0\n[X] ||| a b ||| c ||| p(e|f)=1 |||\n"
    grammar.write_text(f"\n# of 2016\n{rules}")
    pack(read_rules(grammar), tmp_path / "packed")
    for path in (grammar, tmp_path / "packed"):
        assert main(["frequency", "--synonyms", str(path), "--rare", "5", "-o", str(tmp_path / "f")]) == 0
        assert simplified(tmp_path / "f", "Ask a physician.") == "Ask a doctor."


@pytest.mark.parametrize(
    ("arguments", "read"),
    [
        (["frequency", "--synonyms", "f/synonyms.tsv"], "f/synonyms.tsv"),
        (["frequency", "--synonyms", "f/model.yaml"], "f/model.yaml"),
        (["pbmt-r", "--source", "f/phrases.gz", "--target", "t"], "f/phrases.gz"),
        (["pbmt-r", "--source", "s", "--target", "f/lm.binary"], "f/lm.binary"),
    ],
)
def test_a_bundle_is_not_written_over_what_is_read(
    arguments: list[str], read: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkdir("f")
    Path(read).write_text("physician doctor\n")
    assert main([*arguments, "-o", "f"]) == 2
    assert f"{read} is read: give another name to write to" in capsys.readouterr().err
    assert Path(read).read_text() == "physician doctor\n"


@pytest.mark.parametrize("rare", ["nan", "inf"])
def test_a_rare_that_is_no_number(tmp_path: Path, capsys: pytest.CaptureFixture[str], rare: str) -> None:
    (tmp_path / "pairs").write_text("physician doctor\n")
    assert main(["frequency", "--synonyms", str(tmp_path / "pairs"), "--rare", rare, "-o", str(tmp_path / "f")]) == 2
    assert f"--rare: expected a finite number, found {rare}" in capsys.readouterr().err


def test_what_fails_leaves_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk is full when the phrases are there already; a folder that was there stays."""

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("sbmt.baselines.make._estimate", full)
    for name in ("complex", "simple"):
        (tmp_path / name).write_text("a b c d\n" * 3)
    (tmp_path / "there").mkdir()
    for folder in ("new", "there"):
        sides = ["--source", str(tmp_path / "complex"), "--target", str(tmp_path / "simple")]
        assert main(["pbmt-r", *sides, "-o", str(tmp_path / folder)]) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["complex", "simple", "there"]


def test_texts_lists_and_models_are_named_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They are read twice, which a pipe cannot be."""
    pipe = str(tmp_path / "pipe")
    os.mkfifo(pipe)
    for path in (pipe, "-"):
        assert main(["frequency", "--synonyms", path, "-o", str(tmp_path / "f")]) == 2
        assert "--synonyms needs a file, for it is read twice" in capsys.readouterr().err
        assert main(["pbmt-r", "--grammar", path, "--lm", path, "-o", str(tmp_path / "p")]) == 2
        assert "--grammar and --lm need files" in capsys.readouterr().err
        assert main(["pbmt-r", "--source", "complex", "--target", path, "-o", str(tmp_path / "p")]) == 2
        assert "--target needs files, for they are read twice" in capsys.readouterr().err


def test_pbmt_r_is_learnt_from_parallel_text(tmp_path: Path) -> None:
    pairs = [
        ("the doctor purchased a small house .", "the doctor bought a small house ."),
        ("she purchased the tools .", "she bought the tools ."),
        ("they purchased some land .", "they bought some land ."),
        ("the committee commenced its work .", "the committee started its work ."),
        ("he commenced a long journey .", "he started a long journey ."),
        ("she commenced the work .", "she started the work ."),
    ]
    for name, column in zip(("complex", "simple"), zip(*pairs, strict=True), strict=True):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in column * 3))
    sides = ["--source", str(tmp_path / "complex"), "--target", str(tmp_path / "simple")]
    assert main(["pbmt-r", *sides, "-o", str(tmp_path / "p")]) == 0
    # Of ten outputs the most dissimilar is taken: never nearer to the input than the likeliest.
    words = "the doctor commenced the work .".split()
    model = Model.load(tmp_path / "p")
    (chosen,) = model.translator().translate(words)
    (best,) = pbmt_r(model.replace(decoder=DecoderConfig("pbmt-r", {"candidates": 1}))).translate(words)
    assert best.text == "the doctor started the work ."
    assert Levenshtein.distance(words, chosen.words) > Levenshtein.distance(words, best.words)
    assert simplified(tmp_path / "p", "She commenced.") != "She commenced."


def test_an_option_takes_several_texts_or_is_given_again(tmp_path: Path) -> None:
    for name, line in {"s0": "he purchased it", "t0": "he bought it", "s1": "we commenced", "t1": "we began"}.items():
        (tmp_path / name).write_text(f"{line}\n" * 3)
    s0, t0, s1, t1 = (str(tmp_path / name) for name in ("s0", "t0", "s1", "t1"))
    ways = {
        "one": ["--source", s0, s1, "--target", t0, t1],
        "two": ["--source", s0, "--target", t0, "--source", s1, "--target", t1],
    }
    for name, sides in ways.items():
        assert main(["pbmt-r", *sides, "-o", str(tmp_path / name)]) == 0
    one, two = (list(read_rules(tmp_path / name / "phrases.gz")) for name in ways)
    assert one == two
    assert {("bought",), ("began",)} <= {rule.target for rule in one}


def test_phrases_that_stay_the_same_are_learnt_too(tmp_path: Path) -> None:
    """In lower case, of up to seven words; the weights are those of the moses.ini that Moses' training writes."""
    (tmp_path / "both").write_text("The small House of an old man there\n" * 3)
    assert main(["pbmt-r", "--source", f"{tmp_path}/both", "--target", f"{tmp_path}/both", "-o", f"{tmp_path}/p"]) == 0
    rules = list(read_rules(tmp_path / "p/phrases.gz"))
    assert ("house",) in [rule.target for rule in rules if rule.source == ("house",)]
    assert max(len(rule.source) for rule in rules) == 7
    weights = Model.load(tmp_path / "p").config.weights
    assert {weights[name] for name in ("p(e|f)", "p(f|e)", "Lex(e|f)", "Lex(f|e)")} == {-0.2}
    assert (weights["lm_0"], weights["Distortion"]) == (0.5, 0.3)


def test_what_is_given_is_opened_before_anything_is_written(
    bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    grammar, lm = str(bundle / "grammar.ppdb"), str(bundle / "model.arpa")
    (tmp_path / "phrases").write_text("[X] ||| utilized ||| used ||| p(e|f)=0.5 ||| 0-0\n")
    phrases = str(tmp_path / "phrases")
    for given, problem in {
        (phrases, phrases): f"language model {phrases}: ",
        (lm, lm): f"{lm}, line 1: is neither a rule",
        (grammar, lm): f'{grammar}: the rule of "[NNP,1] \'s population" has gaps, which no phrase has (leave such ru',
    }.items():
        command = ["pbmt-r", "--grammar", given[0], "--lm", given[1], "-o", str(tmp_path / "new")]
        assert main(command) == 2
        assert f"error: {problem}" in capsys.readouterr().err
        assert not (tmp_path / "new").exists()


def test_the_list_is_as_long_as_asked_for(bundle: Path, tmp_path: Path) -> None:
    (tmp_path / "phrases").write_text("[X] ||| utilized ||| used ||| p(e|f)=0.5 ||| 0-0\n")
    options = ["--grammar", str(tmp_path / "phrases"), "--lm", str(bundle / "model.arpa")]
    assert main(["pbmt-r", *options, "--candidates", "3", "-o", str(tmp_path / "p")]) == 0
    assert Model.load(tmp_path / "p").config.decoder == DecoderConfig("pbmt-r", {"candidates": 3})


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["frequency"], "frequency needs a list of synonyms"),
        (["pbmt-r"], "pbmt-r needs --source and --target"),
        (["pbmt-r", "--source", "s"], "1 --source but 0 --target"),
        (["pbmt-r", "--grammar", "missing", "--lm", "missing"], "missing: no such file"),
        (["pbmt-r", "--grammar", "-", "--lm", "-"], "--grammar and --lm need files"),
        (["frequency", "--synonyms", "-"], "--synonyms needs a file"),
        (["frequency", "--synonyms", "list", "--synonyms", "-"], "--synonyms needs a file"),
        (["pbmt-r", "--grammar", "missing", "--lm", "-"], "--grammar and --lm need files"),
        (["truncate", "--share", "2"], "--share: 2.0 is not above 0 and at most 1"),
        (
            ["pbmt-r", "--grammar", "g", "--lm", "l", "--source", "s", "--target", "t"],
            "--source and --target are not read where --grammar and --lm are both given: leave out a pair",
        ),
    ],
)
def test_what_is_missing_or_not_read_is_said(
    arguments: list[str], problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments, "-o", str(tmp_path / "x")]) == 2
    assert problem in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("identity", ["--share", "--synonyms", "--rare", "--source", "--target", "--grammar", "--lm", "--candidates"]),
        ("truncate", ["--synonyms", "--rare", "--jobs"]),
        ("frequency", ["--share", "--lm"]),
        ("pbmt-r", ["--share", "--synonyms", "--rare"]),
    ],
)
def test_options_of_other_baselines_are_refused(
    name: str, options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for option in options:
        assert main([name, option, "9", "-o", str(tmp_path / "x")]) == 2
        error = capsys.readouterr().err
        assert f"{option} is for " in error
        assert f", not for {name}: leave it out" in error
    assert not list(tmp_path.iterdir())


def test_a_baseline_has_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["identity", "-o", ""]) == 2
    assert "-o needs the name of a folder, which will be the bundle" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
    Path("file").touch()
    assert main(["identity", "-o", "file"]) == 2
    assert "file: is no folder; name one, or a new one" in capsys.readouterr().err


def test_re_ranking_needs_candidates(tmp_path: Path) -> None:
    (tmp_path / "model.yaml").write_text("format: 1\ndecoder: {kind: pbmt-r, settings: {candidates: 0}}\n")
    with pytest.raises(FormatError, match=r"model\.yaml: decoder\.settings\.candidates: 0 is not at least 1"):
        Model.load(tmp_path).translator()


def test_baselines_are_made_from_python_too(bundle: Path, tmp_path: Path) -> None:
    """With the settings that a bundle without any would have."""
    (tmp_path / "pairs").write_text("physician doctor\nthe a\n")
    model = make_frequency(tmp_path / "f", [str(tmp_path / "pairs")])
    assert model.config.decoder == DecoderConfig("frequency", {"rare": 4.0})
    assert (tmp_path / "f/synonyms.tsv").read_text() == "physician\tdoctor\n"  # "the" has no more frequent one
    (tmp_path / "phrases").touch()
    lm = str(bundle / "model.arpa")
    reranking = make_pbmt_r(tmp_path / "p", grammar=str(tmp_path / "phrases"), language_model=lm)
    assert reranking.settings(PbmtSettings) == PbmtSettings()
    assert Model.load(tmp_path / "p").config == reranking.config
