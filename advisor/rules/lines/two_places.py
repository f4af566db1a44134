"""Places where settings are kept.

## What it checks
Whether values are persisted in the data directory beside an option file, and whether several option
files speak.

## Why it matters
A persisted value wins over every option file. Whoever edits the file, restarts and sees the old
value looks for an hour; and a copy of the option file no longer makes a copy of the server.

## How it is judged
- A line of an option file beside a persisted value of the same name, or beside another value on the
  command line: watch, with the lines that do nothing. This takes the option files, for the server
  tells only the place that won.
- Persisted values and lines in option files: watch, with the names that are persisted.
- Lines in three or more files: watch, because their order decides.
- Else fine.

## How to check by hand
`SELECT * FROM performance_schema.persisted_variables`, and `mysqld --print-defaults`.

## Risk and undo
Nothing is changed. `RESET PERSIST name` hands a value back to the option file, from the next
restart on.

## When it is wrong
When persisting is the house's own way to keep settings, and the file holds only what must be known
before the start.

## References
- MySQL 8.0 reference manual, "Persisted System Variables" and "Using Option Files"
- MariaDB documentation, "Configuring MariaDB with Option Files"
"""

from __future__ import annotations

from collections.abc import Sequence

from advisor.facts.known import MYSQL_LINES, MYSQL_OPTION_FILES
from advisor.facts.lines import PERSISTED, Lines, same_value
from advisor.facts.option_files import FileLine, FileLines
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rules.lines._removal import AT_MOST, counted, named, opening, placed

MANY_FILES = 3


@rule(topic="Option file", needs=(MYSQL_LINES,), uses=(MYSQL_OPTION_FILES,), findings=("B13",))
def check(facts: Facts) -> Answer:
    """Say which place wins."""
    stated = facts.get(MYSQL_LINES)
    read = facts.find(MYSQL_OPTION_FILES)
    if read is not None and (beaten := _beaten(stated, read)):
        return _outdone(beaten, stated)
    lines = stated.written
    persisted = [line for line in lines if line.origin == PERSISTED]
    in_files = [line for line in lines if line.is_file]
    files = sorted({line.origin for line in in_files})
    formula = f"{len(persisted)} persisted, {len(in_files)} in {len(files)} option files"
    if persisted and in_files:
        return Judged(
            Verdict.WATCH,
            f"{opening(persisted, 'value')} "
            f"{'is' if len(persisted) == 1 else 'are'} persisted ({named(persisted)}) beside "
            f"{counted(in_files)} in option files.",
            effect="A line for a persisted name does nothing, in any option file. Settle on one "
            "place for each name.",
            confidence=Confidence.HIGH,
            flips_when="nothing is persisted, or nothing stands in an option file",
            gain=0.08,
            formula=formula,
            because="server and option files tell where each value comes from",
            valid="For this server; a copy of its option file lacks what is persisted.",
            cost_of_error="An hour's search for an edit that had no effect.",
        )
    if len(files) >= MANY_FILES:
        return Judged(
            Verdict.WATCH,
            f"{opening(in_files)} stand in {len(files)} option files: {', '.join(files)}.",
            effect="The file that is read last wins. Keep this server's own lines in one of them.",
            confidence=Confidence.HIGH,
            flips_when=f"fewer than {MANY_FILES} option files set something",
            gain=0.05,
            formula=formula,
            because="server and option files tell where each value comes from",
            valid="For this server.",
            cost_of_error="An edit in a file that is read too early.",
        )
    return Judged(
        Verdict.FINE,
        f"Settings are kept in one way: {formula}.",
        effect="An edit has the effect that it promises.",
        flips_when="values are persisted beside an option file, or a third file joins",
        formula=formula,
        because="server and option files tell where each value comes from",
        valid="For this server.",
    )


def _beaten(stated: Lines, files: FileLines) -> list[FileLine]:
    """The lines of files that a persisted value or the command line takes the effect from."""
    persisted = {line.name for line in stated.written if line.origin == PERSISTED}
    started = {line.name: line.value for line in stated.started}
    return [
        lines[-1]
        for name, lines in files.by_name().items()
        if name in persisted or (name in started and _says_otherwise(lines[-1], started[name]))
    ]


def _says_otherwise(line: FileLine, started: str) -> bool:
    """Start scripts hand on what a file says: only another value on the command line beats it."""
    return line.value is not None and not same_value(line.value, started)


def _outdone(beaten: Sequence[FileLine], stated: Lines) -> Answer:
    persisted = {line.name for line in stated.written if line.origin == PERSISTED}
    wins = [
        f"{line.name} = {line.shown} {'is persisted' if line.name in persisted else 'was given'}"
        f"{'' if line.name in persisted else ' on the command line'}"
        for line in beaten[:AT_MOST]
    ]
    return Judged(
        Verdict.WATCH,
        f"{opening(beaten)} {'does' if len(beaten) == 1 else 'do'} nothing: {placed(beaten)}.",
        effect=f"What counts instead: {'; '.join(wins)}. Settle on one place for each name.",
        confidence=Confidence.HIGH,
        flips_when="no name stands both in an option file and in a place that wins over it",
        gain=0.1,
        formula=f"beaten: {counted(beaten)} of the option files",
        because="the server tells where the value comes from, and the file was read",
        valid="For this server.",
        cost_of_error="An hour's search for an edit that had no effect.",
    )
