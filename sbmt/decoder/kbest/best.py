"""The single best derivation, all that a list of one output needs."""

from __future__ import annotations

from operator import itemgetter

from sbmt.decoder.forest import Forest
from sbmt.decoder.hypergraph import NO_APPLICATION, SEPARATOR, Hypergraph
from sbmt.decoder.kbest.lazy import Derivation

_score = itemgetter(0)


def best_derivation(graph: Hypergraph, forest: Forest, goal: int) -> Derivation:
    """Return the best derivation of the node `goal`, without preparing for others as `chains.KBest` does.

    If a rule has tails but no gaps in its target, the output of the tails comes first: that is how phrases follow one
    another in the phrase-based decoder.
    """
    into = graph.into
    used: list[tuple[int, int]] = []  # application and number of tails, each before those in its tails, left to right
    pending = [goal]
    while pending:
        edges = into(pending.pop())
        _, application, tails = edges[0] if len(edges) == 1 else max(edges, key=_score)
        used.append((application, len(tails)))
        if tails:
            pending += tails[::-1]
    texts: list[str] = []  # of subderivations, the leftmost last
    for application, n_tails in reversed(used):
        target = forest.target(application) if application != NO_APPLICATION else ()
        parts = [texts.pop() for _ in range(n_tails)]
        text = "".join([symbol + SEPARATOR if isinstance(symbol, str) else parts[symbol] for symbol in target])
        texts.append(text if int in map(type, target) else "".join(parts) + text)
    return Derivation(graph.score[goal], texts[0], tuple([number for number, _ in used if number != NO_APPLICATION]))
