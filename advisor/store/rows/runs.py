"""Runs: their state, their inventory and plan, and what came up meanwhile."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from advisor.run import RunKind, RunState, RunSummary
from advisor.store.codec import dump, load_plan, load_target
from advisor.store.database import Database, now
from advisor.store.lives import Lives
from advisor.store.rows import labels
from advisor.store.typed import MOST_LETTERS, build
from probes._version import __version__ as program
from probes.boundary.text import text
from probes.errors import NoSuchRun, StoreError
from probes.inventory.facts import Missing, RawInventory
from probes.inventory.redact import clean_answer, clean_inventory
from probes.plans.plan import Plan
from probes.redaction import cleaned
from probes.targets.address import TargetSpec


def start(
    database: Database,
    lives: Lives,
    spec: TargetSpec,
    raw: RawInventory,
    plan: Plan,
    *,
    kind: RunKind,
) -> int:
    """Begin a run; it counts as running for as long as this process holds its lock."""
    if kind is RunKind.IMPORT:
        raise ValueError("an import is added as a whole")
    life = lives.begin()
    raw = clean_inventory(raw)
    with database.transaction():
        run_id = database.execute(
            "INSERT INTO runs (target, spec, plan_name, plan, program, taken_at, state, started_at,"
            " life, kind) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                spec.name,
                dump(spec),
                plan.title,
                dump(plan),
                program,
                raw.taken_at,
                RunState.RUNNING.value,
                now(),
                life,
                kind.value,
            ),
        )
        _insert_answers(database, run_id, raw.answers)
        database.execute_many(
            "INSERT INTO missing_facts (run_id, fact, because) VALUES (?, ?, ?)",
            [(run_id, missing.fact, missing.because) for missing in raw.missing],
        )
    return run_id


def add_answers(database: Database, run_id: int, answers: Mapping[str, str]) -> None:
    """Keep raw answers that came later than the run's inventory, under names of their own."""
    clean = {name: clean_answer(name, answer) for name, answer in answers.items()}
    with database.transaction():
        _insert_answers(database, run_id, clean)


def keep_judged(database: Database, run_id: int, made_of: str, row: str) -> None:
    """Keep how the run that speaks for a server was judged, in place of all rows of its target."""
    with database.transaction():
        database.execute(
            "DELETE FROM judged_rows WHERE run_id IN (SELECT id FROM runs WHERE target ="
            " (SELECT target FROM runs WHERE id = ?))",
            (run_id,),
        )
        database.execute("INSERT INTO judged_rows VALUES (?, ?, ?)", (run_id, made_of, row))


def judged(database: Database, run_id: int, made_of: str) -> str | None:
    """The row of a run that was judged from the same; None where there is none."""
    rows = database.lenient_rows(
        "SELECT row FROM judged_rows WHERE run_id = ? AND made_of = ?", (run_id, made_of)
    )
    return str(rows[0]["row"]) if rows else None


def renew_answers(database: Database, run_id: int, answers: Mapping[str, str]) -> None:
    """Keep raw answers in place of those of the same names, of a run that is not over."""
    clean = {name: clean_answer(name, answer) for name, answer in answers.items()}
    with database.transaction():
        database.execute_many(
            "DELETE FROM raw_answers WHERE run_id = ? AND name = ?",
            [(run_id, name) for name in clean],
        )
        _insert_answers(database, run_id, clean)


def _insert_answers(database: Database, run_id: int, answers: Mapping[str, str]) -> None:
    database.execute_many(
        "INSERT INTO raw_answers VALUES (?, ?, ?)",
        [(run_id, name, answer) for name, answer in answers.items()],
    )


def end(database: Database, lives: Lives, run_id: int, state: RunState, reason: str) -> None:
    """Close a run; it never changes afterwards. Raises StoreError when it has ended already.

    How a run ended early can be kept on a full disk, too: room is kept for that.
    """
    if state is RunState.RUNNING:
        raise ValueError("a run can't end as running")
    known = summary(database, run_id).state
    if known is not RunState.RUNNING:
        raise StoreError(f"Run {run_id} has ended already ({known.value}).")
    life = _life(database, run_id)
    try:
        _close(database, run_id, state, reason)
    except StoreError:
        if state is RunState.DONE:
            raise
        lives.give_room(life)
        _close(database, run_id, state, reason)
    lives.end(life)


def interrupt_dead(database: Database, lives: Lives) -> None:
    """Mark the runs whose process is gone."""
    for row in database.lenient_rows("SELECT id, life FROM runs WHERE state = 'running'"):
        if not lives.lasts(str(row["life"])):
            reason = "Leadline ended without closing the run."
            _close(database, row["id"], RunState.INTERRUPTED, reason)


def _life(database: Database, run_id: int) -> str:
    row = database.lenient_rows("SELECT life FROM runs WHERE id = ?", (run_id,))[0]
    return str(row["life"])


def _close(database: Database, run_id: int, state: RunState, reason: str) -> None:
    with database.transaction():
        database.execute(
            "UPDATE runs SET state = ?, reason = ?, ended_at = ?"
            " WHERE id = ? AND state = 'running'",
            (state.value, cleaned(reason), now(), run_id),
        )


def delete(database: Database, lives: Lives, run_id: int) -> None:
    """Remove a run with all that was measured; raises StoreError while it is being measured."""
    running = summary(database, run_id).state is RunState.RUNNING
    if running and lives.lasts(_life(database, run_id)):
        raise StoreError(
            f"Run {run_id} is being measured right now.", "Cancel it before you delete it."
        )
    with database.transaction():
        database.execute("DELETE FROM runs WHERE id = ?", (run_id,))
        # Plans come of runs: where a target has none, nothing of one was done.
        database.execute("DELETE FROM done_steps WHERE target NOT IN (SELECT target FROM runs)")


ALL_REJECTED = "all_rejected"
"""The condition of a run whose points, seen together, were all rejected; a list shows it."""

IDLE = "idle"
"""The condition of a run that watched a server without a query at work: one that saw it at work
says more of it."""

FROM_TEXTS = "texts"
"""The condition of a run whose server is known from texts: their names; a list shows it."""

BESIDE_SERVER = "beside_server"
"""The condition of a run some of whose points were measured beside the server's own load; a list
shows it."""

_SUMMARY = (
    "SELECT id, target, plan_name, state, reason, started_at, ended_at, kind,"
    " (SELECT count(*) FROM points WHERE points.run_id = runs.id) AS points,"
    " (SELECT count(*) FROM points WHERE points.run_id = runs.id AND trust <> 'ok') AS doubted,"
    " (SELECT count(*) FROM points WHERE points.run_id = runs.id AND trust = 'rejected')"
    " AS rejected,"
    " EXISTS (SELECT 1 FROM conditions WHERE run_id = runs.id AND name = 'all_rejected')"
    " AS all_rejected,"
    " EXISTS (SELECT 1 FROM conditions WHERE run_id = runs.id AND name = 'idle') AS idle,"
    " EXISTS (SELECT 1 FROM conditions WHERE run_id = runs.id AND name = 'texts') AS from_texts,"
    " EXISTS (SELECT 1 FROM conditions WHERE run_id = runs.id AND name = 'beside_server')"
    " AS beside_server,"
    " (SELECT value FROM conditions WHERE run_id = runs.id AND name = 'device') AS drive,"
    " (SELECT value FROM conditions WHERE run_id = runs.id AND name = 'directory') AS directory,"
    " run_labels.name AS label_name, tags, notes, project"
    " FROM runs LEFT JOIN run_labels ON run_labels.run_id = runs.id"
)
"""Never what is large, or may be damaged: a list shows every run."""

_DAMAGED = "What is kept of it is damaged."


def summaries(database: Database, target: str | None) -> list[RunSummary]:
    """All runs, or those of one target; the latest first."""
    if target is None:
        rows = database.lenient_rows(f"{_SUMMARY} ORDER BY id DESC")
    else:
        rows = database.lenient_rows(f"{_SUMMARY} WHERE target = ? ORDER BY id DESC", (target,))
    return [_summary(row) for row in rows]


def summary(database: Database, run_id: int) -> RunSummary:
    """One run; raises StoreError when there is none with this number."""
    return _summary(_row(database, run_id))


def _summary(row: sqlite3.Row) -> RunSummary:
    known = {name: str(row[name]) for name in ("target", "reason", "started_at", "ended_at")}
    try:
        state, kind = RunState(row["state"]), RunKind(row["kind"])
    except ValueError:
        state, kind = RunState.FAILED, RunKind.PROBE
        known["reason"] = _DAMAGED
    return RunSummary(
        **known,
        id=row["id"],
        plan=str(row["plan_name"]),
        state=state,
        points=row["points"],
        kind=kind,
        beside_server=bool(row["beside_server"]),
        idle=bool(row["idle"]),
        from_texts=bool(row["from_texts"]),
        doubted=row["points"] if row["all_rejected"] else row["doubted"],
        rejected=row["points"] if row["all_rejected"] else row["rejected"],
        drive=str(row["drive"] or ""),
        directory=str(row["directory"] or ""),
        label=labels.read(row["label_name"], row["tags"], row["notes"], row["project"]),
    )


def exists(database: Database, run_id: int) -> None:
    """Raises NoSuchRun when there is no run with this number."""
    _row(database, run_id)


def _row(database: Database, run_id: int) -> sqlite3.Row:
    rows = database.lenient_rows(f"{_SUMMARY} WHERE id = ?", (run_id,))
    if not rows:
        raise NoSuchRun(
            f"There is no run {run_id}.", "`leadline runs` lists the runs that were kept."
        )
    return rows[0]


def plan_of(database: Database, run_id: int) -> Plan:
    """The plan that a run followed; raises StoreError for an import, which followed none."""
    if summary(database, run_id).kind is RunKind.IMPORT:
        raise StoreError(f"Run {run_id} was imported: it followed no plan of Leadline's.")
    return load_plan(_kept(database, run_id, "plan"))


def target_of(database: Database, run_id: int) -> TargetSpec:
    """The target as it was when the run began; raises Malformed."""
    return load_target(_kept(database, run_id, "spec"))


def raw_inventory(database: Database, run_id: int) -> RawInventory:
    """The answers that a run's inventory was read from; raises Malformed."""
    taken_at = _kept(database, run_id, "taken_at")
    answers = database.rows(
        "SELECT name, answer FROM raw_answers WHERE run_id = ? ORDER BY name", (run_id,)
    )
    missing = database.rows(
        "SELECT fact, because FROM missing_facts WHERE run_id = ? ORDER BY id", (run_id,)
    )
    return RawInventory(
        taken_at=taken_at,
        answers=build(dict[str, str], dict(map(tuple, answers)), "an answer"),
        missing=tuple(build(Missing, dict(row), "a missing fact") for row in missing),
    )


def _kept(database: Database, run_id: int, column: str) -> str:
    """One text of a run."""
    exists(database, run_id)
    value = database.rows(
        f"SELECT {column} FROM runs WHERE id = ?",  # noqa: S608 - a name of our own
        (run_id,),
    )[0][0]
    return text(value, column, MOST_LETTERS)


def over_in(database: Database, kept_in: str, target: str) -> list[tuple[int, str]]:
    """A target's runs of one kind that are over, the latest first: number and start (ISO 8601).

    ``kept_in`` is the table of that kind.
    """
    rows = database.lenient_rows(
        f"SELECT id, started_at FROM {kept_in} JOIN runs ON id = run_id"  # noqa: S608 - ours
        " WHERE target = ? AND state <> 'running' ORDER BY id DESC",
        (target,),
    )
    return [(row["id"], str(row["started_at"])) for row in rows]
