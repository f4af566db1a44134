"""The redo log as a ring: how fast it fills, how long it holds, how large it should be."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from probes.statistics.ranges import Range

MIB, GIB = 1 << 20, 1 << 30


@dataclass(frozen=True, slots=True)
class RedoLimits:
    """Where a log's end begins.

    ``usable`` is the share of it that changes may fill before writers have to wait for pages,
    ``late`` the share of that from which on the server flushes for the log alone.
    """

    usable: float
    late: float


LIMITS = RedoLimits(usable=0.8, late=7 / 8)
"""MariaDB shows its limit: 80,819,529 of 100,663,296 bytes, and flushes for the log alone from 7/8
of that on (log0log.cc). MySQL up to 8.0.29 takes nine tenths of nine tenths, and 7/8 of that."""

LIMITS_SINCE_8_0_30 = RedoLimits(usable=0.83, late=14 / 15)
"""MySQL from 8.0.30 on: 30 of 32 files, less a twentieth for its log writer; of that it flushes for
the log alone from 7/8 on, and makes writers flush from 15/16 on (log0files_capacity.cc)."""

SHORT_S, WANTED_S = 15 * 60.0, 3600.0
"""A log that holds less than the first is short, the second is wanted. Our choice."""

SOON_S = SHORT_S / 3
"""A log that is full sooner makes the server write the same pages again and again. Our choice."""

CALM_AGE, LEAST_ENOUGH = 2 / 3, 4 * GIB
"""A log that is made smaller has room for half as much again as waits in it, and 4 GiB at least: a
window seldom is the busiest hour. Our choices."""

WORTH = 1.5
"""A log that would become less than this many times as large stays as it is. Our choice."""


@dataclass(frozen=True, slots=True)
class RedoGrowth:
    """By how many bytes per second the redo log grew over a window of ``seconds``.

    ``exact`` is False where only whole blocks were counted: then it is more than the log's growth.
    ``within`` is what it may truly be, None where it was looked at at both ends alone.
    """

    per_s: float
    seconds: float
    exact: bool
    within: Range | None = None

    def at(self, z: float) -> RedoGrowth:
        """The same ``z`` standard deviations away."""
        return self if self.within is None else replace(self, per_s=self.within.at(z).value)


@dataclass(frozen=True, slots=True)
class RedoLog:
    """A log of ``capacity`` bytes that grows; ``most`` is the largest that it should become.

    ``age`` is the checkpoint age in bytes, None where that is not known. ``step`` is the
    largest that it should become at once, infinite where its growth is known well. ``limit`` is the
    server's own limit on the age in bytes, None where it reports none.
    """

    capacity: float
    growth: RedoGrowth
    age: float | None
    most: float
    limits: RedoLimits = LIMITS
    step: float = math.inf
    limit: float | None = None

    @property
    def usable(self) -> float:
        """The bytes that changes may fill."""
        return self.limits.usable * self.capacity

    @property
    def most_age(self) -> float:
        """The age in bytes at which writers wait: as the server has it, else what may fill."""
        return self.limit or self.usable

    @property
    def late_from(self) -> float:
        """The age in bytes from which on it is late."""
        return self.limits.late * self.most_age

    @property
    def held_s(self) -> float:
        """For how long the log takes its growth without a checkpoint; the growth is above 0."""
        return self.usable / self.growth.per_s

    @property
    def late(self) -> bool:
        """Whether so much waits that the server may soon make writers wait."""
        return self.age is not None and self.age >= self.late_from

    @property
    def behind(self) -> bool:
        """Whether it is late although the log holds all that is wanted: flushing is behind."""
        return self.late and self.held_s >= WANTED_S

    @property
    def short(self) -> bool:
        """Whether the log should be larger."""
        return self.late or self.held_s < SHORT_S

    @property
    def needed(self) -> float:
        """How large the log has to be to hold its growth for an hour."""
        return self.growth.per_s * WANTED_S / self.limits.usable

    @property
    def wanted(self) -> int:
        """The size to give it: what is needed, twice the present one when late, rounded."""
        size = max(self.needed, 2 * self.capacity) if self.late else self.needed
        most = min(self.most, self.step)
        rounded = _round_up(min(size, most))
        return rounded if rounded <= most else _round_down(most)

    @property
    def enough(self) -> int:
        """The size that would do for a log of hours: an hour, and more than waits in it now."""
        waits = (self.age or 0.0) / (CALM_AGE * self.limits.usable)
        return _round_up(max(self.needed, waits, LEAST_ENOUGH))

    @property
    def worth_more(self) -> bool:
        """Whether the size to give it is clearly larger than the present one."""
        return self.wanted >= WORTH * self.capacity


STEPS = ((32 * GIB, 8 * GIB), (12 * GIB, 4 * GIB), (4 * GIB, 2 * GIB), (0.0, GIB))
"""Above a size, the steps that somebody would type: 4, 6 to 12, 16 GiB and so on (our choice)."""

HARDLY_LESS = 7 / 8
"""A round size may be this part of what was computed: 8 and not 10 GiB for 9 (our choice)."""


def _round_up(size: float) -> int:
    """Round up to a power of two of MiB, 128 at least, and from 1 GiB on to what people type."""
    if size >= GIB:
        up = math.ceil(size / _step(size)) * _step(size)
        down = _round_down(size)
        return down if HARDLY_LESS * size <= down < size else up
    return int(MIB * 2 ** math.ceil(math.log2(max(size / MIB, 128))))


def _round_down(size: float) -> int:
    """Round down in the same steps, of GiB alone."""
    step = _step(size)
    return int(size // step) * step


def _step(size: float) -> int:
    return next(step for above, step in STEPS if size > above)


# What commits pay to hand their redo to threads of its own (MySQL from 8.0.22 on).


AS_MEASURED = 4
"""Up to this many CPUs a hand-over surely costs; with more the threads may save as much."""

_TAKES_US = Range(100.0, 50.0, 200.0)
"""With two CPUs a transaction took so much less of the server's processor time without: of 9.7.4
with all data in its pool 109 to 510 µs from 4 and 16 connections, of 8.0.33 with its default pool
74 to 350 from one and 16. The figure and its range are our choice."""


def hand_over_us(cpus: float | None) -> Range:
    """What the hand-over of a commit that changes rows takes of a processor."""
    sure = cpus is not None and cpus <= AS_MEASURED
    return _TAKES_US if sure else _TAKES_US.reaching(low=0.0)
