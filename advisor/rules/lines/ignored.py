"""Option lines without effect in this version.

## What it checks
Which lines of the option files, and which persisted values, set something that this version accepts
and ignores.

## Why it matters
Such a line misleads whoever reads the file: it suggests eight buffer pool instances where there is
one. Once the variable is removed, some servers refuse to start because of it.

## How it is judged
- A line is ignored when the catalogue of this version says so: it was measured on a real server, or
  is documented in the manual.
- None: fine. One or more: removal is proposed. Nothing changes, neither now nor at a restart.
- None, but the files alone tell, and one was not read to its end: not judged.

## How to check by hand
Change the value, restart, and compare what the server does; or look the variable up in the manual
of this version, not of a newer one.

## Risk and undo
None: the server does the same with and without the line. Put it back to undo it.

## When it is wrong
When one option file serves servers of several versions: an older one may still use the line.
Names that the server no longer has at all belong to another rule.

## References
- MariaDB documentation, "InnoDB System Variables"
- MySQL reference manuals, "Server Option, System Variable, and Status Variable Reference"
"""

from __future__ import annotations

from advisor.facts.server.lines import MYSQL_LINES
from advisor.facts.server.option_files import OptionLine
from advisor.facts.server.variables import MYSQL_VERSION
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Facts, Knowledge, Stakes, rule
from advisor.rules.lines._by_hand import cut_short
from advisor.rules.lines._removal import checked, named, removal, them
from advisor.steps import Needs
from advisor.variables.catalogue import fate
from advisor.variables.entry import Fate
from probes.figures import counted
from probes.version import ServerVersion


@rule(
    topic="Option file",
    needs=(MYSQL_VERSION, MYSQL_LINES),
    findings=("F77",),
    stakes=Stakes.HOUSEKEEPING,
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Name what is set and has no effect."""
    version, stated = facts.version, facts.get(MYSQL_LINES)
    lines = stated.written
    idle = [line for line in lines if _is_ignored(line, version)]
    card = facts.card(
        f"No line is known to be ignored by {version} ({checked(lines)}).",
        formula=f"ignored by {version}: {len(idle)} of {counted(len(lines), 'line')}",
        flips_when="a line sets what this version ignores",
    )
    if not idle:
        return cut_short(stated) or card.fine()
    return card.recommend(
        removal(idle, Needs.NOTHING),
        saw=f"{version} accepts {named(idle)} and ignores {them(idle)}.",
        effect="The file shows what the server uses. Nothing else changes.",
        confidence=Confidence.HIGH,
        risk="None on this version; an older server that reads the same file may use the line.",
        flips_when="the file also serves an older version that uses it",
        cost_of_error="None here.",
    )


def _is_ignored(line: OptionLine, version: ServerVersion) -> bool:
    """Whether the version does nothing with it; of another build's options nobody knows."""
    return fate(version, line.name) is Fate.IGNORED and not line.other_build
