"""The free-space floor: a plan never fills the disk that a server lives on."""

from __future__ import annotations

from dataclasses import replace

from probes.errors import NotEnoughSpace
from probes.figures import size
from probes.plans.extra import LOG_BYTES, extra_files
from probes.plans.plan import Plan
from probes.plans.shapes import GIB, KIB, MIB
from probes.plans.spend.expected import timed

SANDBOX_EXTRA_BYTES = 448 * MIB
"""What a throwaway server needs beside its table: system tables, redo, undo, temporary space."""

SMALLEST_SET_BYTES = 64 * MIB
SMALLEST_TABLE_BYTES = 192 * MIB
"""Three times the throwaway server's buffer pool: below that its reads would mostly hit."""


def floor_bytes(size_bytes: int) -> int:
    """What stays free on a filesystem of ``size_bytes``: 10 %, at least 1 GiB."""
    return max(size_bytes // 10, GIB)


def room_bytes(free_bytes: int, size_bytes: int) -> int:
    """What a plan may take of a filesystem; below 0 where less is free than must stay so."""
    return free_bytes - floor_bytes(size_bytes)


def fit_space(plan: Plan, *, free_bytes: int, size_bytes: int, wished_bytes: int = 0) -> Plan:
    """The plan with files small enough for the floor, and a warning that says so.

    They are made smaller still where ``wished_bytes`` is less than there is room for (0: all of
    it). Raises NotEnoughSpace when even the smallest files would go below the floor.
    """
    room = room_bytes(free_bytes, size_bytes)
    fitted = _fitted(plan, min(room, wished_bytes) if wished_bytes else room)
    if space_bytes(fitted) > room:
        raise NotEnoughSpace(
            f"The plan needs {size(space_bytes(fitted))} in {_directory(plan)} even with its "
            f"smallest files; {size(free_bytes)} are free and {size(floor_bytes(size_bytes))} "
            "must stay free.",
            "Choose a directory with more free space.",
        )
    if fitted == plan:
        return plan
    because = (
        "as there is room for on every drive"
        if wished_bytes and wished_bytes < room
        else f"so that {size(floor_bytes(size_bytes))} stay free"
    )
    warning = (
        f"Smaller files: {size(space_bytes(fitted))} instead of {size(space_bytes(plan))}, "
        f"{because}. A cache below the filesystem is more likely to hold all of them."
    )
    return timed(replace(fitted, warnings=(*plan.warnings, warning)))


def _fitted(plan: Plan, room: int) -> Plan:
    """The plan with files that take no more, or the smallest."""
    fitted = plan
    while space_bytes(fitted) > room:
        smaller = _halve(fitted)
        if smaller == fitted:
            break
        fitted = smaller
    return fitted


def space_bytes(plan: Plan) -> int:
    """All disk space that a plan takes at one time; sparse files take none."""
    extra = extra_files(plan)
    sparse = sum(files.total_bytes for files in plan.file_sets if files.content == "sparse")
    return (
        plan.file_bytes
        - sparse
        + LOG_BYTES * extra.logs
        + extra.doublewrite_bytes
        + SANDBOX_EXTRA_BYTES * plan.sandbox
    )


def _halve(plan: Plan) -> Plan:
    sets = tuple(
        replace(files, bytes_per_file=_half(files.bytes_per_file, files.files))
        for files in plan.file_sets
    )
    if not plan.sandbox:
        return replace(plan, file_sets=sets)
    table_bytes = max(plan.table_bytes // 2, SMALLEST_TABLE_BYTES)
    return replace(plan, file_sets=sets, table_bytes=min(table_bytes, plan.table_bytes))


def _half(bytes_per_file: int, files: int) -> int:
    # Whole 64 KiB blocks, the largest that a probe reads.
    half = max(bytes_per_file // 2, SMALLEST_SET_BYTES // files) // (64 * KIB) * (64 * KIB)
    return min(half, bytes_per_file)


def _directory(plan: Plan) -> str:
    return plan.file_sets[0].directory if plan.file_sets else "the probe directory"
