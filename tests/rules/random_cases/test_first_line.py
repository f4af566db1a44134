"""What users get of random servers, over draws of their figures: the first line above all.

Each is told what its processors did, and what times its waits, so that the first line has something
to be wrong about.
"""

from __future__ import annotations

import os
from random import Random

import pytest

from advisor.judging.over_draws import judge
from tests.each import some_of
from tests.rules.casework import build
from tests.rules.invariants import answer_to, broken
from tests.rules.random_cases.coherent import coherent_case
from tests.rules.random_cases.coherent_machine import Spec, log_between, some

CASES = int(os.environ.get("SWEEP", "20"))


@pytest.mark.parametrize("number", some_of(range(CASES), 3))
def test_random_servers_as_users_get_them(number: int) -> None:
    case = build(on_processors(number, coherent_case(number)[1]))
    assert not broken(answer_to(case, judge(case)))


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
