"""Two engines in turn."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from probes.cancel import CancelToken, closable
from probes.engines.agent.engine import AgentEngine
from probes.engines.cross import cross_checked
from probes.engines.find import find_engine
from probes.engines.fio import FioEngine
from probes.errors import NotEnoughSpace
from probes.events import EngineEvent, PointDone
from probes.plans.plan import Budget
from probes.points import Probe, Setting
from probes.targets.target import Target
from tests.probes.engines.tools import MIB, plan_of, points, read, warnings

pytestmark = pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")


def test_agent_and_fio_take_turns(local: Target, directory: Path) -> None:
    redo = Setting(Probe.REDO_SYNC, 1, 4096, 1, str(directory), {"sync": "fdatasync"})
    flush = Setting(Probe.PAGE_FLUSH, 1, 16384, 1, str(directory), {"doublewrite": "on"})
    plan = plan_of(read(directory), flush, redo, read(directory, threads=4), cross_steps=(0, 1, 2))
    fio = FioEngine(local, find_engine(local, "fio"))
    events = list(cross_checked(AgentEngine(local), fio, plan, mysql=None, token=CancelToken()))
    order = [(point.engine, point.setting.probe) for point in points(events)]
    assert order == [
        ("agent", Probe.RANDOM_READ),
        ("fio", Probe.RANDOM_READ),
        ("fio", Probe.RANDOM_READ),
        ("agent", Probe.RANDOM_READ),
        ("agent", Probe.REDO_SYNC),
        ("fio", Probe.REDO_SYNC),
        ("fio", Probe.REDO_SYNC),
        ("agent", Probe.REDO_SYNC),
    ]
    assert warnings(events)[0] == "fio can't measure page flushes."


def test_leaving_early_ends_both(local: Target, directory: Path) -> None:
    plan = plan_of(read(directory), cross_steps=(0,), seconds=1.0)
    fio = FioEngine(local, find_engine(local, "fio"))
    events = closable(cross_checked(AgentEngine(local), fio, plan, mysql=None, token=CancelToken()))
    for event in events:
        if isinstance(event, PointDone) and event.point.engine == "fio":
            break
    events.close()  # the fixture sees that the directory is empty


def test_no_room_for_two_sets_is_told(local: Target, directory: Path) -> None:
    class Full(FioEngine):
        def measure(self, *rest: object, **more: object) -> Iterator[EngineEvent]:
            raise NotEnoughSpace("The disk is full.")
            yield

    plan = plan_of(read(directory), cross_steps=(0,))
    full = Full(local, find_engine(local, "fio"))
    events = list(cross_checked(AgentEngine(local), full, plan, mysql=None, token=CancelToken()))
    assert [point.engine for point in points(events)] == ["agent"]
    assert any("The disk is full." in text for text in warnings(events))


def test_one_budget_holds_for_both(local: Target, directory: Path) -> None:
    budget = Budget(read_bytes=9 * MIB)  # 8 MiB of it go into reading the files
    plan = plan_of(
        read(directory), read(directory, threads=4), cross_steps=(0, 1), budget=budget, seconds=0.3
    )
    fio = FioEngine(local, find_engine(local, "fio"))
    events = list(cross_checked(fio, AgentEngine(local), plan, mysql=None, token=CancelToken()))
    assert 1 <= len(points(events)) <= 2
    assert any("The rest of the cross-check was left out." in text for text in warnings(events))


def test_nothing_in_common(local: Target, directory: Path) -> None:
    flush = Setting(Probe.PAGE_FLUSH, 1, 16384, 1, str(directory), {"doublewrite": "on"})
    fio = FioEngine(local, find_engine(local, "fio"))
    plan = plan_of(flush, cross_steps=(0,))
    events = list(cross_checked(AgentEngine(local), fio, plan, mysql=None, token=CancelToken()))
    assert len(events) == 1
    assert "page flush" in warnings(events)[0]
