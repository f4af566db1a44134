"""innodb_doublewrite_dir, the place of doublewrite's copies.

## What it checks
Whether doublewrite's copies lie where they survive a power cut.

## Why it matters
The copies are needed at the start after a power cut. In memory (tmpfs) they are lost just then, and
a torn page can't be repaired: the same as no doublewrite, although it looks safe. Over a network
each batch of pages waits for a round trip, and a start without the network finds no copies.

## How it is judged
Only where the copies lie elsewhere than the data:
- in memory while the data is not: moving them back to the data is proposed.
- on a network file system while the data is local: watch.
- on another drive: fine. It takes load off the data's drive.

## How to check by hand
`SELECT @@innodb_doublewrite_dir;` and `df -T DIR`

## Risk and undo
Takes a restart after a clean shutdown: the old copies are not needed then.

## When it is wrong
When the directory's drive is not known.

## References
- MySQL 8.0 and 8.4 reference manuals, "Doublewrite Buffer"
"""

from __future__ import annotations

from advisor.facts.server.storage import STORAGE_DATA
from advisor.facts.watched.redo import DOUBLEWRITE_DIRECTORY
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Change, Facts, Inapplicable, Is, Stakes, mysql, rule
from advisor.rules.doublewrite._switched_off import DOUBLEWRITE, switched_off
from advisor.steps import Needs, RemoveLine
from advisor.variables.standing import Standing
from probes.inventory.machine.storage import NETWORK_FILESYSTEMS

IN_MEMORY = {"tmpfs", "ramfs"}


@rule(
    topic="Doublewrite",
    do="Keep doublewrite's copies beside the data",
    setting="innodb_doublewrite_dir",
    needs=(DOUBLEWRITE, DOUBLEWRITE_DIRECTORY, STORAGE_DATA),
    applies_to=(mysql("8.0.20"),),
    findings=("F50",),
    stakes=Stakes.DATA,
    guards_data=True,
)
def check(facts: Facts) -> Answer:
    """See that copies survive what they are made for."""
    if switched_off(facts):
        return Inapplicable("Doublewrite is off, so it keeps no copies.")
    copies, data = facts.get(DOUBLEWRITE_DIRECTORY), facts.get(STORAGE_DATA)
    volatile = Is(
        copies.filesystem in IN_MEMORY and data.filesystem not in IN_MEMORY,
        "the copies lie in memory, and the data does not",
        "the copies lie where they survive a power cut",
    )
    remote = Is(
        copies.filesystem in NETWORK_FILESYSTEMS and data.filesystem not in NETWORK_FILESYSTEMS,
        "the copies lie on a network, and the data does not",
        "the copies lie on a local drive",
    )
    kind = copies.filesystem or "an unknown file system"
    card = facts.card(
        f"Doublewrite keeps its copies in {copies.path} ({kind}); the data lies on "
        f"{data.filesystem or 'an unknown file system'}.",
        volatile | remote,
        confidence=Confidence.HIGH,
        valid="For the directories as they are mounted now.",
    )
    if volatile:
        return card.recommend(
            _beside_the_data(facts.now),
            effect="Torn pages can be repaired after a power cut, which now loses the copies.",
            risk="Copies add load to the data's drive. Shut down cleanly before the change.",
        )
    if remote:
        return card.watch(
            "Each batch of pages waits for the network, and a start without it finds no copies. "
            "Keep them beside the data.",
            confidence=Confidence.MEDIUM,
            risk="Torn pages that can't be repaired while the network is down.",
        )
    return card.fine("Fine as it is: the copies survive what the data survives.")


def _beside_the_data(now: Standing) -> Change:
    return Change(
        "beside the data",
        Needs.RESTART,
        (RemoveLine(now.name, now.value, now.origin),),
    )
