"""Words for what a lab will do, what its clients do, and why it has to end early."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.lab.asked import Asked
from advisor.lab.design import LabDesign
from advisor.lab.effects.contrasts import LEAST_ROUNDS
from advisor.lab.effects.ending import LEAST_STARTS
from advisor.lab.like import scale
from advisor.lab.lines import pool_bytes
from advisor.lab.record import Record
from probes.figures import count, counted, duration_us, listed, percent, seconds, size
from probes.lab.data import data_bytes
from probes.lab.variant import Keys, LabLoad, LoadKind, Mix

PlanRows = tuple[tuple[str, str], ...]
"""Headings, each with its sentence."""


def planned(design: LabDesign, directories: Sequence[str], live: str) -> PlanRows:
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
        ("Variants", f"{names}; the first once more, to see how unlike two equal servers are."),
        ("Servers", f"{len(asked.entrants)} of our own, {at_once}. No network, no live data."),
        (
            "Load",
            f"{connections} connections: {load_words(asked.load, asked.data_from)}; in turns of "
            f"{seconds(asked.turn_s)}.",
        ),
        *_like(asked),
        (
            "Takes",
            f"{seconds(design.seconds)} at most, of which {seconds(round(design.fill_s))} "
            f"to make the data; {size(design.memory_bytes)} of memory; "
            f"{size(design.written_bytes)} in {listed(directories)}.",
        ),
        ("Expects to see", _expecting(design)),
        *([("Beside it", live)] if live else []),
    )


def _expecting(design: LabDesign) -> str:
    """The smallest difference that it will see, or that its budget is exceeded."""
    budget_s = design.asked.budget_s
    if design.least_difference is not None:
        least = percent(round(design.least_difference, 2))
        return f"differences from about {least} on, where the machine is as steady as usual."
    start_s = design.start_s + design.rounds_of_a_start * design.round_s
    enough_s = round(design.fill_s + LEAST_STARTS * start_s)
    return (
        f"little. {seconds(budget_s)} is too short: the lab ends after one start "
        f"of {LEAST_ROUNDS} rounds. {seconds(enough_s)} has time for {LEAST_STARTS} starts."
    )


def _like(asked: Asked) -> PlanRows:
    """Whose load it is like, how much smaller, and that it is not fitted yet."""
    if asked.like is None:
        return ()
    sentence = (
        f"that of {asked.like.source}{at_its_size(asked)}, by arithmetic: keys and thinking are "
        "fitted on a throwaway server first. The other settings that decide how pages are flushed "
        "are the server's own; its binary log and its replicas are left out."
    )
    return (("Like", sentence),)


def at_its_size(asked: Asked) -> str:
    """`` at 1/32 of its size``: how the base's pool compares to the watched server's."""
    times = scale(asked.like, pool_bytes(asked, asked.base)) if asked.like else 1.0
    if 0.9 < times < 1.1:
        return ""
    return f" at 1/{1 / times:.3g} of its size" if times < 1 else f" at {times:.3g} times its size"


def load_words(load: LabLoad, data_from: str = "") -> str:
    """What the clients do, and with how much data; ``data_from`` is where these are copied from."""
    data = size(data_bytes(load))
    name = load.script or load.kind.value
    if data_from:
        return (
            f"{name} on the largest table with a single integer primary key in copies of "
            f"{data_from} ({data}), {load.keys.value} keys"
        )
    if load.warehouses:
        return f"{name}, {counted(load.warehouses, 'warehouse')}, about {data}"
    if load.kind is LoadKind.MIX:
        name = _mix_words(load.mix)
    keys = f"{load.keys.value} keys"
    if load.keys is Keys.HOT:
        keys = f"{_percent(load.hot.share)} of the keys among the first {_percent(load.hot.keys)}"
    think = f", {duration_us(load.think_us)} of thinking each" if load.think_us else ""
    return f"{name}, {data} of rows, {keys}{think}"


def _percent(share: float) -> str:
    return f"{100 * share:.3g}\u202f%"


def _mix_words(mix: Mix) -> str:
    """What a transaction consists of."""
    ranges = mix.ranges + mix.sums + mix.sorted + mix.distinct
    parts = (
        (mix.points, "rows by key"),
        (ranges, f"ranges of {count(mix.range_rows)} rows"),
        (mix.updates, "updates"),
        (mix.index_updates, "updates of an index"),
        (mix.replaced, "rows deleted and put back"),
    )
    if not mix.begin:
        whole = sum(times for times, _ in parts)
        named = [f"{_percent(times / whole)} {what}" for times, what in parts if times]
        return f"single statements: {listed(named)}"
    return f"transactions of {listed([f'{times:.3g} {what}' for times, what in parts if times])}"


def alone(record: Record) -> str | None:
    """Why a lab has to end early, where too many of its variants were left out; None: it has not.

    The base's twin counts as none: with the base alone it answers nothing.
    """
    names = [each.name for each in record.asked.variants]
    left = [name for name in names if name not in record.dropped]
    if names[0] not in left:
        why = f"the others are held against {names[0]}, which was left out"
        return f"The lab ends early: {why}. {record.dropped[names[0]]}"
    if len(left) > 1:
        return None
    reasons = [f"{name}: {record.dropped[name]}" for name in names[1:]]
    return f"The lab ends early: of its variants only {names[0]} works. {' '.join(reasons)}"
