"""A share of a drive's life is bytes where the model is known, and a refusal where it is not."""

from __future__ import annotations

import pytest

from probes.errors import UsageError
from probes.inventory.facts import Disk
from probes.kinds.kind import Kind
from probes.plans.build.builtin import make_plan
from probes.plans.plan import Budget, Plan, PlanName
from probes.plans.spend.endurance import held_to_endurance, rated_bytes
from probes.plans.wishes import Wishes

TB = 10**12
EVO = Disk("sda", model="Samsung SSD 870 EVO 1TB", size_bytes=TB)
OPTANE = Disk("nvme0n1", model="INTEL SSDPED1D280GA", size_bytes=280 * 10**9)
CLOUD = Disk("vda", model="", size_bytes=TB)


def plan(budget: Budget) -> Plan:
    kinds = frozenset({Kind.STEADY})
    return make_plan(PlanName.QUICK, directory="/d", kinds=kinds, wishes=Wishes(budget=budget))


@pytest.mark.parametrize(
    ("disks", "rated"),
    [
        ([EVO], 600 * TB),
        ([OPTANE], 5.11e15),
        ([EVO, OPTANE], 600 * TB),
        ([CLOUD], None),
        ([EVO, CLOUD], None),
        ([Disk("sda", model="Samsung SSD 870 EVO 1TB")], None),
        ([], None),
    ],
)
def test_models_that_are_known(disks: list[Disk], rated: float | None) -> None:
    assert rated_bytes(disks) == (None if rated is None else pytest.approx(rated, rel=0.01))


def test_a_share_is_bytes() -> None:
    held = held_to_endurance(plan(Budget(endurance_share=0.00001)), 600 * TB)
    assert held.budget.written_bytes == 6 * 10**9
    assert [step.byte_limit for step in held.steps] == [6 * 10**9]


def test_the_lower_of_two_limits_holds() -> None:
    both = plan(Budget(endurance_share=0.5, written_bytes=10**9))
    assert held_to_endurance(both, 600 * TB).budget.written_bytes == 10**9


def test_a_limit_that_can_not_be_kept_is_refused() -> None:
    with pytest.raises(UsageError, match="not known"):
        held_to_endurance(plan(Budget(endurance_share=0.1)), None)


def test_without_a_share_nothing_changes() -> None:
    usual = plan(Budget())
    assert held_to_endurance(usual, None) is usual
