"""Imports: what another program measured, as a run that has ended."""

from __future__ import annotations

from advisor.run import RunKind, RunState
from advisor.store.codec import dump, dump_host, dump_plain, load_host
from advisor.store.database import Database, now
from advisor.store.rows import points
from advisor.store.rows.runs import exists
from probes._version import __version__ as program
from probes.boundary.numbers import finite
from probes.imports.imported import Imported
from probes.points import Sample
from probes.redaction import HIDDEN, cleaned, hides
from probes.targets.address import TargetSpec

WARNING = "import"
"""The code of what an import's reader has to say."""


def add(database: Database, imported: Imported, name: str) -> int:
    """Keep a whole import as a run under ``name``, or nothing of it; returns the run's number."""
    with database.transaction():
        run_id = _insert_run(database, name)
        for point in imported.points:
            points.insert(database, run_id, point, ())
        _insert_host_samples(database, run_id, imported.host_samples)
        database.execute_many(
            "INSERT INTO conditions VALUES (?, ?, ?)",
            [
                (run_id, name, HIDDEN if hides(name, value) else value)
                for name, value in _conditions(imported).items()
            ],
        )
        database.execute_many(
            "INSERT INTO run_warnings (run_id, code, message) VALUES (?, ?, ?)",
            [(run_id, WARNING, cleaned(message)) for message in imported.warnings],
        )
        database.execute(
            "UPDATE runs SET state = ?, ended_at = started_at WHERE id = ?",
            (RunState.DONE.value, run_id),
        )
    return run_id


def host_samples(database: Database, run_id: int) -> list[Sample]:
    """What an import knows of the host over time, apart from its points; raises Malformed."""
    exists(database, run_id)
    rows = database.rows("SELECT * FROM host_samples WHERE run_id = ? ORDER BY position", (run_id,))
    unknown = float("nan")
    return [
        Sample(finite(row["at_s"], "at_s"), unknown, unknown, unknown, load_host(row["host"]))
        for row in rows
    ]


def _insert_run(database: Database, name: str) -> int:
    """It starts as running, since the database takes points for no other; nobody sees it so."""
    at = now()
    return database.execute(
        "INSERT INTO runs (target, spec, plan_name, plan, program, taken_at, state, started_at,"
        " life, kind) VALUES (?, ?, '', ?, ?, ?, ?, ?, '', ?)",
        (
            name,
            dump(TargetSpec(name=name)),
            dump_plain(None),
            program,
            at,
            RunState.RUNNING.value,
            at,
            RunKind.IMPORT.value,
        ),
    )


def _insert_host_samples(database: Database, run_id: int, samples: tuple[Sample, ...]) -> None:
    database.execute_many(
        "INSERT INTO host_samples VALUES (?, ?, ?, ?)",
        [
            (run_id, position, each.at_s, dump_host(each.host))
            for position, each in enumerate(samples)
            if each.host is not None
        ],
    )


def _conditions(imported: Imported) -> dict[str, str]:
    reported = {
        "source": imported.source,
        "format": imported.kind,
        "engine": imported.engine,
        "engine_version": imported.engine_version,
    }
    return {**imported.conditions, **{name: value for name, value in reported.items() if value}}
