"""What a plan says of itself before it starts."""

from __future__ import annotations

from probes.plans.builtin import make_plan
from probes.plans.describe import describe
from probes.plans.plan import PlanName


def test_it_tells_files_bytes_seconds_and_commands() -> None:
    plan = make_plan(
        PlanName.QUICK, directory="/srv/my däta", working_sets=("cached", "uncached"), sandbox=True
    )
    text = "\n".join(describe(plan))
    assert f"{len(plan.steps)} points in about {plan.seconds:.0f} s" in text
    assert "1 file of 1 GiB in /srv/my däta" in text
    assert "16 files of 16 MiB" in text
    assert "a table of 256 MiB" in text
    assert "leadline-agent probe" in text
    assert "mariadbd or mysqld" in text


def test_the_status_window_counts() -> None:
    plan = make_plan(PlanName.QUICK, directory="/d")
    assert describe(plan)[0] != describe(plan, inventory_s=10)[0]


def test_a_plan_without_a_throwaway_server_starts_none() -> None:
    text = "\n".join(describe(make_plan(PlanName.QUICK, directory="/d")))
    assert "hrowaway" not in text
    assert "mariadbd" not in text
