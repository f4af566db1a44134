"""Commits in wait: for the syncs of their logs, for each other, and for a replica."""

from __future__ import annotations

import math
from collections.abc import Sequence

from advisor.facts.fact import Fact
from advisor.facts.server.cluster import CLUSTER_READ_ONLY
from advisor.facts.server.variables import MYSQL_VERSION, variable
from advisor.facts.watched.sync_cost import (
    COMMITS_COUNTED,
    COMMITS_REPLICA_WAIT,
    REDO_SYNC_COST,
    RELAXED,
    WATCH_BINLOG_SYNC,
)
from advisor.facts.watched.watch import WATCH_APPLIED, CallTime
from advisor.gain import Relief, Wait
from advisor.rulekit.facts import Facts
from advisor.variables.aurora import AURORA
from advisor.variables.standing import Standing
from advisor.workload.sync_cost import LOG_BIN, SHARED, alone
from probes.figures import rate
from probes.statistics.ranges import Range
from probes.watch.words import FileRole

COMMIT, BINLOG, SYNC_BINLOG = (
    variable("innodb_flush_log_at_trx_commit"),
    LOG_BIN,
    variable("sync_binlog"),
)

ONE_AFTER_THE_OTHER = 0.8
"""From this share of the time in syncs on, syncs follow each other with hardly a pause (our
choice)."""

OVERLAPPING = 1.2
"""With more syncs at a time they don't follow each other; a mean is not known better (our choice).
"""

LED, FOLLOWED = 1.0, 1.5
"""Syncs that a commit waits for: its own, and half of the one under way when it arrives."""

PARTS = (COMMIT, BINLOG, SYNC_BINLOG, REDO_SYNC_COST, WATCH_BINLOG_SYNC)
"""What says which part of a commit's wait is one log's; all of it may be absent."""

USES = (
    *PARTS,
    CLUSTER_READ_ONLY,
    COMMITS_COUNTED,
    COMMITS_REPLICA_WAIT,
    MYSQL_VERSION,
    WATCH_APPLIED,
)
"""What it looks at; all of it may be absent."""


def commits_waiting(facts: Facts) -> Range | None:
    """Commits in wait for the syncs that the server's settings make them wait for."""
    takes_us = syncs_of_commits_us(facts)
    return None if takes_us is None else waiting_for(facts, takes_us)


def waiting_for(facts: Facts, takes_us: Range) -> Range | None:
    """Commits in wait where each has that to wait for: as many a second as there are.

    Those that share a sync wait for the one that is under way as well.
    """
    commits = facts.find(COMMITS_COUNTED)
    if commits is None:
        return None
    if _by_replication(facts, commits):
        return _applied_waiting(facts, takes_us)
    return Range(
        LED * commits.value * takes_us.value / 1e6,
        LED * commits.low * takes_us.low / 1e6,
        FOLLOWED * commits.high * takes_us.high / 1e6,
    )


def _applied_waiting(facts: Facts, takes_us: Range) -> Range | None:
    """The same of a replica's appliers, as far as they are among those at work.

    A transaction that only read may have been committed as well: of those that are counted, as many
    as there are syncs surely waited for one.
    """
    applied = facts.find(WATCH_APPLIED)
    if applied is None:
        return None
    commits = applied.commits_per_s
    synced = max((each.per_s.low for each in _own_syncs(facts)), default=0.0)
    waiting = Range(
        LED * commits.value * takes_us.value / 1e6,
        LED * min(commits.low, synced) * takes_us.low / 1e6,
        FOLLOWED * commits.high * takes_us.high / 1e6,
    )
    most = math.inf if applied.most is None else applied.most
    return Range(*(min(each, most) for each in (waiting.value, waiting.low, waiting.high)))


def _by_replication(facts: Facts, commits: Range) -> bool:
    """Whether what is committed is rows of a source, which statements' counters don't see."""
    read_only = facts.find(CLUSTER_READ_ONLY)
    return read_only is not None and read_only.on and not commits.value


def replica_waiting(facts: Facts) -> Range | None:
    """Commits that wait for a semi-synchronous replica; None where none was seen to."""
    commits, takes_us = facts.find(COMMITS_COUNTED), facts.find(COMMITS_REPLICA_WAIT)
    return None if commits is None or takes_us is None else commits.times(takes_us / 1e6)


def syncs_of_commits_us(facts: Facts) -> Range | None:
    """What a commit's syncs take, by the server's settings; None where that is not known."""
    redo, own_binlog = facts.find(REDO_SYNC_COST), facts.find(WATCH_BINLOG_SYNC)
    if facts.vendor == AURORA:
        return _on_aurora_us(facts, own_binlog)
    redo_synced, binlog_synced = _synced(facts)
    return syncs_us(
        None if redo is None else redo.takes_us,
        None if own_binlog is None else own_binlog.latency_us,
        redo_synced=redo_synced,
        binlog_synced=binlog_synced,
    )


def _on_aurora_us(facts: Facts, binlog: CallTime | None) -> Range | None:
    """The same on Aurora, which syncs the binary log alone.

    Its storage answers each commit beside: nobody times that, and it takes up to as long (our
    choice).
    """
    if binlog is None or not _synced(facts)[1]:
        return None
    return binlog.latency_us.reaching(high=2 * binlog.latency_us.high)


def relaxed(facts: Facts) -> bool:
    """Whether commits wait for no sync of redo."""
    return _text(facts, COMMIT) in RELAXED


def _synced(facts: Facts) -> tuple[bool, bool]:
    """Whether a commit waits for a sync of redo, and for one of the binary log."""
    return not relaxed(facts), binlog_synced(facts)


def binlog_synced(facts: Facts) -> bool:
    """Whether a commit waits for a sync of the binary log."""
    binlog = facts.find(BINLOG)
    return binlog is not None and binlog.on and _text(facts, SYNC_BINLOG) == "1"


def _own_syncs(facts: Facts) -> list[CallTime]:
    """The syncs that commits wait for, as they were timed for the server; redo's first."""
    redo, binlog = facts.find(REDO_SYNC_COST), facts.find(WATCH_BINLOG_SYNC)
    redo_synced, binlog_synced = _synced(facts)
    own = [redo.own] if redo is not None and redo_synced else []
    own += [binlog] if binlog_synced else []
    return [each for each in own if each is not None]


def under_way(syncs: CallTime) -> float:
    """How many of such syncs are under way on average."""
    return syncs.per_s.value * syncs.latency_us.value / 1e6


def syncs_under_way(facts: Facts) -> float | None:
    """How many of the busier log's are on average, of those that commits wait for; None if unknown.

    Where nobody timed them, or commits wait for none.
    """
    return max(map(under_way, _own_syncs(facts)), default=None)


def log_busy(facts: Facts) -> float:
    """The share of the time that syncs of commits take, one after the other; 0 where they don't.

    That is where hardly any commits share a sync, and syncs follow each other with hardly a pause:
    the log lets no more through.
    """
    syncs, commits = _own_syncs(facts), facts.find(COMMITS_COUNTED)
    if not syncs or commits is None or not commits.value:
        return 0.0
    each_log = list(map(under_way, syncs))
    # Where connections share syncs, one log may sync while the other does.
    busy = sum(each_log) if alone(facts) else max(each_log)
    shared = _commits_per_sync(commits, _busiest(syncs)).high >= SHARED
    if not ONE_AFTER_THE_OTHER <= busy <= OVERLAPPING or (shared and not alone(facts)):
        return 0.0
    return min(1.0, busy)


def shared_syncs(facts: Facts) -> str:
    """Say how many commits share a sync, as a sentence after a space; "" where that is not counted.

    It is that of the log whose syncs take more of the time: those of the other one matter less.
    """
    syncs, commits = _own_syncs(facts), facts.find(COMMITS_COUNTED)
    if not syncs or commits is None or not commits.value:
        return ""
    each = _commits_per_sync(commits, _busiest(syncs))
    counted = f"The server commits {_times(commits)}"
    if each.high < SHARED:
        return f" {counted}, and hardly any commits share a sync."
    most = f" to {each.high:,.1f}" if each.high > each.value else ""
    return f" {counted}; {max(1.0, each.value):,.1f}{most} commits share a sync."


def _times(commits: Range) -> str:
    """How often it commits: a statement that changes rows may be a transaction, or part of one."""
    most = rate(commits.high, "times")
    if commits.high <= commits.value:
        return most
    return f"{rate(commits.value).removesuffix('/s')} to {most}"


def _busiest(syncs: Sequence[CallTime]) -> CallTime:
    return max(syncs, key=under_way)


def _commits_per_sync(commits: Range, syncs: CallTime) -> Range:
    return commits.times(1 / syncs.per_s.value)


def shorter(facts: Facts, log: FileRole, now_us: float, then_us: float) -> Relief:
    """What commits save where a sync of one log takes ``then_us`` in place of ``now_us``.

    What they wait for the other log stays. The rule declares ``PARTS``.
    """
    saved = max(0.0, 1 - then_us / now_us)
    return Relief(Wait.COMMITS, Range.exact(saved * _part_of(facts, log)))


def shorter_by_up_to(facts: Facts, log: FileRole, most: float) -> Relief:
    """The same where at most that share of a sync of the log is saved."""
    return Relief.up_to(Wait.COMMITS, most * _part_of(facts, log))


def _part_of(facts: Facts, log: FileRole) -> float:
    """The part (0..1) of what a commit's syncs take that is one log's; all where unknown."""
    redo_synced, binlog_synced = _synced(facts)
    redo, binlog = facts.find(REDO_SYNC_COST), facts.find(WATCH_BINLOG_SYNC)
    redo_us = None if redo is None else redo.takes_us.value
    binlog_us = redo_us if binlog is None else binlog.latency_us.value
    if not (redo_synced and binlog_synced) or redo_us is None or not binlog_us:
        return 1.0
    whole_us = redo_us + binlog_us
    return (redo_us if log is FileRole.REDO else binlog_us) / whole_us


def queueing(facts: Facts, busy: float, waiting: Range, rest: float) -> Range:
    """Commits in wait, with those of the ``rest`` that queue for a log that is ``busy``.

    Where connections can share a sync and don't, a lock may hold them back, or a single one
    commits: the rest is behind the log perhaps. Else it is there, and no fewer than queue at random
    (M/M/1: busy / (1 - busy)).
    """
    most = waiting.value + rest
    if not alone(facts):
        return Range(waiting.value + rest / 2, waiting.low, max(waiting.high, most))
    queue = most if busy >= 1 else min(most, busy / (1 - busy))
    return Range(most, max(min(waiting.low, most), queue), max(waiting.high, most))


def syncs_us(
    redo_us: Range | None, binlog_us: Range | None, *, redo_synced: bool, binlog_synced: bool
) -> Range | None:
    """What a commit's syncs take, one after the other; None where one of them is not known.

    A sync of the binary log that nobody timed is taken to be like one of the redo log.
    """
    took = [redo_us] if redo_synced else []
    if binlog_synced:
        took.append(redo_us if binlog_us is None else binlog_us)
    known = [each for each in took if each is not None]
    if len(known) < len(took):
        return None
    return sum(known, Range.exact(0.0))


def _text(facts: Facts, name: Fact[Standing]) -> str:
    standing = facts.find(name)
    return "" if standing is None else standing.value
