"""Trials: what was asked and how it ended, and every pair of blocks as it came."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, replace

from advisor.store.codec import dump_plain, load
from advisor.store.database import Database
from advisor.store.rows.runs import exists
from advisor.store.typed import build
from advisor.trial.outcome import RuleOutcome, of_trial
from advisor.trial.record import TrialPair, TrialRecord
from advisor.tried import Pinned
from probes.boundary.malformed import Malformed
from probes.errors import StoreError
from probes.redaction import cleaned


def add(database: Database, run_id: int, record: TrialRecord) -> None:
    """Keep a trial's question and design; its run has just begun."""
    with database.transaction():
        database.execute(
            "INSERT INTO trials (run_id, record) VALUES (?, ?)", (run_id, _without_pairs(record))
        )


def set_known(database: Database, run_id: int, record: TrialRecord) -> None:
    """Keep what is known of a trial but its pairs, in place of what was."""
    with database.transaction():
        database.execute(
            "UPDATE trials SET record = ? WHERE run_id = ?", (_without_pairs(record), run_id)
        )


def add_pair(database: Database, run_id: int, pair: TrialPair) -> None:
    """Keep a pair in place of what was kept under its number, as where it no longer counts."""
    with database.transaction():
        key = (run_id, pair.number)
        database.execute("DELETE FROM trial_pairs WHERE run_id = ? AND number = ?", key)
        database.execute(
            "INSERT INTO trial_pairs (run_id, number, pair) VALUES (?, ?, ?)",
            (*key, dump_plain(asdict(pair))),
        )


def read(database: Database, run_id: int) -> TrialRecord:
    """A trial as far as it has come; raises StoreError where the run is none, and Malformed."""
    exists(database, run_id)
    rows = database.rows("SELECT record FROM trials WHERE run_id = ?", (run_id,))
    if not rows:
        raise StoreError(f"Run {run_id} is no trial.", "`leadline runs` lists what each run is.")
    known = load(rows[0]["record"])
    if not isinstance(known, dict):
        raise Malformed("what is known of the trial is no object")
    pairs = database.rows(
        "SELECT pair FROM trial_pairs WHERE run_id = ? ORDER BY number", (run_id,)
    )
    found = build(TrialRecord, known | {"pairs": [load(row["pair"]) for row in pairs]}, "the trial")
    if not found.asked.tried:
        raise Malformed("the trial has no setting")
    return found


def outcomes(database: Database) -> list[RuleOutcome]:
    """What came of rules' advice, in trials that are over and elsewhere; damage is left out."""
    rows = database.lenient_rows(
        "SELECT run_id, record FROM trials JOIN runs ON id = run_id WHERE state <> 'running'"
        " ORDER BY id"
    )
    found = []
    for row in rows:
        with suppress(Malformed):
            record = build(TrialRecord, load(row["record"]), "the trial")
            if (outcome := of_trial(int(row["run_id"]), record)) is not None:
                found.append(outcome)
    for row in database.lenient_rows("SELECT outcome FROM rule_outcomes ORDER BY key"):
        with suppress(Malformed):
            found.append(build(RuleOutcome, load(row["outcome"]), "the outcome"))
    return found


def keep_outcomes(database: Database, found: Iterable[RuleOutcome]) -> None:
    """Keep what came of rules' advice, each in place of what was known of it."""
    with database.transaction():
        for each in found:
            database.execute(
                "INSERT INTO rule_outcomes VALUES (?, ?)"
                " ON CONFLICT (key) DO UPDATE SET outcome = excluded.outcome",
                (each.key, dump_plain(asdict(each))),
            )


def keep_pin(database: Database, target: str, pin: Pinned) -> None:
    """Keep a pin in place of an older one of that setting."""
    with database.transaction():
        database.execute(
            "INSERT INTO pins VALUES (?, ?, ?, ?) ON CONFLICT (target, setting)"
            " DO UPDATE SET because = excluded.because, until = excluded.until",
            (target, pin.setting, cleaned(pin.because), pin.until),
        )


def remove_pin(database: Database, target: str, setting: str) -> None:
    """Forget a pin."""
    with database.transaction():
        database.execute("DELETE FROM pins WHERE target = ? AND setting = ?", (target, setting))


def pins(database: Database, target: str) -> tuple[Pinned, ...]:
    """A target's pins, by setting, those of the past as well."""
    rows = database.lenient_rows(
        "SELECT setting, because, until FROM pins WHERE target = ? ORDER BY setting", (target,)
    )
    return tuple(
        Pinned(str(row["setting"]), str(row["because"]), str(row["until"])) for row in rows
    )


def _without_pairs(record: TrialRecord) -> str:
    known = asdict(replace(record, pairs=()))
    del known["pairs"]
    return dump_plain(known)
