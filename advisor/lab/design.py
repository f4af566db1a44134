"""What a lab will take, before it starts: servers, bytes, memory, seconds, the least difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from advisor.lab.asked import Asked, load_words
from advisor.lab.like import LIKE_WARM_S, scale
from advisor.lab.lines import pool_bytes
from probes.errors import UsageError
from probes.figures import listed, seconds, size
from probes.lab.data import data_bytes
from probes.lab.variant import Layout

MIB = 1 << 20

SERVER_BYTES = 350 * MIB
"""What a server takes beside its buffer pool: MySQL 8.0 with its Performance Schema (measured)."""

MEMORY_SHARE = 0.5
"""Of the memory that is free: the rest stays with the machine (our choice)."""

FREE_SHARE = 0.1
"""Of the file system stays free."""

FILL_BYTES_PER_S = 40 * MIB
COPY_BYTES_PER_S = 300 * MIB
START_S = 4.0
WARM_LIMIT_S = 12.0
"""How long a variant works before anything counts, at most."""

FIT_STEPS = 5
FIT_S = START_S + WARM_LIMIT_S / 2 + FIT_STEPS * 8.0
"""What fitting a load takes: a server's start, and some steps."""

ROUNDS_OF_A_START = 4
"""Then all servers are started again: a start is a factor of its own."""


@dataclass(frozen=True, slots=True)
class LabDesign:
    """How a lab will be carried out. ``beside``: all servers live at once, else one at a time.

    ``memory_bytes`` is that of all servers that live at once, ``written_bytes`` what data and
    copies take on the drive. ``start_s`` is what starting all again takes, ``round_s`` one round of
    turns; ``fill_s`` comes once, before.
    """

    asked: Asked
    beside: bool
    memory_bytes: int
    written_bytes: int
    layouts: int
    fill_s: float
    start_s: float
    round_s: float

    @property
    def starts(self) -> int:
        """How many starts of all servers the budget has room for; at least one."""
        of_a_start = self.start_s + ROUNDS_OF_A_START * self.round_s
        return max(1, int((self.asked.budget_s - self.fill_s) / of_a_start))

    @property
    def seconds(self) -> float:
        """How long it takes at most, as far as that is known."""
        least_s = self.fill_s + self.start_s + 2 * self.round_s
        return max(self.asked.budget_s, least_s)


def designed(
    asked: Asked, layouts: Mapping[str, Layout], memory_available_bytes: int | None
) -> LabDesign:
    """How to carry a lab out on a machine; ``layouts`` by variant's name.

    Raises UsageError where not even one of its servers fits the memory.
    """
    needs = [pool_bytes(asked, each) + SERVER_BYTES for each in asked.entrants]
    room = None if memory_available_bytes is None else MEMORY_SHARE * memory_available_bytes
    if room is not None and max(needs) > room:
        raise UsageError(
            f"A server of this lab takes {size(max(needs))}, and {size(room)} may be used: half "
            "of the memory that is free.",
            "Ask for a smaller pool: --pool 256M.",
        )
    beside = room is None or sum(needs) <= room
    each_bytes = data_bytes(asked.load)
    kinds = len(set(layouts.values()))
    copies = len(asked.entrants)
    entrants = len(asked.entrants)
    return LabDesign(
        asked,
        beside=beside,
        memory_bytes=sum(needs) if beside else max(needs),
        written_bytes=(kinds + copies + bool(asked.like)) * (each_bytes + asked.redo_bytes),
        layouts=kinds,
        fill_s=kinds * (2 * START_S + each_bytes / FILL_BYTES_PER_S)
        + copies * each_bytes / COPY_BYTES_PER_S
        + (FIT_S if asked.like else 0.0),
        start_s=entrants * (START_S + WARM_LIMIT_S / 2 + (2 * LIKE_WARM_S if asked.like else 0.0)),
        round_s=entrants * len(asked.levels) * (asked.settle_s + asked.turn_s),
    )


def planned(design: LabDesign, directories: Sequence[str], live: str) -> tuple[str, ...]:
    """What will be done, for people; ``live`` says what a live server's drive does now."""
    asked = design.asked
    names = listed([each.name for each in asked.variants])
    at_once = (
        "all live at once, one works while the others are frozen"
        if design.beside
        else "started one at a time, in random order: memory does not suffice for all"
    )
    connections = listed([str(level) for level in asked.levels])
    return (
        f"Variants: {names}; the first once more, to see how unlike two equal servers are.",
        f"Servers: {len(asked.entrants)} of our own, {at_once}. No network, no live data.",
        f"Load: {connections} connections: {load_words(asked.load)}; in turns of "
        f"{seconds(asked.turn_s)}.",
        *_like(asked),
        f"Takes: {seconds(design.seconds)} at most, of which {seconds(round(design.fill_s))} "
        f"to make the data; {size(design.memory_bytes)} of memory; "
        f"{size(design.written_bytes)} in {listed(directories)}.",
        *([live] if live else []),
    )


def _like(asked: Asked) -> tuple[str, ...]:
    """Whose load it is like, how much smaller, and that it is not fitted yet."""
    if asked.like is None:
        return ()
    return (
        f"That is a load like that of {asked.like.source}{at_its_size(asked)}, by arithmetic: keys "
        "and thinking are fitted on a throwaway server first. The other settings that decide how "
        "pages are flushed are the server's own; its binary log and its replicas are left out.",
    )


def at_its_size(asked: Asked) -> str:
    """`` at 1/32 of its size``: how the base's pool compares to the watched server's."""
    times = scale(asked.like, pool_bytes(asked, asked.base)) if asked.like else 1.0
    if 0.9 < times < 1.1:
        return ""
    return f" at 1/{1 / times:.3g} of its size" if times < 1 else f" at {times:.3g} times its size"
