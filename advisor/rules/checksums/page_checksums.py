"""The checksums of pages.

## What it checks
Whether pages carry a checksum, and whether CPUs have an instruction for it.

## Why it matters
Without a checksum a page that the drive, a cable or a controller has corrupted goes unnoticed, and
the error spreads into backups. The oldest checksum took visible CPU: switching it off gained 38 %
in a single-threaded test of 2008. Today's (CRC-32C) costs next to nothing.

## How it is judged
- `innodb_checksums` OFF, or the algorithm `none` or `strict_none`: switching on is proposed.
- `innodb` or `strict_innodb`: `crc32` is proposed, on MariaDB from 10.5 `full_crc32`, its default,
  which applies to new tables only; old pages stay readable.
- `crc32`, `full_crc32` and their strict forms: fine.
Switching checksums off is never proposed.

## How to check by hand
`SELECT @@innodb_checksum_algorithm;` (MySQL 5.5: `@@innodb_checksums`)

## Risk and undo
Changes at once; pages get the new checksum when they are next written. Servers before MySQL 5.6.3
can't read pages with crc32, MariaDB before 10.4.3 and MySQL can't read full_crc32.
`innodb_checksums` takes a restart.

## When it is wrong
Where a file system below (ZFS, btrfs) has checksums as well, it detects corruption on the drive;
the server's own still detects what happened above it.

## References
- MySQL 5.7 and 8.0 reference manuals, innodb_checksum_algorithm
- MariaDB documentation, "InnoDB Page Checksums"
- P. Zaitsev, "MySQL Performance on Memory Appliance"
"""

from __future__ import annotations

from advisor.facts.server.variables import MYSQL_VERSION, variable
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Facts, Is, Stakes, Unjudged, change, rule
from advisor.variables.catalogue import MARIADB

SWITCH, ALGORITHM = "innodb_checksums", "innodb_checksum_algorithm"
NONE = {"none", "strict_none"}
SLOW = {"innodb", "strict_innodb"}


@rule(
    topic="Checksums",
    needs=(MYSQL_VERSION,),
    uses=(variable(ALGORITHM), variable(SWITCH)),
    settings=(ALGORITHM, SWITCH),
    findings=("F16",),
    stakes=Stakes.DATA,
)
def check(facts: Facts) -> Answer:
    """Keep pages checked, by the cheap algorithm."""
    version = facts.get(MYSQL_VERSION)
    switch, algorithm = facts.find(variable(SWITCH)), facts.find(variable(ALGORITHM))
    switched_off = switch is not None and not switch.on
    now = switch if switched_off or algorithm is None else algorithm
    if now is None:
        return Unjudged(f"{version} has neither {ALGORITHM} nor {SWITCH}.")
    crc32 = "full_crc32" if version.at_least(MARIADB, 10, 5) else "crc32"
    checked = Is(
        not switched_off and now.value.lower() not in NONE, "checksums are on", "checksums are off"
    )
    card = facts.card(
        f"Pages carry {'a' if checked else 'no'} checksum ({now.name} = {now.value}).",
        checked,
        setting=now.name,
        now=now.now,
        confidence=Confidence.HIGH,
    )
    if not checked:
        return card.recommend(
            change(version, now, "ON" if switched_off else crc32),
            effect="A page that the drive or the path to it corrupted is detected when it is read.",
            risk="Low: a little CPU. Pages get their checksum when they are next written.",
            cost_of_error="A little CPU for each page that is read or written.",
        )
    if now.value.lower() in SLOW:
        return card.recommend(
            change(version, now, crc32),
            saw=f"Pages carry the oldest and slowest checksum ({now.name} = {now.value}).",
            effect="Each page read or written costs less CPU: CRC-32C is a CPU instruction.",
            flips_when=f"the algorithm is {crc32}",
            confidence=Confidence.MEDIUM,
            risk="Low: MariaDB before 10.4.3, and MySQL, can't read tables made with it."
            if crc32 == "full_crc32"
            else "Low: servers before MySQL 5.6.3 can't read pages with it.",
            because="Its CPU cost showed in a single-threaded test of 2008; it was not measured "
            "on this server.",
            cost_of_error="A data directory that only newer servers can read.",
            stakes=Stakes.TIME,
        )
    return card.fine("Fine as it is: a corrupted page is detected when it is read.")
