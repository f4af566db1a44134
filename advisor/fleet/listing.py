"""The servers that are kept, each by what speaks for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from advisor.fleet.server_row import ServerRow, kept_row, row_of
from advisor.fleet.taking import DRAWS
from advisor.judging.over_draws import judge
from advisor.run import RunKind, RunSummary, Voice, looks, voice_of
from advisor.store.cases import load_case, trials
from advisor.store.damage import DamagedError
from advisor.store.store import Store
from advisor.target_names import in_order
from advisor.trial.record import TrialVerdict
from advisor.variables.naming import change_text

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
        row = None if voice is None else _known(voice, known) or _row(store, voice)
        if row is not None:
            tried = any(run.kind is RunKind.TRIAL for run in runs)
            kept = kept_changes(store, row.target) if tried else ()
            yield row if row.kept == kept else replace(row, kept=kept)


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


def kept_changes(store: Store, target: str) -> tuple[str, ...]:
    """What trials have kept on a target, of each setting the latest: ``name: old → new``."""
    found: dict[str, str] = {}
    for _, record in trials(store, target):
        if record.verdict is TrialVerdict.KEPT:
            for each in record.asked.tried:
                text = change_text(each.name, each.old, each.new)
                found.setdefault(each.name, text)
    return tuple(found.values())


def sorted_by(rows: Sequence[ServerRow], name: str, *, backwards: bool = False) -> list[ServerRow]:
    """The servers by a column of ``SORTS``; of equals by name."""
    return sorted(sorted(rows, key=SORTS["target"]), key=SORTS[name], reverse=backwards)
