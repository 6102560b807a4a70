"""Language model states: joined piece by piece a sentence scores as KenLM scores it whole; equal states stay equal."""

from __future__ import annotations

import math
import random
import weakref
from pathlib import Path

import kenlm
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbmt.lm.model import LanguageModel
from sbmt.lm.states import States
from tests.decoder.brute_force import write_arpa

MODELS = [(0, 3, None, 0), (1, 4, None, 0), (2, 3, 2, 0), (3, 2, None, 0), (4, 5, 3, 0), (5, 3, 1, 0), (6, 5, 4, 0)]
WEIGHTLESS = [(12, 3, None, 0.8), (18, 4, None, 0.5), (18, 5, None, 0.5)]


@pytest.fixture(scope="module", params=[*MODELS, *WEIGHTLESS])
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> LanguageModel:
    seed, order, used, weightless = request.param
    vocabulary = "abc" if weightless else "abcdef"
    path = write_arpa(tmp_path_factory.mktemp("lm") / "m.arpa", seed, vocabulary, order, weightless)
    return LanguageModel(path, order=used)


ARPA = """\\data\\
ngram 1=4
ngram 2=1

\\1-grams:
-2	<unk>
0	<s>	-0.25
-1	</s>
-0.75	a	-0.1

\\2-grams:
-0.5	<s> a

\\end\\
"""
words = st.lists(st.sampled_from("abcdefz"), max_size=7)


def test_a_model_is_freed_with_its_last_user(tmp_path: Path) -> None:
    """The file is mapped as long as it lives, and what a process holds when it settles is never collected."""
    (tmp_path / "m.arpa").write_text(ARPA)
    model = LanguageModel(tmp_path / "m.arpa")
    states, seen = model.states(), weakref.ref(model)
    states.combine(("a", "a"), ())
    del model, states
    assert seen() is None


def pieces(states: States, text: list[str], chance: random.Random) -> tuple[float, int]:
    """Value and state of `text`, joined in a random tree."""
    if len(text) < 2 or chance.random() < 0.2:
        return states.combine(text, ())
    k = chance.randint(0, len(text))
    (left, first), (right, second) = pieces(states, text[:k], chance), pieces(states, text[k:], chance)
    if chance.random() < 0.5:
        value, state = states.appender()(first, second)
    else:
        value, state = states.combine((0, 1), (first, second))
    return left + right + value, state


@settings(max_examples=80, deadline=None, derandomize=True)
@given(text=words, seed=st.integers(0, 1000))
def test_any_way_of_joining_gives_the_sentence_score(model: LanguageModel, text: list[str], seed: int) -> None:
    states = model.states()
    value, state = pieces(states, text, random.Random(seed))
    begun, state = states.combine(("<s>", 0, "</s>"), (state,))
    assert value + begun == pytest.approx(model.score(text), abs=1e-4)
    assert sum(model.word_scores(text)) == pytest.approx(model.score(text), abs=1e-4)


def written(path: Path, *sections: list[str]) -> Path:
    """An ARPA file of these lines, by order."""
    head = "".join(f"ngram {n}={len(lines)}\n" for n, lines in enumerate(sections, 1))
    body = "".join(f"\\{n}-grams:\n" + "\n".join(lines) + "\n\n" for n, lines in enumerate(sections, 1))
    path.write_text(f"\\data\\\n{head}\n{body}\\end\\\n")
    return path


@pytest.mark.parametrize(
    ("changed", "to", "heavy"),
    [
        ("", "", "b"),
        ("<unk>", "<UNK>", "b"),
        ("\ta b\t", "\ta <unk>\t", "abc"),  # any word might be unknown
        ("\tb\n", "\tb\t-0.1\n", ""),  # it has a weight itself
        ("\tc w2\n", "\tb c\n", ""),  # a longer one begins with it
        ("\tc w0 w1\n", "\ta b c\n", ""),  # to which KenLM adds "b c"
    ],
)
def test_a_weight_counts_though_the_end_of_its_ngram_has_none(
    tmp_path: Path, changed: str, to: str, heavy: str
) -> None:
    """The "a" before "b c" counts because "a b" has a weight, though after "b" alone KenLM's state is empty."""
    unigrams = ["-1\t<unk>", "-99\t<s>\t-0.2", "-1\t</s>", "-1\ta\t-0.3", "-1\tb", "-1\tc\t-0.4"]
    fillers = [f"w{i}" for i in range(20)]
    unigrams += [f"-3\t{filler}" for filler in fillers]
    bigrams = ["-0.5\ta b\t-2", "-0.3\tc b", *(f"-1.5\tc {filler}" for filler in fillers)]
    path = written(tmp_path / "m.arpa", unigrams, bigrams, ["-0.1\tc w0 w1"])
    path.write_text(path.read_text().replace(changed, to))
    model = LanguageModel(path, log10=True)
    assert [word for word in "abc" if model.ends_heavily(word)] == list(heavy)
    states = model.states()
    for text in ("x a b c", "a b b a", "a x c b a c", "c b c"):
        words = text.split()
        for k in range(len(words) + 1):
            (left, first), (right, second) = states.combine(words[:k], ()), states.combine(words[k:], ())
            added, _ = states.combine(("<s>", 0, 1, "</s>"), (first, second))
            assert left + right + added == pytest.approx(kenlm.Model(str(path)).score(text), abs=1e-4)


@pytest.mark.parametrize("unknown", ["<unk>", "<UNK>"])
def test_the_end_of_an_ngram_may_be_missing(tmp_path: Path, unknown: str) -> None:
    """KenLM takes "a b c" without "b c", and both spellings of the unknown word."""
    fillers = [f"a w{i}" for i in range(20)]
    unigrams = [f"-1\t{unknown}", "-99\t<s>\t-0.3", "-1\t</s>", *(f"-2\t{w}\t-0.2" for w in "abc")]
    unigrams += [f"-3\tw{i}\t-0.1" for i in range(20)]
    bigrams = ["-0.5\ta b\t-0.4", f"-0.01\ta {unknown}", *(f"-1.5\t{filler}\t-0.1" for filler in fillers)]
    model = LanguageModel(written(tmp_path / "m.arpa", unigrams, bigrams, ["-0.2\ta b c"]))
    states = model.states()
    for text in (["a", "b", "c"], ["a", "x"], ["a", "b", "x", "c"]):
        left, first = states.combine(text[:-1], ())
        right, second = states.combine(text[-1:], ())
        added, _ = states.combine(("<s>", 0, 1, "</s>"), (first, second))
        assert left + right + added == pytest.approx(model.score(text), abs=1e-4)


@settings(max_examples=80, deadline=None, derandomize=True)
@given(text=words)
def test_an_order_below_the_files_sees_fewer_words(model: LanguageModel, text: list[str]) -> None:
    """Against KenLM itself, asked for each word after the order - 1 words before it."""
    file, history = kenlm.Model(model.path), ["<s>", *text]
    for k, (word, value) in enumerate(zip([*text, "</s>"], model.word_scores(text), strict=True)):
        context = history[max(k + 2 - model.order, 0) : k + 1]
        after, state = kenlm.State(), kenlm.State()
        file.NullContextWrite(state)
        if context[:1] == ["<s>"]:
            file.BeginSentenceWrite(state)
        for earlier in context[context[:1] == ["<s>"] :]:
            file.BaseScore(state, earlier, after)
            state, after = after, state
        assert value == pytest.approx(file.BaseScore(state, word, after) * math.log(10), abs=1e-4)


@settings(max_examples=80, deadline=None, derandomize=True)
@given(one=words, other=words, before=words, after=words)
def test_equal_states_have_equal_futures(
    model: LanguageModel, one: list[str], other: list[str], before: list[str], after: list[str]
) -> None:
    states = model.states()
    (_, first), (_, second) = states.combine(one, ()), states.combine(other, ())
    futures = [states.combine((*before, 0, *after), (state,)) for state in (first, second)]
    truth = [
        sum(v for v, _ in [states.combine((*before, *text, *after), ())]) - states.combine(text, ())[0]
        for text in (one, other)
    ]
    assert [value for value, _ in futures] == pytest.approx(truth, abs=1e-4)
    if first == second:
        assert futures[0] == futures[1]


def test_values_are_natural_logarithms_unless_asked_otherwise(tmp_path: Path) -> None:
    path = tmp_path / "one.arpa"
    path.write_text(ARPA)
    assert LanguageModel(path, log10=True).score(["a", "z"]) == pytest.approx(-3.6)
    assert LanguageModel(path).score(["a", "z"]) == pytest.approx(-3.6 * math.log(10))
    assert LanguageModel(path, log10=True).score(["a b"], end=False) == pytest.approx(-2.25)  # one unknown token


def test_words_with_unicode_spaces_are_one_word(tmp_path: Path) -> None:
    """In an ARPA file only ASCII white space separates words."""
    word = "a\u00a0a"
    (tmp_path / "m.arpa").write_text(ARPA.replace("\ta", f"\t{word}").replace("<s> a", f"<s> {word}"))
    model = LanguageModel(tmp_path / "m.arpa")
    states = model.states()
    value, state = states.combine([word], ())
    added, _ = states.combine(["<s>", 0], [state])
    assert value + added == pytest.approx(-0.5 * math.log(10))
