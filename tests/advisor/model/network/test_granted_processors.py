"""Processors of which a control group grants the server a part."""

from __future__ import annotations

from typing import Any

import pytest

from advisor.forecasts.server.live import Live, live
from advisor.model.network.change import LiveNetwork
from advisor.model.network.forecast import forecast
from probes.statistics.ranges import Range
from tests.advisor.forecasts.live_servers import on_a_slow_drive

COMPUTES = {
    "cpu": [3.9, 7.0],
    "machine": [0.55, 0.0],
    "files": [],
    "device": [40.0, 200.0, 0.008],
    "series": {"Innodb_buffer_pool_reads": [40.0 * at for at in range(30)]},
}
"""35.2 of 64 processors are busy: 3.9 for the server, 31.3 for others."""


def granted(cpu_limit: float, host: dict[str, Any] | None = None, **watched: Any) -> Live:
    """A server that computes, in a group, on a machine with 32 cores of two threads each."""
    machine = {"cpus": 64, "cores": 32} | (host or {})
    case = on_a_slow_drive(
        host=machine, process={"cpu_limit": cpu_limit}, watched=COMPUTES | watched
    )
    return live(case)


def test_a_server_has_what_its_group_is_granted_and_others_take_nothing_of_it() -> None:
    found = granted(4.0)
    assert found.server.cores == Range.exact(4.0)
    assert found.server.others_cpu == Range.exact(0.0)
    assert not [each for each in found.caveats if "Other programs" in each]


def test_a_grant_in_use_gives_no_more_queries_with_more_connections() -> None:
    server = granted(4.0).server
    today, more = forecast(LiveNetwork.of(server, 0), [server.connections, 128], 0).steps
    assert server.cpu_us is not None
    most = 4.0 / server.cpu_us.value * 1e6
    assert today.rate_per_s.value == pytest.approx(server.rate_per_s.value, rel=0.05)
    assert more.rate_per_s.value <= 1.001 * most


def test_a_part_of_a_processor_is_granted_as_it_is() -> None:
    assert granted(4.5).server.cores.value == 4.5


def test_on_a_full_machine_others_leave_less_than_is_granted() -> None:
    full = granted(8.0, machine=[0.99, 0.0]).server
    assert full.cores == Range.exact(64.0)
    assert full.others_cpu.value == pytest.approx(0.99 * 64 - 3.9)


@pytest.mark.parametrize("limit", [0.0, 64.0, 100.0])
def test_without_a_limit_below_the_machines_it_has_the_machines(limit: float) -> None:
    found = granted(limit).server
    assert found.cores == Range.exact(64.0)
    assert found.others_cpu.value == pytest.approx(0.55 * 64 - 3.9)
    assert found.whole == 0.5


def test_a_small_part_of_a_machine_lies_on_cores_of_its_own() -> None:
    assert granted(4.0).server.whole == 1.0
    assert granted(48.0, {"cpus": 128, "cores": 32}, machine=[0.1, 0.0]).server.whole == (
        pytest.approx(32 / 48)
    )
