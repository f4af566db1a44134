"""A run in the store whose server plans with more page writes than its drive takes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from advisor.run import RunState
from advisor.store.store import Store
from probes.inventory.facts import RawInventory
from probes.points import Latency, Probe, Setting, Trust
from tests.advisor.store.builders import PLAN, POINT, SAMPLES, SPEC
from tests.rules.recorded import variables_of

RECORDINGS = Path(__file__).parents[2] / "probes" / "inventory" / "recordings"
RULE = "flushing.io-capacity"


def keep(
    store: Store,
    target: str = "db7",
    *,
    mysql: bool = True,
    variables: Mapping[str, str] = MappingProxyType({}),
) -> int:
    """Keep a finished run of a machine and, with ``mysql``, of a MySQL 8.0 on it.

    ``variables`` are laid over those of that server.
    """
    answers = _machine() | (_server(variables) if mysql else {})
    spec = replace(SPEC, name=target, directory="/data/probe")
    run_id = store.start_run(spec, RawInventory("2026-11-21T04:00:00+00:00", answers), PLAN)
    for threads, rate in ((1, 1500.0), (4, 3800.0), (16, 4100.0), (64, 4150.0)):
        setting = Setting(Probe.RANDOM_WRITE, threads, 16384, 16, "/data/probe")
        mean_us = threads / rate * 1e6
        latency = Latency(mean_us, mean_us, mean_us * 2, mean_us * 3, mean_us * 4, mean_us * 9)
        ci95 = (rate * 0.98, rate * 1.02)
        store.add_point(
            run_id,
            replace(
                POINT,
                setting=setting,
                operations=int(rate),
                rate_per_s=rate,
                ci95_per_s=ci95,
                latency=latency,
                direct=True,
                trust=Trust.OK,
                doubts=(),
            ),
            SAMPLES,
        )
    store.set_condition(run_id, "directory", "/data/probe")
    store.end_run(run_id, RunState.DONE)
    return run_id


def _machine() -> dict[str, str]:
    text = (RECORDINGS / "ec2_with_an_ebs_volume.json").read_text(encoding="utf-8")
    answer = json.loads(text)["answers"]["agent.inventory"]
    data = answer["paths"]["data"]
    answer["paths"]["probe"] = data | {"path": "/data/probe", "resolved": "/data/probe"}
    return {"agent.inventory": json.dumps(answer)}


def _server(laid_over: Mapping[str, str]) -> dict[str, str]:
    variables = variables_of("mysql-8.0.33") | {
        "innodb_io_capacity": "20000",
        "innodb_io_capacity_max": "40000",
        "innodb_doublewrite": "ON",
        "innodb_page_size": "16384",
        "datadir": "/data/mysql/",
        **laid_over,
    }
    return {
        "mysql.over": "socket",
        "mysql.version": json.dumps({"version": "8.0.33", "comment": "MySQL Community Server"}),
        "mysql.variables": json.dumps(variables),
    }
