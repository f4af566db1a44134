"""What the program says of values, against the servers themselves, started with each of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.variables.catalogue import value_refused
from advisor.variables.option_values import Refused
from probes.inventory.option_files import takes_capitals
from tests.servers.eleven import ServerBuild, chosen

TAKEN = (
    "innodb_buffer_pool_size = 24MB",
    "innodb_buffer_pool_size = 24MiB",
    "innodb_buffer_pool_size = +24m",
    "innodb_log_buffer_size = 2Mega!",
    "max_connections = many",
    "long_query_time = 7.5e-1",
    "long_query_time = .5",
    "sql_mode =",
    "slow_query_log = maybe",
    "innodb_file_per_table = no, thanks",
    "transaction_isolation = READ-COMMITTED",
    "innodb_io_capacity = 2000 # a comment",
    "sync_binlog = '1'",
)
"""Lines that every server takes."""

ENDED = (
    "innodb_buffer_pool_size = 1.5G",
    "innodb_buffer_pool_size = 1,5G",
    "innodb_buffer_pool_size = 10 G",
    "innodb_buffer_pool_size = 50%",
    "innodb_buffer_pool_size = 0x1000",
    "innodb_buffer_pool_size = 12abc",
    "innodb_buffer_pool_size = {Memory*3/4}",
    "innodb_buffer_pool_size = ${x}G",
    "innodb_buffer_pool_size",
    "innodb_io_capacity = 2000;",
    "innodb_io_capacity = 2 000",
    "innodb_read_io_threads = 4.0",
    "innodb_max_dirty_pages_pct = 75%",
    "max_connections = 300 //was 200",
    "max_connections = auto",
    "max_connections = 18446744073709551616",
    "sort_buffer_size = 2.5M",
    "wait_timeout = 8h",
    "long_query_time = 0,5",
    "long_query_time = 2K",
    "transaction_isolation = READ COMMITTED",
    "sql_mode = ANSI, TRADITIONAL",
    "binlog_format = {{ format }}",
)
"""Lines that end the start of every server."""

SOME = (
    "innodb_io_capacity = -1",
    "max_connections = -1",
    "max_connections =",
    "binlog_format =",
    "innodb_max_dirty_pages_pct =",
    "loose_max_connections = 5O",
    "loose_innodb_io_capacity = 2,000",
)
"""Lines that MySQL takes and MariaDB does not, or the other way round."""


def says(build: ServerBuild, line: str) -> Refused | None:
    """What the program says of a line."""
    name, equals, value = (part.strip() for part in line.partition(" #")[0].partition("="))
    said = value.strip("'") if equals else None
    plain = name.removeprefix("loose_")
    return value_refused(build.version, plain, said, loose=plain != name)


def starts(build: ServerBuild, cnf_path: Path, *lines: str) -> bool:
    """Whether a server really starts with lines."""
    cnf_path.write_text("\n".join(("[mysqld]", *lines, "")))
    return build.starts_with(cnf_path)


@pytest.mark.parametrize("build", chosen(), ids=lambda build: build.name)
def test_a_server_takes_what_is_not_called_refused(build: ServerBuild, tmp_path: Path) -> None:
    assert [line for line in TAKEN if says(build, line)] == []
    assert starts(build, tmp_path / "my.cnf", *TAKEN)


@pytest.mark.parametrize("build", chosen(), ids=lambda build: build.name)
def test_a_server_ends_its_start_at_what_is_called_refused(
    build: ServerBuild, tmp_path: Path
) -> None:
    for line in ENDED:
        refused = says(build, line)
        assert refused is not None, line
        assert not starts(build, tmp_path / "my.cnf", line), line


@pytest.mark.parametrize("build", chosen(), ids=lambda build: build.name)
def test_families_differ_as_is_said(build: ServerBuild, tmp_path: Path) -> None:
    for line in SOME:
        assert starts(build, tmp_path / "my.cnf", line) == (says(build, line) is None), line


@pytest.mark.parametrize("build", chosen(), ids=lambda build: build.name)
def test_what_is_to_be_written_instead_is_taken(build: ServerBuild, tmp_path: Path) -> None:
    instead = []
    for line in ENDED:
        refused = says(build, line)
        assert refused is not None
        if refused.instead:
            instead.append(f"{line.partition('=')[0]}= {refused.instead}")
    assert "innodb_buffer_pool_size = 1536M" in instead
    assert len(instead) > 10
    # As much memory as 10 GiB is not everywhere.
    assert starts(build, tmp_path / "my.cnf", *instead, "innodb_buffer_pool_size = 24M")


@pytest.mark.parametrize("build", chosen(), ids=lambda build: build.name)
def test_capitals_are_taken_where_it_is_said(build: ServerBuild, tmp_path: Path) -> None:
    known = takes_capitals(build.version)
    cnf_path = tmp_path / "my.cnf"
    takes = starts(build, cnf_path, "MAX_CONNECTIONS = 77") and starts(
        build, cnf_path, "Innodb-Io-Capacity = 300"
    )
    assert known is None or known == takes


@pytest.mark.parametrize("build", chosen(), ids=lambda build: build.name)
def test_a_switch_knows_six_words(build: ServerBuild, tmp_path: Path) -> None:
    """Of the rest servers make OFF, and InnoDB its default."""
    cnf_path = tmp_path / "my.cnf"
    cnf_path.write_text(
        "[mysqld]\nslow_query_log = yes\ninnodb_print_all_deadlocks = yes\n"
        "innodb_file_per_table = no\nautocommit = true\n"
    )
    with build.start(cnf_path=cnf_path) as server:
        found = server.variables()
    names = ("slow_query_log", "innodb_print_all_deadlocks", "innodb_file_per_table", "autocommit")
    assert [found[name] for name in names] == ["OFF", "OFF", "ON", "ON"]
