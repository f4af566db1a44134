"""Files on a drive that the cloud empties when the machine stops.

## What it checks
Whether data, redo log, undo logs or the binary log lie on drives that a cloud lends with the
machine: Amazon's instance store, Google's Local SSD, Azure's local NVMe disks.

## Why it matters
Such drives are the fastest that a cloud has. A reboot keeps what is on them; a stop from outside, a
deletion, a resize or a failed host does not: the machine comes back with empty ones. A
server whose data lie there is gone after a stop that somebody planned, and without redo or undo
logs the data is as good as gone. Where only the binary log lies there, what happened since the last
backup can't be restored.

## How it is judged
- A drive is known by the model that it reports. Where a drive that stays holds the same files, too,
  as a mirror's other half does: fine.
- Data, redo log, undo logs or the binary log lie there: a risk, and what has to lie elsewhere. A
  binary log on a drive that stays is named: with a backup it restores the rest.
- A node of a Galera cluster of two or more: fine, for the others hold the data. So is a server that
  is `read_only`, whose source does.
- Only temporary files or relay logs: fine, that is what such drives are for.

## How to check by hand
`lsblk -o NAME,MODEL,MOUNTPOINT`

## Risk and undo
Nothing is changed.

## When it is wrong
When another server holds all of it in a way that Leadline does not see: semi-synchronous replicas,
or a group's other members. Older instances on Xen and Azure's temporary disks over SCSI report no
model of their own: there it is not known.

## References
- Amazon EC2 user guide, "Data persistence for Amazon EC2 instance store volumes"
- Google Cloud, "About Local SSD disks"
- Microsoft, "Temporary NVMe disks: frequently asked questions"
"""

from __future__ import annotations

from advisor.facts.server.cluster import CLUSTER_GALERA_NODES, CLUSTER_READ_ONLY
from advisor.facts.server.storage import STORAGE_ALL, STORAGE_EPHEMERAL
from advisor.facts.server.variables import variable
from advisor.outcomes import Confidence
from advisor.rulekit import (
    Answer,
    At,
    Card,
    Facts,
    Inapplicable,
    Is,
    Knowledge,
    Stakes,
    number,
    rule,
)
from probes.figures import counted, listed
from probes.inventory.facts import Role
from probes.kinds.words import capital

NAMES = {
    Role.DATA: "the data",
    Role.REDO: "the redo log",
    Role.UNDO: "the undo logs",
    Role.BINLOG: "the binary log",
}
"""What must not be gone, and what people call it."""

STOPS = (
    "A reboot keeps them, but a stop of the machine from outside, a resize or a failed host brings "
    "it back with empty drives"
)


@rule(
    topic="Placement",
    do="Move to a drive that outlives the machine",
    needs=(STORAGE_EPHEMERAL, STORAGE_ALL),
    uses=(CLUSTER_GALERA_NODES, CLUSTER_READ_ONLY, variable("log_bin")),
    stakes=Stakes.DATA,
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Ask what holds the files when the machine was stopped."""
    lent = facts.get(STORAGE_EPHEMERAL)
    if not lent:
        return Inapplicable("No drive below is known to be lent with a cloud's machine.")
    binlog = facts.find(variable("log_bin"))
    written = {role for role in NAMES if role is not Role.BINLOG or (binlog and binlog.on)}
    kept = [role for role in NAMES if role in lent & written]
    storage = facts.get(STORAGE_ALL)
    disks = sorted({disk.label for one in storage if one.role in lent for disk in one.disks})
    held = Is(not kept, "they move to a drive that stays", "one that must not be gone moves there")
    names = capital(listed([NAMES[role] for role in kept])) if kept else "Only temporary files"
    verb = "lies" if kept in ([Role.REDO], [Role.BINLOG]) else "lie"
    card = facts.card(
        f"{names} {verb} on drives that the cloud lends with the machine ({listed(disks)}).",
        held,
        confidence=Confidence.HIGH,
        because="The drives' model, and what the cloud documents of it.",
        valid="While the files lie there.",
    )
    if not kept:
        return card.fine("Fine as it is: nothing that must be kept lies there.")
    if (elsewhere := _held_elsewhere(facts, card)) is not None:
        return elsewhere
    if kept == [Role.BINLOG]:
        return card.watch(
            f"{STOPS}: no restore brings back then what happened since the last backup, and it is "
            "lost to replicas that had not fetched it. Keep it on a volume that stays.",
            cost_of_error="Commits that wait longer for a slower drive.",
        )
    stays = ""
    if Role.BINLOG in written - lent and any(one.role is Role.BINLOG for one in storage):
        stays = " Its binary log lies on a drive that stays: with a backup it restores the rest."
    return card.watch(
        f"{STOPS}, and the data is lost. Keep a replica on another machine, backups in another "
        f"place, and the binary log on a volume.{stays}",
        cost_of_error="A replica or a volume that is never needed.",
    )


def _held_elsewhere(facts: Facts, card: Card) -> Answer | None:
    """Whether other servers are known to hold all of it."""
    nodes, read_only = facts.find(CLUSTER_GALERA_NODES) or 1, facts.find(CLUSTER_READ_ONLY)
    others = At("number of nodes", nodes, least=2, say=number())
    if others:
        return card.fine(
            f"{STOPS}. The Galera cluster holds the data elsewhere, too "
            f"({counted(int(nodes) - 1, 'other node')}), and gives all of it to the node. Backups "
            "must lie in another place, for a stop of all machines.",
            condition=others,
        )
    if read_only is not None and read_only.on:
        return card.fine(
            f"{STOPS}. Its source holds the data: the replica is made again then.",
            flips_when="the server takes changes from clients",
        )
    return None
