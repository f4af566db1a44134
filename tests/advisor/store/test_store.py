"""What is kept comes back as it was, and what has ended stays as it is."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.store.store import RunState, Store
from probes.errors import StoreError
from probes.events import Warned
from probes.targets.address import TargetSpec
from tests.advisor.store.builders import PLAN, POINT, RAW, SAMPLES, SPEC, WRITE


def test_targets_come_back_as_they_were_saved(store: Store) -> None:
    store.save_target(SPEC)
    store.save_target(TargetSpec(name="Alpha", directory="/a"))
    store.save_target(TargetSpec(name="Alpha", directory="/b"))
    assert store.targets() == [TargetSpec(name="Alpha", directory="/b"), SPEC]
    assert store.target("db7") == SPEC
    assert store.target("nobody") is None
    store.delete_target("db7")
    assert store.target("db7") is None


def test_a_run_comes_back_with_everything(store: Store, home: Path) -> None:
    run_id = store.start_run(SPEC, RAW, PLAN)
    first = store.add_point(run_id, POINT, SAMPLES)
    second = store.add_point(run_id, WRITE, ())
    store.set_condition(run_id, "direct", "yes")
    store.set_condition(run_id, "direct", "no")
    store.add_warning(run_id, "buffered", "O_DIRECT was refused.")
    store.add_answers(run_id, {"mysql.status": "[]"})
    store.end_run(run_id, RunState.FAILED, "The agent died.")
    store.close()

    with Store.open() as again:
        assert first.id is not None
        assert again.points(run_id) == [replace(POINT, id=first.id), replace(WRITE, id=second.id)]
        assert again.samples(first.id) == list(SAMPLES)
        assert again.plan(run_id) == PLAN
        raw = again.raw_inventory(run_id)
        assert raw == replace(RAW, answers={**RAW.answers, "mysql.status": "[]"})
        assert again.run_target(run_id) == SPEC
        assert again.conditions(run_id) == {"direct": "no"}
        assert again.run_warnings(run_id) == [Warned("buffered", "O_DIRECT was refused.")]
        run = again.run(run_id)
        assert (run.target, run.plan, run.state, run.reason, run.points) == (
            "db7",
            "quick",
            RunState.FAILED,
            "The agent died.",
            2,
        )
        assert run.started_at <= run.ended_at


def test_runs_are_listed_latest_first_and_by_target(store: Store) -> None:
    ids = [store.start_run(replace(SPEC, name=name), RAW, PLAN) for name in ("db7", "db8", "db7")]
    for run_id in ids:
        store.end_run(run_id, RunState.DONE)
    assert [run.id for run in store.runs()] == ids[::-1]
    assert [run.id for run in store.runs("db7")] == [ids[2], ids[0]]


def test_a_deleted_run_leaves_nothing(store: Store, home: Path) -> None:
    run_id = store.start_run(SPEC, RAW, PLAN)
    store.add_point(run_id, POINT, SAMPLES)
    store.set_condition(run_id, "direct", "yes")
    store.add_warning(run_id, "buffered", "…")
    store.end_run(run_id, RunState.DONE)
    store.delete_run(run_id)
    with sqlite3.connect(home / "leadline.sqlite3") as raw:
        tables = [
            row[0]
            for row in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            if row[0] not in ("migrations", "targets", "sqlite_sequence")
        ]
        assert len(tables) == 7
        counts = {
            name: raw.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in tables
        }
    raw.close()
    assert set(counts.values()) == {0}, counts
    with pytest.raises(StoreError, match="no run 1"):
        store.run(run_id)


def test_a_run_that_is_measured_now_is_not_deleted(store: Store) -> None:
    run_id = store.start_run(SPEC, RAW, PLAN)
    with pytest.raises(StoreError, match="measured right now"):
        store.delete_run(run_id)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE runs SET state = 'running'",
        "UPDATE runs SET reason = 'better'",
        "UPDATE points SET rate_per_s = 1e6",
        "UPDATE samples SET rate_per_s = 1e6",
        "UPDATE raw_answers SET answer = ''",
        "UPDATE missing_facts SET because = ''",
        "UPDATE conditions SET value = ''",
        "UPDATE run_warnings SET message = ''",
        "DELETE FROM points",
        "DELETE FROM samples",
        "DELETE FROM raw_answers",
        "DELETE FROM missing_facts",
        "DELETE FROM conditions",
        "DELETE FROM run_warnings",
        "INSERT INTO raw_answers VALUES (1, 'late', '')",
        "INSERT INTO missing_facts (run_id, fact, because) VALUES (1, 'late', '')",
        "INSERT INTO conditions VALUES (1, 'late', '')",
        "INSERT INTO run_warnings (run_id, code, message) VALUES (1, 'late', '')",
        "INSERT INTO samples SELECT point_id, 99, 1, 1, 1, 1 FROM samples LIMIT 1",
    ],
)
def test_a_finished_run_never_changes(store: Store, home: Path, statement: str) -> None:
    run_id = store.start_run(SPEC, RAW, PLAN)
    store.add_point(run_id, POINT, SAMPLES)
    store.set_condition(run_id, "direct", "yes")
    store.add_warning(run_id, "buffered", "…")
    store.end_run(run_id, RunState.DONE)
    raw = sqlite3.connect(home / "leadline.sqlite3")
    try:
        with pytest.raises(sqlite3.IntegrityError, match="never changes"):
            raw.execute(statement)
    finally:
        raw.close()


def test_a_finished_run_takes_no_more_points_and_ends_once(store: Store) -> None:
    run_id = store.start_run(SPEC, RAW, PLAN)
    store.end_run(run_id, RunState.CANCELLED)
    with pytest.raises(sqlite3.IntegrityError, match="never changes"):
        store.add_point(run_id, POINT, SAMPLES)
    with pytest.raises(StoreError, match="ended already"):
        store.end_run(run_id, RunState.DONE)
    assert store.points(run_id) == []


def test_a_point_is_kept_whole_or_not_at_all(store: Store) -> None:
    run_id = store.start_run(SPEC, RAW, PLAN)
    twice = replace(SAMPLES[0], rate_per_s=float("nan"))
    with pytest.raises(sqlite3.IntegrityError):
        store.add_point(run_id, POINT, (SAMPLES[0], twice))
    assert store.points(run_id) == []
    store.add_point(run_id, POINT, SAMPLES)
    assert len(store.points(run_id)) == 1


def test_a_saved_target_holds_no_secret(store: Store, home: Path) -> None:
    store.save_target(SPEC)
    raw = sqlite3.connect(home / "leadline.sqlite3")
    try:
        kept = raw.execute("SELECT spec FROM targets").fetchone()[0].lower()
    finally:
        raw.close()
    assert "db7.example" in kept
    assert not any(word in kept for word in ("password", "passphrase", "secret", "token"))
