"""A socket is private only where no other account could have put it: else it gets no password.

The server that is after the password listens as another account, on a real socket: in a folder
where any account may put one, as /tmp is, and in one of its own.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from probes.cancel import CancelToken
from probes.errors import LeadlineError, MySQLAccessDenied
from probes.mysql import discover
from probes.mysql.connection import connect
from probes.mysql.login import ResolvedLogin
from probes.mysql.work import MySQLWork, WorkTable
from probes.targets.address import MySQLAddress
from probes.targets.target import Target
from tests.probes.engines.lines import plan_of, select_setting
from tests.probes.engines.measuring import measure
from tests.prompts import Answers
from tests.servers.hostile_mysql import MODES, hostile_socket

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="becomes another account")

NOBODY = 65534
SECRET = "a password of the user's"
WITHOUT_TLS = sorted(mode for mode, (_, tls) in MODES.items() if not tls)


@pytest.fixture
def anybodys() -> Iterator[Path]:
    """A folder where any account may put a socket, as in /tmp."""
    with tempfile.TemporaryDirectory(prefix="leadline-test-") as folder:
        Path(folder).chmod(0o1777)
        yield Path(folder)


@pytest.fixture
def its_own() -> Iterator[Path]:
    """A folder of that account's own, as /run/mysqld is the server's."""
    with tempfile.TemporaryDirectory(prefix="leadline-test-") as folder:
        Path(folder).chmod(0o755)
        os.chown(folder, NOBODY, NOBODY)
        yield Path(folder)


def log_in(target: Target, address: MySQLAddress) -> LeadlineError:
    with (
        pytest.raises(LeadlineError) as caught,
        connect(
            address, via=target, prompts=Answers(), token=CancelToken(), password=SECRET
        ) as session,
    ):
        session.rows("SELECT 1")
    return caught.value


@pytest.mark.parametrize("mode", WITHOUT_TLS)
def test_who_listens_where_anybody_may_gets_no_password(
    target: Target, anybodys: Path, mode: str
) -> None:
    path = anybodys / "mysql.sock"
    with hostile_socket(path, mode, NOBODY) as server:
        told = log_in(target, MySQLAddress(socket=str(path), user="app"))
        assert server.connections
    assert not server.knows(SECRET)
    assert SECRET not in f"{told} {told.details}"


def test_it_is_said_which_account_listens_on_which_socket(target: Target, anybodys: Path) -> None:
    path = anybodys / "mysql.sock"
    with hostile_socket(path, "clear", NOBODY):
        told = log_in(target, MySQLAddress(socket=str(path), user="app"))
    assert isinstance(told, MySQLAccessDenied)
    assert str(path) in told.sentence
    assert "the account nobody listens there" in told.sentence
    assert "a folder of its own" in told.advice


@pytest.mark.parametrize("mode", WITHOUT_TLS)
def test_the_agent_gives_it_none_either(target: Target, anybodys: Path, mode: str) -> None:
    path = anybodys / "mysql.sock"
    login = ResolvedLogin(socket=str(path), user="app", password=SECRET)
    work = MySQLWork(login, "shop", {"cached": WorkTable("t", "id", "c", 1, 9)})
    with hostile_socket(path, mode, NOBODY) as server:
        with pytest.raises(LeadlineError):
            list(measure(target, plan_of(select_setting(), seconds=0.5), work))
        assert server.connections
    assert not server.knows(SECRET)


def test_a_server_in_a_folder_of_its_own_gets_what_it_asks_for(
    target: Target, its_own: Path
) -> None:
    path = its_own / "mysql.sock"
    with hostile_socket(path, "clear", NOBODY) as server:
        log_in(target, MySQLAddress(socket=str(path), user="app"))
    assert server.knows(SECRET)


def test_but_no_readable_password_where_nobody_named_that_socket(
    target: Target, its_own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = its_own / "mysql.sock"
    monkeypatch.setattr(discover, "_PLACES", (str(path),))
    with hostile_socket(path, "clear", NOBODY) as server:
        told = log_in(target, MySQLAddress(user="app"))
        assert server.connections
    assert not server.knows(SECRET)
    assert "nobody named that socket" in told.sentence
    assert f"--socket {path}" in told.advice
