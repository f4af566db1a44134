"""Targets and servers to measure, each real."""

from __future__ import annotations

import getpass
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from probes.cancel import CancelToken
from probes.mysql.login import ResolvedLogin
from probes.mysql.work import MySQLWork, WorkTable
from probes.targets.address import TargetSpec, TlsMode
from probes.targets.connect import open_target
from probes.targets.listener import Listener
from probes.targets.local import LocalTarget
from probes.targets.target import Target
from tests.prompts import Answers
from tests.servers.mariadb import BOSS, MariaDB

KEYS = 500


@pytest.fixture
def local() -> Iterator[Target]:
    with closing(LocalTarget()) as target:
        yield target


@pytest.fixture
def remote(ssh_spec: TargetSpec, monkeypatch: pytest.MonkeyPatch) -> Iterator[Target]:
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    with open_target(ssh_spec, Answers(), CancelToken()) as target:
        yield target


@pytest.fixture(params=["local", "remote"])
def target(request: pytest.FixtureRequest) -> Target:
    """This computer, and the same behind SSH."""
    chosen: Target = request.getfixturevalue(request.param)
    return chosen


@pytest.fixture
def directory(tmp_path: Path) -> Iterator[Path]:
    """Where probes write, hard on quoting; nothing may be left in it."""
    folder = tmp_path / "with space 'quote' ünï"
    folder.mkdir()
    yield folder
    assert list(folder.iterdir()) == []


def work_on(server: MariaDB, *, tcp: bool = False) -> MySQLWork:
    """A filled table on ``server`` and the login to it; the table must be dropped by the caller."""
    server.sql("CREATE DATABASE IF NOT EXISTS leadline_engine")
    server.sql("DROP TABLE IF EXISTS leadline_engine.t")
    server.sql("CREATE TABLE leadline_engine.t (id INT PRIMARY KEY, c CHAR(120) NOT NULL)")
    numbers = f"leadline_engine.seq_1_to_{KEYS}"
    server.sql(f"INSERT INTO leadline_engine.t SELECT seq, REPEAT('x', 120) FROM {numbers}")
    where = {"host": server.host, "port": server.port} if tcp else {"socket": server.socket}
    login = ResolvedLogin(**where, user=BOSS[0], password=BOSS[1], tls=TlsMode.DISABLED)
    if login.socket:
        # As it is once the program has logged in there.
        login = replace(login, listener=Listener(getpass.getuser(), private=True))
    return MySQLWork(login, "leadline_engine", {"cached": WorkTable("t", "id", "c", 1, KEYS)})
