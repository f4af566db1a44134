"""The shipped lists of the words that options take against the servers themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.variables.entry import Fate
from advisor.variables.options import LISTS, WORDS, takes_words, tried_word
from probes.version import Flavour, ServerVersion
from tests.servers.eleven import ServerBuild, chosen

SHARE = 12
"""Every so many rows of a list are tried again."""

OF_THEIR_OWN = ("collation_server", "optimizer_")
"""Options whose lines are more than a name and a word."""


def rows(build: ServerBuild, wanted: str) -> list[str]:
    """Some of the lines with that letter; skips the test where the lists have another version."""
    lists = WORDS[build.version.flavour]
    if build.version.numbers not in lists.servers:
        pytest.skip(f"the lists have no {build.version}: run benchmarks/servers/option_words.py")
    at = lists.servers.index(build.version.numbers)
    if {told[at] for told in lists.letters.values()} == {"-"}:
        pytest.skip(f"{build.version} does not read its options as for a start")
    named = [key for key, told in lists.letters.items() if told[at] == wanted]
    return [key.replace("=", " = ", 1) for key in named if not key.startswith(OF_THEIR_OWN)]


@pytest.mark.parametrize("build", chosen(), ids=lambda build: build.name)
def test_a_server_refuses_the_words_that_the_lists_say(build: ServerBuild, tmp_path: Path) -> None:
    cnf_path = tmp_path / "my.cnf"
    refused = rows(build, "r")
    assert len(refused) > SHARE
    for line in refused[::SHARE]:
        cnf_path.write_text(f"[mysqld]\n{line}\n")
        assert not build.starts_with(cnf_path), line


@pytest.mark.parametrize("build", chosen(), ids=lambda build: build.name)
def test_a_server_takes_the_words_that_the_lists_say(build: ServerBuild, tmp_path: Path) -> None:
    cnf_path = tmp_path / "my.cnf"
    for line in rows(build, "t")[::SHARE]:
        cnf_path.write_text(f"[mysqld]\n{line}\n")
        assert build.refusal(cnf_path) == "", line


@pytest.mark.parametrize("build", chosen(), ids=lambda build: build.name)
def test_a_word_that_no_server_has_ends_the_start(build: ServerBuild, tmp_path: Path) -> None:
    """So a word that is in no list may not count as taken, also where a later line overrides it."""
    cnf_path = tmp_path / "my.cnf"
    cnf_path.write_text("[mysqld]\nsql_mode = NO_SUCH_MODE\nsql_mode = ANSI\n")
    assert not build.starts_with(cnf_path)
    cnf_path.write_text("[mysqld]\nloose_sql_mode = NO_SUCH_MODE\n")
    assert build.starts_with(cnf_path) == build.version.is_mariadb
    cnf_path.write_text("[mysqld]\nloose_character_set_server = utf9\n")
    assert not build.starts_with(cnf_path)
    cnf_path.write_text("[mysqld]\nloose_sql_mode = ansi\n")
    assert build.starts_with(cnf_path)
    assert tried_word(build.version, "sql_mode", "NO_SUCH_MODE") is Fate.UNKNOWN
    assert "sql_mode = ansi" in rows(build, "t")


def word(version: str, name: str, word: str) -> Fate:
    return tried_word(ServerVersion.parse(version), name, word)


def test_words_that_are_gone() -> None:
    assert word("5.6.14", "sql_mode", "NO_AUTO_CREATE_USER") is Fate.TAKEN
    assert word("8.0.33", "sql_mode", "NO_AUTO_CREATE_USER") is Fate.REFUSED
    assert word("10.11.19-MariaDB", "sql_mode", "NO_AUTO_CREATE_USER") is Fate.TAKEN
    assert word("8.0.33", "tls_version", "TLSv1.1") is Fate.REFUSED
    assert word("8.0.33", "tls_version", "TLSv1.2") is Fate.TAKEN
    assert word("8.0.33", "character_set_server", "utf8") is Fate.TAKEN
    assert word("9.7.4", "character_set_server", "utf8") is Fate.REFUSED
    assert word("10.11.19-MariaDB", "innodb_checksum_algorithm", "innodb") is Fate.REFUSED
    assert word("10.5.23-MariaDB", "innodb_checksum_algorithm", "innodb") is Fate.TAKEN


def test_a_version_that_was_not_run_is_known_by_its_neighbours_and_the_manual() -> None:
    assert word("5.7.44", "sql_mode", "NO_AUTO_CREATE_USER") is Fate.TAKEN
    assert word("8.4.8", "sql_mode", "NO_AUTO_CREATE_USER") is Fate.REFUSED
    assert word("8.4.8", "sql_mode", "STRICT_TRANS_TABLES") is Fate.TAKEN
    assert word("8.4.8", "character_set_server", "utf8") is Fate.UNKNOWN


def test_only_options_that_take_words_of_a_list_have_any() -> None:
    version = ServerVersion.parse("8.0.33")
    assert takes_words(version, "binlog_format")
    assert not takes_words(version, "max_connections")
    assert not takes_words(version, "datadir")


def test_every_row_is_of_an_option_and_has_a_letter_for_every_server() -> None:
    for flavour, lists in WORDS.items():
        series = [server[:2] for server in LISTS[flavour].servers]
        assert [server[:2] for server in lists.servers] == series
        assert {len(told) for told in lists.letters.values()} == {len(lists.servers)}
        assert set("".join(lists.letters.values())) <= set("tr-")
        assert {key.partition("=")[0] for key in lists.letters} <= LISTS[flavour].letters.keys()
    assert len(WORDS[Flavour.MYSQL].letters) > 500
