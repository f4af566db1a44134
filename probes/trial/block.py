"""One block of a trial: what the server did within some seconds with one value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from probes.trial.settings import Side
from probes.trial.work import Counters, StatementWork

P95 = 0.95
_FEWEST_IN_P95 = 100
_BUCKET = 1.0471
"""A bucket of MySQL's histogram ends at that many times its beginning: there are fifty a decade."""


@dataclass(frozen=True, slots=True)
class TrialBlock:
    """Some seconds with the old or the new value; ``first`` and ``second`` are its halves.

    ``p95_us`` is of all statements, None where the server keeps no histogram; ``checkpoint_age``
    in bytes and ``dirty_pages`` are of its end, None where they are not known.
    """

    side: Side
    seconds: float
    first: Mapping[str, StatementWork]
    second: Mapping[str, StatementWork]
    commits: float
    row_lock_waits: float
    row_lock_ms: float
    p95_us: float | None = None
    checkpoint_age: float | None = None
    dirty_pages: float | None = None
    table_work: float = 0.0

    @property
    def kinds(self) -> dict[str, StatementWork]:
        """Both halves together."""
        names = {*self.first, *self.second}
        nothing = StatementWork(0.0, 0.0)
        return {
            name: StatementWork(
                self.first.get(name, nothing).count + self.second.get(name, nothing).count,
                self.first.get(name, nothing).seconds + self.second.get(name, nothing).seconds,
            )
            for name in sorted(names)
        }

    @property
    def statements(self) -> float:
        """How many statements there were."""
        return sum(each.count for each in self.kinds.values())


def block(side: Side, begin: Counters, middle: Counters, end: Counters) -> TrialBlock:
    """What happened between three moments."""
    grown = {name: end.status[name] - begin.status.get(name, 0.0) for name in end.status}
    return TrialBlock(
        side,
        end.at_s - begin.at_s,
        work_between(begin, middle),
        work_between(middle, end),
        grown.get("Com_commit", 0.0),
        grown.get("Innodb_row_lock_waits", 0.0),
        grown.get("Innodb_row_lock_time", 0.0),
        p95_us(begin.buckets, end.buckets),
        end.status.get("Innodb_checkpoint_age"),
        end.status.get("Innodb_buffer_pool_pages_dirty"),
        end.table_work - begin.table_work,
    )


def work_between(begin: Counters, end: Counters) -> dict[str, StatementWork]:
    """What came of each kind of statement between two moments."""
    nothing = StatementWork(0.0, 0.0)
    grown = {}
    for name, after in end.kinds.items():
        before = begin.kinds.get(name, nothing)
        count = after.count - before.count
        if count > 0:
            grown[name] = StatementWork(count, max(0.0, after.seconds - before.seconds))
    return grown


def p95_us(begin: Mapping[float, float], end: Mapping[float, float]) -> float | None:
    """The 95th percentile of what two histograms lie apart; None of too few statements."""
    grown = sorted((high, count - begin.get(high, 0.0)) for high, count in end.items())
    left = P95 * sum(count for _, count in grown)
    if left < P95 * _FEWEST_IN_P95:
        return None
    for high, count in grown:
        if count >= left:
            low = high / _BUCKET
            return (low + (high - low) * left / count) * 1e6
        left -= max(0.0, count)
    return grown[-1][0] * 1e6
