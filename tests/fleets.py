"""A store of many servers: the whole servers of production, as their watches were judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from advisor.fleet.roles import role_of
from advisor.fleet.server_row import ANSWER, ServerRow, row_of
from advisor.runs.collected import keeping
from advisor.store.store import Store
from probes.inventory.facts import RawInventory
from tests.knowledge.production_cases import ProductionServer


def kept_rows(store: Store, rows: Mapping[str, ServerRow]) -> None:
    """Keep a watch of each target, with the row that it was judged to."""
    for name, row in rows.items():
        with keeping(store, name, RawInventory(row.taken_at, {})) as recorder:
            kept = replace(row, target=name, run_id=recorder.run_id)
            store.add_answers(recorder.run_id, {ANSWER: kept.written()})


def judged_row(server: ProductionServer) -> ServerRow:
    """What a table shows of a whole server."""
    row = row_of(server.case, server.judged())
    return replace(row, role=role_of(server.name, server.case.inventory.mysql))
