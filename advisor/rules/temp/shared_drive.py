"""The drive of temporary tables that outgrow the memory.

## What it checks
Whether temporary tables that go to disk compete with the data for one drive.

## Why it matters
MariaDB, and MySQL before 5.7, write temporary tables that outgrow the memory into tmpdir. Where
that is on the data's drive, each report that sorts on disk makes queries and commits wait. These
files need not survive a crash: any other drive, or memory, will do. Later MySQL keeps such tables
in InnoDB beside the data and does not use tmpdir for them.

## How it is judged
- Fewer than 10 tables per second go to disk: fine.
- tmpdir is in memory or on another drive: fine.
- It is on a drive of the data: watched. Which directory to use instead is the
  administrator's choice.

## How to check by hand
`SELECT @@tmpdir, @@datadir;`, `findmnt -T` of both, and `Created_tmp_disk_tables` twice.

## Risk and undo
Nothing is changed. A new tmpdir needs a restart, and has to hold the largest sort.

## When it is wrong
When these tables are so small and short-lived that the page cache never writes them.

## References
- MariaDB documentation, tmpdir; "Aria Storage Engine", internal temporary tables
- MySQL 5.6 reference manual, "Where MySQL Stores Temporary Files"
"""

from __future__ import annotations

from advisor.facts.server.status import status
from advisor.facts.server.storage import STORAGE_DATA
from advisor.facts.server.temp_tables import TEMP_DIRECTORY
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, Is, Unjudged, mariadb, mysql, per_s, rule
from advisor.rules.temp._in_memory import in_memory
from probes.figures import listed, rate

FEW_PER_S = 10.0


@rule(
    topic="Temporary tables",
    do="Move tmpdir off the data's drive",
    needs=(status("Created_tmp_disk_tables"),),
    uses=(TEMP_DIRECTORY, STORAGE_DATA),
    applies_to=(mysql(before="5.7"), mariadb()),
)
def check(facts: Facts) -> Answer:
    """Find out where the tables go, once there are many of them."""
    created = facts.get(status("Created_tmp_disk_tables"))
    many = At("rate of temporary tables on disk", created, least=FEW_PER_S, say=per_s())
    going = f"The server writes {rate(created, 'temporary tables')} to"
    card = facts.card(
        f"{going} disk.",
        many,
        confidence=Confidence.LOW,
        because="Tables were counted; how much of them reached the drive was not measured.",
    )
    if not many:
        return card.fine()
    where, data = facts.find(TEMP_DIRECTORY), facts.find(STORAGE_DATA)
    if where is None or data is None:
        return Unjudged(f"{going} disk; on which drive is not known.")
    going = f"{going} {where.path}"
    shared = sorted({disk.name for disk in where.disks} & {disk.name for disk in data.disks})
    on_data = Is(
        bool(shared) and not in_memory(where),
        "tmpdir is on a drive of the data",
        "tmpdir is on another drive",
    )
    card = card.but(condition=many & on_data)
    if in_memory(where):
        return card.fine(saw=f"{going}, in memory.")
    if not where.disks or not data.disks:
        return Unjudged(f"Temporary tables go to {where.path}; its drive is not known.")
    if not on_data:
        return card.fine(saw=f"{going}, on another drive than the data.")
    return card.watch(
        "A tmpdir on another drive or in memory leaves the data's drive to the data.",
        saw=f"{going}, on {listed(shared)} like the data.",
    )
