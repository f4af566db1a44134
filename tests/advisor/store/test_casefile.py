"""A run travels in one file, is judged alike elsewhere, and takes nothing private along."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.report.report import gather, read_case
from advisor.run import RunState, Voice
from advisor.store import casefile
from advisor.store.store import Store
from probes.errors import LeadlineError, StoreError, UsageError
from probes.inventory.facts import RawInventory
from tests.advisor.store.builders import (
    BEATS,
    CALIBRATED,
    IMPORTED,
    PLAN,
    PROBED,
    PROBED_SAMPLES,
    RAW,
    SPEC,
)
from tests.advisor.store.foreign_files import tamper
from tests.app.cli.kept import keep
from tests.app.cli.shown.test_files import no_room

VERSION_1 = Path(__file__).parent / "schema" / "version_1.sql"
STATUS = "LOG\nLog sequence number 4711\nselect private_column from people"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "here" / "leadline.sqlite3") as store:
        yield store


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "for you #1.leadline"


def test_a_case_is_judged_alike_elsewhere(store: Store, file: Path) -> None:
    keep(store, "another")
    run_id = keep(store)
    casefile.export(store, Voice(run_id), file)
    here, there = gather(store, Voice(run_id)), read_case(file)
    assert there.judgement == here.judgement
    assert there.case == here.case
    assert (there.run, there.plan) == (here.run, here.plan)
    assert [path.name for path in file.parent.iterdir() if path.is_file()] == [file.name]


def test_all_that_came_up_travels(store: Store, file: Path) -> None:
    run_id = store.start_run(SPEC, RAW, PLAN)
    point = store.add_point(run_id, PROBED, PROBED_SAMPLES)
    store.add_warning(run_id, "odd", "A warning.")
    store.set_calibrated(run_id, CALIBRATED)
    for beat in BEATS:
        store.add_beat(run_id, beat)
    store.end_run(run_id, RunState.CANCELLED, "Somebody stopped it.")
    casefile.export(store, Voice(run_id), file)
    report = read_case(file)
    assert report.of_file == str(file)
    assert replace(report, of_file="") == gather_without_addresses(store, run_id)
    with Store.open_copy(file) as copy:
        assert copy.samples(point.id or 0) == store.samples(point.id or 0)


def gather_without_addresses(store: Store, run_id: int) -> object:
    report = gather(store, Voice(run_id))
    return replace(report, target=replace(report.target, ssh=None, mysql=None))


def test_what_is_private_stays_at_home(store: Store, file: Path) -> None:
    raw = RawInventory(RAW.taken_at, {**RAW.answers, "mysql.innodb_status": STATUS}, RAW.missing)
    run_id = store.start_run(SPEC, raw, PLAN)
    store.save_target(SPEC)
    store.end_run(run_id, RunState.DONE)
    casefile.export(store, Voice(run_id), file)
    content = file.read_bytes()
    for private in (b"private_column", b"4711", b"id_db7", b"db7.example", b".my.cnf", b"dba"):
        assert private not in content
    missing = {each.fact: each.because for each in read_case(file).case.inventory.missing}
    assert missing["mysql.innodb_status"] == "it is left out of case files"
    assert store.raw_inventory(run_id).answers["mysql.innodb_status"] == STATUS


def test_the_file_is_only_read(store: Store, file: Path) -> None:
    casefile.export(store, Voice(keep(store)), file)
    before = file.read_bytes()
    file.chmod(0o400)
    read_case(file)
    assert file.read_bytes() == before
    assert sorted(path.name for path in file.parent.iterdir()) == sorted([file.name, "here"])


def test_a_newer_export_takes_the_place_of_an_older(store: Store, file: Path) -> None:
    first, second = keep(store), keep(store, "db8")
    casefile.export(store, Voice(first), file)
    casefile.export(store, Voice(second), file)
    assert read_case(file).case.target == "db8"


def test_an_export_that_fails_leaves_the_old_file(store: Store, file: Path) -> None:
    casefile.export(store, Voice(keep(store)), file)
    before = file.read_bytes()
    with pytest.raises(StoreError, match="There is no run 99"):
        casefile.export(store, Voice(99), file)
    running = store.start_run(SPEC, RAW, PLAN)
    with pytest.raises(StoreError, match="being measured right now"):
        casefile.export(store, Voice(running), file)
    assert file.read_bytes() == before
    assert sorted(path.name for path in file.parent.iterdir()) == sorted([file.name, "here"])


def test_what_cannot_be_exported_is_refused(store: Store, file: Path) -> None:
    run_id = keep(store)
    with pytest.raises(UsageError, match=r"End it in \.leadline"):
        casefile.export(store, Voice(run_id), file.with_suffix(".db"))
    with pytest.raises(UsageError, match="was imported"):
        casefile.export(store, Voice(store.add_import(IMPORTED, "lab")), file)
    with pytest.raises(LeadlineError, match="can't be written"):
        casefile.export(store, Voice(run_id), file.parent / "nowhere" / "a.leadline")
    with no_room(16384), pytest.raises(LeadlineError, match="room") as full:
        casefile.export(store, Voice(run_id), file)
    assert str(file) in full.value.sentence
    assert sorted(path.name for path in file.parent.iterdir()) == ["here"]


def test_a_file_that_cannot_be_read_is_told_by_its_name(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="can't be read"):
        read_case(tmp_path / f"{'x' * 300}.leadline")


def test_what_is_no_case_file_is_refused(store: Store, file: Path) -> None:
    with pytest.raises(UsageError, match="No such file:"):
        read_case(file)
    for content in (b"", b"plain text, and more of it than a header takes" * 9):
        file.write_bytes(content)
        with pytest.raises(UsageError, match="no case file of Leadline's"):
            read_case(file)


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("PRAGMA application_id = 7", "no case file"),
        ("DROP TABLE conditions", "no case file"),
        ("ALTER TABLE migrations RENAME COLUMN number TO nr", "no case file"),
        ("UPDATE migrations SET number = number + 9000", "newer Leadline"),
        ("DROP TRIGGER runs_end_once", "no case file"),
        ("ALTER TABLE runs ADD COLUMN more TEXT", "no case file"),
    ],
)
def test_a_file_that_was_tampered_with(
    store: Store, file: Path, statement: str, sentence: str
) -> None:
    casefile.export(store, Voice(keep(store)), file)
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute(statement)
    with pytest.raises(UsageError, match=sentence):
        read_case(file)


@pytest.mark.parametrize("spec", ["[]", "{}", '{"kind": "elsewhere"}', '{"kind": 7, "x": 1}'])
def test_values_that_leadline_never_wrote(store: Store, file: Path, spec: str) -> None:
    casefile.export(store, Voice(keep(store)), file)
    tamper(file, f"UPDATE runs SET spec = '{spec}'")
    with pytest.raises(UsageError, match="no case file"):
        read_case(file)


@pytest.mark.parametrize("figure", ["9e999", "-9e999", "1e300"])
def test_figures_that_no_measurement_gives(store: Store, file: Path, figure: str) -> None:
    casefile.export(store, Voice(keep(store)), file)
    tamper(file, f"UPDATE points SET p95_us = {figure} WHERE threads = 4")
    with pytest.raises(UsageError, match="no case file"):
        read_case(file)


def test_a_schema_that_is_no_text(store: Store, file: Path) -> None:
    casefile.export(store, Voice(keep(store)), file)
    content = file.read_bytes()
    file.write_bytes(content.replace(b"CREATE TABLE conditions", b"CREATE TABL\x91 conditions"))
    with pytest.raises(UsageError, match="is damaged"):
        read_case(file)


def test_a_damaged_file(store: Store, file: Path) -> None:
    casefile.export(store, Voice(keep(store)), file)
    content = bytearray(file.read_bytes())
    content[8192:20480] = b"\xff" * 12288
    file.write_bytes(content)
    with pytest.raises(UsageError, match="is damaged"):
        read_case(file)


def test_a_file_of_an_older_program_is_read_and_stays_old(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(VERSION_1.read_text(encoding="utf-8"))
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("DELETE FROM runs WHERE id <> 1")
        connection.commit()
    before = file.read_bytes()
    assert len(read_case(file).case.points) == 2
    assert file.read_bytes() == before
