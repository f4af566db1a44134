"""Gain: the share of the time of running queries that a change removes; the one unit of advice.

Queries wait for page reads, for syncs at commit, for free pages: on average this many at a time
(Little's law: rate x latency). A rule says which of these waits its change shortens, and by which
share; what that is of all queries at work follows from the server's own work.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from probes.statistics.ranges import Range

FLOOR = 0.01
"""A gain that stays below this is too small to be worth a line (our choice)."""

IDLE = 0.05
"""With fewer queries at work than this, shares of their time say nothing (our choice)."""


STANDS_OUT = 0.2
"""A wait that takes less of the time of queries limits nothing yet (our choice)."""


MOST = 0.5
"""From here on it is most of query time."""


class Stakes(StrEnum):
    """What advice is about: it decides the list that it stands in."""

    DATA = "data"
    """Data can be lost, or the server can stop."""

    TIME = "time"
    """The time that queries take."""

    MONEY = "money"
    """What is paid each month, and so much that it is worth a line."""

    HOUSEKEEPING = "housekeeping"
    """Lines to delete, ends of support: nothing that a query feels."""

    TIDINESS = "tidiness"
    """Lines whose deletion no server feels, neither now nor at its next start."""


class VolumeLimit(StrEnum):
    """A limit on what a volume carries: reads and syncs wait there."""

    REQUESTS = "requests"
    BYTES = "bytes"
    MACHINE = "machine"
    """The machine's, on all of its volumes."""

    CLASS = "class"
    """That of a service's class of machines, on the volume."""


class Wait(StrEnum):
    """What running queries spend their time on or wait for."""

    PAGE_READS = "page_reads"
    COMMITS = "commits"
    GROUP = "group"
    REPLICA = "replica"
    ROW_LOCKS = "row_locks"
    CHECKPOINTS = "checkpoints"
    FREE_PAGES = "free_pages"
    LOG_BUFFER = "log_buffer"
    TEMPORARY = "temporary"
    OTHER_READS = "other_reads"
    """Reads of files that are not InnoDB's: another engine's tables, for example."""

    PLACES = "places"
    QUERY_CACHE = "query_cache"
    """The one lock of MySQL's and MariaDB's query cache."""

    CLUSTER = "cluster"
    MEMORY = "memory"
    PROCESSORS = "processors"


HELD_UP = (Wait.PAGE_READS, Wait.COMMITS)
"""What waits longer at a limit on what a volume carries."""

_MOST_OFTEN = (Wait.PAGE_READS, Wait.COMMITS, Wait.PROCESSORS)

UNCOUNTED = frozenset({Wait.CHECKPOINTS, Wait.QUERY_CACHE})
"""Waits that nobody counts: of the queries that nothing else explains all may be in them, or none,
unless what makes them wait is at its end."""


@dataclass(frozen=True, slots=True)
class Relief:
    """By which share (0..1) a change shortens a wait.

    ``times`` is how many times as much what makes it wait lets pass then, None where nobody knows:
    nobody who queues there gets further than that.
    """

    wait: Wait
    share: Range
    times: float | None = None

    @classmethod
    def whole(cls, wait: Wait) -> Relief:
        """A wait that ends."""
        return cls(wait, Range.exact(1.0))

    @classmethod
    def up_to(cls, wait: Wait, most: float) -> Relief:
        """A share that is known to be at most ``most``; half of it is expected."""
        return cls(wait, Range(most / 2, 0.0, most))

    @classmethod
    def part(cls, wait: Wait, ends: Range, whole: float) -> Relief:
        """A wait of ``whole`` of which so much ends: all of it at most."""
        return cls(
            wait, Range(*(min(1.0, each / whole) for each in (ends.value, ends.low, ends.high)))
        )

    @classmethod
    def to(cls, wait: Wait, now: float, then: float) -> Relief:
        """A wait that takes ``then`` in place of ``now``."""
        return cls(wait, Range.exact(max(0.0, 1 - then / now)))


@dataclass(frozen=True, slots=True)
class QueryTime:
    """How many queries are at work on average, and how many of them wait for what.

    ``running`` has the interval of its mean. ``waits`` holds what is known; a wait that is missing
    there is unknown, and not none. ``log_busy`` is the share of the time that syncs take where
    commits don't share them and queue for the log; 0 elsewhere. ``locked`` is the share of the time
    that rows stay locked in which their commit is synced, 0 where that is not most of it.
    """

    running: Range
    waits: Mapping[Wait, Range]
    log_busy: float = 0.0
    locked: float = 0.0

    def share(self, wait: Wait) -> Range | None:
        """The share of the time of running queries that is this wait; None where unknown."""
        waiting = self.waits.get(wait)
        return None if waiting is None else self._of_running(waiting)

    @property
    def longest(self) -> list[tuple[Wait, Range]]:
        """The waits with their shares, the longest first, without those below ``FLOOR``.

        Of a range that reaches further up than down the middle counts.
        """
        shares = [(wait, self._of_running(waiting)) for wait, waiting in self.waits.items()]
        known = [each for each in shares if each[1].value >= FLOOR]
        return sorted(known, key=lambda each: -max(each[1].value, (each[1].low + each[1].high) / 2))

    @property
    def untimed(self) -> tuple[Wait, ...]:
        """Which of the waits that limit most servers nobody timed.

        While one of them is unknown, nobody can say that nothing limits a server.
        """
        return tuple(wait for wait in _MOST_OFTEN if wait not in self.waits)

    @property
    def explained(self) -> Range:
        """The share (0..1) of query time that all known waits take together.

        Its ends are those of the waits alone: how many were at work moves all shares as one.
        """
        return self.on_average(*self.waits)

    @property
    def hidden(self) -> float:
        """The share (0..1) in none of the waits; 0 while one that limits most was not timed."""
        return 0.0 if self.untimed else max(0.0, 1 - self.explained.value)

    @property
    def hides_most(self) -> bool:
        """Whether more is in none of the waits than in the longest of them."""
        longest = max((share.value for _, share in self.longest), default=0.0)
        return self.hidden >= max(STANDS_OUT, longest)

    def on_average(self, *waits: Wait) -> Range:
        """The share (0..1) of the mean of running queries that known waits take together."""
        products = [(self.waits[each], Range.exact(1.0)) for each in waits]
        return _share(products, Range.exact(self.running.value))

    def gain(self, reliefs: Sequence[Relief]) -> Range | None:
        """The gain of a change that shortens waits so; None where none of them is known.

        None as well where those that are known would bring little: an unknown one may bring more.
        """
        reliefs = self.with_locks(reliefs)
        known = [(self.waits[each.wait], each.share) for each in reliefs if each.wait in self.waits]
        if not known:
            return None
        found = _share(known, self.running)
        return found if len(known) == len(reliefs) or found.high >= FLOOR else None

    def off_waits(self, reliefs: Sequence[Relief]) -> Range | None:
        """The same where all of these waits are known; of several reliefs of one the largest."""
        most = largest(reliefs)
        return self.gain(list(most.values())) if most.keys() <= self.waits.keys() else None

    def with_locks(self, reliefs: Sequence[Relief]) -> tuple[Relief, ...]:
        """The same with what cheaper commits take off the wait for rows that they hold locked.

        A row comes free sooner by as much as its commit does. The queue before a busy row falls by
        more than that, but clients may pause between the statements of a transaction: at most by as
        much, half of it likely.
        """
        relieved = {each.wait: each.share for each in reliefs}
        if not self.locked or Wait.COMMITS not in relieved or Wait.ROW_LOCKS in relieved:
            return tuple(reliefs)
        most = self.locked * relieved[Wait.COMMITS].high
        return (*reliefs, Relief.up_to(Wait.ROW_LOCKS, most))

    def _of_running(self, waiting: Range) -> Range:
        return _share([(waiting, Range.exact(1.0))], self.running)


def largest(reliefs: Iterable[Relief]) -> dict[Wait, Relief]:
    """What shortens each wait most."""
    found: dict[Wait, Relief] = {}
    for each in reliefs:
        known = found.get(each.wait)
        if known is None or each.share.value > known.share.value:
            found[each.wait] = each
    return found


def _share(products: Sequence[tuple[Range, Range]], running: Range) -> Range:
    """The sum of products over ``running``, at most 1; errors of the parts are independent.

    To each side it reaches as far as the root of the squares of what each part alone would move it.
    """
    value = sum(waiting.value * share.value for waiting, share in products)
    down, up = 0.0, 0.0
    for waiting, share in products:
        down += ((waiting.value - waiting.low) * share.value) ** 2
        down += (waiting.value * (share.value - share.low)) ** 2
        up += ((waiting.high - waiting.value) * share.high) ** 2
        up += (waiting.value * (share.high - share.value)) ** 2
    down += (value * (1 - running.value / running.high)) ** 2
    most = running.value / running.low if running.low > 0 else math.inf
    up += (value * (most - 1)) ** 2 if value else 0.0
    low, high = (value - math.sqrt(down), value + math.sqrt(up))
    return Range(*(min(1.0, max(0.0, each) / running.value) for each in (value, low, high)))
