"""Option lines for settings of other versions.

## What it checks
Which lines of the option files set something that this version does not have: its makers took it
away, or it never had it.

## Why it matters
Some servers refuse to start with such a line, and then the next restart is an outage: MySQL 8.0
does so for every name that it does not know. MariaDB passes over many old names without a word, so
`innodb_buffer_pool_instances = 8` promises for years what has been gone since 10.6. With `loose_`
before it, even a misspelt name is passed over everywhere.

## How it is judged
- A line counts when the server shows no such variable and the catalogue says that this version has
  none, or when it is `loose_innodb_...` and no setting of InnoDB's starts so.
- The version refuses to start with it: recommend to take it out. The server that runs had not read
  it at its start, or takes it against expectation: the confidence says which.
- The version passes over it: recommend to take it out. Nothing changes.
- Only misspelt or strange `loose_innodb_...` names: watch, for another server may read them.
- None: fine. Names of other parts of the server are left alone, for a plug-in may own them.

## How to check by hand
`mysqld --validate-config` (MySQL 8.0 and newer) refuses what it does not know. `SHOW GLOBAL
VARIABLES LIKE 'name'` stays empty for a setting that is gone.

## Risk and undo
None on this version: the line does nothing. Put it back to undo it.

## When it is wrong
When one option file serves servers of several versions: an older one may still heed the line.

## References
- MySQL 8.0 and 8.4 reference manuals, "What Is New", on removed variables
- MySQL reference manual, "Program Option Modifiers", on loose_
- MariaDB documentation, "InnoDB System Variables", on removed ones
"""

from __future__ import annotations

from collections.abc import Sequence

from advisor.facts.known import MYSQL_OPTION_FILES, MYSQL_VERSION
from advisor.facts.lines import in_file
from advisor.facts.option_files import FileLine
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rules.lines._removal import counted, placed, removal
from advisor.steps import Needs
from advisor.variables.catalogue import fate, span
from advisor.variables.entry import Fate
from probes.version import ServerVersion

Written = list[FileLine]
"""All lines of one name; the last one counts."""


@rule(
    topic="Option file",
    needs=(MYSQL_VERSION, MYSQL_OPTION_FILES),
    findings=("B01", "F77"),
)
def check(facts: Facts) -> Answer:
    """Name what is set and not there."""
    version = facts.get(MYSQL_VERSION)
    files = facts.get(MYSQL_OPTION_FILES)
    absent = [lines for name, lines in files.by_name().items() if _is_absent(lines[-1], version)]
    refused = [lines for lines in absent if _is_refused(lines, version)]
    idle = [lines for lines in absent if lines not in refused and _is_idle(lines, version)]
    strays = [line for line in files.lines if line.stray]
    formula = (
        f"not there: {len(refused)} refused, {len(idle)} passed over, {len(strays)} unknown, of "
        f"{counted(files.lines)}"
    )
    if refused:
        return _refused(version, refused, formula)
    if idle:
        return _idle(version, idle, formula)
    if strays:
        return _strays(version, strays, formula)
    return Judged(
        Verdict.FINE,
        f"{version} has what the option files set, as far as the catalogue knows "
        f"({counted(files.lines)} looked at).",
        effect="Nothing to take out.",
        flips_when="one line sets what this version does not have",
        formula=formula,
        because="each name was held against the server's variables and the catalogue",
        valid=f"For {version}, and the settings that the catalogue knows.",
    )


def _is_absent(line: FileLine, version: ServerVersion) -> bool:
    return line.shown is None and line.value is not None and span(version, line.name) is None


def _is_refused(lines: Written, version: ServerVersion) -> bool:
    strict = any(not line.loose for line in lines)
    return strict and fate(version, lines[-1].name) is Fate.REFUSED


def _is_idle(lines: Written, version: ServerVersion) -> bool:
    return fate(version, lines[-1].name) in {Fate.IGNORED, Fate.REFUSED}


def _refused(version: ServerVersion, refused: Sequence[Written], formula: str) -> Answer:
    last = [lines[-1] for lines in refused]
    since = all(line.edited for line in last)
    return Judged(
        Verdict.RECOMMEND,
        f"{version} has no such setting and refuses to start with {placed(last)}.",
        effect="The next start succeeds.",
        confidence=Confidence.HIGH if since else Confidence.MEDIUM,
        risk="None on this version; an older server that reads the same file may heed the line.",
        flips_when="the line bears loose_, or goes",
        gain=0.7,
        formula=formula,
        because="the catalogue tells it for this version, and the file was written to after the "
        "server's start"
        if since
        else "the catalogue tells it for this version; yet the server runs, and the file is not "
        "younger than its start, so it may have been put there as a copy",
        valid=f"For {version}.",
        cost_of_error="A server that does not come back from its next restart.",
        side_effects="None.",
    ).by(removal([in_file(lines) for lines in refused], Needs.NOTHING))


def _idle(version: ServerVersion, idle: Sequence[Written], formula: str) -> Answer:
    last = [lines[-1] for lines in idle]
    one = len(last) == 1
    return Judged(
        Verdict.RECOMMEND,
        f"{version} has no such setting and passes over {placed(last)}.",
        effect="The file says what the server does. Nothing else changes.",
        confidence=Confidence.HIGH,
        risk="None on this version; an older server that reads the same file may heed the line.",
        flips_when=f"the file also serves an older version that heeds {'it' if one else 'them'}",
        gain=0.1,
        formula=formula,
        because="the server shows no such variable, and the catalogue tells what it does with the "
        "line",
        valid=f"For {version}.",
        cost_of_error="None here.",
        side_effects="None.",
    ).by(removal([in_file(lines) for lines in idle], Needs.NOTHING))


def _strays(version: ServerVersion, strays: Sequence[FileLine], formula: str) -> Answer:
    return Judged(
        Verdict.WATCH,
        f"No setting of InnoDB's in {version} is called so: {placed(strays)}.",
        effect="The line does nothing, and loose_ keeps the server from saying so. Look for a "
        "misspelt name.",
        confidence=Confidence.MEDIUM,
        flips_when="the name is spelt as the server shows it, or the line serves another server",
        gain=0.1,
        formula=formula,
        because="no variable of the server's starts with the name",
        valid=f"For {version}.",
        cost_of_error="A setting that somebody believes in and nobody has.",
    )
