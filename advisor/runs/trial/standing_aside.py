"""A limit of the guard that a neighbour may have passed: the old values are set, and looked at."""

from __future__ import annotations

from advisor.runs.trial.kept import KeptTrial
from advisor.trial.limits import widened
from advisor.trial.passings import LOOK_S, Passing, goes_on
from probes.trial.ended import LimitPassed, SteppedAside, limit_passed
from probes.trial.hand import Hand
from probes.trial.meter import Meter


class StandingAside:
    """Counts limits that were passed with either value; belongs to one trial that is switched."""

    def __init__(self, kept: KeptTrial, hand: Hand, meter: Meter) -> None:
        self._kept = kept
        self._hand = hand
        self._meter = meter
        self._with_old = 0

    def with_new(self, pair: int, fault: SteppedAside) -> None:
        """The old values are set: look at them. Raises TrialBroken where the trial ends by it."""
        self._meter.wait(max(LOOK_S, self._kept.record.design.block_s))
        over = self._hand.over_old()
        if over is not None:
            self.with_old(over)
        passing = Passing(pair, fault.passed, fault.back_ms, over is not None)
        passings = (*self._kept.record.passings, passing)
        self._kept.know(passings=passings)
        if not goes_on(passings, self._with_old):
            raise limit_passed(fault.passed, fault.back_ms)

    def with_old(self, passed: LimitPassed) -> None:
        """The old values have passed a limit: the server does that without the new ones."""
        self._with_old += 1
        self._kept.know(limits=widened(self._kept.record.limits, passed))
        self._hand.allow(self._kept.record.limits, aside=True)
