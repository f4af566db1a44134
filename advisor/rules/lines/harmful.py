"""Option lines with emergency or unsafe values.

## What it checks
Whether a line of the option files, or a persisted value, puts the data at risk or keeps the server
in an emergency mode.

## Why it matters
`innodb_force_recovery` is set in a night of trouble and stays for years: from 4 on InnoDB is
read-only, and each step leaves out more of recovery. `nosync` leaves out every sync. Checksums that
are off let a damaged page spread unseen.

## How it is judged
A line is harmful when it sets
- `innodb_force_recovery` above 0,
- `innodb_flush_method` to `nosync` or `littlesync`,
- `innodb_checksum_algorithm` to `none` or `strict_none`, `innodb_checksums` or
  `innodb_log_checksums` off,
- `innodb_fast_shutdown` to 2: every stop is a crash,
- `innodb_read_only` on (watch only: it may be meant).

Everything else is fine here. Doublewrite and the durability of commits have rules of their own.

## How to check by hand
`SHOW GLOBAL VARIABLES LIKE 'innodb_force_recovery'`, and so on for each name above.

## Risk and undo
Where `innodb_force_recovery` is set because InnoDB does not start otherwise, save the data first:
dump all tables, build a new data directory, load them.

## When it is wrong
In a throwaway server for tests, which may well run without syncs and checksums.

## References
- MySQL reference manual, "Forcing InnoDB Recovery"
- MySQL reference manual, "InnoDB Startup Options and System Variables"
"""

from __future__ import annotations

from collections.abc import Sequence

from advisor.facts.known import MYSQL_LINES
from advisor.facts.lines import OptionLine
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rules.lines._removal import counted, opening, removal
from advisor.steps import Needs

DANGERS = {
    "innodb_flush_method": ({"nosync", "littlesync"}, "pages are not synced"),
    "innodb_checksum_algorithm": ({"none", "strict_none"}, "damaged pages are not noticed"),
    "innodb_checksums": ({"off", "0"}, "damaged pages are not noticed"),
    "innodb_log_checksums": ({"off", "0"}, "damaged redo is replayed"),
    "innodb_fast_shutdown": ({"2"}, "every stop is a crash that has to be recovered from"),
    "innodb_read_only": ({"on", "1"}, "nothing can be written"),
}
"""Values that put data at risk, in small letters, and what they do."""

MAY_BE_MEANT = frozenset({"innodb_read_only"})


@rule(topic="Option file", needs=(MYSQL_LINES,), findings=("F16",))
def check(facts: Facts) -> Answer:
    """Name lines that no server in service should have."""
    lines = facts.get(MYSQL_LINES).written
    bad = [line for line in lines if harm(line)]
    harmful = [line for line in bad if line.name not in MAY_BE_MEANT]
    formula = f"emergency or unsafe values: {len(bad)} of {counted(lines)}"
    if harmful:
        return _harmful(harmful, formula)
    if bad:
        return Judged(
            Verdict.WATCH,
            f"{_sentence(bad)}.",
            effect="That is right for a copy that is only read, and for nothing else.",
            confidence=Confidence.HIGH,
            flips_when="the server is meant to be read alone",
            gain=0.2,
            formula=formula,
            because="the value does what it says",
            valid="For every version.",
            cost_of_error="A server that takes no writes.",
        )
    return Judged(
        Verdict.FINE,
        f"No line sets an emergency or unsafe value ({counted(lines)} looked at).",
        effect="Nothing to take out.",
        flips_when="innodb_force_recovery rises above 0, or syncs or checksums are switched off",
        formula=formula,
        because="the values were looked at one by one",
        valid="For the values that the rule names.",
    )


def _harmful(harmful: Sequence[OptionLine], formula: str) -> Answer:
    forced = any(line.name == "innodb_force_recovery" for line in harmful)
    return Judged(
        Verdict.RECOMMEND,
        f"{_sentence(harmful)}.",
        effect="InnoDB recovers, syncs and checks its pages again as it should.",
        confidence=Confidence.HIGH,
        risk="InnoDB may not start without innodb_force_recovery: dump all tables first."
        if forced
        else "Writes get as slow as the drive's syncs really are.",
        flips_when="the server is a throwaway one",
        gain=0.9,
        formula=formula,
        because="the manual says what each value leaves out",
        valid="For every version.",
        cost_of_error="Lost or damaged data.",
        side_effects="Needs a restart.",
    ).by(removal(harmful, Needs.RESTART))


def harm(line: OptionLine) -> str:
    """Say what a line does to the data, "" when it is no danger."""
    if line.name == "innodb_force_recovery":
        return "" if line.value in {"", "0"} else "InnoDB leaves out steps of recovery"
    values, words = DANGERS.get(line.name, (set(), ""))
    return words if line.value.lower() in values else ""


def _sentence(lines: Sequence[OptionLine]) -> str:
    reasons = "; ".join(f"with {line} {harm(line)}" for line in lines)
    return f"{opening(lines)} {'is' if len(lines) == 1 else 'are'} unsafe: {reasons}"
