"""Rules on the pool, flushing and reads on real servers: calm by default, awake in a small pool.

A server with a pool smaller than its table is read at random and in whole between two samples of
its status. What its counters and its InnoDB status then say has to be understood, and has to lead
to the advice that follows from the load. The drive's figures are those of a slow one.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import pytest

from advisor.case import Case
from advisor.facts.catalogue import CATALOGUE
from advisor.facts.readings import Absent, Reading
from advisor.judging.engine import judge_by
from advisor.outcomes import NotJudged, Outcome, Recommendation, Verdict
from advisor.rulekit.facts import FactSource
from advisor.rulekit.registry import all_rules
from advisor.why import RuleFailed
from advisor.wording.advice.why import because
from probes.version import Flavour
from tests.rules.casework import build
from tests.servers.eleven import RunningServer, ServerBuild, chosen

FAMILIES = ("buffer-pool.", "flushing.", "read-ahead.", "change-buffer.", "adaptive-hash.")
SMALL = (
    "--innodb-buffer-pool-size=24M",
    "--innodb-old-blocks-time=0",
    "--innodb-adaptive-flushing=0",
)
ROWS = 16_000
TENS = " UNION ALL ".join(f"SELECT {n} AS n" for n in range(10))
THOUSAND = f"SELECT a.n * 100 + b.n * 10 + c.n AS n FROM ({TENS}) a, ({TENS}) b, ({TENS}) c"
MEMORY_GIB = 16
WINDOW_S = 1.0
"""Judged is what the server did, as if in this time: a busy machine takes longer for it."""


@pytest.fixture(scope="module", params=chosen(), ids=lambda build: build.name)
def server(request: pytest.FixtureRequest) -> ServerBuild:
    found: ServerBuild = request.param
    return found


def status(running: RunningServer) -> dict[str, str]:
    rows = running.sql("SHOW GLOBAL STATUS")
    return {str(row["Variable_name"]): str(row["Value"]) for row in rows}


def case_of(running: RunningServer, load: Callable[[], None]) -> Case:
    """The server over a window in which ``load`` ran, on a machine with memory to spare."""
    before = status(running)
    load()
    after = status(running)
    told = running.sql("SHOW ENGINE INNODB STATUS")[0]["Status"]
    spec: dict[str, Any] = {
        "version": running.version.text,
        "variables": running.variables(),
        "samples": {name: [before[name], after[name]] for name in before if name in after},
        "window_s": WINDOW_S,
        "server": {"innodb_status": str(told)},
        "host": {
            "cpus": 8,
            "memory_gib": MEMORY_GIB,
            "memory_available_bytes": (MEMORY_GIB - 2) << 30,
            "numa_nodes": 1,
        },
        "drive": {"filesystem": "ext4"},
        "reads_16k": [[1, 200], [64, 8000], [256, 400_000]],
    }
    return build(spec)


def judged(case: Case) -> dict[str, Outcome]:
    source = FactSource(case)
    return {rule.id: judge_by(rule, source) for rule in all_rules() if rule.id.startswith(FAMILIES)}


def recommended(outcomes: dict[str, Outcome]) -> dict[str, str]:
    return {
        name: one.proposed
        for name, one in outcomes.items()
        if isinstance(one, Recommendation) and one.verdict is Verdict.RECOMMEND
    }


def test_a_server_by_default_at_rest_gets_no_advice(server: ServerBuild) -> None:
    with server.start() as running:
        outcomes = judged(case_of(running, lambda: time.sleep(0.2)))
    # Old servers keep what the drive's reads speak against, and 11.8.6 can't grow its pool.
    expected = {"flushing.flush-neighbors", "change-buffer.buffering", "buffer-pool.resize-limit"}
    assert recommended(outcomes).keys() <= expected
    failed = [one for one in outcomes.values() if isinstance(one, NotJudged)]
    assert not [one for one in failed if isinstance(one.why, RuleFailed)]
    assert sum(isinstance(one, Recommendation) for one in outcomes.values()) >= 12


def test_a_table_larger_than_its_pool_is_seen(server: ServerBuild) -> None:
    with server.start(SMALL) as running:
        running.sql("CREATE DATABASE small")
        running.sql("CREATE TABLE small.t (id INT PRIMARY KEY, pad TEXT) ENGINE=InnoDB")
        for thousand in range(ROWS // 1000):
            running.sql(
                f"INSERT INTO small.t SELECT q.n + {thousand * 1000}, REPEAT('x', 3000) "
                f"FROM ({THOUSAND}) q ORDER BY q.n"
            )

        def load() -> None:
            # First in order: pages that were read at random keep read-ahead from seeing a scan.
            running.sql("SELECT SUM(LENGTH(pad)) FROM small.t")
            chosen_rows = random.Random(1)
            for _ in range(1000):
                row = chosen_rows.randrange(ROWS)
                running.sql(f"SELECT LENGTH(pad) FROM small.t WHERE id = {row}")

        case = case_of(running, load)

    outcomes = judged(case)
    proposed = recommended(outcomes)
    size = outcomes["buffer-pool.size"]
    assert int(proposed.get("buffer-pool.size", "0")) >= 8 << 30, size
    assert proposed["buffer-pool.old-blocks-time"] == "1000"
    adaptive = outcomes["flushing.adaptive-flushing"]
    assert isinstance(adaptive, Recommendation)
    assert adaptive.proposed == "ON"
    facts_are_read(case, running)


def facts_are_read(case: Case, running: RunningServer) -> None:
    """The server's sentences are understood, or hold no figure worth the name."""
    version = running.version
    searches = CATALOGUE["pool.hash_searches"].read(case)
    if isinstance(searches, Absent):
        assert because(searches.because).startswith("the InnoDB status averaged over")
    read_ahead = CATALOGUE["mysql.status.Innodb_buffer_pool_read_ahead"].read(case)
    assert isinstance(read_ahead, Reading)
    assert isinstance(read_ahead.value, float)
    assert read_ahead.value > 0, "a full scan reads ahead"
    assert isinstance(CATALOGUE["pool.hash_waits"].read(case), Reading)
    if version.is_mysql:
        assert isinstance(CATALOGUE["pool.buffered_changes"].read(case), Reading)
    if not version.before(Flavour.MYSQL, 5, 6):
        assert isinstance(CATALOGUE["pool.loading"].read(case), Reading)
