"""Where a server's clients are: by what a host is called, and on real servers."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from threading import Thread
from typing import cast

import pymysql
import pytest

from advisor.wording.watch.rows import unseen
from probes.boundary.malformed import Malformed
from probes.cancel import CancelToken
from probes.errors import MySQLConnectionLost, MySQLError
from probes.inventory.ask import ask
from probes.inventory.facts import RawInventory
from probes.inventory.read import read
from probes.mysql.answers import Answering
from probes.mysql.connection import connect
from probes.statistics.ranges import Range
from probes.targets.address import MySQLAddress, TlsMode
from probes.targets.local import LocalTarget
from probes.targets.silent import Silent
from probes.watch.clients import CLIENTS, ClientCount, Where, addresses_of, where
from probes.watch.reading.whole import WatchReading, read_watch
from probes.watch.watched import Clients
from tests.present import present
from tests.servers.another_host import another_address
from tests.servers.mariadb import BOSS, NATIVE, MariaDB, private_mariadb
from tests.servers.mysql97 import BARE, MySQL
from tests.waiting import wait_until

OPEN = 3
"""How many clients of each kind hold a connection."""

OWN = frozenset({"db7", "db7.example.com", "192.0.2.7", "2001:db8::7"})


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("", Where.LOCAL),
        ("localhost", Where.LOCAL),
        ("127.0.0.1", Where.LOCAL),
        ("127.0.1.1", Where.LOCAL),
        ("::1", Where.LOCAL),
        ("[::1]", Where.LOCAL),
        ("::ffff:127.0.0.1", Where.LOCAL),
        ("192.0.2.7", Where.LOCAL),
        ("::ffff:192.0.2.7", Where.LOCAL),
        ("2001:0db8::7", Where.LOCAL),
        ("DB7.example.com", Where.LOCAL),
        ("192.0.2.8", Where.REMOTE),
        ("::ffff:192.0.2.8", Where.REMOTE),
        ("2001:db8::8", Where.REMOTE),
        ("app1.example.com", Where.REMOTE),
        ("172.17.0.1", Where.UNPLACED),
        ("172.31.4.5", Where.REMOTE),
    ],
)
def test_a_client_is_where_its_host_says(host: str, expected: Where) -> None:
    assert where(host, OWN) is expected


def told(*samples: Mapping[str, object]) -> WatchReading:
    """What is read of such counts, one sample a second."""
    counted = [{"at_s": float(at), "counts": dict(each)} for at, each in enumerate(samples)]
    status = [{"at_s": float(at), "values": {}} for at in range(2)]
    return read_watch(
        {
            "watch.status": json.dumps({"samples": status}),
            CLIENTS: json.dumps({"samples": counted}),
        }
    )


def sample(
    local: int, remote: int, unplaced: int = 0, opened: int = 20, connected: str = "20"
) -> dict[str, object]:
    return {
        "local": local,
        "remote": remote,
        "unplaced": unplaced,
        "opened": opened,
        "connected": connected,
    }


def test_counts_are_means_over_the_samples() -> None:
    found = present(told(sample(4, 0), sample(6, 2, 1)).watched).clients
    assert found == Clients(5.0, 1.0, 0.5)
    share = present(found.local_share)
    assert (share.low, share.high) == pytest.approx((5 / 6.5, 5.5 / 6.5))
    assert share.low < share.value < share.high


def test_the_clients_processes_are_all_that_were_told_at_any_time() -> None:
    first = {**sample(4, 0), "processes": [12, 40]}
    found = present(told(first, sample(4, 0), {**first, "processes": [40, 41]}).watched).clients
    assert present(found).processes == (12, 40, 41)
    some = present(told(first, {**first, "processes": None}).watched).clients
    assert present(some).processes is None
    for wrong in ("12", ["12"], [-1]):
        with pytest.raises(Malformed):
            told({**first, "processes": wrong})


class WithoutThreads:
    """MySQL 5.6 whose Performance Schema is on and has no tables: nobody made them."""

    def __init__(self, error: type[MySQLError] = MySQLError) -> None:
        self.error = error

    def rows(self, statement: str) -> list[dict[str, object]]:
        if "performance_schema" in statement:
            raise self.error("Table 'performance_schema.threads' doesn't exist (error 1146).")
        return [{"host": "localhost", "opened": 5, "active": 4}]


def test_without_its_table_of_threads_the_list_of_processes_is_asked() -> None:
    found = ClientCount(cast("Answering", WithoutThreads()), OWN, threads=True).look()
    assert (found["local"], found["opened"]) == (4, 5)
    with pytest.raises(MySQLConnectionLost):
        ClientCount(
            cast("Answering", WithoutThreads(MySQLConnectionLost)), OWN, threads=True
        ).look()


def test_without_any_client_there_is_no_share() -> None:
    assert present(present(told(sample(0, 0), sample(0, 0)).watched).clients).local_share is None


def test_an_account_that_sees_its_own_connections_alone_knows_nothing_of_the_others() -> None:
    found = told(sample(1, 0, opened=2), sample(1, 0, opened=2))
    assert present(found.watched).clients is None
    ((what, because),) = found.missing
    assert what == "clients"
    assert because.startswith("the account has no PROCESS privilege")


def test_connections_that_come_and_go_between_both_questions_are_no_reason() -> None:
    found = told(sample(1, 0, opened=18), sample(1, 0, opened=21))
    assert found.missing == ()
    assert present(found.watched).clients == Clients(1.0, 0.0)


def test_a_watch_without_them_reads_as_before() -> None:
    found = read_watch(
        {"watch.status": '{"samples": [{"at_s": 0, "values": {}}, {"at_s": 1, "values": {}}]}'}
    )
    assert present(found.watched).clients is None
    assert found.missing == ()


@pytest.mark.parametrize(
    "wrong",
    [{"local": -1}, {"remote": "many"}, {"opened": None}, {"connected": "some"}],
)
def test_counts_that_are_none_are_malformed(wrong: Mapping[str, object]) -> None:
    with pytest.raises(Malformed):
        told(sample(1, 1), {**sample(1, 1), **wrong})


def test_a_machine_tells_its_own_addresses_unless_it_is_another() -> None:
    local = LocalTarget()
    assert "127.0.0.1" in addresses_of(local, "")
    assert addresses_of(local, "surely-another.example.com") == frozenset()


Opens = partial[pymysql.Connection]


@contextmanager
def clients_of(kinds: Sequence[Opens]) -> Iterator[None]:
    """Some idle clients of each kind."""
    with ExitStack() as stack:
        for kind in kinds:
            for _ in range(OPEN):
                stack.enter_context(closing(kind()))
        yield


@contextmanager
def at_work(server: MariaDB | MySQL, kind: Opens) -> Iterator[None]:
    """A client with a statement that ends with the context."""
    with closing(kind()) as connection:
        with connection.cursor() as cursor:
            cursor.execute("SELECT CONNECTION_ID()")
            ((number,),) = cursor.fetchall()

        def work() -> None:
            with suppress(pymysql.err.OperationalError):
                connection.query("DO SLEEP(3600)")

        thread = Thread(target=work)
        thread.start()
        asked = "SELECT COMMAND AS command FROM information_schema.processlist WHERE ID = %s"
        try:
            assert wait_until(lambda: server.sql(asked, (number,)) == [{"command": "Query"}])
            yield
        finally:
            server.sql("KILL %s", (number,))
            thread.join()


def asked_as(user: str, password: str, socket: str) -> RawInventory:
    """What a server answers."""
    address = MySQLAddress(user=user, socket=socket, tls=TlsMode.DISABLED)
    prompts, token = Silent(), CancelToken()
    with connect(
        address, via=LocalTarget(), prompts=prompts, token=token, password=password
    ) as session:
        asking = ask(None, session, directory="", window_s=0.2, token=token)
        while True:
            try:
                next(asking)
            except StopIteration as end:
                found: RawInventory = end.value
                return found


def counted(raw: RawInventory) -> list[Mapping[str, int]]:
    return [each["counts"] for each in json.loads(raw.answers[CLIENTS])["samples"]]


def clients(raw: RawInventory) -> Clients | None:
    return present(read(raw).watched).clients


def test_clients_of_a_mariadb_by_its_socket_and_its_port_are_local(mariadb: MariaDB) -> None:
    by_socket = partial(pymysql.connect, unix_socket=mariadb.socket, user=BOSS[0], password=BOSS[1])
    by_port = partial(
        pymysql.connect, host=mariadb.host, port=mariadb.port, user=BOSS[0], password=BOSS[1]
    )
    with (
        clients_of([by_socket, by_port]),
        at_work(mariadb, by_socket),
        at_work(mariadb, by_port),
    ):
        raw = asked_as(*BOSS, mariadb.socket)
    for counts in counted(raw):
        assert counts["opened"] > 2 * OPEN + 2
        # How many of those that are idle were at work just now is up to the machine.
        assert 2 <= counts["local"] < counts["opened"]
    found = present(clients(raw))
    assert found.remote == found.unplaced == 0
    assert found.local_share == Range.exact(1.0)
    assert mariadb.host not in raw.answers[CLIENTS]
    assert "localhost" not in raw.answers[CLIENTS]


def test_a_client_by_an_address_is_local_where_that_is_the_machines_own() -> None:
    with another_address() as host, private_mariadb(tls=False, host=host) as server:
        kind = partial(pymysql.connect, host=host, port=server.port, user=BOSS[0], password=BOSS[1])
        address = MySQLAddress(user=BOSS[0], socket=server.socket, tls=TlsMode.DISABLED)
        local, token = LocalTarget(), CancelToken()
        with (
            at_work(server, kind),
            connect(address, via=local, prompts=Silent(), token=token, password=BOSS[1]) as session,
        ):
            stranger = ClientCount(session, (), threads=False).look()
            known = ClientCount(session, addresses_of(local, ""), threads=False).look()
    # The machine's only address may be one of Docker's, and others may be local besides.
    assert stranger[where(host, ())] == 1
    assert known[where(host, {host})] >= 1
    assert known["remote"] == 0


def test_without_process_a_mariadb_says_nothing_of_them(mariadb: MariaDB) -> None:
    kind = partial(pymysql.connect, unix_socket=mariadb.socket, user=BOSS[0], password=BOSS[1])
    with clients_of([kind]):
        raw = asked_as(*NATIVE, mariadb.socket)
    assert clients(raw) is None
    said = "Where its clients are is not known: the account has no PROCESS privilege"
    assert any(each.startswith(said) for each in unseen(read(raw)))


@pytest.mark.parametrize(("account", "seen"), [(("root", ""), True), (BARE, False)])
def test_a_mysql_tells_it_to_whom_it_shows_its_threads(
    mysql97: MySQL, account: tuple[str, str], seen: bool
) -> None:
    kind = partial(pymysql.connect, unix_socket=mysql97.socket, user="root")
    # So many that nearly all tell their process: the tests' own connection does not.
    with clients_of([kind] * 4), at_work(mysql97, kind):
        raw = asked_as(*account, mysql97.socket)
    found = clients(raw)
    assert (found is not None) is seen
    if found is not None:
        assert found.local >= 1
        assert found.local_share == Range.exact(1.0)
        assert found.processes == (os.getpid(),)
    lacks = [each.because for each in read(raw).missing if each.fact == CLIENTS]
    assert bool(lacks) is not seen
