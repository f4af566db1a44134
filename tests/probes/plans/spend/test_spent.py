"""One budget holds for both parts of a plan."""

from __future__ import annotations

from dataclasses import replace

import pytest

from probes.events import STEPPED_BACK, EngineEvent, PointDone, Warned
from probes.plans.plan import Budget, FileSet, Guard
from probes.plans.spend.spent import Ledger, moved_bytes, prepared_bytes
from probes.points import Probe, Setting
from tests.points import point
from tests.probes.plans.drives import plan_of, read

FILES = (
    FileSet("/d", 1, 1000),
    FileSet("/d", 2, 100, "first_touch/1", settle=False),
    FileSet("/d", 1, 5000, "sparse", "sparse", settle=False),
)


def test_files_are_written_and_read_unless_they_are_not() -> None:
    assert prepared_bytes(replace(plan_of(), file_sets=FILES)) == (1000, 1200)


@pytest.mark.parametrize(
    ("setting", "moved"),
    [
        (read(1, 16384), (1_638_400, 0)),
        (Setting(Probe.RANDOM_WRITE, 1, 4096), (0, 409_600)),
        (Setting(Probe.PAGE_FLUSH, 1, 16384, options={"doublewrite": "off"}), (0, 1_638_400)),
        (Setting(Probe.PAGE_FLUSH, 1, 16384, options={"doublewrite": "on"}), (0, 3_276_800)),
        (Setting(Probe.POINT_SELECT, 1), (0, 0)),
    ],
)
def test_a_point_moves_what_its_operations_do(setting: Setting, moved: tuple[float, float]) -> None:
    assert moved_bytes(point(setting, 100.0)) == moved


def test_what_the_first_part_took_is_gone_for_the_second() -> None:
    now = iter((100.0, 130.0))
    ledger = Ledger(lambda: next(now))
    part = replace(plan_of(read(1)), file_sets=FILES)
    events: list[EngineEvent] = [
        PointDone(point(read(1, 16384), 100.0), ()),
        Warned("x", "Something."),
    ]
    assert list(ledger.counted(part, events)) == events
    budget = Budget(seconds=50, read_bytes=2_000_000, written_bytes=1_000)
    left = ledger.left(replace(part, budget=budget)).budget
    assert left.seconds == 20
    assert left.read_bytes == 2_000_000 - 1_638_400 - 1000
    # Used up: the least there is, since none at all would be no limit.
    assert left.written_bytes == 1


def test_no_limit_stays_none() -> None:
    ledger = Ledger()
    assert ledger.left(plan_of(read(1))).budget == Budget()


def test_what_the_guard_has_stepped_back_is_gone_for_the_second_part() -> None:
    ledger = Ledger()
    part = replace(plan_of(read(1)), guard=Guard(step_backs=3))
    events = [Warned(STEPPED_BACK, f"The server got slower beside {each}.") for each in range(2)]
    assert not ledger.stepped_back
    list(ledger.counted(part, [*events, Warned("left_out", "3 of 9 points left out.")]))
    left = ledger.left(part).guard
    assert left is not None
    assert left.step_backs == 1
    assert ledger.stepped_back
