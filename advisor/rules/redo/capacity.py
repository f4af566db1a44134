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
- less, or the checkpoint at 75 % of the usable log: `growth x 1 h / 0.8` is proposed, at most the
  size of the buffer pool and 16 GiB (the most that MySQL's own automatic sizing takes), at least
  twice the present size when the checkpoint is late. Below half as much again as now: watch.
- growth below 64 KiB/s: not judged; a quiet window says nothing about the busy hour.

## How to check by hand
MySQL 8.0.30+: `SHOW GLOBAL STATUS LIKE 'Innodb_redo_log_current_lsn'` twice, a minute apart, under
load. MariaDB: `Innodb_lsn_current`. Older: `Innodb_os_log_written`.

## Risk and undo
A larger log takes its space on disk and makes recovery after a crash longer, since more changes
have to be read. It can be made smaller again the same way. MySQL 8.0.30+ and MariaDB 10.9+ resize
while they run. MySQL 5.5 refuses to start when the files do not have the configured size: shut
down cleanly and move the old files away first.

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

import math
from dataclasses import dataclass, replace

from advisor import wording
from advisor.model.redo_log import USABLE, RedoGrowth
from advisor.outcomes import Apply, Confidence, Needs, Verdict
from advisor.plan.steps import Procedure
from advisor.rules.change import change
from advisor.rules.facts import Facts
from advisor.rules.rule import Answer, Judged, Unjudged, rule
from advisor.variables.catalogue import MYSQL
from advisor.variables.standing import Standing
from probes.inventory.facts import Storage
from probes.version import ServerVersion

MIB, GIB = 1 << 20, 1 << 30
QUIET_PER_S = 64 << 10
SHORT_S, WANTED_S = 15 * 60.0, 3600.0
LATE = 0.75
MOST = 16 * GIB
MOST_55 = 4032 * MIB
"""MySQL 5.5 takes less than 4 GiB in all."""
LESS_IS_NOTHING = 1.5


@dataclass(frozen=True, slots=True)
class _Log:
    version: ServerVersion
    capacity: float
    growth: RedoGrowth
    age: float | None
    most: float

    @property
    def held_s(self) -> float:
        return self.growth.holds_s(self.capacity)

    @property
    def late(self) -> bool:
        return self.age is not None and self.age >= LATE * USABLE * self.capacity

    @property
    def short(self) -> bool:
        return self.late or self.held_s < SHORT_S

    @property
    def wanted(self) -> int:
        size = self.growth.needs_bytes(WANTED_S)
        if self.late:
            size = max(size, 2 * self.capacity)
        rounded = _round(min(size, self.most))
        return rounded if rounded <= self.most else int(self.most // GIB) * GIB

    @property
    def saw(self) -> str:
        late = (
            f", and {wording.percent((self.age or 0) / (USABLE * self.capacity))} of its usable "
            "part waits for pages to be written"
            if self.late
            else ""
        )
        return (
            f"Redo grows by {wording.throughput(self.growth.per_s)}, so the log of "
            f"{wording.size(self.capacity)} is full after {wording.seconds(self.held_s)}{late}."
        )

    @property
    def formula(self) -> str:
        return (
            f"held = {USABLE:g} x {wording.size(self.capacity)} / "
            f"{wording.throughput(self.growth.per_s)} = {wording.seconds(self.held_s)}; "
            f"wanted = {wording.throughput(self.growth.per_s)} x 3,600 s / {USABLE:g} = "
            f"{wording.size(self.growth.needs_bytes(WANTED_S))}, at most {wording.size(self.most)}"
        )

    @property
    def enough_at(self) -> str:
        per_s = USABLE * self.capacity / SHORT_S
        return wording.throughput(per_s)


@rule(
    topic="Redo log",
    needs=("mysql.version", "redo.capacity", "redo.growth"),
    uses=(
        "redo.checkpoint_age",
        "redo.directory",
        "mysql.variable.innodb_redo_log_capacity",
        "mysql.variable.innodb_log_file_size",
        "mysql.variable.innodb_log_files_in_group",
        "mysql.variable.innodb_buffer_pool_size",
    ),
    settings=("innodb_redo_log_capacity", "innodb_log_file_size"),
    findings=("F69", "F70", "B05"),
)
def check(facts: Facts) -> Answer:
    """Let the log hold an hour of what the server changes."""
    growth = facts.get("redo.growth", RedoGrowth)
    if growth.per_s < QUIET_PER_S:
        return Unjudged(
            f"Redo grew by {wording.throughput(growth.per_s)} in the window: too quiet to size the "
            "log by. Look again under load."
        )
    log = _log(facts, growth)
    setting = _setting(facts)
    if setting is None:
        return Unjudged(f"{log.version} shows no setting of its redo log's size.")
    if not log.short:
        return _fine(log, setting)
    if log.wanted < LESS_IS_NOTHING * log.capacity:
        return _watch(log, setting, "More would make recovery long and save little.")
    where = facts.find("redo.directory", Storage)
    free = None if where is None else where.free_bytes
    if free is not None and free < 2 * (log.wanted - log.capacity):
        room = f"Only {wording.size(free)} is free where the log lies."
        return _watch(log, setting, room)
    return _larger(log, setting, facts)


def _log(facts: Facts, growth: RedoGrowth) -> _Log:
    version = facts.get("mysql.version", ServerVersion)
    pool = facts.find("mysql.variable.innodb_buffer_pool_size", Standing)
    most = MOST if pool is None else min(MOST, max(GIB, pool.number))
    if version.before(MYSQL, 5, 6):
        most = min(most, MOST_55)
    return _Log(
        version,
        facts.get("redo.capacity", float),
        growth,
        facts.find("redo.checkpoint_age", float),
        most,
    )


def _setting(facts: Facts) -> Standing | None:
    return facts.find("mysql.variable.innodb_redo_log_capacity", Standing) or facts.find(
        "mysql.variable.innodb_log_file_size", Standing
    )


def _fine(log: _Log, setting: Standing) -> Judged:
    return Judged(
        Verdict.FINE,
        log.saw,
        setting.name,
        setting.now,
        effect="Fine as it is: pages have time to collect their changes.",
        confidence=_confidence(log),
        flips_when=f"redo grows by more than {log.enough_at}",
        formula=log.formula,
        valid=_valid(log),
        because=_because(log),
        cost_of_error="If the busy hour writes more, pages are written more often than need be.",
    )


def _watch(log: _Log, setting: Standing, why: str) -> Judged:
    return Judged(
        Verdict.WATCH,
        f"{log.saw} {why}",
        setting.name,
        setting.now,
        effect="Flushing has to keep up with the changes all the time; see that it may.",
        confidence=_confidence(log),
        flips_when=f"redo grows by less than {log.enough_at}",
        gain=0.4 if log.late else 0.2,
        formula=log.formula,
        valid=_valid(log),
        because=_because(log),
        cost_of_error="When flushing falls behind, all writers wait.",
    )


def _larger(log: _Log, setting: Standing, facts: Facts) -> Judged:
    judged = Judged(
        Verdict.RECOMMEND,
        log.saw,
        setting.name,
        setting.now,
        effect="Pages collect more changes before they are written: fewer page writes and fewer "
        "stalls.",
        confidence=_confidence(log),
        risk="Recovery after a crash takes longer: there is more to read. The space on disk is "
        f"taken for good ({wording.size(log.wanted)}).",
        flips_when=f"redo grows by less than {log.enough_at}",
        gain=0.6 if log.late or log.held_s < SHORT_S / 3 else 0.4,
        formula=f"{log.formula}; rounded to {wording.size(log.wanted)}",
        valid=_valid(log),
        because=_because(log),
        cost_of_error="Too large: longer recovery and disk space. Too small: more page writes.",
        side_effects="Old log-file settings count no more once innodb_redo_log_capacity is set."
        if setting.name == "innodb_redo_log_capacity"
        else "",
        verify=_verify(log, setting),
    )
    if setting.name == "innodb_redo_log_capacity":
        return judged.by(change(log.version, setting, str(log.wanted)))
    files = facts.find("mysql.variable.innodb_log_files_in_group", Standing)
    each = -(-log.wanted // max(1, int(files.number) if files is not None else 1))
    each = -(-each // MIB) * MIB
    if log.version.before(MYSQL, 5, 6):
        return _by_hand(judged, setting, each)
    return judged.by(change(log.version, setting, str(each)))


def _by_hand(judged: Judged, setting: Standing, each: int) -> Judged:
    """MySQL 5.5 does not resize its files: it has to find none of them."""
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


def _verify(log: _Log, setting: Standing) -> str:
    shown = f"SELECT @@GLOBAL.{setting.name};"
    if log.version.at_least(MYSQL, 8, 0, 30):
        return f"{shown}\nSHOW GLOBAL STATUS LIKE 'Innodb_redo_log_capacity_resized';"
    return shown


def _confidence(log: _Log) -> Confidence:
    if log.late:
        return Confidence.HIGH
    return Confidence.MEDIUM if log.growth.seconds >= 60 else Confidence.LOW


def _because(log: _Log) -> str:
    window = wording.seconds(log.growth.seconds)
    counted = "" if log.growth.exact else ", counted in whole blocks and so rather too high"
    late = " The checkpoint itself is late." if log.late else ""
    return f"The growth was measured over {window}{counted}.{late}"


def _valid(log: _Log) -> str:
    window = wording.seconds(log.growth.seconds)
    return f"For a load like that of the {window} looked at; size it by the busiest hour."


def _round(size: float) -> int:
    """Round up to a power of two of MiB, from 1 GiB on to whole GiB."""
    if size >= GIB:
        return math.ceil(size / GIB) * GIB
    return int(MIB * 2 ** math.ceil(math.log2(max(size / MIB, 128))))
