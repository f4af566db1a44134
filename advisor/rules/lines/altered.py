"""Option lines against the values that the server runs with.

## What it checks
Whether the server runs with the values of its option files.

## Why it matters
A server clamps a value to its range or rounds it, and says so only in its error log:
`innodb_io_capacity = 50` becomes 100, and MySQL 8.0 makes 1 GiB of a pool of 1000 MiB. A line that
was written after the start applies at the next restart, when the change may be forgotten.

## How it is judged
- The last line of each name that the catalogue knows is compared with the server's value. Values
  that are persisted, given on the command line or set at run time belong to other rules.
- The file was written after the server's start, and the values differ: watch, since the next
  restart applies the new value.
- The values differ by more than 1 % (our choice): watch, with the range that the catalogue knows. 0
  and -1 are left out where they let the server choose.
- A switch knows ON, TRUE and 1, OFF, FALSE and 0. Of every other word servers make OFF, or InnoDB
  its default: watch, where that is not what the word means.
- Else fine, unless a file was not read to its end, or a line of it ends the start: those have rules
  of their own.

## How to check by hand
Compare the file with `SHOW GLOBAL VARIABLES`, and look for "adjusted", "Truncated" or "invalid
value" in the error log of the last start.

## Risk and undo
Nothing is changed.

## When it is wrong
On MySQL before 8.0 and MariaDB before 10.1, which do not report whether a value was set by SET
GLOBAL since the start. When a file was copied with its old date, it does not count as younger.

## References
- MySQL reference manual, "Server System Variables", on ranges and block sizes
- MariaDB documentation, "Information Schema SYSTEM_VARIABLES Table"
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from advisor.facts.server.lines import same_value
from advisor.facts.server.option_files import MYSQL_OPTION_FILES, FileLine, knows_switch
from advisor.facts.server.variables import MYSQL_VERSION
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Facts, Knowledge, Stakes, rule
from advisor.rules.lines._by_hand import unfinished
from advisor.rules.lines._removal import AT_MOST, checked, opening, placed
from advisor.variables.catalogue import notes, span
from advisor.variables.entry import Habit, ValueKind
from advisor.variables.sheets import SHEETS
from probes.figures import counted, percent
from probes.inventory.facts import COMMAND_LINE, DYNAMIC, PERSISTED
from probes.version import ServerVersion

ROUNDED = 0.01
"""A number that differs by this share was rounded and serves its purpose."""

ELSEWHERE = frozenset({PERSISTED, COMMAND_LINE, DYNAMIC})
POOL, AUTO_MIN = "innodb_buffer_pool_size", "innodb_buffer_pool_size_auto_min"
CHOOSES = frozenset({"0", "-1"})
COMPARED = frozenset({ValueKind.NUMBER, ValueKind.SIZE, ValueKind.SWITCH, ValueKind.WORD})


@rule(
    topic="Option file",
    do="Find why the server runs with other values than its lines",
    needs=(MYSQL_VERSION, MYSQL_OPTION_FILES),
    findings=("B13",),
    stakes=Stakes.HOUSEKEEPING,
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Name the lines that the server does not run with."""
    version, files = facts.version, facts.get(MYSQL_OPTION_FILES)
    last = [lines[-1] for lines in files.by_name().values()]
    compared = [line for line in last if _is_compared(line)]
    other = [line for line in compared if _differs(line)]
    waiting = [line for line in other if line.edited]
    made = [line for line in other if not line.edited]
    card = facts.card(
        f"The server runs with the values of its option files ({checked(compared)}).",
        formula=f"{len(made)} of {counted(len(compared), 'line')} altered, {len(waiting)} not yet "
        f"read; a difference of up to {percent(ROUNDED)} counts as rounding",
        flips_when=f"a value differs from its line by more than {percent(ROUNDED)}",
    )
    if waiting:
        also = f" Besides, it runs with other values than {placed(made)}." if made else ""
        return card.watch(
            "The next restart applies the lines as they are now.",
            saw=f"{opening(waiting)} {'is' if len(waiting) == 1 else 'are'} in a file that was "
            f"written after the server's start: {placed(waiting)}. The server runs with "
            f"{_shown(waiting)}.{also}",
            flips_when="the server is restarted, or the line has the server's value",
            cost_of_error="A restart that changes more than was planned.",
        )
    if not made:
        return unfinished(files) or card.fine("Fine as it is: a restart changes nothing.")
    unknown = [line for line in made if not line.shown_from]
    return card.watch(
        _reasons(version, made)
        or "The error log of the last start says why. Write the intended value into the line.",
        saw=f"The server does not run with {placed(made)}: it runs with {_shown(made)}.",
        confidence=Confidence.MEDIUM if unknown else Confidence.HIGH,
        flips_when=f"the line and the server differ by no more than {percent(ROUNDED)}",
        because=f"{version} does not report whether SET GLOBAL changed the value since"
        if unknown
        else "The server names no other origin of the value.",
        cost_of_error="An option file that shows other values than the server's.",
    )


def _is_compared(line: FileLine) -> bool:
    sheet = SHEETS.get(line.name)
    if sheet is None or sheet.kind not in COMPARED or line.meant is None or line.shown is None:
        return False
    elsewhere = "/" in line.shown_from and line.shown_from != line.origin
    return line.shown_from not in ELSEWHERE and not elsewhere


def _differs(line: FileLine) -> bool:
    meant, shown = line.meant or "", line.shown or ""
    kind = SHEETS[line.name].kind
    if same_value(meant, shown) or (
        kind in {ValueKind.NUMBER, ValueKind.SIZE} and meant in CHOOSES
    ):
        return False
    if kind is ValueKind.WORD:
        # A number stands for a word's place in a list that differs between versions.
        return meant != "" and not meant.isdigit()
    if kind is ValueKind.SWITCH:
        return {meant.upper(), shown.upper()} <= {"ON", "OFF"}
    try:
        off = abs(float(meant) - float(shown))
    except ValueError:
        return False
    return off > ROUNDED * abs(float(meant))


def _less(line: FileLine) -> bool:
    """Whether the server runs with less than the line says."""
    meant, shown = line.meant or "", line.shown or ""
    return meant.isdigit() and shown.isdigit() and int(shown) < int(meant)


def _shown(lines: Sequence[FileLine]) -> str:
    return ", ".join(f"{line.name} = {line.shown}" for line in lines[:AT_MOST])


def _reasons(version: ServerVersion, made: Sequence[FileLine]) -> str:
    """Why, as far as the catalogue knows: the range, or what servers make of such a value."""
    reasons = [reason for line in made[:AT_MOST] if (reason := _reason(version, line))]
    return " ".join(dict.fromkeys(reasons))


def _reason(version: ServerVersion, line: FileLine) -> str:
    known = span(version, line.name)
    meant = line.meant or ""
    if line.name == POOL and span(version, AUTO_MIN) is not None and _less(line):
        return f"The server shrinks its pool under memory pressure, down to {AUTO_MIN}."
    if SHEETS[line.name].kind is ValueKind.SWITCH and not knows_switch(line.raw):
        return f"{line.name} knows ON, TRUE and 1, OFF, FALSE and 0, and no other word."
    if known is not None and known.words and meant.upper() not in map(str.upper, known.words):
        return f"{line.name} accepts {', '.join(known.words)}."
    number = (
        float(meant) if SHEETS[line.name].kind in {ValueKind.NUMBER, ValueKind.SIZE} else math.nan
    )
    if known is not None and known.low is not None and number < known.low:
        return f"{line.name} is {known.low:g} at least."
    if known is not None and known.high is not None and number > known.high:
        return f"{line.name} is {known.high:.0f} at most."
    habits = {Habit.CUT, Habit.ROUNDED, Habit.MOVES}
    return " ".join(note.text for note in notes(version, line.name) if note.habit in habits)
