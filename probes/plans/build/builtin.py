"""The plans that ship: quick, standard and thorough, each for the kinds that are asked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from probes.errors import UsageError
from probes.kinds.kind import CHECK_KINDS, Kind
from probes.plans.build.buffers import BufferChoice
from probes.plans.build.checking import check
from probes.plans.build.deciding import in_short_points
from probes.plans.file_sets import file_sets_for
from probes.plans.patterns import Pattern, server_flush_per_s, settings
from probes.plans.plan import Guard, Plan, PlanName, Step
from probes.plans.shapes import GIB, KIB, MIB, SHAPES, Shape
from probes.plans.spend.expected import timed
from probes.plans.wishes import Wishes
from probes.points import PAGE_BYTES, Buffers, Probe, Setting

__all__ = ["GIB", "KIB", "MIB", "SHAPES", "make_plan"]

SLOWER = {Probe.PAGE_FLUSH: 1.5, Probe.MIXED: 1.5}
"""Probes of long operations (a batch takes dozens of ms) get longer caps."""

AS_SHIPPED = Wishes()
ORDINARY = BufferChoice()

CROSS_LEVELS = (1, 16, 64)
"""The levels that a second engine measures again."""


def make_plan(
    name: PlanName,
    *,
    directory: str,
    redo_directory: str = "",
    kinds: frozenset[Kind] = CHECK_KINDS,
    working_sets: tuple[str, ...] = (),
    sandbox: bool = False,
    max_connections: int | None = None,
    wishes: Wishes = AS_SHIPPED,
    buffers: BufferChoice = ORDINARY,
    pages_written_per_s: float | None = None,
) -> Plan:
    """Build a plan for one directory and, where there is a server, its working sets.

    ``directory`` may be "" when no drive can be reached; ``redo_directory`` is one on the drive of
    the server's redo log, where that is another. ``max_connections`` caps the concurrency
    of primary-key lookups on a server that others use. ``buffers`` is how blocks lie in memory.
    ``pages_written_per_s`` is what the server flushes itself, None where that is not known.
    Space is not looked at here (see ``fit_space``). Raises UsageError for wishes that can't be met.
    """
    check(kinds, wishes, working_sets)
    shape = SHAPES[name]
    own_per_s = server_flush_per_s(pages_written_per_s)
    pattern = Pattern(
        shape,
        directory,
        wishes,
        working_sets,
        max_connections,
        redo_directory,
        _compared(buffers, wishes),
        own_per_s,
    )
    chosen = _distinct(
        setting
        for kind in Kind
        if kind in kinds and (directory or kind is Kind.MYSQL)
        for setting in settings(kind, pattern)
    )
    # Reads find what no write has touched, whichever kinds are asked for.
    chosen.sort(key=lambda setting: setting.probe is not Probe.RANDOM_READ)
    if not chosen and wishes != AS_SHIPPED:
        raise UsageError(
            "What was asked for leaves nothing to measure.",
            "Name other levels, sizes or probes; redo takes up to 64 committers, flushes up to 64 "
            "cleaners and pages of 4 to 64 KiB.",
        )
    plan = Plan(
        name=name,
        file_sets=file_sets_for(chosen, shape),
        steps=tuple(_step(setting, shape, wishes) for setting in chosen),
        seconds=0.0,
        sandbox=sandbox,
        table_bytes=shape.table_bytes if sandbox else 0,
        adaptive=_is_adaptive(kinds, wishes),
        budget=wishes.budget,
        guard=_guard(wishes),
        engine=wishes.engine,
        cross_engine=wishes.cross_engine,
        cross_steps=_cross_steps(chosen) if wishes.cross_engine else (),
        io_priority=wishes.io_priority,
        buffers=buffers.kind.value if directory else "",
        buffers_because=buffers.because if directory else "",
        server_flush_per_s=own_per_s if directory else 0.0,
    )
    return timed(in_short_points(plan) if wishes.deciding else plan)


def _compared(buffers: BufferChoice, wishes: Wishes) -> tuple[Buffers, ...]:
    """The kinds that are measured beside each other; no engine but the agent has both."""
    if buffers.other is None or wishes.engine != "agent":
        return ()
    return (buffers.kind, buffers.other)


def _is_adaptive(kinds: frozenset[Kind], wishes: Wishes) -> bool:
    """Whether levels may be left out: none of those that a user named.

    A mixture's rates of flushing can't be named, and most of them tell nothing on a given drive.
    """
    if wishes.every_level:
        return False
    return not wishes.threads or kinds == {Kind.MIXED}


def _distinct(chosen: Iterable[Setting]) -> list[Setting]:
    """Each setting once: mixed shares its reads and flushes with other kinds."""
    found: dict[object, Setting] = {}
    for setting in chosen:
        found.setdefault((setting.curve_key, setting.threads), setting)
    return list(found.values())


def _step(setting: Setting, shape: Shape, wishes: Wishes) -> Step:
    precision = shape.precision.to(wishes.within)
    if setting.probe is Probe.STEADY_WRITE:
        limit = wishes.budget.written_bytes or shape.steady_bytes
        seconds = wishes.budget.seconds or shape.steady_s
        return Step(setting, seconds, 0.0, byte_limit=limit)
    cap_s = precision.cap_s * SLOWER.get(setting.probe, 1.0)
    return Step(setting, cap_s, precision.warmup_s, precision.within, precision.least_s)


def _guard(wishes: Wishes) -> Guard | None:
    if wishes.guard is None or not wishes.budget.added_us:
        return wishes.guard
    return replace(wishes.guard, added_us=wishes.budget.added_us)


def _cross_steps(chosen: list[Setting]) -> tuple[int, ...]:
    """A few points of each curve that other engines can measure, of usual options alone."""
    return tuple(
        index
        for index, setting in enumerate(chosen)
        if setting.threads in CROSS_LEVELS and _is_plain(setting)
    )


def _is_plain(setting: Setting) -> bool:
    match setting.probe:
        case Probe.RANDOM_READ | Probe.RANDOM_WRITE:
            return not setting.options and setting.block_size_bytes == PAGE_BYTES
        case Probe.REDO_SYNC:
            return setting.threads == 1 and set(setting.options) == {"sync"}
        case Probe.POINT_SELECT:
            return True
        case _:
            return False
