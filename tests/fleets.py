"""A store of many servers, each with the row that its watch was judged to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from advisor.fleet.server_row import ANSWER, ServerRow
from advisor.runs.collected import keeping
from advisor.store.store import Store
from probes.inventory.facts import RawInventory


def kept_rows(store: Store, rows: Mapping[str, ServerRow]) -> None:
    """Keep a watch of each target, with the row that it was judged to."""
    for name, row in rows.items():
        with keeping(store, name, RawInventory(row.taken_at, {})) as recorder:
            kept = replace(row, target=name, run_id=recorder.run_id)
            store.add_answers(recorder.run_id, {ANSWER: kept.written()})
