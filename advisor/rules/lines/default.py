"""Option lines at the version's default.

## What it checks
Which lines of the option files, and which persisted values, set a value that is this version's
default.

## Why it matters
Such a line has no effect today. It hides the few lines that matter, and it keeps an old default
when the next version has a better one. `innodb_io_capacity = 200` is the default up to MySQL 8.3;
in 8.4 the same line undoes a default of 10,000.

## How it is judged
- A line counts when its value is the version's default. Defaults that depend on the machine or on
  other settings are left out.
- So are lines without which another line would decide: on MySQL pool, redo log and, before 8.4,
  flush method beside `innodb_dedicated_server`, `binlog_expire_logs_seconds` beside
  `expire_logs_days`, `innodb_redo_log_capacity` beside the old redo lines; on MariaDB
  `query_cache_type` beside `query_cache_size`. And lines that decide another setting even at their
  default: the old redo lines from 8.0.30 on, MariaDB's `query_cache_size`.
- Lines about durability are left alone: they are worth stating, whatever the default is. So are
  lines that the server ignores, which another rule names.
- Default now and in the next series: removal is proposed, and stands in a plan only where it is
  asked for: the server is the same before and after it. Default now and another one in the next
  series: watch, and decide with the upgrade. None: fine, unless the files alone tell, and one was
  not read to its end.

## How to check by hand
Comment the line out, restart, and compare `SHOW GLOBAL VARIABLES`.

## Risk and undo
None today. Put the line back to undo it.

## When it is wrong
Where a policy requires every value to be stated, or where one file serves several versions with
different defaults.

## References
- MySQL 8.4 reference manual, "What Is New in MySQL 8.4", changed InnoDB defaults
- MySQL 8.0 reference manual, "Enabling Automatic Configuration for a Dedicated MySQL Server",
  "Binary Logging Options and Variables"
- MariaDB documentation, "InnoDB System Variables", "Query Cache"
- Behaviour of MySQL 8.0.33 and 9.7.4 and of MariaDB 10.11.19 at their starts
"""

from __future__ import annotations

from advisor.facts.server.lines import MYSQL_LINES, Lines, same_value
from advisor.facts.server.option_files import OptionLine
from advisor.facts.server.variables import MYSQL_VERSION
from advisor.outcomes import Confidence
from advisor.plan.chosen_at_start import decided_by, decides_at_default
from advisor.plan.durability import DURABILITY
from advisor.rulekit import Answer, Facts, Knowledge, Stakes, rule
from advisor.rules.lines._by_hand import cut_short
from advisor.rules.lines._removal import checked, named, opening, removal
from advisor.steps import Needs
from advisor.upgrade.releases import later_series, series_name
from advisor.variables.catalogue import fate, span
from advisor.variables.entry import Fate
from probes.figures import counted
from probes.version import ServerVersion

PROMISES = DURABILITY.keys() | {"log_bin", "binlog_format"}
"""Lines that people are right to state even where they are the default."""


@rule(
    topic="Option file",
    do="Decide whether the line stays before the upgrade",
    needs=(MYSQL_VERSION, MYSQL_LINES),
    findings=("F81",),
    stakes=Stakes.HOUSEKEEPING,
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Name what is set to its default."""
    version, stated = facts.version, facts.get(MYSQL_LINES)
    lines = stated.written
    usual = [
        line
        for line in lines
        if _is_default(line, version)
        and not _is_exempt(line, version)
        and not _decides(line, stated, version)
    ]
    upcoming = next(iter(later_series(version)), None)
    pinned = [line for line in usual if upcoming is not None and _moves(line, upcoming)]
    idle = [line for line in usual if line not in pinned]
    card = facts.card(
        f"No line repeats a known default of {version} ({checked(lines)}).",
        formula=f"at the default of {version}: {len(usual)} of {counted(len(lines), 'line')}",
        flips_when="a line is set to the version's default",
    )
    if idle:
        one = len(idle) == 1
        return card.recommend(
            removal(idle, Needs.NOTHING),
            saw=f"{opening(idle)} {'repeats a default' if one else 'repeat defaults'} of "
            f"{version}: {named(idle)}.",
            effect="The option file shows only what differs. Nothing else changes.",
            stakes=Stakes.TIDINESS,
            confidence=Confidence.HIGH,
            risk="None on this version, if no other option file sets the same name: that line "
            "would apply again.",
            flips_when="the file also serves a version with another default",
            valid=f"For {version} and the series after it.",
            cost_of_error="None: the value stays.",
        )
    if not pinned or upcoming is None:
        return cut_short(stated) or card.fine()
    series = series_name(upcoming)
    moves = ", ".join(f"{line.name} to {_default(line.name, upcoming)}" for line in pinned)
    return card.watch(
        "The line would keep the old value through the upgrade. Decide then: keep it on purpose, "
        "or remove it.",
        saw=f"With {named(pinned)} the file repeats "
        f"{'a default' if len(pinned) == 1 else 'defaults'}; {series} moves {moves}.",
        confidence=Confidence.HIGH,
        flips_when=f"no upgrade to {series} is planned",
        cost_of_error="An upgrade that does not bring its better default.",
    )


def _default(name: str, version: ServerVersion) -> str | None:
    """What every server of the version has; None where the machine or other settings decide."""
    known = span(version, name)
    return None if known is None or known.formula else known.default


def _is_exempt(line: OptionLine, version: ServerVersion) -> bool:
    """Whether it is right to state it, or another rule's because the server ignores it."""
    return line.name in PROMISES or fate(version, line.name) is Fate.IGNORED


def _decides(line: OptionLine, stated: Lines, version: ServerVersion) -> bool:
    """Whether a start without it makes another value of this setting, or of a second one."""
    beside = {each.name: each.value for each in (*stated.written, *stated.started)}
    decided = decided_by(version, line.name, beside)
    return bool(decided) or decides_at_default(version, line.name)


def _is_default(line: OptionLine, version: ServerVersion) -> bool:
    default = _default(line.name, version)
    return default is not None and same_value(line.value, default)


def _moves(line: OptionLine, upcoming: ServerVersion) -> bool:
    default = _default(line.name, upcoming)
    return default is not None and not same_value(line.value, default)
