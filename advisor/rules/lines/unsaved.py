"""Values set while the server runs.

## What it checks
Which values were changed by SET GLOBAL since the server started.

## Why it matters
A tuned server that restarts in the night comes back as it was before the tuning. People then look
for a slow drive.

## How it is judged
- The server tells of each variable where its value comes from. Those set while it runs, to another
  value than the version's default, count.
- A value that an option file says as well is kept by it, and does not count.
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

from collections.abc import Mapping, Sequence

from advisor.facts.known import MYSQL_LINES, MYSQL_OPTION_FILES, MYSQL_VERSION
from advisor.facts.lines import OptionLine, same_value
from advisor.facts.option_files import FileLine
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rules.lines._removal import counted, named, opening, placed
from advisor.variables.catalogue import MYSQL, span
from probes.version import ServerVersion


@rule(
    topic="Option file",
    needs=(MYSQL_VERSION, MYSQL_LINES),
    uses=(MYSQL_OPTION_FILES,),
    findings=("B13",),
)
def check(facts: Facts) -> Answer:
    """Name what a restart may forget."""
    version = facts.get(MYSQL_VERSION)
    lines = facts.get(MYSQL_LINES)
    if not lines.told:
        return Unjudged(f"{version} does not tell what was set while it runs.")
    running = lines.running
    files = facts.find(MYSQL_OPTION_FILES) if running else None
    written = {} if files is None else files.by_name()
    loose = [
        line
        for line in running
        if not _is_default(line, version) and not _is_kept(line, written.get(line.name, []))
    ]
    formula = (
        f"{len(loose)} of {counted(running, 'value')} set while it runs "
        f"{'differs' if len(loose) == 1 else 'differ'} from the default and from the option files"
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
        f"the server runs: {named(loose)}.{_other(loose, written)}",
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


def _is_kept(line: OptionLine, written: Sequence[FileLine]) -> bool:
    """Whether the file's last word on it is the same."""
    said = written[-1].value if written else None
    return said is not None and same_value(said, line.value)


def _other(loose: Sequence[OptionLine], written: Mapping[str, Sequence[FileLine]]) -> str:
    """What the files say of the same names: a restart goes back to it."""
    said = [written[line.name][-1] for line in loose if line.name in written]
    if not said:
        return ""
    return f" A restart goes back to {placed(said)}."


def _is_default(line: OptionLine, version: ServerVersion) -> bool:
    known = span(version, line.name)
    return known is not None and known.default is not None and same_value(line.value, known.default)
