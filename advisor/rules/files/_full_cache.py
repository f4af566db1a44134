"""What the rules on caches of tables and files share: how large one becomes that is full.

Twice as large; where it is known how many tables there are, large enough for those that come soon,
as far as memory allows. The server's descriptors bound it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Unpack

from advisor.facts.machine.kernel import HOST_MEMORY_USABLE
from advisor.facts.server.pool import INNODB_FILES
from advisor.facts.server.status import status
from advisor.facts.server.variables import variable
from advisor.model.server.round_figures import round_down, round_up
from advisor.rulekit import At, Card, Facts, Judged, Needs, Says, number
from advisor.variables.standing import Standing
from probes.figures import count

ALL, SOON_S = 1.2, 600.0
"""Room for all tables and for some that come, as far as they are asked for within ten minutes (our
choices): a cache for tables that nobody uses is memory lost."""

FEW_PER_S = 1.0
"""Tables or files that are opened again: fewer cost nothing that is felt (our choice)."""

FULL_OF_TABLES, FULL_OF_FILES = 0.9, 0.95
"""The share in use from which on each cache is full (our choices)."""

TABLE_BYTES, DEFINITION_BYTES = 34 << 10, 40 << 10
"""What an open table and a cached definition take, as MySQL 9.7.4 counted for tables of 21 columns
and four indexes."""

OF_MEMORY = 0.02
"""What of the memory a cache may come to take by more than its double (our choice)."""

PER_TABLE = 2
"""Descriptors that a server plans for each cached table."""

OWN_MYSQL, OWN_MARIADB = 10, 30
"""Descriptors that each family keeps for itself before it divides the rest."""

MOST_OF_LIMIT = 0.8
"""The rest of open_files_limit is for tables' other files, logs and connections."""

MOST_TABLES, MOST_FILES = 524_288, 2**31 - 1
"""The largest values of table_open_cache and innodb_open_files."""

LIMIT, CONNECTIONS = variable("open_files_limit"), variable("max_connections")
TABLES, PARTS = variable("table_open_cache"), variable("table_open_cache_instances")
FILES = variable("innodb_open_files")
OPEN_TABLES, OPEN_FILES = status("Open_tables"), status("Innodb_num_open_files")
EVICTED = status("Table_open_cache_overflows")
OPENED, DEFINED = status("Opened_tables"), status("Opened_table_definitions")
DEFINITIONS = variable("table_definition_cache")
USES_OF_TABLES = (
    TABLES,
    OPEN_TABLES,
    EVICTED,
    LIMIT,
    CONNECTIONS,
    INNODB_FILES,
    HOST_MEMORY_USABLE,
)
USES_OF_FILES = (FILES, OPEN_FILES, OPENED, LIMIT, INNODB_FILES)


@dataclass(frozen=True, slots=True)
class FullCache:
    """A cache ``of`` something that is full with ``now``, and is asked for more.

    ``wanted`` are asked for, fewer than ``least`` would help little, ``most`` are allowed, and
    ``room`` is what descriptors allow (None: not known).
    """

    of: str
    now: float
    wanted: float
    least: float
    most: int
    room: float | None

    @property
    def value(self) -> int:
        """What to set it to: what is wanted, or as far as descriptors leave room for the least."""
        value = min(round_up(self.wanted), self.most)
        if self.room is not None and self.least <= self.room < value:
            return round_down(self.room)
        return value

    @property
    def short(self) -> At:
        """Ask whether descriptors keep it from growing."""
        room = math.inf if self.room is None or self.value <= self.now else self.room
        return At(f"room for {self.of}", room, below=float(self.value), say=number())

    @property
    def lacks(self) -> str:
        """How far descriptors go: "2,245 of 4,000 cached tables that are asked for"."""
        return f"{count(self.room or 0.0)} of {count(self.value)} {self.of} that are asked for"


def full_tables(facts: Facts) -> FullCache | None:
    """The cache of open tables, where it is full and evicts; None where not, or nobody knows."""
    cache, evicted, opened = facts.find(TABLES), facts.find(EVICTED), facts.find(OPEN_TABLES)
    if cache is None or evicted is None or opened is None:
        return None
    if evicted < FEW_PER_S or opened < FULL_OF_TABLES * cache.number:
        return None
    # In MariaDB the setting is the size of each of its instances, of which some may be at work.
    at_work = max(1.0, round(opened / cache.number)) if facts.version.is_mariadb else 1.0
    kept = cache.number if facts.version.is_mariadb else opened
    wanted = asked_for(facts, kept, evicted / at_work, TABLE_BYTES, at_work)
    room = room_for_tables(facts)
    return FullCache("cached tables", cache.number, wanted, 2 * kept, MOST_TABLES, room)


def instances_left(facts: Facts, full: FullCache) -> int:
    """How many instances MariaDB's next start leaves of the cache; one where it has no such."""
    parts = facts.find(PARTS)
    if not facts.version.is_mariadb or parts is None:
        return 1
    most = max(1, int(parts.number))
    return most if full.room is None else min(most, max(1, int(full.room // full.value)))


def room_for_tables(facts: Facts) -> float | None:
    """How large descriptors let table_open_cache be; None when not known.

    Before MariaDB cuts it, it lowers the number of instances down to one.
    """
    limit, connections = facts.find(LIMIT), facts.find(CONNECTIONS)
    if limit is None or connections is None:
        return None
    return max(0.0, limit.number - own_descriptors(facts) - connections.number) // PER_TABLE


def own_descriptors(facts: Facts) -> int:
    """What the server keeps for itself before it divides the rest."""
    return OWN_MARIADB if facts.version.is_mariadb else OWN_MYSQL


def full_files(facts: Facts) -> FullCache | None:
    """InnoDB's open files, where one may be closed for another; None where not, or nobody knows."""
    most, opened, tables = facts.find(FILES), facts.find(OPEN_FILES), facts.find(OPENED)
    if most is None or opened is None or opened < FULL_OF_FILES * most.number:
        return None
    if (tables is not None and tables < FEW_PER_S) or all_files_fit(facts):
        return None
    limit, wanted = facts.find(LIMIT), asked_for(facts, opened, tables or 0.0)
    room = None if limit is None else MOST_OF_LIMIT * limit.number
    return FullCache("InnoDB's files", most.number, wanted, 2 * opened, MOST_FILES, room)


def all_files_fit(facts: Facts) -> bool:
    """Whether InnoDB may keep all of its files open: then none is closed for another."""
    files, most = facts.find(INNODB_FILES), facts.find(FILES)
    return files is not None and most is not None and files <= most.number


def asked_for(
    facts: Facts, kept: float, per_s: float, each_bytes: int = 0, instances: float = 1.0
) -> float:
    """How many would be kept open; ``kept`` are, and ``per_s`` are opened again.

    Where ``each_bytes`` of memory are taken by each of them, no more than that allows. Of several
    ``instances`` each has its part of the tables.
    """
    tables, twice = facts.find(INNODB_FILES), 2 * kept
    if tables is None:
        return twice
    memory = facts.find(HOST_MEMORY_USABLE) if each_bytes else None
    most = math.inf if memory is None else OF_MEMORY * memory / each_bytes
    return max(twice, min(ALL * tables / instances, kept + SOON_S * per_s, most / instances))


def larger(
    facts: Facts,
    card: Card,
    full: FullCache,
    *,
    gains: str,
    first: tuple[tuple[Standing, str], ...] = (),
    **says: Unpack[Says],
) -> Judged:
    """Ask for as many as are wanted, as far as descriptors leave room.

    ``gains`` is what a larger one brings, ``first`` what is set with it; ``says`` is for the
    recommendation alone.
    """
    if full.value <= full.now:
        return card.watch("It is at its maximum: check whether all of them are needed.")
    if full.short:
        room = count(full.room or 0.0)
        return card.watch(
            f"open_files_limit leaves descriptors for {room} of them: raise it first."
        )
    made = facts.to(str(full.value), first=first)
    online = made.needs is Needs.DYNAMIC
    risk = "Low: changed at run time and back." if online else "Low: needs a restart."
    return card.but(risk=risk).recommend(made, effect=gains, **says)
