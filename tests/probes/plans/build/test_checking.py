"""What can't be measured is refused with a sentence, and nothing else is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probes.errors import UsageError
from probes.kinds.kind import Kind
from probes.plans.build.builtin import make_plan
from probes.plans.plan import Budget, Plan, PlanName
from probes.plans.wishes import Wishes
from probes.points import Probe

DRIVE = frozenset({Kind.STORAGE, Kind.REDO, Kind.FLUSH})
MYSQL = frozenset({Kind.MYSQL})


def make(kinds: frozenset[Kind], wishes: Wishes, *working_sets: str) -> Plan:
    return make_plan(
        PlanName.QUICK, directory="/d", kinds=kinds, working_sets=working_sets, wishes=wishes
    )


@pytest.mark.parametrize(
    ("kinds", "wishes", "says"),
    [
        (frozenset(), Wishes(), "No kind of probe"),
        (DRIVE, Wishes(probes=(Probe.MIXED,)), "mixed is no probe of"),
        (DRIVE, Wishes(threads=(0,)), "0 threads"),
        (DRIVE, Wishes(threads=(1, 1025)), "1025 threads"),
        (DRIVE, Wishes(block_sizes=(12288,)), "Blocks of 12288 bytes"),
        (DRIVE, Wishes(block_sizes=(256,)), "Blocks of 256 bytes"),
        (DRIVE, Wishes(block_sizes=(1 << 20,)), "Blocks of 1048576 bytes"),
        (frozenset({Kind.REDO}), Wishes(block_sizes=(1000,)), "Blocks of 1000 bytes"),
        (frozenset({Kind.REDO}), Wishes(threads=(128,)), "nothing to measure"),
        (frozenset({Kind.FLUSH}), Wishes(block_sizes=(512,)), "nothing to measure"),
        (DRIVE, Wishes(within=0.0), "within 0 %"),
        (DRIVE, Wishes(within=0.9), "within 90"),
        (MYSQL, Wishes(protocols=()), "asked as nothing"),
        (MYSQL, Wishes(protocols=("prepared", "json")), "prepared and json"),
        (MYSQL, Wishes(protocols=("handler",), update=True), "HANDLER can't update"),
        (DRIVE, Wishes(engine="dd"), "no engine dd"),
        (DRIVE, Wishes(cross_engine="dd"), "no engine dd"),
        (DRIVE, Wishes(engine="fio", cross_engine="fio"), "fio can't check itself"),
        (DRIVE, Wishes(io_priority="high"), "no I/O priority high"),
        (DRIVE, Wishes(budget=Budget(seconds=-1)), "below zero"),
        (DRIVE, Wishes(budget=Budget(written_bytes=-1)), "below zero"),
        (DRIVE, Wishes(budget=Budget(endurance_share=1.5)), "0 to 100"),
        (MYSQL, Wishes(update=True), "table of Leadline's own"),
        (MYSQL, Wishes(probes=(Probe.PK_UPDATE,)), "not asked for"),
    ],
)
def test_it_is_refused(kinds: frozenset[Kind], wishes: Wishes, says: str) -> None:
    with pytest.raises(UsageError) as refusal:
        make(kinds, wishes, "existing")
    assert says in refusal.value.sentence


def test_a_user_s_own_table_is_never_updated() -> None:
    with pytest.raises(UsageError):
        make(MYSQL, Wishes(update=True), "existing")
    plan = make(MYSQL, Wishes(update=True), "existing", "own")
    updated = [s.setting for s in plan.steps if s.setting.probe is Probe.PK_UPDATE]
    assert {setting.options["working_set"] for setting in updated} == {"own"}


def test_redo_appends_may_be_of_any_number_of_sectors() -> None:
    assert make(frozenset({Kind.REDO}), Wishes(block_sizes=(1536,)))


@given(
    kinds=st.frozensets(st.sampled_from(list(Kind))),
    wishes=st.builds(
        Wishes,
        probes=st.lists(st.sampled_from(list(Probe)), max_size=2).map(tuple),
        block_sizes=st.lists(st.integers(-1, 1 << 21), max_size=2).map(tuple),
        threads=st.lists(st.integers(-1, 2000), max_size=3).map(tuple),
        within=st.none() | st.floats(),
        every_level=st.booleans(),
        update=st.booleans(),
        protocols=st.lists(st.sampled_from(["prepared", "sql", "handler", "x"])).map(tuple),
        engine=st.sampled_from(["agent", "fio", "x"]),
        cross_engine=st.sampled_from(["", "sysbench", "x"]),
    ),
    working_sets=st.lists(st.sampled_from(["cached", "existing", "own"]), unique=True),
    directory=st.sampled_from(["", "/d"]),
)
def test_any_wish_is_a_plan_or_a_sentence(
    kinds: frozenset[Kind], wishes: Wishes, working_sets: list[str], directory: str
) -> None:
    try:
        plan = make_plan(
            PlanName.QUICK,
            directory=directory,
            kinds=kinds,
            working_sets=tuple(working_sets),
            wishes=wishes,
        )
    except UsageError as refusal:
        assert refusal.sentence.endswith(".")
        return
    for step in plan.steps:
        assert 0 <= step.least_s <= step.seconds
        assert 1 <= step.setting.threads <= 1024
