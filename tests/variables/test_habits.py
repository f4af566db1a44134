"""What servers do with values against expectation, as the catalogue's notes tell."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pymysql
import pytest

from advisor.variables.catalogue import MARIADB, MYSQL, notes, span
from advisor.variables.entry import OPEN, Habit, Numbers, ValueKind
from advisor.variables.sheets import SHEETS
from probes.version import Flavour
from tests.servers.eleven import ALL, RunningServer, ServerBuild, StartRefused

CAPACITY, MAXIMUM = "innodb_io_capacity", "innodb_io_capacity_max"
POOL = "innodb_buffer_pool_size"
DIRTY, EARLY = "innodb_max_dirty_pages_pct", "innodb_max_dirty_pages_pct_lwm"

ALL_SERVERS = pytest.mark.skipif(
    ALL not in os.environ, reason="it takes long, and is a server's matter"
)


@contextmanager
def restored(server: RunningServer, *names: str) -> Iterator[dict[str, str]]:
    """The values of some settings, put back at the end in an order that no limit cuts."""
    before = server.variables()
    try:
        yield {name: before[name] for name in names}
    finally:
        # Twice: what the first round was kept from by another setting, the second can do.
        for name in (*names, *names):
            server.sql(f"SET GLOBAL {name} = {quoted(before[name])}")


def quoted(value: str) -> str:
    return value if value.replace(".", "", 1).isdigit() else f"'{value}'"


def needs(server: RunningServer, name: str) -> None:
    if span(server.version, name) is None:
        pytest.skip(f"{server.version} has no {name}")


def test_io_capacity_above_its_maximum(server: RunningServer) -> None:
    needs(server, MAXIMUM)
    with restored(server, MAXIMUM, CAPACITY) as before:
        wanted = 3 * int(before[MAXIMUM])
        server.sql(f"SET GLOBAL {CAPACITY} = {wanted}")
        after = server.variables()
    if server.version.is_mysql:
        assert after[CAPACITY] == after[MAXIMUM] == before[MAXIMUM]
    else:
        assert (int(after[CAPACITY]), int(after[MAXIMUM])) == (wanted, 2 * wanted)


def test_the_maximum_below_io_capacity(server: RunningServer) -> None:
    needs(server, MAXIMUM)
    with restored(server, MAXIMUM, CAPACITY) as before:
        server.sql(f"SET GLOBAL {MAXIMUM} = 150")
        after = server.variables()
    if server.version.is_mysql:
        assert after[CAPACITY] == after[MAXIMUM] == before[CAPACITY]
    else:
        assert after[CAPACITY] == after[MAXIMUM] == "150"


def test_early_flushing_never_starts_above_the_target(server: RunningServer) -> None:
    needs(server, EARLY)
    with restored(server, DIRTY, EARLY) as before:
        server.sql(f"SET GLOBAL {EARLY} = 95")
        assert float(server.variables()[EARLY]) == float(before[DIRTY])
        server.sql(f"SET GLOBAL {DIRTY} = 5")
        after = server.variables()
    assert float(after[EARLY]) == float(after[DIRTY]) == 5


def test_the_third_kind_of_commit_is_mariadbs(server: RunningServer) -> None:
    name = "innodb_flush_log_at_trx_commit"
    with restored(server, name):
        server.sql(f"SET GLOBAL {name} = 3")
        assert server.variables()[name] == ("3" if server.version.is_mariadb else "2")


def test_less_than_the_least_becomes_the_least(server: RunningServer) -> None:
    """Every number that can be set while the server runs, but for those that are actions."""
    wrong = []
    for name, sheet in SHEETS.items():
        known = span(server.version, name)
        if known is None or not known.dynamic or not known.low or known.optional:
            continue
        if sheet.kind not in {ValueKind.NUMBER, ValueKind.SIZE} or name in {POOL, MAXIMUM}:
            continue
        habits = {note.habit for note in notes(server.version, name)}
        with restored(server, name):
            try:
                server.sql(f"SET GLOBAL {name} = {known.low - 1:.0f}")
            except pymysql.MySQLError as error:
                if Habit.REFUSED not in habits:
                    wrong.append(f"{name}: {error}")
                continue
            if float(server.variables()[name]) != known.low and Habit.SHOWN not in habits:
                wrong.append(f"{name}: {known.low}, server {server.variables()[name]}")
    assert wrong == []


def test_doublewrite_while_the_server_runs(server: RunningServer) -> None:
    name = "innodb_doublewrite"
    known = span(server.version, name)
    assert known is not None
    for word in known.words:
        try:
            server.sql(f"SET GLOBAL {name} = {quoted(word)}")
        except pymysql.MySQLError:
            assert not known.dynamic or (server.version.is_mysql and word == "OFF")
        else:
            assert known.dynamic
            assert server.variables()[name] == word
    if known.dynamic:
        server.sql(f"SET GLOBAL {name} = 'ON'")


@pytest.mark.parametrize(
    ("asked", "one", "eight"),
    [
        # Below 1 GiB there is one instance, whatever was set.
        (300, 384, 384),
        pytest.param(1300, 1408, 2048, marks=ALL_SERVERS),
    ],
)
def test_a_pool_is_rounded_to_chunks_and_instances(
    build: ServerBuild, asked: int, one: int, eight: int
) -> None:
    version = build.version
    options = [f"--innodb-buffer-pool-size={asked}M"]
    if span(version, "innodb_buffer_pool_instances") is not None:
        options.append("--innodb-buffer-pool-instances=8")
    with build.start(options) as running:
        size = int(running.variables()[POOL]) / 2**20
    if not (version.at_least(MYSQL, 5, 7) or version.before(MARIADB, 10, 8)):
        assert size == asked
    else:
        # MariaDB from 10.5 on keeps one instance, whatever was set.
        assert size == (one if version.at_least(MARIADB, 10, 5) else eight)


STARTS: tuple[tuple[Flavour, Numbers, Numbers, str, dict[str, str]], ...] = (
    (MYSQL, (5, 5), (5, 6), "innodb-doublewrite=OFF", {"innodb_doublewrite": "ON"}),
    (MYSQL, (5, 6), (8, 4), "innodb-io-capacity=5000", {MAXIMUM: "10000"}),
    (MYSQL, (8, 4), OPEN, "innodb-io-capacity=150", {MAXIMUM: "300"}),
    (MARIADB, (10, 0), OPEN, "innodb-io-capacity=150", {MAXIMUM: "2000"}),
    (MYSQL, (8, 0, 20), OPEN, "innodb-doublewrite-pages=1024", {"innodb_doublewrite_pages": "512"}),
    (
        MYSQL,
        (8, 0, 30),
        (9, 0),
        "innodb-log-file-size=64M",
        {"innodb_redo_log_capacity": "104857600"},
    ),
    (MARIADB, (10, 0), OPEN, "query-cache-size=2M", {"query_cache_type": "ON"}),
    (
        MARIADB,
        (10, 8, 4),
        OPEN,
        "innodb-flush-log-at-trx-commit=2",
        {"innodb_log_file_buffering": "ON"},
    ),
    (MARIADB, (10, 5), OPEN, "innodb-write-io-threads=1", {"innodb_write_io_threads": "2"}),
)
"""What one option at start does to its own setting, or to another one."""


def test_options_at_start_take_others_along(build: ServerBuild) -> None:
    version = build.version
    options: list[str] = []
    expected: dict[str, str] = {}
    for flavour, since, before, option, variables in STARTS:
        if version.at_least(flavour, *since) and version.before(flavour, *before):
            options.append(f"--{option}")
            expected |= variables
    with build.start(options) as running:
        shown = running.variables()
        status = running.sql("SHOW GLOBAL STATUS LIKE 'Innodb_redo_log_capacity_resized'")
    assert expected
    assert {name: shown[name] for name in expected} == expected
    if version.at_least(MYSQL, 8, 0, 30) and version.before(MYSQL, 9):
        # What the variable does not show: twice 64 MiB.
        assert status[0]["Value"] == str(2 * 64 * 2**20)


@pytest.mark.parametrize("first", ["type=OFF", "size=1M"])
def test_mariadbs_query_cache_of_any_size_is_on_beside_a_line_with_off(
    build: ServerBuild, first: str
) -> None:
    if span(build.version, "query_cache_type") is None:
        pytest.skip(f"{build.version} has no query_cache_type")
    lines = sorted(("type=OFF", "size=1M"), key=lambda each: each != first)
    with build.start([f"--query-cache-{line}" for line in lines]) as running:
        on = "ON" if build.version.is_mariadb else "OFF"
        assert running.variables()["query_cache_type"] == on
    with build.start(["--query-cache-type=DEMAND", "--query-cache-size=64M"]) as running:
        assert running.variables()["query_cache_type"] == "DEMAND"


def test_an_unknown_flush_method_ends_the_start(build: ServerBuild) -> None:
    with pytest.raises(StartRefused), build.start(["--innodb-flush-method=fdatasync"]):
        pass


def test_the_old_flush_method_sets_mariadbs_switches(build: ServerBuild, tmp_path: Path) -> None:
    if not build.version.at_least(MARIADB, 11, 0, 6):
        pytest.skip("a matter of MariaDB 11")
    option_file = tmp_path / "my.cnf"
    option_file.write_text("[mysqld]\ninnodb_flush_method = O_DIRECT_NO_FSYNC\n")
    with build.start(cnf_path=option_file) as running:
        assert running.variables()["innodb_doublewrite"] == "fast"
    with build.start(["--innodb-flush-method=fsync"]) as running:
        assert running.variables()["innodb_data_file_buffering"] == "ON"


@ALL_SERVERS
@pytest.mark.parametrize("page", [4096, 8192, 16384, 32768, 65536])
def test_a_new_data_directory_takes_a_page_size(build: ServerBuild, page: int) -> None:
    known = span(build.version, "innodb_page_size")
    if known is None:
        pytest.skip(f"{build.version} has one page size alone")
    assert known.high is not None
    # Larger pages want a larger pool than the least.
    options = [f"--innodb-page-size={page}", "--innodb-buffer-pool-size=64M"]
    with build.start(options, fresh=True) as running:
        assert running.variables()["innodb_page_size"] == str(min(page, int(known.high)))


def test_an_old_data_directory_keeps_its_page_size(build: ServerBuild) -> None:
    if build.version.before(MYSQL, 5, 7):
        pytest.skip("these start with new data each time here")
    with pytest.raises(StartRefused), build.start(["--innodb-page-size=4096"]):
        pass
