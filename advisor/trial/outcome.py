"""What came of one rule's advice: in a trial, in a lab, or on a server that has carried it out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from advisor.trial.record import TrialRecord, TrialVerdict
from advisor.tried import Tried
from probes.statistics.ranges import Range


class OutcomeSource(StrEnum):
    """Where it was seen."""

    TRIAL = "trial"
    LAB = "lab"
    WATCH = "watch"
    """A later look at a server whose settings are as they were advised."""


@dataclass(frozen=True, slots=True)
class RuleOutcome:
    """``gain`` is how many times faster statements were, ``forecast`` the same as it was forecast.

    ``run_id`` is the run that showed it. In a lab a value that brings more counts as kept, one that
    surely does not as taken back; one that a server was given by its user is kept.
    """

    source: OutcomeSource
    run_id: int
    rule: str
    verdict: TrialVerdict
    gain: Range | None = None
    forecast: Range | None = None

    @property
    def key(self) -> str:
        """Where it comes from: there is one outcome of it."""
        return f"{self.source.value}/{self.run_id}/{self.rule}"


def of_trial(run_id: int, record: TrialRecord) -> RuleOutcome | None:
    """What a trial says of the rule whose advice it was; None of any other, or one cut off."""
    asked = record.asked
    if not asked.rule or record.verdict is None:
        return None
    return RuleOutcome(
        OutcomeSource.TRIAL, run_id, asked.rule, record.verdict, record.gain, asked.forecast
    )


def of_lab(found: Tried, rule: str, forecast: Range | None) -> RuleOutcome:
    """What a lab says of a change that a rule has advised."""
    verdict = TrialVerdict.UNDECIDED
    if found.decided:
        verdict = TrialVerdict.KEPT if found.gains else TrialVerdict.BACK
    return RuleOutcome(OutcomeSource.LAB, found.run_id, rule, verdict, found.times, forecast)
