"""How much memory a buffer or a temporary table of each connection may take."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from advisor.facts.machine.kernel import HOST_MEMORY_USABLE
from advisor.facts.server.status import status
from advisor.facts.server.variables import MYSQL_VERSION, variable
from advisor.rulekit.facts import Facts
from advisor.variables.catalogue import MYSQL
from advisor.variables.standing import Standing
from probes.figures import size

MIB = 1 << 20
SHARE_OF_MEMORY = 0.1
PEAK = status("Max_used_connections")
USES = (HOST_MEMORY_USABLE, PEAK)

SORT = "sort_buffer_size"
AS_NEEDED, AT_ONCE = 4 * MIB, 2 * MIB
"""What is enough for a sort where its buffer grows as it is needed, and where each takes all."""

ENOUGH: Mapping[str, int] = {
    "join_buffer_size": 4 * MIB,
    "read_buffer_size": MIB,
    "read_rnd_buffer_size": MIB,
}
"""What is enough for all sessions: who joins or reads more sets it for a session (our choices)."""

LEAST = 256 << 10
"""No buffer is proposed to be smaller: it is the default of most (our choice)."""

HARDLY_MORE = 1.1
"""A round size may be larger than what the memory leaves by this factor (our choice)."""

LARGE = 2.0
"""From this many times what is enough on a buffer is large (our choice)."""

OF_BUFFERS = (MYSQL_VERSION, *USES, *map(variable, (SORT, *ENOUGH)))
"""What ``large_buffers`` looks at; all of it may be absent."""


@dataclass(frozen=True, slots=True)
class LargeBuffer:
    """A buffer that each session may take, and the bytes that are enough as its default."""

    standing: Standing
    enough: int

    @property
    def saved(self) -> float:
        """Bytes that a session takes less with what is enough."""
        return self.standing.number - self.enough

    @property
    def text(self) -> str:
        """From what to what it goes: ``sort_buffer_size 256 MiB → 4 MiB``."""
        return f"{self.standing.name} {size(self.standing.number)} → {size(self.enough)}"


def room_for_each(facts: Facts) -> float | None:
    """Give what a tenth of the memory leaves for each connection, None when not known."""
    memory, most = facts.find(HOST_MEMORY_USABLE), facts.find(PEAK)
    if memory is None or most is None:
        return None
    return SHARE_OF_MEMORY * memory / max(most, 1.0)


def fitting(enough: int, room: float) -> tuple[int, str]:
    """What one may take, where more than ``enough`` helps none, and its formula.

    It is a power of two of MiB, or half as much again, as people type them: 32 and not 30 MiB. The
    room is a choice of ours, so that it may be a tenth more.
    """
    formula = f"min({size(enough)}, {size(room)} for each connection)"
    if enough <= room:
        return enough, formula
    most = HARDLY_MORE * room / MIB
    if most < 1:
        return 0, formula
    power: int = 2 ** math.floor(math.log2(most))
    half_more = 3 * power // 2
    typed = MIB * (half_more if power > 1 and half_more <= most else power)
    return typed, f"{formula}; rounded to {size(typed)}"


def enough_for_a_sort(facts: Facts) -> int:
    """Bytes that a sort of any session may take: MySQL from 8.0.12 on takes them as needed."""
    version = facts.find(MYSQL_VERSION)
    grows = version is not None and version.at_least(MYSQL, 8, 0, 12)
    return AS_NEEDED if grows else AT_ONCE


def large_buffers(facts: Facts) -> tuple[LargeBuffer, ...]:
    """The buffers that are far larger than all sessions need, the largest first."""
    room = room_for_each(facts)
    if room is None:
        return ()
    found = []
    for name, enough in {SORT: enough_for_a_sort(facts), **ENOUGH}.items():
        standing = facts.find(variable(name))
        wanted = _halved(enough, room)
        if standing is not None and not standing.default and standing.number >= LARGE * wanted:
            found.append(LargeBuffer(standing, wanted))
    return tuple(sorted(found, key=lambda one: -one.saved))


def _halved(enough: int, room: float) -> int:
    """What is enough, halved until it fits or is the least."""
    while enough > max(room, LEAST):
        enough //= 2
    return max(enough, LEAST)
