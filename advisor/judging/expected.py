"""What advice is expected to bring, by the model's forecast of the server that was watched.

Where no forecast can be made, a gain stays the share of the waits that the change shortens; so it
does where commits queue for the log. A change that sets nothing saves no more than those waits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from advisor.case import Case
from advisor.forecasts.advised import advised_by
from advisor.forecasts.outlook import Outlook, outlook_of
from advisor.gain import MOST, QueryTime, Stakes, Wait
from advisor.model.network.forecast import DRAWS
from advisor.outcomes import Outcome, Recommendation, Verdict
from advisor.ranking import stakes
from advisor.steps import SetVariable
from probes.errors import UsageError
from probes.figures import ranged, times
from probes.statistics.ranges import Range


def with_forecasts(
    case: Case, outcomes: Sequence[Outcome], time: QueryTime | None, draws: int = DRAWS
) -> list[Outcome]:
    """The outcomes with forecast gains; what would make the server slower is not proposed.

    ``draws`` are of what the figures may truly be, as many as a forecast takes at most.

    Advice on the safety of data is not weighed against speed.
    """
    asked = {one.rule for one in outcomes if isinstance(one, Recommendation) and _counts(one)}
    if time is None or not asked:
        return list(outcomes)
    try:
        outlook = outlook_of(case, min(draws, DRAWS))
    except UsageError:
        return list(outcomes)
    return [
        _expected(one, outlook, time)
        if isinstance(one, Recommendation) and one.rule in asked
        else one
        for one in outcomes
    ]


def _counts(one: Recommendation) -> bool:
    if stakes(one) is not Stakes.TIME:
        return False
    return one.gain is not None or one.verdict is Verdict.RECOMMEND


def _of_commits_alone(one: Recommendation) -> bool:
    """Whether it shortens commits, and by no setting that a forecast could turn."""
    waits = {each.wait for each in one.relieves}
    return not _turns(one) and waits == {Wait.COMMITS}


def _turns(one: Recommendation) -> bool:
    """Whether it sets anything: that may do more than shorten the waits that it names."""
    return any(isinstance(step, SetVariable) for step in one.steps)


def _expected(one: Recommendation, outlook: Outlook, time: QueryTime) -> Recommendation:
    commits = time.share(Wait.COMMITS)
    queue = time.log_busy and commits is not None and commits.value >= MOST
    if queue and _of_commits_alone(one):
        return one  # the network has no queue before a log whose syncs nobody shares
    found = advised_by(outlook.live, time, one)
    if not found.changes:
        return one if one.gain is None else replace(one, gain=Range.exact(0.0))
    waits = None if _turns(one) else time.off_waits(one.relieves)
    figures, measured = outlook.times(found.change, waits)
    if one.verdict is Verdict.RECOMMEND and measured.high < 1:
        more, least, most = ranged(measured.value, measured.low, measured.high, times)
        expected = (
            f"The model expects {more} today's queries ({least} to {most}) of it, so it is not "
            "proposed."
        )
        saw = f"{one.saw} {expected}"
        return replace(one, verdict=Verdict.WATCH, saw=saw, steps=(), gain=Range.exact(0.0))
    return one if one.gain is None else replace(one, gain=outlook.gain(figures))
