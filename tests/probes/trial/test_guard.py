from collections.abc import Sequence
from dataclasses import replace

import pytest

from probes.trial.ended import GuardLimit, LimitPassed
from probes.trial.guard import GuardLimits, GuardLook, kept_looks, limit_over
from probes.trial.settings import Side, TriedSetting, differing, foreign, same_value
from probes.trial.way_back import waiting_sql

LIMITS = GuardLimits(time_us=2000, threads_running=20, row_lock_waits=10, statements_per_s=50)


def looks(
    times_us: Sequence[float], per_tick: float = 100, running: float = 4, waits: float = 0
) -> tuple[GuardLook, ...]:
    """One look at the beginning, and one a quarter of a second after each stretch."""
    found: tuple[GuardLook, ...] = (GuardLook(0.0, 0.0, 0.0, running, waits),)
    for number, time_us in enumerate(times_us):
        last = found[-1]
        seen = GuardLook(
            (number + 1) * 0.25,
            last.statements + per_tick,
            last.busy_s + per_tick * time_us / 1e6,
            running,
            waits,
        )
        found = kept_looks(found, seen)
    return found


@pytest.mark.parametrize(
    ("times_us", "passed"),
    [
        ([1000] * 4, False),
        ([2500] * 4, True),
        # Before a second it takes far more than the limit.
        ([2500] * 2, False),
        ([20000] * 2, True),
        # One look alone is any hiccup, and one that is over by now is no matter of the value.
        ([90000], False),
        ([9000, 1000, 1000, 1000], False),
        ([1000, 1000, 1000, 9000], True),
    ],
)
def test_a_statement_that_takes_too_long(times_us: list[float], passed: bool) -> None:
    found = limit_over(looks(times_us), LIMITS, 0.0)
    assert (found is not None) is passed
    if found is not None:
        assert found.limit is GuardLimit.TIME
        assert "a statement took" in found.text()


@pytest.mark.parametrize(("slow", "passed"), [(2, False), (12, True)])
def test_closer_looks_are_judged_as_those_of_a_tick_are(slow: int, passed: bool) -> None:
    found: tuple[GuardLook, ...] = (GuardLook(0.0, 0.0, 0.0, 4, 0),)
    for number in range(12):
        last = found[-1]
        time_us = 3000 if number >= 12 - slow else 1000
        busy_s = last.busy_s + 40 * time_us / 1e6
        looked = GuardLook((number + 1) * 0.1, last.statements + 40, busy_s, 4, 0)
        found = kept_looks(found, looked)
    assert (limit_over(found, LIMITS, 0.0) is not None) is passed


def test_only_what_came_after_the_value_was_set_counts() -> None:
    seen = looks([9000, 9000, 1000, 1000])
    assert limit_over(seen, LIMITS, 0.5) is None
    assert limit_over(seen, GuardLimits(), 0.0) is None


@pytest.mark.parametrize(
    ("seen", "limit"),
    [
        (looks([1000] * 4, running=30), GuardLimit.THREADS_RUNNING),
        (looks([1000] * 4, waits=30), GuardLimit.ROW_LOCK_WAITS),
        (looks([1000] * 4, per_tick=1), GuardLimit.STATEMENTS_PER_S),
    ],
)
def test_threads_locks_and_standing_still(seen: tuple[GuardLook, ...], limit: GuardLimit) -> None:
    found = limit_over(seen, LIMITS, 0.0)
    assert found is not None
    assert found.limit is limit
    assert found.text()


def test_an_idle_server_does_not_stand_still() -> None:
    assert limit_over(looks([1000] * 4, per_tick=1, running=0), LIMITS, 0.0) is None


def test_values_are_compared_as_servers_show_them() -> None:
    assert same_value("90", "90.000000")
    assert same_value("ON", "on")
    assert not same_value("18446744073709551615", "18446744073709551614")
    assert not same_value("ON", "1000")
    one = TriedSetting("innodb_io_capacity", "200", "1000", number=True)
    along = TriedSetting("innodb_io_capacity_max", "2000", "", number=True)
    values = {"innodb_io_capacity": "300", "innodb_io_capacity_max": "2400"}
    assert foreign((one, along), values) == {"innodb_io_capacity": "300"}
    assert differing((one, along), values, Side.NEW) == tuple(values)


def test_the_waiting_statement_sets_all_old_values_the_last_one_first() -> None:
    settings = (
        TriedSetting("innodb_io_capacity_max", "2000", "9000", number=True),
        TriedSetting("innodb_adaptive_flushing", "ON", "OFF", number=False),
    )
    assert waiting_sql(settings, "name") == (
        "SET GLOBAL innodb_adaptive_flushing = IF(GET_LOCK('name', 604800) IS NULL, 'ON', 'ON'), "
        "GLOBAL innodb_io_capacity_max = 2000"
    )


def test_a_size_stays_where_the_wait_for_the_lock_is_ended() -> None:
    one = TriedSetting("innodb_buffer_pool_size", "400", "200", number=True, path=("300", "200"))
    assert waiting_sql((one,), "name") == (
        "SET GLOBAL innodb_buffer_pool_size = IF(GET_LOCK('name', 604800) = 1, 400, "
        "@@GLOBAL.innodb_buffer_pool_size)"
    )
    values = {"innodb_buffer_pool_size": "300"}
    assert foreign((one,), values) == {}
    assert foreign((one,), {"innodb_buffer_pool_size": "250"}) != {}
    assert one.step(0).statement(Side.NEW) == "SET GLOBAL innodb_buffer_pool_size = 300"


@pytest.mark.parametrize(
    ("grown", "limit"),
    [
        ({"errors": 10.0}, GuardLimit.ERRORS),
        ({"aborted": 3.0}, GuardLimit.ABORTED),
        ({"errors": 2.0}, None),
    ],
)
def test_statements_that_fail_and_connections_that_are_cut(
    grown: dict[str, float], limit: GuardLimit | None
) -> None:
    allowed = replace(LIMITS, errors_per_s=20.0, aborted_per_s=5.0)
    seen = tuple(
        replace(each, **{name: number * figure for name, figure in grown.items()})
        for number, each in enumerate(looks([1000] * 4))
    )
    found = limit_over(seen, allowed, 0.0)
    assert (found.limit if found else None) is limit
    if found is not None:
        assert found.text()


@pytest.mark.parametrize("limit", list(GuardLimit))
def test_each_limit_has_a_sentence_of_its_own(limit: GuardLimit) -> None:
    texts = {LimitPassed(each, 3e9, 1e9).text() for each in GuardLimit}
    assert len(texts) == len(GuardLimit)
    assert LimitPassed(limit, 3e9, 1e9).text()
