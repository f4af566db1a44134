"""Lines of option files beside what the server made of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from advisor.facts.catalogue import CATALOGUE
from advisor.facts.readings import Absent, Reading
from advisor.facts.server.lines import Lines, lines_of
from advisor.facts.server.option_files import ELSEWHERE, FileLines, Strange, file_lines
from advisor.upgrade.lens import lens
from advisor.upgrade.other_version import stated_in
from advisor.variables.entry import Fate
from advisor.variables.naming import version_named
from advisor.variables.option_values import in_digits
from advisor.wording.advice.why import because
from probes.inventory.facts import COMMAND_LINE
from probes.inventory.option_files import read_option_files
from tests.rules.casework import build

OLD = {
    "version": "5.6.14",
    "variables": {
        "innodb_io_capacity": "200",
        "innodb_old_blocks_time": "500",
        "innodb_locks_unsafe_for_binlog": "ON",
        "innodb_read_ahead_threshold": "40",
    },
    "options": [
        "/etc/my.cnf:2 innodb_locks_unsafe_for_binlog",
        "/etc/my.cnf:3 loose-innodb_old_blocks_time = 500",
        "/etc/my.cnf:4 innodb_additional_mem_pool_siz = 8M",
        "/etc/my.cnf:5 innodb_redo_log_capacity = 1G",
    ],
}
"""A server that does not tell where its values come from."""


def found(spec: dict[str, Any]) -> FileLines:
    lines = file_lines(build({"version": "8.0.33"} | spec).inventory)
    assert lines is not None
    return lines


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("512M", "536870912"),
        ("1g", "1073741824"),
        ("2T", "2199023255552"),
        ("-1", "-1"),
        ("90.5", "90.5"),
        ("8MB", "8388608"),
        ("", None),
        ("ON", None),
    ],
)
def test_sizes_are_said_as_servers_show_them(text: str, digits: str | None) -> None:
    assert in_digits(text) == digits


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("innodb_buffer_pool_size = 1G", "1073741824"),
        ("innodb_flush_sync", "ON"),
        ("innodb_flush_sync = false", "OFF"),
        ("innodb_flush_sync = maybe", None),
        ("skip_innodb_flush_sync", "OFF"),
        ("skip_innodb_flush_sync = 0", "ON"),
        ("enable-innodb-flush-sync = 0", "OFF"),
        ("innodb_flush_method = O_DIRECT", "O_DIRECT"),
        ("report_password = <hidden>", None),
        ("nobody_knows = 1", None),
    ],
)
def test_a_line_says_a_value(line: str, value: str | None) -> None:
    (read,) = found({"options": [f"/etc/my.cnf:1 {line}"]}).lines
    assert read.meant == value
    assert read.place == "/etc/my.cnf, line 1"


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("innodb_buffer_pool_size = 512MB", "536870912"),
        ("innodb_buffer_pool_size = 5GiB", "5368709120"),
        ("innodb_buffer_pool_size = 1.5G", None),
        ("innodb_io_capacity = 2000;", None),
        ("innodb_flush_sync = no", "OFF"),
        ("innodb_flush_sync = true;", "ON"),
        ("innodb_flush_sync =", None),
    ],
)
def test_a_value_is_read_as_it_is_meant_or_not_at_all(line: str, value: str | None) -> None:
    (read,) = found({"options": [f"/etc/my.cnf:1 {line}"]}).lines
    assert read.meant == value


def test_lines_that_end_a_start_are_apart() -> None:
    spec = {
        "version": "8.0.33",
        "server": {"uptime_s": 1000.0},
        "ages_s": {"/etc/my.cnf": 10.0},
        "options": [
            "/etc/my.cnf:2 innodb_io_capacity = 2000",
            "/etc/my.cnf:3 ?innodb_io_capacity 3000",
            "/etc/my.cnf:4 MAX_CONNECTIONS = 400",
            "/etc/my.cnf:5 loose_MAX_CONNECTIONS = 400",
            "/etc/my.cnf:6 sort_buffer_size = 2.5M",
        ],
        "ends": {"/etc/more.cnf": ["open_group", 7]},
    }
    lines = found(spec)
    assert [(line.name, line.number) for line in lines.lines] == [
        ("innodb_io_capacity", 2),
        ("MAX_CONNECTIONS", 5),
        ("sort_buffer_size", 6),
    ]
    assert [(line.why, line.number, line.edited) for line in lines.strange] == [
        (Strange.NO_OPTION, 3, True),
        (Strange.CAPITALS, 4, True),
    ]
    assert [line.number for line in lines.refused] == [6]
    assert [(end.file, end.line, end.edited) for end in lines.ends] == [("/etc/more.cnf", 7, False)]
    assert lines.files == ("/etc/my.cnf",)
    assert lines.stops
    taken = found(spec | {"version": "10.11.19-MariaDB"})
    assert [line.name for line in taken.lines if line.number in {4, 5}] == ["max_connections"] * 2
    assert [line.why for line in taken.strange] == [Strange.NO_OPTION]
    untried = found(spec | {"version": "10.11.4-MariaDB"})
    assert [line.ends for line in untried.strange] == [True, False]


def test_a_refused_line_is_in_no_other_list() -> None:
    case = build(
        {
            "version": "8.0.33",
            "variables": {"innodb_io_capacity": "200", "sql_mode": "ANSI"},
            "origin": {"innodb_io_capacity": "/etc/my.cnf", "sql_mode": "/etc/my.cnf"},
            "options": [
                "/etc/my.cnf:2 innodb_io_capacity = 1.2K",
                "/etc/my.cnf:3 sql_mode = ANSI,NO_AUTO_CREATE_USER",
            ],
        }
    )
    assert case.inventory.mysql is not None
    lines = lines_of(case.inventory.mysql, file_lines(case.inventory))
    assert lines.written == ()
    assert [line.name for line in lines.refused] == ["innodb_io_capacity", "sql_mode"]
    assert lines.stops


def test_a_file_that_servers_pass_over_is_none_that_is_missing() -> None:
    told = {
        "files": [
            {"path": "/gone.cnf", "because": "it is not there", "passed": True},
            {"path": "/shut.cnf", "because": "this account may not read it"},
        ]
    }
    case = build({"version": "8.0.33", "variables": {}})
    lines = file_lines(replace(case.inventory, option_files=read_option_files(told)))
    assert lines is not None
    assert lines.unread == (("/shut.cnf", "this account may not read it"),)


def test_a_line_that_bounds_what_sessions_may_set_sets_nothing() -> None:
    assert found({"options": ["/etc/my.cnf:1 maximum-sort_buffer_size = 4M"]}).lines == ()


def test_an_old_servers_lines_come_from_its_files() -> None:
    case = build(OLD)
    assert case.inventory.mysql is not None
    lines = lines_of(case.inventory.mysql, file_lines(case.inventory))
    assert [(line.name, line.value, line.place) for line in lines.written] == [
        ("innodb_locks_unsafe_for_binlog", "ON", "/etc/my.cnf, line 2"),
        ("innodb_old_blocks_time", "500", "/etc/my.cnf, line 3"),
    ]
    assert [line.name for line in lines.absent] == ["innodb_redo_log_capacity"]
    assert not lines.origins


def test_what_is_set_outside_the_files_counts_for_an_upgrade_but_is_no_line() -> None:
    stated = {line.name: line for line in stated_in(build(OLD))}
    assert stated["innodb_read_ahead_threshold"].origin == ELSEWHERE
    assert not stated["innodb_read_ahead_threshold"].is_file
    assert stated["innodb_locks_unsafe_for_binlog"].number == 2
    assert "innodb_io_capacity" not in stated


def test_an_upgrade_is_told_of_names_that_only_the_file_has() -> None:
    spec = {
        "version": "10.4.34-MariaDB",
        "variables": {"innodb_io_capacity": "200"},
        "origin": {"innodb_io_capacity": "COMPILED"},
        "options": [
            "/etc/my.cnf:2 innodb_locks_unsafe_for_binlog = 1",
            "/etc/my.cnf:3 loose_innodb_locks_unsafe_for_binlog = 1",
        ],
    }
    report = lens(build(spec), version_named("mariadb-10.11"))
    (line,) = report.delete
    assert line.fate is Fate.IGNORED
    assert line.line.place == "/etc/my.cnf, line 3"
    refused = {**spec, "options": ["/etc/my.cnf:2 innodb_locks_unsafe_for_binlog = 1"]}
    other = lens(build(refused), version_named("mysql-8.4"))
    assert [each.fate for each in other.delete] == [Fate.REFUSED]
    loose = {**spec, "options": ["/etc/my.cnf:2 loose_innodb_locks_unsafe_for_binlog = 1"]}
    assert [each.fate for each in lens(build(loose), version_named("mysql-8.4")).delete] == [
        Fate.IGNORED
    ]


def test_the_text_counts_files_and_says_what_could_not_be_read() -> None:
    spec = {
        "version": "8.0.33",
        "variables": {},
        "options": ["/etc/my.cnf:2 innodb_io_capacity = 1"],
        "unread": {"/etc/secret.cnf": "this account may not read it"},
    }
    reading = CATALOGUE["mysql.option_files"].read(build(spec))
    assert isinstance(reading, Reading)
    assert reading.text.replace("\u202f", " ") == "1 line in 1 file; 1 file could not be read"


def test_without_files_and_origins_nothing_is_known() -> None:
    silent = {key: value for key, value in OLD.items() if key != "options"}
    reading = CATALOGUE["mysql.lines"].read(build(silent))
    assert isinstance(reading, Absent)
    assert "does not report" in because(reading.because)


def test_the_command_lines_value_is_no_line_of_a_file() -> None:
    spec = {
        "version": "8.0.33",
        "variables": {"innodb_io_capacity": "400"},
        "origin": {"innodb_io_capacity": COMMAND_LINE},
        "options": ["/etc/my.cnf:2 innodb_io_capacity = 300"],
    }
    reading = CATALOGUE["mysql.lines"].read(build(spec))
    assert isinstance(reading, Reading)
    assert isinstance(reading.value, Lines)
    assert reading.value.written == ()
    assert [line.number for line in reading.value.started] == [0]
