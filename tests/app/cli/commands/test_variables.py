"""What Leadline knows of settings can be listed and read."""

from __future__ import annotations

import json
from collections.abc import Callable

from advisor.variables.sheets import SHEETS
from probes import figures
from tests.app.cli.forked import Done

Leadline = Callable[..., Done]


def test_every_setting_is_listed(leadline: Leadline) -> None:
    listed = leadline("variables")
    assert listed.code == 0
    assert all(name in listed.stdout for name in SHEETS)


def test_a_setting_shows_both_families(leadline: Leadline) -> None:
    shown = leadline("variables", "innodb-io-capacity").stdout
    assert shown.index("\nMySQL\n") < shown.index("\nMariaDB\n")
    assert "from 8.4" in shown
    assert "10000" in shown
    assert "so set the maximum first" in " ".join(shown.split())


def test_what_no_version_of_a_family_has_says_so(leadline: Leadline) -> None:
    shown = leadline("variables", "innodb_redo_log_capacity").stdout
    assert "No version has it." in shown.partition("MariaDB\n")[2]
    assert "stops the server from starting" in shown


def test_a_setting_in_one_version(leadline: Leadline) -> None:
    shown = leadline("variables", "innodb_log_file_size", "--for", "mysql-9.7").stdout
    assert "not in MySQL 9.7.4" in shown
    assert "stops the server from starting" in shown
    older = leadline("variables", "innodb_log_file_size", "--for", "mysql-8.4").stdout
    assert figures.size(48 * 2**20) in older
    assert "works, and is to go" in older


def test_one_version_lists_what_it_has(leadline: Leadline) -> None:
    shown = leadline("variables", "--for", "mariadb-11.8").stdout
    assert shown.startswith("MariaDB 11.8.9\n")
    assert "innodb_log_file_buffering" in shown
    assert "innodb_redo_log_capacity" not in shown


def test_settings_as_json(leadline: Leadline) -> None:
    content = json.loads(leadline("variables", "--json").stdout)
    assert [each["name"] for each in content] == list(SHEETS)
    one = json.loads(leadline("variables", "innodb_doublewrite", "--json").stdout)
    assert one["spans"][-1]["words"] == ["OFF", "ON", "fast"]
    there = ("variables", "innodb_io_capacity", "--for", "mysql-8.4", "--json")
    in_one = json.loads(leadline(*there).stdout)
    assert in_one["exists"] is True
    assert (in_one["default"], in_one["line"], in_one["run"]) == ("10000", "taken", False)


def test_an_unknown_name_or_version_is_told(leadline: Leadline) -> None:
    assert leadline("variables", "no such thing").code == 2
    near = leadline("variables", "innodb_io_capacty")
    assert near.code == 2
    assert "Do you mean innodb_io_capacity" in near.stderr
    assert "binlog_row_image" in leadline("variables", "row_image").stderr
    wrong = leadline("variables", "--for", "8.4")
    assert wrong.code == 2
    assert "mysql-8.4" in wrong.stderr
