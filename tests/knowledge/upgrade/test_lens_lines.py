"""The upgrade lens over option files as they stand: names, values, files that end a start."""

from __future__ import annotations

import pytest

from advisor.case import Case
from advisor.report.lens_words import headline, sections
from advisor.variables.entry import Fate
from tests.knowledge.upgrade.test_lens import FILE, MACHINE, looked, server
from tests.rules.casework import build

REPLICA = """\
default_authentication_plugin = mysql_native_password
binlog_transaction_dependency_tracking = WRITESET
master_info_repository = TABLE
relay_log_info_repository = TABLE
slave_rows_search_algorithms = INDEX_SCAN,HASH_SCAN
transaction_write_set_extraction = XXHASH64
log_bin_use_v1_row_events = 0
character-set-client-handshake = FALSE
expire_logs_days = 7
"""
"""What stands in many an option file of MySQL 8.0, and MySQL 8.4 refuses all of it."""

TAKEN = ("max_connections = 500", "skip-name-resolve", "plugin_load_add = auth_socket.so")


def written(*lines: str, version: str = "8.0.33") -> Case:
    """A server with these lines in its option file, in the server's group or in another."""
    options = [f"{FILE}:{number} {line}" for number, line in enumerate(lines, start=3)]
    shown = {"expire_logs_days": "7", "max_connections": "500", "innodb_io_capacity": "200"}
    return build({"version": version, "host": MACHINE, "variables": shown, "options": options})


def test_every_line_that_the_next_version_refuses_is_named() -> None:
    report = looked(written(*REPLICA.splitlines(), *TAKEN), "mysql-8.4")
    assert {str(each.line) for each in report.delete} == set(REPLICA.splitlines())
    assert all(each.fate is Fate.REFUSED for each in report.delete)
    assert report.untried == ()


@pytest.mark.parametrize("line", REPLICA.splitlines())
def test_the_version_after_it_refuses_them_too(line: str) -> None:
    (gone,) = looked(written(line, *TAKEN), "mysql-9.7").delete
    assert gone.sentence == f"MySQL 9.7 refuses to start with {line}."


def test_an_unknown_line_is_listed_as_not_tried() -> None:
    report = looked(written(*TAKEN, "innodb_bufer_pool_size = 3G"), "mysql-8.4")
    (line,) = report.untried
    assert str(line.line) == "innodb_bufer_pool_size = 3G"
    assert line.sentence == "Not tried on MySQL 8.4: run mysqld --validate-config there."
    assert not line.delete
    assert "1 line was not tried" in headline(report)


def test_without_the_option_files_it_says_what_was_not_checked() -> None:
    unseen = "lines without a variable were not checked"
    assert any(unseen in told for told in looked(server("mysql-8.0.33"), "mysql-8.4").warnings)
    assert not any(unseen in told for told in looked(written(*TAKEN), "mysql-8.4").warnings)


@pytest.mark.parametrize("name", ["mysql-8.4", "mysql-9.7", "mariadb-10.11"])
@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (
            "innodb_buffer_pool_size = 1.5G",
            "No version starts with innodb_buffer_pool_size = 1.5G: write 1536M; it takes no "
            "fraction.",
        ),
        (
            "max_connections = {{ connections }}",
            "No version starts with max_connections = {{ connections }}: it takes a number.",
        ),
        (
            "long_query_time      =    0,5",
            "No version starts with long_query_time = 0,5: write 0.5; nothing may stand behind the "
            "number.",
        ),
    ],
)
def test_a_value_that_no_version_takes_is_refused_whatever_the_version(
    line: str, sentence: str, name: str
) -> None:
    report = looked(written(*TAKEN[1:], line), name)
    (changed,) = report.change
    assert changed.fate is Fate.REFUSED
    assert changed.sentence == sentence
    assert not changed.delete
    assert changed not in report.untried
    assert "1 line has a value that is refused" in headline(report)


def test_a_line_that_is_no_option_ends_every_start() -> None:
    report = looked(written(*TAKEN, "?innodb_io_capacity 2000"), "mysql-9.7")
    assert report.stops == (
        "No version starts with line 6 of /etc/my.cnf (innodb_io_capacity 2000): it is no option.",
    )
    assert "1 line ends its start" in headline(report)
    title, (told,) = next(iter(sections(report)))
    assert (title, told.text) == ("Lines that end the start", report.stops[0])


def test_a_file_that_ends_a_start_is_told_first() -> None:
    spec = {"version": "8.0.33", "host": MACHINE, "variables": {}, "options": []}
    report = looked(build(spec | {"ends": {FILE: ["no_folder", 4]}}), "mysql-8.4")
    assert report.stops == (
        "The next start ends at line 4 of /etc/my.cnf: the folder that it includes is not there.",
    )
    assert "nothing here would change" not in headline(report)


def test_a_name_in_capitals_is_judged_by_the_other_version() -> None:
    case = written("MAX_CONNECTIONS = 500", version="10.11.19-MariaDB")
    (refused,) = looked(case, "mysql-8.4").change
    assert refused.sentence == (
        "MySQL 8.4 does not start with MAX_CONNECTIONS = 500: it takes no name in capitals."
    )
    (untried,) = looked(case, "mariadb-11.4").untried
    assert untried.sentence.startswith("Not tried on MariaDB 11.4")
    assert looked(case, "mariadb-11.8.9").lines == ()


def test_a_value_that_only_one_version_takes_is_refused_by_the_other() -> None:
    old = written("max_connections =", version="5.6.51")
    (empty,) = looked(old, "mysql-8.0").change
    assert empty.sentence == (
        "MySQL 8.0 does not start with max_connections =: nothing stands behind the =."
    )
    mysql = written("innodb_io_capacity = -1")
    assert looked(mysql, "mysql-8.4").change == ()
    (negative,) = looked(mysql, "mariadb-10.11").change
    assert negative.sentence == (
        "MariaDB 10.11 does not start with innodb_io_capacity = -1: it takes no negative number."
    )


def test_letters_behind_a_suffix_are_no_fault() -> None:
    report = looked(written("innodb_buffer_pool_size = 512MB"), "mysql-9.7")
    assert report.change == ()
    assert report.stops == ()


@pytest.mark.parametrize(
    ("version", "vendor", "name", "value", "other"),
    [
        ("8.0.33-25", "Percona Server", "thread_pool_size", "8", "mysql-8.4"),
        ("8.0.33", "", "thread_pool_max_threads", "1000", "mysql-9.7"),
        ("8.0.36-28", "Percona Server", "innodb_cleaner_lsn_age_factor", "legacy", "mysql-8.4"),
        ("10.11.19-MariaDB", "", "innodb_track_changed_pages", "OFF", "mariadb-11.4"),
    ],
)
def test_what_a_running_server_has_beside_its_versions_lists_is_not_tried_elsewhere(
    version: str, vendor: str, name: str, value: str, other: str
) -> None:
    """Its build, or a plugin, has it, whatever the plain build refuses."""
    case = build(
        {
            "version": version,
            **({"vendor": vendor} if vendor else {}),
            "host": MACHINE,
            "variables": {name: value, "innodb_io_capacity": "400"},
            "origin": {name: FILE, "innodb_io_capacity": FILE},
            "options": [f"{FILE}:2 {name} = {value}", f"{FILE}:3 innodb_io_capacity = 400"],
        }
    )
    report = looked(case, other)
    assert report.delete == ()
    (untried,) = report.untried
    assert untried.line.name == name
    assert untried.sentence.startswith("Not tried on ")
    without = {"variables": {"innodb_io_capacity": "400"}, "origin": {"innodb_io_capacity": FILE}}
    plain = build(
        {"version": version, "host": MACHINE, "options": [f"{FILE}:2 {name} = {value}"], **without}
    )
    assert [each.line.name for each in looked(plain, other).delete] == [name]


def test_lines_of_other_programs_and_loose_ones_stop_no_start() -> None:
    lines = ("[mysqldump] no_such_option = 1", "[client] ssl_mode = OFF", "loose_no_such = 1")
    report = looked(written(*TAKEN, *lines), "mysql-8.4")
    assert report.untried == ()
    assert report.delete == ()


def test_what_came_and_went_with_a_version_is_known_of_it_alone() -> None:
    line = "mysql_native_password = ON"
    assert looked(written(line, version="8.4.8"), "mysql-9.7").delete != ()
    kept = looked(written(line), "mysql-8.4")
    assert "mysql_native_password" not in {each.line.name for each in kept.lines}
