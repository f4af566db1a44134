"""The shipped lists of options against the servers themselves."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor.variables.entry import Fate, numbers
from advisor.variables.options import LISTS, option_fate
from probes.version import Flavour, ServerVersion
from tests.servers.eleven import ServerBuild, chosen

SHARE = 12
"""Every so many names of a list are tried again."""


def listed(build: ServerBuild) -> set[str]:
    """The names in the table of values that a server prints of its options."""
    argv = [*build.program.command, "--no-defaults", *build.program.options, "--user=root"]
    done = subprocess.run(
        [*argv, "--verbose", "--help"], check=True, capture_output=True, text=True
    )
    table = re.split(r"^-{20,} -+\n", done.stdout, flags=re.MULTILINE)[1].split("\n\n")[0]
    return {row.split()[0].replace("-", "_").lower() for row in table.splitlines()}


def letters(build: ServerBuild) -> dict[str, str]:
    """Each option's letter for this very version; skips the test where the lists have another."""
    lists = LISTS[build.version.flavour]
    if build.version.numbers not in lists.servers:
        pytest.skip(f"the lists have no {build.version}: run benchmarks/servers/options.py")
    at = lists.servers.index(build.version.numbers)
    return {name: told[at] for name, told in lists.letters.items()}


def some(named: dict[str, str], letter: str) -> Iterator[str]:
    return iter(sorted(name for name, told in named.items() if told == letter)[::SHARE])


@pytest.mark.parametrize("build", chosen(), ids=lambda build: build.name)
def test_a_server_lists_what_the_lists_say(build: ServerBuild) -> None:
    shipped = {name for name, letter in letters(build).items() if letter == "l"}
    printed = listed(build)
    assert len(printed) > 250
    # Options without a value stand in the help alone.
    assert printed <= shipped
    assert len(shipped - printed) < 0.1 * len(shipped)


@pytest.mark.parametrize("build", chosen(), ids=lambda build: build.name)
def test_a_server_refuses_and_takes_what_the_lists_say(build: ServerBuild, tmp_path: Path) -> None:
    named = letters(build)
    cnf_path = tmp_path / "my.cnf"
    for name in some(named, "r"):
        cnf_path.write_text(f"[mysqld]\n{name} = 1\n")
        assert re.search("unknown (variable|option)|ambiguous", build.refusal(cnf_path)), name
    for name in some(named, "w"):
        cnf_path.write_text(f"[mysqld]\n{name} = 1\n")
        assert build.refusal(cnf_path) == "", name


def fate(version: str, name: str) -> Fate:
    return option_fate(ServerVersion.parse(version), name)


def test_a_version_between_two_that_were_run_is_known_where_both_agree() -> None:
    assert fate("8.4.8", "max_connections") is Fate.TAKEN
    assert fate("5.7.44", "default_authentication_plugin") is Fate.TAKEN
    # Taken by 8.0 and refused by 9.7, and the manual does not say since when.
    assert fate("8.4.8", "replica_parallel_type") is Fate.UNKNOWN
    assert fate("10.6.25-MariaDB", "innodb_checksums") is Fate.REFUSED


def test_what_the_manual_says_counts_where_no_server_was_run() -> None:
    assert fate("8.4.8", "mysql_native_password_proxy_users") is Fate.TAKEN
    assert fate("8.4.8", "slave_rows_search_algorithms") is Fate.REFUSED
    assert fate("5.7.44", "log_syslog") is Fate.TAKEN
    assert fate("8.4.8", "log_syslog") is Fate.REFUSED


def test_what_a_later_release_may_have_added_is_not_called_refused() -> None:
    assert fate("8.0.33", "explain_json_format_version") is Fate.REFUSED
    assert fate("8.0.46", "explain_json_format_version") is Fate.UNKNOWN


def test_another_builds_plugin_is_not_called_refused() -> None:
    assert fate("5.6.14", "ndbinfo_max_rows") is Fate.UNKNOWN


def test_nothing_is_known_of_a_name_in_no_list() -> None:
    assert fate("8.4.8", "rocksdb_block_cache_size") is Fate.UNKNOWN
    assert fate("10.2.1-MariaDB", "max_connections") is Fate.TAKEN
    assert fate("26.7.0", "an_option_to_come") is Fate.UNKNOWN


@pytest.mark.parametrize("version", ["26.7.0", "26.10.0", "28.4.1"])
def test_a_version_after_the_last_that_was_run_takes_what_that_takes(version: str) -> None:
    assert fate(version, "max_connections") is Fate.TAKEN
    assert fate(version, "query_cache_size") is Fate.REFUSED
    assert fate(version, "innodb_log_file_size") is fate("9.7.4", "innodb_log_file_size")


def test_what_the_manual_says_of_a_version_after_the_last_stands_above_that() -> None:
    assert fate("11.8.9-MariaDB", "big_tables") is Fate.TAKEN
    assert fate("12.3.3-MariaDB", "big_tables") is Fate.REFUSED
    assert fate("13.0.1-MariaDB", "max_connections") is Fate.TAKEN


def test_every_row_has_a_letter_for_every_server() -> None:
    for lists in LISTS.values():
        assert lists.servers == tuple(sorted(lists.servers))
        assert {len(told) for told in lists.letters.values()} == {len(lists.servers)}
        assert set("".join(lists.letters.values())) <= set("ltwrvp-")
    assert numbers("9.7.4") in LISTS[Flavour.MYSQL].servers
