"""Room for the sort files of an online ALTER TABLE.

## What it checks
Whether the directory of sort files has room for an online index build.

## Why it matters
Building an index sorts its entries in files in innodb_tmpdir, or in tmpdir while that is empty. On
a small tmpfs an ALTER of a large table fails after hours of work, and until then it takes the room
of every other user of the directory.

## How it is judged
- Room for all InnoDB tables together, the most that a single one can be: fine.
- Room for a tenth of them on a drive: fine, with the size that a table may have.
- Less, or a tmpfs without room for all: watched.
- innodb_tmpdir names a directory that was not examined: not judged.

## How to check by hand
`SELECT @@innodb_tmpdir, @@tmpdir;`, `df` of it, and the size of the largest table.

## Risk and undo
Nothing is changed. `SET SESSION innodb_tmpdir = '...';` moves the files for one ALTER alone; it
must not be the data directory itself.

## When it is wrong
When no index is ever added online, or tables are changed by a tool that copies them.

## References
- MySQL reference manual, "Online DDL Space Requirements", innodb_tmpdir
"""

from __future__ import annotations

from advisor.facts.server.pool import POOL_DATA
from advisor.facts.server.temp_tables import TEMP_DIRECTORY
from advisor.facts.server.variables import variable
from advisor.rulekit import Answer, At, Facts, Knowledge, Stakes, Unjudged, mariadb, mysql, rule
from advisor.rules.temp._in_memory import in_memory
from probes.figures import percent, size

SETTING = "innodb_tmpdir"
USUAL_SHARE = 0.1
"""A largest table of more than a tenth of all data is unusual enough to check."""


@rule(
    topic="Temporary tables",
    do="Make room for the sort files of ALTER TABLE",
    needs=(TEMP_DIRECTORY, POOL_DATA),
    uses=(variable(SETTING),),
    settings=(SETTING,),
    applies_to=(mysql("5.6"), mariadb("10.2")),
    stakes=Stakes.DATA,
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Compare the room with what the largest table can be."""
    set_to = facts.find(variable(SETTING))
    if set_to is not None and set_to.value:
        return Unjudged(f"Sort files go to {set_to.value}, a directory that was not examined.")
    where, total = facts.get(TEMP_DIRECTORY), facts.get(POOL_DATA)
    if where.free_bytes is None:
        return Unjudged(f"Sort files go to {where.path}; how much room it has is not known.")
    free = float(where.free_bytes)
    kind = f", in memory on {where.filesystem}" if in_memory(where) else ""
    enough = At(
        "room / size of all tables",
        free / total if total else 1.0,
        least=1.0 if in_memory(where) else USUAL_SHARE,
        of=f"{size(free)} / {size(total)}",
        say=percent,
    )
    card = facts.card(
        f"Sort files go to {where.path}{kind}, which has {size(free)} left for tables of "
        f"{size(total)} together.",
        enough,
        setting=SETTING,
        valid="For indexes that are built online.",
        because="Only the size of all tables together is known, not that of the largest.",
    )
    if free >= total:
        return card.fine("Fine as it is: it holds the largest of them.")
    if enough:
        return card.fine(f"Fine for tables with up to {size(free)} of data in the new index.")
    return card.watch(
        f"An index of more than {size(free)} can't be built online; set {SETTING} to a directory "
        "with more room in the session before the ALTER.",
    )
