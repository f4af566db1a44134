"""The servers that are kept, each by what speaks for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

from advisor.fleet.server_row import ServerRow, kept_row, row_of
from advisor.fleet.taking import DRAWS
from advisor.judging.over_draws import judge
from advisor.run import RunSummary, Voice, looks, voice_of
from advisor.store.cases import load_case
from advisor.store.damage import DamagedError
from advisor.store.store import Store
from advisor.target_names import in_order

SORTS: dict[str, Callable[[ServerRow], tuple[bool, float | str]]] = {
    "target": lambda row: (False, in_order(row.target)),
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


def kept_servers(
    store: Store, known: Mapping[int, ServerRow] = MappingProxyType({})
) -> Iterator[ServerRow]:
    """Every target by name, as what speaks for it was judged; raises StoreError.

    ``known`` are rows by run that were judged before, and are not judged once more.
    """
    of_targets: dict[str, list[RunSummary]] = {}
    for run in store.runs():
        of_targets.setdefault(run.target, []).append(run)
    for _, runs in sorted(of_targets.items()):
        # Points alone are no server.
        voice = voice_of(runs) if looks(runs) else None
        if voice is not None and (row := _known(voice, known) or _row(store, voice)) is not None:
            yield row


def _known(voice: Voice, known: Mapping[int, ServerRow]) -> ServerRow | None:
    """What was judged before, with the same curves."""
    row = known.get(voice.run_id)
    return row if row is not None and row.curves_id == voice.curves_id else None


def _row(store: Store, voice: Voice) -> ServerRow | None:
    """As it was judged when it was taken in, else judged now; None of one that is damaged."""
    try:
        row = None if voice.curves_id is not None else kept_row(store, voice.run_id)
        if row is None:
            case = load_case(store, voice.run_id, voice.curves_id)
            row = row_of(case, judge(case, DRAWS))
    except DamagedError:
        return None
    return row if row.settings or row.server else None


def sorted_by(rows: Sequence[ServerRow], name: str, *, backwards: bool = False) -> list[ServerRow]:
    """The servers by a column of ``SORTS``; of equals by name."""
    return sorted(sorted(rows, key=SORTS["target"]), key=SORTS[name], reverse=backwards)
