"""The plans that ship: quick, standard and thorough."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from probes.plans.plan import FileSet, Plan, PlanName, Step
from probes.points import Probe, Setting

KIB = 1024
MIB = 1024 * KIB
GIB = 1024 * MIB

FILL_BYTES_PER_S = 200 * MIB
"""Assumed speed of writing or reading a file in order: a modest cloud volume or a hard disk."""

SANDBOX_START_S = 6.0
"""Time to make and start a throwaway server, generously."""

TABLE_BYTES_PER_S = 24 * MIB
"""Assumed speed of filling the throwaway server's table."""

SANDBOX_EXTRA_BYTES = 448 * MIB
"""What a throwaway server needs beside its table: system tables, redo, undo, temporary space."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What makes one plan differ from another; sizes in bytes, times in seconds."""

    seconds: float
    warmup_s: float
    file_bytes: int
    many_bytes: int
    read_sizes: tuple[int, ...]
    read_threads: tuple[int, ...]
    write_sizes: tuple[int, ...]
    write_threads: tuple[int, ...]
    many_threads: tuple[int, ...]
    redo_sizes: tuple[int, ...]
    redo_sync_sizes: tuple[int, ...]
    connections: tuple[int, ...]
    table_bytes: int


def _powers(highest: int) -> tuple[int, ...]:
    return tuple(1 << exponent for exponent in range(highest.bit_length()))


SHAPES = {
    PlanName.QUICK: Shape(
        seconds=1.0,
        warmup_s=0.2,
        file_bytes=GIB,
        many_bytes=256 * MIB,
        read_sizes=(4 * KIB, 8 * KIB, 16 * KIB),
        read_threads=(1, 2, 4, 8, 16, 32, 64),
        write_sizes=(16 * KIB,),
        write_threads=(1, 4, 16, 64),
        many_threads=(1, 16, 64),
        redo_sizes=(512, 4 * KIB, 16 * KIB),
        redo_sync_sizes=(4 * KIB,),
        connections=(1, 4, 16, 64),
        table_bytes=256 * MIB,
    ),
    PlanName.STANDARD: Shape(
        seconds=3.3,
        warmup_s=0.4,
        file_bytes=2 * GIB,
        many_bytes=512 * MIB,
        read_sizes=(4 * KIB, 8 * KIB, 16 * KIB),
        read_threads=_powers(256),
        write_sizes=(16 * KIB,),
        write_threads=(1, 4, 16, 64, 128),
        many_threads=(1, 4, 16, 64),
        redo_sizes=(512, KIB, 4 * KIB, 8 * KIB, 16 * KIB),
        redo_sync_sizes=(512, 4 * KIB),
        connections=_powers(128),
        table_bytes=384 * MIB,
    ),
    PlanName.THOROUGH: Shape(
        seconds=12.5,
        warmup_s=1.0,
        file_bytes=8 * GIB,
        many_bytes=2 * GIB,
        read_sizes=tuple(size * KIB for size in (4, 8, 16, 32, 64)),
        read_threads=_powers(1024),
        write_sizes=(4 * KIB, 8 * KIB, 16 * KIB),
        write_threads=(1, 4, 16, 64, 256),
        many_threads=(1, 4, 16, 64, 256),
        redo_sizes=(512, KIB, 2 * KIB, 4 * KIB, 8 * KIB, 16 * KIB),
        redo_sync_sizes=(512, 4 * KIB, 16 * KIB),
        connections=_powers(512),
        table_bytes=GIB,
    ),
}

MANY_FILES = 16


def _storage_settings(shape: Shape, directory: str) -> Iterator[Setting]:
    for size in shape.read_sizes:
        for threads in shape.read_threads:
            yield Setting(Probe.RANDOM_READ, threads, size, 1, directory)
    for size in shape.write_sizes:
        for threads in shape.write_threads:
            yield Setting(Probe.RANDOM_WRITE, threads, size, 1, directory)
    for size in shape.write_sizes:
        for threads in shape.many_threads:
            yield Setting(Probe.RANDOM_WRITE, threads, size, MANY_FILES, directory)
    for size in shape.redo_sizes:
        yield Setting(Probe.REDO_SYNC, 1, size, 1, directory, {"sync": "fdatasync"})
    for sync in ("fsync", "o_dsync"):
        for size in shape.redo_sync_sizes:
            yield Setting(Probe.REDO_SYNC, 1, size, 1, directory, {"sync": sync})


def _select_settings(shape: Shape, working_sets: tuple[str, ...]) -> Iterator[Setting]:
    for working_set in working_sets:
        for threads in shape.connections:
            options = {"protocol": "prepared", "working_set": working_set}
            yield Setting(Probe.POINT_SELECT, threads, options=options)


def make_plan(
    name: PlanName,
    *,
    directory: str,
    working_sets: tuple[str, ...] = (),
    sandbox: bool = False,
    max_connections: int | None = None,
) -> Plan:
    """Build a plan for one directory and, where there is a server, its working sets.

    ``directory`` may be "" when no drive can be reached; ``max_connections`` caps the concurrency
    of point selects on a server that others use. Space is not looked at here (see ``fit_space``).
    """
    shape = SHAPES[name]
    storage = list(_storage_settings(shape, directory)) if directory else []
    selects = [
        setting
        for setting in _select_settings(shape, working_sets)
        if max_connections is None or setting.threads <= max_connections
    ]
    file_sets = (
        (FileSet(directory, 1, shape.file_bytes), _many(directory, shape.many_bytes))
        if directory
        else ()
    )
    plan = Plan(
        name=name,
        file_sets=file_sets,
        steps=tuple(Step(setting, shape.seconds, shape.warmup_s) for setting in storage + selects),
        seconds=0.0,
        sandbox=sandbox,
        table_bytes=shape.table_bytes if sandbox else 0,
    )
    return timed(plan)


def _many(directory: str, total_bytes: int) -> FileSet:
    return FileSet(directory, MANY_FILES, total_bytes // MANY_FILES)


def timed(plan: Plan) -> Plan:
    """The same plan with its length computed: each set written and read once, then every step."""
    seconds = sum(step.seconds + step.warmup_s for step in plan.steps)
    seconds += fill_seconds(plan)
    if plan.sandbox:
        seconds += SANDBOX_START_S + plan.table_bytes / TABLE_BYTES_PER_S
    return Plan(
        plan.name,
        plan.file_sets,
        plan.steps,
        seconds,
        plan.sandbox,
        plan.table_bytes,
        plan.warnings,
    )


def fill_seconds(plan: Plan) -> float:
    """How long the file sets take to be written and read once, at the assumed speed."""
    return 2 * sum(files.total_bytes for files in plan.file_sets) / FILL_BYTES_PER_S
