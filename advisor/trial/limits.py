"""What a server may come to while a value is tried, by what it did before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import sqrt

from advisor.trial.mix import mean_us
from probes.trial.block import work_between
from probes.trial.counters import ABORTED, ERRORS
from probes.trial.ended import GuardLimit, LimitPassed
from probes.trial.guard import GuardLimits, MachineRoom
from probes.trial.work import Counters

TIMES = 2.0
"""A statement may take twice as long as before (our choice), and half as long again as in the
slowest second of it."""

ABOVE_SLOWEST = 1.5
_WIDENED = {
    GuardLimit.TIME: "time_us",
    GuardLimit.THREADS_RUNNING: "threads_running",
    GuardLimit.ROW_LOCK_WAITS: "row_lock_waits",
}
BY_CHANCE = 3.0
"""That many standard deviations of counted threads are none of the value's doing (our choice)."""

MORE_THREADS, MORE_WAITS = 16, 32
"""That many threads at work, or row locks waited for, are no alarm on any server (our choice)."""

MORE_ERRORS_PER_S, MORE_ABORTED_PER_S = 20.0, 5.0
"""That many more statements that fail, or connections that are cut, are none either."""

SWAPPED_BYTES_PER_S = 16.0 * (1 << 20)
"""A machine that writes as much of its memory to swap has too little of it (our choice)."""

LEAST_LEFT = 0.05
"""Of the memory, and of the fullest volume, a twentieth is left, or half of what there was."""

LEAST_RATE = 0.05
"""A server that does a twentieth of what it did, with threads at work, stands still."""


def limits_of(looks: Sequence[Counters], counted_s: float = 0.0) -> GuardLimits:
    """Limits by a look at the server without any change; ``looks`` has two moments at least.

    ``counted_s`` is the time between two counts of threads at work, where there are no sums of the
    statements' time.
    """
    whole = work_between(looks[0], looks[-1])
    seconds = looks[-1].at_s - looks[0].at_s
    stretches = list(_stretches(looks))
    slowest = max(mean_us(work_between(*each)) for each in stretches)
    running = max(each.status.get("Threads_running", 0.0) for each in looks)
    waits = max(each.status.get("Innodb_row_lock_current_waits", 0.0) for each in looks)
    rate = sum(each.count for each in whole.values()) / seconds
    longest_us = max(TIMES * mean_us(whole), ABOVE_SLOWEST * slowest)
    return GuardLimits(
        time_us=longest_us + _by_chance_us(longest_us, rate, counted_s),
        threads_running=max(2 * running, running + MORE_THREADS),
        row_lock_waits=max(2 * waits, waits + MORE_WAITS),
        statements_per_s=LEAST_RATE * rate,
        errors_per_s=_most(stretches, (ERRORS,), MORE_ERRORS_PER_S),
        aborted_per_s=_most(stretches, ABORTED, MORE_ABORTED_PER_S),
    )


def _by_chance_us(time_us: float, rate_per_s: float, counted_s: float) -> float:
    """How much more a second's counts show by chance: they scatter as their square root."""
    busy_s = time_us * 1e-6 * rate_per_s
    return BY_CHANCE * sqrt(busy_s * counted_s) / rate_per_s * 1e6 if rate_per_s > 0 else 0.0


def with_room(limits: GuardLimits, room: MachineRoom | None) -> GuardLimits:
    """The same with what the server's machine is to keep; ``room`` is what it has before."""
    if room is None:
        return limits
    return replace(
        limits,
        swapped_bytes_per_s=SWAPPED_BYTES_PER_S,
        available_bytes=min(LEAST_LEFT * room.memory_bytes, room.available_bytes / 2),
        free_bytes=min(LEAST_LEFT * room.volume_bytes, room.free_bytes / 2),
    )


def raised(limits: GuardLimits, old_us: float) -> GuardLimits:
    """The same where statements take longer with the old value, too: the load has grown."""
    return replace(limits, time_us=max(limits.time_us, TIMES * old_us))


def widened(limits: GuardLimits, passed: LimitPassed) -> GuardLimits:
    """The same where the old values have passed one: half as much again is no doing of the new."""
    name = _WIDENED.get(passed.limit)
    return replace(limits, **{name: ABOVE_SLOWEST * passed.seen}) if name is not None else limits


def _most(
    stretches: Sequence[tuple[Counters, Counters]], names: Sequence[str], more: float
) -> float:
    """What may come a second of what these sums count: twice the most that came, or ``more``."""
    most = max(
        sum(end.status.get(name, 0.0) - begin.status.get(name, 0.0) for name in names)
        / (end.at_s - begin.at_s)
        for begin, end in stretches
    )
    return max(2 * most, most + more)


def _stretches(looks: Sequence[Counters]) -> Iterator[tuple[Counters, Counters]]:
    """The ends of each second, or of the shortest stretches that are longer."""
    begin, found = looks[0], False
    for look in looks[1:]:
        if look.at_s - begin.at_s >= 1:
            yield begin, look
            begin, found = look, True
    if not found:
        yield looks[0], looks[-1]
