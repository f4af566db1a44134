"""A server that gets slower beside a point ends it, and the agent goes on with gentler ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from probes.cancel import CancelToken
from probes.errors import Cancelled, GuardTripped
from probes.events import STEPPED_BACK, EngineEvent, PointStarted, Warned
from probes.mysql.work import MySQLWork
from probes.plans.plan import Budget, Guard, Plan
from probes.points import Setting
from probes.targets.target import Target
from tests.probes.engines.conftest import work_on
from tests.probes.engines.lines import plan_of, redo_setting
from tests.probes.engines.measuring import agents, done, drive, measure
from tests.servers.mariadb import MariaDB
from tests.servers.slowed import Slowed, slowed_by

GUARD = Guard(
    "cached",
    every_s=0.05,
    added_us=60e6,
    threads_running=0,
    row_lock_waits=1,
    end_s=600.0,
    recover_s=600.0,
)
"""Reads may take a minute longer, as on a busy machine; what counts are transactions that wait."""

LONG_S = 600.0
"""A point that only the guard ends."""


@pytest.fixture
def work(mariadb: MariaDB) -> Iterator[MySQLWork]:
    yield work_on(mariadb)
    mariadb.sql("DROP DATABASE leadline_engine")


@pytest.fixture
def slowed(work: MySQLWork, mariadb: MariaDB) -> Iterator[Slowed]:
    with slowed_by(mariadb, "UPDATE leadline_engine.t SET c = 'slow' WHERE id = 7") as made:
        yield made


def plan(*settings: Setting, suffers: Callable[[Setting], bool], guard: Guard = GUARD) -> Plan:
    """Points of moments, but for those beside which the server shall get slower."""
    made = plan_of(*settings, seconds=0.3, guard=guard)
    steps = (replace(step, seconds=LONG_S if suffers(step.setting) else 0.3) for step in made.steps)
    return replace(made, steps=tuple(steps))


def play(
    events: Iterator[EngineEvent], slowed: Slowed, suffers: Callable[[Setting], bool]
) -> Iterator[EngineEvent]:
    """Let the server get slower whenever such a point begins, and recover when that has ended."""
    for event in events:
        yield event
        if isinstance(event, PointStarted) and suffers(event.setting):
            slowed.begin()
        elif isinstance(event, Warned) and event.code == STEPPED_BACK:
            slowed.end()


def many(setting: Setting) -> bool:
    return setting.threads >= 16


def warned(events: list[EngineEvent], code: str) -> list[str]:
    return [event.message for event in events if isinstance(event, Warned) and event.code == code]


def started(events: list[EngineEvent]) -> list[int]:
    return [event.setting.threads for event in events if isinstance(event, PointStarted)]


def test_it_goes_on_with_gentler_points_and_other_probes(
    target: Target, directory: Path, work: MySQLWork, slowed: Slowed
) -> None:
    asked = plan(
        drive(directory, 2),
        drive(directory, 16),
        drive(directory, 64),
        drive(directory, 16, block_size_bytes=4096),
        drive(directory, 4),
        redo_setting(str(directory)),
        suffers=many,
    )
    events = list(play(measure(target, asked, work), slowed, many))
    assert started(events) == [2, 16, 4, 1]
    assert [event.point.setting.threads for event in done(events)] == [2, 4, 1]
    [why] = warned(events, STEPPED_BACK)
    assert why.startswith("The server got slower beside random read 16\u202fKiB, 16 threads: ")
    assert "(Innodb_row_lock_current_waits)" in why
    [left_out] = warned(events, "left_out")
    assert left_out.startswith("3 of 6 points left out: the server got slower beside random read")


def test_nothing_begins_before_the_server_has_recovered(
    local: Target, directory: Path, work: MySQLWork, slowed: Slowed
) -> None:
    """Rows are waited for until two beats after the point has ended."""
    asked = plan(drive(directory, 16), drive(directory, 2), suffers=many)
    events: list[EngineEvent] = []
    beats_left = 2
    for event in measure(local, asked, work):
        events.append(event)
        if isinstance(event, PointStarted) and many(event.setting):
            slowed.begin()
        ended = bool(warned(events, STEPPED_BACK))
        if ended and type(event).__name__ == "CanaryBeat" and beats_left:
            assert started(events) == [16]
            beats_left -= 1
            if not beats_left:
                slowed.end()
    assert beats_left == 0
    assert [event.point.setting.threads for event in done(events)] == [2]


def test_a_server_is_slowed_down_by_four_points_of_a_run_at_most(
    local: Target, directory: Path, work: MySQLWork, slowed: Slowed
) -> None:
    """Three step-backs, and the fourth time ends the run."""
    levels = (256, 128, 64, 32, 16)
    asked = plan(*(drive(directory, each) for each in levels), suffers=many)
    events: list[EngineEvent] = []
    with pytest.raises(GuardTripped) as tripped:
        for event in play(measure(local, asked, work), slowed, many):
            events.append(event)  # noqa: PERF402 - what came before the end counts
    assert started(events) == [256, 128, 64, 32]
    assert len(warned(events, STEPPED_BACK)) == 3
    assert "server suffered" in tripped.value.sentence


def test_what_an_earlier_part_of_the_run_took_of_it_is_gone(
    local: Target, directory: Path, work: MySQLWork, slowed: Slowed
) -> None:
    asked = plan(drive(directory, 16), suffers=many, guard=replace(GUARD, step_backs=0))
    with pytest.raises(GuardTripped):
        list(play(measure(local, asked, work), slowed, many))


def test_a_second_gentle_point_ends_the_run(
    local: Target, directory: Path, work: MySQLWork, slowed: Slowed
) -> None:
    asked = plan(drive(directory, 4), drive(directory, 2), suffers=lambda _: True)
    with pytest.raises(GuardTripped, match="even beside gentle points"):
        list(play(measure(local, asked, work), slowed, lambda _: True))


def test_a_plan_of_which_nothing_is_left_was_stopped_by_its_guard(
    local: Target, directory: Path, work: MySQLWork, slowed: Slowed
) -> None:
    asked = plan(drive(directory, 16), drive(directory, 64), suffers=many)
    with pytest.raises(GuardTripped):
        list(play(measure(local, asked, work), slowed, many))


def test_a_budget_of_time_ends_the_wait(
    local: Target, directory: Path, work: MySQLWork, slowed: Slowed
) -> None:
    budget = Budget(seconds=8.0)
    asked = plan(drive(directory, 2), drive(directory, 16), drive(directory, 4), suffers=many)
    asked = replace(asked, budget=budget)
    events: list[EngineEvent] = []
    for event in measure(local, asked, work):
        events.append(event)
        if isinstance(event, PointStarted) and many(event.setting):
            slowed.begin()
    assert warned(events, "budget")
    assert 4 not in started(events)


def test_a_stop_does_not_wait_for_the_server(
    local: Target, directory: Path, work: MySQLWork, slowed: Slowed
) -> None:
    token = CancelToken()
    asked = plan(drive(directory, 16), drive(directory, 2), suffers=many)
    with pytest.raises(Cancelled):
        for event in measure(local, asked, work, token=token):
            if isinstance(event, PointStarted):
                slowed.begin()
            if isinstance(event, Warned) and event.code == STEPPED_BACK:
                token.cancel()
    assert not agents()
