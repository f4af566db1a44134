"""Option lines with emergency or unsafe values.

## What it checks
Whether a line of the option files, or a persisted value, puts the data at risk or keeps the server
in an emergency mode.

## Why it matters
`innodb_force_recovery` is set in an emergency and then forgotten: from 4 on InnoDB is read-only,
and each level leaves out more of recovery. `nosync` leaves out every sync. Without checksums a
damaged page spreads undetected.

## How it is judged
A line is harmful when it sets
- `innodb_force_recovery` above 0,
- `innodb_flush_method` to `nosync` or `littlesync`,
- `innodb_checksum_algorithm` to `none` or `strict_none`, `innodb_checksums` or
  `innodb_log_checksums` off,
- `innodb_fast_shutdown` to 2: every shutdown is a crash,
- `innodb_read_only` on (watch only: it may be intended).

Everything else is fine here, unless the files alone tell, and one was not read to its end.
Doublewrite and the durability of commits have rules of their own.

## How to check by hand
`SHOW GLOBAL VARIABLES LIKE 'innodb_force_recovery'`, and so on for each name above.

## Risk and undo
Where `innodb_force_recovery` is set because InnoDB does not start otherwise, save the data first:
dump all tables, build a new data directory, load them.

## When it is wrong
On a throwaway server for tests, which may run without syncs and checksums.

## References
- MySQL reference manual, "Forcing InnoDB Recovery"
- MySQL reference manual, "InnoDB Startup Options and System Variables"
"""

from __future__ import annotations

from collections.abc import Sequence

from advisor.facts.server.lines import MYSQL_LINES
from advisor.facts.server.option_files import OptionLine
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Facts, Knowledge, Stakes, rule
from advisor.rules.lines._by_hand import cut_short
from advisor.rules.lines._removal import checked, opening, removal
from advisor.steps import Needs
from probes.figures import counted

DANGERS = {
    "innodb_flush_method": ({"nosync", "littlesync"}, "pages are not synced"),
    "innodb_checksum_algorithm": ({"none", "strict_none"}, "damaged pages are not detected"),
    "innodb_checksums": ({"off", "0"}, "damaged pages are not detected"),
    "innodb_log_checksums": ({"off", "0"}, "damaged redo is applied"),
    "innodb_fast_shutdown": ({"2"}, "every shutdown is a crash that needs recovery"),
    "innodb_read_only": ({"on", "1"}, "nothing can be written"),
}
"""Values that put data at risk, in small letters, and what they do."""

MAY_BE_MEANT = frozenset({"innodb_read_only"})


@rule(
    topic="Option file",
    do="Check that the line is meant",
    needs=(MYSQL_LINES,),
    findings=("F16",),
    stakes=Stakes.DATA,
    knowledge=Knowledge.DOCUMENTED,
    guards_data=True,
)
def check(facts: Facts) -> Answer:
    """Name lines that no server in service should have."""
    stated = facts.get(MYSQL_LINES)
    lines = stated.written
    bad = [line for line in lines if harm(line)]
    harmful = [line for line in bad if line.name not in MAY_BE_MEANT]
    forced = any(line.name == "innodb_force_recovery" for line in harmful)
    card = facts.card(
        f"No line sets an emergency or unsafe value ({checked(lines)}).",
        formula=f"emergency or unsafe values: {len(bad)} of {counted(len(lines), 'line')}",
        flips_when="innodb_force_recovery rises above 0, or syncs or checksums are switched off",
    )
    if not bad:
        return cut_short(stated) or card.fine()
    card = card.but(saw=_sentence(harmful or bad), confidence=Confidence.HIGH)
    if not harmful:
        return card.watch(
            "It suits only a copy for reads.",
            flips_when="the server is intended for reads only",
            cost_of_error="A server that accepts no writes.",
        )
    return card.recommend(
        removal(harmful, Needs.RESTART),
        effect="InnoDB recovers, syncs and verifies its pages again.",
        because="The manual documents what each value leaves out.",
        risk="InnoDB may not start without innodb_force_recovery: dump all tables first."
        if forced
        else "Writes become as slow as the drive's syncs really are.",
        flips_when="the server is a throwaway one",
        cost_of_error="Lost or damaged data.",
        side_effects="Needs a restart.",
    )


def harm(line: OptionLine) -> str:
    """Say what a line does to the data, "" when it is no danger."""
    if line.name == "innodb_force_recovery":
        return "" if line.value in {"", "0"} else "InnoDB leaves out steps of recovery"
    values, words = DANGERS.get(line.name, (set(), ""))
    return words if line.value.lower() in values else ""


def _sentence(lines: Sequence[OptionLine]) -> str:
    reasons = "; ".join(f"with {line} {harm(line)}" for line in lines)
    return f"{opening(lines)} {'is' if len(lines) == 1 else 'are'} unsafe: {reasons}."
