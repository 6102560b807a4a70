"""RuleQuality: the regression, what it knows of pairs, and the weights that come with the package."""

from __future__ import annotations

import io
import json
import math
import re
from pathlib import Path

import numpy as np
import pytest

from sbmt.errors import FormatError, ModelError, SbmtError
from sbmt.ppdb.formats import RuleParser, format_rule
from sbmt.ppdb.learn.quality.annotate import annotated
from sbmt.ppdb.learn.quality.judge import WEIGHTS, QualityModel, Ridge, evidence_of, pair_features
from sbmt.ppdb.learn.quality.judgements import learn_quality, learnt_features, read_judgements
from sbmt.ppdb.learn.quality.vectors import Vectors, train_vectors
from sbmt.ppdb.rule import Rule


def rule(source: str, target: str, **features: float) -> Rule:
    return Rule("X", tuple(source.split()), tuple(target.split()), features)


def test_ridge_finds_a_quadratic_function_and_keeps_to_the_scale() -> None:
    rng = np.random.default_rng(3)
    values = rng.uniform(-1, 1, (400, 3))
    truth = 3 + values[:, 0] - 0.5 * values[:, 1] * values[:, 2]
    model = Ridge.fit(["a", "b", "c"], values, truth, penalty=1e-6)
    assert model.predict(values) == pytest.approx(truth, abs=1e-3)
    assert model.predict(np.array([[1e6, 0, 0], [-1e6, 0, 0]])) == pytest.approx([5, 1], abs=0.5)


def test_features_of_a_pair() -> None:
    features = pair_features("the two dogs did not bark".split(), "the dog barks".split())
    assert features["negated"] == 1
    assert features["words"] == 6
    assert features["more words"] == -3
    assert features["shared words"] == pytest.approx(1 / 8)
    assert features["shared stems"] == pytest.approx(1 / 8)
    assert pair_features(["nobody"], ["everybody"])["negated"] == 1
    assert pair_features(["box"], ["boxes"])["plural"] == 1
    assert pair_features(["city"], ["cities"])["plural"] == 1
    assert pair_features("in 1998".split(), "in 1999".split())["numbers differ"] == 1
    assert pair_features("old cars".split(), ["cars"])["only deleted"] == 1


def test_models_with_more_evidence_are_preferred() -> None:
    few = Ridge(("a",), np.zeros(1), np.ones(1), np.array([2.0, 0, 0]))
    more = Ridge(("a", "b"), np.zeros(2), np.ones(2), np.array([4.0, 0, 0, 0, 0, 0]))
    scores = QualityModel([few, more]).judge([{"a": 1.0}, {"a": 1.0, "b": 0.0}, {}])
    assert scores[:2] == pytest.approx([2, 4])
    assert np.isnan(scores[2])


def test_counts_of_the_text_a_rule_comes_from_are_no_evidence_for_it() -> None:
    assert "p(e|f)" not in evidence_of(rule("a", "b", **{"p(e|f)": 1.0}), None)
    assert "p(e|f)" not in evidence_of(rule("a", "b", **{"p(e|f)": 1.0, "Listed": 0.0}), None)
    assert evidence_of(rule("a", "b", **{"p(e|f)": 1.0, "Listed": 1.0}), None)["p(e|f)"] == 1.0
    assert evidence_of(rule("[X,1] a", "[X,1] a"), None) == {}


def test_other_features_stay_as_they_were_read() -> None:
    read = RuleParser().parse
    lines = ("[NN] ||| dwelling ||| house ||| p(e|f)=1.50 AGigaSim=NA Listed=0 ||| 0-0", "[X] ||| a ||| a ||| p=1.0")
    first, copy = map(format_rule, annotated(map(read, lines), str(WEIGHTS)))
    assert re.fullmatch(
        re.escape("[NN] ||| dwelling ||| house ||| p(e|f)=1.50 AGigaSim=NA Listed=0 RuleQuality=")
        + r"[1-5](\.\d{1,3})? \|\|\| 0-0",
        first,
    )
    assert copy == lines[1]  # no evidence, no judgement
    (again,) = annotated([read(first)], str(WEIGHTS))
    assert format_rule(again) == first


def test_weights_survive_json(tmp_path: Path) -> None:
    model = QualityModel([Ridge(("a",), np.array([1.5]), np.array([2.0]), np.array([3.0, 0.25, -1 / 3]))])
    (tmp_path / "w").write_text(model.to_json())
    evidence = [{"a": 0.7}]
    assert QualityModel.load(tmp_path / "w").judge(evidence) == pytest.approx(model.judge(evidence), abs=1e-4)
    (tmp_path / "w").write_text("[{}]")
    with pytest.raises(FormatError, match="holds no weights of rule quality"):
        QualityModel.load(tmp_path / "w")


GOOD: dict[str, object] = {"names": ["a"], "mean": [0], "deviation": [1.5], "weights": [3, 0.25, 0]}


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[" * 100_000,
        "[]",
        "3",
        json.dumps(GOOD),  # not in a list
        json.dumps([[GOOD]]),
        *(json.dumps([GOOD | wrong]) for wrong in ({"other": [1]}, {"names": "a"}, {"names": [1]}, {"names": []})),
        json.dumps([{"names": ["a"], "mean": [0], "deviation": [1]}]),
        *(json.dumps([GOOD | {"mean": mean}]) for mean in (0, [0, 0], ["0"], [True], [None], [math.nan], [10**400])),
        *(json.dumps([GOOD | {"deviation": deviation}]) for deviation in ([0], [-1], [math.inf], [])),
        *(json.dumps([GOOD | {"weights": weights}]) for weights in ([3, 0.25], [3, 0.25, 0, 0], [[3], [0], [0]])),
    ],
)
def test_malformed_weights_are_refused(content: str, tmp_path: Path) -> None:
    (tmp_path / "w").write_text(json.dumps([GOOD]))
    assert QualityModel.load(tmp_path / "w").judge([{"a": 0}]) == pytest.approx([3])
    (tmp_path / "w").write_text(content)
    cause = r"holds no weights of rule quality \(.+\) \(make them with sbmt-learn judgements\)"
    with pytest.raises(FormatError, match=f"w: {cause}"):
        QualityModel.load(tmp_path / "w")


def test_a_missing_file_of_weights_is_not_called_malformed(tmp_path: Path) -> None:
    with pytest.raises(SbmtError, match=r"nosuch\.json: no such file$"):
        QualityModel.load(tmp_path / "nosuch.json")


def test_packaged_weights_distinguish_good_from_bad() -> None:
    rules = [
        rule("in the year 1998", "in the year 2003"),
        rule("the centre of the city", "the center of the city"),
        rule("a large number of", "not"),
        rule("[X,1]", "[X,1]"),
    ]
    scored = list(annotated(rules, str(WEIGHTS)))
    quality = [r.features.get("RuleQuality") for r in scored]
    assert quality[1] > 4 > 2 > quality[2]
    assert quality[1] > quality[0]
    assert quality[3] is None
    assert list(annotated(rules, str(WEIGHTS), jobs=2)) == scored


def test_learning_from_ratings(tmp_path: Path) -> None:
    """Ratings that follow from the words shared are learnt, and predicted for pairs never seen."""
    rng = np.random.default_rng(4)
    words = [f"w{k}" for k in range(40)]
    lines = []
    for _ in range(250):
        source = list(rng.choice(words, 4, replace=False))
        target = source[: int(rng.integers(0, 4))] + list(rng.choice(words, 1))
        shared = len(set(source) & set(target)) / len(set(source) | set(target))
        lines.append(f"{1 + 4 * shared:.2f}\t[NP]\t{' '.join(source)}\t{' '.join(target)}\t3,4\n")
    (tmp_path / "rated").write_text("".join(lines))
    rated = list(read_judgements(str(tmp_path / "rated")))
    rules = [Rule("X", r.source, r.target, {"p(e|f)": score, "other": 1.0}) for r, score in rated]
    learnt = learnt_features(rated, [*rules, rule("not", "rated", **{"p(e|f)": 1.0})])
    assert learnt == {(r.source, r.target): {"p(e|f)": score} for r, score in rated}
    vectors = train_vectors([" ".join(rng.choice(words, 12)) for _ in range(300)], dimensions=5, min_count=1)
    model, correlations = learn_quality(rated, vectors, learnt)
    assert [c.evidence for c in correlations] == ["strings", "strings, vectors", "strings, vectors, parallel text"]
    assert all(c.pearson > 0.9 and c.spearman > 0.9 for c in correlations)
    assert len(model.ridges) == 3


def test_rated_pairs_are_read_in_lower_case(tmp_path: Path) -> None:
    (tmp_path / "rated").write_text("4.5\t[NP]\tThe Big Dog\tA Large Dog\t5,4\n")
    [(pair, score)] = read_judgements(str(tmp_path / "rated"))
    assert (pair.lhs, pair.source, pair.target) == ("NP", ("the", "big", "dog"), ("a", "large", "dog"))
    assert score == 4.5


def test_errors_of_ratings(tmp_path: Path) -> None:
    path = tmp_path / "rated"
    path.write_text("4\t[NN]\ta\tb\nfour\t[NN]\ta\tb\n")
    with pytest.raises(FormatError, match="line 2: is not score"):
        list(read_judgements(str(path)))
    for score in ("0.5", "6", "nan"):
        path.write_text(f"{score}\t[NN]\ta\tb\n")
        with pytest.raises(FormatError, match=f"line 1: the score {score} is not from 1 to 5"):
            list(read_judgements(str(path)))
    with pytest.raises(SbmtError, match="1 rated pairs with two different sides are too few"):
        learn_quality([(rule("a", "b"), 3.0), (rule("a", "a"), 5.0)], None, {})


@pytest.mark.parametrize(
    ("pairs", "ratings", "problem"),
    [
        ([("head", f"w{k}") for k in range(150)], [1, 5], "no part of the 150 rated pairs can be held out"),
        ([(f"w{k}", f"x{k}") for k in range(150)], [2], "all 150 ratings are 2, so nothing can be learnt from them"),
        ([("aa", "b"), ("cc", "d")] * 75, [2, 2, 4, 4], "the same is predicted for all 150 rated pairs"),
    ],
)
def test_ratings_that_teach_nothing(pairs: list[tuple[str, str]], ratings: list[int], problem: str) -> None:
    rated = [(rule(*sides), float(ratings[k % len(ratings)])) for k, sides in enumerate(pairs)]
    with pytest.raises(FormatError, match=rf"^rated\.tsv: {problem}"):
        learn_quality(rated, None, {}, "rated.tsv")


def test_pairs_with_more_evidence_may_be_too_few() -> None:
    """The grammar has features of one pair only."""
    rated = [(rule(f"w{k}", f"x{k}"), 1.0 + k % 5) for k in range(150)]
    vectors = Vectors(["w1"], np.ones((1, 1), np.float32), np.ones(1))
    problem = "1 rated pairs with the evidence 'strings, vectors, parallel text' are too few to learn from"
    with pytest.raises(SbmtError, match=problem):
        learn_quality(rated, vectors, {(("w1",), ("x1",)): {"p(e|f)": 1.0}})


def test_words_in_the_same_places_have_like_vectors(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    animals, tools = ["cat", "dog"], ["saw", "axe"]
    lines = [f"the {rng.choice(animals)} eats its {rng.choice(['fish', 'meat'])} now" for _ in range(200)]
    lines += [f"a {rng.choice(tools)} cuts that {rng.choice(['wood', 'tree'])} well" for _ in range(200)]
    vectors = train_vectors(lines, dimensions=4, min_count=5)
    assert vectors.cosine(["cat"], ["dog"]) > 0.9 > 0.5 > vectors.cosine(["cat"], ["axe"])
    assert vectors.cosine(["cat"], ["unknown"]) is None
    vectors.save(tmp_path / "v.npz")
    assert Vectors.open(tmp_path / "v.npz").cosine(["cat"], ["dog"]) == pytest.approx(
        vectors.cosine(["cat"], ["dog"]), abs=1e-2
    )


def test_errors_of_vectors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = Vectors(["a"], np.ones((1, 2), np.float32), np.ones(1))
    vectors.save(tmp_path / "whole")
    array = io.BytesIO()
    np.save(array, vectors.rows)
    unequal, flat = io.BytesIO(), io.BytesIO()
    np.savez(unequal, words=np.array(["a", "b"]), rows=vectors.rows, frequency=vectors.frequency)
    np.savez(flat, words=np.array(["a"]), rows=np.ones(1), frequency=vectors.frequency)
    half = (tmp_path / "whole").read_bytes()[:100]
    for content in (b"no vectors", b"", half, *(stream.getvalue() for stream in (array, unequal, flat))):
        (tmp_path / "v").write_bytes(content)
        with pytest.raises(ModelError, match="is not a file of word vectors; make one with sbmt-learn vectors"):
            Vectors.open(tmp_path / "v")
    with pytest.raises(SbmtError, match="missing: no such file"):
        Vectors.open(tmp_path / "missing")

    def full(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(np, "load", full)
    with pytest.raises(MemoryError):  # says nothing of the file
        Vectors.open(tmp_path / "whole")
    with pytest.raises(SbmtError, match="dimensions=0: at least 1"):
        train_vectors(["a b"], dimensions=0)
    with pytest.raises(FormatError, match="has 1 word seen at least 2 times, too few for 1 dimension "):
        train_vectors(["a b a"], dimensions=1, min_count=2)
    with pytest.raises(FormatError, match=r"^f\.txt: has 2 words seen at least once, too few for 5 dimensions"):
        train_vectors(["a b"], dimensions=5, min_count=1, name="f.txt")


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("lines", [["a", "b", "c"], ["a a", "b b", "a b", "b a"]])
def test_words_without_neighbours_have_no_vectors(lines: list[str]) -> None:
    with pytest.raises(FormatError, match=r"^f\.txt: no two of its words stand near each other more often"):
        train_vectors(lines, dimensions=1, min_count=1, name="f.txt")


def test_words_three_places_away_are_near() -> None:
    """Rare words keep their places."""
    near, far = ([f"a {' '.join(f'rare{k}{i}' for i in range(n))} b" for k in range(9)] for n in (2, 3))
    assert train_vectors(near, dimensions=1, min_count=2).words == ["a", "b"]
    with pytest.raises(SbmtError, match="the text: no two of its words stand near each other"):
        train_vectors(far, dimensions=1, min_count=2)
