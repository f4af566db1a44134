"""What is fine by itself is not called so beside a risk to the data that speaks against it."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.gain import Stakes
from advisor.outcomes import NotJudged, Outcome, Recommendation, Verdict
from advisor.ranking import stakes
from advisor.rulekit.rule import Rule
from advisor.why import RiskBeside


def is_risk(one: Recommendation) -> bool:
    """Whether it says that data can be lost, or the server can stop."""
    return one.verdict is not Verdict.FINE and stakes(one) is Stakes.DATA


def not_fine_beside_risks(outcomes: Sequence[Outcome], rules: Sequence[Rule]) -> list[Outcome]:
    """Leave open what a risk denies: the setting that it names, and what its rule rests on.

    That commits survive is not so while no sync reaches the drive.
    """
    judged = [one for one in outcomes if isinstance(one, Recommendation)]
    risks = [one for one in judged if is_risk(one)]
    denied = {rule.id: rule.not_fine_beside for rule in rules}
    return [_beside(one, risks, denied.get(one.rule, ())) for one in outcomes]


def _beside(one: Outcome, risks: Sequence[Recommendation], denied: Sequence[str]) -> Outcome:
    if not isinstance(one, Recommendation) or one.verdict is not Verdict.FINE:
        return one
    for risk in risks:
        if risk.rule in denied or (one.setting and one.setting == risk.setting):
            return NotJudged(one.rule, one.title, RiskBeside(risk.title))
    return one
