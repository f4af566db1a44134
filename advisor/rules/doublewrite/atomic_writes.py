"""innodb_use_atomic_writes on drives that MariaDB knows (MariaDB).

## What it checks
Whether MariaDB may use the atomic writes of a drive that it recognises.

## Why it matters
Some cards write a page whole or not at all, and MariaDB knows a few of them by their drivers. There
it leaves doublewrite out by itself, safely, and writes half as many bytes. With the switch off it
does not even look.

## How it is judged
- ON: fine. The server itself finds out whether the drive is one of those, and only then relies on
  it.
- OFF and the data's disk carries the name of such a card (FusionIO, Shannon, ScaleFlux): watch, ON
  is worth it.
- OFF elsewhere: fine, it would change nothing.

## How to check by hand
`SELECT @@innodb_use_atomic_writes;` and `lsblk -o NAME,MODEL`; the server's error log says at start
what it found.

## Risk and undo
Takes a restart. Where the card's promise is broken by a layer above it, a torn page can't be
repaired.

## When it is wrong
Atomic writes of ordinary NVMe drives are not used by MariaDB, whatever the switch says: keep
doublewrite on there.

## References
- MariaDB documentation, "Atomic Write Support"; MariaDB MDEV-23076
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.known import MYSQL_VERSION, STORAGE_DATA, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb

SETTING = "innodb_use_atomic_writes"
CARDS = {"fio": "FusionIO", "df": "Shannon", "sfd": "ScaleFlux"}
"""What the drivers of cards that MariaDB knows call their disks."""


@rule(
    topic="Doublewrite",
    needs=(MYSQL_VERSION, variable("innodb_use_atomic_writes")),
    uses=(STORAGE_DATA,),
    settings=(SETTING,),
    applies_to=(mariadb("10.2"),),
    findings=("F60",),
)
def check(facts: Facts) -> Answer:
    """See that a known card is made use of."""
    now = facts.get(variable("innodb_use_atomic_writes"))
    data = facts.find(STORAGE_DATA)
    names = () if data is None else tuple(disk.name for disk in data.disks)
    if not now.on and not names:
        return Unjudged("The switch is off, and the data's drive was not found.")
    cards = sorted(
        {card for start, card in CARDS.items() for name in names if name.startswith(start)}
    )
    on = ", ".join(names) or "unknown drives"
    judged = Judged(
        Verdict.FINE,
        f"Atomic writes are {now.text}; the data lies on {on}.",
        SETTING,
        now.now,
        effect="Fine as it is: the server relies on them only where it knows the drive."
        if now.on
        else "Fine as it is: no card that the server knows was found.",
        confidence=Confidence.HIGH if now.on else Confidence.MEDIUM,
        flips_when="it is off and the data lies on a card that the server knows",
        formula=f"{SETTING} = {now.text}, disks = {on}",
        valid="For the drivers that MariaDB knows.",
        because="The names are those that the cards' drivers give.",
        cost_of_error="Half of the bytes written, or torn pages where a layer breaks the promise.",
    )
    if now.on or not cards:
        return judged
    return replace(
        judged,
        verdict=Verdict.WATCH,
        effect=f"On {' and '.join(cards)} cards the server can leave doublewrite out by itself and "
        "write half as many bytes.",
        confidence=Confidence.LOW,
        risk="A layer between the card and the file may break the promise.",
        flips_when="it is on",
        gain=0.3,
    ).by(change(facts.get(MYSQL_VERSION), now, "ON"))
