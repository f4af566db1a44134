"""A budget that preparing would use up, told before a byte is written."""

from __future__ import annotations

from dataclasses import replace

import pytest

from probes.errors import UsageError
from probes.kinds.kind import Kind
from probes.plans.build.builtin import make_plan
from probes.plans.plan import Budget, Plan, PlanName
from probes.plans.shapes import GIB, MIB
from probes.plans.spend.affordable import check_affordable, lack
from probes.plans.spend.expected import SANDBOX_START_S, TABLE_BYTES_PER_S
from probes.plans.spend.part import part_of
from probes.plans.spend.spent import prepared_bytes
from probes.plans.wishes import Wishes
from probes.points import Probe

READS = Wishes(probes=(Probe.RANDOM_READ,), threads=(1,), block_sizes=(16384,))


def reads(budget: Budget, name: PlanName = PlanName.QUICK) -> Plan:
    """One point on one file of 1 GiB, which is written and read once."""
    wishes = replace(READS, budget=budget)
    plan = make_plan(name, directory="/d", kinds=frozenset({Kind.STORAGE}), wishes=wishes)
    assert len(plan.steps) == 1
    return plan


def lookups(budget: Budget, *, storage: bool = False) -> Plan:
    kinds = frozenset({Kind.MYSQL, Kind.STORAGE} if storage else {Kind.MYSQL})
    return make_plan(
        PlanName.QUICK,
        directory="/d",
        kinds=kinds,
        working_sets=("cached", "uncached"),
        sandbox=True,
        wishes=Wishes(budget=budget),
    )


@pytest.mark.parametrize(
    ("plan", "sentence", "advice"),
    [
        (
            reads(Budget(seconds=20, written_bytes=GIB)),
            "Preparing the files writes 1\u202fGiB, and the budget allows 1\u202fGiB to write",
            "Allow 1.11\u202fGiB to write, or more.",
        ),
        (
            reads(Budget(read_bytes=64 * MIB), PlanName.STANDARD),
            "Preparing the files reads 2\u202fGiB, and the budget allows 64\u202fMiB to read",
            "The quick plan takes less.",
        ),
        (
            reads(Budget(seconds=10)),
            "Preparing the files takes about 10\u202fs, and the budget allows 10\u202fs",
            "Allow 20\u202fs, or more.",
        ),
        (
            lookups(Budget(written_bytes=256 * MIB)),
            "Preparing the table writes 256\u202fMiB, and the budget allows 256\u202fMiB to write",
            "Allow 288\u202fMiB to write",
        ),
        (
            lookups(Budget(seconds=16)),
            "Preparing the table takes about 17\u202fs, and the budget allows 16\u202fs",
            "Allow 30\u202fs",
        ),
    ],
)
def test_what_preparing_would_use_up_is_refused(plan: Plan, sentence: str, advice: str) -> None:
    with pytest.raises(UsageError) as refused:
        check_affordable(plan)
    assert refused.value.sentence == f"{sentence}: no point could be measured."
    assert advice in refused.value.advice


@pytest.mark.parametrize(
    "budget", [Budget(written_bytes=1), Budget(read_bytes=1), Budget(seconds=0.01)]
)
def test_what_is_advised_is_enough(budget: Budget) -> None:
    plan = reads(budget)
    found = lack(plan)
    assert found is not None
    amount, unit = found.enough.split()[:2]
    allowed = float(amount) * {"GiB": GIB, "MiB": MIB, "s": 1}[unit]
    check_affordable(
        replace(
            plan,
            budget=Budget(
                seconds=budget.seconds and allowed,
                read_bytes=int(budget.read_bytes and allowed),
                written_bytes=int(budget.written_bytes and allowed),
            ),
        )
    )


@pytest.mark.parametrize(
    "plan",
    [
        reads(Budget()),
        reads(Budget(seconds=11, read_bytes=GIB + 1, written_bytes=GIB + 1)),
        lookups(Budget(seconds=17, read_bytes=1, written_bytes=256 * MIB + 1)),
        # The drive comes first; whether the table can be afforded then, shows then.
        lookups(Budget(seconds=12), storage=True),
    ],
)
def test_what_leaves_something_is_not(plan: Plan) -> None:
    check_affordable(plan)


def test_the_boundary_is_where_a_chooser_gives_up() -> None:
    _, written = prepared_bytes(reads(Budget()))
    check_affordable(reads(Budget(written_bytes=written + 1)))
    with pytest.raises(UsageError):
        check_affordable(reads(Budget(written_bytes=written)))


def test_what_is_left_may_be_too_little_for_the_table() -> None:
    part = part_of(lookups(Budget(seconds=600), storage=True), server=True)
    takes_s = SANDBOX_START_S + part.table_bytes / TABLE_BYTES_PER_S
    assert lack(replace(part, budget=Budget(seconds=takes_s + 0.1))) is None
    assert lack(replace(part, budget=Budget(seconds=takes_s - 0.1))) is not None
    assert lack(replace(part, steps=())) is None


def test_many_files_do_not_delay_the_first_point() -> None:
    """Seconds count what the first point needs, though all files together take longer."""
    plan = make_plan(
        PlanName.QUICK,
        directory="/d",
        kinds=frozenset({Kind.STORAGE}),
        wishes=Wishes(budget=Budget(seconds=12)),
    )
    assert len(plan.file_sets) > 1
    check_affordable(plan)
