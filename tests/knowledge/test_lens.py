"""The upgrade lens against what real servers of both versions showed."""

from __future__ import annotations

from typing import Any

import pytest

from advisor.case import Case
from advisor.outcomes import NotApplicable, Recommendation, Verdict
from advisor.report.lens_words import headline, sections
from advisor.upgrade.lens import LensReport, NoServer, Turn, as_version, lens
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
    assert capacity.turn in {Turn.NEW, Turn.OTHER}
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
    assert line.line.place == f"in {FILE}, line 3"
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
