"""Features that the decoder computes while it works, beside the values that rules bring with them.

**Stateless** features see every way a rule applies to the sentence, once, when the forest is built: they are part of
the forest, cost nothing in search and are tuned like any other feature. One that looks at the context is ten lines:

    class KeepsFirstWord:
        '''FirstWordKept: 1 if the application covers the first word and its output starts with it.'''

        def values(self, sentence, applications):
            for number, application in enumerate(applications):
                if application.span[0] == 0 and application.target[:1] == sentence[:1]:
                    yield number, "FirstWordKept", 1.0

    decoder = Decoder(grammars, models, weights, settings, feature_functions=[KeepsFirstWord()])

(`feature_functions` of a model does the same for every command: docs/decoder.md, "Features of your own".)

A **rule feature** depends on nothing but the rule: it sees each rule once, however often it applies, and gives a column
of values.

**Stateful** features are functions of the output that can be computed piece by piece, as a language model is:
`states()` gives a table whose `combine` joins pieces. Hypotheses with equal states are recombined, so a state must hold
all that later values can depend on. `sbmt.lm.states` is the example.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from sbmt.arrays import Floats, Ints
from sbmt.features.sentence.application import StatelessFeature
from sbmt.lm.symbols import Symbol


@dataclass(slots=True)
class RuleTable:
    """The distinct rules that apply to a sentence, by column; `head` is the label's number.

    `words` counts the words of the target side. `labels` names the labels that are heads, by number.
    """

    grammar: list[int]
    rule_id: list[int]
    head: list[int]
    arity: list[int]
    target: list[tuple[Symbol, ...]]
    words: Ints
    labels: dict[int, str]


@runtime_checkable
class RuleFeature(Protocol):
    """A feature that depends only on the rule and whose values no grammar file holds."""

    def rule_values(self, rules: RuleTable, owners: Sequence[str]) -> tuple[str, Sequence[float] | Floats]:
        """Return the name and the value of each rule; `owners` by grammar number, the last for words passed through."""


FeatureFunction = StatelessFeature | RuleFeature


class StateTable(Protocol):
    """States of partial outputs of one sentence.

    Two more members are optional. `size` counts what the table remembers, which is forgotten when it grows too large;
    `appender()` gives a faster `combine` for two gaps alone, `append(state, after)` (`sbmt.lm.states.States` has both).
    Neither is used for features that a model names in `feature_functions`.
    """

    def combine(self, target: Sequence[Symbol], tails: Sequence[int]) -> tuple[float, int]:
        """Join words and the states `tails` that fill the gaps; returns what that adds to the value, and the new state.

        `target` holds words and numbers of gaps; gap g is filled by state `tails[g]`. "<s>" and "</s>" are the ends of
        the sentence. The value of a whole is the sum over all joins of its derivation. -inf forbids the join.
        """


class StatefulFeature(Protocol):
    """A feature of the output that needs a state.

    An attribute `swing` may say how much later context can, in all likelihood, change the difference between the values
    of two partial outputs. Search then drops what is worse by more than that, and is far faster. A feature with `swing`
    must never forbid a join (-inf).

    A method `score_texts(texts)` may give the `score` of many outputs faster: words between single spaces, none of them
    with white space inside (`sbmt.lm.model.LanguageModel` has both). For a feature that a model names in
    `feature_functions` it is not used; `swing` is.
    """

    name: str

    def states(self) -> StateTable:
        """Return a fresh table for one sentence."""

    def score(self, words: Sequence[str]) -> float:
        """Return the value of a whole output, given without sentence marks: the sum that `combine` arrives at."""
