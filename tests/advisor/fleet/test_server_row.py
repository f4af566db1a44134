"""What a table of servers shows of a judged case."""

from __future__ import annotations

import pytest

from advisor.fleet.judged_row import row_of
from tests.knowledge.production.cases import production_servers


def test_a_server_in_a_pod_has_what_the_pod_is_granted() -> None:
    pod = production_servers()["pod_out_of_processors"]
    row = row_of(pod.case, pod.judged())
    assert (row.threads, row.memory_bytes) == (4, 16 << 30)
    assert row.cpu_busy == pytest.approx(3.92 / 4.0)


def test_without_limits_it_has_the_machines() -> None:
    server = production_servers()["busy_and_well_tuned"]
    host = server.case.inventory.host
    assert host is not None
    row = row_of(server.case, server.judged())
    assert (row.threads, row.memory_bytes) == (host.cpu.threads, host.memory_bytes)
