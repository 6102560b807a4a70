"""The decoder against brute force on random grammars and language models."""

from __future__ import annotations

import gc
import pickle
import random
from collections.abc import Iterable, Sequence
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbmt.decoder.decoder import Decoder
from sbmt.decoder.penalties import OovPenalty
from sbmt.decoder.result import Result
from sbmt.decoder.settings import Settings
from sbmt.features.sentence.application import Application, Value
from sbmt.lm.model import LanguageModel
from sbmt.ppdb.grammar import Grammar
from sbmt.ppdb.rule import Rule
from tests.decoder.brute_force import GLUE, best_outputs, derivations, write_arpa

WEIGHTS = {"f": -0.7, "g": 0.4, "glue": 0.3, "OOVPenalty": -1.5, "lm_0": 0.8, "lm_1": 0.3}
SHAPES = [
    (("a",), ("b",)),
    (("a",), ("a", "c")),
    (("b",), ()),
    (("a", "b"), ("d",)),
    (("b", "c"), ("c", "b")),
    (("[X,1]", "b"), ("d", "[X,1]")),
    (("a", "[X,1]"), ("[X,1]", "a")),
    (("[X,1]", "b", "[X,2]"), ("[X,2]", "e", "[X,1]")),
    (("[X,1]", "[X,2]"), ("[X,2]", "[X,1]")),
    (("[Y,1]", "c"), ("[Y,1]",)),
    (("[Y,1]",), ("f", "[Y,1]")),
    (("[Z,1]",), ("[Z,1]",)),
]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> list[LanguageModel]:
    folder = tmp_path_factory.mktemp("lm")
    orders = [(0, 3), (1, 2)]
    return [LanguageModel(write_arpa(folder / f"{n}.arpa", n, order=order), f"lm_{n}") for n, order in orders]


def random_rules(seed: int) -> list[Rule]:
    chance = random.Random(seed)
    rules = []
    for source, target in chance.sample(SHAPES, chance.randint(3, 8)):
        features = {"f": round(chance.random(), 2), "g": float(chance.randint(-1, 1))}
        unary = len(source) == 1 and source[0].startswith("[")
        lhs = {"[Y,1]": "X", "[Z,1]": "Y"}[source[0]] if unary else chance.choice("XXYZ")
        rules.append(Rule(lhs, source, target, features))
    return rules


def decoder_of(rules: list[Rule], models: list[LanguageModel], pop_limit: int = 0, limit: int = 4) -> Decoder:
    grammars = [Grammar.from_rules(rules, "pt", limit), Grammar.from_rules(GLUE, "glue", -1)]
    return Decoder(grammars, models, WEIGHTS, Settings(pop_limit=pop_limit), [OovPenalty()])


def limited(rules: list[Rule], limit: int = 4) -> list[tuple[Rule, int]]:
    return [*((rule, limit) for rule in rules), *((rule, -1) for rule in GLUE)]


sentences = st.lists(st.sampled_from("abc"), min_size=1, max_size=5)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10_000), words=sentences, n_models=st.integers(0, 2))
def test_exhaustive_search_is_enumeration(
    models: list[LanguageModel], seed: int, words: list[str], n_models: int
) -> None:
    rules = random_rules(seed)
    result = decoder_of(rules, models[:n_models]).decode(words)
    expected: dict[tuple[str, ...], float] = {}
    for output, score in derivations(words, limited(rules), WEIGHTS):
        text = output[1:-1]
        total = score + sum(WEIGHTS[model.name] * model.score(text) for model in models[:n_models])
        expected[text] = max(total, expected.get(text, total))
    scores = {hypothesis.words: hypothesis.score for hypothesis in result.nbest(10_000)}
    assert scores.keys() == expected.keys()
    assert scores == pytest.approx(expected)


@settings(max_examples=20, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10_000),
    words=st.lists(st.sampled_from("abc"), min_size=1, max_size=4),
    pop_limit=st.sampled_from([0, 10**6]),
    n_models=st.integers(0, 1),
)
def test_all_derivations_are_found_once(
    models: list[LanguageModel], seed: int, words: list[str], pop_limit: int, n_models: int
) -> None:
    """Whether all is searched at once or cells are looked into on demand, with a limit that is never reached.

    Without a language model, nodes have many derivations each.
    """
    rules = random_rules(seed)
    hypotheses = decoder_of(rules, models[:n_models], pop_limit).decode(words).nbest(100_000, unique=False)
    expected = derivations(words, limited(rules), WEIGHTS)
    scores = sorted(
        score + sum(WEIGHTS["lm_0"] * model.score(output[1:-1]) for model in models[:n_models])
        for output, score in expected
    )
    assert sorted(hypothesis.score for hypothesis in hypotheses) == pytest.approx(scores)


BESIDE = [  # phrases, and rules with gaps over the same words
    Rule("X", ("a",), ("b",), {"f": 0.4}),
    Rule("X", ("b",), ("c",), {"f": 0.9}),
    Rule("X", ("a", "b"), ("d",), {"f": 0.2}),
    Rule("X", ("a", "b"), ("e",), {"f": 0.8}),
    Rule("X", ("[X,1]", "b"), ("d", "[X,1]"), {"f": 0.5}),
    Rule("X", ("[X,1]", "c"), ("[X,1]", "f"), {"f": 0.1}),
    Rule("X", ("[X,1]", "c"), ("e", "[X,1]"), {"f": 0.2}),
    Rule("X", ("[X,1]", "c", "[X,2]"), ("[X,2]", "[X,1]"), {"f": 0.3}),
    Rule("X", ("[X,1]", "c", "[X,2]"), ("[X,1]", "[X,2]", "a"), {"f": 0.6}),
]


@pytest.mark.parametrize("words", ["abc", "abcb", "ababc"])
def test_phrases_beside_rules_are_found_once(models: list[LanguageModel], words: str) -> None:
    hypotheses = decoder_of(BESIDE, models[:1], pop_limit=10**6).decode(list(words)).nbest(100_000, unique=False)
    expected = sorted((output[1:-1], score) for output, score in derivations(list(words), limited(BESIDE), WEIGHTS))
    assert sorted(hypothesis.words for hypothesis in hypotheses) == [output for output, _ in expected]
    scores = [score + WEIGHTS["lm_0"] * models[0].score(output) for output, score in expected]
    assert sorted(hypothesis.score for hypothesis in hypotheses) == pytest.approx(sorted(scores))


@pytest.mark.parametrize("words", [["a", "a"], ["a", "b", "a"]])
def test_derivations_of_one_output_are_told_apart_however_often_one_asks(
    models: list[LanguageModel], words: list[str]
) -> None:
    rules = [Rule("X", ("a",), ("b",), {"f": value}) for value in (0.3, 0.6)]
    result = decoder_of(rules, models[:1], pop_limit=10**6).decode(words)
    few = result.nbest(3, unique=False)
    many = result.nbest(100, unique=False)
    expected = derivations(words, limited(rules), WEIGHTS)
    scores = [score + WEIGHTS["lm_0"] * models[0].score(output[1:-1]) for output, score in expected]
    assert [hypothesis.score for hypothesis in many] == pytest.approx(sorted(scores, reverse=True))
    assert few == many[:3]


@pytest.mark.parametrize(("pop_limit", "taken"), [(1, 1), (2, 3), (10, 11), (20, 21), (36, 36), (0, 36)])
def test_the_pop_limit_is_that_of_combinations_besides_the_best(
    models: list[LanguageModel], pop_limit: int, taken: int
) -> None:
    """One cube of 6 x 6 combinations, each another output; its best one counts at a limit of 1 alone."""
    choices = [Rule("X", ("a",), (target,), {"f": n / 10}) for n, target in enumerate("bcdef")]  # and "a" itself
    rules = [*choices, Rule("X", ("[X,1]", "b", "[X,2]"), ("[X,1]", "f", "[X,2]"))]
    goal = [Rule("GOAL", ("<s>", "[X,1]", "</s>"), ("<s>", "[X,1]", "</s>"))]
    grammars = [Grammar.from_rules(rules, "pt", 4), Grammar.from_rules(goal, "glue", -1)]
    decoder = Decoder(grammars, models[:1], {"f": -0.7, "lm_0": 0.8}, Settings(pop_limit=pop_limit))
    assert len(decoder.decode(list("aba")).nbest(100)) == taken


@pytest.mark.parametrize(("pop_limit", "taken"), [(1, 1), (2, 3), (3, 5), (5, 9), (6, 10)])
def test_the_best_of_so_many_cubes_is_free(models: list[LanguageModel], pop_limit: int, taken: int) -> None:
    """Of four cubes of 2 x 2 x 2 outputs, the bests score 0 and the others less; one below the limit are free."""
    rules = [Rule(label, ("a",), (word,), {"f": cost}) for label in "XY" for word, cost in (("b", 0.0), ("c", 1.0))]
    for n, (left, right) in enumerate(product("XY", repeat=2)):
        source = ("<s>", f"[{left},1]", "b", f"[{right},2]", "</s>")
        targets = [("<s>", f"[{left},1]", word, f"[{right},2]", "</s>") for word in (f"d{n}", f"e{n}")]
        rules += [Rule("GOAL", source, target, {"f": float(cost)}) for cost, target in enumerate(targets)]
    settings = Settings(pop_limit=pop_limit, pass_only_unknown=True)
    decoder = Decoder([Grammar.from_rules(rules, "pt", 9)], models[:1], {"f": -0.7}, settings)
    assert len(decoder.decode(list("aba")).nbest(100)) == taken


@pytest.mark.parametrize("pop_limit", [1, 2, 5])
def test_the_best_of_a_cube_of_glue_is_free_and_not_that_of_each_row(
    models: list[LanguageModel], pop_limit: int
) -> None:
    """Each word of two has five outputs and itself; what glue then makes of them is one cube."""
    rules = [Rule("X", ("a",), (word,), {"f": n / 10}) for n, word in enumerate("bcdef")]
    outputs = decoder_of(rules, models[:1], pop_limit).decode(["a", "a"]).nbest(100)
    assert len(outputs) == pop_limit + (pop_limit > 1)


@pytest.mark.parametrize("words", ["abc", "abcb", "ababc"])
def test_the_best_needs_one_pop_where_no_context_counts(models: list[LanguageModel], words: str) -> None:
    """A language model of weight 0 keeps outputs apart, but the best of the parts make the best of the whole."""
    grammars = [Grammar.from_rules(BESIDE, "pt", 4), Grammar.from_rules(GLUE, "glue", -1)]
    weights = {"f": -0.7, "glue": 0.3, "lm_0": 0.0}
    (best,) = Decoder(grammars, models[:1], weights, Settings(pop_limit=1)).decode(list(words)).nbest(1)
    assert best.score == pytest.approx(max(score for _, score in derivations(list(words), limited(BESIDE), weights)))


@settings(max_examples=40, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10_000), words=sentences, pop_limit=st.sampled_from([0, 1, 5, 100]))
def test_kbest_is_sorted_unique_and_prefix_stable(
    models: list[LanguageModel], seed: int, words: list[str], pop_limit: int
) -> None:
    decoder = decoder_of(random_rules(seed), models, pop_limit)
    result = decoder.decode(words)
    long = [(hypothesis.words, hypothesis.score) for hypothesis in result.nbest(50)]
    assert [(hypothesis.words, hypothesis.score) for hypothesis in decoder.decode(words).nbest(7)] == long[:7]
    assert [(hypothesis.words, hypothesis.score) for hypothesis in result.nbest(7)] == long[:7]
    (alone,) = decoder.decode(words).nbest(1)
    assert (alone.words, alone.score) == long[0]
    assert alone.derivation == result.nbest(1)[0].derivation
    assert len({words for words, _ in long}) == len(long)
    assert all(a >= b - 1e-9 for (_, a), (_, b) in pairwise(long))


@settings(max_examples=40, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10_000), words=sentences, pop_limit=st.sampled_from([0, 2, 100]))
def test_score_is_weights_times_features_of_the_derivation(
    models: list[LanguageModel], seed: int, words: list[str], pop_limit: int
) -> None:
    result = decoder_of(random_rules(seed), models, pop_limit).decode(words)
    texts, matrix, names = result.nbest_features(20)
    for row, hypothesis in enumerate(result.nbest(20)):
        expected: dict[str, float] = {model.name: model.score(hypothesis.words) for model in models}
        for step in hypothesis.derivation:
            for name, value in step.rule.features.items():
                expected[name] = expected.get(name, 0.0) + value
            if step.owner == "oov":
                expected["OOVPenalty"] = expected.get("OOVPenalty", 0.0) + 1.0
        assert hypothesis.features == pytest.approx({name: value for name, value in expected.items() if value})
        assert hypothesis.score == pytest.approx(sum(WEIGHTS[n] * v for n, v in hypothesis.features.items()))
        assert texts[row] == hypothesis.text
        assert dict(zip(names, matrix[row], strict=True)) == pytest.approx(
            {name: hypothesis.features.get(name, 0.0) for name in names}
        )


@settings(max_examples=30, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10_000), words=sentences)
def test_derivation_spans_tell_what_became_of_each_word(
    models: list[LanguageModel], seed: int, words: list[str]
) -> None:
    for hypothesis in decoder_of(random_rules(seed), models[:1]).decode(words).nbest(5):
        for step in hypothesis.derivation:
            (i, j), (k, m) = step.span, step.target_span
            assert 0 <= i <= j <= len(words)
            assert 0 <= k <= m <= len(hypothesis.words)
            if not any(symbol.startswith("[") for symbol in step.rule.source):
                marks = ("<s>", "</s>")
                assert tuple(words[i:j]) == tuple(w for w in step.rule.source if w not in marks)
                assert hypothesis.words[k:m] == tuple(w for w in step.rule.target if w not in marks)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10_000), words=st.lists(st.sampled_from("abc"), min_size=1, max_size=6))
def test_pruned_search_never_beats_exhaustive_search(models: list[LanguageModel], seed: int, words: list[str]) -> None:
    best = best_outputs(words, limited(random_rules(seed)), WEIGHTS, models[0])
    for pop_limit, wanted in product((1, 3, 1000), (None, 2, 200)):
        for hypothesis in decoder_of(random_rules(seed), models[:1], pop_limit).decode(words, nbest=wanted).nbest(20):
            assert hypothesis.score <= best[hypothesis.words] + 1e-5  # KenLM computes in float32


@settings(max_examples=40, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10_000), words=sentences, pop_limit=st.sampled_from([0, 100]))
def test_search_for_one_output_finds_the_best(
    models: list[LanguageModel], seed: int, words: list[str], pop_limit: int
) -> None:
    decoder = decoder_of(random_rules(seed), models, pop_limit)
    (best,) = decoder.translate(words)
    assert best.score == pytest.approx(decoder.decode(words).nbest(1)[0].score)


class Span:
    """A value for each span of two words or more: some are far better than others."""

    def values(self, sentence: Sequence[str], applications: Sequence[Application]) -> Iterable[Value]:
        for number, application in enumerate(applications):
            i, j = application.span
            if j - i > 1 and application.owner == "pt":
                yield number, "Span", float(100 * (i - 1))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10_000), words=sentences)
def test_search_for_one_output_knows_what_a_place_is_worth(
    models: list[LanguageModel], seed: int, words: list[str]
) -> None:
    rules = random_rules(seed)
    exact, pruned = (decoder_of(rules, models, n).with_feature(Span(), "Span", 1.0) for n in (0, 100))
    assert pruned.translate(words)[0].score == pytest.approx(exact.translate(words)[0].score)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10_000),
    words=st.lists(st.sampled_from("abc"), min_size=1, max_size=5),
    k=st.integers(2, 40),
    n_models=st.integers(0, 2),
)
def test_search_for_a_list_finds_the_best(
    models: list[LanguageModel], seed: int, words: list[str], k: int, n_models: int
) -> None:
    rules = random_rules(seed)
    expected: dict[tuple[str, ...], float] = {}
    for output, score in derivations(words, limited(rules), WEIGHTS):
        text = output[1:-1]
        total = score + sum(WEIGHTS[model.name] * model.score(text) for model in models[:n_models])
        expected[text] = max(expected.get(text, -1e9), total)
    hypotheses = decoder_of(rules, models[:n_models], pop_limit=100).translate(words, k)
    assert [h.score for h in hypotheses] == pytest.approx(sorted(expected.values(), reverse=True)[:k], abs=1e-5)


def many_choices(models: list[LanguageModel], spread: float, pop_limit: int) -> Decoder:
    """Every word has six translations, and every pair of words two that make what words make one by one."""
    chance = random.Random(1)
    rules = [Rule("X", (a,), (b,), {"f": spread * chance.random()}) for a in "abc" for b in "abcdef"]
    rules += [
        Rule("X", (a, b), (c, b), {"f": 2 * spread * chance.random()}) for a in "abc" for b in "abc" for c in "de"
    ]
    return decoder_of(rules, models[:1], pop_limit)


@pytest.mark.parametrize("k", [2, 30, 300])
def test_a_list_of_a_long_sentence_takes_a_fraction_of_the_search(models: list[LanguageModel], k: int) -> None:
    decoder, words = many_choices(models, 50.0, pop_limit=1000), list("abcabbacbccabaabcbac")
    result, everything = decoder.decode(words, nbest=k), decoder.decode(words)
    assert outputs(result, k) == outputs(everything, k)
    assert edges(result) < edges(everything) / 2


@pytest.mark.parametrize("k", [2, 10, 50])
def test_a_list_is_complete_under_a_model_that_counts_against(models: list[LanguageModel], k: int) -> None:
    limited, whole = (many_choices(models, 5.0, pop_limit) for pop_limit in (1000, 0))
    limited.weights = whole.weights = {**WEIGHTS, "lm_0": -1.0}
    assert outputs(limited.decode(list("abcabb"), nbest=k), k) == outputs(whole.decode(list("abcabb")), k)


def test_outputs_further_apart_than_pruning_leaves_them_are_not_known() -> None:
    decoder = decoder_of([Rule("X", ("a",), (word,), {"f": cost}) for word, cost in (("b", 0.0), ("c", 2.0))], [])
    decoder.weights = {"f": -1.0, "OOVPenalty": -9.0}
    result = decoder.decode(["a"])
    for radius, known in ((1.0, False), (2.5, True)):
        result._graph.radius = radius
        assert result.has(2) is known


@pytest.mark.parametrize("wanted", [1, 5])
def test_spans_within_spans_may_be_many(wanted: int) -> None:
    """Each is asked for by one that is a word longer; every word that passes through costs."""
    decoder = decoder_of([Rule("X", ("[X,1]", "b"), ("[X,1]", "c"), {"g": 1.0})], [], pop_limit=100, limit=1000)
    assert decoder.translate(["a", *["b"] * 200], wanted)[0].words == ("a", *["c"] * 200)


def test_a_narrow_search_takes_less(models: list[LanguageModel]) -> None:
    decoder, words = many_choices(models, 30.0, pop_limit=1000), list("abcabbacbccabaabcbac")
    forest = decoder.parse(words)
    usual, narrow = (decoder.search(forest, nbest=100, narrow=narrow) for narrow in (False, True))
    assert edges(narrow) < edges(usual)
    lists = outputs(narrow, 100), outputs(usual, 100)
    assert len(set(lists[0]) & set(lists[1])) > 90
    assert lists[0][0] == lists[1][0]


@pytest.mark.parametrize("pop_limit", [1, 4, 5])
@pytest.mark.parametrize("spread", [0.5, 50.0])
def test_a_list_after_hard_pruning_is_one_of_true_scores(
    models: list[LanguageModel], spread: float, pop_limit: int
) -> None:
    """Pruning may leave on offer what is better than all that was taken."""
    decoder, words = many_choices(models, spread, pop_limit), list("abcabbacbccabaabcbac")
    hypotheses = decoder.translate(words, 300)
    assert len({hypothesis.words for hypothesis in hypotheses}) == len(hypotheses)
    assert [h.score for h in hypotheses] == sorted([h.score for h in hypotheses], reverse=True)
    for hypothesis in hypotheses:
        value = sum(WEIGHTS[name] * value for name, value in hypothesis.features.items())
        assert hypothesis.score == pytest.approx(value)


def edges(result: Result) -> int:
    return sum(map(len, result._graph.edges))


def outputs(result: Result, k: int = 20) -> list[tuple[tuple[str, ...], float]]:
    return [(hypothesis.words, round(hypothesis.score, 9)) for hypothesis in result.nbest(k)]


@settings(max_examples=25, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10_000), words=sentences)
def test_forest_pickles_and_serves_any_weights(models: list[LanguageModel], seed: int, words: list[str]) -> None:
    decoder = decoder_of(random_rules(seed), models, 50)
    forest = pickle.loads(pickle.dumps(decoder.parse(words)))
    decoder.search(forest)
    decoder.weights = {**WEIGHTS, "f": 0.5, "lm_0": 0.1, "lm_1": 0.9}
    again = decoder.search(forest)
    fresh = decoder_of(random_rules(seed), models, 50)
    fresh.weights = decoder.weights
    assert outputs(again) == outputs(fresh.decode(words))


@pytest.mark.parametrize(("pop_limit", "wanted"), [(0, None), (10, None), (10, 20)])
def test_nothing_is_left_for_the_cycle_collector(
    models: list[LanguageModel], pop_limit: int, wanted: int | None
) -> None:
    unary = [Rule("X", ("[Y,1]",), ("[Y,1]",)), Rule("Y", ("a",), ("b",))]
    decoder = decoder_of([*random_rules(3), *unary], models, pop_limit)
    decoder.decode(list("abcab"), nbest=wanted).nbest(20)  # what is made once is made now
    gc.collect()
    gc.disable()  # or it might find something before it is asked
    try:
        decoder.decode(list("abcab"), nbest=wanted).nbest(20)
        decoder.forget()
        assert not gc.collect()
    finally:
        gc.enable()


def test_target_sides_are_forgotten_when_they_are_many(
    models: list[LanguageModel], monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = ("abc", "cab", "abcab", "abc")
    expected = [outputs(decoder_of(random_rules(5), models, 10).decode(list(words))) for words in texts]
    monkeypatch.setattr("sbmt.decoder.parsing.grammar_view._MAX_TARGETS", 1)
    decoder = decoder_of(random_rules(5), models, 10)
    assert [outputs(decoder.decode(list(words))) for words in texts] == expected


def test_outputs_that_segment_in_many_ways_are_found_once() -> None:
    """2^39 derivations of one output: a list that asks for more must still end."""
    rules = [Rule("X", ("a",) * n, ("b",) * n, {"f": 0.3 * n + 0.01 * n * n}) for n in (1, 2)]
    grammars = [Grammar.from_rules(rules, "pt", 2), Grammar.from_rules(GLUE, "glue", -1)]
    result = Decoder(grammars, [], WEIGHTS, Settings(pass_only_unknown=True)).decode(["a"] * 40)
    assert [hypothesis.words for hypothesis in result.nbest(10)] == [("b",) * 40]
    assert len(result.nbest(50, unique=False)) == 50


def test_a_text_is_no_target(models: list[LanguageModel]) -> None:
    decoder = decoder_of(random_rules(1), models)
    forest = decoder.parse(["a", "b"])
    with pytest.raises(TypeError, match="a target is a list of words, not the text 'a b'"):
        decoder.search(forest, target="a b")


def test_of_one_score_the_derivation_with_the_longest_last_phrase_comes_first_on_request() -> None:
    rules = [Rule("X", *sides, {}) for sides in [(("a",), ("d",)), (("b",), ("e",)), (("a", "b"), ("d", "e"))]]
    grammars = [Grammar.from_rules(rules, "pt", 4), Grammar.from_rules(GLUE, "glue", -1)]
    for longest_last, spans in ((False, [(0, 1), (1, 2)]), (True, [(0, 2)])):
        decoder = Decoder(grammars, [], {}, Settings(longest_last=longest_last))
        best, *others = decoder.decode(["a", "b"]).nbest(9)
        assert (best.words, best.score) == (("d", "e"), 0.0)
        assert [step.span for step in best.derivation if step.owner == "pt"] == spans
        assert all(other.score <= best.score for other in others)


def test_outputs_that_differ_in_sentence_marks_alone_are_one(models: list[LanguageModel]) -> None:
    """Rules may write a mark anywhere; no output has it, and the best of equal ones stays."""
    targets = {("b",): 1.0, ("<s>", "b"): 2.0, ("d", "</s>"): 0.5, ("d",): 0.1}
    rules = [Rule("X", ("a",), target, {"f": -value}) for target, value in targets.items()]
    decoder = Decoder([Grammar.from_rules(rules, "pt", 4), Grammar.from_rules(GLUE, "glue", -1)], [], {"f": -1.0})
    assert [(found.text, found.score) for found in decoder.translate(["a"], 10)] == [("b", 2), ("d", 0.5), ("a", 0)]
    texts, values, names = decoder.decode(["a"]).nbest_features(10)
    assert (texts, values[:, names.index("f")].tolist()) == (["b", "d", "a"], [-2, -0.5, 0])
    assert len(decoder.decode(["a"]).nbest(10, unique=False)) == 5


@pytest.mark.parametrize("words", [60, 300, 1500])
def test_a_sentence_of_any_length_that_another_label_than_the_goal_puts_together(
    models: list[LanguageModel], words: int
) -> None:
    rules = [Rule(label, ("a",), (target,), {"f": 1.0}) for label, target in (("X", "b"), ("Y", "c"))]
    begin, end = Rule("S", ("<s>",), ("<s>",)), Rule("GOAL", ("[S,1]", "</s>"), ("[S,1]", "</s>"))
    steps = [Rule("S", ("[S,1]", f"[{label},2]"), ("[S,1]", f"[{label},2]")) for label in "XY"]
    grammars = [Grammar.from_rules(rules, "pt", 4), Grammar.from_rules([begin, *steps, end], "glue", -1)]
    hypotheses = Decoder(grammars, models, WEIGHTS).translate(["a"] * words, 2)
    assert [len(hypothesis.words) for hypothesis in hypotheses] == [words] * 2
    assert hypotheses[0].score > hypotheses[1].score
