"""The Simplifier with a small model: texts, offsets, scores by feature, alternatives, strength."""

from __future__ import annotations

import gc
import json
import pickle
import re
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbmt.decoder.decoder import Decoder
from sbmt.decoder.hypothesis import Hypothesis
from sbmt.errors import SbmtError
from sbmt.lm.model import LanguageModel
from sbmt.model import DecoderConfig, Model
from sbmt.simplifier import Options, Simplifier
from sbmt.simplifier.explain import Explainer
from sbmt.simplifier.formats import as_diff, as_nbest
from sbmt.simplifier.result import best_sums
from sbmt.simplifier.stream import Request, simplified_lines
from sbmt.text.pipeline import TextOptions

TEXT = "He utilized numerous tools.  An enormous dog came in order to see Ulm's population.\r\n\nNumerous dogs."


@pytest.fixture(scope="module")
def simplifier(bundle: Path) -> Simplifier:
    return Simplifier.load(bundle, Options(nbest=5))


def test_text_goes_in_and_comes_out(simplifier: Simplifier) -> None:
    result = simplifier.simplify(TEXT)
    assert result.output == "He used many tools.  A big dog came to see the population of Ulm.\r\n\nMany dogs."
    assert result.source == TEXT
    assert [change.output for change in result.changes] == [
        "used",
        "many",
        "A big",
        "to",
        "the population of Ulm",
        "Many",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, r"a text \(str\) is simplified, not NoneType$"),
        (b"x", r"a text \(str\) is simplified, not bytes: decode it$"),
        (["He left."], r"a text \(str\) is simplified, not list$"),
    ],
)
def test_what_is_no_text_is_refused(simplifier: Simplifier, text: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        simplifier.simplify(text)


def test_offsets_point_at_the_changes(simplifier: Simplifier) -> None:
    result = simplifier.simplify(TEXT)
    for change in result.changes:
        assert result.source[slice(*change.source_span)] == change.source
        assert result.output[slice(*change.output_span)] == change.output
    rebuilt, end = "", 0
    for change in result.changes:
        rebuilt += result.source[end : change.source_span[0]] + change.output
        end = change.source_span[1]
    assert rebuilt + result.source[end:] == result.output


def test_an_article_altered_belongs_to_the_change(simplifier: Simplifier) -> None:
    for text, source, output in (
        ("We met an enormous dog", "an enormous", "a big"),
        ('We met an "enormous" dog', 'an "enormous', 'a "big'),
        ("We met an <b>enormous</b> dog", "an <b>enormous", "a <b>big"),
        ("We met the enormous dog", "enormous", "big"),
    ):
        (change,) = simplifier.simplify(text).changes
        assert (change.source, change.output) == (source, output)


def test_a_possessive_altered_belongs_to_the_change(bundle: Path, tmp_path: Path) -> None:
    """Also in what else might be written there."""
    shutil.copytree(bundle, folder := tmp_path / "model")
    with (folder / "grammar.ppdb").open("a") as stream:
        stream.write("[NNS] ||| residents ||| people ||| p(e|f)=-9 ||| 0-0\n")
    result = Simplifier.load(folder).simplify("We saw the residents' tools")
    (change,) = result.changes
    assert result.output == "We saw the people's tools"
    assert (change.source, change.output) == ("residents'", "people's")
    assert [alternative.output for alternative in change.alternatives] == ["residents'"]


def test_scores_add_up(simplifier: Simplifier) -> None:
    """A change's features sum to its score, and undoing a change by hand gives the alternative's score."""
    result = simplifier.simplify("He utilized tools")
    (change,) = result.changes
    assert change.rule == "[VBD] ||| utilized ||| used"
    assert (change.label, change.owner) == ("VBD", "pt")
    assert sum(change.features.values()) == pytest.approx(change.score)
    # ln 10 x log10 p(used | he): back-off of "he" -0.2, p(used) -1.5; WordPenalty -0.5 x -log10(e); cost 0.5; bias 0.3
    ln10 = 2.302585093
    assert change.features == pytest.approx(
        {"lm_0": -1.7 * ln10, "p(e|f)": -0.5, "WordPenalty": 0.5 / ln10, "Changes": 0.3}
    )
    by_text = {entry.output: entry.score for entry in result.nbest}
    assert len(change.alternatives) == 2
    for alternative in change.alternatives:
        assert alternative.score == pytest.approx(by_text[f"He {alternative.output} tools"])


def test_the_record_of_a_result_has_its_scores_and_no_list_that_is_empty(bundle: Path) -> None:
    result = Simplifier.load(bundle).simplify("He utilized tools")
    record = json.loads(json.dumps(result.to_dict()))
    assert list(record) == ["source", "output", "score", "changes"]
    assert record["score"] == pytest.approx(result.score, abs=1e-6)
    (change,) = record["changes"]
    assert change["score"] == pytest.approx(sum(change["features"].values()), abs=1e-5)
    assert list(Simplifier.load(bundle, Options(nbest=1)).simplify("Tools").to_dict())[4:] == ["nbest"]


def test_what_is_not_explained_has_no_score(bundle: Path) -> None:
    """A rule's own score, without the language models, is none that features or the sentence's score add up with."""
    result = Simplifier.load(bundle, Options(explain=False)).simplify("He utilized numerous tools")
    assert [change.output for change in result.changes] == ["used", "many"]
    for change in result.changes:
        assert (change.score, change.features, change.alternatives) == (None, {}, ())
        assert json.loads(json.dumps(change.to_dict()))["score"] is None
    assert Simplifier.load(bundle).simplify("He utilized numerous tools").score == result.score


def test_no_alternatives(bundle: Path) -> None:
    text = "He utilized numerous tools"
    full = Simplifier.load(bundle).simplify(text)
    short = Simplifier.load(bundle, Options(alternatives=0)).simplify(text)
    assert short.changes == tuple(replace(change, alternatives=()) for change in full.changes)


@pytest.fixture
def phrases(bundle: Path, tmp_path: Path) -> Path:
    """A phrase-based bundle: the rules without gaps."""
    rules = [line for line in (bundle / "grammar.ppdb").read_text().splitlines() if ",1]" not in line]
    (tmp_path / "grammar.ppdb").write_text("\n".join(rules))
    (tmp_path / "model.yaml").write_text(
        f"format: 1\ndecoder: {{kind: phrase}}\ngrammars: [{{path: grammar.ppdb}}]\n"
        f"language_models: [{{path: {bundle}/model.arpa}}]\n"
        'weights: {lm_0: 1.0, "p(e|f)": -1.0, WordPenalty: -0.5, OOVPenalty: -0.2, Changes: 0.3, Distortion: 2}\n'
    )
    return tmp_path


def test_phrases_are_explained_too(phrases: Path) -> None:
    result = Simplifier.load(phrases, Options(nbest=20)).simplify("He utilized tools")
    change = result.changes[0]
    # p(used | he) as above
    ln10 = 2.302585093
    assert change.features == pytest.approx(
        {"lm_0": -1.7 * ln10, "p(e|f)": -0.5, "WordPenalty": 0.5 / ln10, "Changes": 0.3}
    )
    assert change.score == pytest.approx(sum(change.features.values()))
    by_text = {entry.output: entry.score for entry in result.nbest}
    assert [alternative.output for alternative in change.alternatives] == ["employed"]
    assert change.alternatives[0].score == pytest.approx(by_text[result.output.replace("used", "employed")])


def rebuilt(diff: str) -> tuple[str, str]:
    """What a diff says of both sides."""
    old = re.sub(r"\{\+(.*?)\+\}", "", diff)
    return re.sub(r"\[-(.*?)-\]", r"\1", old), re.sub(r"\[-(.*?)-\]", "", diff).replace("{+", "").replace("+}", "")


@pytest.mark.parametrize("text", ["He utilized numerous tools there.", "An enormous  dog", "a b c", "Ulm's population"])
def test_a_diff_has_both_sides(simplifier: Simplifier, phrases: Path, text: str) -> None:
    config = phrases / "model.yaml"
    config.write_text(config.read_text().replace("Distortion: 2", "Distortion: -2"))  # words move where no rule says so
    for loaded in (simplifier, Simplifier.load(phrases)):
        result = loaded.simplify(text)
        assert rebuilt(as_diff(result, 0, colour=False)) == (text, result.output)


def test_every_part_of_the_score_belongs_to_a_step(bundle: Path) -> None:
    """Split over all steps, copies and glue too, the features give the whole score but for the sentence's end."""
    decoder = Model.load(bundle).translator()
    assert isinstance(decoder, Decoder)
    decoder.weights = {**decoder.weights, "lm_0": 0.5}
    words = "he utilized a numerous population".split()
    forest = decoder.parse(words)
    (best,) = decoder.search(forest).nbest(1)
    explainer = Explainer(decoder, forest, best, best.derivation, [])
    parts = [sum(explainer.features(number).values()) for number in range(len(best.derivation))]
    (model,) = decoder.language_models
    assert isinstance(model, LanguageModel)
    assert sum(parts) + 0.5 * model.word_scores(best.words)[-1] == pytest.approx(best.score)


def test_alternatives_of_a_line_of_several_sentences_have_the_score_of_the_line(simplifier: Simplifier) -> None:
    result = simplifier.simplify_line("He utilized tools. He utilized tools.")
    by_text = {entry.output: entry.score for entry in result.nbest}
    score = by_text["He utilized tools. He used tools."]
    assert [change.alternatives[0].score for change in result.changes] == pytest.approx([score, score])
    (alone,) = simplifier.simplify_line("He utilized tools.").changes
    assert [change.score for change in result.changes] == [alone.score, alone.score]  # the change's own stays


def test_nbest_texts_differ(bundle: Path) -> None:
    """A rule that changes the article with the word and one that does not give the same text in the end."""
    folder = bundle.parent / "articles"
    shutil.copytree(bundle, folder, dirs_exist_ok=True)
    with (folder / "grammar.ppdb").open("a") as stream:
        stream.write("[X] ||| an enormous ||| a big ||| p(e|f)=0.4 ||| 0-0 1-1\n")
    result = Simplifier.load(folder, Options(nbest=3)).simplify("He saw an enormous dog")
    assert [entry.output for entry in result.nbest] == [
        "He saw a big dog",
        "He saw a large dog",
        "He saw an enormous dog",
    ]


def test_alternatives_come_best_first_and_hold_the_copy(simplifier: Simplifier) -> None:
    (change, *_) = simplifier.simplify("An enormous dog").changes
    assert [alternative.output for alternative in change.alternatives] == ["A large", "An enormous"]
    scores = [alternative.score for alternative in change.alternatives]
    assert scores == sorted(scores, reverse=True)


def test_rules_with_gaps_have_alternatives_too(simplifier: Simplifier) -> None:
    result = simplifier.simplify("We saw Ulm's population there")
    (change,) = result.changes
    assert change.output == "the population of Ulm"
    assert [alternative.output for alternative in change.alternatives] == ["Ulm's population"]
    by_text = {entry.output: entry.score for entry in result.nbest}
    assert change.alternatives[0].score == pytest.approx(by_text["We saw Ulm's population there"])
    outer, inner = simplifier.simplify("We saw a numerous population there").changes
    assert [alternative.output for alternative in outer.alternatives] == ["a many population"]
    assert [alternative.output for alternative in inner.alternatives] == ["a lot of"]  # a word passed through is no JJ


def test_identity_rules_are_no_changes(bundle: Path) -> None:
    """`enormous -> enormous` costs less than passing the word through, so it is what a cautious model uses."""
    result = Simplifier.load(bundle, Options(strength=0.001, nbest=1)).simplify("An enormous dog came")
    assert (result.output, result.changes) == ("An enormous dog came", ())
    assert result.nbest[0].features["p(e|f)"] == pytest.approx(0.1)


def test_changes_in_changes_are_both_told(simplifier: Simplifier) -> None:
    result = simplifier.simplify("We saw a numerous population there")
    assert result.output == "We saw many folk there"
    assert [(change.source, change.output) for change in result.changes] == [
        ("a numerous population", "many folk"),
        ("numerous", "many"),
    ]


@pytest.fixture
def extended(bundle: Path, tmp_path: Path) -> Path:
    """The bundle with a rule around another that starts where it does, and a dearer and a cheaper way to the same."""
    folder = tmp_path / "extended"
    shutil.copytree(bundle, folder)
    with (folder / "grammar.ppdb").open("a") as stream:
        stream.write("[NP] ||| [JJ,1] crowd ||| [JJ,1] folk ||| p(e|f)=-9 ||| 1-1\n")
        stream.write("[VBD] ||| utilized ||| employed ||| p(e|f)=3 ||| 0-0\n")
        stream.write("[JJ] ||| enormous ||| large ||| p(e|f)=0.6 ||| 0-0\n")
    return folder


def test_of_changes_that_start_together_the_outer_comes_first(extended: Path) -> None:
    changes = Simplifier.load(extended).simplify("Numerous crowd").changes
    assert [(change.source, change.output) for change in changes] == [
        ("Numerous crowd", "Many folk"),
        ("Numerous", "Many"),
    ]


@pytest.mark.parametrize(
    ("text", "other"), [("He utilized tools", "He employed tools"), ("The enormous dog", "The large dog")]
)
def test_an_alternative_has_the_score_of_the_best_way_to_it(extended: Path, text: str, other: str) -> None:
    """Whichever of the rules comes first."""
    result = Simplifier.load(extended, Options(nbest=9)).simplify(text)
    by_text = {entry.output: entry.score for entry in result.nbest}
    scores = {alternative.output: alternative.score for alternative in result.changes[0].alternatives}
    assert scores[other.split()[1]] == pytest.approx(by_text[other])


def test_protected_kinds_have_switches(bundle: Path) -> None:
    text = "He wrote “The Enormous” in Enormous cities."
    assert Simplifier.load(bundle).simplify(text).output == text
    names = Simplifier.load(bundle, Options(unprotected=("names",)))
    assert names.simplify(text).output == "He wrote “The Enormous” in Big cities."


def test_there_are_no_other_kinds(bundle: Path) -> None:
    with pytest.raises(SbmtError, match=r"unprotected: unknown kind of text 'foo' \(known: code, dates, names,"):
        Simplifier.load(bundle, Options(unprotected=("foo",)))


def test_tokenised_text_passes_through(bundle: Path) -> None:
    tokenised = Simplifier.load(bundle, Options(tokenized=True))
    assert tokenised.simplify("-LRB- He utilized  tools -rrb- . He left .").output == (
        "-LRB- He used  tools -rrb- . He left ."
    )


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]) | st.sampled_from(list(" .'\"[]|<>%-")), max_size=60))
@settings(derandomize=True, max_examples=150, deadline=None)
def test_any_text_survives(simplifier: Simplifier, text: str) -> None:
    result = simplifier.simplify(text)
    assert result.warnings == ()
    assert result.output.count("\n") == text.count("\n")
    assert json.loads(json.dumps(result.to_dict()))["source"] == text
    if not result.changes:
        assert result.output == text


@pytest.mark.parametrize(
    "text", ["[NN,1]", "[X]", "a ||| b ||| c", "<s> x </s>", "%s %d %(a)s {}", "<unk>", "\x01\x02", "&lt;"]
)
def test_markup_comes_back(bundle: Path, text: str) -> None:
    for tokenized in (False, True):
        simplifier = Simplifier.load(bundle, Options(tokenized=tokenized, strength=0.9))
        assert simplifier.simplify(f"{text} utilized").output == f"{text} used"


def test_text_cannot_break_a_list(bundle: Path) -> None:
    for tokenized in (False, True):
        result = Simplifier.load(bundle, Options(tokenized=tokenized, nbest=3)).simplify("a ||| b|||c utilized")
        for line in as_nbest(result, 0, False).splitlines():
            assert line.count("|||") == 3
            assert line.split(" ||| ")[1].replace("&#124;", "|").startswith("a ||| b|||c ")


def test_a_sentence_of_ten_thousand_words_comes_back(bundle: Path) -> None:
    simplifier = Simplifier.load(bundle, Options(explain=False))
    text = " ".join(["dogs utilized numerous bones and"] * 2000)
    assert simplifier.simplify(text).output == " ".join(["dogs used many bones and"] * 2000)


def test_a_sentence_that_the_decoder_would_cut_comes_back(
    bundle: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = (
        Model.load(bundle).replace(decoder=DecoderConfig(settings={"max_words": 4})).save(tmp_path / "short").folder
    )
    result = Simplifier.load(folder).simplify("He utilized numerous tools in Ulm. He utilized tools.")
    assert result.output == "He utilized numerous tools in Ulm. He used tools."
    assert result.warnings[0].startswith(
        "left as it is (it has 7 words, more than the model's max_words, 4): he utilized"
    )
    assert result.to_dict()["warnings"] == list(result.warnings)
    assert not caplog.records  # that it was cut


@given(*[st.lists(st.integers(0, 9), min_size=1, max_size=6).map(sorted)] * 2)
def test_best_sums_are_those_of_all_pairs(a: list[int], b: list[int]) -> None:
    sums = list(best_sums(a, b))
    assert [total for total, _, _ in sums] == sorted(x + y for x in a for y in b)
    assert len({(i, j) for _, i, j in sums}) == len(sums)
    assert all(total == a[i] + b[j] for total, i, j in sums)


def test_an_unknown_format() -> None:
    with pytest.raises(SbmtError, match="unknown output 'xml' \\(known: text, diff, html, jsonl, nbest\\)"):
        Request(output="xml")


def test_the_collector_of_the_caller_is_left_alone(bundle: Path) -> None:
    """Also between lines, and where two texts are gone through in turns."""
    before, frozen = gc.get_threshold(), gc.get_freeze_count()
    for _ in zip(*(simplified_lines(Request(str(bundle)), ["He utilized tools."] * 3) for _ in range(2)), strict=True):
        assert gc.get_threshold() == before
        assert gc.get_freeze_count() <= frozen  # Python 3.12 begins with some


def test_a_sentence_without_a_derivation_comes_back(bundle: Path, tmp_path: Path) -> None:
    """A glue grammar that cannot reach the goal: every sentence is left as it is, with a warning."""
    (tmp_path / "glue").write_text("[GOAL] ||| <s> ||| <s> ||| a=0\n", encoding="utf-8")
    (tmp_path / "model.yaml").write_text(
        f"format: 1\ngrammars: [{{path: {bundle}/grammar.ppdb}}, {{path: glue, owner: glue, span_limit: -1}}]\n",
        encoding="utf-8",
    )
    result = Simplifier.load(tmp_path).simplify("He utilized it.")
    assert (result.output, result.changes) == ("He utilized it.", ())
    assert result.warnings == ("left as it is (no derivation reaches [GOAL]): he utilized it .",)


class Reverser:
    """A translator without derivations."""

    def translate(self, words: list[str], nbest: int = 1, constraints: object = ()) -> list[Hypothesis]:
        if "boom" in words:
            raise SbmtError("too loud")
        return [Hypothesis(tuple("used" if word == "utilized" else word for word in words), -1.0)]


def test_translators_without_derivations_get_their_changes_from_the_words() -> None:
    result = Simplifier(Reverser(), TextOptions()).simplify("He utilized it. Boom!")
    assert result.output == "He used it. Boom!"
    assert [(change.source, change.output, change.score) for change in result.changes] == [("utilized", "used", None)]
    assert result.warnings == ("left as it is (too loud): boom !",)


def test_of_a_long_sentence_without_a_derivation_only_the_words_that_differ_are_changes() -> None:
    text = "he utilized it . " * 50 + "he left ."
    result = Simplifier(Reverser(), TextOptions(), Options(tokenized=True)).simplify(text.strip())
    assert [change.source for change in result.changes] == ["utilized"] * 50


def model_of(folder: Path, rules: str) -> Path:
    """A bundle of these rules, without a language model."""
    (folder / "rules").write_text("".join(f"{rule} ||| p=1\n" for rule in rules.splitlines()))
    (folder / "model.yaml").write_text("format: 1\ngrammars: [{path: rules}]\nweights: {p: 1}\n")
    return folder


@pytest.mark.parametrize(("label", "moved"), [("NN", "mill"), ("NNP", "Mill")])
def test_a_first_word_keeps_its_capital_if_its_rule_says_that_it_is_a_name(
    tmp_path: Path, label: str, moved: str
) -> None:
    rules = f"[{label}] ||| mill ||| mill\n[X] ||| [{label},1] works ||| there works [{label},1]"
    assert Simplifier.load(model_of(tmp_path, rules)).simplify("Mill works.").output == f"There works {moved}."


def test_a_word_around_a_gap_that_its_rule_does_not_change_stays_as_it_is_written(tmp_path: Path) -> None:
    """Also without an alignment, and though words with soft hyphens are matched without them."""
    model = model_of(tmp_path, "[X] ||| [X,1] 's population ||| the population of [X,1]")
    assert (
        Simplifier.load(model).simplify("He saw Ulm's popu\u00adlation.").output
        == "He saw the popu\u00adlation of Ulm."
    )


def test_nothing_is_kept_of_each_line(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What may be remembered is bounded: with low bounds, less than one object a line is left behind."""
    monkeypatch.setattr("sbmt.decoder.base.ForestDecoder.most_remembered", 200)
    for bound in (
        "decoder.parsing.grammar_view._MAX_CACHED",
        "decoder.penalties._MAX_CACHED",
        "ppdb.grammar._MAX_CACHED_RULES",
    ):
        monkeypatch.setattr(f"sbmt.{bound}", 50)
    simplifier = Simplifier.load(bundle)
    blocks = []
    for lines in (range(200), range(200, 550)):
        for number in lines:
            simplifier.simplify_line(f"An enormous dog{number} utilized numerous cat{number}s.")
        gc.collect()
        blocks.append(sys.getallocatedblocks())
    assert blocks[1] - blocks[0] < 350


def test_code_and_blocks_of_code_stay(bundle: Path) -> None:
    text = "Numerous `numerous` tools.\n```\nnumerous tools\n```\nNumerous {numerous} tools."
    simpler = "Many `numerous` tools.\n```\nnumerous tools\n```\nMany {numerous} tools."
    assert Simplifier.load(bundle).simplify(text).output == simpler
    lines = [shown for _, shown, _ in simplified_lines(Request(str(bundle)), text.split("\n"), jobs=2)]
    assert "\n".join(lines) == simpler
    free = Simplifier.load(bundle, Options(unprotected=("code",)))
    assert free.simplify(text).output == simpler.replace("numerous", "many")


def test_tokens_are_no_code(bundle: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Nor is it said that the rest is kept."""
    tokens = Simplifier.load(bundle, Options(tokenized=True))
    assert tokens.simplify("~~~ numerous tools\nnumerous tools").output == "~~~ many tools\nmany tools"
    assert not caplog.messages


class _Repeating:
    """A model that gives the same output as often as it is asked for."""

    def translate(self, words: list[str], nbest: int = 1, constraints: object = ()) -> list[Hypothesis]:
        return [Hypothesis(tuple(words), 0.0)] * nbest


def test_a_model_that_repeats_itself() -> None:
    result = Simplifier(_Repeating(), TextOptions(), Options(nbest=2)).simplify("He utilized tools.")
    assert [candidate.output for candidate in result.nbest] == ["He utilized tools."]


def test_a_simplifier_stays_in_its_process(simplifier: Simplifier) -> None:
    with pytest.raises(TypeError, match="a Simplifier cannot be copied or pickled: load one in each process"):
        pickle.dumps(simplifier)
