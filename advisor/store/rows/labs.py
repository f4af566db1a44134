"""Labs: what was asked, and every turn as it came."""

from __future__ import annotations

from dataclasses import asdict, replace

from advisor.lab.asked import Asked
from advisor.lab.record import LabTurn, Record
from advisor.store.codec import dump_plain, load
from advisor.store.database import Database
from advisor.store.rows.runs import exists
from advisor.store.typed import build
from probes.boundary.malformed import Malformed
from probes.errors import StoreError


def add(database: Database, run_id: int, asked: Asked) -> None:
    """Keep a lab's question; its run has just begun."""
    with database.transaction():
        database.execute(
            "INSERT INTO labs (run_id, asked) VALUES (?, ?)", (run_id, dump_plain(asdict(asked)))
        )


def set_known(database: Database, run_id: int, record: Record) -> None:
    """Keep what is known of the lab's servers by now, in place of what was."""
    known = asdict(replace(record, turns=()))
    del known["asked"], known["turns"]
    with database.transaction():
        database.execute("UPDATE labs SET known = ? WHERE run_id = ?", (dump_plain(known), run_id))


def add_turn(database: Database, run_id: int, turn: LabTurn) -> None:
    """Keep a turn."""
    with database.transaction():
        database.execute(
            "INSERT INTO lab_turns (run_id, variant, level, start, round, chosen, turn)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                run_id,
                turn.variant,
                turn.level,
                turn.start,
                turn.round,
                int(turn.chosen),
                dump_plain(asdict(turn.turn)),
            ),
        )


def read(database: Database, run_id: int) -> Record:
    """A lab as far as it has come; raises StoreError where the run is none, and Malformed."""
    exists(database, run_id)
    rows = database.rows("SELECT asked, known FROM labs WHERE run_id = ?", (run_id,))
    if not rows:
        raise StoreError(f"Run {run_id} is no lab.", "`leadline runs` lists what each run is.")
    known = load(rows[0]["known"])
    if not isinstance(known, dict):
        raise Malformed("what is known of the lab's servers is no object")
    asked = build(Asked, load(rows[0]["asked"]), "the lab's question")
    if not asked.variants:
        raise Malformed("the lab has no variants")
    turns = database.rows("SELECT * FROM lab_turns WHERE run_id = ? ORDER BY id", (run_id,))
    return build(
        Record,
        known | {"asked": asked_document(asked), "turns": [_turn(dict(row)) for row in turns]},
        "the lab",
    )


def asked_document(asked: Asked) -> object:
    """The question as plain values."""
    return load(dump_plain(asdict(asked)))


def _turn(row: dict[str, object]) -> dict[str, object]:
    named = {name: row[name] for name in ("variant", "level", "start", "round")}
    return named | {"chosen": bool(row["chosen"]), "turn": load(row["turn"])}
