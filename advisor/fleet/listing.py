"""The servers that are kept, each by its latest run that was judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from advisor.fleet.server_row import ANSWER, ServerRow, read_row, row_of
from advisor.fleet.taking import DRAWS
from advisor.judging.over_draws import judge
from advisor.run import RunKind, RunState, RunSummary
from advisor.store.cases import load_case
from advisor.store.damage import DamagedError
from advisor.store.store import Store
from advisor.target_names import SAMPLE

_LOOKED_AT = (RunKind.CHECK, RunKind.WATCH)

SORTS: dict[str, Callable[[ServerRow], tuple[bool, float | str]]] = {
    "target": lambda row: (False, row.target),
    "server": lambda row: (not row.server, row.server),
    "role": lambda row: (not row.role, row.role),
    "limit": lambda row: (not row.limit, row.limit),
    "risks": lambda row: (False, -float(len(row.risks))),
    "changes": lambda row: (False, -float(len(row.changes))),
    "gain": lambda row: (row.gain is None, -(row.gain or 0.0)),
    "spare": lambda row: (row.spare is None, row.spare or 0.0),
    "queries": lambda row: (row.queries_per_s is None, -(row.queries_per_s or 0.0)),
    "data": lambda row: (row.data_bytes is None, -float(row.data_bytes or 0)),
    "memory": lambda row: (row.memory_bytes is None, -float(row.memory_bytes or 0)),
    "taken": lambda row: (False, row.taken_at),
}
"""What a table is sorted by: where the most is to be done comes first, what is unknown last."""


def kept_servers(store: Store) -> Iterator[ServerRow]:
    """Every target's latest check or watch that ended well, by name; raises StoreError."""
    latest: dict[str, RunSummary] = {}
    for run in store.runs():
        if run.kind in _LOOKED_AT and run.state is RunState.DONE and run.target != SAMPLE:
            latest.setdefault(run.target, run)
    for _, run in sorted(latest.items()):
        if (row := _row(store, run)) is not None:
            yield row


def _row(store: Store, run: RunSummary) -> ServerRow | None:
    """As it was judged when it was taken in, else judged now; None of one that is damaged."""
    try:
        kept = store.raw_inventory(run.id).answers.get(ANSWER)
        row = None if kept is None else read_row(kept)
        if row is None:
            case = load_case(store, run.id)
            row = row_of(case, judge(case, DRAWS))
    except DamagedError:
        return None
    return row if row.settings or row.server else None


def sorted_by(rows: Sequence[ServerRow], name: str, *, backwards: bool = False) -> list[ServerRow]:
    """The servers by a column of ``SORTS``; of equals by name."""
    return sorted(sorted(rows, key=lambda row: row.target), key=SORTS[name], reverse=backwards)
