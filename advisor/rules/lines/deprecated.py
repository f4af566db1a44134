"""Option lines that the version calls deprecated.

## What it checks
Which lines of the option files, and which persisted values, set a variable that works here and
that the server's makers have announced to take away.

## Why it matters
Such a line is a stop sign for a later upgrade: MySQL 9.7 does not start while
`innodb_log_file_size` stands in its option file. Moving to the successor today is a calm change, on
the night of an upgrade it is not.

## How it is judged
- A line's variable is marked as deprecated in the catalogue of this version.
- None: fine. One or more: watch. Nothing is proposed, because the line still does its work: its
  successor's value belongs to the rule on that setting.

## How to check by hand
Look for "deprecated" in the server's error log after a start.

## Risk and undo
Nothing is changed.

## When it is wrong
When no upgrade will ever come: then the line may stay.

## References
- MySQL 8.0 reference manual, "Features Deprecated in MySQL 8.0"
- MariaDB documentation, "InnoDB System Variables"
"""

from __future__ import annotations

from collections.abc import Sequence

from advisor.facts.known import MYSQL_LINES, MYSQL_VERSION
from advisor.facts.lines import OptionLine
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rules.lines._removal import counted, named
from advisor.variables.catalogue import fate
from advisor.variables.entry import Fate

SUCCESSORS = {
    "innodb_log_file_size": "innodb_redo_log_capacity",
    "innodb_log_files_in_group": "innodb_redo_log_capacity",
    "innodb_flush_method": "innodb_data_file_buffering and the three switches beside it",
    "innodb_undo_tablespaces": "CREATE UNDO TABLESPACE",
}
"""What a deprecated variable of MySQL or MariaDB is to be replaced by, where there is something."""


@rule(topic="Option file", needs=(MYSQL_VERSION, MYSQL_LINES), findings=("F70", "F88", "B01"))
def check(facts: Facts) -> Answer:
    """Name what is set and announced to go."""
    version = facts.get(MYSQL_VERSION)
    lines = facts.get(MYSQL_LINES)
    old = [line for line in lines.written if fate(version, line.name) is Fate.DEPRECATED]
    formula = f"deprecated in {version}: {len(old)} of {counted(lines.written)}"
    if not old:
        return Judged(
            Verdict.FINE,
            f"No line sets what {version} calls deprecated ({counted(lines.written)} looked at).",
            effect="Nothing to move.",
            flips_when="one line sets what this version calls deprecated",
            formula=formula,
            because="the catalogue tells it for each variable and version",
            valid=f"For {version}.",
        )
    return Judged(
        Verdict.WATCH,
        f"{version} calls deprecated what is set by {named(old)}.",
        effect=_successors(old),
        confidence=Confidence.HIGH,
        flips_when="the line is replaced by its successor, or no upgrade will come",
        gain=0.15,
        formula=formula,
        because="the catalogue tells it for this version",
        valid=f"For {version}, until the version that takes it away.",
        cost_of_error="A later start that fails.",
    )


def _successors(old: Sequence[OptionLine]) -> str:
    known = {line.name: SUCCESSORS[line.name] for line in old if line.name in SUCCESSORS}
    if not known:
        return "It works for now. Plan to live without them before the next upgrade."
    moves = ", ".join(f"{new} for {old_name}" for old_name, new in known.items())
    return f"It works for now. What comes in their place: {moves}."
