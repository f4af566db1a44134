"""The checksums of pages.

## What it checks
Whether pages carry a checksum, and whether it is one that processors compute by themselves.

## Why it matters
Without a checksum a page that the drive, a cable or a controller has changed is taken for good, and
the error spreads into backups. The oldest checksum took visible CPU: switching it off gained 38 %
in a single-threaded test of 2008. Today's (CRC-32C) costs next to nothing, so nobody has to choose.

## How it is judged
- `innodb_checksums` OFF, or the algorithm `none` or `strict_none`: switching on is proposed.
- `innodb` or `strict_innodb`: `crc32` is proposed, on MariaDB from 10.5 `full_crc32`, its default,
  which only tables that are made anew have; old pages stay readable.
- `crc32`, `full_crc32` and their strict forms: fine.
Switching checksums off is never proposed.

## How to check by hand
`SELECT @@innodb_checksum_algorithm;` (MySQL 5.5: `@@innodb_checksums`)

## Risk and undo
Changes at once; pages get the new checksum when they are next written. Servers before MySQL 5.6.3
can't read pages with crc32, MariaDB before 10.4.3 and MySQL none with full_crc32.
`innodb_checksums` takes a restart.

## When it is wrong
Where a file system below (ZFS, btrfs) has checksums as well, corruption is found there; the
server's own still finds what happened above it.

## References
- MySQL 5.7 and 8.0 reference manuals, innodb_checksum_algorithm
- MariaDB documentation, "InnoDB Page Checksums"
- P. Zaitsev, "MySQL Performance on Memory Appliance"
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.known import MYSQL_VERSION, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.variables.catalogue import MARIADB
from advisor.variables.standing import Standing
from probes.version import ServerVersion

SWITCH, ALGORITHM = "innodb_checksums", "innodb_checksum_algorithm"
NONE = {"none", "strict_none"}
SLOW = {"innodb", "strict_innodb"}


@rule(
    topic="Checksums",
    needs=(MYSQL_VERSION,),
    uses=(variable(ALGORITHM), variable(SWITCH)),
    settings=(ALGORITHM, SWITCH),
    findings=("F16",),
)
def check(facts: Facts) -> Answer:
    """Keep pages checked, by the cheap algorithm."""
    version = facts.get(MYSQL_VERSION)
    switch = facts.find(variable(SWITCH))
    if switch is not None and not switch.on:
        return _unchecked(version, switch, "ON")
    now = facts.find(variable(ALGORITHM))
    if now is None:
        if switch is None:
            return Unjudged(f"{version} shows neither {ALGORITHM} nor {SWITCH}.")
        return _fine(switch)
    crc32 = "full_crc32" if version.at_least(MARIADB, 10, 5) else "crc32"
    if now.text.lower() in NONE:
        return _unchecked(version, now, crc32)
    if now.text.lower() in SLOW:
        return _slow(version, now, crc32)
    return _fine(now)


def _fine(now: Standing) -> Judged:
    return Judged(
        Verdict.FINE,
        f"Pages carry a checksum ({now.name} = {now.text}).",
        now.name,
        now.now,
        effect="Fine as it is: a page that was changed on its way is found.",
        confidence=Confidence.HIGH,
        flips_when="checksums are off",
        formula=f"{now.name} = {now.text}",
        valid="On any drive.",
        because="That is what the setting means.",
        cost_of_error="Corruption that spreads into backups.",
    )


def _unchecked(version: ServerVersion, now: Standing, value: str) -> Judged:
    return replace(
        _fine(now),
        verdict=Verdict.RECOMMEND,
        saw=f"Pages carry no checksum ({now.name} = {now.text}).",
        effect="A page that the drive or its way has changed is found when it is read.",
        risk="Low: a little CPU. Pages get their checksum when they are next written.",
        flips_when="checksums are on",
        gain=0.9,
        cost_of_error="A little CPU for each page that is read or written.",
    ).by(change(version, now, value))


def _slow(version: ServerVersion, now: Standing, value: str) -> Judged:
    return replace(
        _fine(now),
        verdict=Verdict.RECOMMEND,
        saw=f"Pages carry the oldest and slowest checksum ({now.name} = {now.text}).",
        effect="Each page read or written takes less CPU: processors compute CRC-32C themselves.",
        confidence=Confidence.MEDIUM,
        risk="Low: MariaDB before 10.4.3, and MySQL, can't read tables made with it."
        if value == "full_crc32"
        else "Low: servers before MySQL 5.6.3 can't read pages with it.",
        flips_when=f"the algorithm is {value}",
        gain=0.15,
        because="Its CPU was seen in an old single-threaded test; on this server it was not "
        "measured.",
        cost_of_error="A data directory that only newer servers can read.",
    ).by(change(version, now, value))
