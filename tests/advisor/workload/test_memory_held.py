"""What a pool holds, and who waits for swap: figures of a guest whose hypervisor takes memory."""

from __future__ import annotations

from typing import Any

import pytest

from advisor.gain import Wait
from advisor.rulekit.facts import Facts, FactSource
from advisor.target_config.carried_out import carried_out
from advisor.target_config.configuration import configure, planned_of
from advisor.workload.pool.balloon import balloon
from advisor.workload.pool.held import held
from advisor.workload.query_time import query_time
from tests.knowledge.production.cases import production_servers

GIB = 1 << 30
SERVER = "hypervisor_balloon"


def facts() -> Facts:
    return Facts(FactSource(production_servers()[SERVER].case))


def test_pages_that_were_never_used_hold_no_memory() -> None:
    assert held(facts(), 10 * GIB) / GIB == pytest.approx(6.62, abs=0.01)
    assert held(facts(), 7 * GIB) == 7 * GIB, "the server holds more than such a pool"


def test_reads_of_swap_are_waits_for_memory() -> None:
    found = query_time(facts())
    assert found is not None
    waiting: Any = found.waits[Wait.MEMORY]
    # 611 reads/s of 1.45 ms; two thirds of what is swapped are the server's.
    assert waiting.value == pytest.approx(0.886, abs=0.01)
    assert waiting.low == pytest.approx(0.591, abs=0.01)


def test_a_hypervisor_has_what_nobody_asked_for() -> None:
    taken = balloon(facts())
    assert taken is not None
    assert taken.beside / GIB == pytest.approx(9.17, abs=0.01)
    assert taken.others / GIB == pytest.approx(2.48, abs=0.01)


def test_a_smaller_pool_gives_back_what_it_held() -> None:
    server = production_servers()[SERVER]
    made = configure(server.case, server.judged(), planned_of(server.judged()))
    host = carried_out(server.case, made.plan).inventory.host
    assert host is not None and host.memory_available_bytes is not None
    given = (host.memory_available_bytes - 730_000_000) / GIB
    assert given == pytest.approx(1.05 * (6.62 - 4), abs=0.02)
