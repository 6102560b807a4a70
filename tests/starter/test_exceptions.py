"""The list of exceptions: what a line means, what is wrong with one, and that what stays would change."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from sbmt.errors import FormatError
from sbmt.features.sentence.application import Application
from sbmt.features.sentence.excepted import own_span
from sbmt.ppdb.formats import read_rules
from sbmt.ppdb.rule import is_gap
from sbmt.ppdb.starter import GRAMMAR, LISTS
from sbmt.ppdb.starter.exceptions import ExceptionEntry, read_exceptions
from sbmt.simplifier import Simplifier


def test_a_line_has_words_that_stay_between_others(tmp_path: Path) -> None:
    path = tmp_path / "exceptions.txt"
    path.write_text("# all of it\n\nof|by [quantum leap|jump] CD  # numbers\n")
    kept = (frozenset(["quantum"]), frozenset(["leap", "jump"]))
    assert list(read_exceptions(path)) == [ExceptionEntry((frozenset(["of", "by"]),), kept, (frozenset(["CD"]),))]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("in this connection", r"line 2: is not an exception: 'in this connection' \(write lower-case words that stay"),
        ("in [this] old [connection]", "line 2: is not an exception"),
        ("of []", "line 2: is not an exception"),
        ("[treaty|NN] of", "line 2: is not an exception"),
        ("[treaty] of |to", r"line 2: '\|to' is no choice of words \(write one\|other without spaces\)"),
    ],
)
def test_each_mistake_is_named_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "exceptions.txt"
    path.write_text(f"[quantum] leap\n{text}\n")
    with pytest.raises(FormatError, match=message) as caught:
        list(read_exceptions(path))
    assert caught.value.path == str(path)


def test_each_exception_keeps_what_would_change_otherwise() -> None:
    """Some rule of the grammar that is no copy changes a word that stays, alone or with others that stay."""
    changed: defaultdict[tuple[str, ...], set[tuple[str, ...]]] = defaultdict(set)  # by the first word
    for rule in read_rules(GRAMMAR):
        if rule.source != rule.target:
            target = tuple(0 if is_gap(symbol) else symbol for symbol in rule.target)
            gaps = tuple((i, i + 1) for i, symbol in enumerate(rule.source) if is_gap(symbol))
            application = Application(0, 0, "ppdb", rule.lhs, (0, len(rule.source)), target, len(gaps), gaps)
            own = rule.source[slice(*own_span(application, rule.source))]
            changed[own[:1]].add(own)
    for entry in read_exceptions(LISTS / "exceptions.txt"):
        assert any(
            len(own) <= len(entry.kept) - i and all(map(frozenset.__contains__, entry.kept[i:], own))
            for i, choice in enumerate(entry.kept)
            for first in choice
            for own in changed[first,]
        ), entry


@pytest.mark.parametrize(
    "text",
    [
        "You may fail to qualify.",
        "Should the tenant fail to pay, call us.",
        "A licence is required to sell beer.",
        "The doors are alarmed.",
        "Visitors' parking permits must be used.",
        "Houses are owned by local authorities.",
        "They are entitled to full pay.",
        "They acknowledge receipt of your letter.",
        "It has failed to work.",
        "The books were addressed to her.",
        "He was visited by the queen.",
        "You will get a further 10% discount.",
        "They saw the old Ulm's population.",
        "Apply for a **permit** before you start.",
        "Your <b>permit</b> costs £30.",
        "The *alarmed* door is shut.",
        "Bring your [permit](https://example.org/permit).",
    ],
)
def test_the_starter_model_leaves_these_alone(simplifier: Simplifier, text: str) -> None:
    assert simplifier.simplify(text).output == text


@pytest.mark.parametrize(
    ("text", "simpler"),
    [
        ("If they fail to pay, call us.", "If they do not pay, call us."),
        ("You are entitled to claim it.", "You can claim it."),
        ("You are required to pay.", "You have to pay."),
        ("You aren't required to pay.", "You don't have to pay."),
        ("The bridge, which was used by boats, collapsed.", "The bridge, used by boats, collapsed."),
        ("To pay, one requires cash.", "To pay, one needs cash."),
        ("Each requires a lock.", "Each needs a lock."),
        ("You are entitled to vote in elections.", "You can vote in elections."),
        ("Is this the book you selected?", "Is this the book you chose?"),
        ("You must reply within a period of 28 days.", "You must reply within 28 days."),
        ("You have a further 28-day period to appeal.", "You have another 28-day period to appeal."),
        ("He sold a number of his books.", "He sold several of his books."),
        ("She wrote about the majority of them.", "She wrote about most of them."),
    ],
)
def test_the_same_words_change_elsewhere(simplifier: Simplifier, text: str, simpler: str) -> None:
    assert simplifier.simplify(text).output == simpler


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The majority of the residents of Leeds left.", "Most of the residents of Leeds left."),
        ("We must erect a sign.", "We must put up a sign."),
        ("They want to erect a notice.", "They want to put up a notice."),
        ("The loss (which was significant) was seen.", "The loss (which was significant) was seen."),
        ("Each individual's rights matter.", "Each individual's rights matter."),
        ("Please **refrain** from smoking.", "Please **refrain** from smoking."),
    ],
)
def test_other_entries_do_not_get_round_an_exception(simplifier: Simplifier, text: str, expected: str) -> None:
    assert simplifier.simplify(text).output == expected
