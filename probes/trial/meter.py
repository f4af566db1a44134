"""Measuring blocks: the server's sums at their ends, while the guard is heard meanwhile."""

from __future__ import annotations

import time
from collections.abc import Callable

from probes.cancel import CancelToken
from probes.mysql.answers import pairs
from probes.mysql.connection import MySQLSession
from probes.trial.block import TrialBlock, block
from probes.trial.counters import COUNT_S, Sources, read_counters
from probes.trial.guard import TICK_S
from probes.trial.settings import Side
from probes.trial.stretch import WorkStretch, stretch
from probes.trial.work import Counters

RUNNING_SQL = "SHOW GLOBAL STATUS LIKE 'Threads_running'"


class Meter:
    """Reads one server over one session; belongs to one trial.

    ``look`` is called some times a second, and may end the trial by raising. Each method raises
    what that does, MySQLError, and Cancelled when ``token`` was raised.
    """

    def __init__(
        self,
        session: MySQLSession,
        sources: Sources,
        look: Callable[[], object],
        token: CancelToken,
    ) -> None:
        self._session = session
        self._sources = sources
        self._look = look
        self._token = token
        self._busy_s = 0.0

    def ticks(self, seconds: float, tick_s: float) -> list[Counters]:
        """The sums at the ends of short stretches, without the histogram."""
        read = [self.read(whole=False)]
        began_s = time.perf_counter()
        for number in range(1, round(seconds / tick_s) + 1):
            self.wait(began_s + number * tick_s - time.perf_counter())
            read.append(self.read(whole=False))
        return read

    def block(self, side: Side, settle_s: float, block_s: float) -> TrialBlock:
        """Let the server settle, and then measure; its value was set before."""
        self.wait(settle_s)
        begin = self.read()
        began_s = time.perf_counter()
        self.wait(block_s / 2)
        middle = self.read(whole=False)
        self.wait(began_s + block_s - time.perf_counter())
        return block(side, begin, middle, self.read())

    def broken_off(self, side: Side, begin: Counters) -> TrialBlock:
        """What the server did since a moment, as a block that came to no end: it has no p95."""
        now = self.read(whole=False)
        return block(side, begin, now, now)

    def stretch(self, seconds: float) -> WorkStretch:
        """What the server does in the next seconds."""
        begin = self.read()
        self.wait(seconds)
        return stretch(begin, self.read())

    def read(self, *, whole: bool = True) -> Counters:
        """The sums by now."""
        return read_counters(self._session, self._sources, self._busy_s, whole=whole)

    def wait(self, seconds: float) -> None:
        """Let time pass, and look meanwhile."""
        ends_s = time.perf_counter() + seconds
        step_s = TICK_S / 2 if self._sources.sums else COUNT_S
        last_s = time.perf_counter()
        while True:
            self._look()
            left_s = ends_s - time.perf_counter()
            if left_s <= 0:
                self._token.check()
                return
            self._token.wait(min(step_s, left_s))
            if not self._sources.sums:
                now_s = time.perf_counter()
                self._busy_s += self._running() * (now_s - last_s)
                last_s = now_s

    def _running(self) -> float:
        return self._sources.at_work(pairs(self._session.rows(RUNNING_SQL)))
