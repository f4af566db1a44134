"""What a lab holds beside each other: variants of a server, and the load that each is given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from probes.sandbox.binaries import ServerBinary


class LoadKind(StrEnum):
    """What the clients do; each is explained in the load program's PROTOCOL.md."""

    POINT_SELECT = "point-select"
    UPDATE = "update"
    READ_WRITE = "read-write"
    TPCC = "tpcc"
    MIX = "mix"
    SYSBENCH = "sysbench"

    @property
    def fills_itself(self) -> bool:
        """Whether the load program makes its tables."""
        return self in (LoadKind.TPCC, LoadKind.SYSBENCH)

    @property
    def writes(self) -> bool:
        """Whether it changes rows."""
        return self is not LoadKind.POINT_SELECT


class Keys(StrEnum):
    """How often each row is asked for."""

    UNIFORM = "uniform"
    ZIPF = "zipf"
    PARETO = "pareto"
    HOT = "hot"


class TableEngine(StrEnum):
    """The storage engine of the tables."""

    INNODB = "InnoDB"
    MYISAM = "MyISAM"


@dataclass(frozen=True, slots=True)
class Mix:
    """What a transaction of the load ``mix`` consists of, each on average; see PROTOCOL.md.

    Without ``begin`` each statement is a transaction of its own, drawn in proportion to the counts.
    """

    points: float = 0.0
    ranges: float = 0.0
    sums: float = 0.0
    sorted: float = 0.0
    distinct: float = 0.0
    index_updates: float = 0.0
    updates: float = 0.0
    replaced: float = 0.0
    range_rows: int = 100
    begin: bool = True


@dataclass(frozen=True, slots=True)
class Hot:
    """Keys of the kind ``hot``: this share of all draws is among the first ``keys`` of them.

    Both are shares (0..1).
    """

    share: float = 0.5
    keys: float = 0.5


@dataclass(frozen=True, slots=True)
class LabLoad:
    """The work of a lab's clients; ``warehouses`` counts only for TPC-C.

    ``data_bytes`` is about what the rows take on the drive, ``think_us`` how long each client waits
    between two transactions. ``script`` is sysbench's, by its name or its path.
    """

    kind: LoadKind = LoadKind.READ_WRITE
    keys: Keys = Keys.UNIFORM
    data_bytes: int = 0
    warehouses: int = 0
    think_us: int = 0
    mix: Mix = field(default_factory=Mix)
    hot: Hot = field(default_factory=Hot)
    script: str = ""


@dataclass(frozen=True, slots=True)
class ClientGroup:
    """Some connections that do the same work; ``seed`` begins their choice of rows."""

    load: LabLoad
    connections: int
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Variant:
    """One configuration of the lab: what makes it different from the others.

    ``lines`` are options as an option file has them, by name with underscores; ``page_bytes`` is 0
    where the server's own default counts, ``server`` the command that starts it ("" finds one) and
    ``directory`` where its data lies. ``name`` is how tables call it.
    """

    name: str
    lines: Mapping[str, str] = field(default_factory=dict)
    engine: TableEngine = TableEngine.INNODB
    page_bytes: int = 0
    directory: str = ""
    server: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Layout:
    """What two variants must have in common so that one's data directory can be the other's."""

    binary: ServerBinary
    page_bytes: int
    engine: TableEngine
    directory: str
