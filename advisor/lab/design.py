"""What a lab will take, before it starts: servers, bytes, memory, seconds, the least difference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from advisor.lab.asked import Asked
from advisor.lab.effects.contrasts import LEAST_ROUNDS
from advisor.lab.effects.ending import Design, best_rounds_per_start, expected
from advisor.lab.like import LIKE_WARM_S
from advisor.lab.lines import pool_bytes
from probes.errors import UsageError
from probes.figures import size
from probes.lab.data import FILLING_REDO_BYTES, data_bytes
from probes.lab.variant import Layout

MIB = 1 << 20

SERVER_BYTES = 350 * MIB
"""What a server takes beside its buffer pool: MySQL 8.0 with its Performance Schema (measured)."""

MEMORY_SHARE = 0.5
"""Of the memory that is free: the rest stays with the machine (our choice)."""

OWN_BYTES = 100 * MIB
"""What a server's own tables, undo and temporary tablespaces take: the most of all versions."""

FREE_SHARE = 0.1
"""Of the file system stays free."""

FILL_BYTES_PER_S = 40 * MIB
COPY_BYTES_PER_S = 300 * MIB
START_S = 8.0
"""Ending and starting servers side by side: four of MySQL 8.0 take 9 to 13 s on two processors that
others use as well (measured); making an empty data directory takes as long."""
WARM_S, WARM_LIMIT_S = 2.5, 12.0
"""How long a variant works before anything counts: as a rule, and at most."""

FIT_STEPS = 5
FIT_S = START_S + WARM_S + FIT_STEPS * 8.0
"""What fitting a load takes: a server's start, and some steps."""


@dataclass(frozen=True)
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

    @cached_property
    def rounds_of_a_start(self) -> int:
        """After how many rounds all are started again: so that the lab sees most in its time."""
        if self.least_s > self.asked.budget_s:
            return LEAST_ROUNDS
        return best_rounds_per_start(self._course(1), self._working_s)

    @property
    def least_difference(self) -> float | None:
        """The smallest difference that it is expected to see, as a share; None where none is.

        How far rounds and starts scatter on this machine is not known before: usual figures count.
        """
        course = self._course(self.rounds_of_a_start)
        return expected(course, course.rounds(self._working_s))

    @property
    def _working_s(self) -> float:
        return max(0.0, self.asked.budget_s - self.fill_s)

    def _course(self, rounds_per_start: int) -> Design:
        return Design(len(self.asked.variants), self.round_s, self.start_s, rounds_per_start)

    @property
    def least_s(self) -> float:
        """How long making the data and one start of three rounds take: less says nothing."""
        return self.fill_s + self.start_s + LEAST_ROUNDS * self.round_s

    @property
    def seconds(self) -> float:
        """How long it takes at most, as far as that is known."""
        return max(self.asked.budget_s, self.least_s)


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
    entrants = len(asked.entrants)
    return LabDesign(
        asked,
        beside=beside,
        memory_bytes=sum(needs) if beside else max(needs),
        written_bytes=kinds * (each_bytes + FILLING_REDO_BYTES + OWN_BYTES)
        + (entrants + bool(asked.like))
        * (each_bytes + max(asked.redo_bytes, FILLING_REDO_BYTES) + OWN_BYTES),
        layouts=kinds,
        fill_s=kinds
        * (2 * START_S + each_bytes / (COPY_BYTES_PER_S if asked.data_from else FILL_BYTES_PER_S))
        + entrants * each_bytes / COPY_BYTES_PER_S
        + (FIT_S if asked.like else 0.0),
        start_s=START_S * (1 if beside else entrants)
        + entrants * (WARM_S + (2 * LIKE_WARM_S if asked.like else 0.0)),
        round_s=entrants * len(asked.levels) * (asked.settle_s + asked.turn_s),
    )
