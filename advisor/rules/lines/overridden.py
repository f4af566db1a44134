"""Option lines beside others for the same purpose.

## What it checks
Whether two lines have the same purpose and the server uses only one of them.

## Why it matters
The line without effect may be the one that gets edited. Since MySQL 8.0.30 `innodb_log_file_size`
has no effect once `innodb_redo_log_capacity` is set, and the server says so only in its error log.

## How it is judged
- MySQL 8.0.30 and newer: `innodb_redo_log_capacity` set beside `innodb_log_file_size` or
  `innodb_log_files_in_group`: the old lines have no effect. Removal is proposed.
- MySQL 8.0 and newer: `innodb_dedicated_server` on, and the size of the pool or of the redo log set
  as well: the set size takes precedence. Watch.
- Else fine.

## How to check by hand
The error log after a start: "ignored", "has no effect". `SHOW GLOBAL STATUS LIKE
'Innodb_redo_log_capacity_resized'` shows the redo size in use.

## Risk and undo
None: the removed lines have no effect. Put them back to undo it.

## When it is wrong
When the file also serves a server older than 8.0.30, which needs the old lines.

## References
- MySQL 8.0 reference manual, "Configuring Redo Log Capacity"
- MySQL 8.0 reference manual, "Enabling Automatic Configuration for a Dedicated MySQL Server"
"""

from __future__ import annotations

from advisor.facts.server.lines import MYSQL_LINES
from advisor.facts.server.variables import MYSQL_VERSION
from advisor.outcomes import Confidence
from advisor.plan.chosen_at_start import CAPACITY, DEDICATED, OLD_REDO, SIZED
from advisor.rulekit import Answer, Facts, Knowledge, Stakes, mysql, rule
from advisor.rules.lines._removal import checked, named, removal
from advisor.steps import Needs
from probes.figures import counted


@rule(
    topic="Option file",
    do="Remove the lines that others override",
    needs=(MYSQL_VERSION, MYSQL_LINES),
    applies_to=(mysql("8.0"),),
    findings=("B05", "F70"),
    stakes=Stakes.HOUSEKEEPING,
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Name the lines that another one overrides."""
    lines = facts.get(MYSQL_LINES)
    new_redo = mysql("8.0.30").covers(facts.version) and lines.value(CAPACITY) is not None
    silenced = [line for line in lines.written if new_redo and line.name in OLD_REDO]
    dedicated = (lines.value(DEDICATED) or "").upper() in {"ON", "1"}
    sized = [line for line in lines.written if dedicated and line.name in SIZED]
    card = facts.card(
        f"No line overrides another one ({checked(lines.written)}).",
        formula=f"overridden: 0 of {counted(len(lines.written), 'line')}",
        flips_when=f"{CAPACITY} is set beside the old redo lines, or a dedicated server is sized "
        "by hand",
    )
    if silenced:
        return card.recommend(
            removal(silenced, Needs.NOTHING),
            saw=f"Since {CAPACITY} = {lines.value(CAPACITY)} is set, {named(silenced)} "
            f"{'has' if len(silenced) == 1 else 'have'} no effect.",
            effect="One line sets the size of the redo log. Nothing else changes.",
            confidence=Confidence.HIGH,
            formula=f"{counted(len(silenced), 'line')} beside {CAPACITY}",
            risk="None on this version; 9.7 refuses to start with the old lines.",
            flips_when=f"{CAPACITY} is removed, or the file serves a server before 8.0.30",
            because="The server's own log says that it ignores the old lines.",
            cost_of_error="None here.",
        )
    if not sized:
        return card.fine()
    return card.watch(
        "The server uses what is set and sizes only the rest. Remove what it should size, or "
        "innodb_dedicated_server.",
        saw=f"The server is a dedicated one (innodb_dedicated_server), and {named(sized)} "
        f"{'is' if len(sized) == 1 else 'are'} set as well.",
        confidence=Confidence.HIGH,
        formula=f"{counted(len(sized), 'line')} beside innodb_dedicated_server = ON",
        flips_when="either the sizes or innodb_dedicated_server are removed",
        because="By the manual a set size takes precedence.",
        cost_of_error="A pool or a redo log of an unexpected size.",
    )
