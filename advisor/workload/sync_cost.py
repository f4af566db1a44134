"""From when on a sync of the redo log is slow, and how commits share them."""

from __future__ import annotations

from advisor.facts.server.variables import variable
from advisor.facts.watched.sync_cost import COMMITS_COUNTED, REDO_SYNC_COST, SyncCost
from advisor.facts.watched.watch import CallTime
from advisor.rulekit import At, Facts
from advisor.variables.catalogue import MYSQL
from advisor.variables.standing import Standing
from probes.figures import duration_us, rate, size
from probes.statistics.ranges import Range
from probes.version import ServerVersion

USES = (REDO_SYNC_COST, COMMITS_COUNTED)

SLOW_US = 1000
"""From here on a drive without a protected cache, or one that is busy, is felt in each commit."""


SHARED = 2.0
"""Commits for each sync, from which on they share it."""


def slow_sync(cost: SyncCost) -> At:
    """Ask whether a sync is slow: as the server's own syncs say, else as measured."""
    return At("sync time", cost.takes_us, least=SLOW_US, say=duration_us)


def own_sync(cost: SyncCost) -> str:
    """What the server's own syncs take, as the beginning of a sentence; "" where nobody timed it.

    Ends without a full stop.
    """
    if cost.own is None:
        return ""
    return (
        f"A sync of the redo log takes {cost.own.latency_us.text(duration_us)} under the server's "
        f"own load, {cost.own.source}"
    )


def measured_beside(cost: SyncCost) -> str:
    """What was measured on the drive whose syncs the server timed, as a sentence after a space."""
    if cost.own is None or cost.probe is None or cost.measured_us is None:
        return ""
    return (
        f" A {size(cost.probe.setting.block_size_bytes)} append with fdatasync took "
        f"{duration_us(cost.measured_us)} when it was measured."
    )


def shared_syncs(facts: Facts, cost: SyncCost) -> str:
    """Say how many commits share a sync, as a sentence; "" where either is not counted."""
    commits = facts.find(COMMITS_COUNTED)
    if commits is None or cost.own is None or not commits.value:
        return ""
    each = commits_per_sync(commits, cost.own)
    counted = f"The server commits {rate(commits.value, 'times')}"
    if each.high < SHARED:
        return f" {counted}, and hardly any commits share a sync."
    most = f" to {each.high:,.1f}" if each.high > each.value else ""
    return f" {counted}; {each.value:,.1f}{most} commits share a sync."


def commits_per_sync(commits: Range, syncs: CallTime) -> Range:
    """How many commits share a sync; ``commits`` are per second."""
    return commits.times(1 / syncs.per_s.value)


LOG_BIN = variable("log_bin")


def one_by_one(version: ServerVersion | None, log_bin: Standing | None) -> bool:
    """Whether commits share no sync: with a binary log before MySQL 5.6 and MariaDB 5.3."""
    old = version is not None and version.before(MYSQL, 5, 6)
    return old and log_bin is not None and log_bin.on


def alone(facts: Facts) -> bool:
    """Whether the server's commits share no sync; no evidence of the rule's but its binary log."""
    return one_by_one(facts.known_version, facts.find(LOG_BIN))


ALONE = (
    "With a binary log this version commits one transaction after the other, however many "
    "connections there are; from MySQL 5.6 on they share a sync."
)


def sync_us(facts: Facts) -> float | None:
    """What a sync of the redo log takes: the server's own, else as measured; None where unknown."""
    cost = facts.find(REDO_SYNC_COST)
    return None if cost is None else cost.takes_us.value
