"""When a lab ends: decided, hopeless, or out of time; and the best measured once more."""

from __future__ import annotations

from dataclasses import replace
from statistics import median

from advisor.lab.design import LabDesign
from advisor.lab.effects import ending as reckoning
from advisor.lab.effects.contrasts import LEAST_ROUNDS
from advisor.lab.looked import best_so_far, rates
from advisor.lab.record import LabEnd, Record

_LEAST_FIRST = (LabEnd.BUDGET, LabEnd.HOPELESS, LabEnd.DECIDED)


class LabEnding:
    """Decides between starts and between rounds what is worth its time; belongs to one lab.

    Once every difference is decided, or hopeless, or the time for it is nearly used up, the best
    variants and the base are started once more (``choosing``), so that the best's figure is not
    flattered by the luck for which it was chosen.
    """

    def __init__(self, design: LabDesign, began_s: float, ends_s: float) -> None:
        self._design = design
        self._began_s = began_s
        self._ends_s = ends_s
        self._rounds_s: list[float] = []
        self._starts_s: list[float] = []
        self.rounds_of_a_start = design.rounds_of_a_start
        self._best: frozenset[str] = frozenset()
        self._last = False
        self.reason = LabEnd.BUDGET

    def took(self, seconds: float) -> None:
        """A round took so long."""
        self._rounds_s.append(seconds)

    def started(self, seconds: float) -> None:
        """All that a start took besides its rounds: what it takes here decides how many it has."""
        self._starts_s.append(seconds)
        if self._ends_s - self._began_s > self._design.least_s - self._design.fill_s:
            course = replace(self._course, rounds_per_start=1)
            whole_s = self._ends_s - self._began_s
            self.rounds_of_a_start = reckoning.best_rounds_per_start(course, whole_s)

    def rounds(self, now_s: float) -> int:
        """How many rounds the next start has time for, where all of one come before the next's."""
        left_s = self._ends_s - now_s - self._start_s
        return max(LEAST_ROUNDS, min(self.rounds_of_a_start, int(left_s / self._round_s)))

    def choosing(self) -> bool:
        """Whether the best is being measured once more."""
        return self._last

    def entrants(self, names: list[str]) -> list[str]:
        """Those that the next start needs, of all that live."""
        return [name for name in names if not self._last or name in self._best]

    def over(self, record: Record, now_s: float, *, starting: bool) -> bool:
        """Whether the lab ends now; ``starting``: asked before all are started again.

        Between rounds it only ends a start early.
        """
        if len({turn.round for turn in record.turns}) < LEAST_ROUNDS:
            # One alone says nothing: for that much the budget is exceeded.
            return False
        left_s = self._ends_s - now_s
        if self._last:
            return starting or left_s < self._round_s
        reserved_s = self._last_s if self._confirms(record) else 0.0
        done = self._enough(record, left_s - reserved_s, starting=starting)
        if not done:
            return False
        if not starting:
            return True
        if not self._confirms(record) or left_s < self._last_s:
            return True
        self._begin_last(record)
        return False

    def progress(self, now_s: float) -> tuple[float, float]:
        """How far it is (0..1), and how long it still takes at most, in seconds."""
        whole_s = max(1.0, self._ends_s - self._began_s)
        left_s = max(0.0, self._ends_s - now_s)
        return min(1.0, 1 - left_s / whole_s), left_s

    @property
    def _round_s(self) -> float:
        return median(self._rounds_s) if self._rounds_s else self._design.round_s

    @property
    def _start_s(self) -> float:
        return median(self._starts_s) if self._starts_s else self._design.start_s

    @property
    def _course(self) -> reckoning.Design:
        variants = len(self._design.asked.variants)
        return reckoning.Design(variants, self._round_s, self._start_s, self.rounds_of_a_start)

    @property
    def _last_s(self) -> float:
        """What measuring the best once more takes: the base, its twin and the best."""
        share = min(1.0, 3 / len(self._design.asked.entrants))
        return share * (self._start_s + self.rounds_of_a_start * self._round_s)

    def _confirms(self, record: Record) -> bool:
        """Whether there was a choice of several: the only variant was not chosen."""
        return len(record.asked.variants) - len(record.dropped) > 2

    def _enough(self, record: Record, left_s: float, *, starting: bool) -> bool:
        asked = record.asked
        needed_s = (self._start_s if starting else 0.0) + self._round_s
        if left_s < needed_s:
            self.reason = LabEnd.BUDGET
            return True
        course = self._course
        reasons = [reckoning.ending(rates(record, level), course, left_s) for level in asked.levels]
        found = [reason for reason in reasons if reason is not None]
        if len(found) < len(reasons):
            return False
        # Of several numbers of connections the least that was reached counts.
        self.reason = next(each for each in _LEAST_FIRST if each in found)
        return True

    def _begin_last(self, record: Record) -> None:
        base = record.asked.base.name
        best = [best_so_far(record, level) for level in record.asked.levels]
        twin = record.asked.entrants[-1].name
        self._best = frozenset({base, twin, *filter(None, best)})
        self._last = True
