"""A database of an older program is brought up to date with all that it holds."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.run import RunKind, RunState
from advisor.store.schema.migrations import known
from advisor.store.store import Store
from probes.events import Warned
from tests.advisor.store.builders import (
    HOST,
    PLAN,
    POINT,
    PROBED,
    RAW,
    SAMPLES,
    SPEC,
    WRITE,
)

VERSION_1 = Path(__file__).with_name("version_1.sql")


@pytest.fixture
def old(home: Path) -> Path:
    """A file that version 0.1.0 wrote: runs 1 (two points) and 2 (one); run 3 was deleted."""
    home.mkdir()
    path = home / "leadline.sqlite3"
    with closing(sqlite3.connect(path)) as raw:
        raw.executescript(VERSION_1.read_text(encoding="utf-8"))
    return path


def test_an_old_file_keeps_all_that_it_holds(old: Path) -> None:
    with Store.open() as store:
        assert store.warnings == ()
        assert store.targets() == [SPEC]
        assert [(run.id, run.state, run.kind, run.points) for run in store.runs()] == [
            (2, RunState.CANCELLED, RunKind.CHECK, 1),
            (1, RunState.DONE, RunKind.CHECK, 2),
        ]
        assert store.points(1) == [replace(POINT, id=1), replace(WRITE, id=2)]
        assert store.samples(1) == list(SAMPLES)
        assert store.samples(2) == list(SAMPLES[:1])
        assert store.points(2) == [replace(WRITE, id=3)]
        assert store.plan(1) == PLAN
        assert store.raw_inventory(1) == RAW
        assert store.conditions(1) == {"direct": "yes"}
        assert store.run_warnings(1) == [Warned("buffered", "O_DIRECT was refused.")]
        assert store.calibrated(1) is None
        assert store.beats(1) == []


def test_an_old_files_runs_still_never_change(old: Path) -> None:
    Store.open().close()
    with closing(sqlite3.connect(old)) as raw:
        raw.execute("PRAGMA foreign_keys = ON")
        for statement in (
            "UPDATE points SET rate_per_s = 1",
            "UPDATE samples SET rate_per_s = 1",
            "DELETE FROM points",
            "DELETE FROM samples",
            "INSERT INTO samples SELECT point_id, 99, 1, 1, 1, 1, NULL FROM samples LIMIT 1",
        ):
            with pytest.raises(sqlite3.IntegrityError, match="never changes"):
                raw.execute(statement)
        assert raw.execute("PRAGMA foreign_key_check").fetchall() == []
        assert raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_numbers_of_deleted_runs_and_points_are_not_given_again(old: Path) -> None:
    with Store.open() as store:
        run_id = store.start_run(SPEC, RAW, PLAN, kind="probe")
        point = store.add_point(run_id, PROBED, (replace(SAMPLES[0], host=HOST),))
        assert (run_id, point.id) == (4, 5)


def test_a_deleted_old_run_takes_its_points_and_samples_along(old: Path) -> None:
    with Store.open() as store:
        store.delete_run(1)
    with closing(sqlite3.connect(old)) as raw:
        assert raw.execute("SELECT id FROM points").fetchall() == [(3,)]
        assert raw.execute("SELECT * FROM samples").fetchall() == []


def test_an_upgraded_file_is_shaped_like_a_new_one(old: Path, tmp_path: Path) -> None:
    Store.open().close()
    Store.open(tmp_path / "new.sqlite3").close()
    assert shape(old) == shape(tmp_path / "new.sqlite3")
    with closing(sqlite3.connect(old)) as raw:
        assert raw.execute("SELECT max(number) FROM migrations").fetchone()[0] == len(known())


def shape(path: Path) -> list[tuple[str, ...]]:
    with closing(sqlite3.connect(path)) as raw:
        rows = raw.execute("SELECT type, name, sql FROM sqlite_master ORDER BY type, name")
        return [tuple(map(str, row)) for row in rows]
