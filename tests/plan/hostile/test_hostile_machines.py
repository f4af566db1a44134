"""Foreign words anywhere in a machine's and a server's answers break out of no form of the plan.

``LEADLINE_HOSTILE=500`` tries more; one that breaks out is named by its number.
"""

from __future__ import annotations

import os

import pytest

from advisor.judging.engine import judge
from advisor.plan.planning import can_be_planned, make_plan
from advisor.report.forms.plan_formats import FORMATS
from tests.plan.hostile.broken_out import broken_out
from tests.plan.hostile.hostile_machines import hostile_case

SEEDS = int(os.environ.get("LEADLINE_HOSTILE", "16"))


@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_word_stays_a_word(seed: int) -> None:
    case = hostile_case(seed)
    chosen = [one for one in judge(case).recommendations if can_be_planned(one)]
    plan = make_plan(case, chosen)
    assert len(plan.actions) >= 2
    for name, form in FORMATS.items():
        for text in (form.apply(plan), form.undo(plan)):
            assert list(broken_out(name, text, plan)) == []
