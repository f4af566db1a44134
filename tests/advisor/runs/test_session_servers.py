"""The main job on real servers: over a socket, over TCP, over SSH, with and without privileges."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.case import Case
from advisor.facts.catalogue import CATALOGUE
from advisor.judging.open_questions import worth
from advisor.judging.open_questions.closing import NARROWER, watched_s
from advisor.outcomes import Verdict
from advisor.run import RunState
from advisor.runs import watching
from advisor.runs.events import CheckEvent, Finished, PlanMade, StageStarted
from advisor.runs.requests import NO_TABLE, CheckRequest, ProbeRequest, WatchRequest
from advisor.runs.session import measure, watch
from advisor.runs.session import test_connection as connection_report
from advisor.store.store import Store
from advisor.wording.watch.connection import ANONYMOUS
from probes.cancel import CancelToken
from probes.errors import ConnectionLost, MySQLAccessDenied, MySQLUnreachable, UsageError
from probes.events import PointDone, PointStarted, Warned
from probes.figures import seconds
from probes.inventory.facts import Role
from probes.kinds.kind import Kind
from probes.plans.build.checking import PROTOCOLS
from probes.plans.spend.spent import Ledger
from probes.points import Probe
from probes.targets.address import MySQLAddress, SshAddress, StatedMachine, TargetKind, TargetSpec
from probes.targets.silent import Silent
from probes.version import Flavour
from tests.advisor.runs.checks import PATIENT, only, processes_with, until
from tests.servers.mariadb import BOSS, MariaDB, private_mariadb
from tests.servers.mysql97 import MySQL
from tests.servers.sshd import Sshd, private_sshd
from tests.tracing import INSTANCES

TABLE = "shop.orders"
FEW = replace(PATIENT, threads=(1, 4), block_sizes=(4096,))


@pytest.fixture
def shop(mariadb: MariaDB) -> Iterator[MariaDB]:
    """The server with one table that point selects can read."""
    fill(mariadb)
    yield mariadb
    mariadb.sql("DROP DATABASE shop")


def fill(server: MariaDB) -> None:
    server.sql("CREATE DATABASE shop")
    server.sql(f"CREATE TABLE {TABLE} (id INT PRIMARY KEY, what CHAR(100)) ENGINE=InnoDB")
    server.sql(f"INSERT INTO {TABLE} SELECT seq, REPEAT('x', 100) FROM shop.seq_1_to_20000")


def test_missing_rows_are_a_share_of_the_lookups(
    store: Store, shop: MariaDB, disk: Path, short_plan: None
) -> None:
    shop.sql(f"DELETE FROM {TABLE} WHERE id % 2 = 0 AND id < 20000")
    address = MySQLAddress(socket=shop.socket)
    spec = TargetSpec(name="local", mysql=address, directory=str(disk))
    wishes = replace(PATIENT, protocols=PROTOCOLS, every_level=True)
    request = ProbeRequest(spec, frozenset({Kind.MYSQL}), wishes=wishes, window_s=0.0, table=TABLE)
    case = case_of(list(measure(store, request, Silent(), CancelToken())))
    assert len(case.points) == 2 * len(PROTOCOLS)
    for point in case.points:
        # A point of a few lookups may have found all of its rows, and then says nothing of them.
        missing = point.details.get("missing_rows", 0)
        assert isinstance(missing, int)
        assert missing <= point.operations
        # Within six standard errors of a half.
        assert abs(missing - point.operations / 2) <= 3 * math.sqrt(point.operations) + 1


def test_a_budget_watches_a_server_longer_where_that_is_worth_its_time(
    store: Store, shop: MariaDB, disk: Path, short_plan: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here any worth is enough, once: an idle server leaves no question to its counters.

    And there is time left, however long a busy machine took for the points.
    """
    monkeypatch.setattr(watching, "WATCH_WORTH_PER_S", 0.0)
    monkeypatch.setattr(Ledger, "left_s", lambda _ledger, _plan: math.inf)
    before: set[float] = set()

    def first_s(case: Case) -> float:
        before.add(watched_s(case))
        return watched_s(case) if len(before) == 1 else 0.0

    monkeypatch.setattr(worth, "watched_s", first_s)
    request = by_socket(shop, disk)
    # With more to measure, a noisy machine is measured again and again.
    wishes = replace(request.wishes, deciding=True, probes=(Probe.REDO_SYNC,))
    request = replace(request, wishes=wishes)
    events = run(store, request)
    said = [each.text for each in only(events, StageStarted)]
    longer_s = min(before) * NARROWER
    assert [e for e in said if e.startswith(f"Watching the server for {seconds(longer_s)}:")] != []
    assert watched_s(case_of(events)) >= longer_s
    watched = case_of(events).inventory.watched
    assert watched is not None
    # From its first sample to its last: both come late on a busy machine.
    assert watched.seconds > min(before)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may trace")
@pytest.mark.skipif(not INSTANCES.is_dir(), reason="this kernel has no tracefs")
@pytest.mark.parametrize("trace", [True, False])
def test_a_check_traces_the_server_unless_it_is_told_not_to(
    store: Store, shop: MariaDB, disk: Path, short_plan: None, trace: bool
) -> None:
    events = run(store, replace(by_socket(shop, disk), trace=trace))
    watched = case_of(events).inventory.watched
    assert watched is not None
    assert watched.own_cost is not None
    assert (watched.own_cost.trace is not None) is trace


def by_socket(server: MariaDB, directory: Path) -> CheckRequest:
    address = MySQLAddress(socket=server.socket)
    spec = TargetSpec(name="local", mysql=address, directory=str(directory))
    return CheckRequest(spec, window_s=0.5, table=TABLE, wishes=FEW)


def run(store: Store, request: CheckRequest) -> list[CheckEvent]:
    return list(measure(store, request, Silent(), CancelToken()))


def case_of(events: list[CheckEvent]) -> Case:
    finished = events[-1]
    assert isinstance(finished, Finished)
    return finished.case


def lookups(case: Case) -> list[int]:
    """The levels that were asked for; one that swung may have been measured twice."""
    points = [p for p in case.points if p.setting.probe is Probe.POINT_SELECT]
    return list(dict.fromkeys(point.setting.threads for point in points))


def test_a_running_server_is_judged_and_read(
    store: Store, shop: MariaDB, disk: Path, short_plan: None
) -> None:
    events = run(store, by_socket(shop, disk))
    case = case_of(events)
    assert lookups(case) == [1, 4]
    mysql = case.inventory.mysql
    assert mysql is not None
    assert not mysql.sandbox
    assert mysql.version.is_mariadb
    assert mysql.window is not None
    assert mysql.window.seconds >= 0.5
    data = case.inventory.role(Role.DATA)
    assert data is not None
    assert data.filesystem
    finished = events[-1]
    assert isinstance(finished, Finished)
    judged = {outcome.setting: outcome for outcome in finished.judgement.recommendations}
    assert judged["innodb_lru_scan_depth"].now == mysql.value("innodb_lru_scan_depth")


def test_a_restart_in_the_middle_of_point_selects(
    store: Store, disk: Path, unhurried_plan: None
) -> None:
    with private_mariadb(tls=False) as server:
        fill(server)
        # Without a guard, which might see the server go before a lookup does, and end the run.
        request = replace(by_socket(server, disk), wishes=replace(FEW, guard=None))
        events = measure(store, request, Silent(), CancelToken())
        for event in events:
            if isinstance(event, PointStarted) and event.setting.probe is Probe.POINT_SELECT:
                break
        server.sql("SHUTDOWN")
        rest = list(events)
    finished = rest[-1]
    assert isinstance(finished, Finished)
    assert any("mysql" in event.code for event in only(rest, Warned))
    assert store.run(finished.run_id).state is RunState.DONE
    assert {p.setting.probe for p in finished.case.points} >= {Probe.RANDOM_READ, Probe.REDO_SYNC}


def test_an_account_that_may_do_nothing(
    store: Store, shop: MariaDB, disk: Path, short_plan: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.sql("CREATE USER nobody@'%' IDENTIFIED BY 'nothing'")
    monkeypatch.setenv("LEADLINE_MYSQL_PASSWORD", "nothing")
    address = MySQLAddress("127.0.0.1", shop.port, user="nobody")
    spec = TargetSpec(name="local", mysql=address, directory=str(disk))
    events = run(store, CheckRequest(spec, window_s=0.5, wishes=FEW))
    assert any(event.code == "no_table" for event in only(events, Warned))
    case = case_of(events)
    assert lookups(case) == []
    assert any("PROCESS" in missing.because for missing in case.inventory.missing)
    finished = events[-1]
    assert isinstance(finished, Finished)
    assert finished.judgement.recommendations
    shop.sql("DROP USER nobody@'%'")


def test_an_anonymous_account_that_answers_for_another_is_told_of(shop: MariaDB) -> None:
    shop.sql("CREATE USER ''@'%'")
    try:
        address = MySQLAddress(socket=shop.socket, user="app")
        spec = TargetSpec(TargetKind.MYSQL, "mysql://app@localhost", mysql=address)
        report = connection_report(spec, Silent(), CancelToken())
        assert report.facts["account"] == "@%"
        assert ANONYMOUS in report.lines
    finally:
        shop.sql("DROP USER ''@'%'")


@pytest.mark.parametrize("granted", [(), ("PROCESS ON *.*",), ("SELECT ON performance_schema.*",)])
def test_what_an_account_may_not_see_is_said_with_its_grant(
    shop: MariaDB, granted: tuple[str, ...]
) -> None:
    shop.sql("CREATE USER 'looker'@'localhost' IDENTIFIED BY ''")
    try:
        for right in granted:
            shop.sql(f"GRANT {right} TO 'looker'@'localhost'")
        address = MySQLAddress(socket=shop.socket, user="looker")
        spec = TargetSpec(TargetKind.MYSQL, "mysql://looker@localhost", mysql=address)
        report = connection_report(spec, Silent(), CancelToken())
        wanted = {"PROCESS ON *.*", "SELECT ON performance_schema.*"} - set(granted)
        assert len(report.lacks) == len(wanted)
        for right in wanted:
            (line,) = [one for one in report.lacks if right in one]
            assert line.endswith(f"GRANT {right} TO 'looker'@'localhost';")
        assert set(report.lacks) <= set(report.lines)
        for right in wanted:
            shop.sql(f"GRANT {right} TO 'looker'@'localhost'")
        assert connection_report(spec, Silent(), CancelToken()).lacks == ()
    finally:
        shop.sql("DROP USER 'looker'@'localhost'")


def test_mysql_alone(
    store: Store, shop: MariaDB, short_plan: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEADLINE_MYSQL_PASSWORD", BOSS[1])
    address = MySQLAddress("127.0.0.1", shop.port, user=BOSS[0])
    told = StatedMachine(machine_class="db.r6g.2xlarge")
    spec = TargetSpec(TargetKind.MYSQL, "mysql://boss@127.0.0.1", mysql=address, told=told)
    events = run(store, CheckRequest(spec, window_s=0.5, table=TABLE, wishes=PATIENT))
    case = case_of(events)
    assert {point.setting.probe for point in case.points} == {Probe.POINT_SELECT}
    assert case.inventory.host is None
    assert case.inventory.told == told
    assert "as stated by the user" in str(CATALOGUE["host.memory"].read(case))
    assert case.inventory.mysql is not None
    assert (case.inventory.mysql.round_trip_us or 0) > 0
    made = only(events, PlanMade)[0]
    assert made.plan.file_sets == ()


def test_mysql_alone_can_hold_no_throwaway_server(
    store: Store, shop: MariaDB, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEADLINE_MYSQL_PASSWORD", BOSS[1])
    address = MySQLAddress("127.0.0.1", shop.port, user=BOSS[0])
    spec = TargetSpec(TargetKind.MYSQL, "mysql://boss@127.0.0.1", mysql=address)
    with pytest.raises(UsageError, match="only MySQL can be reached"):
        run(store, CheckRequest(spec, sandbox=True, window_s=0.0))


def test_the_same_over_ssh_leaves_nothing_there(
    store: Store, shop: MariaDB, ssh_home: Path, disk: Path, short_plan: None, tmp_path: Path
) -> None:
    # What is brought goes to a place of this test: others may bring something just now, too.
    place = tmp_path / "run"
    place.mkdir(mode=0o700)
    with private_sshd(environment={"XDG_RUNTIME_DIR": str(place)}) as sshd:
        sshd.write_home(ssh_home)
        ssh = SshAddress(sshd.host, sshd.port, sshd.user)
        spec = TargetSpec(
            TargetKind.SSH,
            "behind ssh",
            ssh,
            mysql=MySQLAddress(socket=shop.socket),
            directory=str(disk),
        )
        report = connection_report(spec, Silent(), CancelToken())
        assert "MariaDB" in "\n".join(report.lines)
        brought: list[Path] = []
        request = CheckRequest(spec, window_s=0.5, table=TABLE, wishes=FEW)
        events = []
        for event in measure(store, request, Silent(), CancelToken()):
            events.append(event)
            brought = brought or list(place.iterdir())
        over_ssh = case_of(events)
        assert brought
        assert processes_with(str(place)) == {}
    assert list(place.iterdir()) == []
    local = case_of(run(store, by_socket(shop, disk)))
    # Which levels are left out depends on what is measured.
    assert {p.setting.probe for p in over_ssh.points} == {p.setting.probe for p in local.points}
    assert over_ssh.inventory.storage == replace_free(over_ssh, local)


def replace_free(over_ssh: Case, local: Case) -> tuple[object, ...]:
    """The local inventory's storage with the free space of the other: that alone may differ."""
    free = [storage.free_bytes for storage in over_ssh.inventory.storage]
    return tuple(
        replace(storage, free_bytes=bytes_)
        for storage, bytes_ in zip(local.inventory.storage, free, strict=True)
    )


def test_an_sshd_that_dies_in_the_middle_fails_the_run(
    store: Store, sshd: Sshd, ssh_spec: TargetSpec, disk: Path, unhurried_plan: None
) -> None:
    spec = replace(ssh_spec, directory=str(disk))
    events = measure(store, CheckRequest(spec, window_s=0.0), Silent(), CancelToken())
    until(events, PointDone)
    sshd.cut()
    with pytest.raises(ConnectionLost):
        list(events)
    run_id = store.runs()[0].id
    assert store.run(run_id).state is RunState.FAILED
    assert store.points(run_id)


def test_no_table_means_no_lookups(
    store: Store, shop: MariaDB, disk: Path, short_plan: None
) -> None:
    request = replace(by_socket(shop, disk), table=NO_TABLE)
    assert lookups(case_of(run(store, request))) == []


def test_a_wrong_table_is_named(store: Store, shop: MariaDB, disk: Path) -> None:
    with pytest.raises(UsageError, match=r"shop\.nothing is no InnoDB table"):
        run(store, replace(by_socket(shop, disk), table="shop.nothing"))


def test_a_wrong_password(
    store: Store, shop: MariaDB, disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEADLINE_MYSQL_PASSWORD", "wrong")
    address = MySQLAddress("127.0.0.1", shop.port, user=BOSS[0])
    spec = TargetSpec(name="local", mysql=address, directory=str(disk))
    with pytest.raises(MySQLAccessDenied):
        run(store, CheckRequest(spec))


def test_nobody_listens(store: Store, disk: Path) -> None:
    address = MySQLAddress(socket=str(disk / "none.sock"))
    with pytest.raises(MySQLUnreachable, match=r"none\.sock"):
        run(store, CheckRequest(TargetSpec(name="local", mysql=address, directory=str(disk))))


def test_a_running_mysql_is_judged_as_its_own_family(
    store: Store, mysql97: MySQL, disk: Path, short_plan: None
) -> None:
    address = MySQLAddress(socket=mysql97.socket, user="root")
    spec = TargetSpec(name="local", mysql=address, directory=str(disk))
    events = run(store, CheckRequest(spec, window_s=0.5, table=NO_TABLE, wishes=FEW))
    case = case_of(events)
    assert case.inventory.mysql is not None
    assert case.inventory.mysql.version.at_least(Flavour.MYSQL, 9, 7)
    assert case.inventory.mysql.variables["innodb_buffer_pool_size"].origin == "COMMAND_LINE"
    finished = events[-1]
    assert isinstance(finished, Finished)
    judged = {outcome.setting: outcome for outcome in finished.judgement.recommendations}
    assert judged["innodb_doublewrite"].verdict is Verdict.RECOMMEND
    assert judged["innodb_doublewrite"].now == "OFF"
    assert judged["innodb_doublewrite"].proposed == "ON"


@pytest.mark.parametrize("family", ["mariadb", "mysql97"])
def test_what_the_asked_server_does_is_counted_as_its_own(
    store: Store, disk: Path, short_plan: None, family: str, request: pytest.FixtureRequest
) -> None:
    """MySQL is started by the dynamic loader here: the kernel calls its process by that name."""
    server: MariaDB | MySQL = request.getfixturevalue(family)
    spec = TargetSpec(
        name="local", mysql=MySQLAddress(socket=server.socket, user="root"), directory=str(disk)
    )
    check = CheckRequest(spec, window_s=0.5, table=NO_TABLE, wishes=FEW)
    made = until(measure(store, check, Silent(), CancelToken()), PlanMade)
    assert made.plan.watch_pids == (server.pid,)


def test_a_watch_of_an_idle_server_is_known_as_one(store: Store, shop: MariaDB) -> None:
    """A list knows then that an older run, which saw the server at work, says more."""
    address = MySQLAddress(socket=shop.socket, user="root")
    spec = TargetSpec(TargetKind.LOCAL, "idle", mysql=address)
    for _ in watch(store, WatchRequest(spec, 1.0, trace=False), Silent(), CancelToken()):
        pass
    (found,) = store.runs()
    assert found.idle
