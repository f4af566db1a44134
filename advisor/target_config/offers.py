"""What a plan offers beside its steps: changes that only who answers for the data decides on."""

from __future__ import annotations

from collections.abc import Container

from advisor.outcomes import Judgement, Recommendation
from advisor.plan.change_plan import OfferedChange
from advisor.ranking import is_offered
from advisor.variables.naming import change_text


def offered(judgement: Judgement, known: Container[str]) -> tuple[OfferedChange, ...]:
    """The changes of a judgement that nobody has asked for, or refused, so far (``known``)."""
    return tuple(
        _offer(one)
        for one in judgement.recommendations
        if is_offered(one) and one.rule not in known
    )


def _offer(one: Recommendation) -> OfferedChange:
    typed = one.apply.sql or one.apply.service or one.apply.cnf or one.apply.os
    what = change_text(one.setting, one.now, one.proposed)
    return OfferedChange(one.rule, what, f"{one.saw} {one.effect}", tuple(typed.splitlines()))
