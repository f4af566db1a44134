"""The redo log's size against how fast it fills.

## What it checks
For how long the redo log takes the server's changes before their pages have to be written.

## Why it matters
A changed page may wait in memory only as long as the redo log still holds its changes. A log that
fills within minutes makes the server write the same pages again and again, and in the end stop all
writers until pages are out. Published TPC-C runs gain tens of per cent, and run far steadier, with
several times more redo. A share of the buffer pool (the old 25 %) says nothing about that: what
counts is how fast redo grows.

## How it is judged
`held = 0.8 x capacity / growth`: about four fifths of the log may fill before writers have to wait.
- held 15 minutes or more: fine, however large or small the log is.
- less, or the checkpoint at 75 % of the usable log: `growth x 1 h / 0.8` is proposed, at least
  twice the present size when the checkpoint is late, and at most 16 GiB (the most that MySQL's own
  automatic sizing takes) and the size of the buffer pool (but 1 GiB where that is smaller): pages
  that leave a small pool are written by then, however long the log would wait for them. Below half
  as much again as now: watch.
- the checkpoint is late although an hour is held: watch. Flushing is behind, and a larger log would
  only hide that.
- a larger buffer pool is recommended as well: then that one bounds the log, and both are changed
  together.
- growth below 64 KiB/s, in a log that is large enough for that: not judged; a quiet window says
  nothing about the busy hour.

## How to check by hand
MySQL 8.0.30+: `SHOW GLOBAL STATUS LIKE 'Innodb_redo_log_current_lsn'` twice, a minute apart, under
load. MariaDB: `Innodb_lsn_current`. Older: `Innodb_os_log_written`.

## Risk and undo
A larger log takes space on disk and makes recovery after a crash longer, since more changes
have to be read. It can be made smaller again the same way. MySQL 8.0.30+ and MariaDB 10.9+ resize
while they run. MySQL before 5.6.8 refuses to start when the files do not have the configured size:
shut down cleanly and move the old files away first.

## When it is wrong
When the window was not the busiest hour, or held a bulk load that never comes again. With old
log-file settings MySQL 8.0.30+ shows 100 MiB whatever the size is; the status tells the truth.

## References
- MySQL 8.0 reference manual, "Redo Log" and "Enabling Automatic InnoDB Configuration for a
  Dedicated MySQL Server"
- MariaDB documentation, "InnoDB Redo Log"
- Percona, advisor check on the size of InnoDB redo logs (observed limit of 83 %)
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.known import (
    MYSQL_VERSION,
    REDO_CAPACITY,
    REDO_CHECKPOINT_AGE,
    REDO_DIRECTORY,
    REDO_GROWTH,
    variable,
)
from advisor.facts.redo import redo_files
from advisor.model.redo_log import GIB, LATE, MIB, SHORT_S, USABLE, RedoGrowth, RedoLog
from advisor.outcomes import Apply, Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.steps import Needs, Procedure
from advisor.variables.catalogue import MYSQL
from advisor.variables.standing import Standing
from advisor.workload import pool_growth
from advisor.workload.pool_growth import MEMORY, SIZE
from probes import figures
from probes.inventory.facts import Storage
from probes.version import ServerVersion

QUIET_PER_S = 64 << 10
MOST = 16 * GIB
MOST_55 = 4032 * MIB
"""MySQL 5.5 takes less than 4 GiB in all."""
LONG_S = 60.0
"""A shorter window says little even about its own load."""
WORTH = 1.5
"""A log that would become less than this many times as large stays as it is."""


@rule(
    topic="Redo log",
    needs=(MYSQL_VERSION, REDO_CAPACITY, REDO_GROWTH),
    uses=(
        *pool_growth.USES,
        SIZE,
        MEMORY,
        REDO_CHECKPOINT_AGE,
        REDO_DIRECTORY,
        variable("innodb_redo_log_capacity"),
        variable("innodb_log_file_size"),
        variable("innodb_log_files_in_group"),
    ),
    settings=("innodb_redo_log_capacity", "innodb_log_file_size"),
    findings=("F69", "F70", "B05"),
)
def check(facts: Facts) -> Answer:
    """Let the log hold an hour of what the server changes."""
    version, growth = (
        facts.get(MYSQL_VERSION),
        facts.get(REDO_GROWTH),
    )
    log, setting = _log(version, facts, growth), _setting(facts)
    if growth.per_s < QUIET_PER_S and (growth.per_s <= 0 or not log.short):
        return Unjudged(
            f"Redo grew by {figures.throughput(growth.per_s)} in the window: too quiet to size the "
            "log by. Look again under load."
        )
    if setting is None:
        return Unjudged(f"{version} shows no setting of its redo log's size.")
    fine = _fine(log, setting)
    if not log.short:
        return fine
    if against := _against(log, facts.find(REDO_DIRECTORY)):
        return _watch(log, fine, *against)
    return _changed(version, _larger(log, fine), setting, log, facts)


def _against(log: RedoLog, where: Storage | None) -> tuple[str, str] | None:
    """Say what speaks against a larger log, and what would change that; None when nothing does."""
    if log.behind:
        why = "It holds an hour and more: flushing is behind, and more redo would only hide that."
        return why, f"less than {figures.size(LATE * USABLE * log.capacity)} wait for their pages"
    if log.wanted < WORTH * log.capacity:
        return "More would make recovery long and save little.", _enough_when(log)
    free = None if where is None else where.free_bytes
    needed = 2 * (log.wanted - log.capacity)
    if free is not None and free < needed:
        why = f"Only {figures.size(free)} is free where the log lies."
        return why, f"{figures.size(needed)} is free there"
    return None


def _log(version: ServerVersion, facts: Facts, growth: RedoGrowth) -> RedoLog:
    pool = facts.find(SIZE)
    most = MOST if pool is None else min(MOST, max(GIB, pool_growth.grown(facts) or pool.number))
    if version.before(MYSQL, 5, 6):
        most = min(most, MOST_55)
    capacity, age = facts.get(REDO_CAPACITY), facts.find(REDO_CHECKPOINT_AGE)
    if age is not None and age > capacity:  # as it can be while the log gets smaller
        age = None
    return RedoLog(capacity, growth, age, most)


def _setting(facts: Facts) -> Standing | None:
    return facts.find(variable("innodb_redo_log_capacity")) or facts.find(
        variable("innodb_log_file_size")
    )


def _fine(log: RedoLog, setting: Standing) -> Judged:
    window = figures.seconds(log.growth.seconds)
    counted = (
        ""
        if log.growth.exact
        else ", counted in whole blocks: small commits write theirs anew, so that it may be "
        "several times too high"
    )
    long = log.growth.seconds >= LONG_S
    sure = Confidence.MEDIUM if long and log.growth.exact else Confidence.LOW
    most_growth = figures.throughput(USABLE * log.capacity / SHORT_S)
    late_at = LATE * USABLE * log.capacity
    return Judged(
        Verdict.FINE,
        _saw(log),
        setting.name,
        setting.now,
        effect="Fine as it is: pages have time to collect their changes.",
        confidence=Confidence.HIGH if log.late else sure,
        flips_when=f"redo grows by more than {most_growth}, or {figures.size(late_at)} wait for "
        "their pages",
        formula=_formula(log),
        valid=f"For a load like that of the {window} looked at; size it by the busiest hour.",
        because=f"The growth was measured over {window}{counted}."
        f"{' The checkpoint itself is late.' if log.late else ''}",
        cost_of_error="If the busy hour writes more, pages are written more often than need be.",
    )


def _saw(log: RedoLog) -> str:
    share = (log.age or 0) / (USABLE * log.capacity)
    late = f", and {figures.percent(share)} of its usable part waits for pages to be written"
    return (
        f"Redo grows by {figures.throughput(log.growth.per_s)}, so the log of "
        f"{figures.size(log.capacity)} is full after {figures.seconds(log.held_s)}"
        f"{late if log.late else ''}."
    )


def _formula(log: RedoLog) -> str:
    growth, twice = figures.throughput(log.growth.per_s), figures.size(2 * log.capacity)
    late = f", at least {twice} for a late checkpoint" if log.late else ""
    return (
        f"held = {USABLE:g} x {figures.size(log.capacity)} / {growth} = "
        f"{figures.seconds(log.held_s)}; wanted = {growth} x 3,600 s / {USABLE:g} = "
        f"{figures.size(log.needed)}{late}, at most {figures.size(log.most)}"
    )


def _enough_when(log: RedoLog) -> str:
    held = figures.seconds(SHORT_S)
    if log.late:
        limit = figures.size(LATE * USABLE * log.capacity)
        return f"less than {limit} wait for their pages, and the log holds {held}"
    most_growth = figures.throughput(USABLE * log.capacity / SHORT_S)
    return f"redo grows by less than {most_growth}, so that the log holds {held}"


def _watch(log: RedoLog, fine: Judged, why: str, flips_when: str) -> Judged:
    return replace(
        fine,
        verdict=Verdict.WATCH,
        saw=f"{fine.saw} {why}",
        effect="Flushing has to keep up with the changes all the time; see that it may.",
        flips_when=flips_when,
        gain=0.4 if log.late else 0.2,
        cost_of_error="When flushing falls behind, all writers wait.",
    )


def _larger(log: RedoLog, fine: Judged) -> Judged:
    size = figures.size(log.wanted)
    return replace(
        fine,
        verdict=Verdict.RECOMMEND,
        effect="Pages collect more changes before they are written: fewer page writes and fewer "
        "stalls.",
        risk="Recovery after a crash takes longer: there is more to read. It may take "
        f"{size} of the disk.",
        flips_when=_enough_when(log),
        gain=0.6 if log.late or log.held_s < SHORT_S / 3 else 0.4,
        formula=f"{fine.formula}; rounded to {size}",
        cost_of_error="Too large: longer recovery and disk space. Too small: more page writes.",
    )


def _changed(
    version: ServerVersion, judged: Judged, setting: Standing, log: RedoLog, facts: Facts
) -> Judged:
    shown = f"SELECT @@GLOBAL.{setting.name};"
    if setting.name == "innodb_redo_log_capacity":
        return replace(
            judged,
            side_effects="Old log-file settings count no more once innodb_redo_log_capacity is "
            "set.",
            verify=f"{shown}\nSHOW GLOBAL STATUS LIKE 'Innodb_redo_log_capacity_resized';",
        ).by(change(version, setting, str(log.wanted)))
    told = facts.find(variable("innodb_log_files_in_group"))
    files = redo_files(version, None if told is None else told.number)
    each = -(-log.wanted // files)
    each = -(-each // MIB) * MIB
    judged = replace(judged, verify=shown)
    if version.before(MYSQL, 5, 6, 8):
        return _by_hand(judged, setting, each)
    return judged.by(change(version, setting, str(each)))


def _by_hand(judged: Judged, setting: Standing, each: int) -> Judged:
    """MySQL before 5.6.8 does not resize its files: it has to find none of them."""
    line = f"{setting.name} = {each}"
    steps = (
        "SET GLOBAL innodb_fast_shutdown = 0; then stop the server and see that it ended cleanly.",
        "Move ib_logfile0 and ib_logfile1 to a safe place; do not delete them yet.",
        f"Put {line} into the option file and start the server: it makes new files.",
    )
    back = (
        "Stop the server cleanly, move the new files away, take the line back and start again.",
    )
    return replace(
        judged,
        proposed=str(each),
        risk=f"{judged.risk} The server refuses to start while files of the old size are there.",
        needs=Needs.RESTART,
        apply=Apply(cnf=line),
        undo=back[0],
        steps=(Procedure("Give the redo log files another size", steps, back, Needs.RESTART),),
    )
