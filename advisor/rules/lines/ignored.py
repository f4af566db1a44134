"""Option lines without effect in this version.

## What it checks
Which lines of the option files, and which persisted values, set something that this version takes
and then does nothing with.

## Why it matters
Such a line misleads whoever reads the file: it promises eight buffer pool instances where there is
one. Once the variable is gone, some servers refuse to start because of it.

## How it is judged
- A line is passed over when the catalogue of this version says so: it was measured on a real
  server, or read in the manual.
- None: fine. One or more: take them out. Nothing changes, neither now nor at a restart.

## How to check by hand
Change the value, restart, and compare what the server does; or look the variable up in the manual
of this very version, not of a newer one.

## Risk and undo
None: the server does the same with and without the line. Put it back to undo it.

## When it is wrong
When one option file serves servers of several versions: an older one may still heed the line.
Names that the server no longer has at all belong to another rule.

## References
- MariaDB documentation, "InnoDB System Variables"
- MySQL reference manuals, "Server Option, System Variable, and Status Variable Reference"
"""

from __future__ import annotations

from advisor.facts.known import MYSQL_LINES, MYSQL_VERSION
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rules.lines._removal import counted, named, removal
from advisor.steps import Needs
from advisor.variables.catalogue import fate
from advisor.variables.entry import Fate


@rule(topic="Option file", needs=(MYSQL_VERSION, MYSQL_LINES), findings=("F77",))
def check(facts: Facts) -> Answer:
    """Name what is set and does nothing."""
    version = facts.get(MYSQL_VERSION)
    lines = facts.get(MYSQL_LINES)
    idle = [line for line in lines.written if fate(version, line.name) is Fate.IGNORED]
    formula = f"passed over by {version}: {len(idle)} of {counted(lines.written)}"
    if not idle:
        return Judged(
            Verdict.FINE,
            f"{version} passes over no line that is known ({counted(lines.written)} looked at).",
            effect="Nothing to take out.",
            flips_when="one line sets what this version passes over",
            formula=formula,
            because="the catalogue tells it for each variable and version",
            valid=f"For {version}.",
        )
    return Judged(
        Verdict.RECOMMEND,
        f"{version} takes {named(idle)} and does nothing with "
        f"{'it' if len(idle) == 1 else 'them'}.",
        effect="The file says what the server does. Nothing else changes.",
        confidence=Confidence.HIGH,
        risk="None on this version; an older server that reads the same file may heed the line.",
        flips_when="the file also serves an older version that heeds it",
        gain=0.1,
        formula=formula,
        because="the catalogue tells it for this version",
        valid=f"For {version}.",
        cost_of_error="None here.",
        side_effects="None.",
    ).by(removal(idle, Needs.NOTHING))
