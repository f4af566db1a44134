"""Looks at a server before and after a change that is made once, until it has come to rest."""

from __future__ import annotations

import time
from collections.abc import Iterator

from advisor.runs.events import Stage, StageStarted
from advisor.trial.steps.looks import STRETCHES, StepLook, at_rest, followed
from advisor.variables.entry import Follows
from advisor.wording.measured.trial_steps import followed_text
from probes.trial.meter import Meter
from probes.trial.stretch import WorkStretch

REPORTED_EVERY = 5
"""Every that many stretches the front hears how it goes."""


class Looker:
    """Looks at one server; ``look_s`` is how long a look takes at least."""

    def __init__(self, meter: Meter, follows: Follows, look_s: float) -> None:
        self._meter = meter
        self.follows = follows
        self._stretch_s = look_s / STRETCHES
        self.before = StepLook("", ())

    def wait(self, seconds: float) -> None:
        """Let time pass; the guard looks meanwhile."""
        self._meter.wait(seconds)

    def look_before(self, value: str) -> StepLook:
        """One look without any change."""
        stretches = tuple(self._meter.stretch(self._stretch_s) for _ in range(STRETCHES))
        self.before = StepLook(value, stretches)
        return self.before

    def until_rest(self, value: str, ends_s: float) -> Iterator[StageStarted | StepLook]:
        """Look until what the setting follows is flat, or ``ends_s`` has come; the look is last."""
        begin_s = time.monotonic()
        free = self.before.stretches[-1].free_share if self.before.stretches else 0.0
        stretches: list[WorkStretch] = []
        while True:
            stretches.append(self._meter.stretch(self._stretch_s))
            rest = at_rest(stretches, self.follows, free)
            now_s = time.monotonic()
            if rest or (now_s > ends_s and len(stretches) >= STRETCHES):
                yield StepLook(
                    value, tuple(stretches[-STRETCHES:]), now_s - begin_s if rest else None
                )
                return
            if len(stretches) % REPORTED_EVERY == 0:
                pages = followed(stretches[-1], self.follows)
                yield StageStarted(Stage.MEASURE, f"{followed_text(pages, self.follows)}.")
