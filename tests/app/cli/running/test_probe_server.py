"""Probes of a live server from the command line: by its own table, or one of Leadline's own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.app.cli.forked import Done
from tests.servers.mariadb import MariaDB
from tests.short_plans import SMALL_FILES, plan_of

Leadline = Callable[..., Done]
PATIENT = ("--budget", "added-latency=60s")
"""On a busy machine a server is slow whatever is measured beside it."""

HASTILY = ("--threads", "1", "--within", "50%", "--json")
QUICKLY = (*HASTILY, *PATIENT)


@pytest.fixture
def args(
    mariadb: MariaDB, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[str, ...]]:
    """What names a server with a table that may be read."""
    plan_of(monkeypatch, SMALL_FILES)
    mariadb.sql("CREATE DATABASE shop")
    mariadb.sql("CREATE TABLE shop.orders (id INT PRIMARY KEY, what CHAR(100)) ENGINE=InnoDB")
    mariadb.sql("INSERT INTO shop.orders SELECT seq, 'x' FROM shop.seq_1_to_20000")
    yield ("probe", "mysql", "--mysql", f"socket={mariadb.socket}", "--dir", str(tmp_path))
    mariadb.sql("DROP DATABASE shop")


def databases(server: MariaDB) -> list[object]:
    return [row["Database"] for row in server.sql("SHOW DATABASES")]


def test_a_schema_of_its_own_is_made_after_consent_and_gone_afterwards(
    leadline: Leadline, mariadb: MariaDB, args: tuple[str, ...]
) -> None:
    done = leadline(*args, "--own-schema", "--probe", "pk_update", *QUICKLY)
    assert done.code == 0, done.stderr
    content = json.loads(done.stdout)
    assert {curve["probe"] for curve in content["runs"]} == {"pk_update"}
    assert {curve["options"]["working_set"] for curve in content["runs"]} == {"own"}
    assert content["canary"], "the server was watched"
    assert "leadline_probe" not in databases(mariadb)


def test_a_table_of_its_own_serves_the_guard_where_there_is_no_other(
    leadline: Leadline, mariadb: MariaDB, args: tuple[str, ...]
) -> None:
    done = leadline(*args, "--own-schema", "--table", "-", *QUICKLY)
    content = json.loads(done.stdout)
    assert content["canary"], done.stderr
    assert content["plan"]["warnings"] == []
    both = leadline(*args, "redo", "--own-schema", "--table", "-", "--dry-run", "--json")
    plan = json.loads(both.stdout)["plan"]
    assert plan["guard"] is not None
    assert "not watched while its drive" in plan["warnings"][0]


def test_updates_need_consent(leadline: Leadline, mariadb: MariaDB, args: tuple[str, ...]) -> None:
    done = leadline(*args, "--update", *QUICKLY)
    assert (done.code, done.stdout) == (2, "")
    assert "table of Leadline's own" in done.stderr
    assert "leadline_probe" not in databases(mariadb)


def test_a_servers_own_table_is_read_and_guarded(
    leadline: Leadline, mariadb: MariaDB, args: tuple[str, ...]
) -> None:
    done = leadline(*args, "--table", "shop.orders", *QUICKLY)
    bare = leadline(*args, "--table", "shop.orders", "--no-guard", *HASTILY)
    assert done.code == 0, done.stderr
    content = json.loads(done.stdout)
    assert content["canary"], "the server was watched"
    assert all(beat["limit_us"] > beat["baseline_us"] for beat in content["canary"])
    assert {curve["options"]["working_set"] for curve in content["runs"]} == {"existing"}
    assert json.loads(bare.stdout)["canary"] == []
