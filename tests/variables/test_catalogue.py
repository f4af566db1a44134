"""What the catalogue answers about a version."""

from __future__ import annotations

import pytest

from advisor.variables.catalogue import fate, notes, span
from advisor.variables.entry import Fate, Habit, State
from advisor.variables.naming import span_text, version_named


@pytest.mark.parametrize(
    ("version", "name", "default"),
    [
        ("mysql-8.0.33", "innodb_io_capacity", "200"),
        ("mysql-8.4", "innodb_io_capacity", "10000"),
        ("mariadb-11.8", "innodb_io_capacity", "200"),
        ("mysql-5.7.6", "sync_binlog", "0"),
        ("mysql-5.7.7", "sync_binlog", "1"),
        ("mariadb-11.8", "sync_binlog", "0"),
        ("mysql-8.4", "innodb_change_buffering", "none"),
        ("mysql-9.7", "innodb_change_buffering", "all"),
        ("mariadb-10.5.14", "innodb_change_buffering", "all"),
        ("mariadb-10.5.15", "innodb_change_buffering", "none"),
        ("mariadb-10.6.0", "innodb_change_buffering", "all"),
        ("mysql-8.0.19", "innodb_doublewrite_pages", None),
        ("mysql-8.0.20", "innodb_doublewrite_pages", "4"),
        ("mariadb-11.4.5", "innodb_buffer_pool_size_max", None),
        ("mariadb-11.8.9", "innodb_buffer_pool_size_max", "8796093022208"),
    ],
)
def test_a_default_is_the_versions_own(version: str, name: str, default: str | None) -> None:
    known = span(version_named(version), name)
    assert (known.default if known else None) == default


@pytest.mark.parametrize(
    ("version", "name", "expected"),
    [
        ("mysql-9.7.4", "innodb_log_file_size", Fate.REFUSED),
        ("mysql-8.4", "innodb_log_file_size", Fate.DEPRECATED),
        ("mysql-8.0.29", "innodb_log_file_size", Fate.TAKEN),
        ("mysql-9.3", "innodb_log_file_size", Fate.UNKNOWN),
        ("mariadb-11.8", "innodb_log_file_size", Fate.TAKEN),
        ("mariadb-10.11", "innodb_buffer_pool_instances", Fate.IGNORED),
        ("mariadb-10.5.23", "innodb_buffer_pool_instances", Fate.IGNORED),
        ("mariadb-10.5.0", "innodb_buffer_pool_instances", Fate.TAKEN),
        ("mariadb-11.4", "innodb_change_buffer_max_size", Fate.REFUSED),
        ("mariadb-11.4", "innodb_change_buffering", Fate.IGNORED),
        ("mysql-8.0", "query_cache_size", Fate.REFUSED),
        ("mysql-8.0", "no_such_setting", Fate.UNKNOWN),
    ],
)
def test_a_line_has_a_fate(version: str, name: str, expected: Fate) -> None:
    assert fate(version_named(version), name) is expected


def test_what_is_deprecated_says_so() -> None:
    known = span(version_named("mariadb-11.4"), "innodb_flush_method")
    assert known is not None
    assert known.state is State.DEPRECATED
    assert known.default == "O_DIRECT"


def test_the_pools_parts_are_fixed_when_the_data_is_made() -> None:
    known = span(version_named("mysql-8.4"), "innodb_page_size")
    assert known is not None
    assert known.rebuild
    assert not known.dynamic


def test_notes_are_of_the_version_asked_for() -> None:
    cut, *_ = notes(version_named("mysql-8.0.33"), "innodb_io_capacity")
    moves, *_ = notes(version_named("mariadb-10.11"), "innodb_io_capacity")
    assert (cut.habit, moves.habit) == (Habit.CUT, Habit.MOVES)
    assert notes(version_named("mysql-8.0.33"), "no_such_setting") == ()


def test_a_series_counts_as_run_when_one_of_its_releases_was() -> None:
    for version, run in (("mysql-8.0.40", True), ("mysql-8.4", False), ("mariadb-10.6", False)):
        known = span(version_named(version), "innodb_flush_log_at_timeout")
        assert known is not None
        assert known.was_measured(version_named(version)) is run


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("mysql-8.0.33", "MySQL 8.0.33"),
        (" MariaDB-11.8.6 ", "MariaDB 11.8.6"),
        ("mysql-8.4", "MySQL 8.4.0"),
        # The newest release of the series that anything is known of.
        ("mariadb-10.11", "MariaDB 10.11.19"),
    ],
)
def test_versions_are_written_as_people_do(text: str, said: str) -> None:
    assert str(version_named(text)) == said


@pytest.mark.parametrize("text", ["", "8.4", "mysql", "mysql-8", "postgres-17.0", "mysql-8.4-1"])
def test_other_words_name_no_version(text: str) -> None:
    with pytest.raises(ValueError, match=r"mysql-8\.4"):
        version_named(text)


def test_spans_are_said_in_words() -> None:
    assert span_text((8, 4), (999,)) == "from 8.4"
    assert span_text((8, 0, 30), (9, 0)) == "8.0.30 to before 9.0"
