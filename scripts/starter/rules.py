"""Making a rule of the starter grammar: its features, its alignment, and the article that changes with it."""

from __future__ import annotations

from collections.abc import Iterator

from sbmt.ppdb.rule import Rule, is_gap
from sbmt.text.realisation.articles import article_for
from sbmt.text.words.english import NEVER_AFTER_A, NEVER_BEFORE_NOUNS
from starter.lists import Entry

_AFTER_ARTICLE = frozenset(("NN", "JJ", "VBG", "RB", "NP"))  # participles before a noun do not change


def entry_features(entry: Entry, rank: int) -> dict[str, float]:
    """The features of the rules of an entry for its target number `rank`, from 0."""
    features = {"StarterSafe" if entry.safe else "StarterMostly": 1.0}
    if rank:
        features["StarterRank"] = float(rank)
    return features


def make_rule(label: str, source: str, target: str, features: dict[str, float]) -> Rule:
    """A rule of two sides, written as symbols separated by spaces."""
    symbols = tuple(source.split()), tuple(target.split())
    return Rule(label, *symbols, features, align(*symbols))


def with_articles(tag: str, source: str, target: str, features: dict[str, float]) -> Iterator[Rule]:
    """The rule, and if the article before it changes with it, the rule that changes both."""
    yield make_rule(tag, source, target, features)
    if tag in _AFTER_ARTICLE and article_for(source) != article_for(target) and _follows_article(tag, target):
        yield make_rule(
            "NP" if tag == "NP" else "X", f"{article_for(source)} {source}", f"{article_for(target)} {target}", features
        )


def _follows_article(tag: str, target: str) -> bool:
    """Whether the target can stand between an article and what follows there: a noun after an -ing form."""
    first, *rest = target.split()
    last = [first, *rest][-1]
    if tag == "NN":
        return last not in NEVER_AFTER_A
    if tag == "VBG":
        return last not in NEVER_BEFORE_NOUNS and (not rest or first.endswith("ly") or first in ("well", "badly"))
    return tag != "RB" or not rest  # an increasingly large, a more and more large


def align(source: tuple[str, ...], target: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """Align equal symbols in their order, and every other target word with every other source word."""
    points: list[tuple[int, int]] = []
    free = list(range(len(source)))
    for j, symbol in enumerate(target):
        same = next((i for i in free if source[i] == symbol), None)
        if same is not None:
            points.append((same, j))
            free.remove(same)
    aligned = {j for _, j in points}
    words = [i for i in free if not is_gap(source[i])] or [i for i, symbol in enumerate(source) if not is_gap(symbol)]
    points.extend((i, j) for j in range(len(target)) if j not in aligned for i in words)
    return tuple(sorted(points))
