"""The servers that are kept, each by what speaks for it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from advisor.fleet.server_row import ServerRow, kept_row, read_row
from advisor.run import RunKind, RunState, RunSummary, Voice, looks, voice_of
from advisor.store.damage import DamagedError
from advisor.store.database import now
from advisor.store.store import Store
from advisor.trial.rule_record import rule_records
from advisor.tried import valid_pins
from probes._version import __version__
from probes.errors import StoreError


class _Beside(NamedTuple):
    """What a row is judged from beside the run that speaks, which never changes.

    ``curves_id`` is the run with its curves; ``tried`` are the target's labs and trials that are
    over; ``pins`` are settings that count as kept today; ``doubted`` are rules whose forecasts held
    too seldom, on any server.
    """

    curves_id: int | None
    tried: tuple[int, ...]
    pins: tuple[str, ...]
    doubted: tuple[str, ...]

    @property
    def nothing(self) -> bool:
        """Whether it is judged from its run alone, as an archive is that is taken in."""
        return self.curves_id is None and not (self.tried or self.pins or self.doubted)

    @property
    def text(self) -> str:
        return json.dumps([__version__, *self])


def kept_servers(store: Store) -> Iterator[ServerRow]:
    """Every target by name, as what speaks for it was judged; raises StoreError.

    A row is judged once, and kept until anything changes that it is judged from.
    """
    of_targets: dict[str, list[RunSummary]] = {}
    for run in store.runs():
        of_targets.setdefault(run.target, []).append(run)
    doubted = tuple(each.rule for each in rule_records(store.outcomes()) if each.doubtful)
    for target, runs in sorted(of_targets.items()):
        # Points alone are no server.
        voice = voice_of(runs) if looks(runs) else None
        if voice is None:
            continue
        row = _row(store, voice, _beside(store, target, runs, voice, doubted))
        if row is not None:
            tried = any(run.kind is RunKind.TRIAL for run in runs)
            kept = _kept(store, row.target) if tried else ()
            yield row if row.kept == kept else replace(row, kept=kept)


def _beside(
    store: Store,
    target: str,
    runs: Iterable[RunSummary],
    voice: Voice,
    doubted: tuple[str, ...],
) -> _Beside:
    tried = (
        run.id
        for run in runs
        if run.kind in (RunKind.LAB, RunKind.TRIAL) and run.state is not RunState.RUNNING
    )
    pins = valid_pins(store.pins(target), now())
    return _Beside(
        voice.curves_id, tuple(sorted(tried)), tuple(pin.setting for pin in pins), doubted
    )


def _kept(store: Store, target: str) -> tuple[str, ...]:
    from advisor.fleet.kept_changes import kept_changes  # noqa: PLC0415 - few servers have trials

    return kept_changes(store, target)


def _row(store: Store, voice: Voice, beside: _Beside) -> ServerRow | None:
    """As it was judged from the same, else judged now and kept; None of one that is damaged."""
    try:
        kept = store.judged(voice.run_id, beside.text)
        row = None if kept is None else read_row(kept)
        if row is None and beside.nothing:
            row = kept_row(store, voice.run_id)
        if row is None:
            from advisor.fleet.judged_row import judged_row  # noqa: PLC0415 - heavy, seldom needed

            row = judged_row(store, voice)
            # A file that can't be written has it judged each time.
            with suppress(StoreError):
                store.keep_judged(voice.run_id, beside.text, row.written())
    except DamagedError:
        return None
    return row if row.settings or row.server else None
