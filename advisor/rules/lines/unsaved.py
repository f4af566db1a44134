"""Values set while the server runs.

## What it checks
Which values were changed by SET GLOBAL since the server started.

## Why it matters
A tuned server that restarts in the night comes back as it was before the tuning. People then look
for a slow drive.

## How it is judged
- The server tells of each variable where its value comes from. Those set while it runs, to another
  value than the version's default, count.
- None: fine. One or more: watch. On MySQL 8.0 and newer a persisted value looks the same until the
  next restart, so look there before anything is written.

## How to check by hand
MySQL 8.0 and newer: `SELECT * FROM performance_schema.persisted_variables`. MariaDB has no such
table: compare the option files with `SHOW GLOBAL VARIABLES`.

## Risk and undo
Nothing is changed. To keep a value, write it into the option file, or SET PERSIST it.

## When it is wrong
When the value was set for a night and should be forgotten.

## References
- MySQL 8.0 reference manual, "Performance Schema variables_info Table" and "Persisted System
  Variables"
- MariaDB documentation, "Information Schema SYSTEM_VARIABLES Table"
"""

from __future__ import annotations

from advisor.facts.lines import Lines, OptionLine, same_value
from advisor.outcomes import Confidence, Verdict
from advisor.rules.facts import Facts
from advisor.rules.removal import counted, named, opening
from advisor.rules.rule import Answer, Judged, rule
from advisor.variables.catalogue import MYSQL, span
from probes.version import ServerVersion


@rule(topic="Option file", needs=("mysql.version", "mysql.lines"), findings=("B13",))
def check(facts: Facts) -> Answer:
    """Name what a restart may forget."""
    version = facts.get("mysql.version", ServerVersion)
    running = facts.get("mysql.lines", Lines).running
    loose = [line for line in running if not _is_default(line, version)]
    formula = (
        f"{len(loose)} of {counted(running, 'value')} set while it runs "
        f"{'differs' if len(loose) == 1 else 'differ'} from the default"
    )
    if not loose:
        return Judged(
            Verdict.FINE,
            "No value differs from its default only because somebody set it while the server runs.",
            effect="A restart brings the same settings back.",
            flips_when="a value is changed by SET GLOBAL",
            formula=formula,
            because="the server tells where each value comes from",
            valid="Until the next SET GLOBAL.",
        )
    persists = version.at_least(MYSQL, 8, 0)
    return Judged(
        Verdict.WATCH,
        f"{opening(loose, 'value')} {'was' if len(loose) == 1 else 'were'} set while "
        f"the server runs: {named(loose)}.",
        effect="A restart forgets them unless they were persisted: performance_schema."
        "persisted_variables tells. SET PERSIST keeps a value."
        if persists
        else "A restart forgets them unless an option file says the same. Write down what should "
        "stay.",
        confidence=Confidence.MEDIUM if persists else Confidence.HIGH,
        flips_when="the values are persisted, or stand in an option file",
        gain=0.2,
        formula=formula,
        because="the server tells where each value comes from"
        + (", but not whether it was persisted as well" if persists else ""),
        valid="Until the next restart.",
        cost_of_error="A server that is slower after a restart, and nobody knows why.",
    )


def _is_default(line: OptionLine, version: ServerVersion) -> bool:
    known = span(version, line.name)
    return known is not None and known.default is not None and same_value(line.value, known.default)
