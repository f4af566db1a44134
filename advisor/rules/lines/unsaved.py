"""Values set at run time.

## What it checks
Which values were changed by SET GLOBAL since the server started.

## Why it matters
A tuned server comes back from a restart as it was before the tuning, and people look
elsewhere for the cause of its slowness.

## How it is judged
- The server reports where each value comes from. Values set at run time that differ from the
  version's default count.
- A value that an option file sets as well is kept by it, and does not count.
- None: fine. One or more: watch. On MySQL 8.0 and newer a persisted value looks the same until the
  next restart, so check there before you write anything.

## How to check by hand
MySQL 8.0 and newer: `SELECT * FROM performance_schema.persisted_variables`. MariaDB has no such
table: compare the option files with `SHOW GLOBAL VARIABLES`.

## Risk and undo
Nothing is changed. To keep a value, write it into the option file, or SET PERSIST it.

## When it is wrong
When the value was set temporarily and should be reset.

## References
- MySQL 8.0 reference manual, "Performance Schema variables_info Table" and "Persisted System
  Variables"
- MariaDB documentation, "Information Schema SYSTEM_VARIABLES Table"
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from advisor.facts.server.lines import MYSQL_LINES, same_value
from advisor.facts.server.option_files import MYSQL_OPTION_FILES, FileLine, OptionLine
from advisor.facts.server.variables import MYSQL_VERSION
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Facts, Knowledge, Stakes, Unjudged, rule
from advisor.rules.lines._removal import named, opening, placed
from advisor.variables.catalogue import MYSQL, span
from probes.figures import counted
from probes.version import ServerVersion


@rule(
    topic="Option file",
    do="Write down the values that a restart would lose",
    needs=(MYSQL_VERSION, MYSQL_LINES),
    uses=(MYSQL_OPTION_FILES,),
    findings=("B13",),
    stakes=Stakes.HOUSEKEEPING,
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Name what a restart may reset."""
    version, lines = facts.version, facts.get(MYSQL_LINES)
    if not lines.origins:
        return Unjudged(f"{version} does not report what was set at run time.")
    running = lines.running
    files = facts.find(MYSQL_OPTION_FILES) if running else None
    written = {} if files is None else files.by_name()
    loose = [
        line
        for line in running
        if not _is_default(line, version) and not _is_kept(line, written.get(line.name, []))
    ]
    one = len(loose) == 1
    card = facts.card(
        "No value differs from its default only because it was set at run time.",
        formula=f"{len(loose)} of {counted(len(running), 'value')} set at run time "
        f"{'differs' if one else 'differ'} from the default and from the option files",
        flips_when="a value is changed by SET GLOBAL",
        valid="Until the next SET GLOBAL.",
    )
    if not loose:
        return card.fine("Fine as it is: a restart keeps the settings.")
    persists = version.at_least(MYSQL, 8, 0)
    return card.watch(
        "A restart resets them unless they were persisted: check "
        "performance_schema.persisted_variables. SET PERSIST keeps a value."
        if persists
        else "A restart resets them unless an option file has the same value. Write what should "
        "stay into the option file.",
        saw=f"{opening(loose, 'value')} {'was' if one else 'were'} set at run time: "
        f"{named(loose)}.{_other(loose, written)}",
        confidence=Confidence.MEDIUM if persists else Confidence.HIGH,
        flips_when="the values are persisted, or are set in an option file",
        because="The server reports where each value comes from"
        + (", but not whether it was persisted as well" if persists else ""),
        valid="Until the next restart.",
        cost_of_error="A server that is slower after a restart for no visible reason.",
    )


def _is_kept(line: OptionLine, written: Sequence[FileLine]) -> bool:
    """Whether the file's last word on it is the same."""
    meant = written[-1].meant if written else None
    return meant is not None and same_value(meant, line.value)


def _other(loose: Sequence[OptionLine], written: Mapping[str, Sequence[FileLine]]) -> str:
    """What the files say of the same names: a restart goes back to it."""
    named = [written[line.name][-1] for line in loose if line.name in written]
    if not named:
        return ""
    return f" A restart goes back to {placed(named)}."


def _is_default(line: OptionLine, version: ServerVersion) -> bool:
    known = span(version, line.name)
    return known is not None and known.default is not None and same_value(line.value, known.default)
