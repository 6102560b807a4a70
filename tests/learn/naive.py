"""Rule extraction by its definitions, one sentence pair at a time, to compare the vectorised one with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

Link = tuple[int, int]
Span = tuple[int, int]
Phrase = tuple[Span, Span]


def consistent(links: Sequence[Link], source: Span, target: Span) -> bool:
    """Koehn, Och & Marcu (2003): some link inside, and none with one end inside and one outside."""
    inside = [(source[0] <= i < source[1], target[0] <= j < target[1]) for i, j in links]
    return any(a and b for a, b in inside) and all(a == b for a, b in inside)


def spans(length: int, longest: int) -> Iterator[Span]:
    yield from ((i, j) for i in range(length) for j in range(i + 1, min(length, i + longest) + 1))


def phrase_pairs(m: int, n: int, links: Sequence[Link], longest: int) -> list[Phrase]:
    return [(s, t) for s in spans(m, longest) for t in spans(n, longest) if consistent(links, s, t)]


def initial_phrases(m: int, n: int, links: Sequence[Link], longest: int) -> list[Phrase]:
    """Chiang (2007): of phrase pairs with the same links only the smallest, so all four ends are linked."""
    linked_f, linked_e = {i for i, _ in links}, {j for _, j in links}
    return [
        (s, t)
        for s, t in phrase_pairs(m, n, links, longest)
        if {s[0], s[1] - 1} <= linked_f and {t[0], t[1] - 1} <= linked_e
    ]


def _render(words: Sequence[str], span: Span, gaps: Sequence[Span]) -> tuple[str, ...]:
    out: list[str] = []
    k = span[0]
    while k < span[1]:
        index = next((number for number, gap in enumerate(gaps, 1) if gap[0] == k), None)
        if index is None:
            out.append(words[k])
            k += 1
        else:
            out.append(f"[X,{index}]")
            k = gaps[index - 1][1]
    return tuple(out)


def _within(inner: Phrase, outer: Phrase) -> bool:
    return all(o[0] <= i[0] and i[1] <= o[1] for i, o in zip(inner, outer, strict=True)) and inner != outer


def rules(f: Sequence[str], e: Sequence[str], links: Sequence[Link], max_phrase: int, max_gaps: int) -> Counter:
    """(source side, target side) -> how often."""
    rule_counts: Counter = Counter()
    for s, t in phrase_pairs(len(f), len(e), links, max_phrase):
        rule_counts[_render(f, s, ()), _render(e, t, ())] += 1
    initial = initial_phrases(len(f), len(e), links, 10) if max_gaps else []
    for outer in initial:
        inner = [phrase for phrase in initial if _within(phrase, outer)]
        chosen: list[tuple[Phrase, ...]] = [(phrase,) for phrase in inner]
        if max_gaps == 2:
            chosen += [tuple(sorted(two)) for two in combinations(inner, 2)]
        for gaps in chosen:
            source_gaps, target_gaps = [gap[0] for gap in gaps], [gap[1] for gap in gaps]
            if len(gaps) == 2 and source_gaps[0][1] >= source_gaps[1][0]:
                continue  # overlapping, or next to each other on the source side
            covered = {i for gap in source_gaps for i in range(*gap)}
            outside = [i for i, _ in links if outer[0][0] <= i < outer[0][1] and i not in covered]
            source = _render(f, outer[0], source_gaps)
            if outside and len(source) <= 5:
                rule_counts[source, _render(e, outer[1], target_gaps)] += 1
    return rule_counts
