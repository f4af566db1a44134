"""The room for the temporary tablespace to grow.

## What it checks
Whether the file of innodb_temp_data_file_path may fill the file system of the data.

## Why it matters
The file grows with temporary tables and shrinks only at a restart (from MariaDB 11.3 on also when
innodb_truncate_temporary_tablespace_now is set). When it fills the drive, writes of every table
fail, not only those of the query that caused it. One tool warns of the default (autoextend without
a maximum), another one of a maximum; what counts is the room.

## How it is judged
- A maximum no larger than the room that is left: fine. A larger one: watched.
- No maximum, with 15 % of the file system or 100 GiB left (our choices): fine.
- No maximum and less room: half of what is left is proposed as maximum. From MySQL 8.0.13 on it is
  only watched: there most temporary tables are in session tablespaces, which have no maximum. The
  same where the file starts with half of what is left or more.

## How to check by hand
`SELECT @@innodb_temp_data_file_path;`, the size of ibtmp1, and `df` of the data directory.

## Risk and undo
Medium: at the maximum a query fails with "The table is full". A restart each way; it also makes the
file small again.

## When it is wrong
When the file has already grown to its largest size, which is not known here.

## References
- MySQL reference manual, "Temporary Tablespaces"
- MariaDB documentation, innodb_temp_data_file_path
"""

from __future__ import annotations

import re

from advisor.facts.server.temp_tables import TEMP_ROOM_BESIDE_DATA
from advisor.rulekit import Answer, At, Card, Facts, Judged, Knowledge, mariadb, mysql, rule
from advisor.variables.catalogue import MYSQL
from probes.figures import percent, size

GIB, MIB = 1 << 30, 1 << 20
ROOMY_SHARE, ROOMY_BYTES = 0.15, 100 * GIB
UNITS = {"K": 1 << 10, "M": MIB, "G": GIB}


@rule(
    topic="Temporary tables",
    do="Make room for the temporary tablespace",
    setting="innodb_temp_data_file_path",
    needs=(TEMP_ROOM_BESIDE_DATA,),
    applies_to=(mysql("5.7"), mariadb("10.2")),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Compare how far the file may grow with the room that is left."""
    path, where = facts.now.value, facts.get(TEMP_ROOM_BESIDE_DATA)
    free, whole = float(where.free_bytes or 0), float(where.size_bytes or 0)
    room = f"{size(free)} ({percent(free / whole)}) left in {where.path}"
    card = facts.card(
        f"The temporary tablespace can't grow; {room}.",
        because="The room was read at one moment; the file's own size is not known.",
    )
    if "autoextend" not in path.lower():
        return card.fine(flips_when="the file may extend")
    if (bound := _maximum(path)) is not None:
        fits = At("maximum", bound, most=free, say=size)
        card = card.but(
            saw=f"The temporary tablespace may grow to {size(bound)}; {room}.", condition=fits
        )
        if fits:
            return card.fine()
        return card.watch(
            "The drive is full before the maximum is reached, unless the file has grown already.",
        )
    return _unbounded(facts, card, room)


def _unbounded(facts: Facts, card: Card, room: str) -> Judged:
    """Ask for a maximum where the file system is nearly full."""
    path, where = facts.now.value, facts.get(TEMP_ROOM_BESIDE_DATA)
    free, enough = float(where.free_bytes or 0), ROOMY_SHARE * float(where.size_bytes or 0)
    limit = f"min({percent(ROOMY_SHARE)} of {size(where.size_bytes or 0)}, {size(ROOMY_BYTES)})"
    roomy = At("room left", free, least=min(enough, ROOMY_BYTES), say=size)
    card = card.but(
        saw=f"The temporary tablespace may grow without a maximum; {room}.",
        condition=roomy,
        formula=f"{limit} = {size(min(enough, ROOMY_BYTES))}",
    )
    if roomy:
        return card.fine("Fine as it is while there is room.")
    if facts.version.at_least(MYSQL, 8, 0, 13):
        return card.watch(
            "Make room: most temporary tables are in session tablespaces, which have no maximum.",
        )
    most = max(64 * MIB, free / 2)
    if most <= (start := _start(path)):
        return card.watch(f"Make room: the file alone starts with {size(start)}.")
    bound_text = f"{most // GIB:.0f}G" if most >= GIB else f"{most // MIB:.0f}M"
    return card.recommend(
        facts.to(f"{path}:max:{bound_text}"),
        effect=f"A query that needs more than {bound_text} fails, not the writes of all tables.",
        formula=f"{card.says['formula']}; half of the room left = {bound_text}",
        risk="Medium: needs a restart; queries that reach the maximum fail.",
        cost_of_error="A large query fails although there was room for it.",
        side_effects="The restart shrinks the file.",
    )


def _maximum(text: str) -> float | None:
    return _bytes(re.search(r":max:(\d+)([KMG]?)", text, re.IGNORECASE))


def _start(text: str) -> float:
    """Give the size with which the file that may grow is made."""
    return _bytes(re.search(r":(\d+)([KMG]?):autoextend", text, re.IGNORECASE)) or 0.0


def _bytes(match: re.Match[str] | None) -> float | None:
    return None if match is None else float(match[1]) * UNITS.get(match[2].upper(), 1)
