"""The upgrade lens against what real servers of both versions showed."""

from __future__ import annotations

from typing import Any

import pytest

from advisor.case import Case
from advisor.outcomes import NotApplicable, Recommendation, Verdict
from advisor.report.lens_words import headline, sections
from advisor.upgrade.lens import AdviceFate, LensReport, NoServer, as_version, lens
from advisor.upgrade.releases import between, later_series
from advisor.variables.entry import Fate
from advisor.variables.naming import version_named
from probes.version import ServerVersion
from tests.rules.casework import build
from tests.rules.recorded import SERVERS, variables_of, version_of

MACHINE = {"cpus": 2, "memory_gib": 23}
"""The machine that the recorded servers ran on."""

FILE = "/etc/my.cnf"


def server(version: str, **set_here: str) -> Case:
    """A server whose settings all come from one option file, beside what was compiled in."""
    shown = variables_of(version) | set_here
    origins = dict.fromkeys(shown, "COMPILED") | dict.fromkeys(set_here, FILE)
    return build(
        {
            "version": version_of(version),
            "host": MACHINE,
            "variables": shown,
            "origin": origins,
        }
    )


def looked(case: Case, name: str) -> LensReport:
    return lens(case, version_named(name))


def pairs() -> list[tuple[str, str]]:
    """Every way from one recorded server to another of its family."""
    return [
        (one, other)
        for one in SERVERS
        for other in SERVERS
        if one != other and one.split("-")[0] == other.split("-")[0]
    ]


@pytest.mark.parametrize(("one", "other"), pairs())
def test_a_server_with_no_settings_gets_what_the_other_version_really_shows(
    one: str, other: str
) -> None:
    seen = as_version(server(one), ServerVersion.parse(version_of(other)))
    assert seen.inventory.mysql is not None
    shown = {name: each.value for name, each in seen.inventory.mysql.variables.items()}
    real = variables_of(other)
    told = {name: value for name, value in shown.items() if name in real}
    assert told == {name: real[name] for name in told}
    # What the machine's own doing is may be unknown; that is little.
    assert len(told) >= 0.9 * len(real)


def test_what_was_set_stays_set() -> None:
    seen = as_version(server("mysql-8.0.33", innodb_io_capacity="700"), version_named("mysql-9.7"))
    assert seen.inventory.mysql is not None
    assert seen.inventory.mysql.variables["innodb_io_capacity"].value == "700"
    assert seen.inventory.mysql.variables["innodb_io_capacity"].origin == FILE
    assert seen.inventory.mysql.value("innodb_flush_method") == "O_DIRECT"


def test_defaults_that_nobody_set_are_told_as_they_move() -> None:
    report = looked(server("mysql-8.0.33", innodb_lru_scan_depth="512"), "mysql-9.7.4")
    moved = {each.name: (each.before, each.after) for each in report.moved}
    assert moved["innodb_io_capacity"] == ("200", "10000")
    assert moved["innodb_flush_method"] == ("fsync", "O_DIRECT")
    assert "innodb_lru_scan_depth" not in moved


def test_a_line_that_ends_the_start_is_to_go() -> None:
    report = looked(server("mysql-8.0.33", innodb_log_file_size="1073741824"), "mysql-9.7.4")
    (line,) = report.delete
    assert line.fate is Fate.REFUSED
    assert line.line.origin == FILE
    assert line.sentence == ("MySQL 9.7 refuses to start with innodb_log_file_size = 1073741824.")


def test_a_line_that_will_do_nothing_is_to_go() -> None:
    report = looked(server("mariadb-10.5.23", innodb_commit_concurrency="8"), "mariadb-10.11.19")
    (line,) = report.delete
    assert line.fate is Fate.IGNORED
    assert "does nothing with it" in line.sentence


def test_a_line_that_says_the_new_default_is_to_go() -> None:
    report = looked(server("mysql-8.0.33", innodb_flush_method="O_DIRECT"), "mysql-9.7.4")
    (line,) = report.delete
    assert line.sentence == "innodb_flush_method = O_DIRECT is MySQL 9.7's default."


def test_what_was_set_while_the_server_runs_is_no_line_to_take_out() -> None:
    spec = {
        "version": "8.0.33",
        "host": MACHINE,
        "variables": {"innodb_io_capacity": "10000"},
        "origin": {"innodb_io_capacity": "DYNAMIC"},
    }
    report = looked(build(spec), "mysql-9.7.4")
    assert [line.line.name for line in report.lines] == ["innodb_io_capacity"]
    assert report.delete == ()


def test_a_line_that_keeps_an_old_default_alive_is_named() -> None:
    report = looked(server("mysql-8.0.33", innodb_io_capacity="200"), "mysql-9.7.4")
    assert [str(line) for line in report.pinned] == ["innodb_io_capacity = 200"]
    assert report.delete == ()


def test_a_line_that_will_do_nothing_keeps_no_default_alive() -> None:
    report = looked(server("mariadb-10.5.23", innodb_lru_flush_size="32"), "mariadb-11.8.9")
    assert [each.line.name for each in report.delete] == ["innodb_lru_flush_size"]
    assert report.pinned == ()


def test_a_value_that_loses_durability_elsewhere_is_told() -> None:
    """MariaDB takes 3 and syncs at each commit; MySQL makes 2 of it."""
    report = looked(server("mariadb-10.11.19", innodb_flush_log_at_trx_commit="3"), "mysql-8.0.33")
    (line,) = (one for one in report.lines if one.line.name == "innodb_flush_log_at_trx_commit")
    assert line.value == "2"
    assert "cuts innodb_flush_log_at_trx_commit = 3 to 2" in line.sentence
    assert any("dump the data" in warning for warning in report.warnings)


def test_advice_turns_with_the_version() -> None:
    """Instances that 8.0 heeds are nothing to MariaDB, and neighbours are off since 8.0."""
    spec: dict[str, Any] = {
        "version": "5.7.44",
        "host": MACHINE,
        "variables": {
            "innodb_io_capacity": "200",
            "innodb_io_capacity_max": "2000",
            "innodb_doublewrite": "ON",
        },
        "writes_many": [[1, 400], [16, 3000], [64, 3100]],
    }
    report = looked(build(spec), "mysql-8.4")
    turned = {each.rule: each for each in report.advice}
    capacity = turned["flushing.io-capacity"]
    assert capacity.turn in {AdviceFate.NEW, AdviceFate.OTHER}
    assert isinstance(capacity.after, Recommendation)
    assert capacity.after.verdict is Verdict.RECOMMEND
    assert [str(each) for each in report.through] == ["MySQL 8.0.46"]
    assert any("MySQL 8.0" in warning for warning in report.warnings)


def test_old_redo_lines_size_the_new_log() -> None:
    spec: dict[str, Any] = {
        "version": "5.7.44",
        "variables": {"innodb_log_file_size": "1073741824", "innodb_log_files_in_group": "3"},
        "rates": {"Innodb_data_reads": 1},
    }
    seen = as_version(build(spec), version_named("mysql-8.0"))
    assert seen.inventory.mysql is not None
    assert seen.inventory.mysql.window is not None
    assert seen.inventory.mysql.window.gauge("Innodb_redo_log_capacity_resized") == 3 << 30


def test_a_server_that_tells_no_origins_is_compared_by_defaults() -> None:
    spec = {"version": "5.7.44", "host": MACHINE, "variables": {"query_cache_size": "33554432"}}
    report = looked(build(spec), "mysql-8.0")
    assert [line.fate for line in report.delete] == [Fate.REFUSED]
    assert any("does not report where" in warning for warning in report.warnings)


def test_what_a_server_calls_its_own_and_is_not_its_default_is_no_default_that_moves() -> None:
    shown = variables_of("mariadb-10.11.19") | {"log_bin": "ON"}
    spec = {
        "version": version_of("mariadb-10.11.19"),
        "host": MACHINE,
        "variables": shown,
        "origin": dict.fromkeys(shown, "COMPILED"),
    }
    for options in ([], [f"{FILE}:3 log_bin = /log/db7"]):
        case = build(spec | {"options": options})
        report = looked(case, "mariadb-11.8")
        assert "log_bin" not in {each.name for each in report.moved}
        assert "log_bin" not in {each.line.name for each in report.delete}
        seen = as_version(case, version_named("mysql-8.4")).inventory.mysql
        assert seen is not None
        assert seen.value("log_bin") == "ON"
        assert "log_bin" not in {each.line.name for each in looked(case, "mysql-8.4").delete}


def test_a_word_that_ends_the_start_is_to_be_taken_out_of_its_line() -> None:
    spec: dict[str, Any] = {
        "version": "5.7.44",
        "host": MACHINE,
        "variables": {},
        "options": [
            f"{FILE}:3 sql_mode = STRICT_TRANS_TABLES,NO_AUTO_CREATE_USER",
            f"{FILE}:4 max_connections = 500",
        ],
    }
    report = looked(build(spec), "mysql-8.0")
    (line,) = report.change
    assert line.fate is Fate.REFUSED
    assert line.sentence == (
        "sql_mode has NO_AUTO_CREATE_USER, which MySQL 8.0 refuses. "
        "Take NO_AUTO_CREATE_USER out of sql_mode."
    )
    assert line.line.place == f"{FILE}, line 3"
    assert report.delete == ()
    assert "1 line has a value that is refused" in headline(report)
    assert ("Change these lines", ["sql_mode = STRICT_TRANS_TABLES,NO_AUTO_CREATE_USER"]) in [
        (title, [each.what for each in told]) for title, told in sections(report)
    ]


def test_a_value_that_nobody_tried_is_told_as_one() -> None:
    spec: dict[str, Any] = {
        "version": "8.0.33",
        "host": MACHINE,
        "variables": {},
        "options": [f"{FILE}:3 sql_mode = NO_SUCH_MODE", f"{FILE}:4 sql_mode = ANSI"],
    }
    report = looked(build(spec), "mysql-8.4")
    assert report.untried == ()
    spec["options"] = spec["options"][:1]
    report = looked(build(spec), "mysql-8.4")
    assert [str(each.line) for each in report.untried] == ["sql_mode = NO_SUCH_MODE"]


def test_words_of_the_catalogue_are_refused_where_a_version_has_others() -> None:
    report = looked(server("mariadb-10.5.23", innodb_checksum_algorithm="innodb"), "mariadb-10.11")
    (line,) = report.change
    assert "innodb_checksum_algorithm has innodb, which MariaDB 10.11 refuses." in line.sentence
    assert "It takes crc32, strict_crc32, full_crc32, strict_full_crc32." in line.sentence


def test_no_way_back_is_told() -> None:
    report = looked(server("mysql-9.7.4"), "mysql-8.0")
    assert report.through == ()
    assert any("does not open a data directory" in warning for warning in report.warnings)


def test_the_same_version_changes_nothing() -> None:
    same = ServerVersion.parse("8.0.33")
    whole = as_version(server("mysql-8.0.33", innodb_io_capacity="700"), same)
    report = lens(whole, same)
    assert report.moved == ()
    assert report.lines == ()
    assert report.advice == ()


def test_leadlines_own_server_is_seen_by_its_defaults() -> None:
    spec = {"version": "8.0.33", "host": MACHINE, "sandbox": True, "variables": {}}
    report = looked(build(spec), "mysql-9.7.4")
    assert ("innodb_io_capacity", "200", "10000") in [
        (each.name, each.before, each.after) for each in report.moved
    ]
    assert report.lines == ()


def test_a_rule_for_the_other_family_alone_falls_silent() -> None:
    case = server("mysql-8.0.33", innodb_redo_log_capacity="1073741824")
    silent = lens(case, version_named("mariadb-11.8")).judgement.not_applicable
    assert "lines.overridden" in {each.rule for each in silent if isinstance(each, NotApplicable)}


def test_a_binary_log_inside_innodb_comes_with_12_3() -> None:
    spec = {
        "version": "11.8.3-MariaDB",
        "host": MACHINE,
        "variables": {"log_bin": "ON", "sync_binlog": "1", "innodb_flush_log_at_trx_commit": "1"},
        "watched": {"files": [["redo", "sync", 400, 1300], ["binlog", "sync", 400, 1200]]},
    }
    report = lens(build(spec), version_named("mariadb-12.3"))
    (found,) = [each for each in report.advice if each.rule == "durability.binlog-storage-engine"]
    assert found.turn is AdviceFate.NEW
    assert isinstance(found.after, Recommendation)
    assert found.after.verdict is Verdict.RECOMMEND


@pytest.mark.parametrize(
    "spec", [{}, {"version": "8.0.11-TiDB-v7.5.0", "variables": {}}], ids=["none", "unknown"]
)
def test_without_a_server_there_is_nothing_to_see(spec: dict[str, Any]) -> None:
    with pytest.raises(NoServer, match="holds no MySQL or MariaDB server"):
        lens(build(spec), version_named("mysql-8.4"))


def test_the_way_of_an_upgrade() -> None:
    names = [str(each) for each in later_series(ServerVersion.parse("8.0.33"))]
    assert names == ["MySQL 8.4.13", "MySQL 9.7.4"]
    assert between(ServerVersion.parse("5.6.14"), ServerVersion.parse("8.0.33")) == (
        ServerVersion.parse("5.7.44"),
    )
    after = [str(each) for each in later_series(ServerVersion.parse("11.8.9-MariaDB"))]
    assert after == ["MariaDB 12.3.3"]
    assert later_series(ServerVersion.parse("12.3.3-MariaDB")) == ()
