"""A change in steps: made once, looked at until the server is at rest, kept or taken back."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

from advisor.runs.events import Stage, StageStarted
from advisor.runs.trial.events import TrialEvent
from advisor.runs.trial.kept import KeptTrial
from advisor.runs.trial.looking import Looker
from advisor.runs.trial.watcher import Watcher
from advisor.trial.record import TrialEnd
from advisor.trial.steps.deciding import band_left, end_of_step
from advisor.trial.steps.like_load import at_like_load
from advisor.trial.steps.looks import StepLook, Stepped
from advisor.wording.measured.trial_steps import band_text, step_text
from probes.mysql.connection import MySQLSession
from probes.trial.ended import Break, TrialBroken
from probes.trial.hand import Hand
from probes.trial.resizing import resized
from probes.trial.session_hand import STEP_LIMIT_S
from probes.trial.settings import Side, TriedSetting

POLL_S = 0.25


class Stepping:
    """A change in steps at work; belongs to the thread that made it."""

    def __init__(
        self,
        kept: KeptTrial,
        hand: Hand,
        looker: Looker,
        watcher: Watcher,
        *,
        asking: MySQLSession,
    ) -> None:
        self._kept = kept
        self._hand = hand
        self._looker = looker
        self._watcher = watcher
        self._asking = asking
        (self._one,) = (each for each in kept.record.asked.settings if each.path)
        self.end = TrialEnd.BUDGET

    def run(self, ends_s: float) -> Iterator[TrialEvent]:
        """Make the change until it is decided or the time is up; raises what ends a trial."""
        one = self._one
        yield StageStarted(Stage.PREPARE, f"Looking at the server with {one.name} as it is.")
        before = self._looker.look_before(one.old)
        self._add(before)
        for number in range(len(one.path)):
            yield from self._step(number)
            look = before
            for seen in self._looker.until_rest(one.path[number], ends_s):
                if isinstance(seen, StepLook):
                    look = seen
                else:
                    yield seen
            self._add(look)
            self._watcher.nothing_else()
            if self._smaller:
                yield from self._held(number, before, look)
                if self.end is not TrialEnd.BUDGET or time.monotonic() > ends_s:
                    break
            else:
                found = at_like_load(before, look)
                self.end = end_of_step(found, self._kept.record.asked.worth)
        self._end()

    @property
    def _smaller(self) -> bool:
        return int(self._one.new) < int(self._one.old)

    def _step(self, number: int) -> Iterator[TrialEvent]:
        """Set the next value, and wait until the server has it."""
        yield StageStarted(Stage.MEASURE, step_text(self._one, number))
        if number == 0:
            self._watcher.first_set(self._hand)
        else:
            self._hand.set(Side.NEW, number)
        self._resized(self._one.step(number))

    def _resized(self, one: TriedSetting) -> None:
        ends_s = time.monotonic() + STEP_LIMIT_S
        while not resized(self._asking, (one,)):
            self._looker.wait(POLL_S)
            if time.monotonic() > ends_s:
                raise TrialBroken(
                    Break.CHANGED,
                    f"The server has not come to {one.name} = {one.new} within "
                    f"{STEP_LIMIT_S:.0f} s.",
                    "What holds its pages keeps it from that: look for long transactions.",
                )

    def _held(self, number: int, before: StepLook, look: StepLook) -> Iterator[TrialEvent]:
        """See whether a smaller value stays in the band; else go back to the one before."""
        left = band_left(before, look, self._looker.follows)
        if left is None and look.rest_s is not None:
            self._kept_until(look.value)
            if number == len(self._one.path) - 1:
                self.end = TrialEnd.HELD
            return
        if left is not None:
            yield StageStarted(Stage.MEASURE, f"Going back one step: {band_text(left)}.")
        self.end = TrialEnd.LEFT_BAND if left is not None else TrialEnd.UNLIKE
        if number > 0:
            self._hand.set(Side.NEW, number - 1)
            self._resized(self._one.step(number - 1))

    def _end(self) -> None:
        """What held before the budget was spent, or before the band was left, is kept."""
        if self._stepped.kept:
            self.end = TrialEnd.HELD
        elif self.end is TrialEnd.BETTER:
            self._kept_until(self._one.new)

    def _kept_until(self, value: str) -> None:
        self._kept.know(stepped=replace(self._stepped, kept=value))

    def _add(self, look: StepLook) -> None:
        known = self._stepped
        self._kept.know(stepped=replace(known, looks=(*known.looks, look)))

    @property
    def _stepped(self) -> Stepped:
        return self._kept.record.stepped or Stepped(self._looker.follows)
