"""Places where settings are kept.

## What it checks
Whether values are persisted in the data directory beside an option file, and whether several option
files speak.

## Why it matters
A persisted value wins over every option file. Whoever edits the file, restarts and sees the old
value looks for an hour; and a copy of the option file no longer makes a copy of the server.

## How it is judged
- Persisted values and lines in option files: watch, with the names that are persisted.
- Lines in three or more files: watch, because their order decides.
- Else fine. Both at once cannot be seen: the server tells only the place that won.

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

from advisor.facts.lines import PERSISTED, Lines
from advisor.outcomes import Confidence, Verdict
from advisor.rules.facts import Facts
from advisor.rules.removal import counted, named, opening
from advisor.rules.rule import Answer, Judged, rule

MANY_FILES = 3


@rule(topic="Option file", needs=("mysql.lines",), findings=("B13",))
def check(facts: Facts) -> Answer:
    """Say which place wins."""
    lines = facts.get("mysql.lines", Lines).written
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
            because="the server tells where each value comes from",
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
            because="the server tells which file each value comes from",
            valid="For this server.",
            cost_of_error="An edit in a file that is read too early.",
        )
    return Judged(
        Verdict.FINE,
        f"Settings are kept in one way: {formula}.",
        effect="An edit has the effect that it promises.",
        flips_when="values are persisted beside an option file, or a third file joins",
        formula=formula,
        because="the server tells where each value comes from",
        valid="For this server.",
    )
