"""The order of a table of servers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from advisor.fleet.server_row import ServerRow
from advisor.target_names import in_order

SORTS: dict[str, Callable[[ServerRow], tuple[bool, float | str]]] = {
    "target": lambda row: (False, in_order(row.target)),
    "server": lambda row: (not row.server, row.server),
    "role": lambda row: (not row.role, row.role),
    "limit": lambda row: (not row.limit, row.limit),
    "risks": lambda row: (False, -float(len(row.risks))),
    "changes": lambda row: (False, -float(len(row.changes))),
    "kept": lambda row: (False, -float(len(row.kept))),
    "gain": lambda row: (row.gain is None, -(row.gain or 0.0)),
    "spare": lambda row: (row.spare is None, row.spare or 0.0),
    "queries": lambda row: (row.queries_per_s is None, -(row.queries_per_s or 0.0)),
    "data": lambda row: (row.data_bytes is None, -float(row.data_bytes or 0)),
    "memory": lambda row: (row.memory_bytes is None, -float(row.memory_bytes or 0)),
    "taken": lambda row: (False, row.taken_at),
}
"""What a table is sorted by: where the most is to be done comes first, what is unknown last."""


def sorted_by(rows: Sequence[ServerRow], name: str, *, backwards: bool = False) -> list[ServerRow]:
    """The servers by a column of ``SORTS``; of equals by name."""
    return sorted(sorted(rows, key=SORTS["target"]), key=SORTS[name], reverse=backwards)
