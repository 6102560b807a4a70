"""Features of simplicity and of language models, on cases worked by hand and against their definitions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wordfreq import zipf_frequency

from sbmt.errors import FormatError, ModelError, SbmtError
from sbmt.features.annotation.annotate import Annotator
from sbmt.features.annotation.options import FeatureOptions
from sbmt.features.rule.language import LanguageModelScores
from sbmt.features.rule.simplicity import Simplicity
from sbmt.ppdb.formats import RuleParser
from sbmt.ppdb.rule import Rule
from sbmt.text.words.frequency import common_words, zipf
from sbmt.text.words.syllables import count_syllables

COMMON = frozenset("use the home of a".split())


def features(line: str) -> dict[str, float]:
    return dict(Annotator([Simplicity(COMMON)]).annotate(RuleParser().parse(line)).features)


def test_syllables_lengths_and_hard_words_by_hand() -> None:
    """util-i-za-tion of a / use of the [NN,1]: "of" is on both sides."""
    values = features("[NP] ||| utilization of a [NN,1] ||| use of the [NN,1]")
    assert {name: values.get(name, 0) for name in (
        "SourceSyl", "TargetSyl", "SylDiff", "SourceMaxWordSyl", "TargetMaxWordSyl", "MaxWordSylDiff",
        "SourceMaxWordLen", "TargetMaxWordLen", "MaxWordLenDiff", "SourceHardWord", "TargetHardWord", "HardWordDiff",
        "SourceCharCount", "TargetCharCount", "TargetCommonWords", "MaxDiffWordSylDiff", "MaxDiffWordLenDiff",
    )} == {
        "SourceSyl": 7, "TargetSyl": 3, "SylDiff": -4, "SourceMaxWordSyl": 5, "TargetMaxWordSyl": 1,
        "MaxWordSylDiff": -4, "SourceMaxWordLen": 11, "TargetMaxWordLen": 3, "MaxWordLenDiff": -8, "SourceHardWord": 1,
        "TargetHardWord": 0, "HardWordDiff": -1, "SourceCharCount": 17,
        "TargetCharCount": 11, "TargetCommonWords": 1, "MaxDiffWordSylDiff": -4,
        "MaxDiffWordLenDiff": -8,
    }  # fmt: skip
    assert values["SourceCommonWords"] == pytest.approx(2 / 3, abs=1e-5)


def test_the_catalogue_says_which_sign_is_simpler() -> None:
    """Fewer syllables, letters and hard words; more of what is common and frequent."""
    signs = {info.name: info.sign for info in Simplicity.info if info.name.endswith("Diff")}
    more = {"CommonWordsDiff", "ZipfDiff", "MinZipfDiff"}
    assert {name for name, sign in signs.items() if sign == "positive: simpler"} == more
    assert {name for name, sign in signs.items() if sign == "negative: simpler"} == signs.keys() - more


def test_frequencies() -> None:
    values = features("[VB] ||| utilize ||| use")
    assert values["ZipfDiff"] == values["MinZipfDiff"] == pytest.approx(zipf("use") - zipf("utilize"), abs=1e-5)
    assert zipf("the") > 7 > zipf("use") > zipf("utilize") > 0 == zipf("qqqxqqz")


@pytest.mark.parametrize("word", ["the", "house", "Paris", "well-known", "qqqxqqz", "1984", "don't", "ca", "``", "é"])
def test_frequencies_are_those_of_wordfreq(word: str) -> None:
    assert zipf(word) == zipf_frequency(word, "en")


WORDS = st.lists(st.sampled_from("use the home utilization qqqxqqz 1984 don't well-known é".split()), max_size=4)


@given(WORDS.filter(bool), WORDS)
def test_against_the_definitions(source: list[str], target: list[str]) -> None:
    """Every feature of the catalogue in its place, by the plainest formula."""
    family = Simplicity(COMMON)
    got = dict(zip((i.name for i in family.info), family.values(Rule("X", tuple(source), tuple(target))), strict=True))
    both = set(source) & set(target)
    expected: dict[str, float] = {}
    for side, words in (("Source", source), ("Target", target)):
        hard = [word for word in words if word.isalpha() and word not in COMMON]
        unshared = [word for word in words if word not in both]
        expected |= {
            f"{side}CharCount": len(" ".join(words)),
            f"{side}Syl": sum(map(count_syllables, words)),
            f"{side}MaxWordSyl": max(map(count_syllables, words), default=0),
            f"{side}MaxWordLen": max(map(len, words), default=0),
            f"{side}HardWord": len(hard),
            f"{side}CommonWords": 1 - len(hard) / len(words) if words else 0,
            f"{side}Zipf": sum(map(zipf, words)) / max(len(words), 1),
            f"{side}MinZipf": min(map(zipf, words), default=0),
            f"{side}MaxDiffWordSyl": max(map(count_syllables, unshared), default=0),
            f"{side}MaxDiffWordLen": max(map(len, unshared), default=0),
        }
    for key in [name.removeprefix("Source") for name in expected if name.startswith("Source")]:
        expected[f"{key}Diff"] = expected[f"Target{key}"] - expected[f"Source{key}"]
    assert got == pytest.approx({name: expected[name] for name in got}, abs=2e-5)


def test_an_empty_side_counts_as_nothing() -> None:
    values = features("[X] ||| however ||| [X,1]".replace(" [X,1]", " "))
    assert "TargetSyl" not in values
    assert values["SylDiff"] == -values["SourceSyl"]


def test_default_common_words() -> None:
    common = common_words(3000)
    assert {"the", "home", "use"} <= common
    assert not {"utilization", "commence"} & common
    assert Simplicity().common == common


def test_a_list_of_common_words(tmp_path: Path) -> None:
    (tmp_path / "easy").write_text("# the easy ones\n\nDwelling\r\n home # and hearth\n10,000\n")
    assert FeatureOptions(common_words=str(tmp_path / "easy")).read_common_words() == {"dwelling", "home", "10,000"}


@pytest.mark.parametrize("line", ["house\t1204", "house 1204", "ice cream", "house,1204", "1204;house", "house, home"])
def test_a_list_of_common_words_has_one_a_line(tmp_path: Path, line: str) -> None:
    (tmp_path / "easy").write_text(f"# word\nuse\n{line}\n")
    message = f"easy, line 3: {line!r} is more than one word (one word a line: of a table, cut -f 1 keeps the first "
    with pytest.raises(FormatError, match=re.escape(message)):
        FeatureOptions(common_words=str(tmp_path / "easy")).read_common_words()


def test_other_languages() -> None:
    """Ge-bäu-de by its hyphenation points; Haus is common enough, if a capital does not hide it."""
    german = Annotator([Simplicity(frozenset(["haus"]), "de")])
    values = german.annotate(RuleParser().parse("[NN] ||| Gebäude ||| Haus")).features
    assert (values["SourceSyl"], values["TargetSyl"], values["HardWordDiff"]) == (3, 1, -1)
    assert values["TargetZipf"] == zipf("Haus", "de") > zipf("Haus")
    for language, lacking in (("xx", "syllables"), ("eo", "word frequencies")):
        with pytest.raises(SbmtError, match=f"no {lacking} for language '{language}'"):
            Simplicity(language=language)


def test_language_model_scores(tmp_path: Path) -> None:
    arpa = tmp_path / "lm.arpa"
    arpa.write_text(
        "\\data\\\nngram 1=5\nngram 2=1\n\n\\1-grams:\n-3\t<unk>\n-9\t<s>\t0\n-1\t</s>\n-1\tbuy\t-0.5\n-2\tit\t0\n\n"
        "\\2-grams:\n-0.25\tbuy it\n\n\\end\\\n"
    )
    annotator = Annotator([LanguageModelScores("Giga", arpa)])
    rule = annotator.annotate(RuleParser().parse("[VB] ||| purchase it ||| buy it"))
    ln10 = 2.302585
    assert rule.features == pytest.approx(
        {"SourceGigaLM": -5 * ln10, "TargetGigaLM": -1.25 * ln10, "GigaLMDiff": 3.75 * ln10}, abs=1e-4
    )
    assert [info.name for info in annotator.info] == ["SourceGigaLM", "TargetGigaLM", "GigaLMDiff"]
    with pytest.raises(ModelError, match="absent"):
        LanguageModelScores("Giga", tmp_path / "absent")
