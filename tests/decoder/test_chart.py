"""The chart against a parser that scans all rules over all spans: every way a rule applies, with the items below."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbmt.decoder.decoder import Decoder
from sbmt.decoder.parsing.dot_arrays import DotTable, GapMoves
from sbmt.decoder.parsing.grammar_view import GrammarView
from sbmt.decoder.parsing.visited import VisitedNodes
from sbmt.decoder.settings import Settings
from sbmt.lm.model import LanguageModel
from sbmt.ppdb.grammar import Grammar
from sbmt.ppdb.rule import NONTERMINAL, Rule
from tests.decoder.brute_force import GLUE, write_arpa

Item = tuple[str, int, int]  # label, start, end
Way = tuple[
    str, tuple[str, ...], int, int, tuple[Item, ...]
]  # head, target with "[]" for gaps, start, end, items below
LABELS = [f"L{number}" for number in range(8)]
LIMIT = 3


def random_rules(seed: int) -> list[Rule]:
    """Rules with up to three gaps of many labels; unary ones lead from lower to higher numbers."""
    chance = random.Random(seed)
    rules = {}
    for _ in range(chance.randint(5, 60)):
        gaps = 0
        source: list[str] = []
        for _ in range(chance.randint(1, 4)):
            if gaps < 3 and chance.random() < 0.5:
                gaps += 1
                source.append(f"[{chance.choice(LABELS)},{gaps}]")
            else:
                source.append(chance.choice("abc"))
        head = chance.choice([*LABELS, "X"])
        gap = NONTERMINAL.fullmatch(source[0])
        if len(source) > 1 or gap is None or gap["label"] < head:
            rules[head, tuple(source)] = Rule(head, tuple(source), tuple(source))
    return list(rules.values())


def scan(tokens: Sequence[str], rules: Sequence[tuple[Rule, int]]) -> list[Way]:
    """All ways that rules, each with its span limit, apply; words pass through as X."""
    items: set[Item] = set()

    def match(source: Sequence[str], i: int, j: int) -> Iterator[tuple[Item, ...]]:
        if not source:
            if i == j:
                yield ()
            return
        gap = NONTERMINAL.fullmatch(source[0])
        if gap is None:
            if i < j and tokens[i] == source[0]:
                yield from match(source[1:], i + 1, j)
            return
        for k in range(i + 1, j + 1):
            if (gap["label"], i, k) in items:
                yield from (((gap["label"], i, k), *rest) for rest in match(source[1:], k, j))

    applied: list[Way] = []
    spans = sorted(combinations(range(len(tokens) + 1), 2), key=lambda span: span[1] - span[0])
    for i, j in spans:
        if j == i + 1 and 0 < i < len(tokens) - 1:
            items.add(("X", i, j))
            applied.append(("X", (tokens[i],), i, j, ()))
        allowed = [rule for rule, limit in rules if (i == 0 if limit < 0 else j - i <= limit)]
        ways: set[tuple[int, tuple[Item, ...]]] = set()
        size = -1
        while len(ways) > size:  # unary rules need what the span itself has
            size = len(ways)
            for number, rule in enumerate(allowed):
                ways |= {(number, below) for below in match(rule.source, i, j)}
            items |= {(allowed[number].lhs, i, j) for number, _ in ways}
        applied += [(allowed[number].lhs, shown(allowed[number].target), i, j, below) for number, below in ways]
    return applied


def shown(target: Sequence[str | int]) -> tuple[str, ...]:
    return tuple("[]" if isinstance(s, int) or NONTERMINAL.fullmatch(s) else s for s in target)


def glue() -> list[Rule]:
    rules = (Rule("GOAL", ("[GOAL,1]", f"[{label},2]"), ("[GOAL,1]", f"[{label},2]")) for label in LABELS[:3])
    return [*GLUE, *rules, Rule("GOAL", ("[GOAL,1]", "a"), ("[GOAL,1]", "a"))]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> LanguageModel:
    return LanguageModel(write_arpa(tmp_path_factory.mktemp("lm") / "m.arpa", 5, "abcd"), "lm_0")


def decoder_of(rules: Sequence[Rule], models: Sequence[LanguageModel] = (), pop_limit: int = 100) -> Decoder:
    grammars = [Grammar.from_rules(rules, "pt", LIMIT), Grammar.from_rules(glue(), "glue", -1)]
    return Decoder(grammars, models, {"f": 1.0, "lm_0": 0.5}, Settings(pop_limit=pop_limit))


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10_000),
    words=st.lists(st.sampled_from("abcd"), min_size=1, max_size=6),
    scored=st.booleans(),
    pop_limit=st.sampled_from([0, 100]),
)
def test_what_was_made_in_arrays_is_searched_alike(
    model: LanguageModel, seed: int, words: list[str], scored: bool, pop_limit: int
) -> None:
    """With a language model (`scored`) cells of rules with gaps are looked into on demand."""
    chance = random.Random(seed)
    rules = [replace(rule, features={"f": chance.random()}) for rule in random_rules(seed)]
    scores = []
    for many in (-1, 10**9):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("sbmt.decoder.parsing.grammar_view._MANY_LABELS", many)
            scores.append(
                [h.score for h in decoder_of(rules, [model] if scored else [], pop_limit).translate(words, 10)]
            )
    assert scores[0] == pytest.approx(scores[1])


@pytest.mark.parametrize("many", [-1, 10**9])
def test_of_many_cubes_those_that_add_up_to_most_are_looked_into(
    model: LanguageModel, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two of five: L2 has neither the best rule nor the best word, but the best sum of both."""
    monkeypatch.setattr("sbmt.decoder.parsing.grammar_view._MANY_LABELS", many)
    monkeypatch.setattr("sbmt.decoder.search.deferred._MIN_SEEDS", 1)
    rules = []
    for label, word, by_rule, by_word in zip(
        LABELS, "abcde", (3e3, 3e3, 2e3, 0, 0), (0, 0, 2e3, 3e3, 3e3), strict=False
    ):
        rules.append(Rule("X", (f"[{label},1]", "b"), (f"[{label},1]", word), {"f": by_rule}))
        rules.append(Rule(label, ("a",), ("d",), {"f": by_word}))
    assert decoder_of(rules, [model], pop_limit=1).translate(["a", "b"])[0].text == "d c"


@pytest.mark.parametrize(("many", "room"), [(-1, 1), (-1, 4096), (2, 7), (10**9, 4096)])
@settings(max_examples=40, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10_000), words=st.lists(st.sampled_from("abcd"), min_size=1, max_size=6))
def test_every_application_is_found_once(many: int, room: int, seed: int, words: list[str]) -> None:
    """`many` lets all dots stand in arrays, those of some grammars, or none; arrays begin with `room`."""
    rules = random_rules(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sbmt.decoder.parsing.grammar_view._MANY_LABELS", many)
        patch.setattr("sbmt.decoder.parsing.visited._INITIAL_CAPACITY", room)
        forest = decoder_of(rules).parse(words)
    assert all(list(cell.items.values()) == list(cell.numbers) for cell in forest.cells)
    tails = forest.cubes.tails
    assert not any(tails[cube] for cell in forest.cells for cube in range(cell.lexical, cell.derived))
    assert all(tails[cube] for cell in forest.cells for cube in range(cell.derived, cell.end))
    labels = forest.rules.labels
    items = {item: (labels[label], *cell.span) for cell in forest.cells for label, item in cell.items.items()}
    parsed = []
    for number, application in enumerate(forest.applications):
        below = tuple(items[tail] for tail in forest.cubes.tails[forest.cube_of(number)])
        parsed.append((application.label, shown(application.target), *application.span, below))

    def place(boundary: int) -> int:
        """The word that a boundary between tokens stands before."""
        return min(max(boundary - 1, 0), len(words))

    ways = scan(("<s>", *words, "</s>"), [*((rule, LIMIT) for rule in rules), *((rule, -1) for rule in glue())])
    assert Counter(parsed) == Counter(
        (head, target, place(i), place(j), tuple((label, place(k), place(m)) for label, k, m in below))
        for head, target, i, j, below in ways
    )
    assert len(items) == forest.n_items == len({(head, i, j) for head, _, i, j, _ in ways})


def test_no_word_leads_beyond_the_span_limit() -> None:
    """Neither from words nor from an item: all three words are more than two."""
    rules = [Rule("X", tuple("abc"), ("Z",)), Rule("X", tuple("ab"), ("Y",)), Rule("X", ("[X,1]", "c"), ("W", "[X,1]"))]
    grammars = [Grammar.from_rules(rules, "pt", 2), Grammar.from_rules(GLUE, "glue", -1)]
    hypotheses = Decoder(grammars, [], {}).translate(list("abc"), nbest=20)
    assert {hypothesis.text for hypothesis in hypotheses} == {"a W b", "Y c", "a b c"}


def test_a_label_changes_within_the_span_limit_of_its_own_grammar() -> None:
    rules = [Rule("X", tuple("abc"), ("q",))], [Rule("Y", ("[X,1]",), ("[X,1]",))], GLUE
    grammars = [Grammar.from_rules(*part) for part in zip(rules, ("pt", "changes", "glue"), (5, 2, -1), strict=True)]
    spans = [
        (application.label, application.span)
        for application in Decoder(grammars, [], {}).parse(list("abc")).applications
    ]
    assert ("X", (0, 3)) in spans
    assert {span for label, span in spans if label == "Y"} == {(0, 1), (1, 2), (2, 3)}


def test_labels_are_told_apart_in_arrays_whatever_their_number() -> None:
    """Also by more than 16 bits: the label numbered 2^16 + 5 is not taken for the one numbered 5."""
    labels = {f"L{number}": number for number in range(2**16 + 10)}
    numbers = [5, 2**16 + 5, 7, 2**16 + 1]
    rules = [Rule("L0", (f"[L{number},1]", "a"), (f"[L{number},1]",)) for number in numbers]
    reached = VisitedNodes(GrammarView(Grammar.from_rules(rules, "pt", LIMIT), 0, labels))
    dots = DotTable(np.array([0]), np.array([0]), np.full((1, 1), -1, np.int32))
    items = {number: item for item, number in enumerate(numbers)}
    moved = GapMoves(reached, dots, 0).over(items, 0)
    assert reached.label[moved.node].tolist() == numbers
    assert moved.tails[:, 0].tolist() == [*items.values()]
