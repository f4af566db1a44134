"""The servers that are kept, each by what speaks for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from advisor.fleet.server_row import ServerRow, kept_row
from advisor.run import RunKind, RunSummary, Voice, looks, voice_of
from advisor.store.damage import DamagedError
from advisor.store.store import Store


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
            kept = _kept(store, row.target) if tried else ()
            yield row if row.kept == kept else replace(row, kept=kept)


def _known(voice: Voice, known: Mapping[int, ServerRow]) -> ServerRow | None:
    """What was judged before, with the same curves."""
    row = known.get(voice.run_id)
    return row if row is not None and row.curves_id == voice.curves_id else None


def _kept(store: Store, target: str) -> tuple[str, ...]:
    from advisor.fleet.kept_changes import kept_changes  # noqa: PLC0415 - few servers have trials

    return kept_changes(store, target)


def _row(store: Store, voice: Voice) -> ServerRow | None:
    """As it was judged when it was taken in, else judged now; None of one that is damaged."""
    try:
        row = None if voice.curves_id is not None else kept_row(store, voice.run_id)
        if row is None:
            from advisor.fleet.judged_row import judged_row  # noqa: PLC0415 - heavy, seldom needed

            row = judged_row(store, voice)
    except DamagedError:
        return None
    return row if row.settings or row.server else None
