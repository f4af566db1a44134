"""What a table of servers shows of a judged case."""

from __future__ import annotations

import re

import pytest

from advisor.fleet.judged_row import row_of
from advisor.judging.agenda import changes_asked
from advisor.ranking import only_asked
from advisor.run import RunState
from advisor.target_config.configuration import configure, planned_of
from app.presenters.frame.headlines import of_judgement
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


@pytest.mark.parametrize("name", ["set_by_a_blog", "small_vm", "well_tuned", "warehouse_blog"])
def test_changes_are_counted_alike_everywhere(name: str) -> None:
    server = production_servers()[name]
    judged = server.judged()
    changes = changes_asked(judged)
    planned = [one for one in planned_of(judged) if not only_asked(one)]
    assert [one.rule for one in changes] == [one.rule for one in planned]
    assert len(row_of(server.case, judged).changes) == len(changes)
    sentence = of_judgement(judged, server.case, RunState.DONE)
    said = re.search(r"(\d+) changes?\b", sentence)
    assert (0 if said is None else int(said[1])) == len(changes)
    assert bool(configure(server.case, judged, changes).plan.actions) == bool(changes)
