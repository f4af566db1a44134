"""Option lines at the version's default.

## What it checks
Which lines of the option files, and which persisted values, set a value that is this version's
default.

## Why it matters
A line like that does nothing today and two things tomorrow: it hides the few lines that matter, and
it keeps an old default alive when the next version has a better one. `innodb_io_capacity = 200` is
the default up to MySQL 8.3; in 8.4 the same line undoes a default of 10,000.

## How it is judged
- A line counts when its value is the version's default. Where the default depends on the machine or
  on other settings, nothing is said.
- Lines about durability are left alone: to state them is a promise, whatever the default is. So
  are lines that the server passes over, which another rule names.
- Default now and in the next series: recommend to delete. Default now and another one in the next
  series: watch, and decide with the upgrade. None: fine.

## How to check by hand
Comment the line out, restart, and look whether `SHOW GLOBAL VARIABLES` shows anything else.

## Risk and undo
None today. Put the line back to undo it.

## When it is wrong
Where a policy wants every value to be written down, or where one file serves several versions with
different defaults.

## References
- MySQL 8.4 reference manual, "What Is New in MySQL 8.4", changed InnoDB defaults
- MariaDB documentation, "InnoDB System Variables"
"""

from __future__ import annotations

from collections.abc import Sequence

from advisor.facts.known import MYSQL_LINES, MYSQL_VERSION
from advisor.facts.lines import OptionLine, same_value
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rules.lines._removal import counted, named, opening, removal
from advisor.steps import Needs
from advisor.upgrade.releases import later_series, series_name
from advisor.variables.catalogue import fate, span
from advisor.variables.entry import Fate
from probes.version import ServerVersion

PROMISES = frozenset(
    {
        "innodb_flush_log_at_trx_commit",
        "innodb_doublewrite",
        "innodb_checksum_algorithm",
        "innodb_log_checksums",
        "sync_binlog",
        "log_bin",
        "binlog_format",
    }
)
"""Lines that people are right to state even where they are the default."""


@rule(topic="Option file", needs=(MYSQL_VERSION, MYSQL_LINES), findings=("F81",))
def check(facts: Facts) -> Answer:
    """Name what is set to its default."""
    version = facts.get(MYSQL_VERSION)
    lines = facts.get(MYSQL_LINES).written
    usual = [line for line in lines if not _is_exempt(line, version) and _is_default(line, version)]
    upcoming = next(iter(later_series(version)), None)
    pinned = [line for line in usual if upcoming is not None and _moves(line, upcoming)]
    idle = [line for line in usual if line not in pinned]
    formula = f"at the default of {version}: {len(usual)} of {counted(lines)}"
    if idle:
        return _idle(version, idle, formula)
    if pinned and upcoming is not None:
        return _pinned(upcoming, pinned, formula)
    return Judged(
        Verdict.FINE,
        f"No line repeats a default of {version} that is known ({counted(lines)} looked at).",
        effect="Each line says something.",
        flips_when="a line is set to the version's default",
        formula=formula,
        because="each value was compared with the catalogue's default",
        valid=f"For {version}.",
    )


def _idle(version: ServerVersion, idle: Sequence[OptionLine], formula: str) -> Answer:
    return Judged(
        Verdict.RECOMMEND,
        f"{opening(idle)} {'says' if len(idle) == 1 else 'say'} what {version} does "
        f"by itself: {named(idle)}.",
        effect="The option file shows only what differs. Nothing else changes.",
        confidence=Confidence.HIGH,
        risk="None on this version, as long as no other option file sets the same name: that line "
        "would count again.",
        flips_when="the file also serves a version with another default",
        gain=0.05,
        formula=formula,
        because="each value was compared with the catalogue's default",
        valid=f"For {version} and the series after it.",
        cost_of_error="None: the value stays.",
        side_effects="None.",
    ).by(removal(idle, Needs.NOTHING))


def _pinned(upcoming: ServerVersion, pinned: Sequence[OptionLine], formula: str) -> Answer:
    moves = ", ".join(f"{line.name} to {_default(line.name, upcoming)}" for line in pinned)
    return Judged(
        Verdict.WATCH,
        f"With {named(pinned)} the file repeats {'a default' if len(pinned) == 1 else 'defaults'}; "
        f"{series_name(upcoming)} moves {moves}.",
        effect="The line would keep the old value through the upgrade. Decide then: keep it on "
        "purpose, or take it out.",
        confidence=Confidence.HIGH,
        flips_when=f"no upgrade to {series_name(upcoming)} is planned",
        gain=0.08,
        formula=formula,
        because="each value was compared with both versions' defaults",
        valid=f"For an upgrade to {series_name(upcoming)}.",
        cost_of_error="An upgrade that brings less than it could.",
    )


def _default(name: str, version: ServerVersion) -> str | None:
    """What every server of the version has; None where the machine or other settings decide."""
    known = span(version, name)
    return None if known is None or known.formula else known.default


def _is_exempt(line: OptionLine, version: ServerVersion) -> bool:
    """Whether it is right to state it, or another rule's because the server passes it over."""
    return line.name in PROMISES or fate(version, line.name) is Fate.IGNORED


def _is_default(line: OptionLine, version: ServerVersion) -> bool:
    default = _default(line.name, version)
    return default is not None and same_value(line.value, default)


def _moves(line: OptionLine, upcoming: ServerVersion) -> bool:
    default = _default(line.name, upcoming)
    return default is not None and not same_value(line.value, default)
