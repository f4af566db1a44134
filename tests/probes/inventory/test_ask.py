"""Asking servers that can't be had here: old, unknown or refusing ones."""

import json
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from probes.cancel import CancelToken
from probes.errors import (
    AgentFailed,
    Cancelled,
    LeadlineError,
    MySQLAccessDenied,
    MySQLConnectionLost,
    MySQLError,
)
from probes.inventory.ask import ask
from probes.inventory.facts import RawInventory
from probes.inventory.read import read
from probes.mysql.connection import MySQLSession
from probes.mysql.login import ResolvedLogin
from probes.targets.local import LocalTarget
from probes.targets.target import OUTPUT_LIMIT_BYTES, CommandResult, Target
from tests.present import present
from tests.probes.inventory.asking import asked

Rows = list[dict[str, object]]


class FakeSession(MySQLSession):
    """Answers by the start of a statement; an exception as an answer is raised."""

    def __init__(
        self,
        version: str,
        variables: dict[str, str] | None = None,
        answers: Mapping[str, Rows | LeadlineError] | None = None,
    ) -> None:
        self.login = ResolvedLogin(host="db7")
        self.round_trip_us = 120.0
        self.account = "app@db7"
        self.asked: list[str] = []
        self._answers: dict[str, Rows | LeadlineError] = {
            "SELECT @@version": [{"version": version, "comment": ""}],
            "SHOW GLOBAL VARIABLES": _pairs(variables or {"datadir": "/var/lib/mysql/"}),
            "SHOW GLOBAL STATUS": _pairs({"Uptime": "100", "Questions": "7"}),
            **(answers or {}),
        }

    @property
    def protection(self) -> str:
        return "TLS, verified"

    def rows(self, sql: str, params: Sequence[object] = ()) -> Rows:
        self.asked.append(sql)
        for start, answer in self._answers.items():
            if start in sql:
                if isinstance(answer, LeadlineError):
                    raise answer
                return answer
        raise MySQLError(f"unknown: {sql}")


def _pairs(values: dict[str, str]) -> Rows:
    return [{"Variable_name": name, "Value": value} for name, value in values.items()]


def ask_server(
    session: FakeSession | None, target: Target | None = None, directory: str = ""
) -> RawInventory:
    return asked(ask(target, session, directory=directory, window_s=0.0, token=CancelToken()))[1]


def because(raw: RawInventory, fact: str) -> str:
    return next(one.because for one in raw.missing if one.fact == fact)


def test_only_mysql_can_be_reached() -> None:
    raw = ask_server(FakeSession("8.0.36"))
    inventory = read(raw)
    assert inventory.host is None
    assert inventory.storage == ()
    words = "the server's machine is not reachable, only MySQL is"
    assert because(raw, "host") == because(raw, "storage") == words
    assert present(inventory.mysql).round_trip_us == 120.0


def test_an_account_without_privileges_gets_what_everybody_may_see() -> None:
    refused = MySQLAccessDenied("Access denied; you need the PROCESS privilege.")
    raw = ask_server(
        FakeSession(
            "8.0.36",
            answers={
                "performance_schema.variables_info": [
                    {"name": "datadir", "source": "COMPILED", "path": ""}
                ],
                "ENGINE INNODB STATUS": refused,
                "INNODB_METRICS": refused,
                "INNODB_TABLESPACES": refused,
                "INNODB_TRX": refused,
                "PERFORMANCE_SCHEMA STATUS": refused,
            },
        )
    )
    lacking = {one.fact for one in raw.missing if one.because.endswith("no PROCESS privilege")}
    assert lacking == {
        "mysql.innodb_status",
        "mysql.innodb_metrics",
        "mysql.transactions",
        "mysql.performance_schema",
        "mysql.sizes",
    }
    mysql = present(read(raw).mysql)
    assert mysql.variables["datadir"].origin == "COMPILED"
    assert mysql.uptime_s == 100
    assert mysql.innodb_status is None


@pytest.mark.parametrize(
    ("version", "statement"),
    [
        ("8.0.36", "performance_schema.variables_info"),
        ("10.11.6-MariaDB", "GLOBAL_VALUE_PATH AS path FROM information_schema.SYSTEM_VARIABLES"),
        ("10.4.32-MariaDB", "'' AS path FROM information_schema.SYSTEM_VARIABLES"),
        ("5.7.44", None),
        ("12.9.9-FooDB", None),
    ],
)
def test_origins_are_asked_for_as_the_version_tells_them(
    version: str, statement: str | None
) -> None:
    session = FakeSession(version, answers={"SYSTEM_VARIABLES": [], "variables_info": []})
    raw = ask_server(session)
    asked = [sql for sql in session.asked if "VARIABLES" in sql.upper() and "SELECT" in sql]
    if statement is None:
        assert asked == []
        assert "does not report where a variable was set" in because(raw, "mysql.origins")
    else:
        assert statement in asked[0]


@pytest.mark.parametrize(
    ("version", "table"),
    [
        ("8.0.36", "INNODB_TABLESPACES"),
        ("5.7.44", "INNODB_SYS_TABLESPACES"),
        ("10.11.6-MariaDB", "INNODB_SYS_TABLESPACES"),
    ],
)
def test_sizes_are_asked_for_with_a_limit(version: str, table: str) -> None:
    session = FakeSession(version, answers={"TABLESPACES": [{"bytes": 4096, "files": 3}]})
    raw = ask_server(session)
    [sql] = [sql for sql in session.asked if "FILE_SIZE" in sql]
    assert sql.endswith(table)
    assert "3000" in sql or "max_statement_time=3" in sql
    mysql = present(read(raw).mysql)
    assert mysql.innodb_files_bytes == 4096
    assert mysql.innodb_files == 3


def test_a_server_that_can_not_sum_sizes_is_not_asked() -> None:
    session = FakeSession("5.6.51")
    raw = ask_server(session)
    assert not [sql for sql in session.asked if "FILE_SIZE" in sql]
    assert "table by table" in because(raw, "mysql.sizes")


def test_the_machine_tells_the_size_that_the_server_does_not(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "ibdata1").write_bytes(b"x" * 1000)
    (tmp_path / "shop" / "orders.ibd").write_bytes(b"x" * 500)
    (tmp_path / "shop" / "orders.frm").write_bytes(b"x" * 70)
    (tmp_path / "ib_logfile0").write_bytes(b"x" * 70)
    session = FakeSession("5.6.51", variables={"datadir": str(tmp_path)})
    with closing(LocalTarget()) as target:
        raw = ask_server(session, target)
    mysql = present(read(raw).mysql)
    assert (mysql.innodb_files_bytes, mysql.innodb_files) == (1500, 2)
    assert "mysql.sizes" not in {each.fact for each in raw.missing}


def test_files_that_can_not_be_looked_at_leave_the_size_unknown(tmp_path: Path) -> None:
    session = FakeSession("5.6.51", variables={"datadir": str(tmp_path / "none")})
    with closing(LocalTarget()) as target:
        raw = ask_server(session, target)
    assert present(read(raw).mysql).innodb_files_bytes is None
    assert "table by table" in because(raw, "mysql.sizes")


def test_an_unknown_server_is_asked_the_plain_questions() -> None:
    raw = ask_server(FakeSession("?"))
    inventory = read(raw)
    assert not present(inventory.mysql).version.is_known
    assert present(inventory.mysql).value("datadir") == "/var/lib/mysql/"
    assert "mysql.version" in {one.fact for one in inventory.missing}


def test_a_fault_of_one_question_is_told_in_the_servers_words() -> None:
    broken = MySQLError("The server is out of memory.")
    raw = ask_server(FakeSession("8.0.36", answers={"ENGINE INNODB STATUS": broken}))
    words = "the server answered: The server is out of memory."
    assert because(raw, "mysql.innodb_status") == words


def test_a_lost_connection_ends_the_asking() -> None:
    lost = MySQLConnectionLost("The server is gone.")
    with pytest.raises(MySQLConnectionLost):
        ask_server(FakeSession("8.0.36", answers={"ENGINE INNODB STATUS": lost}))


def test_two_samples_lie_a_window_apart() -> None:
    session = FakeSession("8.0.36")
    asking = ask(None, session, directory="", window_s=0.3, token=CancelToken())
    told, raw = asked(asking)
    assert told == sorted(told)
    assert (told[0], told[-1]) == (0.0, 1.0)
    assert present(present(read(raw).mysql).window).seconds >= 0.3


def test_the_window_ends_at_once_when_cancelled() -> None:
    token = CancelToken()
    asking = ask(None, FakeSession("8.0.36"), directory="", window_s=600.0, token=token)
    while next(asking) < 0.25:
        pass
    token.cancel()
    with pytest.raises(Cancelled):
        next(asking)


class AgentlessTarget(LocalTarget):
    """A machine on which the agent can't run: another processor."""

    name = "root@db7"

    def agent(self) -> str:
        raise AgentFailed("root@db7 runs Linux on riscv64.")

    def run(
        self,
        argv: Sequence[str],
        *,
        stdin: bytes = b"",
        timeout_s: float = 30.0,
        limit_bytes: int = OUTPUT_LIMIT_BYTES,
    ) -> CommandResult:
        if argv == ["cat", "/proc/meminfo"]:
            return CommandResult(0, b"MemTotal:  2048 kB\n", b"")
        if argv == ["uname", "-m"]:
            return CommandResult(0, b"riscv64\n", b"")
        return CommandResult(1, b"", b"no such file")


def test_where_the_agent_can_not_run_files_tell_of_the_host() -> None:
    raw = ask_server(None, AgentlessTarget(), directory="/var/tmp")
    inventory = read(raw)
    assert present(inventory.host).memory_bytes == 2048 * 1024
    assert present(inventory.host).architecture == "riscv64"
    assert inventory.storage == ()
    assert "riscv64" in because(raw, "storage")


class BrokenAgentTarget(AgentlessTarget):
    def agent(self) -> str:
        return "/agent"


def test_an_agent_that_fails_is_no_end_of_the_inventory() -> None:
    raw = ask_server(None, BrokenAgentTarget(), directory="/var/tmp")
    assert "could not take the inventory" in because(raw, "storage")
    assert json.loads(raw.answers["roles"]) == {"probe": "/var/tmp"}


def test_what_is_open_and_what_instruments_hold_is_asked_for() -> None:
    raw = ask_server(
        FakeSession(
            "8.0.36",
            answers={
                "INNODB_TRX": [{"seconds": "301"}],
                "PERFORMANCE_SCHEMA STATUS": [
                    {"Type": "performance_schema", "Name": "users.size", "Status": "224"},
                    {
                        "Type": "performance_schema",
                        "Name": "performance_schema.memory",
                        "Status": "209715200",
                    },
                ],
            },
        )
    )
    mysql = present(read(raw).mysql)
    assert mysql.oldest_transaction_s == 301
    assert mysql.performance_schema_bytes == 200 << 20


def test_a_server_at_rest_has_no_open_transaction() -> None:
    raw = ask_server(FakeSession("10.11.6-MariaDB", answers={"INNODB_TRX": [{"seconds": None}]}))
    assert present(read(raw).mysql).oldest_transaction_s == 0
