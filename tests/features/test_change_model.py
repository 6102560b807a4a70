"""The change model: targets by hand, recovery of a planted habit, and files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sbmt.errors import FormatError
from sbmt.features.sentence.change_model import ChangeModel, changed_fractions, context_features


def test_fractions_by_hand() -> None:
    source = "the large ship sank .".split()
    references = [
        line.split()
        for line in ("the big ship sank .", "the ship sank .", "the large ship went down .", "sank the large ship .")
    ]
    assert changed_fractions(source, references).tolist() == [0, 0.5, 0, 0.25, 0]  # the fourth moves, which keeps


def test_repeated_words_are_kept_where_they_align() -> None:
    fractions = changed_fractions("very very good".split(), ["very good".split()])
    assert fractions.tolist() in ([0, 1, 0], [1, 0, 0])


def planted(n: int, seed: int) -> tuple[list[list[str]], list[list[list[str]]]]:
    """Sentences in which "old" changes after "very" and nowhere else, and "rare" changes always."""
    rng = np.random.default_rng(seed)
    sources, references = [], []
    for _ in range(n):
        words = [str(word) for word in rng.choice(["a", "very", "old", "rare", "house", "tree"], size=8)]
        simple = [
            "new" if word == "rare" or (word == "old" and i and words[i - 1] == "very") else word
            for i, word in enumerate(words)
        ]
        sources.append(words)
        references.append([simple])
    return sources, references


def test_a_planted_habit_is_learnt() -> None:
    model = ChangeModel.fit(*planted(300, seed=1), l2=0.1)
    odds = model.log_odds("a very old tree a old rare house".split())
    assert (odds > 0).tolist() == [False, False, True, False, False, False, True, False]


def test_indicators_seen_often_enough_are_learnt() -> None:
    model = ChangeModel.fit([["old", "house"], ["old", "tree"]], [[["new", "house"]], [["new", "tree"]]], least=2)
    assert model.weights["w=old"] > 0
    assert not {"w=house", "w=tree"} & model.weights.keys()


def test_saved_models_say_the_same(tmp_path: Path) -> None:
    lexicons = {"complexity": {"rare": 5.5, "a": 1.0}}
    model = ChangeModel.fit(*planted(60, seed=2), lexicons=lexicons)
    model.save(tmp_path / "change.json.gz")
    again = ChangeModel.load(tmp_path / "change.json.gz")
    words = "very old rare tree".split()
    assert again.log_odds(words).tolist() == model.log_odds(words).tolist()
    assert again.lexicons == lexicons
    for text, problem in (
        ('{"weights": {}}', "lexicons: is missing"),
        ("{", "Expecting property name"),
        ('{"weights": {"a": "x"}, "lexicons": {}}', "weights.a: expected a number"),
        ('{"weights": {}, "lexicons": {"complexity": 1}}', "lexicons.complexity: expected names with values"),
    ):
        (tmp_path / "other").write_text(text)
        with pytest.raises(FormatError, match=rf"other: is not a change model: .*{problem}.*ChangeModel\.save writes"):
            ChangeModel.load(tmp_path / "other")


def test_features_of_a_word_by_hand() -> None:
    first, second = context_features(["Utilize", "it"], {"complexity": {"it": 1.2}})
    assert first["w=Utilize"] == first["previous=<s>"] == first["next=it"] == first["suffix=ize"] == 1
    assert first["complexity absent"] == 1
    assert second["complexity"] == 1.2
    assert second["complexity=2"] == 1


@pytest.mark.parametrize("text", ["( a ) b", "-lrb- a -rrb- b"])
def test_words_in_brackets_are_marked(text: str) -> None:
    assert [phi["bracketed"] for phi in context_features(text.split(), {})] == [1, 1, 0, 0]
