"""The feature column: a parser that has learnt a file's names reads any text as one that goes word by word."""

from __future__ import annotations

import pickle
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbmt.ppdb.feature_text import FeatureParser, ReadFeatures
from sbmt.ppdb.rule import BAR

ENOUGH = 64  # texts with the same names, of which a parser learns these


def learnt(*texts: str) -> FeatureParser:
    parser = FeatureParser("pt")
    for text in texts:
        for _ in range(ENOUGH):
            parser.parse(text)
    return parser


def outcome(parser: FeatureParser, text: str) -> tuple[dict[str, float], str] | str:
    """Return the values and the text of parsed features, or the error message."""
    try:
        features = parser.parse(text)
    except ValueError as error:
        return str(error)
    return dict(features), ReadFeatures.of(features).text


def values(text: str) -> dict[str, float]:
    """Return the values of a well-formed text."""
    pairs = (field.rpartition("=") for field in text.split())
    return {name: float(number) for name, _, number in pairs if number != "NA"}


NAME = st.text("abXY(|,)-.0=\\[é", min_size=1, max_size=4).filter(lambda name: BAR not in name)
NAMES = st.lists(NAME, min_size=1, max_size=6, unique=True)
PLAIN = st.one_of(
    st.floats(-1e9, 1e9).map(repr), st.floats(-1e9, 1e9).map("{:.5f}".format), st.integers(-(10**9), 10**9).map(str)
)
ODD = "NA 1e9 1e10 1000000001 1000000000.5 1e-400 -0 +1 .5 5. 1e5 1_0 ٣ 0x1 - --1 1.2.3 inf -inf nan NA1 1=2 1=".split()


@given(NAMES, st.data())
def test_well_formed_texts(names: list[str], data: st.DataObject) -> None:
    """Values, order and text are those of the fields, also if names have `NA` or are left out."""
    parser = learnt(" ".join(f"{name}=1" for name in names))
    there = [name for name in names if data.draw(st.booleans())]
    text = " ".join(f"{name}={data.draw(PLAIN | st.just('NA'))}" for name in there)
    features = parser.parse(text)
    assert isinstance(features, ReadFeatures)
    assert features.text == text
    assert (list(features), len(features)) == (list(values(text)), len(values(text)))
    assert list(features.items()) == list(values(text).items())


@given(NAMES, NAMES, st.data())
def test_any_text(names: list[str], others: list[str], data: st.DataObject) -> None:
    """Numbers and names of every kind, twice, without name or in another order: the same values or complaint."""
    parser = learnt(" ".join(f"{name}=1" for name in names), " ".join(f"{name}=1" for name in others))
    field = st.builds(
        lambda name, equals, number: name + equals + number,
        st.sampled_from([*names, *others, ""]),
        st.sampled_from("====  "),
        PLAIN | st.sampled_from([*ODD, ""]),
    )
    text = " ".join(" ".join(data.draw(st.lists(field, max_size=8))).split())
    assert outcome(parser, text) == outcome(FeatureParser("pt"), text)


@pytest.mark.parametrize("number", [*ODD, ""])
def test_an_odd_number_among_known_names(number: str) -> None:
    text = f"a=1 b={number} c=2.5"
    assert outcome(learnt("a=1 b=2 c=3"), text) == outcome(FeatureParser("pt"), text)


@pytest.mark.parametrize("text", ["a=0.50 b=NA c=-2e-05", "c=1 a=0.5", ""])
def test_features_as_read_are_a_mapping(text: str) -> None:
    """They behave like the dictionary of the values, before and after these are parsed or pickled."""
    parser = learnt("a=1 b=2 c=3")
    expected = values(text)
    assert parser.parse(text) == expected
    assert expected == parser.parse(text)
    assert {**parser.parse(text)} == expected
    assert list(parser.parse(text).values()) == list(expected.values())
    assert ("a" in parser.parse(text), "b" in parser.parse(text)) == ("a" in expected, False)
    assert (parser.parse(text).get("a"), parser.parse(text).get("b", 7)) == (expected.get("a"), 7)
    read: Mapping[str, float] = pickle.loads(pickle.dumps(parser.parse(text)))
    assert isinstance(read, ReadFeatures)
    assert (read, read.text, repr(read)) == (expected, text, f"ReadFeatures({text!r})")


def test_added_features_replace_missing_values() -> None:
    features = learnt("a=1 b=2 c=3").parse("a=0.50 b=NA c=NA")
    assert isinstance(features, ReadFeatures)
    longer = features.extended({"b": 2.0, "new": 0.5})
    assert longer.text == "a=0.50 c=NA b=2 new=0.5"
    assert list(longer.items()) == [("a", 0.5), ("b", 2), ("new", 0.5)]
    assert ReadFeatures.of({"a": 0.5, "b": 2.0}).text == "a=0.5 b=2"


def test_added_features_replace_earlier_values() -> None:
    features = learnt("a=1 b=2 c=3").parse("a=0.50 b=1.0 c=2")
    assert isinstance(features, ReadFeatures)
    again = features.extended({"b": 3.0})
    assert (again.text, list(again.items())) == ("a=0.50 c=2 b=3", [("a", 0.5), ("c", 2), ("b", 3)])
