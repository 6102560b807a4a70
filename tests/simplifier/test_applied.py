"""Changes can be applied to the source one by one, and give correct text."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sbmt.simplifier import Change, Options, Result, Simplifier
from sbmt.simplifier.formats import as_diff
from sbmt.simplifier.html import as_html
from tests.evaluation.page import Page as Parsed

RULES = """\
[X] ||| 're obliged to ||| have to
[X] ||| 's required to ||| has to
[X] ||| 's unable to ||| cannot
[X] ||| have received ||| 've got
[X] ||| not ||| n't
[X] ||| in addition ||| , too
[X] ||| , namely ||| -lrb- that is
[X] ||| basically |||
[X] ||| furthermore , |||
[X] ||| residents ||| people
[X] ||| enormous ||| big
[X] ||| so-called ||| known as
[X] ||| punctually . ||| on time .
[X] ||| [X,1] 's population ||| the population of [X,1]
"""
PIECES = [
    *("You're obliged to", "it's required to", "'s unable to", "You have received", "did not", "in addition"),
    *(", namely", "basically", "Basically,", "Furthermore,", "residents", "residents'", "an enormous", "so-called"),
    *("punctually.", "Ulm's population", "Ulm's population’s required to", "pay", "(see", ")", '"', "“", "”", "'", ","),
    *("<b>", "</b>", "*", "-", "--", "half-", ".", "He", "`code`", "3", "e.g."),
]


@pytest.fixture(scope="module")
def simplifier(tmp_path_factory: pytest.TempPathFactory) -> Simplifier:
    folder = tmp_path_factory.mktemp("rules")
    (folder / "rules").write_text("".join(f"{rule} ||| p=1\n" for rule in RULES.splitlines()))
    (folder / "model.yaml").write_text("format: 1\ngrammars: [{path: rules}]\nweights: {p: 1}\n")
    return Simplifier.load(folder, Options())


def outermost(result: Result) -> list[Change]:
    """Changes that are in no other."""
    separate: list[Change] = []
    for change in result.changes:
        if not separate or change.source_span[0] >= separate[-1].source_span[1]:
            separate.append(change)
    return separate


def applied(text: str, change: Change) -> str:
    i, j = change.source_span
    return text[:i] + change.output + text[j:]


def all_applied(result: Result) -> str:
    text = result.source
    for change in reversed(outermost(result)):
        text = applied(text, change)
    return text


@pytest.mark.parametrize(
    ("text", "source", "output", "simpler"),
    [
        ("You're obliged to pay.", "'re obliged to", " have to", "You have to pay."),
        ("“He’s unable to pay.”", "’s unable to", " cannot", "“He cannot pay.”"),
        ("*You*'re obliged to  pay.", "'re obliged to", " have to", "*You* have to  pay."),
        ("<b>It</b>'s required to stop.", "'s required to", " has to", "<b>It</b> has to stop."),
        ("You 're obliged to pay.", "'re obliged to", "have to", "You have to pay."),
        ("You have received it.", " have received", "'ve got", "You've got it."),
        ("They did not (then) pay.", " not", "n't", "They didn't (then) pay."),
        ("He came in addition.", " in addition", ", too", "He came, too."),
        ("He saw Ulm, namely Ulm.", ", namely", " (that is", "He saw Ulm (that is Ulm."),
        ("He basically left.", " basically", "", "He left."),
        ("He left basically.", " basically", "", "He left."),
        ("Furthermore, he left.", "Furthermore, he", "He", "He left."),
        ("Furthermore, (he) left.", "Furthermore, (he", "(He", "(He) left."),
        ("“Furthermore, he left.”", "Furthermore, he", "He", "“He left.”"),
        ("A half-so-called so-called man.", "so-called", "known as", "A half-so-called known as man."),
    ],
)
def test_what_is_altered_beside_the_words_belongs_to_the_change(
    simplifier: Simplifier, text: str, source: str, output: str, simpler: str
) -> None:
    result = simplifier.simplify(text)
    (change,) = result.changes
    assert (result.output, change.source, change.output) == (simpler, source, output)
    assert result.output[slice(*change.output_span)] == change.output
    assert applied(text, change) == result.output


@pytest.mark.parametrize(
    "text",
    [
        "The residents're obliged to pay.",
        "So-called residents have basically seen so-called tools.",
        "We saw Ulm basically in addition, namely punctually. It's required to pay.",
        "“It’s basically required,” he said, “and he’s unable to.” He's required to (in addition) come.",
    ],
)
def test_each_can_be_made_alone(simplifier: Simplifier, text: str) -> None:
    """Also of two neighbouring changes: no words run together, and none are lost."""
    result = simplifier.simplify(text)
    assert len(result.changes) > 1
    for change in result.changes:
        i, j = change.source_span
        target = change.rule.split("|||")[2].replace("-lrb-", "(")
        assert words(applied(text, change)) == [*words(text[:i]), *words(target), *words(text[j:])]
    assert all_applied(result) == result.output


def words(text: str) -> list[str]:
    return re.findall(r"\w+|[^\w\s]", text.lower())


@given(st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from([" ", " ", " ", "", "  "])), max_size=8))
@example([("Furthermore,", " "), ("an enormous", " ")])
@example([(",", " "), ("basically", "  "), ("an enormous", " ")])
def test_all_together_give_the_output(simplifier: Simplifier, pieces: list[tuple[str, str]]) -> None:
    result = simplifier.simplify("".join(map("".join, pieces)))
    assert all_applied(result) == result.output


def test_a_change_of_a_clitic_is_shown_as_one_with_its_rule(simplifier: Simplifier) -> None:
    result = simplifier.simplify("You're obliged to pay.")
    assert as_diff(result, 0, colour=False) == "You[-'re obliged-]{+ have+} to pay."
    page = as_html(result, 0, colour=False)
    assert "<del>&#x27;re obliged</del>" in page
    shown = "".join(Parsed(page).texts)
    assert "'re obliged to becomes have to [X] ||| 're obliged to ||| have to (" in shown
    assert "words around moved" not in shown
    assert page.count('class="change"') == 1
