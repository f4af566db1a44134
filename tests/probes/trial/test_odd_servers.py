"""Servers that refuse, answer late, lose the privilege, or are none to try anything on."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from probes.cancel import CancelToken
from probes.mysql.connection import MySQLSession, connect
from probes.targets.address import MySQLAddress
from probes.targets.local import LocalTarget
from probes.targets.silent import Silent
from probes.trial.counters import Sources
from probes.trial.ended import Break, GuardLimit, TrialBroken
from probes.trial.guard import GuardLook
from probes.trial.session_hand import first_set, restore, session_hand
from probes.trial.settings import Side
from probes.trial.surroundings import seen, started_since, unfit
from probes.trial.way_back import new_lock
from tests.present import present
from tests.probes.trial.one_setting import becomes, setting, value
from tests.servers.eleven import RunningServer, ServerBuild, chosen
from tests.waiting import HANG_S

SOURCES = Sources(sums=False, histogram=False)
WITH_ACCOUNTS = ("mysql-8.0.33", "mysql-unstable")
"""The others of ``chosen`` start without accounts, or have no such privilege."""


@pytest.fixture(scope="module", params=chosen(), ids=lambda build: build.name)
def server(request: pytest.FixtureRequest) -> Iterator[RunningServer]:
    build: ServerBuild = request.param
    with build.start() as running:
        yield running


@pytest.fixture(
    scope="module",
    params=[each for each in chosen() if each.name in WITH_ACCOUNTS],
    ids=lambda build: build.name,
)
def owned(request: pytest.FixtureRequest) -> Iterator[RunningServer]:
    """A server with accounts."""
    build: ServerBuild = request.param
    with build.start() as running:
        yield running


@contextmanager
def session(server: RunningServer, user: str = "root") -> Iterator[MySQLSession]:
    address = MySQLAddress(user=user, socket=server.socket)
    with connect(
        address,
        via=LocalTarget(),
        prompts=Silent(),
        token=CancelToken(),
        password="",
        own_server=True,
    ) as found:
        yield found


@pytest.fixture
def tryer(owned: RunningServer) -> Iterator[str]:
    """An account that may set variables, and nothing else."""
    owned.sql("CREATE USER tryer@localhost IDENTIFIED BY ''")
    owned.sql("GRANT SYSTEM_VARIABLES_ADMIN, PROCESS ON *.* TO tryer@localhost")
    yield "tryer"
    owned.sql("DROP USER tryer@localhost")


def test_an_account_without_the_right_is_refused_before_anything_is_set(
    owned: RunningServer, tryer: str
) -> None:
    owned.sql("REVOKE SYSTEM_VARIABLES_ADMIN ON *.* FROM tryer@localhost")
    old = value(owned)
    with session(owned, tryer) as asking, pytest.raises(TrialBroken) as fault:
        first_set(asking, setting(owned))
    assert fault.value.cause is Break.REFUSED
    assert "may not set" in fault.value.sentence
    assert "parameter group" in fault.value.advice
    assert value(owned) == old


def test_a_right_that_is_lost_in_the_middle_is_named_and_set_back_once_it_is_there(
    owned: RunningServer, tryer: str
) -> None:
    settings = setting(owned)
    with session(owned, tryer) as asking:
        with (
            pytest.raises(TrialBroken) as fault,
            session_hand(asking, settings, SOURCES, new_lock()) as hand,
        ):
            hand.set(Side.NEW)
            # MySQL takes it from open sessions, too: nobody of this account can go back.
            owned.sql("REVOKE SYSTEM_VARIABLES_ADMIN ON *.* FROM tryer@localhost")
        assert fault.value.cause is Break.REFUSED
        assert "may not set" in fault.value.sentence
        assert value(owned) == settings[0].new
        owned.sql("GRANT SYSTEM_VARIABLES_ADMIN ON *.* TO tryer@localhost")
        assert restore(asking, settings) == ()
        assert value(owned) == settings[0].old


@contextmanager
def asleep(server: RunningServer) -> Iterator[None]:
    """However busy the machine is: it sleeps until the end."""
    os.kill(server.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(server.pid, signal.SIGCONT)


def went_unanswered(fault: TrialBroken) -> bool:
    passed = present(fault.passed)
    return passed.limit is GuardLimit.UNANSWERED and "did not say within" in fault.sentence


def test_a_server_that_answers_late_ends_it_and_gets_its_old_value(server: RunningServer) -> None:
    settings = setting(server)
    with (
        session(server) as asking,
        pytest.raises(TrialBroken) as fault,
        session_hand(asking, settings, SOURCES, new_lock()) as hand,
    ):
        hand.set(Side.NEW)
        deadline = time.monotonic() + HANG_S
        with asleep(server):
            while time.monotonic() < deadline:
                hand.look()
                time.sleep(0.05)
    assert went_unanswered(fault.value)
    becomes(server, settings[0].old)


def test_a_server_that_falls_silent_between_two_questions_has_not_answered(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = setting(server)
    with (
        session(server) as asking,
        pytest.raises(TrialBroken) as fault,
        session_hand(asking, settings, SOURCES, new_lock()) as hand,
        ExitStack() as until_noticed,
    ):
        hand.set(Side.NEW)

        def and_sleeps(*looks: object) -> tuple[GuardLook, ...]:
            until_noticed.enter_context(asleep(server))
            return ()

        monkeypatch.setattr("probes.trial.session_hand.kept_looks", and_sleeps)
        hand.look()
    assert went_unanswered(fault.value)
    becomes(server, settings[0].old)


def test_a_server_that_writes_nothing_is_not_tried_on(server: RunningServer) -> None:
    name = "read_only" if server.version.is_mariadb else "super_read_only"
    server.sql(f"SET GLOBAL {name} = ON")
    try:
        with session(server) as asking:
            assert "read_only" in unfit(asking, seen(asking).variables)
    finally:
        server.sql(f"SET GLOBAL {name} = OFF")
        server.sql("SET GLOBAL read_only = OFF")


def test_a_replica_is_not_tried_on(server: RunningServer) -> None:
    if server.version.is_mariadb:
        begin, end = "CHANGE MASTER TO MASTER_HOST='127.0.0.1'", "RESET SLAVE ALL"
    else:
        begin = "CHANGE REPLICATION SOURCE TO SOURCE_HOST='127.0.0.1'"
        end = "RESET REPLICA ALL"
    server.sql("SET GLOBAL server_id = 7")
    server.sql(begin)
    try:
        with session(server) as asking:
            assert "is a replica" in unfit(asking, seen(asking).variables)
    finally:
        server.sql(end)


def test_a_start_is_known_from_how_long_the_server_has_run(server: RunningServer) -> None:
    with session(server) as asking:
        assert started_since(asking, "2020-01-01T00:00:00+00:00")
        assert not started_since(asking, "2099-01-01T00:00:00+00:00")
