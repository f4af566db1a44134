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
Medians measured here by one writer: a 4 KiB append with fdatasync, and the same with a second file
synced each time; that is left out where it took less than the one sync, for then something
disturbed it. `price` is that of the server's own settings, or of full durability.
- Where nothing was measured: the mean sync of the redo log under the server's own load, as its
  Performance Schema times it.
- below 2 ms: fine. From there on: watch, and the way out is fewer, larger transactions, or another
  drive. Less durability is never proposed.

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

from advisor.facts.known import (
    CURVE_COMMITS,
    REDO_FDATASYNC,
    REDO_SYNC_SEEN,
    REDO_WITH_BINLOG,
    WATCH_REDO_SYNC,
    variable,
)
from advisor.facts.watch import CallTime
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, rule
from probes.figures import duration_us, rate, times

DEAR_US = 2000


@rule(
    topic="Durability",
    needs=(REDO_SYNC_SEEN,),
    uses=(
        REDO_FDATASYNC,
        WATCH_REDO_SYNC,
        REDO_WITH_BINLOG,
        CURVE_COMMITS,
        variable("innodb_flush_log_at_trx_commit"),
        variable("sync_binlog"),
        variable("log_bin"),
    ),
    findings=("F23", "F38", "F89", "F90", "F91"),
)
def check(facts: Facts) -> Answer:
    """Say what each setting costs here."""
    point = facts.find(REDO_FDATASYNC)
    if point is None:
        return _by_the_servers_own(facts, facts.get(WATCH_REDO_SYNC))
    redo_us = point.latency.p50_us
    both_us = _both_us(facts, redo_us)
    paid_us, whose = _paid(facts, redo_us, both_us)
    dear = At("the wait of a commit", paid_us, least=DEAR_US, say=duration_us)
    both = f" and {_wait(both_us)} with redo and binary log synced" if both_us is not None else ""
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
        return card.fine(f"{price} Full durability is cheap here.")
    return card.watch(
        f"{price} Fewer, larger transactions pay it less often; a drive with power-loss protection "
        "makes it small.",
        risk="Single connections commit slowly.",
        gain=min(0.5, paid_us / 20_000),
    )


def _by_the_servers_own(facts: Facts, seen: CallTime) -> Answer:
    """Say what the server's own syncs take, where none was measured."""
    dear = At("the mean sync of the redo log", seen.latency_us, least=DEAR_US, say=duration_us)
    card = facts.card(
        f"A sync of the redo log takes {seen.latency_us.said(duration_us)} "
        f"under the server's own load, {seen.source}; there are {rate(seen.per_s.value)}. A commit "
        "that is safe waits for one, and for the binary log's where that is synced.",
        dear,
        valid="While the load is like that of the status window.",
    )
    if not dear:
        return card.fine("Full durability is cheap here.")
    return card.watch(
        "Fewer, larger transactions wait less often; a drive with power-loss protection makes the "
        "wait small.",
        risk="Single connections commit slowly.",
        gain=min(0.5, seen.latency_us.value / 20_000),
    )


def _both_us(facts: Facts, redo_us: float) -> float | None:
    """What two syncs take; None where that is less than one takes."""
    both = facts.find(REDO_WITH_BINLOG)
    return None if both is None or both.latency.p50_us < redo_us else both.latency.p50_us


def _wait(wait_us: float) -> str:
    return f"{duration_us(wait_us)} ({rate(1e6 / wait_us, 'commits')})"


def _paid(facts: Facts, redo_us: float, both_us: float | None) -> tuple[float, str]:
    """Give what the server's own settings cost where it is known, else full durability."""
    commit = facts.find(variable("innodb_flush_log_at_trx_commit"))
    sync = facts.find(variable("sync_binlog"))
    log_bin = facts.find(variable("log_bin"))
    synced_too = log_bin is not None and log_bin.on and sync is not None and sync.text == "1"
    relaxed = commit is not None and commit.text in {"0", "2"}
    if both_us is not None and (commit is None or (synced_too and not relaxed)):
        return both_us, "Full durability with a binary log"
    if relaxed:
        unpaid = "Syncing redo, which this server does not wait for,"
        return redo_us, "Syncing the binary log alone" if synced_too else unpaid
    return redo_us, "Syncing redo"


def _grouped(facts: Facts) -> str:
    """Say what group commit reaches, "" when it was not measured."""
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
