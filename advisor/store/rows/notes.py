"""What comes up while a run lasts: conditions, warnings, how the prober and the server fared."""

from __future__ import annotations

from dataclasses import fields

from advisor.store.codec import dump, load_calibrated
from advisor.store.database import Database
from advisor.store.rows.runs import exists
from advisor.store.typed import build
from probes.events import Calibrated, CanaryBeat, Warned
from probes.redaction import HIDDEN, cleaned, hides


def set_condition(database: Database, run_id: int, name: str, value: str) -> None:
    """Keep a fact about the run itself, in place of an older value."""
    with database.transaction():
        database.execute(
            "INSERT INTO conditions VALUES (?, ?, ?)"
            " ON CONFLICT (run_id, name) DO UPDATE SET value = excluded.value",
            (run_id, name, HIDDEN if hides(name, value) else value),
        )


def add_warning(database: Database, run_id: int, code: str, message: str) -> None:
    """Keep something to know about the run."""
    with database.transaction():
        database.execute(
            "INSERT INTO run_warnings (run_id, code, message) VALUES (?, ?, ?)",
            (run_id, code, cleaned(message)),
        )


def set_calibrated(database: Database, run_id: int, calibrated: Calibrated) -> None:
    """Keep what the prober costs and can do, in place of an older value."""
    with database.transaction():
        database.execute("UPDATE runs SET calibrated = ? WHERE id = ?", (dump(calibrated), run_id))


def add_beat(database: Database, run_id: int, beat: CanaryBeat) -> None:
    """Keep how the live server fared within one second."""
    with database.transaction():
        database.execute(
            "INSERT INTO canary_beats (run_id, latency_us, baseline_us, limit_us, threads_running,"
            " row_lock_waits) VALUES (?, ?, ?, ?, ?, ?)",
            (
                run_id,
                beat.latency_us,
                beat.baseline_us,
                beat.limit_us,
                beat.threads_running,
                beat.row_lock_waits,
            ),
        )


def conditions(database: Database, run_id: int) -> dict[str, str]:
    """Facts about the run itself, by name; this and what follows raise Malformed."""
    exists(database, run_id)
    rows = database.rows(
        "SELECT name, value FROM conditions WHERE run_id = ? ORDER BY name", (run_id,)
    )
    return build(dict[str, str], {row["name"]: row["value"] for row in rows}, "a condition")


def warnings(database: Database, run_id: int) -> list[Warned]:
    """What came up during the run, in its order."""
    exists(database, run_id)
    rows = database.rows(
        "SELECT code, message FROM run_warnings WHERE run_id = ? ORDER BY id", (run_id,)
    )
    return [build(Warned, dict(row), "a warning") for row in rows]


def calibrated(database: Database, run_id: int) -> Calibrated | None:
    """What the prober cost and could do; None when it was not calibrated."""
    exists(database, run_id)
    text = database.rows("SELECT calibrated FROM runs WHERE id = ?", (run_id,))[0][0]
    return None if text is None else load_calibrated(text)


def beats(database: Database, run_id: int) -> list[CanaryBeat]:
    """How the live server fared, in the order of the seconds."""
    exists(database, run_id)
    columns = ", ".join(each.name for each in fields(CanaryBeat))
    rows = database.rows(
        f"SELECT {columns} FROM canary_beats WHERE run_id = ? ORDER BY id",  # noqa: S608 - ours
        (run_id,),
    )
    return [build(CanaryBeat, dict(row), "a beat", unknown=True) for row in rows]
