"""The lab's use case: servers beside each other, in turns, until the question is decided."""

from __future__ import annotations

import random
import time
from collections.abc import Generator, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace

from advisor.lab.effects.contrasts import LEAST_ROUNDS
from advisor.lab.record import Record
from advisor.run import RunKind
from advisor.runs.events import RunStarted, Stage, StageStarted
from advisor.runs.lab.events import LabEvent, LabFinished, LabPlanned
from advisor.runs.lab.fitting import fitted
from advisor.runs.lab.preparing import PreparedLab, prepare
from advisor.runs.lab.request import LabRequest
from advisor.runs.lab.working import DataRoom, KeptLab, Lab, LabData
from advisor.runs.link import Link, linked
from advisor.runs.preparing import take_inventory
from advisor.runs.recording import recorded
from advisor.runs.session import NOTHING_MEASURED
from advisor.runs.waiting import drives_below, waited
from advisor.store.store import Store
from probes.cancel import CancelToken, closable
from probes.engines.canary import Canary, watched
from probes.events import BUDGET_SPENT, Preparing, Warned
from probes.figures import seconds
from probes.inventory.facts import Role
from probes.lab.cloning import cloned
from probes.lab.data import NO_DATA, copied, filled, own_table
from probes.lab.given import GivenData, opened, recovered
from probes.lab.place import LabPlace, lab_place
from probes.lab.server import LabTable
from probes.lab.variant import Layout
from probes.mysql.existing_table import existing_table
from probes.plans.plan import Guard
from probes.sandbox.place import SandboxPlace
from probes.targets.address import Prompts
from probes.targets.target import Target


def preview(request: LabRequest, prompts: Prompts, token: CancelToken) -> Iterator[LabEvent]:
    """Connect and say what the lab would take; ends with ``LabPlanned``. Raises LeadlineError."""
    yield StageStarted(Stage.CONNECT, f"Connecting to {request.target.name}.")
    with linked(request.target, prompts, token) as link:
        prepared = prepare(link, request)
        yield LabPlanned(prepared.design, prepared.lines)


def lab(
    store: Store, request: LabRequest, prompts: Prompts, token: CancelToken
) -> Iterator[LabEvent]:
    """Carry out a lab; ends with ``LabFinished``.

    Every turn is in the store as soon as it is done, whatever ends the lab; what it put on the
    target is gone. Raises LeadlineError; ``Cancelled`` when ``token`` was raised.
    """
    store.require_writable()
    yield StageStarted(Stage.CONNECT, f"Connecting to {request.target.name}.")
    with ExitStack() as held:
        link = held.enter_context(linked(request.target, prompts, token))
        prepared = prepare(link, request)
        yield LabPlanned(prepared.design, prepared.lines)
        places = [{Role.PROBE: directory} for directory in prepared.directories]
        drives = drives_below(prepared.target, places)
        turn = held.enter_context(store.drive_turn(drives))
        yield from waited(turn, request.target.name, token, anyway=request.start_anyway)
        raw = yield from take_inventory(link, prepared.directories[0], 0.0, token)
        run_id = store.start_run(request.target, raw, NOTHING_MEASURED, kind=RunKind.LAB)
        store.add_lab(run_id, prepared.asked)
        yield RunStarted(run_id)
        with recorded(store, run_id) as recorder:
            for note in link.notes:
                recorder.keep(note)
            kept = KeptLab(store, run_id, _begun(prepared))
            place = held.enter_context(lab_place(prepared.target, prepared.directories, token))
            guard = held.enter_context(_guard_of(link, prepared.target, token))
            measured = _measured(prepared, place, kept, request.seed, token)
            # Whatever ends this, its servers end before their folders.
            for event in held.enter_context(closing(closable(measured))):
                yield recorder.keep(event) if isinstance(event, Warned) else event
                if guard is not None:
                    guard.beat()
                    for beat in guard.beats():
                        yield recorder.keep(beat)
    yield LabFinished(run_id)


@contextmanager
def _guard_of(link: Link, target: Target, token: CancelToken) -> Iterator[Canary | None]:
    """What watches over a live server of the machine; None where there is none to be read."""
    existing = None if link.mysql is None else existing_table(link.mysql)
    plan = replace(NOTHING_MEASURED, guard=Guard())
    with watched(target, plan, existing, token) as guard:
        yield guard


def _measured(
    prepared: PreparedLab, place: LabPlace, kept: KeptLab, seed: int, token: CancelToken
) -> Iterator[LabEvent]:
    """The data, then the turns."""
    began_s = time.monotonic()
    data = yield from _made(prepared, place, kept, token)
    yield from _late(prepared.asked.budget_s, time.monotonic() - began_s)
    base = data.rooms.get(prepared.asked.base.name)
    if prepared.asked.like is not None and base is not None:
        kept.fit((yield from fitted(prepared, prepared.asked.like, place, base.source, token)))
    chance = random.Random(seed)  # noqa: S311 - an order of turns
    working = Lab(prepared, data, kept, chance, token)
    yield from working.run(began_s + prepared.asked.budget_s)


def _begun(prepared: PreparedLab) -> Record:
    asked = prepared.asked
    return Record(
        asked,
        servers={name: str(each.binary.version) for name, each in prepared.layouts.items()},
        lines={each.name: prepared.lines_of(each) for each in asked.variants},
        forecasts=prepared.forecasts,
    )


def _made(
    prepared: PreparedLab, place: LabPlace, kept: KeptLab, token: CancelToken
) -> Generator[LabEvent, None, LabData]:
    """Make the data once for each layout and copy them for each entrant.

    A variant whose data can't be made is left out.
    """
    asked, target = prepared.asked, prepared.target
    rooms: dict[str, DataRoom] = {}
    sources: dict[Layout, SandboxPlace] = {}
    rows = own_table(asked.load)
    for number, layout in enumerate(dict.fromkeys(prepared.layouts.values())):
        alike = [name for name, each in prepared.layouts.items() if each == layout]
        try:
            source = place.room(layout.directory, f"t{number}")
            with place.made(source):
                if prepared.given is None:
                    yield StageStarted(Stage.PREPARE, f"Making the data ({layout.binary.version}).")
                    yield from filled(target, source, layout, asked.load, token)
                else:
                    rows = yield from _taken(prepared, prepared.given, source, layout, token)
            sources[layout] = source
        except NO_DATA as error:
            yield from kept.leave_out(alike, error.sentence)
    yield StageStarted(Stage.PREPARE, "Copying the data for each variant.")
    for number, entrant in enumerate(asked.entrants):
        source_of = sources.get(prepared.layouts[entrant.name])
        if source_of is None:
            continue
        try:
            room = place.room(entrant.directory, f"v{number}")
            with place.made(room):
                copied(target, source_of, room, token)
            rooms[entrant.name] = DataRoom(room, source_of)
        except NO_DATA as error:
            yield from kept.leave_out([entrant.name], error.sentence)
    return LabData(rooms, rows)


def _taken(
    prepared: PreparedLab,
    given: GivenData,
    source: SandboxPlace,
    layout: Layout,
    token: CancelToken,
) -> Generator[LabEvent, None, LabTable]:
    """A clone or a copy of given data, closed in good order; returns the table to work on."""
    asked, target, size_bytes = prepared.asked, prepared.target, given.size_bytes
    take = recovered
    if prepared.donor is None:
        yield StageStarted(Stage.PREPARE, f"Copying and recovering {given.directory}.")
    else:
        yield StageStarted(Stage.PREPARE, "Cloning the running server.")
        take = opened
        for share in cloned(target, prepared.donor, source, layout, token):
            yield Preparing("clone", int(share * size_bytes), size_bytes)
    rows = take(
        target,
        given,
        source,
        layout.binary,
        lines=asked.lines,
        kind=asked.load.kind,
        token=token,
    )
    table = rows.table
    written = f"; updates write its column {table.value_column}" if asked.load.kind.writes else ""
    yield StageStarted(
        Stage.PREPARE,
        f"The clients work on {rows.database}.{table.name}, keys {table.min_key} to "
        f"{table.max_key}{written}.",
    )
    return rows


def _late(budget_s: float, took_s: float) -> Iterator[Warned]:
    """What to know of a lab whose data took all of its time."""
    if took_s >= budget_s:
        yield Warned(
            BUDGET_SPENT,
            f"Making the data took {seconds(round(took_s))}, more than the budget of "
            f"{seconds(budget_s)}: it ends after one start of {LEAST_ROUNDS} rounds.",
        )
