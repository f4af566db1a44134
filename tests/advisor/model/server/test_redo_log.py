"""How large a redo log should be."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.model.server.redo_log import GIB, LIMITS_SINCE_8_0_30, MIB, RedoGrowth, RedoLog


def log(
    capacity: float, per_s: float, *, age: float | None = None, most: float = 16 * GIB
) -> RedoLog:
    return RedoLog(capacity, RedoGrowth(per_s, 60.0, exact=True), age, most)


def test_it_holds_what_four_fifths_of_it_take() -> None:
    assert log(100 * MIB, MIB).held_s == pytest.approx(80.0)
    assert log(1125 * MIB, MIB).short is False
    assert log(1124 * MIB, MIB).short is True


@pytest.mark.parametrize(
    ("per_s", "most", "wanted"),
    [
        (1_000, 16 * GIB, 128 * MIB),
        (40_000, 16 * GIB, 256 * MIB),
        (MIB, 16 * GIB, 4 * GIB),
        (1.2 * MIB, 16 * GIB, 6 * GIB),
        (2.0 * MIB, 16 * GIB, 8 * GIB),
        (2.1 * MIB, 16 * GIB, 10 * GIB),
        (3.0 * MIB, 16 * GIB, 12 * GIB),
        (2.0 * MIB, 7 * GIB, 6 * GIB),
        (100 * MIB, 16 * GIB, 16 * GIB),
        (MIB, 2.5 * GIB, 2 * GIB),
    ],
)
def test_it_should_hold_an_hour_in_round_figures_below_the_most(
    per_s: float, most: float, wanted: int
) -> None:
    assert log(100 * MIB, per_s, most=most).wanted == wanted


def test_flushing_is_behind_where_a_log_of_an_hour_is_late() -> None:
    assert log(4 * GIB, 0.92 * MIB, age=2.9 * GIB).behind is False
    assert log(4 * GIB, 0.91 * MIB, age=2.9 * GIB).behind is True
    assert log(4 * GIB, 0.91 * MIB, age=2.7 * GIB).behind is False


def test_a_late_checkpoint_asks_for_twice_as_much() -> None:
    assert log(4 * GIB, MIB, age=2.7 * GIB).late is False
    assert log(4 * GIB, MIB, age=2.9 * GIB).late is True
    assert log(4 * GIB, MIB, age=2.9 * GIB).wanted == 8 * GIB


def test_mysql_8_0_30_has_limits_of_its_own() -> None:
    newer = replace(log(4 * GIB, MIB, age=3.0 * GIB), limits=LIMITS_SINCE_8_0_30)
    assert newer.late is False
    assert replace(newer, age=3.1 * GIB).late is True
    assert newer.held_s == pytest.approx(0.83 * 4096)


def test_a_step_bounds_what_is_wanted() -> None:
    assert replace(log(100 * MIB, 100 * MIB), step=4.0 * GIB).wanted == 4 * GIB
