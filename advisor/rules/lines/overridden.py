"""Option lines beside others on the same thing.

## What it checks
Whether two lines speak of the same thing and the server heeds only one of them.

## Why it matters
The line without effect is the one that gets edited. Since MySQL 8.0.30 `innodb_log_file_size` does
nothing once `innodb_redo_log_capacity` is set, and the server says so only in its error log.

## How it is judged
- MySQL 8.0.30 and newer: `innodb_redo_log_capacity` set beside `innodb_log_file_size` or
  `innodb_log_files_in_group`: the old lines do nothing. Recommend to take them out.
- MySQL 8.0 and newer: `innodb_dedicated_server` on, and the size of the pool or of the redo log set
  as well: the set size counts and the automatic one does not. Watch.
- Else fine.

## How to check by hand
The error log after a start: "ignored", "has no effect". `SHOW GLOBAL STATUS LIKE
'Innodb_redo_log_capacity_resized'` tells the redo size in use.

## Risk and undo
None: the lines that go do nothing. Put them back to undo it.

## When it is wrong
When the file also serves a server older than 8.0.30, which needs the old lines.

## References
- MySQL 8.0 reference manual, "Configuring Redo Log Capacity"
- MySQL 8.0 reference manual, "Enabling Automatic Configuration for a Dedicated MySQL Server"
"""

from __future__ import annotations

from collections.abc import Sequence

from advisor.facts.known import MYSQL_LINES, MYSQL_VERSION
from advisor.facts.lines import Lines, OptionLine
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mysql
from advisor.rules.lines._removal import counted, named, removal
from advisor.steps import Needs

CAPACITY = "innodb_redo_log_capacity"
OLD_REDO = frozenset({"innodb_log_file_size", "innodb_log_files_in_group"})
SIZED = frozenset({"innodb_buffer_pool_size", CAPACITY, *OLD_REDO})
"""What a dedicated server would size by itself."""


@rule(
    topic="Option file",
    needs=(MYSQL_VERSION, MYSQL_LINES),
    applies_to=(mysql("8.0"),),
    findings=("B05", "F70"),
)
def check(facts: Facts) -> Answer:
    """Name the lines that another one silences."""
    version = facts.get(MYSQL_VERSION)
    lines = facts.get(MYSQL_LINES)
    new_redo = mysql("8.0.30").covers(version) and lines.value(CAPACITY) is not None
    silenced = [line for line in lines.written if new_redo and line.name in OLD_REDO]
    if silenced:
        return _silenced(lines, silenced)
    dedicated = (lines.value("innodb_dedicated_server") or "").upper() in {"ON", "1"}
    sized = [line for line in lines.written if dedicated and line.name in SIZED]
    if sized:
        return Judged(
            Verdict.WATCH,
            f"The server is a dedicated one (innodb_dedicated_server), and {named(sized)} "
            f"{'is' if len(sized) == 1 else 'are'} set as well.",
            effect="The server keeps what is set and sizes only the rest by itself. Take out what "
            "it should size, or innodb_dedicated_server.",
            confidence=Confidence.HIGH,
            flips_when="either the sizes or innodb_dedicated_server go",
            gain=0.1,
            formula=f"{counted(sized)} beside innodb_dedicated_server = ON",
            because="the manual says that a set size counts",
            valid="For MySQL 8.0 and newer.",
            cost_of_error="A pool or a redo log of another size than somebody believes.",
        )
    return Judged(
        Verdict.FINE,
        f"No line takes the effect from another ({counted(lines.written)} looked at).",
        effect="Each line counts.",
        flips_when=f"{CAPACITY} is set beside the old redo lines, or a dedicated server is sized "
        "by hand",
        formula=f"silenced: 0 of {counted(lines.written)}",
        because="the pairs that the rule names were looked for",
        valid="For the pairs that the rule names.",
    )


def _silenced(lines: Lines, silenced: Sequence[OptionLine]) -> Answer:
    return Judged(
        Verdict.RECOMMEND,
        f"Since {CAPACITY} = {lines.value(CAPACITY)} is set, {named(silenced)} "
        f"{'does' if len(silenced) == 1 else 'do'} nothing.",
        effect="One line says how large the redo log is. Nothing else changes.",
        confidence=Confidence.HIGH,
        risk="None on this version; 9.7 refuses to start with the old lines.",
        flips_when=f"{CAPACITY} goes, or the file serves a server before 8.0.30",
        gain=0.15,
        formula=f"{counted(silenced)} beside {CAPACITY}",
        because="the server's own log says that the old lines are not heeded",
        valid="For MySQL 8.0.30 and newer.",
        cost_of_error="None here.",
        side_effects="None.",
    ).by(removal(silenced, Needs.NOTHING))
