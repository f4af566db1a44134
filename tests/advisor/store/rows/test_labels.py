"""What runs are called is kept apart from them, and never spoils them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from advisor.run import NO_LABEL, RunLabel, RunState
from advisor.store.store import Store
from probes.errors import StoreError, UsageError
from tests.advisor.store.builders import PLAN, RAW, SPEC

LABEL = RunLabel("Drive A", ("NVMe", "October"), "Slot 3.\nNew firmware.", "client X, October")


def ended(store: Store) -> int:
    run_id = store.start_run(SPEC, RAW, PLAN)
    store.end_run(run_id, RunState.DONE)
    return run_id


def test_a_run_that_has_ended_is_named_renamed_and_loses_its_name(store: Store) -> None:
    run_id = ended(store)
    assert store.run(run_id).label == NO_LABEL
    store.label_run(run_id, LABEL)
    assert store.run(run_id).label == LABEL
    (listed,) = store.runs()
    assert listed.label == LABEL
    store.label_run(run_id, NO_LABEL)
    assert store.run(run_id).label == NO_LABEL


def test_a_list_says_which_drive_and_directory_were_measured(store: Store) -> None:
    run_id = store.start_run(SPEC, RAW, PLAN)
    (bare,) = store.runs()
    assert (bare.drive, bare.directory) == ("", "")
    store.set_condition(run_id, "device", "virtio vda")
    store.set_condition(run_id, "directory", "/srv/mysql")
    (listed,) = store.runs()
    assert (listed.drive, listed.directory) == ("virtio vda", "/srv/mysql")


def test_there_is_no_name_for_no_run(store: Store) -> None:
    with pytest.raises(StoreError, match="no run 7"):
        store.label_run(7, LABEL)


def test_a_deleted_run_takes_its_name_along(store: Store, home: Path) -> None:
    run_id = ended(store)
    store.label_run(run_id, LABEL)
    store.delete_run(run_id)
    with closing(sqlite3.connect(home / "leadline.sqlite3")) as raw:
        assert raw.execute("SELECT count(*) FROM run_labels").fetchone() == (0,)


def test_a_case_file_has_the_name_and_not_the_notes(store: Store, tmp_path: Path) -> None:
    run_id = ended(store)
    store.label_run(run_id, LABEL)
    store.export_runs((run_id,), tmp_path / "a.leadline")
    with Store.open_copy(tmp_path / "a.leadline") as copy:
        assert copy.run(run_id).label == RunLabel("Drive A")


def test_no_secret_is_kept_in_notes(store: Store, home: Path) -> None:
    run_id = ended(store)
    store.label_run(run_id, RunLabel("A", (), "mysql://app:geheim77@db7/"))
    assert b"geheim77" not in (home / "leadline.sqlite3").read_bytes()


def test_damaged_labels_leave_the_run_listed(store: Store, home: Path) -> None:
    run_id = ended(store)
    store.label_run(run_id, LABEL)
    with closing(sqlite3.connect(home / "leadline.sqlite3")) as raw, raw:
        raw.execute("UPDATE run_labels SET tags = '{\"a\": 1}', name = 'x' || char(27) || '[2J'")
    assert store.run(run_id).label == RunLabel("x[2J", (), LABEL.notes, LABEL.project)


def test_labels_as_they_are_typed() -> None:
    assert RunLabel.typed("  Drive  A ", "client X,, October,client X", " n ") == RunLabel(
        "Drive A", ("client X", "October"), "n"
    )
    assert RunLabel.typed("A", project=" client  X, October ").project == "client X, October"
    for typed in (
        ("a" * 81, "", ""),
        ("a", "b" * 41, ""),
        ("a", "", "c" * 4001),
        ("\x1b", "", ""),
        ("a", "", "", "d" * 81),
        ("a", "", "", "\x1b"),
    ):
        with pytest.raises(UsageError):
            RunLabel.typed(*typed)
