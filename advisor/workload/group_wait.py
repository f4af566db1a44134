"""Commits that wait for others to join their group, before the binary log is synced."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.facts.server.status import status
from advisor.facts.server.variables import variable
from advisor.facts.watched.sync_cost import COMMITS_COUNTED
from advisor.rulekit.facts import Facts
from advisor.workload.sync_cost import LOG_BIN
from probes.statistics.ranges import Range

COUNT, LONGEST = variable("binlog_commit_wait_count"), variable("binlog_commit_wait_usec")
DELAY = variable("binlog_group_commit_sync_delay")
NO_DELAY_COUNT = variable("binlog_group_commit_sync_no_delay_count")
SYNC_BINLOG = variable("sync_binlog")
TIMEOUT = status("Binlog_group_commit_trigger_timeout")
OTHERS = (
    status("Binlog_group_commit_trigger_count"),
    status("Binlog_group_commit_trigger_lock_wait"),
)

USES = (
    COMMITS_COUNTED,
    COUNT,
    DELAY,
    LOG_BIN,
    LONGEST,
    NO_DELAY_COUNT,
    SYNC_BINLOG,
    TIMEOUT,
    *OTHERS,
)
"""What it looks at; all of it may be absent."""


@dataclass(frozen=True, slots=True)
class GroupsTime:
    """How many of the queries ``running`` are ``waiting`` for a group of commits at most."""

    waiting: float
    running: float


def group_waiting(facts: Facts) -> Range | None:
    """Commits in wait for their group on average; None where none wait, or nobody knows.

    The first of a group waits the whole time, those that come meanwhile what is left of it: half on
    average where they come evenly, all of it where all come at once.
    """
    commits, waits_s = facts.find(COMMITS_COUNTED), _waits_s(facts)
    if commits is None or not commits.value or not waits_s:
        return None
    together = max(1.0, commits.value * waits_s)
    likely = (1 + 1 / together) / 2
    waiting = Range(
        commits.value * waits_s * likely, commits.low * waits_s / 2, commits.high * waits_s
    )
    return waiting.times(timed_out(facts) or 1.0)


def timed_out(facts: Facts) -> float | None:
    """The share (0..1) of MariaDB's groups that waited their whole time; None where unknown."""
    vain = facts.find(TIMEOUT)
    groups = groups_per_s(facts)
    return None if vain is None or not groups else vain / groups


def groups_per_s(facts: Facts) -> float:
    """How many of MariaDB's groups ended their wait each second, for whatever reason."""
    return sum(facts.find(name) or 0.0 for name in (TIMEOUT, *OTHERS))


def _waits_s(facts: Facts) -> float | None:
    """How long a group is held at most; None where none is, or that is not known.

    MySQL holds every group where the binary log is synced with each, or never.
    """
    log = facts.find(LOG_BIN)
    if log is None or not log.on:
        return None
    count, longest = facts.find(COUNT), facts.find(LONGEST)
    if count is not None and longest is not None:
        held = count.number > 0 and bool(timed_out(facts))
        return longest.number / 1e6 if held else None
    delay, synced = facts.find(DELAY), facts.find(SYNC_BINLOG)
    if delay is None or (synced is not None and synced.number > 1):
        return None
    return _until_enough(facts, delay.number / 1e6)


def _until_enough(facts: Facts, most_s: float) -> float:
    """The same where enough commits may arrive before the time is up."""
    enough, commits = facts.find(NO_DELAY_COUNT), facts.find(COMMITS_COUNTED)
    if enough is None or enough.number <= 0 or commits is None or not commits.value:
        return most_s
    return min(most_s, enough.number / commits.value)
