"""The server's option files, as the agent tells of them and as a server reads them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from probes.inventory.facts import Inventory, RawInventory
from probes.inventory.option_files import (
    Ending,
    OptionFile,
    OptionFileLine,
    OptionFiles,
    OptionName,
    groups_of,
    lines_for,
    read_option_files,
    takes_capitals,
    understood,
)
from probes.inventory.read import read
from probes.version import ServerVersion
from tests.present import present

KNOWN = {"innodb_io_capacity", "skip_name_resolve", "innodb_doublewrite", "sort_buffer_size"}


def taken(options: object, hostname: str = "db", **mysql: object) -> Inventory:
    answer = {"hostname": "db", "server": {"pid": 7, "options": options}}
    answers = {"agent.inventory": json.dumps(answer)}
    if mysql:
        answers["mysql.version"] = json.dumps({"version": "8.0.36", "comment": ""})
        answers["mysql.variables"] = json.dumps({"hostname": hostname} | mysql)
    return read(RawInventory("2026-01-01T00:00:00Z", answers))


def test_files_and_lines_are_read() -> None:
    told = {
        "suffix": "_two",
        "files": [
            {"path": "/etc/my.cnf", "age_s": 12.5},
            {"path": "/etc/a.cnf", "folder": True, "because": "this account may not read it"},
        ],
        "lines": [
            {
                "file": "/etc/my.cnf",
                "line": 3,
                "group": "mysqld",
                "name": "loose-x",
                "value": "1",
                "text": "loose-x = 1",
            },
            {"file": "/etc/my.cnf", "line": 4, "group": "mysqld", "name": "y"},
        ],
    }
    inventory = taken(told)
    assert inventory.option_files == OptionFiles(
        files=(
            OptionFile("/etc/my.cnf", 12.5),
            OptionFile("/etc/a.cnf", None, True, "this account may not read it"),
        ),
        lines=(
            OptionFileLine("/etc/my.cnf", 3, "mysqld", "loose-x", "1", "loose-x = 1"),
            OptionFileLine("/etc/my.cnf", 4, "mysqld", "y"),
        ),
        suffix="_two",
    )
    assert [(one.fact, one.because) for one in inventory.missing] == [
        ("mysql.option_files./etc/a.cnf", "this account may not read it")
    ]


@pytest.mark.parametrize(
    "number", [-1, 1e300, float("inf"), 10**400, 1.5, 10**7 + 1, "3", True, None, [3]]
)
def test_a_line_that_no_file_has_is_none(number: object) -> None:
    """As an agent's answer has it, which may hold what no JSON has."""
    told = {
        "files": [{"path": "/f", "line": number, "age_s": 10**400}],
        "lines": [{"file": "/f", "line": number}],
    }
    found = present(read_option_files(told))
    assert (found.files[0].line, found.lines[0].number) == (0, 0)
    assert found.files[0].age_s is None


def test_no_value_is_longer_than_a_line() -> None:
    line = {"file": "/f", "line": 10**7, "name": "port", "value": "9" * 5000, "text": "x" * 5000}
    (found,) = present(read_option_files({"lines": [line]})).lines
    assert found.number == 10**7
    assert (len(present(found.value)), len(found.text)) == (4094, 4094)


def test_what_ends_a_start_is_read() -> None:
    told = {
        "files": [
            {"path": "/etc/my.cnf", "ends": "no_folder", "line": 3},
            {"path": "/gone", "because": "it is not there", "passed": True},
            {"path": "/odd", "ends": "what only a later agent tells", "line": 3},
        ],
        "lines": [
            {
                "file": "/etc/my.cnf",
                "line": 2,
                "group": "mysqld",
                "text": "port 3306",
            },
            {"file": "/etc/my.cnf", "line": 4, "group": "mysqld"},
        ],
    }
    found = taken(told).option_files
    assert found is not None
    assert [(file.ends, file.line, file.passed) for file in found.files] == [
        (Ending.NO_FOLDER, 3, False),
        (None, 0, True),
        (None, 3, False),
    ]
    assert [(line.written, line.value, line.text) for line in found.lines] == [
        ("", None, "port 3306"),
        ("", None, ""),
    ]


@pytest.mark.parametrize(
    ("version", "takes"),
    [
        ("5.6.14", False),
        ("9.7.4", False),
        ("10.2.11-MariaDB", False),
        ("10.5.23-MariaDB", False),
        ("10.6.20-MariaDB", None),
        ("10.11.4-MariaDB", None),
        ("10.11.19-MariaDB", True),
        ("11.4.5-MariaDB", False),
        ("11.4.10-MariaDB", None),
        ("11.8.9-MariaDB", True),
    ],
)
def test_names_in_capitals_are_taken_by_newer_mariadb(version: str, takes: bool | None) -> None:
    assert takes_capitals(ServerVersion.parse(version)) is takes


def test_an_answer_of_before_tells_of_no_files() -> None:
    assert taken(None).option_files is None
    assert read_option_files({}) == OptionFiles()


def test_why_nothing_was_read_is_said() -> None:
    inventory = taken({"because": "the server runs in a container", "files": [], "lines": []})
    assert [(one.fact, one.because) for one in inventory.missing] == [
        ("mysql.option_files", "the server runs in a container")
    ]


def test_another_machines_files_are_not_the_servers() -> None:
    inventory = taken({"none": True}, hostname="elsewhere", datadir="/x/")
    assert inventory.option_files is None
    assert "mysql.option_files" in {one.fact for one in inventory.missing}


@pytest.mark.parametrize("damage", [[], "x", 7, {"files": 3, "lines": [4, {"line": "x"}]}])
def test_a_damaged_answer_is_no_end_of_the_inventory(damage: Any) -> None:
    found = taken(damage).option_files
    assert found is None or {line.number for line in found.lines} == {0}


def test_hostile_text_stays_on_one_line() -> None:
    line = {"file": "/x\n/y", "name": "a", "value": "\x1b[2J\u202e<b>", "text": "a = \r\n[mysqld]"}
    (read_line,) = (read_option_files({"lines": [line]}) or OptionFiles()).lines
    assert read_line.file == "/x\ufffd/y"
    assert read_line.value == "\ufffd[2J\ufffd<b>"
    assert read_line.text == "a = \ufffd\ufffd[mysqld]"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("innodb-io_capacity", OptionName("innodb_io_capacity")),
        ("loose-innodb_io_capacity", OptionName("innodb_io_capacity", loose=True)),
        ("skip-name-resolve", OptionName("skip_name_resolve")),
        ("skip_innodb_doublewrite", OptionName("innodb_doublewrite", says="OFF")),
        ("disable_innodb_doublewrite", OptionName("innodb_doublewrite", says="OFF")),
        ("loose_enable_innodb_doublewrite", OptionName("innodb_doublewrite", True, "ON")),
        ("maximum-sort_buffer_size", OptionName("sort_buffer_size", maximum=True)),
        ("loose_gone", OptionName("gone", loose=True)),
        ("skip_gone", OptionName("skip_gone")),
        ("loose_skip_gone", OptionName("skip_gone", loose=True)),
        ("loose_", OptionName("", loose=True)),
        ("INNODB_IO_CAPACITY", OptionName("INNODB_IO_CAPACITY")),
    ],
)
def test_a_name_is_understood_as_servers_do(written: str, meant: OptionName) -> None:
    assert understood(written, KNOWN) == meant


@pytest.mark.parametrize(
    ("version", "groups"),
    [
        ("5.6.14", "mysqld server mysqld-5.6"),
        ("8.0.33", "mysql_cluster mysqld server mysqld-8.0"),
        ("9.7.4", "mysql_cluster mysqld server mysqld-9.7"),
        ("10.2.11-MariaDB", "mysqld server mysqld-10.2 mariadb mariadb-10.2 client-server galera"),
        (
            "10.11.19-MariaDB",
            "mysqld server mysqld-10.11 mariadb mariadb-10.11 mariadbd mariadbd-10.11 "
            "client-server galera",
        ),
    ],
)
def test_the_groups_are_those_that_the_version_names(version: str, groups: str) -> None:
    """As each of these servers says itself with --verbose --help."""
    assert groups_of(ServerVersion.parse(version)) == set(groups.split())


def test_only_what_the_version_reads_counts() -> None:
    def line(group: str, file: str = "/a.cnf") -> OptionFileLine:
        return OptionFileLine(file, 1, group, "x", "1", "x = 1")

    found = OptionFiles(
        (OptionFile("/a.cnf"), OptionFile("/d/b.c.cnf", folder=True)),
        (line("mariadb"), line("mysqld_two"), line("mysqld-8.4"), line("server", "/d/b.c.cnf")),
        suffix="_two",
    )

    def read_by(version: str) -> list[str]:
        return [each.group for each in lines_for(found, ServerVersion.parse(version))]

    assert read_by("8.4.8") == ["mysqld_two", "mysqld-8.4", "server"]
    assert read_by("5.6.14") == ["mysqld_two"]
    assert read_by("10.11.19-MariaDB") == ["mariadb", "mysqld_two", "server"]
