"""Places where settings are kept.

## What it checks
Whether values are persisted in the data directory beside an option file, and whether several option
files set something.

## Why it matters
A persisted value overrides every option file. People edit the file, restart, and see the old
value; and a copy of the option file no longer makes a copy of the server.

## How it is judged
- A line of an option file beside a persisted value of the same name, or beside another value on the
  command line: watch, with the lines without effect. This needs the option files, since the server
  reports only the place that won.
- Persisted values and lines in option files: watch, with the names that are persisted.
- Lines in three or more files: watch, because their order decides.
- Else fine, unless the files alone tell, and one was not read to its end.

## How to check by hand
`SELECT * FROM performance_schema.persisted_variables`, and `mysqld --print-defaults`.

## Risk and undo
Nothing is changed. `RESET PERSIST name` lets the option file apply again, from the next
restart on.

## When it is wrong
When settings are persisted by policy, and the file has only what must be known before the start.

## References
- MySQL 8.0 reference manual, "Persisted System Variables" and "Using Option Files"
- MariaDB documentation, "Configuring MariaDB with Option Files"
"""

from __future__ import annotations

from collections.abc import Sequence

from advisor.facts.server.lines import MYSQL_LINES, Lines, same_value
from advisor.facts.server.option_files import MYSQL_OPTION_FILES, FileLine, FileLines
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Facts, Knowledge, Stakes, rule
from advisor.rules.lines._by_hand import cut_short
from advisor.rules.lines._removal import AT_MOST, named, opening, placed
from probes.figures import counted

MANY_FILES = 3
SEARCH = "A long search for an edit that had no effect."


@rule(
    topic="Option file",
    do="Keep each setting in one place",
    needs=(MYSQL_LINES,),
    uses=(MYSQL_OPTION_FILES,),
    findings=("B13",),
    stakes=Stakes.HOUSEKEEPING,
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Say which place wins."""
    stated, read = facts.get(MYSQL_LINES), facts.find(MYSQL_OPTION_FILES)
    persisted = [line for line in stated.written if line.persisted]
    in_files = [line for line in stated.written if line.is_file]
    files = sorted({line.origin for line in in_files})
    formula = f"{len(persisted)} persisted, {len(in_files)} in {counted(len(files), 'option file')}"
    card = facts.card(
        f"Settings are kept in one place: {formula}.",
        formula=formula,
        flips_when="values are persisted beside an option file, or a third file is added",
    )
    if read is not None and (beaten := _beaten(stated, read)):
        return card.watch(
            f"The server uses {_winners(beaten, stated)}. Use one place for each name.",
            saw=f"{opening(beaten)} {'has' if len(beaten) == 1 else 'have'} no effect: "
            f"{placed(beaten)}.",
            confidence=Confidence.HIGH,
            formula=f"overridden: {counted(len(beaten), 'line')} of the option files",
            flips_when="no name is set both in an option file and in a place that overrides it",
            cost_of_error=SEARCH,
        )
    if persisted and in_files:
        return card.watch(
            "A line for a persisted name has no effect, in any option file. Use one place for each "
            "name.",
            saw=f"{opening(persisted, 'value')} {'is' if len(persisted) == 1 else 'are'} persisted "
            f"({named(persisted)}) beside {counted(len(in_files), 'line')} in option files.",
            confidence=Confidence.HIGH,
            flips_when="no value is persisted, or none is set in an option file",
            valid="For this server; a copy of its option file lacks what is persisted.",
            cost_of_error=SEARCH,
        )
    if len(files) < MANY_FILES:
        return cut_short(stated) or card.fine()
    return card.watch(
        "The file that is read last wins. Keep this server's own lines in one of them.",
        saw=f"{opening(in_files)} are spread over {len(files)} option files: {', '.join(files)}.",
        confidence=Confidence.HIGH,
        flips_when=f"fewer than {MANY_FILES} option files set something",
        cost_of_error="An edit in a file that is read too early.",
    )


def _beaten(stated: Lines, files: FileLines) -> list[FileLine]:
    """The lines of files that a persisted value or the command line overrides."""
    persisted = {line.name for line in stated.written if line.persisted}
    started = {line.name: line.value for line in stated.started}
    return [
        lines[-1]
        for name, lines in files.by_name().items()
        if name in persisted or (name in started and _says_otherwise(lines[-1], started[name]))
    ]


def _says_otherwise(line: FileLine, started: str) -> bool:
    """Start scripts pass on what a file says: only another value on the command line overrides."""
    return line.meant is not None and not same_value(line.meant, started)


def _winners(beaten: Sequence[FileLine], stated: Lines) -> str:
    persisted = {line.name for line in stated.written if line.persisted}
    return "; ".join(
        f"{line.name} = {line.shown} ({'persisted' if line.name in persisted else 'command line'})"
        for line in beaten[:AT_MOST]
    )
