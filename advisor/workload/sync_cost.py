"""When a sync of the redo log is slow, where it is faster, and which versions share none."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.facts.server.storage import STORAGE_EPHEMERAL
from advisor.facts.server.variables import variable
from advisor.facts.watched.data_sync import DATA_SYNC_COST
from advisor.facts.watched.drive import WATCH_DATA_DEVICE
from advisor.facts.watched.placement import STORAGE_REDO_APART
from advisor.facts.watched.sync_cost import COMMITS_COUNTED, REDO_SYNC_COST, SyncCost
from advisor.facts.watched.watch import CallTime
from advisor.gain import STANDS_OUT
from advisor.rulekit import At, Facts
from advisor.variables.catalogue import MYSQL
from advisor.variables.standing import Standing
from probes.figures import duration_us, percent, size
from probes.inventory.facts import Role
from probes.statistics.ranges import Range
from probes.version import ServerVersion

USES = (REDO_SYNC_COST, COMMITS_COUNTED)

SLOW_US = 1000
"""From here on a drive without a protected cache, or one that is busy, is felt in each commit."""

FASTER = 2.0
"""How many times as fast another drive has to sync before a log moves to it (our choice)."""

BUSY = 0.5
"""Of the time that a drive is busy: below it syncs seldom find another request in their way (our
choice)."""

DATA_DRIVE = (DATA_SYNC_COST, STORAGE_REDO_APART, STORAGE_EPHEMERAL, WATCH_DATA_DEVICE)
"""What says that a redo log on a drive of its own would sync faster on the data's."""

PROTECTED_US = 200
"""Below this a drive is protected against power loss, or its cache is (our choice): none syncs
much faster, however much of query time commits take."""

SHARED = 1.2
"""With fewer commits for each sync hardly any share one (our choice)."""


@dataclass(frozen=True, slots=True)
class CommitsTime:
    """What commits that wait for syncs take: their ``share`` of query time, above 0, and each.

    From ``much`` of query time on a sync is slow that a better drive would do faster.
    """

    share: float
    each_us: float
    much: float = STANDS_OUT

    @property
    def formula(self) -> str:
        """Their share, as a part of a formula."""
        return f"commits = {percent(self.share)} of query time"

    def felt_from_us(self, takes_us: float) -> float:
        """How long a wait of theirs that ``takes_us`` may take until their share is ``much``."""
        return takes_us - (1 - self.much / self.share) * self.each_us


def slow_sync(cost: SyncCost, commits: CommitsTime | None) -> At:
    """Ask whether a sync is slow: as the server's own syncs say, else as measured.

    ``commits`` are those that wait for it, None where none do, or nobody knows.
    """
    return slow_wait("sync time", cost.takes_us, commits)


def slow_wait(name: str, takes_us: Range, commits: CommitsTime | None, syncs: int = 1) -> At:
    """Ask whether a wait for that many ``syncs`` is slow.

    Where commits take much of query time, all counts that a better drive would do faster.
    """
    least_us = float(syncs * SLOW_US)
    if commits is not None:
        felt_us = max(syncs * PROTECTED_US, commits.felt_from_us(takes_us.value))
        least_us = min(least_us, felt_us)
    return At(name, takes_us, least=least_us, say=duration_us)


def fast_us(commits: CommitsTime | None) -> float:
    """Below what a measured sync is that of a fast drive: there only others' requests delay it."""
    return PROTECTED_US if commits is not None and commits.share >= commits.much else SLOW_US


def unless_felt(cheap: str, commits: CommitsTime | None) -> str:
    """Say that durability is ``cheap``, unless commits take much of query time all the same."""
    if commits is None or commits.share < STANDS_OUT:
        return cheap
    share = percent(commits.share)
    return f"Commits take {share} of query time: fewer, larger transactions would wait less."


def own_sync(cost: SyncCost) -> str:
    """What the server's own syncs take, as the beginning of a sentence; "" where nobody timed it.

    Ends without a full stop.
    """
    return "" if cost.own is None else timed_sync("redo", cost.own)


def timed_sync(log: str, syncs: CallTime) -> str:
    """What a log's syncs take, as the beginning of a sentence: "redo", or "binary"."""
    return (
        f"A sync of the {log} log takes {syncs.latency_us.text(duration_us)} under the server's "
        f"own load, {syncs.source}"
    )


def measured_beside(cost: SyncCost) -> str:
    """What was measured on the drive whose syncs the server timed, as a sentence after a space."""
    if cost.own is None or cost.probe is None or cost.measured_us is None:
        return ""
    return (
        f" A {size(cost.probe.setting.block_size_bytes)} append with fdatasync took "
        f"{duration_us(cost.measured_us)} when it was measured."
    )


def faster_on_data_drive(facts: Facts) -> SyncCost | None:
    """What a sync takes on the data's drive, where the redo log lies on a slow one of its own.

    None where it is no faster there, or nobody knows. A drive that a cloud empties when the machine
    stops takes no log, and what was measured on a busy drive without its load says nothing of it.
    """
    if not facts.find(STORAGE_REDO_APART):
        return None
    own, there = facts.find(REDO_SYNC_COST), facts.find(DATA_SYNC_COST)
    if own is None or own.own is None or there is None:
        return None
    if own.takes_us.value < max(SLOW_US, FASTER * there.commit_us.value):
        return None
    device = facts.find(WATCH_DATA_DEVICE)
    quiet = device is not None and device.busy.value < BUSY
    emptied = Role.DATA in (facts.find(STORAGE_EPHEMERAL) or ())
    return None if emptied or (there.own is None and not quiet) else there


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
