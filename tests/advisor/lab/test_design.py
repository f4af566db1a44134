from collections.abc import Sequence
from dataclasses import replace

import pytest

from advisor.lab.asked import AGAIN, Asked, varied
from advisor.lab.design import MEMORY_SHARE, SERVER_BYTES, designed
from advisor.lab.lines import full_lines
from advisor.lab.record import Record
from advisor.wording.measured.lab_plan import alone, planned
from probes.errors import UsageError
from probes.lab.variant import LabLoad, Layout, LoadKind, TableEngine, Variant
from probes.sandbox.binaries import ServerBinary
from probes.version import Flavour, ServerVersion

MIB = 1 << 20
MYSQL = ServerVersion(Flavour.MYSQL, (8, 0, 33), "8.0.33")
MARIADB = ServerVersion(Flavour.MARIADB, (10, 11, 6), "10.11.6-MariaDB")
OLD = ServerVersion(Flavour.MYSQL, (5, 6, 14), "5.6.14")
ASKED = Asked(
    varied(["innodb_doublewrite=ON,OFF"], (), ()),
    LabLoad(LoadKind.UPDATE, data_bytes=256 * MIB),
    pool_bytes=64 * MIB,
    redo_bytes=128 * MIB,
)


def layouts(asked: Asked) -> dict[str, Layout]:
    return {
        each.name: Layout(
            ServerBinary(("mysqld",), MYSQL), each.page_bytes, TableEngine.INNODB, "/data"
        )
        for each in asked.entrants
    }


def test_all_servers_live_at_once_where_half_of_the_free_memory_holds_them() -> None:
    three = 3 * (64 * MIB + SERVER_BYTES)
    enough = designed(ASKED, layouts(ASKED), int(three / MEMORY_SHARE) + 1)
    assert enough.beside
    assert enough.memory_bytes == three
    too_little = designed(ASKED, layouts(ASKED), int(three / MEMORY_SHARE) - 10)
    assert not too_little.beside
    assert too_little.memory_bytes == 64 * MIB + SERVER_BYTES


def test_a_server_that_does_not_fit_the_memory_is_refused() -> None:
    with pytest.raises(UsageError, match="half of the memory") as refused:
        designed(ASKED, layouts(ASKED), 256 * MIB)
    assert "--pool" in refused.value.advice


def test_data_are_made_once_for_each_layout_and_copied_for_each_server() -> None:
    alike = designed(ASKED, layouts(ASKED), None)
    assert alike.layouts == 1
    least = (1 + 3) * 256 * MIB + 96 * MIB + 3 * 128 * MIB
    assert least < alike.written_bytes < 1.4 * least
    pages = Asked(varied(["innodb_page_size=4k,16k"], (), ()), ASKED.load)
    apart = designed(pages, layouts(pages), None)
    assert apart.layouts == 2
    assert apart.fill_s > 1.5 * alike.fill_s


def said_of(rows: Sequence[tuple[str, str]]) -> str:
    return " ".join(f"{name}: {text}" for name, text in rows)


def test_a_plan_says_what_it_takes_before_it_starts() -> None:
    text = said_of(planned(designed(ASKED, layouts(ASKED), None), ["/data"], ""))
    assert "Expects to see: differences from about" in text
    for word in ("doublewrite = ON", "doublewrite = OFF", "update", "16", "/data", "memory"):
        assert word in text


@pytest.mark.parametrize(
    ("version", "redo"),
    [
        (MYSQL, {"innodb_redo_log_capacity": str(128 * MIB)}),
        (MARIADB, {"innodb_log_file_size": str(128 * MIB)}),
        (OLD, {"innodb_log_file_size": str(64 * MIB), "innodb_log_files_in_group": "2"}),
    ],
)
def test_each_server_gets_the_redo_log_in_its_own_words(
    version: ServerVersion, redo: dict[str, str]
) -> None:
    lines = full_lines(ASKED, ASKED.base, ServerBinary(("mysqld",), version))
    assert redo.items() <= lines.items()
    assert lines["innodb_doublewrite"] == "ON"
    assert lines["innodb_buffer_pool_size"] == str(64 * MIB)
    assert lines["innodb_flush_method"] == "O_DIRECT"
    assert "skip_log_bin" in lines


def test_a_server_takes_the_clients_of_two_turns() -> None:
    """With 256 connections a turn sysbench's next clients met "Too many connections"."""
    asked = replace(ASKED, levels=(16, 256))
    lines = full_lines(asked, asked.base, ServerBinary(("mysqld",), MYSQL))
    assert int(lines["max_connections"]) >= 16 + 2 * 256


def test_a_variants_own_lines_win() -> None:
    variant = Variant(
        "v",
        {"pool": str(128 * MIB), "innodb_flush_method": "fsync", "sync_binlog": "1"},
        page_bytes=4096,
    )
    lines = full_lines(ASKED, variant, ServerBinary(("mysqld",), MYSQL))
    assert lines["innodb_buffer_pool_size"] == str(128 * MIB)
    assert lines["innodb_flush_method"] == "fsync"
    assert lines["innodb_page_size"] == "4096"
    assert "pool" not in lines
    # Who asks for a binary log's option wants one.
    assert "skip_log_bin" not in lines


def test_a_budget_that_is_too_short_is_said_and_has_one_start_of_three_rounds() -> None:
    brief = designed(replace(ASKED, budget_s=30), layouts(ASKED), None)
    assert brief.seconds == brief.least_s > 30
    assert brief.rounds_of_a_start == 3
    said = said_of(planned(brief, ["/data"], "")).replace("\N{NARROW NO-BREAK SPACE}", " ")
    assert "30 s is too short" in said
    assert "one start of 3 rounds" in said
    long = designed(replace(ASKED, budget_s=300), layouts(ASKED), None)
    assert long.seconds == 300
    assert "too short" not in said_of(planned(long, ["/data"], ""))


def test_a_lab_is_alone_with_its_base_or_without_it() -> None:
    on, off = (each.name for each in ASKED.variants)
    assert alone(Record(ASKED)) is None
    assert alone(Record(ASKED, dropped={on + AGAIN: "It exited."})) is None
    without = alone(Record(ASKED, dropped={on: "It exited."}))
    assert without is not None
    assert "held against" in without
    assert without.endswith("It exited.")
    base_only = alone(Record(ASKED, dropped={off: "It exited."}))
    assert base_only is not None
    assert f"only {on} works" in base_only
