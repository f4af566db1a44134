"""The drive's part of a plan and the server's, each with what it needs and nothing else."""

from __future__ import annotations

from probes.kinds.kind import Kind
from probes.plans.build.builtin import make_plan
from probes.plans.file_sets import set_of
from probes.plans.plan import PlanName
from probes.plans.spend.part import part_of
from probes.plans.wishes import Wishes
from probes.points import SERVER_PROBES, Probe


def test_the_parts_make_the_whole() -> None:
    whole = make_plan(
        PlanName.STANDARD,
        directory="/d",
        kinds=frozenset(Kind),
        working_sets=("cached",),
        sandbox=True,
        wishes=Wishes(cross_engine="fio", update=True),
    )
    drive, server = part_of(whole, server=False), part_of(whole, server=True)
    assert drive.steps + server.steps == whole.steps
    asked = {step.setting.probe for step in server.steps}
    assert asked == {Probe.POINT_SELECT, Probe.PK_UPDATE} <= SERVER_PROBES
    assert (drive.file_sets, server.file_sets) == (whole.file_sets, ())
    assert (drive.sandbox, drive.table_bytes) == (False, 0)
    assert (server.sandbox, server.table_bytes) == (True, whole.table_bytes)
    checked = [whole.steps[index] for index in whole.cross_steps]
    assert checked
    assert checked == [part.steps[index] for part in (drive, server) for index in part.cross_steps]


def test_every_file_set_is_used_and_every_step_finds_its_own() -> None:
    for name in PlanName:
        plan = make_plan(name, directory="/d", kinds=frozenset(Kind), working_sets=("cached",))
        used = {set_of(step.setting, plan.file_sets) for step in plan.steps}
        assert used - {None} == set(range(len(plan.file_sets)))
