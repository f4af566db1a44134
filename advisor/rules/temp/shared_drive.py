"""The drive of temporary tables that outgrow the memory.

## What it checks
Whether temporary tables that go to disk compete with the data for one drive.

## Why it matters
MariaDB, and MySQL before 5.7, write temporary tables that outgrow the memory into tmpdir. Where
that lies on the data's drive, each report that sorts on disk makes queries and commits wait. What
is written there need not survive anything: another drive, however plain, or memory will do. Later
MySQL keeps such tables in InnoDB beside the data, where tmpdir has no part in them.

## How it is judged
- Fewer than 10 tables per second go to disk: fine.
- tmpdir lies in memory or on another drive: fine.
- It lies on a drive of the data: watched. Which directory to use instead only people can say.

## How to check by hand
`SELECT @@tmpdir, @@datadir;`, `findmnt -T` of both, and `Created_tmp_disk_tables` twice.

## Risk and undo
Nothing is changed. A new tmpdir takes a restart, and has to hold the largest sort there ever is.

## When it is wrong
When these tables are so small and short-lived that the page cache never writes them.

## References
- MariaDB documentation, tmpdir; "Aria Storage Engine", internal temporary tables
- MySQL 5.6 reference manual, "Where MySQL Stores Temporary Files"
"""

from __future__ import annotations

from advisor.facts.known import MYSQL_VERSION, STORAGE_DATA, TEMP_DIRECTORY, status
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb, mysql
from probes import figures

FEW_PER_S = 10.0
IN_MEMORY = ("tmpfs", "ramfs")
ELSEWHERE = "tmpdir lies on a drive of the data"


@rule(
    topic="Temporary tables",
    needs=(MYSQL_VERSION, status("Created_tmp_disk_tables")),
    uses=(TEMP_DIRECTORY, STORAGE_DATA),
    applies_to=(mysql(before="5.7"), mariadb()),
)
def check(facts: Facts) -> Answer:
    """Look where the tables go, once there are many of them."""
    disk = facts.get(status("Created_tmp_disk_tables"))
    rate = figures.rate(disk, "temporary tables")
    formula = f"{figures.rate(disk)} against {figures.rate(FEW_PER_S)}"
    if disk < FEW_PER_S:
        return _judged(Verdict.FINE, f"No more than {rate} go to disk.", formula)
    where, data = facts.find(TEMP_DIRECTORY), facts.find(STORAGE_DATA)
    if where is None or data is None:
        return Unjudged(f"As many as {rate} go to disk; on which drive is not known.")
    if where.filesystem in IN_MEMORY:
        saw = f"As many as {rate} go to {where.path}, in memory."
        return _judged(Verdict.FINE, saw, formula, flips=ELSEWHERE)
    shared = {disk.name for disk in where.disks} & {disk.name for disk in data.disks}
    if not where.disks or not data.disks:
        return Unjudged(f"As many as {rate} go to {where.path}; its drive was not found.")
    if not shared:
        saw = f"As many as {rate} go to {where.path}, on another drive than the data."
        return _judged(Verdict.FINE, saw, formula, flips=ELSEWHERE)
    names = " and ".join(sorted(shared))
    saw = f"As many as {rate} go to {where.path}, on {names} like the data."
    effect = "A tmpdir on another drive or in memory leaves the data's drive to the data."
    return _judged(Verdict.WATCH, saw, f"{formula}; both on {names}", effect, gain=0.2)


def _judged(
    verdict: Verdict,
    saw: str,
    formula: str,
    effect: str = "Fine as it is.",
    *,
    gain: float = 0.0,
    flips: str = "",
) -> Judged:
    few = figures.rate(FEW_PER_S, "tables")
    return Judged(
        verdict,
        saw,
        effect=effect,
        confidence=Confidence.LOW,
        flips_when=flips
        or (
            f"{few} go to a drive of the data"
            if verdict is Verdict.FINE
            else f"fewer than {few} go to disk, or tmpdir lies elsewhere"
        ),
        gain=gain,
        formula=formula,
        valid="MariaDB, and MySQL before 5.7",
        because="Tables were counted; what of them reached the drive was not measured.",
        cost_of_error="None: nothing is changed.",
    )
