"""Option lines of one name with several values.

## What it checks
Whether several lines of the option files set the same name to different values.

## Why it matters
The last line wins, without a message. People find the first one, change it, restart, and see the
old value.

## How it is judged
- All lines count that the server reads, in its order: files, what they include, groups such as
  [mysqld] and [mariadb]. Values are compared as the server reads them: 512M is 536870912.
- Twice in one file, with different values: removal of the lines without effect is proposed.
- In different files: watch. A file that is read later may be intended to override a package's own.
- A value beside one that ends the start: watch. Which of the two was meant is not known.
- Twice with one value, or once: fine, unless a file was not read to its end, or a line of it ends
  the start.

## How to check by hand
`mysqld --print-defaults` (`mariadbd --print-defaults`) shows all of them in the server's order.

## Risk and undo
None: the removed lines have no effect. Put them back to undo it.

## When it is wrong
When the server was started with another set of groups than the one that starts it now.

## References
- MySQL reference manual, "Using Option Files"
- MariaDB documentation, "Configuring MariaDB with Option Files"
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from advisor.facts.server.lines import in_file, same_value
from advisor.facts.server.option_files import MYSQL_OPTION_FILES, FileLine
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Facts, Knowledge, Stakes, rule
from advisor.rules.lines._by_hand import unfinished
from advisor.rules.lines._removal import AT_MOST, checked, placed, removal
from advisor.steps import Needs
from advisor.variables.sheets import SHEETS
from probes import figures
from probes.figures import counted


@rule(
    topic="Option file",
    do="Keep one line of each name",
    needs=(MYSQL_OPTION_FILES,),
    stakes=Stakes.HOUSEKEEPING,
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Name the lines that a later one overrides."""
    files = facts.get(MYSQL_OPTION_FILES)
    several = [lines for lines in files.by_name().values() if _differ(lines)]
    inside = [lines for lines in several if len({line.origin for line in lines}) == 1]
    card = facts.card(
        f"No known setting is set to two values ({checked(files.lines)}).",
        formula=f"set to different values: {counted(len(several), 'name')} of "
        f"{counted(len(files.lines), 'line')}",
        flips_when="two lines set one name to different values",
    )
    broken = [lines for lines in files.by_name().values() if _is_broken(lines)]
    if broken:
        names = figures.listed([lines[-1].name for lines in broken])
        every = placed([line for lines in broken for line in lines])
        return card.watch(
            "Keep the line that was meant.",
            saw=f"Several lines set {names}: {every}. The start ends at one of them.",
            formula=f"beside a value that ends the start: {counted(len(broken), 'name')} of "
            f"{counted(len(files.lines), 'line')}",
            confidence=Confidence.HIGH,
            flips_when="one line sets the name",
            cost_of_error="A line that is corrected, and overridden by another one.",
        )
    if not several:
        return unfinished(files) or card.fine()
    shown = inside or several
    silent = [line for lines in shown for line in lines[:-1]]
    last = placed([lines[-1] for lines in shown[:AT_MOST]])
    no_effect = f"{placed(silent)} {'has' if len(silent) == 1 else 'have'} no effect"
    card = card.but(confidence=Confidence.HIGH)
    if not inside:
        return card.watch(
            "Right where a later file is intended to override; else keep one of them.",
            saw=f"The server uses {last}, because its file is read later; {no_effect}.",
            flips_when="only one file sets the name",
            cost_of_error="An edit in the file that is read too early.",
        )
    judged = card.recommend(
        removal([in_file([line]) for line in silent], Needs.NOTHING),
        saw=f"The server uses {last}; {no_effect}.",
        effect="One line sets the value. Nothing else changes.",
        risk="None: the last line stays.",
        flips_when="the lines of a name have the same value, or one of them is removed",
        cost_of_error="None: the removed lines have no effect.",
        verify="mysqld --print-defaults shows each name once.",
    )
    return replace(judged, proposed="one line for each name")


def _is_broken(lines: Sequence[FileLine]) -> bool:
    """Whether the start ends at one of several lines."""
    return len(lines) > 1 and any(line.ends for line in lines)


def _differ(lines: Sequence[FileLine]) -> bool:
    """Whether earlier lines say another thing than the last; only scalar settings are asked."""
    last = lines[-1]
    if last.name not in SHEETS or any(line.meant is None for line in lines):
        return False
    return any(not same_value(line.meant or "", last.meant or "") for line in lines[:-1])
