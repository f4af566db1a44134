"""The servers that are kept, each by the run that speaks for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from advisor.fleet.server_row import ServerRow, kept_row
from advisor.run import RunSummary, speaking_run
from advisor.store.damage import DamagedError
from advisor.store.store import Store
from advisor.target_names import SAMPLE


def kept_servers(
    store: Store, known: Mapping[int, ServerRow] = MappingProxyType({})
) -> Iterator[ServerRow]:
    """Every target by name, as the run that speaks for it was judged; raises StoreError.

    ``known`` are rows by run that were judged before, and are not judged once more.
    """
    of_targets: dict[str, list[RunSummary]] = {}
    for run in store.runs():
        if run.target != SAMPLE:
            of_targets.setdefault(run.target, []).append(run)
    for _, runs in sorted(of_targets.items()):
        found = speaking_run(runs)
        if found is not None and (row := known.get(found.id) or _row(store, found)) is not None:
            yield row


def _row(store: Store, run: RunSummary) -> ServerRow | None:
    """As it was judged when it was taken in, else judged now; None of one that is damaged."""
    try:
        row = kept_row(store, run.id)
        if row is None:
            from advisor.fleet.judged_row import judged_row  # noqa: PLC0415 - heavy, seldom needed

            row = judged_row(store, run.id)
    except DamagedError:
        return None
    return row if row.settings or row.server else None
