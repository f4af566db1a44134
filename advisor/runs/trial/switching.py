"""The blocks of a trial, pair by pair, until its test is decided."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

from advisor.runs.trial.events import PairDone, SettlingLonger, TrialEvent
from advisor.runs.trial.kept import KeptTrial
from advisor.runs.trial.standing_aside import StandingAside
from advisor.runs.trial.watcher import Watcher
from advisor.trial.deciding import decided, statement_times, still_moves
from advisor.trial.design import first_side
from advisor.trial.limits import raised
from advisor.trial.looked import trial_outcome
from advisor.trial.mix import mean_us
from advisor.trial.record import PairLeftOut, TrialEnd, TrialPair, pair_seconds
from probes.trial.block import TrialBlock
from probes.trial.ended import Break, SteppedAside, TrialBroken
from probes.trial.hand import Hand
from probes.trial.meter import Meter
from probes.trial.settings import Side

MOST_LEFT_OUT = 4
"""That many pairs in a row that do not count end a trial (our choice)."""

SETTLE_TIMES, MOST_SETTLE_S = 2.0, 60.0

_BREAKS = {
    PairLeftOut.MIX: (
        Break.MIX_SHIFTED,
        "What the server is asked for changes from block to block",
    ),
    PairLeftOut.FEW_STATEMENTS: (Break.LOAD_GONE, "The server has hardly anything to do any more"),
    PairLeftOut.TABLE_WORK: (
        Break.OTHER_WORK,
        "Tables are altered, locked or rebuilt on the server",
    ),
    PairLeftOut.OTHER_SETTING: (Break.OTHER_WORK, "Somebody changes other settings of the server"),
}


class Switching:
    """A trial at work; belongs to the thread that made it."""

    def __init__(
        self,
        kept: KeptTrial,
        hand: Hand,
        meter: Meter,
        watcher: Watcher,
    ) -> None:
        self._kept = kept
        self._hand = hand
        self._meter = meter
        self._watcher = watcher
        self._aside = StandingAside(kept, hand, meter)
        self._settle_s = kept.record.design.settle_s
        self._left_out = 0
        self._over = False
        self.end = TrialEnd.BUDGET

    def run(self, ends_s: float) -> Iterator[TrialEvent]:
        """Switch until the test is decided or the time is up; raises what ends a trial."""
        self._watcher.first_set(self._hand)
        self._hand.allow(self._kept.record.limits, aside=True)
        number = 0
        while True:
            pair = self._pair(number)
            self._kept.add(pair)
            yield PairDone(pair, trial_outcome(self._kept.record))
            self._refuse_many(pair)
            limits = raised(self._kept.record.limits, mean_us(pair.old.kinds))
            self._hand.allow(limits, aside=True)
            number += 1
            if self._moves():
                yield SettlingLonger(self._settle_s)
            left_s = ends_s - time.monotonic()
            asked = self._kept.record.asked
            end = decided(self._kept.record.counted, self._pair_s, left_s, asked.worth)
            if end is not None:
                self.end = end
                return

    @property
    def _pair_s(self) -> float:
        return pair_seconds(self._settle_s, self._kept.record.design.block_s)

    def _pair(self, number: int) -> TrialPair:
        first = first_side(self._kept.record.design.seed, number)
        second = Side.OLD if first is Side.NEW else Side.NEW
        self._over = False
        blocks = {side: self._block(number, side) for side in (first, second)}
        old, new = blocks[Side.OLD], blocks[Side.NEW]
        pair = TrialPair(number, first, old, new)
        because = self._watcher.disturbed(old, new)
        if self._over:
            # With either value: else the new one would be spared its slow seconds.
            because = PairLeftOut.LIMIT
        if because is None and statement_times(pair) is None:
            because = PairLeftOut.FEW_STATEMENTS
        return replace(pair, left_out=because)

    def _block(self, number: int, side: Side) -> TrialBlock:
        begin = self._meter.read(whole=False)
        try:
            self._hand.set(side)
            made = self._meter.block(side, self._settle_s, self._kept.record.design.block_s)
        except SteppedAside as fault:
            made = self._meter.broken_off(side, begin)
            self._over = True
            self._aside.with_new(number, fault)
            return made
        passed = self._hand.over_old() if side is Side.OLD else None
        if passed is not None:
            self._over = True
            self._aside.with_old(passed)
        return made

    def _moves(self) -> bool:
        """Give a value that still moves within its blocks more time before they count."""
        if self._settle_s >= MOST_SETTLE_S or not still_moves(self._kept.record.counted):
            return False
        self._settle_s = min(MOST_SETTLE_S, SETTLE_TIMES * max(self._settle_s, 1.0))
        self._kept.leave_out(PairLeftOut.UNSETTLED)
        return True

    def _refuse_many(self, pair: TrialPair) -> None:
        self._left_out = 0 if pair.left_out is None else self._left_out + 1
        if self._left_out >= MOST_LEFT_OUT and pair.left_out in _BREAKS:
            cause, sentence = _BREAKS[pair.left_out]
            raise TrialBroken(cause, f"{sentence}: nothing can be compared.", "Try it later.")
