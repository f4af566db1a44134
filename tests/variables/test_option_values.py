"""Values of options: which end a start, and what was meant."""

from __future__ import annotations

import pytest

from advisor.variables.catalogue import value_refused
from advisor.variables.option_values import KINDS, Fault, OptionKind, Refused, in_digits, kind_of
from advisor.variables.options import LISTS
from probes.version import Flavour, ServerVersion

MYSQL, OLD, MARIADB = (
    ServerVersion.parse(text) for text in ("8.0.36", "5.7.44", "10.11.19-MariaDB")
)


@pytest.mark.parametrize(
    ("value", "fault", "instead"),
    [
        ("2.25G", Fault.FRACTION, "2304M"),
        ("0,5m", Fault.FRACTION, "512K"),
        ("0.3G", Fault.FRACTION, "307M"),
        ("1.5", Fault.FRACTION, ""),
        ("4096.0", Fault.FRACTION, "4096"),
        ("1.5 GB", Fault.FRACTION, "1536M"),
        ("16 GiB", Fault.LEFTOVER, "16G"),
        ("1 000 000", Fault.LEFTOVER, "1000000"),
        ("1,073,741,824", Fault.LEFTOVER, "1073741824"),
        ("0x20", Fault.LEFTOVER, "32"),
        ("25%", Fault.LEFTOVER, ""),
        ("12abc", Fault.LEFTOVER, ""),
        ("64M // half", None, ""),
        ("8388608 // half", Fault.LEFTOVER, "8388608"),
        ("8388608 -- half", Fault.LEFTOVER, "8388608"),
        ("8388608;", Fault.LEFTOVER, "8388608"),
        ("= 77", Fault.NO_NUMBER, "77"),
        ("> 300", Fault.NO_NUMBER, "300"),
        ("$(free)", Fault.NO_NUMBER, ""),
        ("auto", Fault.NO_NUMBER, ""),
        ("18446744073709551616", Fault.TOO_LARGE, ""),
        ("18446744073709551615", None, ""),
    ],
)
def test_a_size_is_corrected_where_it_is_clear_what_was_meant(
    value: str, fault: Fault | None, instead: str
) -> None:
    refused = value_refused(MYSQL, "innodb_buffer_pool_size", value)
    assert (refused.fault if refused else None) == fault
    assert (refused.instead if refused else "") == instead
    assert refused is None or refused.everywhere


@pytest.mark.parametrize(
    ("name", "value", "instead"),
    [
        ("innodb_max_dirty_pages_pct", "90%", "90"),
        ("long_query_time", "0,5", "0.5"),
        ("long_query_time", "2s", "2"),
        ("innodb_max_dirty_pages_pct", "half", ""),
        ("transaction_isolation", "repeatable read", "repeatable-read"),
        ("sql_mode", "ANSI, TRADITIONAL", "ANSI,TRADITIONAL"),
        ("binlog_format", "ROW // was MIXED", "ROW"),
        ("binlog_format", "<%= @format %>", ""),
    ],
)
def test_other_kinds_are_corrected_as_well(name: str, value: str, instead: str) -> None:
    for version in (MYSQL, MARIADB):
        refused = value_refused(version, name, value)
        assert refused is not None
        assert refused.instead == instead


def test_what_a_version_only_refuses_is_not_said_of_all() -> None:
    for version, name, value, fault in (
        (MARIADB, "innodb_io_capacity", "-1", Fault.NEGATIVE),
        (MYSQL, "innodb_io_capacity", "", Fault.EMPTY),
        (OLD, "innodb_buffer_pool_size", "2T", Fault.SUFFIX),
    ):
        refused = value_refused(version, name, value)
        assert refused is not None
        assert refused.fault is fault
        assert not refused.everywhere
    alone = value_refused(MYSQL, "max_connections", None)
    assert alone == Refused(Fault.NO_VALUE, everywhere=True)
    assert value_refused(MYSQL, "innodb_io_capacity", "-1") is None
    assert value_refused(MARIADB, "innodb_io_capacity", "") is None
    assert value_refused(MARIADB, "innodb_flush_log_at_trx_commit", None) is None


def test_a_value_that_the_other_family_takes_is_refused_by_one_alone() -> None:
    half = value_refused(MYSQL, "expire_logs_days", "0.5")
    assert half is not None
    assert not half.everywhere
    assert value_refused(MARIADB, "expire_logs_days", "0.5") is None
    for version in (MYSQL, MARIADB):
        week = value_refused(version, "expire_logs_days", "7d")
        assert week is not None
        assert week.everywhere


def test_nothing_is_said_of_a_kind_that_nobody_knows() -> None:
    for value in ("1.5G", "", None, "${x}"):
        assert value_refused(MYSQL, "rocksdb_block_cache_size", value) is None
        assert value_refused(MYSQL, "query_cache_size", value) is None
        assert value_refused(ServerVersion.parse("2.1-odd"), "max_connections", value) is None


def test_the_kind_of_an_option_changes_with_its_version() -> None:
    assert kind_of(ServerVersion.parse("5.6.14"), "innodb_doublewrite") is OptionKind.SWITCH
    assert kind_of(MYSQL, "innodb_doublewrite") is OptionKind.WORDS
    assert kind_of(OLD, "innodb_doublewrite") is None
    assert kind_of(OLD, "innodb_max_dirty_pages_pct") is None
    assert value_refused(OLD, "innodb_max_dirty_pages_pct", "80 %") is not None
    assert value_refused(OLD, "innodb_max_dirty_pages_pct", "80.5") is None
    assert kind_of(OLD, "max_connections") is OptionKind.NUMBER
    assert kind_of(MYSQL, "long_query_time") is OptionKind.DECIMAL


def test_every_row_of_kinds_is_of_an_option_and_has_a_letter_for_every_server() -> None:
    for flavour in (Flavour.MYSQL, Flavour.MARIADB):
        lists = KINDS[flavour]
        assert [run[:2] for run in lists.servers] == [run[:2] for run in LISTS[flavour].servers]
        assert {len(told) for told in lists.letters.values()} == {len(lists.servers)}
        letters = {*OptionKind, *(kind.upper() for kind in OptionKind), "-"}
        assert set("".join(lists.letters.values())) <= letters
        assert lists.letters.keys() <= LISTS[flavour].letters.keys()
        assert len(lists.letters) > 700


@pytest.mark.parametrize(
    ("text", "digits"),
    [("512MB", "536870912"), ("5GiB", "5368709120"), ("+8k", "8192"), ("1.5G", None), ("M", None)],
)
def test_letters_behind_a_suffix_count_for_nothing(text: str, digits: str | None) -> None:
    assert in_digits(text) == digits
