"""What came of a trial: the ratio of times with its interval, and what stood beside."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from advisor.trial.deciding import commit_rates, late_times, statement_times, times_of
from advisor.trial.record import TrialRecord
from advisor.trial.steps.like_load import NOTHING, LikeLoad, at_like_load
from advisor.trial.steps.looks import Stepped
from probes.statistics.ranges import Range


@dataclass(frozen=True, slots=True)
class TrialOutcome:
    """Figures of the pairs that count.

    ``times`` is the time per statement with the new value over that with the old one at equal mix,
    with an interval that holds however often it was looked at; ``late`` the same of the 95th
    percentile, ``commits`` of commits per second. ``old_us`` and ``new_us`` are medians.
    """

    pairs: int
    left_out: int
    times: Range | None
    late: Range | None
    commits: Range | None
    old_us: float | None
    new_us: float | None

    @property
    def gain(self) -> Range | None:
        """How many times faster statements are: above 1 is better."""
        if self.times is None:
            return None
        return Range(1 / self.times.value, 1 / self.times.high, 1 / self.times.low)


def trial_outcome(record: TrialRecord) -> TrialOutcome:
    """Reckon all of it from a record."""
    if record.stepped is not None:
        return _of_steps(like_load_of(record.stepped))
    pairs = record.counted
    each = [times for pair in pairs if (times := statement_times(pair)) is not None]
    return TrialOutcome(
        len(pairs),
        len(record.pairs) - len(pairs),
        times_of(pairs),
        times_of(pairs, late_times),
        times_of(pairs, commit_rates),
        median(old for old, _ in each) if each else None,
        median(new for _, new in each) if each else None,
    )


def like_load_of(stepped: Stepped) -> LikeLoad:
    """The last look against the first; of steps that went back one, the look of what was kept."""
    looks = [each for each in stepped.looks[1:] if stepped.kept in ("", each.value)]
    return at_like_load(stepped.looks[0], looks[-1]) if looks else NOTHING


def _of_steps(found: LikeLoad) -> TrialOutcome:
    known = found.times is not None
    return TrialOutcome(
        0,
        0,
        found.times,
        found.late,
        None,
        found.old_us if known else None,
        found.new_us if known else None,
    )
