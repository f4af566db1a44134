"""Defaults that a server works out itself, as servers were seen to do."""

from __future__ import annotations

import pytest

from advisor.variables.defaults import Machine, default
from advisor.variables.naming import version_named

GIB = 2**30
MYSQL97 = version_named("mysql-9.7.4")

POOL_16_GIB = {"innodb_buffer_pool_size": str(16 * GIB)}
BY_CPUS = [
    # processors, pool instances and cleaners, purge threads, read threads, log writers
    (2, "1", "1", "4", "OFF"),
    (8, "2", "1", "4", "OFF"),
    (16, "4", "1", "8", "OFF"),
    (17, "4", "4", "8", "OFF"),
    (31, "7", "4", "15", "OFF"),
    (32, "8", "4", "16", "ON"),
    (64, "16", "4", "32", "ON"),
    (128, "32", "4", "64", "ON"),
]
"""What MySQL 9.7.4 showed with a pool of 16 GiB and a feigned number of processors."""


@pytest.mark.parametrize(("cpus", "instances", "purge", "readers", "writers"), BY_CPUS)
def test_processors_decide(
    cpus: int, instances: str, purge: str, readers: str, writers: str
) -> None:
    machine = Machine(cpus, 23 * GIB, 20_000)
    for name, expected in (
        ("innodb_buffer_pool_instances", instances),
        ("innodb_page_cleaners", instances),
        ("innodb_purge_threads", purge),
        ("innodb_read_io_threads", readers),
        ("innodb_log_writer_threads", writers),
        ("innodb_write_io_threads", "4"),
    ):
        assert default(MYSQL97, name, machine, POOL_16_GIB) == expected, name


@pytest.mark.parametrize(
    ("version", "granted", "instances"),
    [
        ("mysql-9.7.4", 8.0, "2"),
        ("mysql-9.3.0", 8.9, "2"),
        ("mysql-9.7.4", 0.5, "16"),
        ("mysql-9.7.4", None, "16"),
        ("mysql-9.2.0", 8.0, "16"),
        ("mysql-8.4.3", 8.0, "16"),
    ],
)
def test_what_a_control_group_grants_counts_from_mysql_9_3_on(
    version: str, granted: float | None, instances: str
) -> None:
    machine = Machine(64, 23 * GIB, granted_cpus=granted)
    name = "innodb_buffer_pool_instances"
    assert default(version_named(version), name, machine, POOL_16_GIB) == instances


@pytest.mark.parametrize(("cpus", "writers"), [(2, "OFF"), (4, "OFF"), (5, "ON"), (32, "ON")])
def test_without_a_binary_log_fewer_processors_are_enough(cpus: int, writers: str) -> None:
    settings = {"log_bin": "OFF"}
    assert default(MYSQL97, "innodb_log_writer_threads", Machine(cpus), settings) == writers


@pytest.mark.parametrize(
    ("version", "files", "connections", "tables", "definitions", "open_files"),
    [
        ("mysql-5.6.14", 1024, "151", "431", "615", "431"),
        ("mysql-8.0.33", 1024, "151", "431", "615", "431"),
        ("mysql-8.0.33", 20_000, "151", "4000", "2000", "4000"),
        ("mysql-8.0.33", 900, "90", "400", "600", "400"),
    ],
)
def test_open_files_decide(
    version: str, files: int, connections: str, tables: str, definitions: str, open_files: str
) -> None:
    machine = Machine(open_files=files)
    for name, expected in (
        ("max_connections", connections),
        ("table_open_cache", tables),
        ("table_definition_cache", definitions),
        ("innodb_open_files", open_files),
    ):
        assert default(version_named(version), name, machine) == expected, name


def test_more_connections_leave_fewer_tables() -> None:
    """500 connections and 5,000 files were seen to leave 2,245 tables."""
    settings = {"max_connections": "500"}
    machine = Machine(open_files=5000)
    mysql = version_named("mysql-8.0.33")
    assert default(mysql, "table_open_cache", machine, settings) == "2245"
    assert default(mysql, "table_definition_cache", machine, settings) == "1522"
    assert default(mysql, "thread_cache_size", machine, settings) == "13"


@pytest.mark.parametrize(("files", "instances"), [(5000, "1"), (20_000, "4"), (40_000, "8")])
def test_mariadb_splits_its_table_cache_as_files_allow(files: int, instances: str) -> None:
    version = version_named("mariadb-10.11.19")
    assert default(version, "table_open_cache_instances", Machine(open_files=files)) == instances


def test_io_capacity_takes_its_maximum_along() -> None:
    told = {"innodb_io_capacity": "100"}
    assert default(MYSQL97, "innodb_io_capacity_max", Machine(), told) == "200"
    older = version_named("mysql-8.0.33")
    assert default(older, "innodb_io_capacity_max", Machine(), told) == "2000"
    assert default(older, "innodb_io_capacity_max", Machine(), {"innodb_io_capacity": "5000"}) == (
        "10000"
    )


@pytest.mark.parametrize(("memory", "expected"), [(23 * GIB, GIB), (64 * GIB, 64 * GIB * 3 // 100)])
def test_memory_decides(memory: int, expected: int) -> None:
    told = default(MYSQL97, "temptable_max_ram", Machine(memory_bytes=memory))
    assert told == str(expected)


def test_an_unknown_machine_leaves_it_unknown() -> None:
    nothing = Machine()
    for name in ("innodb_read_io_threads", "temptable_max_ram", "table_open_cache"):
        assert default(MYSQL97, name, nothing) is None
    assert default(MYSQL97, "innodb_buffer_pool_instances", nothing) == "1"
    assert default(MYSQL97, "innodb_buffer_pool_instances", nothing, POOL_16_GIB) is None
    assert default(MYSQL97, "query_cache_size", nothing) is None
    assert default(MYSQL97, "innodb_flush_neighbors", nothing) == "0"
