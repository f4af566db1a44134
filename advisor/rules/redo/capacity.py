"""The redo log's size against the growth of redo.

## What it checks
How long the redo log holds the server's changes before their pages have to be written.

## Why it matters
A changed page may wait in memory only as long as the redo log still holds its changes. A log that
fills within minutes makes the server write the same pages again and again, and in the end stall all
writers until pages are written. Published TPC-C runs gain tens of per cent, and run far steadier,
with several times more redo. A share of the buffer pool (the old 25 %) says nothing about that:
what counts is how fast redo grows.

## How it is judged
`held = usable x capacity / growth`: of the log 83 % may fill on MySQL 8.0.30 and newer before
writers have to flush themselves, 80 % on other servers.
- held 15 minutes or more, or ten while the checkpoint age stays below half of its limit (our
  choices): fine, however small the log is.
- held four hours or more, in a log that is larger than the buffer pool or than 16 GiB: one that
  holds an hour, 4 GiB at least, and half as much again as waits in it now (our choices) is shown as
  a minor matter, where that is half of it or less. What it holds beyond that only lengthens
  recovery, and takes disk.
- less, or a late checkpoint age (from where on the server flushes for the log alone: 78 % of the
  log on MySQL 8.0.30 and newer, elsewhere 7/8 of the limit, which is the server's own where it
  reports that): `growth x 1 h / usable` is proposed
  (our choice), at least twice the present size when the checkpoint is late, and at most 16 GiB (the
  most that MySQL's own automatic sizing takes; 64 GiB where a log of 8 GiB or more is late; five
  minutes of growth where that is more, up to 128 GiB and a quarter of the free space; our choices)
  and the size of the buffer pool (but 1 GiB where that is smaller): a small pool evicts and
  so writes its pages by then, however large the log is. For the same reason at most what grows
  while a full pool that is to stay as it is is read through twice (our choice: hot pages stay
  longer), but twice the present size. Nor is it more than a quarter of the data, where that holds
  half an hour (our choices), or twice the present size: by then all of the data is written once at
  most, and what a longer log saves is little beside a longer recovery. Where the growth was counted
  in whole blocks, 4 GiB or four times the present size are a first step (our choice): watch again
  after it. It is a size that people type, at most an eighth less: whole GiB up to 4, then 6, 8, 10,
  12, 16 and so on (our choices).
- less than half as much again as now (our choice): fine, and watched where the checkpoint is late.
- a log that is full within 10 s comes before all that was counted; up to 30 s it counts for less
  with each second (our choices). Up to two minutes (our choice) it is worth a line whatever it
  saves now: whatever else makes the server faster fills the log sooner.
- the checkpoint is late although an hour is held: watch. Flushing is behind, and a larger log would
  only hide that.
- a larger buffer pool is recommended as well: then its new size limits the log, and both are
  changed together.
- the checkpoint age is beyond the whole log: late, unless the server reports two sizes of the log
  (it is being resized); then the age says nothing.
- growth below 64 KiB/s, in a log that is large enough for that: not judged; a quiet window does not
  show the busy hour.

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
log-file settings MySQL 8.0.30+ shows 100 MiB whatever the size is; the status is right.

## References
- MySQL 8.0 reference manual, "Redo Log" and "Enabling Automatic InnoDB Configuration for a
  Dedicated MySQL Server"
- MariaDB documentation, "InnoDB Redo Log"
- MySQL 8.0 sources, log0files_capacity.cc; MySQL 5.7 and MariaDB 10.11 sources, log0log.cc
"""

from __future__ import annotations

from advisor.facts.server.load import LOAD_AHEAD
from advisor.facts.server.status import status
from advisor.facts.server.variables import MYSQL_VERSION, variable
from advisor.facts.watched.redo import (
    REDO_CAPACITY,
    REDO_DIRECTORY,
    REDO_GROWTH,
)
from advisor.facts.watched.watch import WATCH_SERVER_CPU
from advisor.gain import FLOOR
from advisor.model.server.redo_log import (
    LEAST_ENOUGH,
    SHORT_S,
    SOON_S,
    RedoLog,
)
from advisor.outcomes import Confidence
from advisor.rulekit import (
    Answer,
    At,
    Card,
    Condition,
    Facts,
    Knowledge,
    Relief,
    SafeEnd,
    Unjudged,
    Wait,
    rule,
)
from advisor.rules.redo._largest import MOST, STEP_TIMES, log_of
from advisor.rules.redo._resizing import files_of, made_to, size_of_each
from advisor.variables.catalogue import MYSQL
from advisor.variables.standing import Standing
from advisor.workload.flushing.checkpoint import (
    BEYOND,
    LIMIT,
    of_limit,
)
from advisor.workload.flushing.load import LOW_AGE, write_cpu_of
from advisor.workload.pool import growth as pool_growth
from advisor.workload.pool.growth import MEMORY, SIZE
from probes.figures import seconds, size, throughput

CALM_S = 600.0
"""A log that holds so much is large enough while its checkpoint age is low (our choice)."""
QUIET_PER_S = 64 << 10
FIRST_S, QUICK_S = 10.0, 30.0
"""A log that is full within the first comes before all that was counted; up to the second it counts
for less with each second (our choices)."""
MINUTES_S, A_LINE = 120.0, FLOOR / 20
"""A log that is full within the first is worth its line whatever it saves now: it counts for less
there than what nobody can compute (our choices)."""
HOURS_S = 4 * 3600.0
"""A log that holds its growth for so long is larger than it needs to be (our choice)."""
LONG_S = 60.0
"""A shorter window says little even about its own load."""


@rule(
    topic="Redo log",
    do="Check that flushing keeps up with the changes",
    needs=(MYSQL_VERSION, REDO_CAPACITY, REDO_GROWTH),
    uses=(
        *pool_growth.USES,
        SIZE,
        MEMORY,
        *(each for each in BEYOND if each is not REDO_CAPACITY),
        LOAD_AHEAD,
        LIMIT,
        REDO_DIRECTORY,
        WATCH_SERVER_CPU,
        status("Innodb_pages_written"),
        variable("innodb_redo_log_capacity"),
        variable("innodb_log_file_size"),
        variable("innodb_log_files_in_group"),
    ),
    settings=("innodb_redo_log_capacity", "innodb_log_file_size"),
    findings=("F69", "F70", "B05"),
    major=True,
    safe_end=SafeEnd.HIGHEST,
    not_fine_beside=("redo.checkpoint-age",),
)
def check(facts: Facts) -> Answer:
    """Let the log hold an hour of what the server changes."""
    log, growth = log_of(facts), facts.get(REDO_GROWTH)
    if growth.per_s <= 0 or (growth.per_s < QUIET_PER_S and not log.short):
        return Unjudged(
            f"Redo grew by {throughput(growth.per_s)} in the window: too quiet to size the log by. "
            "Check again under load."
        )
    setting = facts.find(variable("innodb_redo_log_capacity")) or facts.find(
        variable("innodb_log_file_size")
    )
    if setting is None:
        return Unjudged(f"{facts.version} shows no setting of its redo log's size.")
    short = _short(log)
    card = _card(facts, log, setting, short)
    if not short:
        enough = card.fine("Fine as it is: pages have time to collect their changes.")
        return _smaller(facts, card, log, setting) or enough
    if not log.late and not log.worth_more:
        return card.fine(
            "A larger log would lengthen recovery and save little.",
            flips_when="redo grows faster, or the buffer pool gets larger",
        )
    if against := _against(facts, log):
        why, flips_when = against
        return card.watch(
            "Flushing has to keep up with the changes all the time: check that it does.",
            saw=f"{_saw(facts, log)} {why}",
            flips_when=flips_when,
            risk="When flushing falls behind, all writers wait.",
        )
    return _larger(facts, card, log, setting)


def _short(log: RedoLog) -> Condition:
    """Whether the log should be larger, as ``log.short`` has it."""
    calm = log.age is not None and log.age < LOW_AGE * log.most_age
    quick = _filled_within(log, CALM_S if calm else SHORT_S)
    if log.age is None:
        return quick
    late = At("checkpoint age", log.age, least=log.late_from, say=size)
    return late | quick


def _filled_within(log: RedoLog, least_s: float) -> At:
    return At(
        "time to fill the log",
        log.held_s,
        of=f"{log.limits.usable:g} x {size(log.capacity)} / {throughput(log.growth.per_s)}",
        below=least_s,
        say=seconds,
    )


def _card(facts: Facts, log: RedoLog, setting: Standing, short: Condition) -> Card:
    window = seconds(log.growth.seconds)
    blocks = (
        ""
        if log.growth.exact
        else ", counted in whole blocks: small commits rewrite theirs, so that it may be several "
        "times too high"
    )
    sure = log.growth.seconds >= LONG_S and log.growth.exact
    return facts.card(
        _saw(facts, log),
        short,
        setting=setting.name,
        now=setting.now,
        formula=_formula(log),
        confidence=_confidence(log, sure=sure),
        valid=f"For a load like that of this window of {window}; size it by the busiest hour.",
        because=f"The growth was measured over {window}{blocks}.",
    )


def _confidence(log: RedoLog, *, sure: bool) -> Confidence:
    """That it is too small is certain where the age says so; its size is as sure as the growth."""
    if log.late:
        return Confidence.HIGH if sure else Confidence.MEDIUM
    return Confidence.MEDIUM if sure else Confidence.LOW


def _saw(facts: Facts, log: RedoLog) -> str:
    files = files_of(facts)
    share = (log.age or 0) / log.most_age
    late = f", and the checkpoint age is {of_limit(share)}" if log.late else ""
    return (
        f"Redo grows by {throughput(log.growth.per_s)}, so the log of {size(log.capacity)}"
        f"{f' in {files} files' if files > 1 else ''} is full after {seconds(log.held_s)}{late}."
    )


def _formula(log: RedoLog) -> str:
    growth, twice = throughput(log.growth.per_s), size(2 * log.capacity)
    late = f", at least {twice} for a high checkpoint age" if log.late else ""
    return (
        f"wanted = {growth} x 3,600 s / {log.limits.usable:g} = {size(log.needed)}{late}, "
        f"at most {size(min(log.most, log.step))}"
    )


def _against(facts: Facts, log: RedoLog) -> tuple[str, str] | None:
    """Say what speaks against a larger log, and what else would change that; None when nothing."""
    if log.behind:
        return (
            "It holds an hour or more: flushing is behind, and more redo would only hide that.",
            "",
        )
    if not log.worth_more:
        return "A larger log would lengthen recovery and save little.", ""
    where = facts.find(REDO_DIRECTORY)
    free = None if where is None else where.free_bytes
    needed = 2 * (log.wanted - log.capacity)
    if free is not None and free < needed:
        room = At("free space there", free, least=needed, say=size)
        return f"Only {size(free)} is free where the log lies.", room.turn
    return None


def _smaller(facts: Facts, card: Card, log: RedoLog, setting: Standing) -> Answer | None:
    """Show what would be enough for a log that holds hours; None where it is none too large."""
    pool, enough = facts.find(SIZE), log.enough
    usual = MOST if pool is None else min(MOST, pool.number)
    if log.held_s < HOURS_S or log.capacity <= usual or log.capacity < 2 * enough:
        return None
    if facts.version.before(MYSQL, 5, 6, 8):
        return None
    than = "most that MySQL's own sizing takes" if usual == MOST else "buffer pool"
    made, verify, side_effects = made_to(facts, enough, setting)
    waits = "" if log.age is None else f"{size(log.age)} wait there now; "
    aged = "" if log.age is None else f" and for {size(log.age)} that wait"
    return card.recommend(
        made,
        saw=f"{_saw(facts, log)} That is hours, in a log larger than the {than}.",
        effect=f"Recovery has less redo to read ({waits}up to {size(log.usable)} may), and "
        f"{size(log.capacity - enough)} of the disk are free.",
        risk="Low: a busier hour fills it sooner.",
        formula=f"wanted = {throughput(log.growth.per_s)} x 3,600 s / {log.limits.usable:g} = "
        f"{size(log.needed)}, at least {size(LEAST_ENOUGH)}{aged}; rounded to {size(enough)}",
        flips_when=f"redo grows by {throughput(log.usable / HOURS_S)} or more",
        cost_of_error="More page writes in a busier hour.",
        side_effects=side_effects,
        verify=verify,
        slight=True,
        knowledge=Knowledge.DOCUMENTED,
    )


def _larger(facts: Facts, card: Card, log: RedoLog, setting: Standing) -> Answer:
    wanted, files = size(log.wanted), files_of(facts)
    risk = f"Recovery after a crash takes longer. The log takes up to {wanted} of disk."
    if log.age is not None and log.age > log.capacity:
        risk += (
            " The log was overwritten: dump the data first, and end the server by a clean shutdown "
            "alone."
        )
    made, verify, side_effects = made_to(facts, log.wanted, setting)
    sooner = " With the larger pool it fills sooner." if _fills_sooner(facts, log) else ""
    if facts.version.before(MYSQL, 5, 6, 8):
        risk += " The server refuses to start while files of the old size are there."
    # The setting is the size of one of several files.
    each = size(size_of_each(log.wanted, files))
    several = f" {files} files of {each} are proposed." if files > 1 else ""
    return card.recommend(
        made,
        saw=f"{_saw(facts, log)}{several}{sooner}",
        effect="Pages collect more changes before they are written: fewer page writes and fewer "
        "stalls.",
        risk=risk,
        formula=f"{_formula(log)}; rounded to {wanted}",
        cost_of_error="Too large: longer recovery and disk space. Too small: more page writes.",
        side_effects=side_effects,
        verify=verify,
        relieves=_relieves(facts, log),
        urgency=_urgency(log),
    )


def _fills_sooner(facts: Facts, log: RedoLog) -> bool:
    """Whether it is not late yet, and a larger pool lets queries write more."""
    return not log.late and log.held_s < MINUTES_S and bool(pool_growth.grown(facts))


def _urgency(log: RedoLog) -> float:
    """What it counts for by how soon the log is full; later where the growth may be too high.

    Where the checkpoint age is late, or the log full within minutes, it is worth its line whatever
    it saves now: queries wait for room in the log as soon as they write a little more, which they
    do once another change lets them.
    """
    held_s = log.held_s * (1 if log.growth.exact else STEP_TIMES)
    least = FLOOR if log.late else A_LINE if held_s < MINUTES_S else 0.0
    return min(1.0, max(least, (QUICK_S - held_s) / (QUICK_S - FIRST_S)))


def _relieves(facts: Facts, log: RedoLog) -> tuple[Relief, ...]:
    """It ends the waits for room in the log, and saves some of the page writes.

    Those that a log which is late or full within minutes makes again and again take processors: at
    most all of them, where nobody can tell which.
    """
    if not log.late and log.held_s >= SOON_S:
        return (Relief.whole(Wait.CHECKPOINTS),)
    written, cpu = facts.find(status("Innodb_pages_written")), facts.find(WATCH_SERVER_CPU)
    if written is None or cpu is None or cpu.value <= 0:
        return (Relief.whole(Wait.CHECKPOINTS),) if log.late else ()
    each_us = write_cpu_of(facts.version).value
    writes = Relief.up_to(Wait.PROCESSORS, min(1.0, written * each_us / 1e6 / cpu.value))
    return (Relief.whole(Wait.CHECKPOINTS), writes) if log.late else (writes,)
