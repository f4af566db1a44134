"""What a server may come to while a value is tried, by what it did before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from advisor.trial.mix import mean_us
from probes.trial.block import work_between
from probes.trial.guard import GuardLimits
from probes.trial.work import Counters, StatementWork

TIMES = 2.0
"""A statement may take twice as long as before (our choice), and half as long again as in the
slowest second of it."""

ABOVE_SLOWEST = 1.5
MORE_THREADS, MORE_WAITS = 16, 32
"""That many threads at work, or row locks waited for, are no alarm on any server (our choice)."""

LEAST_RATE = 0.05
"""A server that does a twentieth of what it did, with threads at work, stands still."""


def limits_of(looks: Sequence[Counters]) -> GuardLimits:
    """Limits by a look at the server without any change; ``looks`` has two moments at least."""
    whole = work_between(looks[0], looks[-1])
    seconds = looks[-1].at_s - looks[0].at_s
    slowest = max(mean_us(each) for each in _seconds_of(looks))
    running = max(each.status.get("Threads_running", 0.0) for each in looks)
    waits = max(each.status.get("Innodb_row_lock_current_waits", 0.0) for each in looks)
    rate = sum(each.count for each in whole.values()) / seconds
    return GuardLimits(
        time_us=max(TIMES * mean_us(whole), ABOVE_SLOWEST * slowest),
        threads_running=max(2 * running, running + MORE_THREADS),
        row_lock_waits=max(2 * waits, waits + MORE_WAITS),
        statements_per_s=LEAST_RATE * rate,
    )


def raised(limits: GuardLimits, old_us: float) -> GuardLimits:
    """The same where statements take longer with the old value, too: the load has grown."""
    return replace(limits, time_us=max(limits.time_us, TIMES * old_us))


def _seconds_of(looks: Sequence[Counters]) -> list[dict[str, StatementWork]]:
    """The work of each second, or of the shortest stretches that are longer."""
    found = []
    begin = looks[0]
    for look in looks[1:]:
        if look.at_s - begin.at_s >= 1:
            found.append(work_between(begin, look))
            begin = look
    return found or [work_between(looks[0], looks[-1])]
