"""What a decoder remembers between sentences, for one thread at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import RLock
from weakref import WeakSet

from sbmt.decoder.features import StatefulFeature
from sbmt.decoder.search.joiner import make_joiner


class Memory:
    """The joiner of a decoder and of its copies, and a lock that its user holds.

    States are numbered in several steps. So after an interruption, such as an error, Ctrl-C or a timer's signal, the
    next use begins with a new joiner, and so does a forked process, which may have a copy that was being changed.
    """

    def __init__(self, stateful: Sequence[StatefulFeature]) -> None:
        self._stateful, self._lock, self._may_be_broken = stateful, RLock(), False
        self.joiner = make_joiner(stateful)
        _memories.add(self)

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Wait until no other thread uses the memory, and let none do so."""
        with self._lock:
            if self._may_be_broken:
                self.forget()
            self._may_be_broken = True
            yield
            self._may_be_broken = False

    def forget(self) -> None:
        """Start with a new joiner."""
        self.joiner = make_joiner(self._stateful)

    def renew(self) -> None:
        """Start with a new lock, too: in a forked process no thread would ever release the old one."""
        self._lock = RLock()
        self.forget()


_memories: WeakSet[Memory] = WeakSet()


def _renew_all() -> None:
    for memory in list(_memories):
        memory.renew()


if hasattr(os, "register_at_fork"):  # not on Windows, which has no fork
    os.register_at_fork(after_in_child=_renew_all)
