"""What a sync of the redo log takes: under the server's own load, and as it was measured."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from advisor.case import Case
from advisor.facts.fact import Fact, account_alone, given, why_missing
from advisor.facts.measured.points import MEASURED
from advisor.facts.measured.reading import sync_point
from advisor.facts.readings import Absent, Reading
from advisor.facts.server.engines import other_engine
from advisor.facts.server.status import SHOW_STATUS
from advisor.facts.server.variables import users_window
from advisor.facts.watched.watch import FEW, FILE_IO, CallTime, call_reading, call_time, users_watch
from advisor.lab.watched import COMMITTING, commits_of
from probes import figures
from probes.inventory.facts import StatusWindow
from probes.points import Point
from probes.statistics.ranges import Range
from probes.watch.words import TIMED, FileRole, Operation, Source

REDO_ROLE = "redo"
COMMIT = "innodb_flush_log_at_trx_commit"
RELAXED = frozenset({"0", "2"})
"""Values of innodb_flush_log_at_trx_commit with which no commit waits for a sync of the redo log:
there is one a second."""
SEMI_SYNC = ("Rpl_semi_sync_source", "Rpl_semi_sync_master")
"""How the counters of semi-synchronous replication begin, by the plugin's name."""


@dataclass(frozen=True, slots=True)
class SyncCost:
    """What one sync of the redo log takes; ``own`` or ``probe`` is there.

    ``own`` is the mean of the server's syncs under its load, ``probe`` an append that was measured
    on the same drive, None where it was not. ``flush_us`` is what a flush of the log's device
    takes, known where no commit waits for a sync: those are of a second's redo, and take longer
    than one commit's.
    """

    own: CallTime | None
    probe: Point | None
    flush_us: Range | None = None

    @property
    def takes_us(self) -> Range:
        """The mean of the server's own syncs, else the median of the measured append."""
        if self.own is not None:
            return self.own.latency_us
        return Range.exact(self.measured_us or 0.0)

    @property
    def commit_us(self) -> Range:
        """What a commit waits for one sync: no less than a flush of the log's device.

        Where no more was timed, half way (as a power) to the measured append is expected, and up to
        that held; where only syncs of a second's redo were, half way to those (our choice).
        """
        takes_us = self.takes_us
        if self.own is not None and self.flush_us is not None:
            least_us = min(self.flush_us.value, takes_us.value)
            low_us = min(self.flush_us.low, takes_us.low)
            return Range(math.sqrt(least_us * takes_us.value), low_us, takes_us.high)
        if self.own is None or not self.own.at_least or self.probe is None:
            return takes_us
        appended_us = 1e6 / self.probe.rate_per_s
        if appended_us <= takes_us.value:
            return takes_us
        likely_us = math.sqrt(takes_us.value * appended_us)
        most_us = max(takes_us.high, appended_us, 1e6 / max(self.probe.bounds_per_s[0], 1.0))
        return Range(likely_us, takes_us.low, most_us)

    def at(self, z: float) -> SyncCost:
        """The same with the server's own syncs ``z`` standard deviations from their mean."""
        return self if self.own is None else replace(self, own=self.own.at(z))

    @property
    def measured_us(self) -> float | None:
        """The median of the measured append, None where there is none."""
        return None if self.probe is None else self.probe.latency.p50_us


def _sync_cost(case: Case) -> Reading | Absent:
    own, probe = own_sync(case), sync_point(case, "fdatasync")
    point = probe.value if isinstance(probe, Reading) else None
    if not isinstance(own, Reading) or not isinstance(own.value, CallTime):
        if not isinstance(probe, Reading) or not isinstance(point, Point):
            # An account at a service can't append to its drive, but can watch the server.
            return own if account_alone(case) and isinstance(own, Absent) else probe
        cost = SyncCost(None, point)
        return Reading(cost, probe.text, probe.point_ids, probe.elsewhere)
    flush_us = None if own.value.at_least else _flush_us(case)
    if not isinstance(probe, Reading) or not isinstance(point, Point) or probe.elsewhere:
        return Reading(SyncCost(own.value, None, flush_us), own.text)
    cost = SyncCost(own.value, point, flush_us)
    return Reading(cost, f"{own.text}; {probe.text}", probe.point_ids)


def _flush_us(case: Case) -> Range | None:
    """What a flush of the log's device takes, where commits don't wait for a sync."""
    mysql = case.inventory.mysql
    if mysql is None or mysql.value(COMMIT) not in RELAXED:
        return None
    flushes = flushes_of(case, REDO_ROLE)
    known = flushes.value if isinstance(flushes, Reading) else None
    return known.latency_us if isinstance(known, CallTime) else None


def own_sync(case: Case) -> Reading | Absent:
    """Read it as the server or a trace timed it, else what its device's flushes take."""
    timed = call_time(FileRole.REDO, Operation.SYNC)(case)
    return timed if isinstance(timed, Reading) else flushes_of(case, REDO_ROLE) or timed


def flushes_of(case: Case, role: str) -> Reading | Absent | None:
    """Read what flushes of the device below one role's directory take; None where none is seen."""
    watched = users_watch(case)
    if isinstance(watched, Absent) or watched.machine is None:
        return None
    device = watched.machine.device(role)
    if device is None or device.syncs is None or device.syncs.latency_us is None:
        return None
    if device.syncs.per_s.value * watched.seconds < FEW:
        return Absent(f"fewer than {FEW} flushes of {device.name} came while it was watched")
    # A sync writes first where the append is not on its way yet.
    wrote, flushed = device.writes.latency_us, device.syncs.latency_us
    both = flushed.reaching(high=flushed.high + (0.0 if wrote is None else wrote.high))
    source = f"{TIMED[Source.KERNEL]} flushes of {device.name}"
    return call_reading(CallTime(both, device.syncs.per_s, source, at_least=True))


@given(users_window)
def _commits(case: Case, window: StatusWindow) -> Reading | Absent:
    """Read how many transactions commit changes.

    Those of an engine with a log of its own wait for no sync of InnoDB's.
    """
    other = other_engine(case)
    if other is not None and other.log:
        return Absent(f"most commits are {other.name}'s, which has a log of its own")
    grown = ((name, window.per_s(name)) for name in COMMITTING)
    commits = commits_of({name: each for name, each in grown if each is not None})
    if commits is None:
        return Absent(
            why_missing(case, "mysql.status", "the server did not report what it executed")
        )
    about, most = commits
    return _reading(Range(about, about, most))


def _reading(commits: Range) -> Reading:
    text = figures.rate(commits.value, "commits")
    if commits.high > commits.value:
        text += f", at most {figures.rate(commits.high, 'commits')}"
    return Reading(commits, text)


@given(users_window)
def _replica_wait(_: Case, window: StatusWindow) -> Reading | Absent:
    """Read what a commit waited for a semi-synchronous replica, on average over the window."""
    for word in SEMI_SYNC:
        waited_us, waits = window.per_s(f"{word}_tx_wait_time"), window.per_s(f"{word}_tx_waits")
        if waited_us is not None and waits:
            return Reading(waited_us / waits, figures.duration_us(waited_us / waits))
    return Absent("no commit waited for a replica over the status window")


REDO_SYNC_COST = Fact(
    "redo.sync_cost",
    SyncCost,
    "us",
    "what a sync of the redo log takes, under the server's own load and as measured",
    f"{FILE_IO}, a trace or the flushes of its device; {MEASURED}",
    _sync_cost,
)
WATCH_BINLOG_SYNC = Fact(
    "watch.binlog_sync",
    CallTime,
    "us",
    "what a sync of the binary log takes under the server's own load",
    FILE_IO,
    call_time(FileRole.BINLOG, Operation.SYNC),
)
WATCH_RELAY_SYNC = Fact(
    "watch.relay_sync",
    CallTime,
    "us",
    "what a sync of the relay log takes under the server's own load",
    FILE_IO,
    call_time(FileRole.RELAY_LOG, Operation.SYNC),
)
COMMITS_COUNTED = Fact(
    "commits.counted",
    Range,
    "commits/s",
    "how many transactions commit changes",
    f"Com_commit and the statements that change rows, or Binlog_commits: {SHOW_STATUS}",
    _commits,
)
COMMITS_REPLICA_WAIT = Fact(
    "commits.replica_wait",
    float,
    "us",
    "what a commit waits for a semi-synchronous replica",
    SHOW_STATUS,
    _replica_wait,
)
