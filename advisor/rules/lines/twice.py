"""Option lines of one name with several values.

## What it checks
Whether a setting stands on several lines of the option files that the server reads, with different
values.

## Why it matters
The last line wins, and nothing says so. People find the first one, change it, restart, and see the
old value. Files that have grown over years hold `innodb_buffer_pool_size` three times.

## How it is judged
- All lines count that the server reads, in its order: files, what they include, groups such as
  [mysqld] and [mariadb]. Values are compared as the server takes them: 512M is 536870912.
- Twice in one file, with different values: recommend to take out the lines that do nothing.
- In different files: watch. A file that is read later may be meant to win over a package's own.
- Twice with one value, or once: fine.

## How to check by hand
`mysqld --print-defaults` (`mariadbd --print-defaults`) shows all of them in the server's order.

## Risk and undo
None: the lines that go do nothing. Put them back to undo it.

## When it is wrong
When the server was started with another set of groups than the one that starts it now.

## References
- MySQL reference manual, "Using Option Files"
- MariaDB documentation, "Configuring MariaDB with Option Files"
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from advisor.facts.known import MYSQL_OPTION_FILES
from advisor.facts.lines import in_file, same_value
from advisor.facts.option_files import FileLine
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rules.lines._removal import AT_MOST, counted, placed, removal
from advisor.steps import Needs
from advisor.variables.sheets import SHEETS


@rule(topic="Option file", needs=(MYSQL_OPTION_FILES,))
def check(facts: Facts) -> Answer:
    """Name the lines that a later one takes the effect from."""
    files = facts.get(MYSQL_OPTION_FILES)
    several = [lines for lines in files.by_name().values() if _differ(lines)]
    inside = [lines for lines in several if len({line.file for line in lines}) == 1]
    formula = f"set to different values: {counted(several, 'name')} of {counted(files.lines)}"
    if inside:
        return _inside(inside, formula)
    if several:
        return _across(several, formula)
    return Judged(
        Verdict.FINE,
        f"No setting that the catalogue knows is set to two values ({counted(files.lines)} looked "
        "at).",
        effect="Each line counts.",
        flips_when="two lines set one name to different values",
        formula=formula,
        because="all lines were compared, in the order in which the server reads them",
        valid="For the files that could be read.",
    )


def _differ(lines: Sequence[FileLine]) -> bool:
    """Whether earlier lines say another thing than the last; only scalar settings are asked."""
    last = lines[-1]
    if last.name not in SHEETS or any(line.value is None for line in lines):
        return False
    return any(not same_value(line.value or "", last.value or "") for line in lines[:-1])


def _inside(several: Sequence[list[FileLine]], formula: str) -> Answer:
    silent = [line for lines in several for line in lines[:-1]]
    return replace(
        Judged(
            Verdict.RECOMMEND,
            f"{_winners(several)}; {placed(silent)} {'does' if len(silent) == 1 else 'do'} "
            "nothing.",
            effect="One line says what counts. Nothing else changes.",
            confidence=Confidence.HIGH,
            risk="None: the last line stays.",
            flips_when="the lines of a name say the same, or one of them goes",
            gain=0.1,
            formula=formula,
            because="the lines were read in the order in which the server reads them",
            valid="For this server.",
            cost_of_error="None: the lines that go do nothing.",
            side_effects="None.",
            verify="mysqld --print-defaults shows each name once.",
        ).by(removal([in_file([line]) for line in silent], Needs.NOTHING)),
        proposed="one line for each name",
    )


def _across(several: Sequence[list[FileLine]], formula: str) -> Answer:
    silent = [line for lines in several for line in lines[:-1]]
    return Judged(
        Verdict.WATCH,
        f"{_winners(several)}, because its file is read later; {placed(silent)} "
        f"{'does' if len(silent) == 1 else 'do'} nothing.",
        effect="Right where a later file is meant to win; else keep one of them.",
        confidence=Confidence.HIGH,
        flips_when="only one file sets the name",
        gain=0.05,
        formula=formula,
        because="the files were read in the order in which the server reads them",
        valid="For this server.",
        cost_of_error="An edit in the file that is read too early.",
    )


def _winners(several: Sequence[list[FileLine]]) -> str:
    last = placed([lines[-1] for lines in several[:AT_MOST]])
    return f"What counts is {last}"
