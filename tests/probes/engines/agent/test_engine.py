"""The real agent measures a real drive and a real server, and every fault is told."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pymysql
import pytest

from probes.errors import (
    DirectoryUnusable,
    GuardTripped,
)
from probes.events import (
    Calibrated,
    CanaryBeat,
    EngineEvent,
    EngineReady,
    PointStarted,
    Preparing,
    SampleTaken,
    Warned,
)
from probes.plans.plan import Budget, Guard, Plan
from probes.plans.spend.chooser import AdaptiveChooser, InOrder
from probes.points import Buffers, EndedBy, Point, Probe, Trust
from probes.targets.target import Target
from tests.points import doubts_of
from tests.probes.engines.conftest import KEYS, work_on
from tests.probes.engines.lines import (
    plan_of,
    redo_setting,
    select_setting,
)
from tests.probes.engines.measuring import done, drive, measure
from tests.servers.mariadb import BOSS, MariaDB, private_mariadb


def test_drive_and_redo(target: Target, directory: Path) -> None:
    writes = drive(directory, 2, probe=Probe.RANDOM_WRITE, block_size_bytes=4096)
    plan = plan_of(drive(directory), writes, redo_setting(str(directory)), warmup_s=0.2)
    events = list(measure(target, plan))

    assert isinstance(events[0], EngineReady)
    assert events[0].overhead_ns_per_op > 0
    [calibrated] = [event for event in events if isinstance(event, Calibrated)]
    assert calibrated.processors >= 1
    assert calibrated.ceiling_per_s[16384][1] > 0
    filling = [event for event in events if isinstance(event, Preparing)]
    assert filling
    assert all(event.done_bytes <= event.total_bytes == 1 << 22 for event in filling)
    assert [event.index for event in events if isinstance(event, PointStarted)] == [0, 1, 2]
    points = done(events)
    assert [each.point.setting for each in points] == [step.setting for step in plan.steps]
    for each in points:
        counted = [sample for sample in each.samples if sample.at_s > 0]
        assert 4 <= len(counted) <= 6
        assert any(sample.at_s <= 0 for sample in each.samples)
        point = each.point
        assert point.operations == pytest.approx(point.rate_per_s * point.seconds, rel=0.01)
        assert 0 < point.latency.p50_us <= point.latency.p99_us <= point.latency.max_us
        assert point.ci95_per_s[0] < point.rate_per_s < point.ci95_per_s[1]
    live = [event for event in events if isinstance(event, SampleTaken)]
    assert len(live) == sum(len(each.samples) for each in points)


@pytest.mark.parametrize("tcp", [False, True], ids=["socket", "tcp"])
def test_lookups(mariadb: MariaDB, local: Target, tcp: bool) -> None:
    work = work_on(mariadb, tcp=tcp)
    plan = plan_of(select_setting(1), select_setting(4), seconds=0.6)
    try:
        points = done(list(measure(local, plan, work)))
    finally:
        mariadb.sql("DROP DATABASE leadline_engine")
    assert [each.point.setting.threads for each in points] == [1, 4]
    for each in points:
        assert each.point.operations > 0
        assert each.point.direct is None
        assert not any("no row" in reason for reason in doubts_of(each.point))


def test_blocks_lie_where_the_plan_says(local: Target, directory: Path) -> None:
    cached = Path("/sys/kernel/mm/transparent_hugepage/enabled")
    given = cached.exists() and "[never]" not in cached.read_text()
    other = drive(directory, options={"buffers": "huge"})
    plan = plan_of(drive(directory), other, redo_setting(str(directory)), warmup_s=0.1)
    events = list(measure(local, replace(plan, buffers="ordinary")))
    usual, huge, redo = (each.point for each in done(events))
    assert usual.buffers is Buffers.ORDINARY
    assert huge.buffers is (Buffers.HUGE if given else Buffers.ORDINARY)
    assert redo.buffers is None
    assert "buffers" not in redo.details
    if os.geteuid() == 0:
        assert 1 <= float(str(usual.details["pieces_per_block"])) <= 4
        assert not given or huge.details["pieces_per_block"] == 1


def test_lookups_that_find_nothing_are_doubted(mariadb: MariaDB, local: Target) -> None:
    work = work_on(mariadb)
    mariadb.sql("DELETE FROM leadline_engine.t WHERE id > %s", (KEYS // 2,))
    plan = plan_of(select_setting(), seconds=0.6)
    try:
        [one] = done(list(measure(local, plan, work)))
    finally:
        mariadb.sql("DROP DATABASE leadline_engine")
    assert one.point.trust is Trust.DOUBTFUL
    assert any("no row" in reason for reason in doubts_of(one.point))


def test_a_server_that_dies_costs_its_points_alone(local: Target, directory: Path) -> None:
    with private_mariadb(tls=False) as server:
        plan = plan_of(select_setting(1), select_setting(2), drive(directory), seconds=0.6)
        measuring = measure(local, plan, work_on(server))
        events: list[EngineEvent] = []
        for event in measuring:
            if isinstance(event, SampleTaken) and not any(
                isinstance(each, SampleTaken) for each in events
            ):
                os.kill(server.pid, signal.SIGKILL)
            events.append(event)
    codes = [event.code for event in events if isinstance(event, Warned)]
    assert codes[0] == "mysql_lost"
    assert codes[1].startswith("mysql_")
    assert [each.point.setting.probe for each in done(events)] == [Probe.RANDOM_READ]


def test_a_directory_that_is_missing(local: Target, directory: Path) -> None:
    plan = plan_of(drive(directory / "nowhere"))
    with pytest.raises(DirectoryUnusable, match="does not exist"):
        list(measure(local, plan))


def test_levels_are_chosen_while_the_drive_is_measured(local: Target, directory: Path) -> None:
    levels = (1, 2, 4, 8, 16, 32, 64)
    plan = plan_of(*(drive(directory, threads) for threads in levels))
    sure = tuple(
        replace(step, seconds=0.5, warmup_s=0.05, within=0.2, least_s=0.2) for step in plan.steps
    )
    plan = replace(plan, steps=sure, adaptive=True)
    events = list(measure(local, plan, chooser=AdaptiveChooser(plan)))
    started = [event.setting.threads for event in events if isinstance(event, PointStarted)]
    assert started[:2] == [1, 4]
    assert len(started) <= len(levels) + 1
    ended = {each.point.ended_by for each in done(events)}
    assert ended <= {EndedBy.INTERVAL, EndedBy.TIME}
    assert [each.point.setting.threads for each in done(events)] == started


def test_a_step_may_be_measured_again(local: Target, directory: Path) -> None:
    class Twice(InOrder):
        def choose(self, points: Sequence[Point]) -> int | None:
            return 0 if len(points) < 2 else None

    plan = plan_of(drive(directory), seconds=0.4)
    points = done(list(measure(local, plan, chooser=Twice(plan))))
    assert [each.point.setting for each in points] == [plan.steps[0].setting] * 2


def test_a_used_up_budget_ends_the_run(local: Target, directory: Path) -> None:
    plan = plan_of(*(drive(directory, threads) for threads in (1, 2, 3)), seconds=0.6)
    plan = replace(plan, budget=Budget(seconds=1.2))
    events = list(measure(local, plan))
    assert 1 <= len(done(events)) < 3
    assert "budget" in [event.code for event in events if isinstance(event, Warned)]


def guarded(directory: Path, guard: Guard) -> Plan:
    return plan_of(drive(directory, 2), seconds=2.5, guard=guard)


def test_a_live_server_is_watched(mariadb: MariaDB, local: Target, directory: Path) -> None:
    work = work_on(mariadb)
    easy = Guard("cached", every_s=0.05, added_us=60e6, threads_running=0, row_lock_waits=0)
    try:
        events = list(measure(local, guarded(directory, easy), work))
    finally:
        mariadb.sql("DROP DATABASE leadline_engine")
    beats = [event for event in events if isinstance(event, CanaryBeat)]
    assert beats
    assert all(0 < beat.baseline_us < beat.limit_us for beat in beats)
    assert len(done(events)) == 1


def test_a_server_that_suffers_ends_the_run(
    mariadb: MariaDB, local: Target, directory: Path
) -> None:
    work = work_on(mariadb)
    strict = Guard(
        "cached",
        every_s=0.05,
        added_us=50_000,
        threads_running=0,
        row_lock_waits=0,
        recover_s=0.5,
    )
    blocker = pymysql.connect(
        unix_socket=mariadb.socket, user=BOSS[0], password=BOSS[1], ssl_disabled=True
    )
    try:
        with pytest.raises(GuardTripped) as tripped, blocker:
            for event in measure(local, guarded(directory, strict), work):
                if isinstance(event, PointStarted):
                    table = work.tables["cached"].name
                    blocker.cursor().execute(f"LOCK TABLES leadline_engine.{table} WRITE")
    finally:
        mariadb.sql("DROP DATABASE leadline_engine")
    assert "kept" in tripped.value.advice
