"""The first line in bold, on whole servers and on random ones: it never says what is not so."""

from __future__ import annotations

import os
from random import Random

import pytest

from advisor.judging.over_draws import judge
from tests.knowledge.production_cases import production_servers
from tests.rules.casework import build
from tests.rules.coherent import coherent_case
from tests.rules.coherent_machine import Spec, log_between, some
from tests.rules.limit_invariants import EVERY

CASES = int(os.environ.get("SWEEP", "20"))


@pytest.mark.parametrize("name", sorted(production_servers()))
def test_the_first_line_of_whole_servers(name: str) -> None:
    server = production_servers()[name]
    for holds in EVERY:
        holds(server.judged(), server.case)


@pytest.mark.timeout(1800)  # all that it takes is processor time, and others may have that
def test_the_first_line_of_random_servers() -> None:
    for number in range(CASES):
        case = build(on_processors(number, coherent_case(number)[1]))
        judgement = judge(case)
        for holds in EVERY:
            try:
                holds(judgement, case)
            except AssertionError as error:
                error.add_note(f"case {number}")
                raise


def on_processors(number: int, spec: Spec) -> Spec:
    """The same with what its processors did while it was watched, and figures to time it by.

    They are drawn apart: a case keeps its other figures.
    """
    if "watched" not in spec:
        return spec
    r, cpus = Random(f"processors {number}"), spec["host"]["cpus"]
    watched: Spec = dict(spec["watched"])
    running = sum(watched["running"]) / len(watched["running"])
    used = min(cpus * 0.95, running * r.choice((0.02, 0.2, 0.6, 1.1)))
    delay = running * r.choice((0.0, 0.0, 0.02, 0.5))
    busy = min(1.0, (used + cpus * r.choice((0.0, 0.1, 0.7))) / cpus)
    watched |= {"cpu": [used, delay], "machine": [busy, 0.0]}
    if some(r):
        # One thread, which is at work all the time.
        watched["running"] = [1] * 5
    rates = dict(spec.get("rates", {}))
    if some(r, 0.7):
        rates |= {"Innodb_buffer_pool_reads": log_between(r, 1, 5_000), "Innodb_log_waits": 0}
        rates |= {"Com_commit": log_between(r, 1, 3_000), "Com_update": log_between(r, 1, 3_000)}
        read_us, sync_us = log_between(r, 10, 3_000), log_between(r, 10, 3_000)
        logs = [[role, "sync", rates["Com_commit"], sync_us] for role in ("redo", "binlog")]
        watched |= {"files": [["data", "read", 3_000, read_us], *logs]}
    return spec | {"watched": watched, "rates": rates}
