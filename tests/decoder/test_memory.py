"""What a decoder remembers, under threads, interruptions and forks; and the collector that it pauses."""

from __future__ import annotations

import gc
import itertools
import os
import signal
import threading
import time
import weakref
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from sbmt.decoder.base import ForestDecoder
from sbmt.decoder.decoder import Decoder
from sbmt.decoder.features import StateTable
from sbmt.decoder.garbage_collection import _Pauses, collector_paused
from sbmt.decoder.phrase import PhraseDecoder
from sbmt.lm.model import LanguageModel
from sbmt.lm.symbols import Symbol
from sbmt.ppdb.glue import glue_rules
from sbmt.ppdb.grammar import Grammar
from sbmt.ppdb.rule import Rule
from tests.decoder.brute_force import write_arpa

WORDS = "abcde"
Output = tuple[str, float]


class Fragile:
    """A language model whose states break for good if two threads join at once, or if a join does not end.

    The join that makes `joins_left` 0 is interrupted.
    """

    def __init__(self, model: LanguageModel) -> None:
        self.name, self.score, self._model, self.joins_left = model.name, model.score, model, 0

    def states(self) -> StateTable:
        return _FragileStates(self, self._model.states())


class _FragileStates:
    def __init__(self, feature: Fragile, states: StateTable) -> None:
        self._feature, self._states, self._is_joining = feature, states, False

    def combine(self, target: Sequence[Symbol], tails: Sequence[int]) -> tuple[float, int]:
        assert not self._is_joining
        self._is_joining = True
        time.sleep(0)  # lets another thread go on
        self._feature.joins_left -= 1
        if self._feature.joins_left == 0:
            raise KeyboardInterrupt
        join = self._states.combine(target, tails)
        self._is_joining = False
        return join


class Nothing:
    """A stateless feature without values, which fails if two threads parse at once."""

    names = ()

    def __init__(self) -> None:
        self._is_used = False

    def values(self, sentence: object, applications: object) -> list[tuple[int, str, float]]:
        assert not self._is_used
        self._is_used = True
        time.sleep(0.001)
        self._is_used = False
        return []


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> LanguageModel:
    return LanguageModel(write_arpa(tmp_path_factory.mktemp("lm") / "m.arpa", 5, WORDS), "lm_0")


def decoder_with(model: LanguageModel | Fragile, kind: type[Decoder | PhraseDecoder] = Decoder) -> ForestDecoder:
    pairs = [(a, b) for a in WORDS for b in WORDS]
    rules = [Rule("X", (a,), (b,)) for a, b in pairs] + [Rule("X", pair, pair[::-1]) for pair in pairs]
    if kind is PhraseDecoder:
        return PhraseDecoder(
            [Grammar.from_rules(rules, "pt", 6)], [model], {"lm_0": 1.0}, feature_functions=[Nothing()]
        )
    rules += [Rule("X", (a, "[X,1]", b), (b, "[X,1]", a)) for a, b in pairs]
    grammars = [Grammar.from_rules(rules, "pt", 6), Grammar.from_rules(list(glue_rules(["X"], "GOAL")), "glue", -1)]
    return Decoder(grammars, [model], {"lm_0": 1.0}, feature_functions=[Nothing()])


def sentences() -> list[list[str]]:
    chance = Random(1)
    return [chance.choices(WORDS, k=chance.randint(2, 6)) for _ in range(20)]


def best(decoder: ForestDecoder, words: list[str]) -> list[Output]:
    return [(hypothesis.text, round(hypothesis.score, 6)) for hypothesis in decoder.decode(words, nbest=5).nbest(5)]


@pytest.fixture(scope="module")
def expected(model: LanguageModel) -> list[list[Output]]:
    return [best(decoder_with(model), words) for words in sentences()]


@pytest.mark.parametrize("kind", [Decoder, PhraseDecoder])
def test_threads_may_share_a_decoder_and_its_copies(model: LanguageModel, kind: type[Decoder | PhraseDecoder]) -> None:
    expected = [best(decoder_with(model, kind), words) for words in sentences()]
    decoder = decoder_with(Fragile(model), kind)
    decoders = [decoder, decoder.with_feature(Nothing(), "Nothing", 0.0)]
    with ThreadPoolExecutor(8) as threads:
        results = threads.map(lambda number: best(decoders[number % 2], sentences()[number]), range(20))
        assert list(results) == expected
    assert gc.isenabled()


@pytest.mark.parametrize("joins", [1, 10, 100])
def test_after_an_interruption_all_is_as_before(model: LanguageModel, expected: list[list[Output]], joins: int) -> None:
    fragile = Fragile(model)
    decoder = decoder_with(fragile)
    copy = decoder.with_feature(Nothing(), "Nothing", 0.0)
    fragile.joins_left = joins
    with pytest.raises(KeyboardInterrupt):
        list(map(best, [copy] * 20, sentences()))
    assert [best(decoder, words) for words in sentences()] == expected
    assert gc.isenabled()


def test_a_decoder_goes_without_the_collector(model: LanguageModel) -> None:
    """A process that tunes has frozen its objects, so a decoder in a cycle would stay, with all that it remembers."""
    with collector_paused():
        decoder = decoder_with(model)
        copy = decoder.with_feature(Nothing(), "Nothing", 0.0)
        best(copy, sentences()[0])
        left = [weakref.ref(decoder), weakref.ref(copy), weakref.ref(decoder._memory)]
        del decoder, copy
        assert [reference() for reference in left] == [None] * 3


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_waits_for_no_thread_that_it_lacks(model: LanguageModel, expected: list[list[Output]]) -> None:
    decoder, is_used, may_end = decoder_with(model), threading.Event(), threading.Event()

    def use() -> None:
        with decoder._memory.in_use(), collector_paused():
            is_used.set()
            may_end.wait()

    thread = threading.Thread(target=use)
    thread.start()
    is_used.wait()
    child = os.fork()
    if child == 0:
        signal.alarm(60)  # ends it if it waits
        is_right = False
        try:
            is_right = gc.isenabled() and best(decoder, sentences()[0]) == expected[0]
        finally:
            os._exit(not is_right)
    may_end.set()
    thread.join()
    assert os.waitpid(child, 0)[1] == 0


def test_the_collector_stays_off_if_it_was_and_comes_back_after_the_last_pause() -> None:
    first, second = collector_paused(), collector_paused()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert not gc.isenabled()
    second.__exit__(None, None, None)
    assert gc.isenabled()
    gc.disable()
    with collector_paused():
        pass
    assert not gc.isenabled()
    gc.enable()


@pytest.mark.parametrize("name", ["begin", "end"])
def test_a_pause_ends_if_its_beginning_or_end_is_interrupted(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Just before it does anything, as Ctrl-C at the start of a function."""
    original, calls = getattr(_Pauses, name), itertools.count()

    def interrupted(pauses: _Pauses, token: object) -> None:
        if next(calls) == 0:
            raise KeyboardInterrupt
        original(pauses, token)

    monkeypatch.setattr(_Pauses, name, interrupted)
    with pytest.raises(KeyboardInterrupt), collector_paused():
        pass
    assert gc.isenabled()
    with collector_paused():
        assert not gc.isenabled()
    assert gc.isenabled()
