"""What a trial's guard looks at: each limit with what the server has come to, as a strip."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from app.controllers.asides.trial import LiveTrial
from app.runtime.translation import tr
from probes.figures import UNKNOWN, Say, count, duration_us, rate, size, throughput
from probes.trial.ended import GuardLimit
from probes.trial.guard import GuardLimits

NEAR = 0.8
"""From this share of a limit on it is amber (our choice)."""

AT_WORK = 2.0
"""Threads at work from which on a server that does little counts as standing still."""

_CELLS: tuple[tuple[GuardLimit, str, Say, bool], ...] = (
    (GuardLimit.TIME, "Time per statement", duration_us, True),
    (GuardLimit.THREADS_RUNNING, "Threads at work", count, True),
    (GuardLimit.ROW_LOCK_WAITS, "Row-lock waits", count, True),
    (GuardLimit.STATEMENTS_PER_S, "Statements", rate, False),
    (GuardLimit.ERRORS, "Failing statements", rate, True),
    (GuardLimit.ABORTED, "Cut connections", rate, True),
    (GuardLimit.AVAILABLE, "Memory left", size, False),
    (GuardLimit.FREE, "Room left", size, False),
    (GuardLimit.SWAPPED, "Going to swap", throughput, True),
)
"""Each limit with its name, how its figures are written, and whether it is a most or a least."""


@dataclass(frozen=True, slots=True)
class GuardCell:
    """One limit: its name, what the server has come to and may come to.

    ``share`` is how much of the way to the limit is gone (0..1), ``tone`` good, warn or bad; quiet
    while nothing was seen.
    """

    name: str
    now: str
    limit: str
    share: float
    tone: str

    @property
    def text(self) -> str:
        """All of it in a line."""
        return f"{self.name}: {self.now} {self.limit}"


def guard_cells(trial: LiveTrial) -> tuple[GuardCell, ...]:
    """The strip of a trial; nothing where nobody guards, or it is over."""
    if trial.planned is None or trial.over:
        return ()
    if trial.beat is not None:
        return tuple(_cells(trial.beat.limits, trial.beat.seen))
    return tuple(_cells(trial.planned.limits, {}))


def _cells(limits: GuardLimits, seen: Mapping[GuardLimit, float]) -> Iterator[GuardCell]:
    idle = seen.get(GuardLimit.THREADS_RUNNING, 0.0) < AT_WORK
    for limit, name, say, is_most in _CELLS:
        allowed, now = limits.of(limit), seen.get(limit)
        if allowed <= 0:
            continue
        words = tr("of {limit}", limit=say(allowed))
        if not is_most:
            words = tr("least {limit}", limit=say(allowed))
        if now is None:
            yield GuardCell(name, UNKNOWN, words, 0.0, "quiet")
            continue
        gone = now / allowed if is_most else allowed / now if now > 0 else 1.0
        tone = "good" if gone < NEAR else "warn" if gone < 1 else "bad"
        if limit is GuardLimit.STATEMENTS_PER_S and idle:
            # A server of which nobody wants anything may do nothing.
            tone = "good"
        yield GuardCell(name, say(now), words, min(gone, 1.0), tone)
