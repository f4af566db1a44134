"""The price of a durable commit on this drive.

## What it checks
How long a sync of the redo log takes, how many commits per second that allows one connection,
and whether it is so fast that a volatile cache may be answering.

## Why it matters
With `innodb_flush_log_at_trx_commit = 1` every commit waits for the redo log to be on the drive. A
drive with a third of the sync rate made MySQL three times slower although its other tests were
better. Rotating disks managed 143 syncs/s bare and 4,735/s behind a cache with a battery.

## How it is judged
The price is the mean of the server's own redo syncs under its load: from its Performance Schema,
else traced in the kernel, else what flushes of the redo log's device take. Where none of them is
known, it is the median of a 4 KiB append with fdatasync by one writer. The class of the drive
follows from that append; syncs under load don't tell it alone (all bounds are our choice):
- below 0.2 ms: a protected cache or power-loss protection (fine);
- 0.2 to 1 ms: network volume or busy drive (fine);
- 1 to 5 ms: consumer flash without protection or, on a virtual disk, a network volume (watch);
- above 5 ms: a rotating disk without a cache, or worse; on a virtual disk a slow network volume
  (watch).
- from 1 ms on, where the kernel knows whether the drive turns, that decides between the two. A
  volume of a RAID controller that has a write cache answers syncs at once; where it does not, its
  battery or its write policy is what to look at.
A managed service's drive is its network volume, whatever its syncs take, and so is a block device
whose name or transport is a network's (Ceph RBD, NBD, DRBD, iSCSI, Fibre Channel, NVMe over
fabrics). Above 5 ms it is probably at its limit or out of burst credit (watch); page reads from the
same volume that take as long wait for the same. Where nine tenths of a limit on requests or bytes
are used, or half and syncs take that long (our choices), they wait for that: the rule on the limit
counts what they would gain (watch).
The redo log has a slow drive of its own, and the data's syncs at least twice as fast: fine, for the
rule on its place moves it.
The server's own syncs take 1 ms or more, the measured append less: the drive is fast, but syncs
wait behind other requests (watch).
Where faster syncs already make commits take a fifth of query time, or half on a network volume, the
bound of both is that sync time in place of 1 ms, but 0.2 ms at least (our choices).
Too fast: below 20 µs, or below 30 µs where the disk is virtual: the flush may end in memory. That
is an open question, unless the drive's model is known to keep its cache, or the rule on the write
cache asks it already.

On a Galera cluster of three nodes or more (our choice) it is said what relaxed durability means
there: a node that goes down alone takes what it lacks from another. MariaDB's documentation names
`innodb_flush_log_at_trx_commit = 0` as an option of such a cluster, Percona calls 2 safe unless all
nodes lose power at once. It is not proposed.

## How to check by hand
`cat /sys/block/*/queue/write_cache`; `pg_test_fsync`. Whether a sync reaches the medium is proved
only by pulling the plug of a test machine (diskchecker).

## Risk and undo
Nothing is changed. Settings that skip the sync are not proposed: they lose commits.

## When it is wrong
When others used the drive during the run or the status window. While commits don't wait for syncs
(`innodb_flush_log_at_trx_commit` 0 or 2), each sync takes more redo with it. Group commit lets many
clients share one sync, so the figure limits a single connection, not the server.

## References
- P. Zaitsev, "Evaluating IO subsystem performance for MySQL Needs"; D. Kravtchuk, "8.0 GA and
  IO-bound TPCC"
- M. Callaghan, "SSDs, power loss protection and fsync latency" (2026)
- Microsoft, "Best practices for server operations on Azure Database for MySQL"
- MariaDB documentation, "Configuring MariaDB Galera Cluster"; Percona, "Typical misconceptions on
  Galera for MySQL" (2014)
- T. Poder, "Using pg_test_fsync for testing low latency writes"
"""

from __future__ import annotations

from advisor.facts.machine.machine_limits import VOLUME_STATED
from advisor.facts.server.cluster import CLUSTER_GALERA_NODES
from advisor.facts.watched.drive import WATCH_DATA_DEVICE
from advisor.facts.watched.placement import STORAGE_BINLOG_APART, STORAGE_REDO_APART
from advisor.facts.watched.redo import REDO_DIRECTORY
from advisor.facts.watched.sync_cost import REDO_SYNC_COST, SyncCost
from advisor.facts.watched.watch import WATCH_PAGE_READ
from advisor.rulekit import Answer, At, Card, Facts, Relief, Unjudged, Wait, rule
from advisor.rules.durability._drive_class import USES as OF_CLASS
from advisor.rules.durability._drive_class import class_of, passed_by
from advisor.variables.managed import AZURE
from advisor.workload import far_drive, volume_use
from advisor.workload.commit_waits import (
    binlog_synced,
    relaxed,
    shorter,
    shorter_by_up_to,
    syncs_of_commits_us,
)
from advisor.workload.far_drive import FarDrive, Reach
from advisor.workload.query_time import OF_COMMITS_TIME, commits_time
from advisor.workload.sync_cost import (
    ALONE,
    DATA_DRIVE,
    LOG_BIN,
    CommitsTime,
    alone,
    fast_us,
    faster_on_data_drive,
    measured_beside,
    own_sync,
    slow_sync,
    unless_felt,
)
from advisor.workload.volume_use import FULL, MUCH, LimitReached, limit_reached
from advisor.workload.write_caches import BACK, cache_of, protection
from probes.figures import duration_us, percent, rate, size, times
from probes.points import Point
from probes.watch.words import FileRole

SUSPECT_US, SUSPECT_CACHED_US = 20, 30
PROTECTED_TAKES_US = 50
"""What a sync takes on a drive whose cache is protected against power loss."""
CACHED_TAKES_US = 211
"""What one takes behind a controller's cache with a battery: 4,735 syncs/s were published."""


@rule(
    topic="Durability",
    do="Give the redo log faster syncs",
    needs=(REDO_SYNC_COST,),
    uses=(
        *far_drive.USES,
        *volume_use.LIMITS,
        *volume_use.LOADS,
        WATCH_DATA_DEVICE,
        *(each for each in OF_CLASS if each not in {*far_drive.USES, WATCH_DATA_DEVICE}),
        LOG_BIN,
        CLUSTER_GALERA_NODES,
        STORAGE_BINLOG_APART,
        *(each for each in DATA_DRIVE if each is not WATCH_DATA_DEVICE),
        VOLUME_STATED,
        WATCH_PAGE_READ,
        *(each for each in OF_COMMITS_TIME if each not in {LOG_BIN, REDO_SYNC_COST}),
    ),
    findings=("F23", "F38", "F80", "F89", "F93", "F122", "F134"),
    not_fine_beside=("durability.write-cache", "block.write-cache"),
)
def check(facts: Facts) -> Answer:
    """Name the class of the drive from its sync latency."""
    cost = facts.get(REDO_SYNC_COST)
    far = far_drive.far_drive(facts, of_redo=cost.own is not None)
    takes_us = cost.takes_us.value
    saw = own_sync(cost)
    formula = _of_one_connection(facts, cost)
    if cost.own is None and cost.probe is not None:
        saw = _appended(cost.probe)
        formula += f" at the median, {rate(cost.probe.rate_per_s)} in all"
    if (doubted := _doubted(facts, cost, far)) is not None:
        return doubted
    commits = None if relaxed(facts) else commits_time(facts, far)
    if commits is not None:
        formula += f"; {commits.formula}"
    slow, behind = slow_sync(cost, commits), _waits_behind_others(cost, commits)
    logs = _logs_of_azure(facts) if slow and not far.at_limit(takes_us) else ""
    kind = _BEHIND if behind else class_of(facts, cost, far)
    card = facts.card(
        f"{_alone(facts)}{saw}: {kind}{logs}.{measured_beside(cost)}",
        slow,
        formula=formula,
        valid="For one connection on the measured drive; many connections share each sync."
        if cost.own is None
        else "While the load is like that of the status window; many connections share each sync.",
    )
    moves = faster_on_data_drive(facts) is not None and not relaxed(facts)
    if moves or not slow:
        cheap = unless_felt("Full durability costs little here; keep it.", commits)
        return card.fine(_MOVES if moves else cheap)
    if behind:
        return card.watch(
            "The drive itself is fast: the syncs wait behind this server's other requests. Fewer "
            "page writes, or a drive of its own for redo, would help.",
            risk=_risk(facts, "Relaxed durability would lose commits."),
        )
    if far:
        return _on_a_volume(facts, card, far, takes_us)
    if controller := passed_by(facts, cost, far):
        return _controllers(facts, card, controller, takes_us)
    # Under load nobody knows which part of a sync is the drive's own.
    most_us = None if cost.measured_us is None else PROTECTED_TAKES_US
    both = "Redo and binary log" if _on_one_drive(facts) else "Redo"
    return card.but(relieves=(_relief(facts, takes_us, most_us),)).watch(
        f"{both} on {far.faster} would sync in a few tens of µs, "
        f"{times(takes_us / PROTECTED_TAKES_US)} as fast. {_no_setting(facts)}",
        risk=_risk(facts, "Change the drive rather than relax durability: that loses commits."),
    )


_MOVES = (
    "The data's drive syncs faster: the redo log needs no new drive, and the rule on its place "
    "moves it there."
)

_BEHIND = "the server's other requests slow them down"


def _on_a_volume(facts: Facts, card: Card, far: FarDrive, takes_us: float) -> Answer:
    """What shortens syncs of a drive behind a network."""
    if (full := _limit_they_share(facts, far, takes_us)) is not None:
        return card.watch(
            f"They wait at the volume's limit of {full.text}, of which {percent(full.share.value)} "
            f"are used: its own rule has what raises it. {_no_setting(facts)}",
            risk=_risk(facts, "Raise the limit rather than relax durability: that loses commits."),
        )
    at_limit = far.at_limit(takes_us)
    waits = (Wait.COMMITS, *([Wait.PAGE_READS] if at_limit and _reads_wait(facts, far) else []))
    asked = _state_it(facts, far) if at_limit else ""
    return card.but(relieves=tuple(Relief.up_to(wait, 1.0) for wait in waits)).watch(
        f"{_elsewhere(far, takes_us)}{asked} {_no_setting(facts)}",
        risk=_risk(facts, "Change the volume rather than relax durability: that loses commits."),
    )


def _of_one_connection(facts: Facts, cost: SyncCost) -> str:
    """How often one connection commits, as a formula: it waits for each log that is synced."""
    each_us = cost.takes_us.value
    if cost.own is None or relaxed(facts) or (known := syncs_of_commits_us(facts)) is None:
        syncs = duration_us(each_us)
    elif known.value > each_us:
        syncs = f"({duration_us(each_us)} + {duration_us(known.value - each_us)})"
        each_us = known.value
    else:
        syncs = duration_us(each_us)
    return f"commits/s of one connection = 1 / {syncs} = {rate(1e6 / each_us)}"


def _on_one_drive(facts: Facts) -> bool:
    """Whether both logs of a commit lie on the data's drive: another one is faster for both."""
    apart = {facts.find(STORAGE_REDO_APART), facts.find(STORAGE_BINLOG_APART)}
    return binlog_synced(facts) and apart == {False}


def _relief(facts: Facts, takes_us: float, then_us: float | None) -> Relief:
    """What commits save once a sync takes ``then_us``, None where that is not known."""
    if _on_one_drive(facts):
        if then_us is None:
            return Relief.up_to(Wait.COMMITS, 1.0)
        return Relief.to(Wait.COMMITS, takes_us, then_us)
    if then_us is None:
        return shorter_by_up_to(facts, FileRole.REDO, 1.0)
    return shorter(facts, FileRole.REDO, takes_us, then_us)


def _controllers(facts: Facts, card: Card, controller: str, takes_us: float) -> Answer:
    """Ask for the controller's own cache, where one that works would answer a sync at once."""
    return card.but(relieves=(_relief(facts, takes_us, CACHED_TAKES_US),)).watch(
        f"Look at the battery and the write policy of {controller} with its own tool: write back "
        "with a good battery is as safe, needs no other drive and would sync in about "
        f"{duration_us(CACHED_TAKES_US)}, {times(takes_us / CACHED_TAKES_US)} as fast.",
        risk="Never force write back without a good battery: a power cut then corrupts the "
        "database.",
    )


def _elsewhere(far: FarDrive, takes_us: float) -> str:
    """What to do about a drive that is not the machine's own."""
    if far.at_limit(takes_us):
        return _AT_LIMIT
    where = "the network" if far.over_network else "the network, or the machine below this one"
    if far.sold:
        return (
            f"Most of it is {where}: fewer, larger transactions wait less often, and {far.sold} "
            "commits faster, as the service says."
        )
    return f"Most of it is {where}: {far.faster} would sync faster."


_AT_LIMIT = (
    "The volume is probably at its limit or out of burst credit: look at what it was bought with, "
    "in requests/s, bytes/s and credit."
)

CLUSTER = 3
"""With three nodes two go on, and hold all commits, where one goes down."""


def _of_cluster(facts: Facts) -> int:
    """How many nodes hold the commits, where one that goes down leaves a majority; else 0."""
    nodes = int(facts.find(CLUSTER_GALERA_NODES) or 0)
    return nodes if nodes >= CLUSTER else 0


def _no_setting(facts: Facts) -> str:
    """That no setting makes syncs fast, or what one means where other nodes have each commit."""
    nodes = _of_cluster(facts)
    if not nodes:
        return "No setting makes syncs faster safely."
    return (
        "innodb_flush_log_at_trx_commit = 2 skips these syncs, and keeps each commit unless all "
        f"{nodes} machines of the Galera cluster go down at once."
    )


def _risk(facts: Facts, alone: str) -> str:
    """What relaxed durability loses."""
    if not _of_cluster(facts):
        return alone
    return (
        "Relaxed durability loses the last second of commits when all nodes lose power at once; "
        "one that goes down alone takes them from another."
    )


def _shares_volume(facts: Facts, far: FarDrive) -> bool:
    """Whether data and redo log are known to lie on one volume."""
    return far.reach is Reach.SERVICE or facts.find(STORAGE_REDO_APART) is False


def _limit_they_share(facts: Facts, far: FarDrive, takes_us: float) -> LimitReached | None:
    """The limit of the data's volume that is reached, where the redo log lies there, too.

    Syncs that take as long as at a limit show that more reaches it than was counted.
    """
    if not far.over_network or not _shares_volume(facts, far):
        return None
    return limit_reached(facts, MUCH if far.at_limit(takes_us) else FULL)


def _reads_wait(facts: Facts, far: FarDrive) -> bool:
    """Whether page reads wait at the redo log's volume, too: it is theirs, and they are as slow."""
    read = facts.find(WATCH_PAGE_READ)
    shared = _shares_volume(facts, far)
    return shared and read is not None and far.at_limit(read.latency_us.value)


def _state_it(facts: Facts, far: FarDrive) -> str:
    """Ask for what the service's volume was bought with; "" where that is known, or no service's.

    A sentence after a space.
    """
    if far.reach is not Reach.SERVICE or facts.find(VOLUME_STATED) is not None:
        return ""
    return " Say it by --volume-iops and --volume-throughput, and it is judged against the load."


def _logs_of_azure(facts: Facts) -> str:
    """What Azure has for logs, after what a sync takes; "" elsewhere."""
    if facts.vendor != AZURE:
        return ""
    return "; accelerated logs, which the memory-optimized tier has at no price, are faster"


def _alone(facts: Facts) -> str:
    """That commits share no sync, as a sentence before a space; "" where they do."""
    return f"{ALONE} " if alone(facts) else ""


def _appended(point: Point) -> str:
    return (
        f"A {size(point.setting.block_size_bytes)} append with fdatasync takes "
        f"{duration_us(point.latency.p50_us)} (median; p99 {duration_us(point.latency.p99_us)}), "
        f"so one connection commits at most {rate(point.rate_per_s, 'times')}"
    )


def _doubted(facts: Facts, cost: SyncCost, far: FarDrive) -> Unjudged | None:
    """Ask whether a sync that is very fast reaches the medium; None where that is no question.

    The rule on the write cache asks it of a drive that reports a volatile one.
    """
    suspect_us = SUSPECT_CACHED_US if far else SUSPECT_US
    least_us = cost.takes_us.value if cost.measured_us is None else cost.measured_us
    if not At("sync time", least_us, below=suspect_us, say=duration_us):
        return None
    where = facts.find(REDO_DIRECTORY)
    if where is not None and (
        any(cache_of(disk) == BACK for disk in where.disks)
        or (where.disks and all(map(protection, where.disks)))
    ):
        return None
    on = f", and this is {far.name}" if far else ""
    return Unjudged(
        f"A sync takes {duration_us(least_us)}, and few drives are that fast{on}: its cache is "
        "protected against power loss, or flushes are answered without being done.",
        turns_on=REDO_SYNC_COST.name,
        settled_by="Whoever runs the host can tell."
        if far
        else "The data sheet of the drive (power-loss protection), or pulling the plug of a test "
        "machine.",
    )


def _waits_behind_others(cost: SyncCost, commits: CommitsTime | None) -> bool:
    """Whether the server's own syncs are slow on a drive that synced fast when it was measured."""
    if cost.own is None or cost.measured_us is None:
        return False
    return bool(slow_sync(cost, commits)) and cost.measured_us < fast_us(commits)
