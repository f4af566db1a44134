"""Rules on threads, tables and files on real servers: calm by default, awake under a real load.

A server with small caches gets a load that overruns them, between two samples of its status; what
the counters then say has to lead to the advice that follows from the load.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from advisor.judging.engine import judge_by
from advisor.outcomes import NotJudged, Outcome, Recommendation, Verdict
from advisor.rulekit.facts import FactSource
from advisor.rulekit.registry import all_rules
from advisor.why import RuleFailed
from probes.version import Flavour
from tests.rules.casework import build
from tests.servers.eleven import RunningServer, ServerBuild, chosen

FAMILIES = ("threads.", "temp.", "files.", "memory-limits.")
SMALL = (
    "--table-open-cache=10",
    "--innodb-open-files=10",
    "--tmp-table-size=16384",
    "--max-heap-table-size=16384",
)
TABLES, ROUNDS = 30, 2
WINDOW_S = 1.0
"""The load is taken as if it had been done in a second, so that no test depends on the machine."""

MANY = " UNION ALL ".join(f"SELECT {n} AS n" for n in range(50))
ROWS = f"SELECT DISTINCT REPEAT(a.n * 50 + b.n, 40) FROM ({MANY}) a, ({MANY}) b"
LARGE = f"SELECT COUNT(*) FROM ({ROWS}) c"


@pytest.fixture(scope="module", params=chosen(), ids=lambda build: build.name)
def server(request: pytest.FixtureRequest) -> ServerBuild:
    found: ServerBuild = request.param
    return found


def status(running: RunningServer) -> dict[str, str]:
    rows = running.sql("SHOW GLOBAL STATUS")
    return {str(row["Variable_name"]): str(row["Value"]) for row in rows}


def judged(running: RunningServer, load: Callable[[], None]) -> dict[str, Outcome]:
    """What the rules say of the server over a window in which ``load`` ran."""
    before = status(running)
    load()
    after = status(running)
    spec: dict[str, Any] = {
        "version": running.version.text,
        "variables": running.variables(),
        "samples": {name: [before[name], after[name]] for name in before if name in after},
        "window_s": WINDOW_S,
        "host": {"cpus": 8, "memory_gib": 64, "kernel": "6.1.0-18-amd64"},
        "drive": {"filesystem": "ext4"},
    }
    source = FactSource(build(spec))
    return {rule.id: judge_by(rule, source) for rule in all_rules() if rule.id.startswith(FAMILIES)}


def test_a_server_by_default_at_rest_gets_no_advice(server: ServerBuild) -> None:
    with server.start() as running:
        outcomes = judged(running, lambda: None)
    advised = [
        one
        for one in outcomes.values()
        if isinstance(one, Recommendation) and one.verdict is Verdict.RECOMMEND
    ]
    assert not advised
    assert not [
        one
        for one in outcomes.values()
        if isinstance(one, NotJudged) and isinstance(one.why, RuleFailed)
    ]
    assert sum(isinstance(one, Recommendation) for one in outcomes.values()) >= 10


def test_a_load_that_overruns_small_caches_is_seen(server: ServerBuild, tmp_path: Path) -> None:
    has_parts = not server.version.before(Flavour.MYSQL, 5, 6)
    one_part = ["--table-open-cache-instances=1"] if has_parts else []
    # Two MariaDB servers must not share a tmpdir: one that starts clears it.
    with server.start([*SMALL, *one_part, f"--tmpdir={tmp_path}"]) as running:
        running.sql("CREATE DATABASE busy")
        for number in range(TABLES):
            running.sql(f"CREATE TABLE busy.t{number} (id INT PRIMARY KEY) ENGINE=InnoDB")

        def load() -> None:
            for _ in range(ROUNDS):
                for number in range(TABLES):
                    running.sql(f"SELECT COUNT(*) FROM busy.t{number}")
                running.sql(LARGE)

        outcomes = judged(running, load)

    expected = {}
    if running.version.at_least(Flavour.MYSQL, 5, 6) or running.version.at_least(
        Flavour.MARIADB, 10, 5
    ):
        expected["files.table-open-cache"] = "table_open_cache"
    if running.version.before(Flavour.MYSQL, 8) or running.version.is_mariadb:
        expected["temp.tmp-table-size"] = "tmp_table_size"
    for rule, setting in expected.items():
        outcome = outcomes[rule]
        assert isinstance(outcome, Recommendation), outcome
        assert outcome.verdict is Verdict.RECOMMEND, outcome
        assert outcome.setting == setting
