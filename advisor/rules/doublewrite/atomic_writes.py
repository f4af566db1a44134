"""innodb_use_atomic_writes on drives that MariaDB knows (MariaDB).

## What it checks
Whether MariaDB may use the atomic writes of a drive that it recognises.

## Why it matters
Some cards write a page whole or not at all, and MariaDB knows a few of them by their drivers. There
it skips doublewrite safely and writes half as many bytes. With the switch off it does not check.

## How it is judged
- ON: fine. The server detects whether the drive is one of those, and only then uses it.
- OFF and the data's disk has the name of such a card (FusionIO, Shannon, ScaleFlux): watch, with ON
  to consider.
- OFF elsewhere: fine, ON would change nothing.

## How to check by hand
`SELECT @@innodb_use_atomic_writes;` and `lsblk -o NAME,MODEL`; the server's error log says at start
what it found.

## Risk and undo
Takes a restart. Where a layer above the card breaks atomicity, a torn page can't be repaired.

## When it is wrong
Atomic writes of ordinary NVMe drives are not used by MariaDB, whatever the switch says: keep
doublewrite on there.

## References
- MariaDB documentation, "Atomic Write Support"; MariaDB MDEV-23076
"""

from __future__ import annotations

from advisor.facts.server.storage import STORAGE_DATA
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Facts, Is, Unjudged, mariadb, rule

CARDS = {"fio": "FusionIO", "df": "Shannon", "sfd": "ScaleFlux"}
"""What the drivers of cards that MariaDB knows call their disks."""


@rule(
    topic="Doublewrite",
    setting="innodb_use_atomic_writes",
    uses=(STORAGE_DATA,),
    applies_to=(mariadb("10.2"),),
    findings=("F60", "F118"),
)
def check(facts: Facts) -> Answer:
    """See that a known card is made use of."""
    now, data = facts.now, facts.find(STORAGE_DATA)
    names = () if data is None else tuple(disk.name for disk in data.disks)
    if not now.on and not names:
        return Unjudged("Atomic writes are OFF, and the data's drive is not known.")
    cards = sorted(
        {card for start, card in CARDS.items() for name in names if name.startswith(start)}
    )
    unused = Is(not now.on, "it is off", "it is on") & Is(
        bool(cards), "the data lies on a card that MariaDB knows"
    )
    card = facts.card(
        f"Atomic writes are {now.value}; the data lies on {', '.join(names) or 'unknown drives'}.",
        unused,
        valid="For the drivers that MariaDB knows.",
        because="The cards' drivers give the disks these names.",
    )
    if now.on:
        return card.fine(
            "Fine as it is: the server uses them only where it knows the drive.",
            confidence=Confidence.HIGH,
        )
    if not unused:
        return card.fine("Fine as it is: no card that the server knows was found.")
    return card.consider(
        facts.to("ON"),
        effect=f"On {' and '.join(cards)} cards the server can skip doublewrite and write half as "
        "many bytes.",
        confidence=Confidence.LOW,
        risk="A layer between the card and the file may break atomicity.",
        cost_of_error="Torn pages where a layer breaks atomicity.",
    )
