"""Redo's writer threads of a live server, switched: what their hand-over takes of processors."""

from __future__ import annotations

import pytest

from advisor.forecasts.knobs.knobs import turned
from advisor.forecasts.server.live import Live, live
from advisor.model.network.change import FIGURES, NO_CHANGE
from probes.errors import UsageError
from tests.advisor.forecasts.live_servers import on_a_slow_drive


def server(writers: str, cpus: int = 4) -> Live:
    """1,000 of its 20,000 queries/s commit."""
    variables = {"innodb_log_writer_threads": writers}
    return live(on_a_slow_drive(variables=variables, host={"cpus": cpus}))


def saved_us(found: Live, value: str) -> float:
    """Of a query's processor time."""
    work = found.server.likeliest()
    change = turned(found, {"innodb_log_writer_threads": value}).change
    return work.cpu_us - change.made(work, (0.0,) * FIGURES, None).cpu_us


def test_without_them_a_commit_pays_no_hand_over() -> None:
    found = server("ON")
    assert saved_us(found, "off") == pytest.approx(0.05 * 100, rel=0.02)
    change = turned(found, {"log_writer_threads": "OFF"})
    assert change.change.own_cpu.high < 1
    assert ("log_writer_threads", "on", "off") in change.words


def test_on_many_processors_they_may_save_as_much_as_they_cost() -> None:
    assert turned(server("ON", cpus=8), {"log_writer_threads": "off"}).change.own_cpu.high == 1


def test_switched_on_they_cost_what_they_would_save() -> None:
    assert saved_us(server("OFF"), "on") < -4
    assert turned(server("OFF"), {"log_writer_threads": "on"}).change.own_cpu.low > 1


def test_the_value_of_now_changes_nothing() -> None:
    assert turned(server("OFF"), {"log_writer_threads": "off"}).change == NO_CHANGE


def test_a_server_that_has_none_is_refused() -> None:
    with pytest.raises(UsageError, match="has no innodb_log_writer_threads"):
        turned(live(on_a_slow_drive()), {"log_writer_threads": "off"})
    with pytest.raises(UsageError, match="no value of log_writer_threads"):
        turned(server("ON"), {"log_writer_threads": "maybe"})
