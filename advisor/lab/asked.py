"""What a lab is asked: its variants, their load, and what it may take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from advisor.amounts import size_bytes
from advisor.lab.watched import WatchedLoad
from probes.errors import UsageError
from probes.lab.variant import LabLoad, TableEngine, Variant

MOST_VARIANTS = 8
"""More would get too few turns each within any bearable time (our choice)."""

USUAL_BUDGET_S = 300.0
"""How long a lab takes at most unless it is asked otherwise."""

MOST_LEVELS = 6
MOST_CONNECTIONS = 1024

PAGE_SIZE, ENGINE = "innodb_page_size", "engine"
POOL, REDO = "pool", "redo"
"""What ``--vary`` may name that is no option as it stands."""

_PAGE_SIZES = (4096, 8192, 16384, 32768, 65536)

CLONED = "a clone of the running server"
"""What data are called that the running server sends by MySQL's CLONE."""

AGAIN = " (again)"
"""Ends the name of the base's equal twin: what differs between the two is no effect."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A lab's whole question.

    The first of ``variants`` is the base that the others are held against. ``levels`` are the
    numbers of connections. ``pool_bytes`` and ``redo_bytes`` are those of every server whose
    variant says nothing of them, ``lines`` further options of all. ``preset`` is the question's
    name, "" for one that was put together. ``data_from`` is the data directory that all work on
    copies of, "" for data of the lab's own. ``like`` is the watched load that ``load`` is to be
    like; it is not fitted yet. Times are in seconds.
    """

    variants: tuple[Variant, ...]
    load: LabLoad
    levels: tuple[int, ...] = (16,)
    pool_bytes: int = 64 << 20
    redo_bytes: int = 128 << 20
    lines: Mapping[str, str] = field(default_factory=dict)
    budget_s: float = USUAL_BUDGET_S
    turn_s: float = 2.0
    settle_s: float = 0.5
    preset: str = ""
    data_from: str = ""
    like: WatchedLoad | None = None

    @property
    def base(self) -> Variant:
        """What the others are held against."""
        return self.variants[0]

    @property
    def entrants(self) -> tuple[Variant, ...]:
        """All that work: the variants, and the base once more."""
        return (*self.variants, replace(self.base, name=self.base.name + AGAIN))


def varied(
    wishes: Sequence[str], directories: Sequence[str], servers: Sequence[tuple[str, ...]]
) -> tuple[Variant, ...]:
    """Variants for each combination of ``name=a,b`` wishes, directories and server commands.

    A name is an option's, or one of ``engine``, ``pool`` and ``redo``. Raises UsageError.
    """
    axes = [_axis(wish) for wish in wishes]
    if directories:
        axes.append([Variant(place, directory=place) for place in directories])
    if servers:
        axes.append([Variant(command[-1], server=command) for command in servers])
    found = tuple(map(_joined, product(*axes))) if axes else ()
    if len(found) > MOST_VARIANTS:
        raise UsageError(
            f"That makes {len(found)} variants, and a lab holds {MOST_VARIANTS} beside each other "
            "at most.",
            "Vary less at once.",
        )
    if axes and len(found) < 2:
        raise UsageError(
            "A lab holds at least two variants beside each other.",
            "Give two values, as in --vary innodb_doublewrite=ON,OFF.",
        )
    return found


def _axis(wish: str) -> list[Variant]:
    name, _, values = wish.partition("=")
    name = _option_name(name)
    split = [each.strip() for each in values.split(",")]
    if not name.isidentifier() or not all(split) or not values:
        raise UsageError(
            f"'{wish}' names no values to compare.",
            "Write the option, an equals sign and the values: innodb_page_size=4k,8k,16k.",
        )
    if len(set(split)) < len(split):
        raise UsageError(f"'{wish}' names one value twice.")
    return [_variant(name, value) for value in split]


def _option_name(typed: str) -> str:
    """An option as the server's variables are called."""
    return typed.strip().lower().replace("-", "_")


def _variant(name: str, value: str) -> Variant:
    shown = f"{name} = {value}"
    if name == ENGINE:
        known = {engine.value.lower(): engine for engine in TableEngine}
        if value.lower() not in known:
            raise UsageError(f"'{value}' is no engine that the lab knows: InnoDB or MyISAM.")
        return Variant(shown, engine=known[value.lower()])
    if name == PAGE_SIZE:
        page_bytes = size_bytes(value)
        if page_bytes not in _PAGE_SIZES:
            raise UsageError(f"'{value}' is no page size of InnoDB's: 4k, 8k, 16k, 32k or 64k.")
        return Variant(shown, page_bytes=page_bytes)
    if name in {POOL, REDO}:
        return Variant(shown, {name: str(size_bytes(value))})
    return Variant(shown, {name: value})


def _joined(parts: Sequence[Variant]) -> Variant:
    """One variant of one value of each axis."""
    lines: dict[str, str] = {}
    made = Variant(", ".join(part.name for part in parts))
    for part in parts:
        lines |= part.lines
        made = replace(
            made,
            engine=part.engine if part.engine is not TableEngine.INNODB else made.engine,
            page_bytes=part.page_bytes or made.page_bytes,
            directory=part.directory or made.directory,
            server=part.server or made.server,
        )
    return replace(made, lines=lines)


def levels(text: str) -> tuple[int, ...]:
    """``1,16,64``: numbers of connections, each once; raises UsageError."""
    try:
        found = tuple(int(each) for each in text.split(","))
    except ValueError:
        found = ()
    if (
        not 1 <= len(found) <= MOST_LEVELS
        or len(set(found)) < len(found)
        or not all(1 <= each <= MOST_CONNECTIONS for each in found)
    ):
        raise UsageError(
            f"'{text}' is no list of connections.",
            f"Write 1 to {MOST_LEVELS} numbers up to {MOST_CONNECTIONS}, as in 1,16,64.",
        )
    return found


def option_line(text: str) -> tuple[str, str]:
    """``innodb_io_capacity=2000`` as name and value; raises UsageError."""
    name, equals, value = text.partition("=")
    name = _option_name(name)
    if not name.isidentifier() or not equals or not value.strip():
        raise UsageError(f"'{text}' is no option line.", "Write it like innodb_io_capacity=2000.")
    return name, value.strip()
