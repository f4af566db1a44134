"""What makes one plan differ from another: how sure, how long, which levels and sizes."""

from __future__ import annotations

from dataclasses import dataclass

from probes.plans.plan import PlanName

KIB = 1024
MIB = 1024 * KIB
GIB = 1024 * MIB

LONGEST_CAP_S = 60.0
"""However sure a user wants to be: no point takes longer, except where its time is the point."""


@dataclass(frozen=True, slots=True)
class Precision:
    """How sure a point must be (see Step) and within which times, in seconds."""

    within: float
    least_s: float
    cap_s: float
    warmup_s: float

    def to(self, within: float | None) -> Precision:
        """The same for another wish: being twice as sure takes four times as long."""
        if within is None or within <= 0:
            return self
        longer = max(1.0, (self.within / within) ** 2)
        cap_s = max(self.cap_s, min(LONGEST_CAP_S, self.cap_s * longer))
        return Precision(within, self.least_s, cap_s, self.warmup_s)


@dataclass(frozen=True, slots=True)
class Shape:
    """One plan; sizes in bytes. ``threads`` are levels of concurrency, ascending."""

    precision: Precision
    file_bytes: int
    many_bytes: int
    small_bytes: int
    touch_bytes: int
    read_sizes: tuple[int, ...]
    read_threads: tuple[int, ...]
    write_sizes: tuple[int, ...]
    write_threads: tuple[int, ...]
    many_threads: tuple[int, ...]
    small_threads: tuple[int, ...]
    touch_threads: tuple[int, ...]
    redo_sizes: tuple[int, ...]
    redo_sync_sizes: tuple[int, ...]
    committer_sizes: tuple[int, ...]
    committers: tuple[int, ...]
    growing_sizes: tuple[int, ...]
    binlog_committers: tuple[int, ...]
    page_sizes: tuple[int, ...]
    cleaners: tuple[int, ...]
    connections: tuple[int, ...]
    table_bytes: int
    steady_s: float
    steady_bytes: int


def powers(highest: int) -> tuple[int, ...]:
    """1, 2, 4, ... up to ``highest``."""
    return tuple(1 << exponent for exponent in range(highest.bit_length()))


SHAPES = {
    PlanName.QUICK: Shape(
        precision=Precision(within=0.05, least_s=0.4, cap_s=1.2, warmup_s=0.15),
        file_bytes=GIB,
        many_bytes=256 * MIB,
        small_bytes=128 * MIB,
        touch_bytes=192 * MIB,
        read_sizes=(4 * KIB, 8 * KIB, 16 * KIB),
        read_threads=powers(256),
        write_sizes=(16 * KIB,),
        write_threads=(1, 4, 16, 64),
        many_threads=(16, 64),
        small_threads=(1, 16),
        touch_threads=(1,),
        redo_sizes=(512, 4 * KIB, 16 * KIB),
        redo_sync_sizes=(4 * KIB,),
        committer_sizes=(512,),
        committers=(4, 16, 64),
        growing_sizes=(512,),
        binlog_committers=(1,),
        page_sizes=(16 * KIB,),
        cleaners=(1, 4),
        connections=(1, 4, 16, 64),
        table_bytes=256 * MIB,
        steady_s=60.0,
        steady_bytes=16 * GIB,
    ),
    PlanName.STANDARD: Shape(
        precision=Precision(within=0.03, least_s=1.0, cap_s=4.8, warmup_s=0.3),
        file_bytes=2 * GIB,
        many_bytes=512 * MIB,
        small_bytes=128 * MIB,
        touch_bytes=256 * MIB,
        read_sizes=(4 * KIB, 8 * KIB, 16 * KIB),
        read_threads=powers(1024),
        write_sizes=(16 * KIB,),
        write_threads=powers(256),
        many_threads=(1, 4, 16, 64),
        small_threads=(1, 16, 64),
        touch_threads=(1, 16),
        redo_sizes=(512, KIB, 4 * KIB, 8 * KIB, 16 * KIB),
        redo_sync_sizes=(512, 4 * KIB),
        committer_sizes=(512, 4 * KIB),
        committers=(2, 4, 8, 16, 32, 64),
        growing_sizes=(512, 4 * KIB),
        binlog_committers=(1, 16),
        page_sizes=(16 * KIB,),
        cleaners=(1, 4),
        connections=powers(128),
        table_bytes=384 * MIB,
        steady_s=300.0,
        steady_bytes=128 * GIB,
    ),
    PlanName.THOROUGH: Shape(
        precision=Precision(within=0.015, least_s=3.0, cap_s=23.5, warmup_s=1.0),
        file_bytes=8 * GIB,
        many_bytes=2 * GIB,
        small_bytes=128 * MIB,
        touch_bytes=512 * MIB,
        read_sizes=tuple(size * KIB for size in (4, 8, 16, 32, 64)),
        read_threads=powers(1024),
        write_sizes=(4 * KIB, 8 * KIB, 16 * KIB),
        write_threads=powers(256),
        many_threads=(1, 4, 16, 64, 256),
        small_threads=(1, 4, 16, 64),
        touch_threads=(1, 16),
        redo_sizes=(512, KIB, 2 * KIB, 4 * KIB, 8 * KIB, 16 * KIB, 64 * KIB),
        redo_sync_sizes=(512, 4 * KIB, 16 * KIB),
        committer_sizes=(512, 4 * KIB),
        committers=(2, 4, 8, 16, 32, 64),
        growing_sizes=(512, 4 * KIB),
        binlog_committers=(1, 4, 16, 64),
        page_sizes=(4 * KIB, 8 * KIB, 16 * KIB),
        cleaners=(1, 4),
        connections=powers(512),
        table_bytes=GIB,
        steady_s=1800.0,
        steady_bytes=1024 * GIB,
    ),
}
