"""The price of durability on this drive, in time per commit.

## What it checks
What one connection waits for when it commits, with each combination of
`innodb_flush_log_at_trx_commit` and `sync_binlog`, and how many commits many connections share.

## Why it matters
A commit that is safe waits for the drive: once for redo, and again for the binary log where one is
synced. To weigh safety against speed, know the price in milliseconds on this drive. Many
connections share each wait (group commit), so one connection's price is not the
server's limit.

## How it is judged
- Most of the load is RocksDB's: not applicable, for its commits sync a log of its own.
- The mean of the server's own redo syncs under its load goes first (Performance Schema, else a
  trace, else flushes of the redo log's device), and that of its binary log's where commits wait for
  them.
- Where nobody timed those: medians measured here by one writer, a 4 KiB append with fdatasync, and
  the same with a second file synced each time; that is left out where it took less than the one
  sync, for then something disturbed it. `price` is that of the server's own settings, or of full
  durability.
- A sync of redo below 1 ms, and a commit below 2 ms (our choices): fine. From there on: watch, and
  the way out is fewer, larger transactions, or another drive. Where less already makes commits take
  a fifth of query time, or half on a network volume, that is the bound, but a fifth of these at
  least (our choices). Less durability is never proposed.
- The log whose syncs take longer is named first, of those that commits wait for. Where that is
  watched and commits wait for both logs, what each takes of a commit is said, and how much of the
  time its syncs are under way. What commits wait may all end then: it stands among what matters,
  unless the rule on the sync of the redo log, or on the place of a log, speaks.
- On a read-only server nobody but its replication threads commits: how many of them wait for syncs
  at any time (their rate by what they take, the least that it can be) is said. A replica whose few
  threads wait so lags.
- What a semi-synchronous replica takes beside (`Rpl_semi_sync_source_tx_wait_time` by
  `Rpl_semi_sync_source_tx_waits`) is named, and how many have to answer where that is more than
  one: no drive here shortens that.
- Commits for each sync: `Binlog_commits` per second where the server has it, else `Com_commit`, at
  most as many as statements that change rows; by the syncs per second of the log whose syncs take
  more of the time. Below 1.2 (our choice) hardly any share one.
- MySQL before 5.6 with a binary log: commits share no sync. Where they follow each other for four
  fifths of the time or more (our choice), whatever a sync takes: watch, and an upgrade is the way
  out. Half of that wait ends where two commits share a sync (our choice); more share it than that.

## How to check by hand
`sysbench fileio --file-fsync-all`, or `pg_test_fsync`

## Risk and undo
Nothing is changed.

## When it is wrong
When the binary log lies on another drive than the redo log. Transactions that do much before they
commit hardly feel the wait.

## References
- MySQL reference manual, innodb_flush_log_at_trx_commit and sync_binlog
- P. Zaitsev, "Evaluating IO subsystem performance for MySQL Needs"
- M. Callaghan, "SSDs, power loss protection and fsync latency" (2026)
"""

from __future__ import annotations

from advisor.facts.measured.commit_points import CURVE_COMMITS, REDO_WITH_BINLOG
from advisor.facts.server.cluster import CLUSTER_ANSWERS_ASKED, CLUSTER_READ_ONLY
from advisor.facts.server.engines import LOAD_OWN_LOG
from advisor.facts.server.variables import variable
from advisor.facts.watched.sync_cost import (
    COMMITS_REPLICA_WAIT,
    REDO_SYNC_COST,
    RELAXED,
    WATCH_BINLOG_SYNC,
    SyncCost,
)
from advisor.facts.watched.watch import CallTime
from advisor.outcomes import Confidence
from advisor.rulekit import (
    Answer,
    Condition,
    Facts,
    Inapplicable,
    Is,
    Knowledge,
    Relief,
    Wait,
    rule,
)
from advisor.rules.durability._drive_class import passed_by
from advisor.workload import far_drive
from advisor.workload.commit_waits import log_busy, shared_syncs, under_way
from advisor.workload.query_time import OF_COMMITS_TIME, commits_time
from advisor.workload.sync_cost import (
    ALONE,
    CommitsTime,
    alone,
    measured_beside,
    slow_sync,
    slow_wait,
    timed_sync,
    unless_felt,
)
from probes.figures import duration_us, percent, rate, times
from probes.statistics.ranges import Range

SYNCS = 2
"""Of redo and of the binary log."""

UPGRADE = Relief(Wait.COMMITS, Range(0.75, 0.5, 1.0))
"""What connections that share syncs save of the wait for the log: at least two at a time do."""


@rule(
    topic="Durability",
    do="Make transactions larger, or their syncs faster",
    needs=(REDO_SYNC_COST,),
    uses=(
        *(each for each in OF_COMMITS_TIME if each is not REDO_SYNC_COST),
        REDO_WITH_BINLOG,
        CLUSTER_ANSWERS_ASKED,
        CURVE_COMMITS,
        LOAD_OWN_LOG,
        *far_drive.USES,
    ),
    findings=("F23", "F38", "F89", "F90", "F91", "F134"),
    symptom_of=("durability.redo-sync", "placement.binlog", "placement.redo"),
    knowledge=Knowledge.MEASURED,
    not_fine_beside=("durability.write-cache", "block.write-cache"),
)
def check(facts: Facts) -> Answer:
    """Say what each setting costs here."""
    if (other := facts.find(LOAD_OWN_LOG)) is not None:
        return Inapplicable(f"Commits are mostly {other.name}'s: its log follows {other.log}.")
    cost = facts.get(REDO_SYNC_COST)
    if cost.own is not None:
        return _by_the_servers_own(facts, cost, cost.own)
    redo_us = cost.takes_us.value
    both_us = _both_us(facts, redo_us)
    paid_us, whose = _paid(facts, redo_us, both_us)
    both = f" and {_wait(both_us)} with redo and binary log synced" if both_us is not None else ""
    commits = _commits(facts)
    dear = _dear(facts, cost, paid_us, commits)
    card = facts.card(
        f"A commit of one connection waits {_wait(redo_us)} with redo synced{both}."
        f"{_grouped(facts)} Without a sync it does not wait, and a power cut loses all since the "
        "last sync.",
        dear,
        formula=f"commits/s of one connection = 1 / {duration_us(paid_us)} = {rate(1e6 / paid_us)}",
        valid="For the measured drive and block size, with redo and binary log on one drive.",
        confidence=Confidence.HIGH,
    )
    price = f"{whose} costs {duration_us(paid_us)} per commit."
    if not dear:
        cheap = unless_felt("Full durability is cheap here.", commits)
        return card.fine(f"{price} {cheap}")
    return card.watch(
        f"{price} Fewer, larger transactions pay it less often; {_better(facts)} makes it smaller.",
        risk="Single connections commit slowly.",
    )


def _better(facts: Facts) -> str:
    """What makes a sync quick where the log lies."""
    far = far_drive.far_drive(facts, of_redo=True)
    controller = passed_by(facts, facts.get(REDO_SYNC_COST), far)
    return f"the write cache of {controller}" if controller else far.faster


def _commits(facts: Facts) -> CommitsTime | None:
    return commits_time(facts, far_drive.far_drive(facts, of_redo=True))


def _dear(facts: Facts, cost: SyncCost, paid_us: float, commits: CommitsTime | None) -> Condition:
    """Whether a sync is slow, or the two of a commit are together."""
    relaxed, _ = _settings(facts)
    one = slow_sync(cost, None if relaxed else commits)
    return one | slow_wait("wait of a commit", Range.exact(paid_us), commits, SYNCS)


def _by_the_servers_own(facts: Facts, cost: SyncCost, own: CallTime) -> Answer:
    """Say what commits wait for under the server's own load."""
    relaxed, synced_too = _settings(facts)
    binlog = facts.find(WATCH_BINLOG_SYNC) if synced_too else None
    waited = [] if relaxed else [own.latency_us.value]
    if binlog is not None:
        waited.append(binlog.latency_us.value)
    paid_us = sum(waited) or own.latency_us.value
    waits, more = f"A commit waits {duration_us(paid_us)}.", " more"
    if not waited:
        waits, more = "This server's commits do not wait for it.", ""
    replica_us = facts.find(COMMITS_REPLICA_WAIT)
    if replica_us is not None:
        asked = facts.find(CLUSTER_ANSWERS_ASKED) or 1.0
        who = "A semi-synchronous replica takes"
        if asked > 1:
            who = f"{asked:g} semi-synchronous replicas have to answer, which takes"
        waits += f" {who} {duration_us(replica_us)}{more}."
    commits = _commits(facts)
    dear = _dear(facts, cost, paid_us, commits)
    single = alone(facts)
    full = Is(
        single and log_busy(facts) > 0,
        "commits follow each other",
        "commits leave pauses between them",
    )
    card = facts.card(
        f"{f'{ALONE} ' if single else ''}"
        f"{_syncs(cost, own, binlog, relaxed=relaxed)} "
        f"{waits}{'' if relaxed or binlog is None or not dear else _dearer(own, binlog)}"
        f"{'' if single or relaxed else shared_syncs(facts)}"
        f"{_replication(facts, None if relaxed else own, binlog)}",
        dear | full,
        formula="" if commits is None else commits.formula,
        valid="While the load is like that of the status window.",
    )
    if full:
        return card.watch(
            f"Upgrade. Until then {_better(facts)}, or fewer and larger transactions, let more "
            "commits through.",
            risk="All connections that commit wait for each other.",
            relieves=(UPGRADE,),
        )
    if not dear:
        return card.fine(unless_felt("Full durability is cheap here.", commits))
    return card.watch(
        f"Fewer, larger transactions wait less often; {_better(facts)} makes the wait smaller.",
        risk="Single connections commit slowly.",
        relieves=(Relief.up_to(Wait.COMMITS, 1.0),) if waited else (),
    )


def _syncs(cost: SyncCost, redo: CallTime, binlog: CallTime | None, *, relaxed: bool) -> str:
    """What a sync of each log takes: first the one for which a commit waits longer."""
    beside = measured_beside(cost)
    if binlog is None:
        return f"{_timed('redo', redo)}{beside}"
    if relaxed or binlog.latency_us.value > redo.latency_us.value:
        redo_us = duration_us(redo.latency_us.value)
        return f"{_timed('binary', binlog)} A sync of the redo log takes {redo_us}.{beside}"
    binlog_us = duration_us(binlog.latency_us.value)
    return f"{_timed('redo', redo)}{beside} A sync of the binary log takes {binlog_us}."


def _timed(log: str, syncs: CallTime) -> str:
    return f"{timed_sync(log, syncs)}; there are {rate(syncs.per_s.value)}."


def _dearer(redo: CallTime, binlog: CallTime) -> str:
    """What each log takes of a commit, and of the time, as a sentence after a space."""
    redo_us, binlog_us = (duration_us(each.latency_us.value) for each in (redo, binlog))
    return (
        f" Of that the binary log takes {binlog_us} and the redo log {redo_us}; their syncs are "
        f"under way {percent(under_way(binlog))} and {percent(under_way(redo))} of the time."
    )


def _replication(facts: Facts, redo: CallTime | None, binlog: CallTime | None) -> str:
    """Say who waits on a server that nobody but its source changes, as a sentence after a space."""
    synced = [each for each in (redo, binlog) if each is not None]
    read_only = facts.find(CLUSTER_READ_ONLY)
    if read_only is None or not read_only.on or not synced:
        return ""
    waiting = sum(map(under_way, synced))
    return (
        " The server is read-only: its replication threads wait so, "
        f"{waiting:.2f} of them at any time at least."
    )


def _both_us(facts: Facts, redo_us: float) -> float | None:
    """What two syncs take; None where that is less than one takes."""
    both = facts.find(REDO_WITH_BINLOG)
    return None if both is None or both.latency.p50_us < redo_us else both.latency.p50_us


def _wait(wait_us: float) -> str:
    return f"{duration_us(wait_us)} ({rate(1e6 / wait_us, 'commits')})"


def _settings(facts: Facts) -> tuple[bool, bool]:
    """Tell whether commits wait for no sync of redo, and whether they wait for the binary log's."""
    commit = facts.find(variable("innodb_flush_log_at_trx_commit"))
    sync = facts.find(variable("sync_binlog"))
    log_bin = facts.find(variable("log_bin"))
    synced_too = log_bin is not None and log_bin.on and sync is not None and sync.value == "1"
    return commit is not None and commit.value in RELAXED, synced_too


def _paid(facts: Facts, redo_us: float, both_us: float | None) -> tuple[float, str]:
    """Give what the server's own settings cost where it is known, else full durability."""
    commit = facts.find(variable("innodb_flush_log_at_trx_commit"))
    relaxed, synced_too = _settings(facts)
    if both_us is not None and (commit is None or (synced_too and not relaxed)):
        return both_us, "Full durability with a binary log"
    if relaxed:
        unpaid = "Syncing redo, which this server does not wait for,"
        return redo_us, "Syncing the binary log alone" if synced_too else unpaid
    return redo_us, "Syncing redo"


def _grouped(facts: Facts) -> str:
    """Say what group commit reaches, "" when it was not measured."""
    if alone(facts):
        return f" {ALONE}"
    curve = facts.find(CURVE_COMMITS)
    if curve is None:
        return ""
    peak, first = curve.peak, curve.points[0]
    if peak.setting.threads <= first.setting.threads:
        return ""
    return (
        f" {peak.setting.threads} connections reach {rate(peak.rate_per_s, 'commits')} by group "
        f"commit ({times(peak.rate_per_s / first.rate_per_s)})."
    )
