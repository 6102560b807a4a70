"""Features of one's own that a model names: they count like those given to a decoder, and their mistakes are named."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sbmt.cli.decode import main
from sbmt.decoder.base import ForestDecoder
from sbmt.errors import ModelError, SbmtError
from sbmt.model import Model

DOCUMENT = Path(__file__).parents[2] / "docs/decoder.md"
RULES = "[X] ||| aid ||| assistance ||| p(e|f)=1 ||| 0-0\n[X] ||| aid ||| help ||| p(e|f)=1.5 ||| 0-0\n"
COUNTING = """
class Longer:
    def rule_values(self, rules, owners):
        return "Longer", rules.words > 1

class Letters:
    name = "Letters"

    def states(self):
        return self

    def combine(self, target, tails):
        return float(sum(len(word) for word in target if isinstance(word, str) and word[0] != "<")), 0

    def score(self, words):
        return float(sum(map(len, words)))
"""
KINDS = pytest.mark.parametrize("kind", ["scfg", "phrase"])


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A module of one's own, `own`, that can be imported in this test only."""
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path / "own.py"
    sys.modules.pop("own", None)


def decoder_with(folder: Path, features: str, weights: str, kind: str = "scfg", rules: str = RULES) -> ForestDecoder:
    """That of a model beside the module. A word that is passed through costs 9."""
    (folder / "rules").write_text(rules, encoding="utf-8")
    text = f"format: 1\ndecoder: {{kind: {kind}}}\ngrammars: [{{path: rules}}]\nfeature_functions: [{features}]\n"
    weights = f'weights: {{"p(e|f)": -1, "OOVPenalty": -9, {weights}}}\n'
    (folder / "model.yaml").write_text(text + weights, encoding="utf-8")
    decoder = Model.load(folder).translator()
    assert isinstance(decoder, ForestDecoder)
    return decoder


@KINDS
def test_the_example_of_the_documentation(own: Path, kind: str) -> None:
    example = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)[1]
    own.write_text(example, encoding="utf-8")
    for weight, text, score in ((0.0, "assistance", -1.0), (-1.0, "help", -1.5), (-0.25, "assistance", -1.25)):
        decoder = decoder_with(own.parent, '"own:LongWords"', f"LongWords: {weight}", kind)
        [best] = decoder.translate(["aid"])
        assert (best.text, best.score) == (text, pytest.approx(score))
        assert best.features.get("LongWords", 0.0) == (text == "assistance")


@KINDS
def test_features_of_rules_and_of_the_output(own: Path, kind: str) -> None:
    own.write_text(COUNTING, encoding="utf-8")
    rules = RULES + "[X] ||| aid ||| a bit ||| p(e|f)=4 ||| 0-0\n"
    decoder = decoder_with(own.parent, '"own:Letters", "own:Longer"', "Letters: -0.1, Longer: 3", kind, rules)
    hypotheses = decoder.translate(["aid"], nbest=3)
    assert [h.text for h in hypotheses] == ["a bit", "help", "assistance"]
    assert [h.score for h in hypotheses] == pytest.approx([-4 - 0.4 + 3, -1.5 - 0.4, -1 - 1.0])
    assert [h.features["Letters"] for h in hypotheses] == [4, 4, 10]
    assert [h.features.get("Longer") for h in hypotheses] == [1, None, None]


def test_one_that_forbids_and_one_that_narrows(own: Path) -> None:
    """-inf forbids a join; a `swing` lets the search be narrow, as for a language model."""
    forbids = COUNTING.replace("return float(sum", 'return (float("-inf") if "help" in target else 0.0) + float(sum', 1)
    own.write_text(forbids + "\n\nclass Narrow(Letters):\n    swing = 2.0\n", encoding="utf-8")
    decoder = decoder_with(own.parent, '"own:Letters"', "Letters: 0.01")
    assert not hasattr(decoder.language_models[0], "swing")
    assert [h.text for h in decoder.translate(["aid"], nbest=9)] == ["assistance", "aid"]
    decoder = decoder_with(own.parent, '"own:Narrow"', "Letters: 0.01")
    assert getattr(decoder.language_models[0], "swing", None) == 2.0


STATEFUL = "class F:\n  name = 'F'\n  def score(self, words): return 0\n  def states(self): return self\n"


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("G = 1", r"F: no feature of that name, of a module here or on PYTHONPATH: .*own\.py has none"),
        ("F = 1", r"F is no class or function that makes a feature"),
        ("class F: pass", r"F makes no feature: it has none of values, rule_values and states"),
        ("def F(word): pass", r"F fails: TypeError\(.*'word'.*\)"),
        ("def F():\n    raise KeyError(3)", r"F fails: KeyError\(3\) \(.*own\.py, line 2\)"),
        ("class F:\n  def values(self, s, a):\n    yield 0, 'F', s[9]", r"F fails: IndexError.*own\.py, line 3\)"),
        ("class F:\n  def values(self, s, a): yield len(a), 'F', 1", r"F: there is no application (\d+) of \1$"),
        ("class F:\n  def values(self, s, a): return [(0, 'F', float('nan'))]", r"F gives F the value nan in 'aid'"),
        ("class F:\n  def values(self, s, a): yield 0, 1.0", r"F: values yields \(0, 1\.0\) instead of \(num"),
        ("class F:\n  def values(self, s, a): yield 0, 'F', 'x'", r"F: values yields \(0, 'F', 'x'\) instead of"),
        ("class F:\n  names = 'F'\n  def values(self, s, a): return []", r"F: names is 'F', not a list of names"),
        ("class F:\n  names = None\n  def values(self, s, a): return []", r"F: names is None, not a list of names"),
        ("class F:\n  def rule_values(self, r, o): return 'F', [1.0]", r"F gives F no column of \d+ finite values"),
        ("class F:\n  def rule_values(self, r, o): return 1 / 0", r"F fails: ZeroDivisionError.*own\.py, line 2\)"),
        ("class F:\n  def states(self): return self", r"F fails: AttributeError\(.*'name'"),
        ("class F:\n  name = 'F'\n  def states(self): return self", r"F fails: AttributeError\(.*'score'"),
        (STATEFUL + "  swing = None", r"F fails: TypeError"),
        (STATEFUL + "  def combine(self, t, s): return 1e999, 0", r"F gives the value inf for "),
        (STATEFUL + "  def combine(self, t, s): return float('nan'), 0", r"F gives the value nan for "),
        (STATEFUL + "  swing = 1\n  def combine(self, t, s): return -1e999, 0", r"F gives the value -inf for "),
        (STATEFUL + "  def combine(self, t, s): return 0, []", r"F fails: TypeError\(.*unhashable"),
        (STATEFUL + "  def combine(self, t, s): return t[9], 0", r"F fails: IndexError.*own\.py, line 5\)"),
        (STATEFUL.replace("0", "9e999") + "  def combine(self, t, s): return 0, 0", r"F: score gives inf for 'a"),
        (STATEFUL + "  def combine(self, t, s): return t[0] == '<s>', 0", r"F: score gives 0 .*, and .* up to 1: they"),
    ],
)
def test_mistakes_are_named(own: Path, code: str, message: str) -> None:
    own.write_text(code, encoding="utf-8")
    with pytest.raises(SbmtError, match=f"own:{message}"):
        decoder_with(own.parent, '"own:F"', "F: 1").translate(["aid"])


DOUBLED = """
class Doubled:
    name = "Doubled"

    def states(self):
        return self

    def combine(self, target, tails):
        words = [word for symbol in target for word in ([symbol] if isinstance(symbol, str) else tails[symbol])]
        return self.score(words) - sum(map(self.score, tails)), KEPT

    def score(self, words):
        return float(sum(first == second for first, second in zip(words, words[1:])))
"""


@KINDS
@pytest.mark.parametrize(("kept", "is_refused"), [("tuple(words)", False), ("(words[-1],)", True)])
def test_a_state_that_lacks_the_first_word(own: Path, kind: str, kept: str, is_refused: bool) -> None:
    """Search joined single words to the output and got the right value; phrases of two words would have a wrong one."""
    own.write_text(DOUBLED.replace("KEPT", kept), encoding="utf-8")
    decoder = decoder_with(own.parent, '"own:Doubled"', "Doubled: -1", kind)
    if is_refused:
        message = "^own:Doubled: score gives 0 for 'b a b', and combine adds up to 1: they must agree"
        with pytest.raises(ModelError, match=message):
            decoder.translate(["b", "a", "b"])
    else:
        [best] = decoder.translate(["b", "b", "a", "b"])
        assert (best.score, best.features["Doubled"]) == (-37, 1)


def test_one_that_fails_ends_the_command_and_one_that_prints_does_not_write(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (own.parent / "text").write_text("aid\naid\n")
    for code, status, out in (("1 / 0", 2, ""), ("print('here')", 0, "assistance\nassistance\n")):
        own.write_text(f"class F:\n  def values(self, s, a):\n    {code}\n    return []\n", encoding="utf-8")
        sys.modules.pop("own", None)
        decoder_with(own.parent, '"own:F"', "F: 1")
        assert main(["-m", str(own.parent), str(own.parent / "text")]) == status
        captured = capsys.readouterr()
        assert captured.out == out
        assert ("own:F fails: ZeroDivisionError" in captured.err, "here" in captured.err) == (status == 2, status == 0)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nosuch:F", r"nosuch:F: no feature of that name, .* PYTHONPATH: there is no module nosuch$"),
        ("own", r"own: no name follows the module: write MODULE:NAME"),
        (":F", r":F: no module is named before the colon"),
    ],
)
def test_what_names_nothing(tmp_path: Path, name: str, message: str) -> None:
    with pytest.raises(SbmtError, match=f"model.yaml: feature_functions: {message}"):
        decoder_with(tmp_path, f'"{name}"', "F: 1")


@KINDS
@pytest.mark.parametrize("name", ["lm_0", "p(e|f)"])
def test_one_with_the_name_of_a_feature_that_is_there(own: Path, kind: str, name: str) -> None:
    """They would share a weight."""
    own.write_text(
        f"class F:\n  names = ['{name}']\n  def values(self, s, a): return []\n"
        "class G:\n  name = 'lm_0'\n  def score(self, words): return 0\n  def states(self): return self\n"
    )
    with pytest.raises(ModelError, match=f"^two features are called {re.escape(name)}: give the one of you"):
        decoder_with(own.parent, '"own:F", "own:G"', "LabelClash: 1", kind)


@KINDS
def test_two_with_the_same_name(own: Path, kind: str) -> None:
    own.write_text("class F:\n  names = ['F']\n  def values(self, s, a): return []\nclass G(F): pass\n")
    with pytest.raises(ModelError, match=r"^two features are called F: give the one of your own another name"):
        decoder_with(own.parent, '"own:F", "own:G"', "F: 1", kind)


@KINDS
def test_a_word_passed_through_is_no_change(tmp_path: Path, kind: str) -> None:
    [best] = decoder_with(tmp_path, "", "Changes: 1", kind).translate(["zorb", "aid"])
    assert (best.text, best.features["Changes"]) == ("zorb assistance", 1)


@KINDS
@pytest.mark.parametrize("name", ["LabelClash", "Changes", "WordPenalty", "PhrasePenalty_pt"])
@pytest.mark.parametrize(
    "code",
    [
        "  names = ['{name}']\n  def values(self, s, a): return []",
        "  def values(self, s, a): yield 0, '{name}', 1",
        "  def rule_values(self, r, o): return '{name}', r.words",
        "  name = '{name}'\n  def score(self, words): return 0\n  def states(self): return self",
    ],
)
def test_one_with_the_name_of_a_feature_that_the_decoder_computes(own: Path, kind: str, name: str, code: str) -> None:
    """The two would be added up, whether or not the model has a weight for them."""
    own.write_text("class F:\n" + code.format(name=name), encoding="utf-8")
    with pytest.raises(ModelError, match=f"own:F: the decoder has a feature {name} already: give yours another name$"):
        decoder_with(own.parent, '"own:F"', "", kind).translate(["aid"])
