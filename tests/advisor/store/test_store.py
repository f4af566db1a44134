"""What is kept comes back as it was, and what has ended stays as it is."""

from __future__ import annotations

import json
import math
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.run import RunKind, RunLabel, RunState
from advisor.store.codec import load_plan, load_target
from advisor.store.store import Store
from probes.errors import StoreError
from probes.events import Warned
from probes.targets.address import StatedMachine, TargetKind, TargetSpec
from tests.advisor.lab.turns import record
from tests.advisor.store.builders import (
    BEATS,
    CALIBRATED,
    HOST,
    IMPORTED,
    PLAN,
    POINT,
    PROBE_PLAN,
    PROBED,
    PROBED_SAMPLES,
    RAW,
    SAMPLES,
    SPEC,
    WRITE,
)


def test_targets_come_back_as_they_were_saved(store: Store) -> None:
    store.save_target(SPEC)
    store.save_target(TargetSpec(name="Alpha", directory="/a"))
    store.save_target(TargetSpec(name="Alpha", directory="/b"))
    assert store.targets() == [TargetSpec(name="Alpha", directory="/b"), SPEC]
    assert store.target("db7") == SPEC
    assert store.target("nobody") is None
    store.delete_target("db7")
    assert store.target("db7") is None


def test_what_is_told_of_a_machine_comes_back_and_an_older_program_told_less(store: Store) -> None:
    told = StatedMachine(64 << 30, "db.r6g.large", 3000, 125 << 20)
    spec = TargetSpec(TargetKind.MYSQL, "cloud", told=told)
    store.save_target(spec)
    assert store.target("cloud") == spec
    older = '{"kind": "mysql", "told": {"machine_class": "db.r6g.large", "memory_bytes": 1024}}'
    assert load_target(older).told == StatedMachine(1024, "db.r6g.large")


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
    store.add_beat(run_id, BEATS[0])
    asked = record(0.2, rounds=1)
    store.add_lab(run_id, asked.asked)
    store.add_lab_turn(run_id, asked.turns[0])
    store.end_run(run_id, RunState.DONE)
    store.label_run(run_id, RunLabel("Drive A"))
    store.keep_scenario(run_id, "more memory", "twice today's queries []")
    store.mark_step(SPEC.name, "Set innodb_io_capacity to 1000", done=True)
    store.keep_judged(run_id, "[]", "{}")
    store.delete_run(run_id)
    store.delete_run(store.add_import(IMPORTED, "lab"))
    with sqlite3.connect(home / "leadline.sqlite3") as raw:
        tables = [
            row[0]
            for row in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            if row[0]
            not in ("migrations", "targets", "sqlite_sequence", "cleanings", "rule_outcomes")
        ]
        assert len(tables) == 19
        counts = {
            name: raw.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in tables
        }
    raw.close()
    assert set(counts.values()) == {0}, counts
    with pytest.raises(StoreError, match="no run 1"):
        store.run(run_id)


def test_what_was_done_belongs_to_one_target(store: Store, home: Path) -> None:
    larger, faster = "Set innodb_buffer_pool_size to 5 GiB", "Set innodb_io_capacity to 1000"
    store.mark_step("db7", larger, done=True)
    store.mark_step("db7", larger, done=True)
    store.mark_step("db8", faster, done=True)
    assert store.done_steps("db7") == {larger}
    assert store.done_steps("db8") == {faster}
    assert store.done_steps("db9") == frozenset()
    store.mark_step("db7", larger, done=False)
    store.mark_step("db7", faster, done=False)
    assert store.done_steps("db7") == frozenset()
    with Store.open(home / "leadline.sqlite3") as again:
        assert again.done_steps("db8") == {faster}


def test_what_was_done_stays_as_long_as_a_run_of_its_target(store: Store) -> None:
    older, newer = (store.start_run(SPEC, RAW, PLAN) for _ in range(2))
    for run_id in (older, newer):
        store.end_run(run_id, RunState.DONE)
    store.mark_step(SPEC.name, "Restart the server", done=True)
    store.delete_run(older)
    assert store.done_steps(SPEC.name) == {"Restart the server"}
    store.delete_run(newer)
    assert store.done_steps(SPEC.name) == frozenset()


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
        "INSERT INTO samples SELECT point_id, 99, 1, 1, 1, 1, NULL FROM samples LIMIT 1",
        "INSERT INTO points SELECT * FROM points LIMIT 1",
        "UPDATE runs SET calibrated = '{}'",
        "UPDATE canary_beats SET latency_us = 1",
        "DELETE FROM canary_beats",
        "INSERT INTO canary_beats SELECT 99, run_id, 1, 1, 1, 1, 1 FROM canary_beats LIMIT 1",
    ],
)
def test_a_finished_run_never_changes(store: Store, home: Path, statement: str) -> None:
    run_id = store.start_run(SPEC, RAW, PLAN)
    store.add_point(run_id, POINT, SAMPLES)
    store.set_condition(run_id, "direct", "yes")
    store.add_warning(run_id, "buffered", "…")
    store.add_beat(run_id, BEATS[0])
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


def test_a_probe_comes_back_with_everything(store: Store) -> None:
    run_id = store.start_run(SPEC, RAW, PROBE_PLAN, kind="probe")
    kept = store.add_point(run_id, PROBED, PROBED_SAMPLES)
    assert store.calibrated(run_id) is None
    store.set_calibrated(run_id, CALIBRATED)
    for beat in BEATS:
        store.add_beat(run_id, beat)
    store.end_run(run_id, RunState.DONE)
    assert store.run(run_id).kind is RunKind.PROBE
    assert store.points(run_id) == [replace(PROBED, id=kept.id)]
    assert kept.id is not None
    assert store.samples(kept.id) == list(PROBED_SAMPLES)
    assert store.plan(run_id) == PROBE_PLAN
    assert store.calibrated(run_id) == CALIBRATED
    assert store.beats(run_id) == list(BEATS)
    assert store.host_samples(run_id) == []


def test_a_plan_of_an_older_program_gets_the_defaults() -> None:
    content = {
        "name": "quick",
        "file_sets": [{"directory": "/d", "files": 1, "bytes_per_file": 4096}],
        "steps": [
            {"setting": {"probe": "random_read", "threads": 1}, "seconds": 1.0, "warmup_s": 0.2}
        ],
        "seconds": 60.0,
        "sandbox": False,
    }
    plan = load_plan(json.dumps(content))
    assert not plan.adaptive
    assert plan.guard is None
    assert plan.budget.seconds == 0
    assert plan.file_sets[0].settle
    assert plan.steps[0].within == 0
    assert plan.engine == "agent"


def test_an_import_is_a_run_that_has_ended(store: Store) -> None:
    run_id = store.add_import(IMPORTED, "lab, first")
    run = store.run(run_id)
    assert (run.kind, run.target, run.plan, run.state, run.points) == (
        RunKind.IMPORT,
        "lab, first",
        "",
        RunState.DONE,
        2,
    )
    assert run.ended_at == run.started_at != ""
    assert store.conditions(run_id) == {
        "source": "lab results.json",
        "format": "fio-json",
        "engine": "fio",
        "engine_version": "3.33",
        "filesystem": "xfs",
        "host": "lab1",
    }
    assert store.run_warnings(run_id) == [
        Warned("import", "One job wrote buffered: it was left out.")
    ]
    assert store.run_target(run_id).name == "lab, first"
    assert dict(store.raw_inventory(run_id).answers) == {}
    with pytest.raises(StoreError, match="followed no plan"):
        store.plan(run_id)
    with pytest.raises(sqlite3.IntegrityError, match="never changes"):
        store.add_point(run_id, POINT, ())


def test_what_an_import_does_not_know_stays_unknown(store: Store, home: Path) -> None:
    run_id = store.add_import(IMPORTED, "lab")
    point = store.points(run_id)[0]
    assert point.latency.p95_us == 410.0
    unknown = (
        *point.ci95_per_s,
        point.seconds,
        point.warmup_s,
        point.latency.mean_us,
        point.latency.p50_us,
        point.latency.p99_us,
        point.latency.p999_us,
        point.latency.max_us,
        point.cpu_user_us_per_op,
        point.cpu_system_us_per_op,
    )
    assert all(map(math.isnan, unknown))
    (sample,) = store.host_samples(run_id)
    assert sample.at_s == 1.0
    assert math.isnan(sample.rate_per_s)
    assert sample.host is not None
    assert math.isnan(sample.host.mhz)
    assert replace(sample.host, mhz=HOST.mhz) == HOST
    raw = sqlite3.connect(home / "leadline.sqlite3")
    try:
        assert raw.execute("SELECT DISTINCT p50_us, ci95_low_per_s FROM points").fetchall() == [
            (None, None)
        ]
    finally:
        raw.close()


def test_an_import_is_kept_whole_or_not_at_all(store: Store) -> None:
    bad = replace(IMPORTED.points[0], rate_per_s=math.nan)
    with pytest.raises(sqlite3.IntegrityError):
        store.add_import(replace(IMPORTED, points=(*IMPORTED.points, bad)), "lab")
    assert store.runs() == []


def test_only_a_file_is_imported(store: Store) -> None:
    with pytest.raises(ValueError, match="as a whole"):
        store.start_run(SPEC, RAW, PLAN, kind="import")


def test_a_scenario_is_kept_in_place_of_an_older_one_of_its_name(store: Store) -> None:
    run_id = store.start_run(SPEC, RAW, PLAN)
    store.end_run(run_id, RunState.DONE)
    for said in ("first", "second"):
        store.keep_scenario(run_id, "more memory", said)
    assert store.scenarios(run_id) == {"more memory": "second"}
    with pytest.raises(StoreError, match="no run 99"):
        store.keep_scenario(99, "more memory", "nobody's")
