"""The servers that are kept, each by what speaks for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from advisor.fleet.server_row import ServerRow, kept_row
from advisor.run import RunSummary, Voice, looks, voice_of
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
            from advisor.fleet.judged_row import judged_row  # noqa: PLC0415 - heavy, seldom needed

            row = judged_row(store, voice)
    except DamagedError:
        return None
    return row if row.settings or row.server else None
