"""Syllables, grade levels, iBLEU and FKBLEU, worked by hand."""

from __future__ import annotations

import math

import pytest

from sbmt.metrics import get_metric
from sbmt.metrics.readability import count_marked_sentences
from sbmt.metrics.syllables import easse_syllables, joshua_syllables


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("banana", 3),
        ("made", 1),  # a final e after a consonant is silent
        ("the", 1),  # but every word has a syllable
        ("tree", 1),  # and an e after a vowel belongs to it
        ("well-made", 2),
        ("-lrb-", 2),  # as Java splits it: "" and "lrb", one each
        (",", 1),
        ("1990", 1),
        ("Table", 1),  # the rule is not right about English
    ],
)
def test_joshua_counts(word: str, expected: int) -> None:
    assert joshua_syllables(word) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("banana", 3),
        ("the", 1),
        ("be", 0),  # the final e is dropped, and nothing left
        ("2010", 0),
        (".", 0),
        ("agree", 1),  # both e's are dropped
        ("nation", 2),  # one group more for "io", one less for "ion"
        ("prism", 2),  # a syllable without a vowel
        ("radio", 3),
        ("Mrs", 2),
    ],
)
def test_easse_counts(word: str, expected: int) -> None:
    assert easse_syllables(word) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        ("no mark", 1),
        ("one . two", 2),
        ("one .", 1),
        ('he said " go ! " then left .', 2),
        ("what ? ) ] yes", 2),
        (". . .", 3),
        ("3.5 miles", 1),
        (")", 1),  # a mark after nothing
    ],
)
def test_sentences_end_with_marks_of_their_own(text: str, expected: int) -> None:
    assert count_marked_sentences(text.split()) == expected


def test_grade_level_by_hand() -> None:
    # Six tokens, one syllable each but "banana" (three): 0.39 * 6 + 11.8 * 8 / 6 - 15.19.
    metric = get_metric("fk:xu2016")
    rows = metric.statistics_many(metric.prepare("", []), ["I ate a green banana .", "go", ""])
    assert rows.tolist() == [[6, 8, 1], [1, 1, 1], [0, 0, 1]]
    first = 0.39 * 6 + 11.8 * 8 / 6 - 15.19
    assert metric.score(rows).tolist() == pytest.approx([first, 0.0, 0.0])  # clipped at 0; 0 without words
    assert metric.corpus(rows).value == pytest.approx(first / 3)
    # Words per sentence 6, 1, 0; syllables per word 8/6, 1, and 0 without words.
    assert metric.corpus(rows).parts == pytest.approx({"words_per_sentence": 7 / 3, "syllables_per_word": 7 / 9})
    assert metric.signature().startswith("FK|var:xu2016|tok:none|")


def test_fkgl_sums_before_it_divides() -> None:
    metric = get_metric("fk:easse")
    rows = metric.statistics_many(metric.prepare("", []), ["Banana tomato potato.", "Go on! Stop it."])
    assert rows.tolist() == [[4, 9, 1], [6, 4, 2]]  # "banana tomato potato ." and "go on ! stop it ."
    assert metric.corpus(rows).value == pytest.approx(0.39 * 10 / 3 + 11.8 * 13 / 10 - 15.59)
    assert metric.corpus(rows).parts == pytest.approx({"words_per_sentence": 10 / 3, "syllables_per_word": 13 / 10})


def test_a_plain_count_takes_words_alone() -> None:
    """Between white space, with a letter or digit; tokenised text has the same ones."""
    metric = get_metric("readability")
    lines = ['A banana (ripe) - 3 of them!  He said: "Go on." It cost $2.', " ", "* *", "Dr. Smith's well-made table"]
    rows = metric.statistics_many(metric.prepare("", []), lines)
    assert rows.tolist() == [[13, 15, 3], [0, 0, 0], [0, 0, 0], [4, 6, 1]]
    assert metric.corpus(rows).value == pytest.approx(0.39 * 17 / 4 + 11.8 * 21 / 17 - 15.59)
    assert metric.statistics(metric.prepare("", []), "A banana ( ripe ) .").tolist() == [3, 5, 1]
    assert metric.signature().startswith(
        "FK|var:plain|tok:none|case:mixed|words:plain|syl:sbmt|sent:split|const:15.59|"
    )


def test_ibleu_subtracts_the_copy() -> None:
    metric = get_metric("ibleu:xu2016")
    prepared = metric.prepare("a b c d e", ["a b c d f", "a b c d"])
    row = metric.statistics(prepared, "a b c d e")
    # Against the references of 4.5, so 4 words: precisions 4/5, 3/4, 2/3, 1/2, no penalty. Against the source: 1.
    expected = 0.9 * (4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25 - 0.1
    assert float(metric.score(row)) == pytest.approx(100 * expected)
    assert metric.parts(row)["bleu_source"] == pytest.approx(100)


def test_fkbleu_rewards_the_easier_output_and_the_printed_sign_the_harder() -> None:
    source, easier = "the banana is a delicacy of ours .", "the fruit is a treat of ours ."
    scores = {}
    for variant in ("fkbleu:xu2016", "fkbleu:xu2016,sign=printed"):
        metric = get_metric(variant)
        row = metric.statistics(metric.prepare(source, [easier]), easier)
        parts = metric.parts(row)
        scores[variant] = float(metric.score(row)) / 100
        gain = float(parts["fk_source"] - parts["fk_output"]) * (1 if variant.endswith("xu2016") else -1)
        assert gain * (1 if variant.endswith("xu2016") else -1) > 0
        assert scores[variant] == pytest.approx(math.sqrt(float(parts["ibleu"]) / 100 / (1 + math.exp(-gain))))
    assert scores["fkbleu:xu2016"] > scores["fkbleu:xu2016,sign=printed"]


@pytest.mark.parametrize(
    ("specification", "source_precisions", "gain"),
    [
        # The source's "He" is not the output's: 3 of 6 words (ate, a, .), 1 of 5 pairs, none of 4 and of 3: 1/2, 1/4.
        ("fkbleu:xu2016", 3 / 6 * 1 / 5 * (1 / 2 / 4) * (1 / 4 / 3), 4.85),
        # It is: 4 of 6 words, 2 of 5 pairs, 1 of 4 triples, none of 3: 1/2.
        ("fkbleu:xu2016,case=lc", 4 / 6 * 2 / 5 * 1 / 4 * (1 / 2 / 3), 4.85),
        ("fkbleu:equations", 3 / 6 * 1 / 5 * (1 / 2 / 4) * (1 / 4 / 3), -4.45),  # the other constant and sign
    ],
)
def test_fkbleu_by_hand(specification: str, source_precisions: float, gain: float) -> None:
    """Six tokens in source and output, all of one syllable but "banana" (three) and "today" (two): 9 and 6 syllables.

    FK(I) = 0.39 * 6 + 11.8 * 9/6 - 15.19 = 4.85, or 4.45 with 15.59; FK(O) = 2.34 + 11.8 - 15.19 is below 0, so 0.
    Against the reference, of five tokens, so without penalty: 5 of 6 words, 3 of 5 pairs, 2 of 4 triples, 1 of 3.
    """
    metric = get_metric(specification)
    row = metric.statistics(metric.prepare("He ate a banana today .", ["he ate a pear ."]), "he ate a pear now .")
    ibleu = 0.9 * (5 / 6 * 3 / 5 * 2 / 4 * 1 / 3) ** 0.25 - 0.1 * source_precisions**0.25
    assert float(metric.score(row)) == pytest.approx(100 * math.sqrt(ibleu / (1 + math.exp(-gain))))


def test_fkbleu_of_the_harder_output_by_hand() -> None:
    """The same lines the other way round: the output's grade is 4.85, the source's 0.

    Against the reference and the source alike: 3 of 6 words, 1 of 5 pairs, none of 4 triples (1/2) and of 3 (1/4).
    """
    metric = get_metric("fkbleu:xu2016")
    row = metric.statistics(metric.prepare("he ate a pear now .", ["he ate a pear ."]), "He ate a banana today .")
    ibleu = (0.9 - 0.1) * (3 / 6 * 1 / 5 * (1 / 2 / 4) * (1 / 4 / 3)) ** 0.25
    assert float(metric.score(row)) == pytest.approx(100 * math.sqrt(ibleu / (1 + math.exp(4.85))))
    assert (metric.parts(row)["fk_output"], metric.parts(row)["fk_source"]) == (pytest.approx(4.85), 0)


def test_sentences_of_two_words_have_no_ngrams_of_three() -> None:
    """Sentence by sentence the orders without n-grams are left out; in a corpus, nothing of them matches."""
    for name, expected in (("ibleu:xu2016", 90), ("fkbleu:xu2016", 100 * math.sqrt(0.9 / 2))):
        for level, share in (("sentence", 1), ("corpus", 0)):
            metric = get_metric(name, level=level)
            row = metric.statistics(metric.prepare("x y", ["a b"]), "a b")
            assert float(metric.score(row)) == pytest.approx(share * expected)
            parts = {key: float(value) for key, value in metric.parts(row).items()}
            assert parts["bleu_references"] == pytest.approx(share * 100)
            assert parts.get("ibleu", 90 * share) == pytest.approx(90 * share)
            assert metric.score_sentences(row[None]) == pytest.approx([expected])


def test_fkbleu_is_0_for_a_negative_ibleu() -> None:
    metric = get_metric("fkbleu:xu2016")
    row = metric.statistics(metric.prepare("a b c d e", ["x y z"]), "a b c d e")
    assert metric.parts(row)["ibleu"] < 0
    assert float(metric.score(row)) == 0


@pytest.mark.filterwarnings("error")
def test_fkbleu_of_an_endless_line_does_not_overflow() -> None:
    metric = get_metric("fkbleu:xu2016")
    row = metric.statistics(metric.prepare("a b c d e", ["a b c d"]), "a b c d " + "banana " * 6000)
    assert float(metric.score(row)) == pytest.approx(0, abs=1e-100)
