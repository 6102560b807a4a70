"""Origins of output words, from the derivation or, without one, from a comparison of source and output."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from sbmt.decoder.hypothesis import Hypothesis, Step
from sbmt.features.sentence.application import CONSTRAINT_OWNER, PASS_THROUGH_OWNER
from sbmt.lm.symbols import MARKS
from sbmt.ppdb.rule import DEFAULT_LABEL, Rule, is_gap
from sbmt.text.pipeline import Sentence
from sbmt.text.realisation.output_word import OutputWord


def is_change(step: Step) -> bool:
    """Whether a step changes the text: the two sides of its rule differ in more than sentence marks."""
    if step.owner == PASS_THROUGH_OWNER:
        return False
    source, target = step.rule.sides
    if step.owner == CONSTRAINT_OWNER or step.application < 0:  # words of the sentence, even if they look like marks
        return source != target
    return without_marks(source) != without_marks(target)


def without_marks(symbols: Sequence[str]) -> list[str]:
    """Return the symbols of a side of a rule without sentence marks, which are no part of texts."""
    return [symbol for symbol in symbols if symbol not in MARKS]


def steps_of(sentence: Sentence, hypothesis: Hypothesis) -> list[Step]:
    """Return the derivation or, for translators without one, rules made of the stretches that differ."""
    if hypothesis.derivation:
        return hypothesis.derivation
    words = sentence.words
    matcher = SequenceMatcher(None, words, hypothesis.words, autojunk=False)
    steps = []
    for kind, i, j, a, b in matcher.get_opcodes():
        owner = PASS_THROUGH_OWNER if kind == "equal" else "difference"
        rule = Rule(DEFAULT_LABEL, tuple(words[i:j]), tuple(hypothesis.words[a:b]))
        steps.append(Step(rule, owner, (i, j), (a, b), 0.0, ()))
    return steps


def output_words(sentence: Sentence, hypothesis: Hypothesis, steps: Sequence[Step]) -> list[OutputWord]:
    """Return one entry per target word. Parents precede children in `steps`: the last step over a word wrote it."""
    sources, targets = innermost(steps, len(sentence.tokens), len(hypothesis.words))
    result = []
    copied_tokens: set[int] = set()
    for t, word in enumerate(hypothesis.words):
        number = targets[t]
        step = steps[number]
        i = step.span[0] + t - step.target_span[0]
        if not is_change(step) and not has_gaps(step) and sentence.tokens[i].word == word:
            label = "" if step.owner in (PASS_THROUGH_OWNER, CONSTRAINT_OWNER) else step.rule.lhs
            result.append(OutputWord(word, i, (i,), label, (i, i + 1)))
            continue
        uncovered = [i for i in range(*step.span) if sources[i] == number]
        aligned = [i for i, j in step.alignment if j == t] if step.alignment else uncovered
        equal_tokens = [i for i in aligned if i not in copied_tokens and sentence.tokens[i].word == word]
        copied_tokens.update(equal_tokens[:1])
        result.append(OutputWord(word, equal_tokens[0] if equal_tokens else None, tuple(aligned), span=step.span))
    return result


def has_gaps(step: Step) -> bool:
    """Whether other steps wrote a part of the step's span."""
    return any(map(is_gap, step.rule.source))


def is_glue(step: Step) -> bool:
    """Whether a step has only gaps and sentence marks, and so writes no word."""
    return all(symbol in MARKS or is_gap(symbol) for symbol in step.rule.target)


def innermost(steps: Sequence[Step], n_source: int, n_target: int) -> tuple[list[int], list[int]]:
    """Return for each source and each target word the number of the innermost step that covers it."""
    sources, targets = [0] * n_source, [0] * n_target
    for number, step in enumerate(steps):
        if is_glue(step):
            continue  # fast: its spans are long
        (i, j), (a, b) = step.span, step.target_span
        sources[i:j] = [number] * (j - i)
        targets[a:b] = [number] * (b - a)
    return sources, targets
