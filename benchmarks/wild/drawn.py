"""Which servers, loads and changes the model is asked of: drawn once, by the rules of this file.

Half of all servers under load are kept for judging: constants of the model may be chosen on the
other half alone. Which half one is in follows from its name.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from probes.lab.variant import Keys, LabLoad, LoadKind, Mix

MIB = 1 << 20

SERVERS = (
    "mysql-8.0.33",
    "mariadb-installed",
    "mysql-unstable",
    "mariadb-trixie",
    "mysql-5.6.14",
)
"""Of the eleven; mysql-unstable is MySQL 9.7 or newer, mariadb-trixie MariaDB 11.8."""

DATA_BYTES = 400 * MIB
WAREHOUSES = 4
TPCC_BYTES = WAREHOUSES * 110 * MIB

STATEMENTS = Mix(points=6, ranges=1, updates=2, index_updates=1, range_rows=20, begin=False)
"""Statements that are transactions of their own: three of ten write."""

LOADS = {
    **{f"select-{keys.value}": LabLoad(LoadKind.POINT_SELECT, keys) for keys in list(Keys)[:3]},
    **{f"mix-{keys.value}": LabLoad(LoadKind.MIX, keys, mix=STATEMENTS) for keys in list(Keys)[:3]},
    "update-uniform": LabLoad(LoadKind.UPDATE, Keys.UNIFORM),
    "update-zipf": LabLoad(LoadKind.UPDATE, Keys.ZIPF),
    "read-write-uniform": LabLoad(LoadKind.READ_WRITE, Keys.UNIFORM),
    "read-write-zipf": LabLoad(LoadKind.READ_WRITE, Keys.ZIPF),
    "oltp_read_only": LabLoad(LoadKind.SYSBENCH, script="oltp_read_only"),
    "oltp_write_only": LabLoad(LoadKind.SYSBENCH, script="oltp_write_only"),
    "tpcc": LabLoad(LoadKind.TPCC),
}

POOLS = (0.05, 0.15, 0.4, 0.8, 1.3)
"""Buffer pools as parts of the data."""

CONNECTIONS = (1, 4, 16, 64, 256)
REDO_MIB = (96, 512, 2048)

LIMITS = (0, 0, 0, 2000)
"""Requests per second that the drive is held to, each of reads and writes; 0 leaves it as it is."""

SEED, ROUNDS = 38, 3
"""Each load meets each server some times; all else is drawn for each."""


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that is turned: as a forecast names it, and as the server's lines have it.

    ``kind`` is what pages count it by. A change of ``connections`` has no lines.
    """

    kind: str
    name: str
    value: str
    lines: tuple[tuple[str, str], ...] = ()
    connections: int = 0


@dataclass(frozen=True, slots=True)
class Drawn:
    """A server under load, as it is watched, and what is turned of it. Sizes are in bytes."""

    number: int
    server: str
    load: str
    connections: int
    pool_bytes: int
    redo_bytes: int
    doublewrite: bool
    synced: bool
    io_capacity: int
    requests_per_s: int
    changes: tuple[Change, ...]

    @property
    def name(self) -> str:
        """Its own among all."""
        return f"{self.number:02}-{self.server}-{self.load}-{self.connections}"

    @property
    def kept(self) -> bool:
        """Whether it is kept for judging."""
        return zlib.crc32(self.name.encode()) % 2 == 0

    @property
    def writes(self) -> bool:
        """Whether its load changes rows."""
        return writes(self.load)

    @property
    def lab_load(self) -> LabLoad:
        """What its clients do."""
        load = LOADS[self.load]
        if load.kind is LoadKind.TPCC:
            return LabLoad(load.kind, data_bytes=TPCC_BYTES, warehouses=WAREHOUSES)
        return LabLoad(
            load.kind, load.keys, data_bytes=DATA_BYTES, mix=load.mix, script=load.script
        )


def writes(load: str) -> bool:
    """Whether a load changes rows."""
    return not load.startswith(("select", "oltp_read_only"))


def drawn() -> list[Drawn]:
    """All of them, always the same."""
    chance = random.Random(SEED)
    pairs = [(server, load) for load in LOADS for server in SERVERS]
    chance.shuffle(pairs)
    # Each load on three of five servers, each server with most of the loads.
    wanted: dict[str, int] = dict.fromkeys(LOADS, ROUNDS)
    found: list[Drawn] = []
    for server, load in pairs:
        if wanted[load]:
            wanted[load] -= 1
            found.append(_draw(len(found), server, load, chance))
    return found


def _draw(number: int, server: str, load: str, chance: random.Random) -> Drawn:
    data = TPCC_BYTES if load == "tpcc" else DATA_BYTES
    pool = int(chance.choice(POOLS) * data) // MIB * MIB
    connections = chance.choice(CONNECTIONS)
    redo = chance.choice(REDO_MIB) * MIB
    made = Drawn(
        number,
        server,
        load,
        connections,
        pool,
        redo,
        doublewrite=chance.random() < 0.75,
        synced=chance.random() < 0.75,
        io_capacity=chance.choice((200, 1000, 4000)),
        requests_per_s=chance.choice(LIMITS),
        changes=(),
    )
    changes = tuple(_changes(made, data, chance))
    return Drawn(**{name: getattr(made, name) for name in made.__slots__} | {"changes": changes})


def _changes(of: Drawn, data: int, chance: random.Random) -> Iterator[Change]:
    larger = of.pool_bytes * chance.choice((2, 4))
    if of.pool_bytes < data:
        yield _size("pool up", "buffer_pool", "pool", larger)
    yield _size("pool down", "buffer_pool", "pool", max(16 * MIB, of.pool_bytes // 2))
    if of.connections > 1:
        yield _connections(of.connections // 4)
    if of.connections < 256:
        yield _connections(of.connections * 4)
    if not of.writes:
        return
    flipped = "OFF" if of.doublewrite else "ON"
    yield Change("doublewrite", "doublewrite", flipped.lower(), (("innodb_doublewrite", flipped),))
    commit = "2" if of.synced else "1"
    name = "innodb_flush_log_at_trx_commit"
    yield Change("durability", "flush_log_at_trx_commit", commit, ((name, commit),))
    if of.redo_bytes > 512 * MIB:
        yield _size("redo", "redo_log", "redo", of.redo_bytes // 16)
    else:
        yield _size("redo", "redo_log", "redo", of.redo_bytes * 4)
    capacity = str(1000 if of.io_capacity == 200 else 200)
    lines = (("innodb_io_capacity", capacity),)
    yield Change("io_capacity", "io_capacity", capacity, lines)


def _size(kind: str, name: str, line: str, size_bytes: int) -> Change:
    return Change(kind, name, f"{size_bytes // MIB}M", ((line, str(size_bytes)),))


def _connections(count: int) -> Change:
    return Change("connections", "connections", str(count), connections=count)
