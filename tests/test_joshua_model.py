"""Models made of Joshua configurations decode as these do."""

from __future__ import annotations

import math
from itertools import islice
from pathlib import Path

import pytest

from sbmt.decoder.decoder import Decoder
from sbmt.decoder.joshua import load_joshua
from sbmt.errors import FormatError, SbmtError
from sbmt.io import read_lines
from sbmt.joshua_model import joshua_model
from sbmt.model import Model
from tests.corpora import CASES, needs_cases
from tests.decoder.brute_force import write_arpa

CONFIG = """\
tm = thrax pt 12 grammar
tm = thrax glue -1 grammar.glue
lm = kenlm 3 true false 100 lm.arpa
feature-function = WordPenalty
feature-function = OOVPenalty
feature-function = PhrasePenalty -owner pt
lm_0 0.7
tm_pt_0 1
tm_glue_0 0.25
OOVPenalty -2
WordPenalty -1
PhrasePenalty -0.3
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "grammar").write_text("[X] ||| a [X,1] ||| b [X,1] ||| 0.5\n[X] ||| c ||| d e ||| 2\n")
    (tmp_path / "grammar.glue").write_text(
        "[GOAL] ||| <s> ||| <s> ||| 0\n[GOAL] ||| [GOAL,1] [X,2] ||| [GOAL,1] [X,2] ||| -1\n"
        "[GOAL] ||| [GOAL,1] </s> ||| [GOAL,1] </s> ||| 0\n"
    )
    write_arpa(tmp_path / "lm.arpa", seed=1)
    (tmp_path / "joshua.config").write_text(CONFIG)
    return tmp_path


def assert_same_outputs(config: Path, model: Model, sentence: str) -> None:
    decoders = load_joshua(config).decoder, model.translator()
    ours, theirs = ([(h.text, h.score) for h in decoder.translate(sentence.split(), 10)] for decoder in decoders)
    assert [text for text, _ in ours] == [text for text, _ in theirs]
    assert [score for _, score in ours] == pytest.approx([score for _, score in theirs])


OLDER = CONFIG.replace("feature-function = WordPenalty\n", "pop-limit = 7\nmaxlen = 40\n")
NEWER = CONFIG.replace("thrax pt 12 grammar", "thrax -owner pt -maxspan 12 -path grammar").replace("y -2", "y 0.02")


FULL_STATE = CONFIG.replace("kenlm 3 true", "kenlm 3 false")
LOWER_ORDER = CONFIG.replace("kenlm 3 true", "kenlm 2 true")  # with left state alone it is that of the file


@pytest.mark.parametrize("text", [CONFIG, OLDER, NEWER, FULL_STATE, LOWER_ORDER])
def test_outputs_and_scores_are_equal(folder: Path, text: str) -> None:
    (folder / "joshua.config").write_text(text)
    model = joshua_model(folder / "joshua.config").save(folder / "model")
    assert_same_outputs(folder / "joshua.config", Model.load(folder / "model"), "a c f A")
    assert isinstance(model.translator(), Decoder)
    assert model.config.weights["lm_0"] == pytest.approx(0.7 / math.log(10))
    assert model.config.decoder.settings["pop_limit"] == (7 if text == OLDER else 100)


@pytest.mark.parametrize(
    ("line", "because"),
    [
        ("search = stack", "of search = stack"),
        ("oov-list = X 1\ntm = moses -owner pt -maxspan 0 -path table", "of oov-list, and of the phrase table .*table"),
        ("tm = thrax -owner pt -maxspan 0 -path table", "of the phrase table .*table"),
        ("oov-list = X 1 NN 2", "of oov-list"),
        ("lm = kenlm 2 false false 100 lm.arpa", r"of the order 2, which is not that of .*lm\.arpa"),
    ],
)
def test_what_no_model_can_say_is_refused(folder: Path, line: str, because: str) -> None:
    (folder / "table").write_text("# a list\nc ||| f ||| 0.5 0.2 0.5 0.2\n")
    (folder / "joshua.config").write_text(f"{CONFIG}{line}\n")
    with pytest.raises(FormatError, match=f"cannot be a model, because {because} \\(decode with sbmt-decode -c\\)"):
        joshua_model(folder / "joshua.config")


def test_a_model_has_glue(folder: Path) -> None:
    (folder / "joshua.config").write_text(CONFIG.replace("thrax glue", "thrax paste"))
    with pytest.raises(FormatError, match="because of its grammars, none of which has the owner glue"):
        joshua_model(folder / "joshua.config")


def test_weights_that_are_idle_stay_so(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    """In a model Changes and PhrasePenalty_glue are features because they have weights."""
    added = "feature-function = PhrasePenalty -owner glue\nChanges 1\nPhrasePenalty_glue 1\ntm_pt_7 1\npop_limit = x\n"
    (folder / "joshua.config").write_text(CONFIG + added.replace("pop_limit = x", "frobnicate = 1"))
    model = joshua_model(folder / "joshua.config")
    assert caplog.messages == ["options that are not known here and left out: frobnicate"]
    names = ["lm_0", "tm_pt_0", "tm_glue_0", "OOVPenalty", "WordPenalty", "PhrasePenalty_pt", "PhrasePenalty_glue"]
    assert sorted(model.config.weights) == sorted(names)
    assert model.config.weights["PhrasePenalty_glue"] == model.config.weights["PhrasePenalty_pt"] == -0.3
    assert_same_outputs(folder / "joshua.config", Model.load(model.save(folder / "model").folder), "a c f A")


@pytest.mark.parametrize("again", ["PhrasePenalty", "phrasepenalty -owner pt", "WordPenalty -frobnicate 1"])
def test_a_function_written_in_two_ways_counts_once(folder: Path, again: str) -> None:
    """By hand: one rule of `pt`, its value -2, glue of value 1, and log10(e) for each of 4 words, marks included."""
    config = folder / "joshua.config"
    config.write_text(CONFIG.replace("lm_0 0.7\n", "") + f"feature-function = {again}\n")
    (best, *_) = load_joshua(config).decoder.translate(["c"])
    assert best.text == "d e"
    assert best.score == pytest.approx(-0.3 - 2 + 0.25 + 4 * math.log10(math.e))
    assert_same_outputs(config, joshua_model(config), "a c f A")


def label(folder: Path, name: str) -> None:
    (folder / "grammar").write_text(f"[X] ||| a [X,1] ||| b [X,1] ||| {name}=0.5\n[X] ||| c ||| d e ||| {name}=2\n")


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("Changes", "OOVPenalty -2", "Changes 1"),
        ("WordPenalty", "feature-function = WordPenalty\n", ""),
        ("OOVPenalty", "feature-function = OOVPenalty\n", ""),
        ("OOVPenalty", "thrax pt 12 grammar", "thrax -owner pt -maxspan 12 -path grammar"),  # of 6: -100 a word
        ("PhrasePenalty_pt", "", ""),
    ],
)
def test_a_value_with_the_name_of_a_models_feature_is_refused(folder: Path, name: str, old: str, new: str) -> None:
    """The model would add its own to it, so that scores would differ; by another name it can be made."""
    for called in (name, "mine"):
        label(folder, called)
        (folder / "joshua.config").write_text(CONFIG.replace(old, new) if old else CONFIG)
        if called == name:
            with pytest.raises(SbmtError, match=rf"values called {name}\b.*\(give .*another name"):
                joshua_model(folder / "joshua.config")
    assert_same_outputs(folder / "joshua.config", joshua_model(folder / "joshua.config"), "a c f A")


def test_a_value_with_the_name_of_a_language_model_is_refused_for_decoding_too(folder: Path) -> None:
    label(folder, "lm_0")
    with pytest.raises(SbmtError, match="rules have a feature lm_0, which is also the decoder's own: rename it"):
        joshua_model(folder / "joshua.config")


@pytest.mark.parametrize("name", ["WordPenalty", "OOVPenalty", "PhrasePenalty", "Changes", "mine"])
def test_a_value_that_both_add_up_alike_stays(folder: Path, name: str) -> None:
    """Changes has no weight here."""
    label(folder, name)
    assert_same_outputs(folder / "joshua.config", joshua_model(folder / "joshua.config"), "a c f A")


@needs_cases
def test_a_ppdb_like_configuration() -> None:
    folder = CASES / "ppdb100"
    for config in ("joshua.config", "joshua6.config"):
        model = joshua_model(folder / config)
        for line in islice(read_lines(folder / "input"), 5):
            assert_same_outputs(folder / config, model, line)
