"""Word alignment on cases worked by hand, and the model's closed forms against brute force."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import digamma

from sbmt.errors import FormatError, SbmtError
from sbmt.ppdb.learn.align import Aligner, Likeness, align_text, best_tension, diagonal
from sbmt.ppdb.learn.cells import Cells
from sbmt.ppdb.learn.corpus import ParallelText, read_corpus
from sbmt.ppdb.learn.learner import align
from sbmt.ppdb.learn.links import read_pharaoh
from sbmt.ppdb.learn.symmetrise import grow_diag_final_and


def text(folder: Path, *pairs: tuple[str, str]) -> ParallelText:
    for name, column in zip("fe", zip(*pairs, strict=True), strict=True):
        (folder / name).write_text("".join(f"{line}\n" for line in column), encoding="utf-8")
    return read_corpus([(str(folder / "f"), str(folder / "e"))])


def test_other_sentences_decide_which_word_is_which(tmp_path: Path) -> None:
    others = [("red", "rouge"), ("car", "voiture"), ("a car", "une voiture")] * 10
    links = align(text(tmp_path, ("a red car", "une voiture rouge"), *others), tmp_path, (), 1)
    assert links.of(0) == [(0, 0), (1, 2), (2, 1)]
    assert links.of(3) == [(0, 0), (1, 1)]


def test_identical_and_similar_words_are_linked_in_one_language(tmp_path: Path) -> None:
    pairs = [
        ("he purchased cars in paris", "in paris he bought cars"),
        ("governments decided it", "it was decided by government"),
    ]
    links = align(text(tmp_path, *pairs), tmp_path, (), 1)
    assert {(0, 2), (2, 4), (3, 0), (4, 1)} <= set(links.of(0))
    assert {(0, 4), (1, 2), (2, 0)} <= set(links.of(1))


def test_likeness_is_the_common_beginning_over_the_longer_word() -> None:
    words = ["govern", "government", "governor", "goal", "a"]
    f, e = np.array([0, 0, 1, 0, 4]), np.array([0, 1, 2, 3, 3])
    assert Likeness(words)(f, e) == pytest.approx([1, 0.6, 0.6, 0, 0])
    long = Likeness(["simplification", "simplifications"])  # 14 of 15 letters
    assert long(np.array([0]), np.array([1])) == pytest.approx([0.9])


def test_cells_number_the_word_pairs_in_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same whether all word pairs are sorted at once or few at a time, in large blocks or in small ones."""
    corpus = text(tmp_path, ("a b c", "x y"), ("b a c", "y x"), ("c", "z"), ("a b c", "y y"), ("d a c", "x z"))
    pairs = [
        [corpus.tokens[corpus.starts[s] : corpus.starts[s + 1]].tolist() for s in (f, e)]
        for f, e in zip(corpus.source, corpus.target, strict=True)
    ]
    expected = sorted({(f, e) for source, target in pairs for f in source for e in target})
    for at_once, in_a_block in ((1 << 20, 1 << 20), (1, 1 << 20), (5, 6), (3, 1)):
        monkeypatch.setattr("sbmt.ppdb.learn.cells._MAX_SORTED_PAIRS", at_once)
        monkeypatch.setattr("sbmt.ppdb.learn.cells._MAX_BLOCK_CELLS", in_a_block)
        cells = Cells(corpus, tmp_path)
        assert list(zip(cells.f.tolist(), cells.e.tolist(), strict=True)) == expected
        pair_numbers = []
        for block in cells.blocks():
            for pair, grid in zip(block.pairs.tolist(), block.cells.tolist(), strict=True):
                source, target = pairs[pair]
                assert [[expected[k] for k in row] for row in grid] == [[(f, e) for e in target] for f in source]
                pair_numbers.append(pair)
        assert sorted(pair_numbers) == list(range(5))


def test_expectations_are_those_of_the_definition(tmp_path: Path) -> None:
    """One E-step over vectorised blocks against loops over words, with the same parameters."""
    corpus = text(tmp_path, ("a b c", "x y"), ("b a", "y x z"), ("c", "z"), ("a b c", "y y"))
    cells = Cells(corpus, tmp_path)
    number = {(f, e): k for k, (f, e) in enumerate(zip(cells.f.tolist(), cells.e.tolist(), strict=True))}
    for reverse in (False, True):
        aligner = Aligner(cells, np.full(len(cells), 0.01, np.float32), reverse)
        rng = np.random.default_rng(5)
        aligner.t, aligner.t_null = rng.random(len(cells)), rng.random(len(corpus.words))
        for block in cells.blocks():
            posterior, null = aligner._posterior(block)
            for row, pair in enumerate(block.pairs):
                given_words, written_words = (
                    corpus.tokens[corpus.starts[side[pair]] : corpus.starts[side[pair] + 1]].tolist()
                    for side in ((corpus.target, corpus.source) if reverse else (corpus.source, corpus.target))
                )
                for j, e in enumerate(written_words):
                    prior = [
                        np.exp(-aligner.tension * abs((i + 0.5) / len(given_words) - (j + 0.5) / len(written_words)))
                        for i in range(len(given_words))
                    ]
                    joint = [
                        0.92 * p / sum(prior) * aligner.t[number[(e, f) if reverse else (f, e)]]
                        for p, f in zip(prior, given_words, strict=True)
                    ]
                    joint.append(0.08 * aligner.t_null[e])
                    expected = np.array(joint) / sum(joint)
                    assert [*posterior[row, :, j], null[row, j]] == pytest.approx(expected, rel=1e-4)


def test_an_iteration_is_that_of_the_definition(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the prior means and tension 4, by loops over words: expected counts, then means of t and the tension."""
    monkeypatch.setattr("sbmt.ppdb.learn.align._ITERATIONS", 1)
    corpus = text(tmp_path, ("a b c", "x y"), ("b a", "y x z"), ("c", "z"), ("a b c", "y y"))
    cells = Cells(corpus, tmp_path)
    pairs = list(zip(cells.f.tolist(), cells.e.tolist(), strict=True))
    alpha = dict(zip(pairs, np.linspace(0.1, 0.9, len(pairs)).tolist(), strict=True))
    n_words = len(corpus.words)

    def total_given(f: int, values: dict[tuple[int, int], float]) -> float:
        return sum(value for (other, _), value in values.items() if other == f)

    counts, null_counts, distances = dict.fromkeys(pairs, 0.0), np.zeros(n_words), 0.0
    for source, target in zip(corpus.source, corpus.target, strict=True):
        f_words, e_words = (corpus.tokens[corpus.starts[s] : corpus.starts[s + 1]].tolist() for s in (source, target))
        for j, e in enumerate(e_words):
            far = [abs((i + 0.5) / len(f_words) - (j + 0.5) / len(e_words)) for i in range(len(f_words))]
            near = np.exp(-4 * np.array(far))
            t = [alpha[f, e] / total_given(f, alpha) for f in f_words]
            joint, null = 0.92 * near / near.sum() * t, 0.08 / n_words
            posterior = joint / (joint.sum() + null)
            for f, share in zip(f_words, posterior.tolist(), strict=True):
                counts[f, e] += share
            null_counts[e] += 1 - posterior.sum()
            distances += float(posterior @ far)
    updated = {pair: counts[pair] + alpha[pair] for pair in pairs}
    aligner = Aligner(cells, np.array([*alpha.values()], np.float32)).fit()
    assert aligner.t == pytest.approx(
        [np.exp(digamma(updated[f, e]) - digamma(total_given(f, updated))) for f, e in pairs], rel=1e-3, abs=1e-9
    )
    null_counts += 0.01
    assert aligner.t_null == pytest.approx(
        np.exp(digamma(null_counts) - digamma(null_counts.sum())), rel=1e-3, abs=1e-9
    )
    assert aligner.tension == pytest.approx(best_tension(cells.shapes(), distances), abs=0.02)


@pytest.mark.parametrize(("t_null", "expected"), [(0.001, [[0, 1]]), (0.9, [[-1, -1]])])
def test_a_word_is_given_to_null_where_that_is_likelier(tmp_path: Path, t_null: float, expected: list) -> None:
    """Of two words each, 0.92 t times at most 1, or 0.08 t_null: 0.001 and 0.9 lie far on either side."""
    corpus = text(tmp_path, ("a b", "x y"))
    cells = Cells(corpus, tmp_path)
    aligner = Aligner(cells, np.full(len(cells), 0.01, np.float32))
    aligner.t, aligner.t_null = np.full(len(cells), 0.01, np.float32), np.full(len(corpus.words), t_null, np.float32)
    assert [best.tolist() for _, best in aligner.align()] == [expected]


def test_tension_maximises_the_likelihood_of_the_distances() -> None:
    shapes, distance = np.array([[4, 5, 10], [7, 3, 2]]), 11.0

    def likelihood(tension: float) -> float:
        total = -tension * distance
        for m, n, count in shapes.tolist():
            table = -np.log(diagonal(m, n, tension))  # minus log of the prior = tension * distance + log Z
            spread = np.abs((np.arange(m)[:, None] + 0.5) / m - (np.arange(n) + 0.5) / n)
            total -= count * float((table - tension * spread)[0].sum())
        return total

    best = best_tension(shapes, distance)
    assert 0.2 < best < 7.9
    assert likelihood(best) > max(likelihood(best - 0.1), likelihood(best + 0.1))


def test_the_commonest_shapes_decide_the_tension() -> None:
    rare = [(m, n, 1) for m in range(20, 40) for n in range(20, 40)]
    shapes, distance = np.array([(4, 5, 10**6)]), 1e6
    assert best_tension(np.array([*rare, *shapes.tolist()]), distance) == pytest.approx(
        best_tension(shapes, distance), abs=0.05
    )


def test_both_directions_give_one_partner_a_word(tmp_path: Path) -> None:
    corpus = text(tmp_path, ("a b c", "a c"), ("b", "b"))
    forward, backward = align_text(corpus, tmp_path)
    assert forward.tolist() == [0, 2, 0]
    assert backward.tolist()[0] == 0
    assert backward.tolist()[2:] == [1, 0]


@pytest.mark.parametrize(
    ("forward", "backward", "expected"),
    [
        # The intersection alone; both sides of (2, 2) would be covered.
        ({(0, 0), (1, 1)}, {(0, 0), (1, 1)}, {(0, 0), (1, 1)}),
        # Growing: (1, 1) is diagonal to (0, 0), (2, 1) next to (1, 1) and covers source word 2.
        ({(0, 0), (1, 1)}, {(0, 0), (2, 1)}, {(0, 0), (1, 1), (2, 1)}),
        # Final-and: (3, 3) is far off and both its words are free; (0, 3) is not added then.
        ({(0, 0), (3, 3)}, {(0, 0), (0, 3)}, {(0, 0), (3, 3)}),
        # Nothing in common: only final-and adds, the first direction first.
        ({(0, 1)}, {(0, 0), (1, 1)}, {(0, 1)}),
        # A neighbour whose two words are both covered stays out.
        ({(0, 0), (1, 1), (0, 1)}, {(0, 0), (1, 1)}, {(0, 0), (1, 1)}),
    ],
)
def test_symmetrisation_of_cases_worked_by_hand(forward: set, backward: set, expected: set) -> None:
    assert grow_diag_final_and(forward, backward) == expected


@settings(derandomize=True)
@given(*[st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=8)] * 2)
def test_symmetrisation_lies_between_intersection_and_union(forward: set, backward: set) -> None:
    links = grow_diag_final_and(forward, backward)
    assert forward & backward <= links <= forward | backward
    free = [(i, j) for i, j in forward | backward if i not in {a for a, _ in links} and j not in {b for _, b in links}]
    assert not free


def naive_grow_diag_final_and(forward: set, backward: set, length: int) -> set:
    """The pseudocode of Koehn's book, with a pass over all points of the matrix in each step."""
    matrix = [(i, j) for i in range(length) for j in range(length)]
    union, links = forward | backward, forward & backward
    neighbours = [(-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)]

    def uncovered(point: tuple[int, int]) -> tuple[bool, bool]:
        return all(i != point[0] for i, _ in links), all(j != point[1] for _, j in links)

    added = True
    while added:
        added = False
        for i, j in matrix:
            if (i, j) in links:
                for near in [(i + di, j + dj) for di, dj in neighbours]:
                    if near in union and any(uncovered(near)):
                        links.add(near)
                        added = True
    for side in (forward, backward):
        for point in matrix:
            if point in side and all(uncovered(point)):
                links.add(point)
    return links


@settings(derandomize=True, max_examples=500)
@given(*[st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=12)] * 3)
def test_symmetrisation_is_that_of_the_definition(forward: set, backward: set, both: set) -> None:
    forward, backward = forward | both, backward | both
    assert grow_diag_final_and(forward, backward) == naive_grow_diag_final_and(forward, backward, 5)


def test_pharaoh_lines(tmp_path: Path) -> None:
    path = tmp_path / "links"
    path.write_text("0-0 2-1\n\n")
    assert list(read_pharaoh(path)) == [[(0, 0), (2, 1)], []]
    for odd in ("0:1", "0-0\u00a01-1", "0-0\x1c1-1"):
        path.write_text(f"0-0\n{odd}\n", encoding="utf-8")
        with pytest.raises(FormatError, match=re.escape(f"line 2: {odd!r} is not an alignment point like 0-1")):
            list(read_pharaoh(path))


def test_given_sentences_without_links_stay_without(tmp_path: Path) -> None:
    """Also if other pairs, without given links, are aligned."""
    for name, content in (("f", "a b\nc\n"), ("e", "a b\nc\n"), ("links", "\n0-0\n"), ("versions", "k\tx\nk\tx\n")):
        (tmp_path / name).write_text(content)
    corpus = read_corpus([(str(tmp_path / "f"), str(tmp_path / "e"))], [str(tmp_path / "versions")])
    links = align(corpus, tmp_path, [str(tmp_path / "links")], 1)
    assert [links.of(pair) for pair in range(3)] == [[], [(0, 0)], [(0, 0)]]


def test_given_links_must_fit_their_text(tmp_path: Path) -> None:
    corpus = text(tmp_path, ("a b", "x"), ("c", "y z"))
    path = tmp_path / "links"
    path.write_text("0-0\n0-2\n")
    with pytest.raises(FormatError, match=r"line 2: point 0-2 is outside its sentences of 1 and 2 words"):
        align(corpus, tmp_path, [str(path)], 1)
    path.write_text("0-0\n")
    with pytest.raises(FormatError, match="has 1 line, its texts have 2"):
        align(corpus, tmp_path, [str(path)], 1)
    with pytest.raises(SbmtError, match="2 files of links for 1 pair of files: give one for each"):
        align(corpus, tmp_path, [str(path)] * 2, 1)
