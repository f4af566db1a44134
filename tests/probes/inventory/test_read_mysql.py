import json

import pytest

from probes.inventory.facts import Inventory, MySQLFacts, RawInventory
from probes.inventory.read import read
from tests.present import present

TAKEN_AT = "2026-01-01T00:00:00+00:00"


def read_answers(**answers: object) -> Inventory:
    named = {
        "mysql." + name: answer if isinstance(answer, str) else json.dumps(answer)
        for name, answer in answers.items()
    }
    return read(RawInventory(TAKEN_AT, named))


def read_server(**answers: object) -> MySQLFacts:
    return present(read_answers(**answers).mysql)


def test_variables_come_with_their_origin() -> None:
    mysql = read_server(
        version={"version": "8.0.36", "comment": ""},
        variables={"a": "1", "b": "2", "c": "3", "d": "4", "e": "5"},
        origins={
            "a": ["COMPILED", ""],
            "b": ["EXPLICIT", "/etc/mysql/my.cnf"],
            "c": ["PERSISTED", "/var/lib/mysql/mysqld-auto.cnf"],
            "d": ["DYNAMIC", None],
        },
    )
    assert {name: variable.origin for name, variable in mysql.variables.items()} == {
        "a": "COMPILED",
        "b": "/etc/mysql/my.cnf",
        "c": "PERSISTED",
        "d": "DYNAMIC",
        "e": "",
    }


def test_mariadbs_words_for_an_origin_are_said_in_mysqls() -> None:
    mysql = read_server(
        version={"version": "10.11.6-MariaDB", "comment": ""},
        variables={"a": "1", "b": "2", "c": "3", "d": "4", "e": "5", "f": "6"},
        origins={
            "a": ["COMPILE-TIME", ""],
            "b": ["COMMAND-LINE", ""],
            "c": ["SQL", ""],
            "d": ["CONFIG", "/etc/mysql/mariadb.conf.d/50-server.cnf"],
            "e": ["CONFIG", ""],
            "f": ["AUTO", ""],
        },
    )
    assert [variable.origin for variable in mysql.variables.values()] == [
        "COMPILED",
        "COMMAND_LINE",
        "DYNAMIC",
        "/etc/mysql/mariadb.conf.d/50-server.cnf",
        "CONFIG",
        "AUTO",
    ]


def test_the_window_is_what_lies_between_two_samples() -> None:
    mysql = read_server(
        version={"version": "8.0.36", "comment": ""},
        **{
            "status.before": {"at_s": 100.0, "values": {"Reads": "10", "Uptime": "990"}},
            "status.after": {"at_s": 110.0, "values": {"Reads": "40", "Uptime": "1000"}},
        },
    )
    assert present(mysql.window).seconds == 10.0
    assert present(mysql.window).per_s("Reads") == 3.0
    assert mysql.uptime_s == 1000


def test_one_sample_has_no_rate() -> None:
    mysql = read_server(
        version={"version": "8.0.36", "comment": ""},
        **{"status.after": {"at_s": 110.0, "values": {"Reads": "40", "Uptime": "1000"}}},
    )
    assert present(mysql.window).seconds == 0.0
    assert present(mysql.window).per_s("Reads") is None
    assert present(mysql.window).gauge("Reads") == 40


def test_internals_are_read_when_the_account_may_see_them() -> None:
    mysql = read_server(
        version={"version": "8.0.36", "comment": ""},
        innodb_status="END OF INNODB MONITOR OUTPUT",
        innodb_metrics={"trx_rseg_history_len": 12},
        sizes={"innodb_files_bytes": 4096},
        transactions={"oldest_s": 75},
        performance_schema={"memory_bytes": 209715200},
        round_trip_us="81.3",
    )
    assert present(mysql.innodb_status).startswith("END")
    assert mysql.metrics == {"trx_rseg_history_len": 12.0}
    assert mysql.innodb_files_bytes == 4096
    assert mysql.oldest_transaction_s == 75
    assert mysql.performance_schema_bytes == 200 << 20
    assert mysql.round_trip_us == 81.3


def test_aurora_is_told_by_its_variable() -> None:
    mysql = read_server(
        version={"version": "8.0.28", "comment": "Source distribution"},
        variables={"aurora_version": "3.04.0"},
    )
    assert mysql.version.vendor == "Aurora"


def test_amazon_rds_is_told_by_where_its_programs_lie() -> None:
    mysql = read_server(
        version={"version": "8.0.39", "comment": "Source distribution"},
        variables={"basedir": "/rdsdbbin/mysql-8.0.39.R2/"},
    )
    assert str(mysql.version) == "Amazon RDS for MySQL 8.0.39"


@pytest.mark.parametrize("version", ["12.9.9-FooDB", "?!", ""])
def test_a_server_of_an_unknown_family_is_read_and_said_so(version: str) -> None:
    inventory = read_answers(
        version={"version": version, "comment": "something"},
        variables={"innodb_io_capacity": "200"},
    )
    assert not present(inventory.mysql).version.is_known
    assert present(inventory.mysql).value("innodb_io_capacity") == "200"
    assert [(one.fact, one.because) for one in inventory.missing] == [
        (
            "mysql.version",
            f'the server calls itself "{version}", which is neither MySQL nor MariaDB',
        )
    ]


def test_no_server_is_no_fault() -> None:
    inventory = read(RawInventory(TAKEN_AT, {}))
    assert inventory.mysql is None
    assert inventory.missing == ()


@pytest.mark.parametrize(
    ("answers", "fact"),
    [
        ({"agent.inventory": "{not json"}, "host"),
        ({"agent.inventory": "[]"}, "host"),
        ({"mysql.version": "{}", "mysql.variables": "[1, 2]"}, "mysql"),
        ({"mysql.version": "{}", "mysql.status.after": '{"at_s": "soon"}'}, "mysql.status"),
        ({"mysql.version": "{}", "mysql.status.after": '{"at_s": 1, "values": 7}'}, "mysql.status"),
        ({"mysql.version": "{}", "mysql.round_trip_us": "quick"}, "mysql.round_trip_us"),
        ({"mysql.version": "{}", "mysql.round_trip_us": "inf"}, "mysql.round_trip_us"),
        ({"mysql.version": "{}", "mysql.sizes": '{"innodb_files_bytes": -1}'}, "mysql.sizes"),
        ({"mysql.version": "{}", "mysql.innodb_metrics": '{"a": "x"}'}, "mysql.innodb_metrics.a"),
    ],
)
def test_a_damaged_answer_becomes_a_missing_fact(answers: dict[str, str], fact: str) -> None:
    inventory = read(RawInventory(TAKEN_AT, answers))
    assert inventory.missing[0].fact == fact
    assert "damaged" in inventory.missing[0].because


@pytest.mark.parametrize("text", ["inf", "nan", "1e999", "", "N/A"])
def test_what_nobody_can_reckon_with_is_unknown(text: str) -> None:
    counters = {"Reads": text, "Uptime": "1"}
    mysql = read_server(
        version={"version": "8.0.36", "comment": ""},
        variables={"max_connections": text},
        **{
            "status.before": {"at_s": 100.0, "values": counters},
            "status.after": {"at_s": 110.0, "values": {**counters, "Uptime": "0"}},
        },
    )
    assert mysql.number("max_connections") is None
    assert present(mysql.window).gauge("Reads") is None
    assert present(mysql.window).delta("Reads") is None
    assert present(mysql.window).delta("Uptime") is None


@pytest.mark.parametrize(
    "text", ["zz", "1e400", "inf", "nan", "", "1_000", "0x10", "9" * 40, "１０"]
)
def test_a_number_s_variable_that_is_none_is_a_missing_fact(text: str) -> None:
    """The others stand, and what is a text stays one, whatever it says."""
    variables = {"sync_binlog": text, "innodb_io_capacity": "200", "tmpdir": text}
    inventory = read_answers(version={"version": "8.0.36", "comment": ""}, variables=variables)
    mysql = present(inventory.mysql)
    assert mysql.value("sync_binlog") is None
    assert mysql.value("innodb_io_capacity") == "200"
    assert mysql.value("tmpdir") == text
    (missing,) = inventory.missing
    assert missing.fact == "mysql.variable.sync_binlog"
    assert missing.because.startswith("the server says that sync_binlog is ")


@pytest.mark.parametrize("text", ["0", "-1", "90.000000", "18446744073709551615", "+5"])
def test_what_servers_show_for_numbers_is_read(text: str) -> None:
    inventory = read_answers(
        version={"version": "8.0.36", "comment": ""}, variables={"sync_binlog": text}
    )
    assert inventory.missing == ()
    assert present(inventory.mysql).value("sync_binlog") == text
