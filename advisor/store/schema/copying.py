"""Runs in a file of their own, to be judged elsewhere: without what only their owner needs."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from advisor.run import RunLabel, RunState
from advisor.store.codec import dump, load_target
from advisor.store.database import Database
from advisor.store.rows import trials
from advisor.store.rows.labels import insert
from advisor.store.rows.runs import summary
from advisor.store.schema.migrations import known, migrate
from probes.errors import StoreError
from probes.targets.address import TargetKind, TargetSpec

LEFT_OUT = {"mysql.innodb_status": "it is left out of case files"}
"""Answers that quote more than figures, each with the words that follow "because"."""

_ANSWERS = ("labs", "lab_turns", "trials", "trial_pairs")
"""What labs and trials found."""

_BY_RUN = (
    "raw_answers",
    "missing_facts",
    "points",
    "conditions",
    "run_warnings",
    "host_samples",
    "canary_beats",
    *_ANSWERS,
)


def write(source: Database, run_ids: Sequence[int], path: Path) -> None:
    """Write runs of one target to a new database at ``path``; their numbers and points' stay.

    Raises StoreError while one of them is being measured.
    """
    runs = [summary(source, run_id) for run_id in run_ids]
    for run in runs:
        if run.state is RunState.RUNNING:
            raise StoreError(f"Run {run.id} is being measured right now.", "Wait for its end.")
    with closing(Database(path)) as target:
        target.execute("PRAGMA foreign_keys = ON")
        migrate(target, known())
        with target.transaction():
            for run in runs:
                # What a lab or a trial found goes along; what its machine answered does not.
                beside_another = run.kind.has_answer and run is not runs[0]
                _copy_run(source, target, run.id, _ANSWERS if beside_another else _BY_RUN)
        for pin in trials.pins(source, runs[0].target):
            trials.keep_pin(target, runs[0].target, pin)
        # What rules have earned goes with the advice; it names no server.
        trials.keep_outcomes(target, trials.outcomes(source))


def _copy_run(source: Database, target: Database, run_id: int, tables: Sequence[str]) -> None:
    (run,) = source.rows("SELECT * FROM runs WHERE id = ?", (run_id,))
    spec = replace(load_target(run["spec"]), ssh=None, mysql=None)
    # The database takes nothing for a run that has ended: it ends here once more.
    begun = dict(run) | {"spec": dump(spec), "state": RunState.RUNNING.value, "life": ""}
    target.execute(_insertion("runs", tuple(begun)), tuple(begun.values()))
    for table in tables:
        _insert_rows(target, table, _rows_of(source, table, run_id))
    _insert_rows(
        target,
        "samples",
        source.rows(
            "SELECT samples.* FROM samples JOIN points ON points.id = point_id WHERE run_id = ?",
            (run_id,),
        ),
    )
    _leave_out(target, run_id)
    # Tags, notes and project are their owner's.
    insert(target, run_id, RunLabel(summary(source, run_id).label.name))
    target.execute(
        "UPDATE runs SET state = ? WHERE id = ?",
        (run["state"], run_id),
    )


def take_over(source: Database, run_id: int, target: Database, name: str) -> int:
    """Copy a case file's run to ``target``, as one of the target called ``name``; its number there.

    How that is reached is not known: its address is empty until its user gives one.
    """
    (run,) = source.rows("SELECT * FROM runs WHERE id = ?", (run_id,))
    spec = TargetSpec(kind=TargetKind.SSH, name=name, directory=load_target(run["spec"]).directory)
    begun = dict(run) | {"target": name, "spec": dump(spec), "state": RunState.RUNNING.value}
    with target.transaction():
        taken = _renumbered(target, "runs", begun)
        for table in _BY_RUN:
            for row in _rows_of(source, table, run_id):
                number = _renumbered(target, table, dict(row) | {"run_id": taken})
                if table == "points":
                    _take_samples(source, row["id"], target, number)
        insert(target, taken, summary(source, run_id).label)
        target.execute("UPDATE runs SET state = ? WHERE id = ?", (run["state"], taken))
    return taken


def _rows_of(source: Database, table: str, run_id: int) -> list[sqlite3.Row]:
    return source.rows(
        f"SELECT * FROM {table} WHERE run_id = ?",  # noqa: S608 - names of our own
        (run_id,),
    )


def _renumbered(target: Database, table: str, row: dict[str, object]) -> int:
    """Insert a row under a number of its own, where its table has numbers; that number."""
    row.pop("id", None)
    return target.execute(_insertion(table, tuple(row)), tuple(row.values()))


def _take_samples(source: Database, point: int, target: Database, number: int) -> None:
    samples = source.rows("SELECT * FROM samples WHERE point_id = ?", (point,))
    for sample in samples:
        _renumbered(target, "samples", dict(sample) | {"point_id": number})


def _leave_out(target: Database, run_id: int) -> None:
    for name, because in LEFT_OUT.items():
        if target.rows("SELECT 1 FROM raw_answers WHERE name = ?", (name,)):
            target.execute("DELETE FROM raw_answers WHERE name = ?", (name,))
            target.execute(
                "INSERT INTO missing_facts (run_id, fact, because) VALUES (?, ?, ?)",
                (run_id, name, because),
            )


def _insert_rows(target: Database, table: str, rows: Sequence[sqlite3.Row]) -> None:
    if rows:
        target.execute_many(_insertion(table, rows[0].keys()), [tuple(row) for row in rows])


def _insertion(table: str, columns: Sequence[str]) -> str:
    marks = ", ".join("?" * len(columns))
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"  # noqa: S608 - ours
