"""Option lines that are deprecated in this version.

## What it checks
Which lines of the option files, and which persisted values, set a variable that works here and
whose removal is announced.

## Why it matters
Such a line blocks a later upgrade: MySQL 9.7 does not start while `innodb_log_file_size` is in its
option file. Moving to the successor is easier today than during an upgrade.

## How it is judged
- A line's variable is marked as deprecated in the catalogue of this version.
- None: fine. One or more: watch. Nothing is proposed, because the line still has an effect: its
  successor's value belongs to the rule on that setting.
- None, but the files alone tell, and one was not read to its end: not judged.

## How to check by hand
Look for "deprecated" in the server's error log after a start.

## Risk and undo
Nothing is changed.

## When it is wrong
When no upgrade is planned: then the line may stay.

## References
- MySQL 8.0 reference manual, "Features Deprecated in MySQL 8.0"
- MariaDB documentation, "InnoDB System Variables"
"""

from __future__ import annotations

from collections.abc import Sequence

from advisor.facts.server.lines import MYSQL_LINES
from advisor.facts.server.option_files import OptionLine
from advisor.facts.server.variables import MYSQL_VERSION
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Facts, Knowledge, Stakes, rule
from advisor.rules.lines._by_hand import cut_short
from advisor.rules.lines._removal import checked, named
from advisor.variables.catalogue import fate
from advisor.variables.entry import Fate
from probes.figures import counted

SUCCESSORS = {
    "innodb_log_file_size": "innodb_redo_log_capacity",
    "innodb_log_files_in_group": "innodb_redo_log_capacity",
    "innodb_flush_method": "innodb_data_file_buffering and the three switches beside it",
    "innodb_undo_tablespaces": "CREATE UNDO TABLESPACE",
}
"""What a deprecated variable of MySQL or MariaDB is to be replaced by, where there is something."""


@rule(
    topic="Option file",
    do="Replace the deprecated lines before the next version",
    needs=(MYSQL_VERSION, MYSQL_LINES),
    findings=("F70", "F88", "B01"),
    stakes=Stakes.HOUSEKEEPING,
    symptom_of=("lines.next-version",),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Name what is set and announced to go."""
    version, stated = facts.version, facts.get(MYSQL_LINES)
    lines = stated.written
    old = [line for line in lines if fate(version, line.name) is Fate.DEPRECATED]
    card = facts.card(
        f"No line sets a variable that is deprecated in {version} ({checked(lines)}).",
        formula=f"deprecated in {version}: {len(old)} of {counted(len(lines), 'line')}",
        flips_when="a line sets a variable that this version deprecates",
    )
    if not old:
        return cut_short(stated) or card.fine()
    return card.watch(
        _successors(old),
        saw=f"Deprecated in {version}: {named(old)}.",
        confidence=Confidence.HIGH,
        flips_when="the line is replaced by its successor, or no upgrade is planned",
        valid=f"For {version}, until the version that removes it.",
        cost_of_error="A later start that fails.",
    )


def _successors(old: Sequence[OptionLine]) -> str:
    known = {line.name: SUCCESSORS[line.name] for line in old if line.name in SUCCESSORS}
    if not known:
        return "It works for now. Plan to remove it before the next upgrade."
    moves = ", ".join(f"{new} for {old_name}" for old_name, new in known.items())
    return f"It works for now. The successors: {moves}."
