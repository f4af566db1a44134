"""Option lines for settings of other versions.

## What it checks
Which lines of the option files set something that this version does not have: it was removed, or
never existed.

## Why it matters
Some servers refuse to start with such a line, and then the next restart is an outage: MySQL 8.0
does so for every unknown name. MariaDB silently ignores many old names, so
`innodb_buffer_pool_instances = 8` may stay for years although it is gone since 10.6. With `loose_`
before it, even a misspelt name is ignored everywhere.

## How it is judged
- A line counts when the server shows no such variable and the catalogue has none for this version,
  or when it is `loose_innodb_...` and no InnoDB setting begins like that.
- The version refuses to start with it: removal is proposed. The running server did not read it at
  its start, or accepted it against expectation: the confidence shows which.
- The version ignores it: removal is proposed. Nothing changes.
- Only misspelt or unknown `loose_innodb_...` names: watch, since another server may read them.
- None: fine, unless a file was not read to its end, or a line of it ends the start. Names of other
  parts of the server, which a plugin may own, count only where a server was seen to refuse them.

## How to check by hand
`mysqld --validate-config` (MySQL 8.0 and newer) refuses what it does not know. `SHOW GLOBAL
VARIABLES LIKE 'name'` stays empty for a setting that is gone.

## Risk and undo
None on this version: the line has no effect. Put it back to undo it.

## When it is wrong
When one option file serves servers of several versions: an older one may still use the line.

## References
- MySQL 8.0 and 8.4 reference manuals, "What Is New", on removed variables
- MySQL reference manual, "Program Option Modifiers", on loose_
- MariaDB documentation, "InnoDB System Variables", on removed ones
"""

from __future__ import annotations

from advisor.facts.server.lines import in_file
from advisor.facts.server.option_files import MYSQL_OPTION_FILES, FileLine
from advisor.facts.server.variables import MYSQL_VERSION
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Facts, Knowledge, Stakes, rule
from advisor.rules.lines._by_hand import NO_RESTART, unfinished
from advisor.rules.lines._removal import checked, placed, removal, them
from advisor.steps import Needs
from advisor.variables.catalogue import fate, span
from advisor.variables.entry import Fate
from advisor.variables.sheets import SHEETS
from probes.figures import counted
from probes.version import ServerVersion

Written = list[FileLine]
"""All lines of one name; the last one counts."""

RISK = "None on this version; an older server that reads the same file may use the line."


@rule(
    topic="Option file",
    do="Check the spelling of lines that name no setting",
    needs=(MYSQL_VERSION, MYSQL_OPTION_FILES),
    findings=("B01", "F77"),
    stakes=Stakes.HOUSEKEEPING,
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Name what is set and not there."""
    version, files = facts.version, facts.get(MYSQL_OPTION_FILES)
    absent = [lines for name, lines in files.by_name().items() if _is_absent(lines[-1], version)]
    refused = [lines for lines in absent if _is_refused(lines, version)]
    idle = [lines for lines in absent if lines not in refused and _is_idle(lines, version)]
    strays = [line for line in files.lines if line.stray]
    card = facts.card(
        f"{version} has every known setting of the option files ({checked(files.lines)}).",
        formula=f"not there: {len(refused)} refused, {len(idle)} ignored, {len(strays)} unknown, "
        f"of {counted(len(files.lines), 'line')}",
        flips_when="a line sets what this version does not have",
    )
    if refused:
        last = [lines[-1] for lines in refused]
        edited = all(line.edited for line in last)
        return card.recommend(
            removal([in_file(lines) for lines in refused], Needs.NOTHING),
            saw=f"{version} has no such setting and refuses to start with {placed(last)}.",
            effect="The next start succeeds.",
            confidence=Confidence.HIGH if edited else Confidence.MEDIUM,
            risk=RISK,
            flips_when="the line begins with loose_, or is removed",
            because="This version refuses it, and the file was written after the server's start."
            if edited
            else "This version refuses it; but the server runs, and the file is older than its "
            "start, so it may be a copy that was put there later.",
            cost_of_error=NO_RESTART,
            stakes=Stakes.DATA,
        )
    if idle:
        last = [lines[-1] for lines in idle]
        return card.recommend(
            removal([in_file(lines) for lines in idle], Needs.NOTHING),
            saw=f"{version} has no such setting and ignores {placed(last)}.",
            effect="The file shows what the server uses. Nothing else changes.",
            confidence=Confidence.HIGH,
            risk=RISK,
            flips_when=f"the file also serves an older version that uses {them(last)}",
            cost_of_error="None here.",
        )
    if not strays:
        return unfinished(files) or card.fine()
    return card.watch(
        "The line has no effect, and loose_ keeps the server from saying so. Check the spelling.",
        saw=f"InnoDB in {version} has no setting of this name: {placed(strays)}.",
        flips_when="the name is spelt as the server shows it, or the line serves another server",
        cost_of_error="A setting that is believed to be active and is not.",
    )


def _is_absent(line: FileLine, version: ServerVersion) -> bool:
    if line.shown is not None or span(version, line.name) is not None:
        return False
    # What has no sheet may be a plugin's: only a name that was tried and ends the start counts.
    if line.name in SHEETS and line.meant is not None:
        return True
    strict = line.readable and not line.loose
    return strict and fate(version, line.name) is Fate.REFUSED


def _is_refused(lines: Written, version: ServerVersion) -> bool:
    strict = any(not line.loose for line in lines)
    return strict and fate(version, lines[-1].name) is Fate.REFUSED


def _is_idle(lines: Written, version: ServerVersion) -> bool:
    return fate(version, lines[-1].name) in {Fate.IGNORED, Fate.REFUSED}
