"""innodb_doublewrite_dir, the place of doublewrite's copies.

## What it checks
Whether doublewrite's copies lie where a power cut leaves them.

## Why it matters
The copies are there for the start after a power cut. In memory (tmpfs) they are gone just then, and
a torn page can't be repaired: the same as no doublewrite, only that it looks safe. Over a network
each batch of pages waits for a round trip, and a start without the network finds no copies.

## How it is judged
Only where the copies lie elsewhere than the data:
- in memory while the data is not: putting them back to the data is proposed.
- on a network file system while the data is local: watch.
- on another drive: fine. It takes load off the data's drive.

## How to check by hand
`SELECT @@innodb_doublewrite_dir;` and `df -T DIR`

## Risk and undo
Takes a restart after a clean shutdown: the old copies are of no use then.

## When it is wrong
When the directory's drive could not be found out.

## References
- MySQL 8.0 and 8.4 reference manuals, "Doublewrite Buffer"
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.known import DOUBLEWRITE_DIRECTORY, MYSQL_VERSION, STORAGE_DATA, variable
from advisor.outcomes import Apply, Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mysql
from advisor.steps import Needs, RemoveLine
from advisor.variables.standing import Standing
from probes.inventory.storage import NETWORK_FILESYSTEMS

SETTING = "innodb_doublewrite_dir"
IN_MEMORY = {"tmpfs", "ramfs"}


@rule(
    topic="Doublewrite",
    needs=(
        MYSQL_VERSION,
        variable("innodb_doublewrite_dir"),
        variable("innodb_doublewrite"),
        DOUBLEWRITE_DIRECTORY,
        STORAGE_DATA,
    ),
    settings=(SETTING,),
    applies_to=(mysql("8.0.20"),),
    findings=("F50",),
)
def check(facts: Facts) -> Answer:
    """See that copies survive what they are made for."""
    if facts.get(variable("innodb_doublewrite")).text.upper() in {"OFF", "0"}:
        return Inapplicable("Doublewrite is off, so that it keeps no copies.")
    now = facts.get(variable("innodb_doublewrite_dir"))
    copies = facts.get(DOUBLEWRITE_DIRECTORY)
    data = facts.get(STORAGE_DATA)
    kinds = f"{copies.filesystem or 'an unknown file system'}"
    judged = Judged(
        Verdict.FINE,
        f"Doublewrite keeps its copies in {copies.path} ({kinds}), the data lies on "
        f"{data.filesystem or 'an unknown file system'}.",
        SETTING,
        now.now,
        effect="Fine as it is: copies survive what the data survives.",
        confidence=Confidence.HIGH,
        flips_when="the copies lie in memory or on a network, and the data does not",
        formula=f"copies on {kinds}, data on {data.filesystem or 'unknown'}",
        valid="For the directories as they are mounted now.",
        because="The mounts are what the kernel tells.",
        cost_of_error="Torn pages that can't be repaired.",
    )
    if copies.filesystem in IN_MEMORY and data.filesystem not in IN_MEMORY:
        return _in_memory(judged, now)
    if copies.filesystem in NETWORK_FILESYSTEMS and data.filesystem not in NETWORK_FILESYSTEMS:
        return replace(
            judged,
            verdict=Verdict.WATCH,
            effect="Each batch of pages waits for the network, and a start without it finds no "
            "copies. Keep them beside the data.",
            confidence=Confidence.MEDIUM,
            risk="Torn pages that can't be repaired while the network is away.",
            flips_when="the copies lie on a local drive",
            gain=0.4,
        )
    return judged


def _in_memory(judged: Judged, now: Standing) -> Judged:
    line = f"{SETTING} = {now.text}"
    return replace(
        judged,
        verdict=Verdict.RECOMMEND,
        effect="Torn pages can be repaired after a power cut. Now the copies are gone just then.",
        risk="Copies take load of the data's drive. Shut down cleanly before the change.",
        flips_when="the copies lie where they survive a power cut",
        gain=0.9,
        proposed="beside the data",
        needs=Needs.RESTART,
        apply=Apply(cnf=f"# take this line out, then restart:\n# {line}"),
        undo=f"# in the option file, then restart:\n{line}",
        verify=f"SELECT @@GLOBAL.{SETTING};",
        steps=(RemoveLine(SETTING, now.text, now.origin),),
    )
