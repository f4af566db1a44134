"""A guard's looks at a server while a value is tried, and which limits these pass.

The agent does the same in Go (probes/agent/internal/trial/guard.go) where it runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from probes.trial.ended import GuardLimit, LimitPassed

TICK_S = 0.25
"""Between two looks."""

WINDOW_S = 1.0
"""Over how much of the past time a limit counts."""

FAR_OVER = 8.0
"""A statement that takes that many times the limit ends a trial after two looks, and what is as far
over is no neighbour's doing (our choice)."""

FEWEST_STATEMENTS = 20
"""That many show how long one takes."""

BEAT_S = 1.0
"""Between two reports of what was seen."""

UNANSWERED_S = 1.0
"""How long the server may take to say how it fares."""


_BY_OTHERS = (GuardLimit.TIME, GuardLimit.THREADS_RUNNING, GuardLimit.ROW_LOCK_WAITS)


@dataclass(frozen=True, slots=True)
class GuardLimits:
    """What the server may come to while a value is tried; 0 is none.

    ``time_us`` is the mean time of a statement; ``statements_per_s`` the least that the server does
    while threads are at work. ``errors_per_s`` are statements that fail, ``aborted_per_s``
    connections that are cut or refused. The last three are of the server's machine, where the agent
    sees it: what goes to swap, and the memory and the room on the fullest volume that are to be
    left at least.
    """

    time_us: float = 0.0
    threads_running: float = 0.0
    row_lock_waits: float = 0.0
    statements_per_s: float = 0.0
    errors_per_s: float = 0.0
    aborted_per_s: float = 0.0
    swapped_bytes_per_s: float = 0.0
    available_bytes: float = 0.0
    free_bytes: float = 0.0

    def of(self, limit: GuardLimit) -> float:
        """One of them, in its own unit; 0 for none."""
        return float(getattr(self, limit.figure, 0.0))


@dataclass(frozen=True, slots=True)
class GuardBeat:
    """What a guard has seen of a server over about a second, and what it may come to.

    ``seen`` has the unit of each limit; what is not known is left out.
    """

    seen: Mapping[GuardLimit, float]
    limits: GuardLimits


@dataclass(frozen=True, slots=True)
class MachineRoom:
    """What a machine has, and has left, in bytes; the volume is the fullest. 0: not known."""

    memory_bytes: float
    available_bytes: float
    volume_bytes: float
    free_bytes: float


@dataclass(frozen=True, slots=True)
class GuardLook:
    """What the server said of itself at a moment: sums since its start, and what is now.

    ``busy_s`` is the time of statements; ``threads_running`` is without the one who asks.
    """

    at_s: float
    statements: float
    busy_s: float
    threads_running: float
    row_lock_waits: float
    errors: float = 0.0
    aborted: float = 0.0


def kept_looks(looks: Sequence[GuardLook], seen: GuardLook) -> tuple[GuardLook, ...]:
    """The looks that the window reaches back to, with one more."""
    found = [*looks, seen]
    while len(found) > 2 and seen.at_s - found[1].at_s >= WINDOW_S:
        del found[0]
    return tuple(found)


def seen_over(looks: Sequence[GuardLook]) -> dict[GuardLimit, float]:
    """What looks of a server show together; nothing of fewer than two."""
    if len(looks) < 2:
        return {}
    first, last = looks[0], looks[-1]
    span_s = max(last.at_s - first.at_s, 1e-6)
    return {
        GuardLimit.TIME: _time_us(first, last),
        GuardLimit.THREADS_RUNNING: last.threads_running,
        GuardLimit.ROW_LOCK_WAITS: last.row_lock_waits,
        GuardLimit.STATEMENTS_PER_S: (last.statements - first.statements) / span_s,
        GuardLimit.ERRORS: (last.errors - first.errors) / span_s,
        GuardLimit.ABORTED: (last.aborted - first.aborted) / span_s,
    }


def limit_over(
    looks: Sequence[GuardLook], limits: GuardLimits, since_s: float
) -> LimitPassed | None:
    """A limit that was passed since the new value was set; None as long as there is none."""
    counted = [each for each in looks if each.at_s >= since_s]
    # Two ticks at least: one alone is any hiccup.
    if len(counted) < 2 or (span_s := counted[-1].at_s - counted[0].at_s) < 1.8 * TICK_S:
        return None
    first, last = counted[0], counted[-1]
    earlier = [each for each in counted[:-1] if last.at_s - each.at_s >= 0.8 * TICK_S]
    before = earlier[-1] if earlier else first
    statements = last.statements - first.statements
    if statements >= FEWEST_STATEMENTS and 0 < limits.time_us < (time_us := _time_us(first, last)):
        # A hiccup that is over by now is none of the value's.
        long = span_s >= WINDOW_S - TICK_S / 2 or time_us > FAR_OVER * limits.time_us
        if long and _time_us(before, last) > limits.time_us:
            return LimitPassed(GuardLimit.TIME, time_us, limits.time_us)
    most = limits.threads_running
    if 0 < most < min(before.threads_running, last.threads_running):
        return LimitPassed(GuardLimit.THREADS_RUNNING, last.threads_running, most)
    most = limits.row_lock_waits
    if 0 < most < min(before.row_lock_waits, last.row_lock_waits):
        return LimitPassed(GuardLimit.ROW_LOCK_WAITS, last.row_lock_waits, most)
    per_s = statements / span_s
    waits = span_s >= WINDOW_S - TICK_S and last.threads_running >= 2
    if waits and per_s < limits.statements_per_s:
        return LimitPassed(GuardLimit.STATEMENTS_PER_S, per_s, limits.statements_per_s)
    return _failing(first, before, last, limits) if span_s >= WINDOW_S - TICK_S / 2 else None


def by_others(passed: LimitPassed) -> bool:
    """Whether a neighbour's work may have passed it, too: not far over, and nothing fails."""
    return passed.limit in _BY_OTHERS and passed.seen <= FAR_OVER * passed.most


def _failing(
    first: GuardLook, before: GuardLook, last: GuardLook, limits: GuardLimits
) -> LimitPassed | None:
    """What failed more often within the window than it may, and still fails."""
    span_s = last.at_s - first.at_s
    for limit, most, grown, grows in (
        (
            GuardLimit.ERRORS,
            limits.errors_per_s,
            last.errors - first.errors,
            last.errors > before.errors,
        ),
        (
            GuardLimit.ABORTED,
            limits.aborted_per_s,
            last.aborted - first.aborted,
            last.aborted > before.aborted,
        ),
    ):
        if 0 < most < grown / span_s and grows:
            return LimitPassed(limit, grown / span_s, most)
    return None


def _time_us(first: GuardLook, last: GuardLook) -> float:
    statements = last.statements - first.statements
    return (last.busy_s - first.busy_s) / statements * 1e6 if statements > 0 else 0.0
