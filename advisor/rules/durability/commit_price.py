"""The price of durability on this drive, in time per commit.

## What it checks
What one connection waits for when it commits, with each combination of
`innodb_flush_log_at_trx_commit` and `sync_binlog`, and how many commits many connections share.

## Why it matters
A commit that is safe waits for the drive: once for redo, and again for the binary log where one is
synced. Whoever weighs safety against speed should know the price in milliseconds on this drive, and
not by rumour. Many connections share each wait (group commit), so one connection's price is not the
server's limit.

## How it is judged
Medians measured here by one writer: a 4 KiB append with fdatasync, and the same with a second file
synced each time; that is left out where it took less than the one sync, for then something
disturbed it. `price` is that of the server's own settings, or of full durability.
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

from advisor.facts.known import CURVE_COMMITS, REDO_FDATASYNC, REDO_WITH_BINLOG, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from probes import figures

DEAR_US = 2000


@rule(
    topic="Durability",
    needs=(REDO_FDATASYNC,),
    uses=(
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
    redo_us = facts.get(REDO_FDATASYNC).latency.p50_us
    both_us = _both_us(facts, redo_us)
    paid_us, whose = _paid(facts, redo_us, both_us)
    dear = paid_us >= DEAR_US
    lines = [_line("redo synced", redo_us)]
    if both_us is not None:
        lines.append(_line("redo and binary log synced", both_us))
    return Judged(
        Verdict.WATCH if dear else Verdict.FINE,
        f"One connection waits per commit: {'; '.join(lines)}; not synced, nothing, and what came "
        f"since the last sync is lost with the machine.{_company(facts)}",
        effect=f"{whose} costs {figures.duration_us(paid_us)} per commit. "
        + (
            "Fewer, larger transactions pay it less often; a drive with power-loss protection "
            "makes it small."
            if dear
            else "Full durability is cheap here."
        ),
        confidence=Confidence.HIGH,
        risk="Single connections commit slowly." if dear else "",
        flips_when=f"a commit waits {'less' if dear else 'more'} than "
        f"{figures.duration_us(DEAR_US)}",
        gain=min(0.5, paid_us / 20_000) if dear else 0.0,
        formula=f"commits/s of one connection = 1 / {figures.duration_us(paid_us)} = "
        f"{figures.rate(1e6 / paid_us)}",
        valid="For the measured drive and block size; for redo and binary log on one drive.",
        because="The waits were measured here, not looked up.",
        cost_of_error="None: nothing is changed.",
    )


def _both_us(facts: Facts, redo_us: float) -> float | None:
    """What two syncs take; None where that is less than one takes."""
    both = facts.find(REDO_WITH_BINLOG)
    return None if both is None or both.latency.p50_us < redo_us else both.latency.p50_us


def _line(what: str, wait_us: float) -> str:
    commits = figures.rate(1e6 / wait_us, "commits")
    return f"with {what}, {figures.duration_us(wait_us)} ({commits})"


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


def _company(facts: Facts) -> str:
    curve = facts.find(CURVE_COMMITS)
    if curve is None:
        return ""
    peak, first = curve.peak, curve.points[0]
    if peak.setting.threads <= first.setting.threads:
        return ""
    return (
        f" {peak.setting.threads} at once share the waits: "
        f"{figures.rate(peak.rate_per_s, 'commits')}, "
        f"{figures.times(peak.rate_per_s / first.rate_per_s)} as many."
    )
