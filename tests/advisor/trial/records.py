"""A trial as it is kept, for tests of what is made of it."""

from __future__ import annotations

from advisor.trial.record import (
    TrialAsked,
    TrialDesign,
    TrialEnd,
    TrialRecord,
    TrialVerdict,
    WayBack,
)
from probes.statistics.ranges import Range
from probes.trial.guard import GuardLimits
from probes.trial.settings import TriedSetting
from tests.advisor.trial.pairs import pair

SETTINGS = (
    TriedSetting("innodb_io_capacity", "200", "1000", number=True),
    TriedSetting("innodb_io_capacity_max", "2000", "", number=True),
)
DESIGN = TrialDesign(2.0, 2.0, 0.05, 100, 900.0, 0.02, 0.01, 7)


def trial_record(
    faster: float = 1.2,
    verdict: TrialVerdict | None = TrialVerdict.KEPT,
    ended: TrialEnd | None = TrialEnd.BETTER,
    rule: str = "",
    forecast: Range | None = None,
) -> TrialRecord:
    """One of ten pairs in which statements are so many times faster."""
    return TrialRecord(
        TrialAsked(SETTINGS, "8.0.33", 900.0, 0.0, rule, forecast),
        DESIGN,
        WayBack.AGENT,
        GuardLimits(2000, 20, 10, 50),
        verdict,
        ended,
        pairs=tuple(
            pair(number, 1000 + 7 * (number % 3), (1000 + 5 * (number % 2)) / faster)
            for number in range(10)
        ),
    )
