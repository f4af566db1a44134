"""What a plan says of itself before it starts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from probes.figures import THIN, seconds
from probes.kinds.kind import Kind
from probes.plans.build.builtin import make_plan
from probes.plans.describe import describe
from probes.plans.plan import Budget, Guard, Plan, PlanName
from probes.plans.spend.expected import longest_s
from probes.plans.wishes import Wishes


def of(*kinds: Kind, **wishes: object) -> Plan:
    return make_plan(
        PlanName.QUICK,
        directory="/d",
        kinds=frozenset(kinds),
        working_sets=("own",),
        wishes=Wishes(**wishes),  # type: ignore[arg-type]
    )


def text_of(plan: Plan, **known: float) -> str:
    return "\n".join(describe(plan, **known)).replace(THIN, " ")


def whole(length_s: float) -> str:
    return seconds(round(length_s)).replace(THIN, " ")


def test_it_tells_files_bytes_seconds_and_commands() -> None:
    plan = make_plan(
        PlanName.QUICK, directory="/srv/my däta", working_sets=("cached", "uncached"), sandbox=True
    )
    text = text_of(plan)
    assert f"{len(plan.steps)} points in about {whole(plan.seconds)}" in text
    assert "1 file of 1 GiB in /srv/my däta" in text
    assert "16 files of 16 MiB" in text
    assert "1 file of 128 MiB of zeros" in text
    assert "Makes 1 file of 128 MiB in /srv/my däta, never written;" in text
    assert "3 logs of 64 MiB" in text
    assert "doublewrite files" in text
    assert "a table of 256 MiB" in text
    assert "leadline-agent probe" in text
    assert "mariadbd or mysqld" in text


@pytest.mark.parametrize("name", list(PlanName))
def test_every_point_is_in_one_of_its_lines(name: PlanName) -> None:
    plan = make_plan(
        name,
        directory="/d",
        kinds=frozenset(Kind),
        working_sets=("own",),
        wishes=Wishes(update=True, protocols=("prepared", "sql", "handler"), every_level=True),
    )
    measured = [line for line in describe(plan) if line.startswith("Measures ") and ": " in line]
    told = [int(line.rpartition(": ")[2].split()[0]) for line in measured]
    assert sum(told) == len(plan.steps)


def test_files_are_told_to_the_byte_and_time_to_the_second() -> None:
    plan = of(Kind.REDO)
    text = text_of(plan)
    # The usual log is written before its use; the growing one and the binlog are not.
    assert "Reads 0 B and writes 64 MiB to prepare files" in text
    assert "reads for at most 0 s" in text
    assert f"writes for at most {whole(longest_s(plan))}" in text
    assert "2 files" not in text


def test_a_redo_log_on_another_drive_is_told() -> None:
    plan = make_plan(PlanName.QUICK, directory="/data", redo_directory="/redo")
    text = text_of(plan)
    assert "3 logs of 64 MiB for redo and binlog in /redo," in text
    assert "in /data and reads it back in full; unlinked" in text


def test_budgets_are_promises() -> None:
    budget = Budget(seconds=90, read_bytes=2 << 30, written_bytes=3 << 30)
    text = text_of(of(Kind.STORAGE, budget=budget))
    assert "Ends after 1 min 30 s at the latest" in text
    assert "Never reads more than 2 GiB" in text
    assert "Never writes more than 3 GiB" in text
    plain = text_of(of(Kind.STORAGE))
    assert "Never" not in plain
    assert f"{whole(longest_s(of(Kind.STORAGE)))} at most" in plain


def test_endurance_is_told_where_it_is_known() -> None:
    plan = of(Kind.FLUSH, budget=Budget(written_bytes=6 << 30))
    assert "endurance" not in text_of(plan)
    text = text_of(plan, endurance_bytes=600 << 30)
    assert "1 % of the drive's rated endurance" in text


def test_a_mixture_tells_how_many_of_its_steps_it_takes() -> None:
    text = text_of(of(Kind.MIXED))
    assert "7 of 77 points" in text
    assert "14 of 22 points" in text_of(of(Kind.MIXED, threads=(2, 8)))


def test_a_long_write_tells_where_it_ends() -> None:
    assert "The steady write ends after 16 GiB" in text_of(of(Kind.STEADY))


def test_what_is_watched_is_told() -> None:
    watched = text_of(of(Kind.REDO, guard=Guard(every_s=0.2, added_us=7000)))
    assert "every 200 ms" in watched
    assert "7 ms longer" in watched
    assert "gentler points when the server has recovered, at most 3 times" in watched
    assert "gentler" not in text_of(of(Kind.REDO, guard=Guard(), engine="fio"))
    unlimited = of(Kind.REDO, guard=Guard(added_us=0, threads_running=0, row_lock_waits=0))
    assert "Stops" not in text_of(unlimited)
    assert "Watches" not in text_of(of(Kind.REDO, guard=None))


def test_engines_and_priority_are_told() -> None:
    text = text_of(of(Kind.STORAGE, engine="fio", cross_engine="agent", io_priority="idle"))
    assert "fio (once for each point)" in text
    assert "again with agent" in text
    assert "idle priority" in text


def test_the_status_window_counts() -> None:
    plan = make_plan(PlanName.QUICK, directory="/d")
    assert describe(plan)[0] != describe(plan, inventory_s=10)[0]


def test_a_plan_without_a_throwaway_server_starts_none() -> None:
    text = text_of(make_plan(PlanName.QUICK, directory="/d"))
    assert "hrowaway" not in text
    assert "mariadbd" not in text


def test_warnings_come_last() -> None:
    plan = replace(of(Kind.REDO), warnings=("Smaller files.",))
    assert describe(plan)[-1] == "Smaller files."
