"""The lab's use case: servers beside each other, in turns, until the question is decided."""

from __future__ import annotations

import random
import time
from collections.abc import Generator, Iterator
from contextlib import ExitStack

from advisor.lab.lines import full_lines
from advisor.lab.record import Record
from advisor.run import RunKind
from advisor.runs.events import RunStarted, Stage, StageStarted
from advisor.runs.lab.events import LabEvent, LabFinished, LabPlanned
from advisor.runs.lab.fitting import fitted
from advisor.runs.lab.preparing import PreparedLab, prepare
from advisor.runs.lab.request import LabRequest
from advisor.runs.lab.working import DataRoom, KeptLab, Lab
from advisor.runs.link import linked
from advisor.runs.preparing import take_inventory
from advisor.runs.recording import recorded
from advisor.runs.session import NOTHING_MEASURED
from advisor.runs.waiting import drives_below, waited
from advisor.store.store import Store
from probes.cancel import CancelToken
from probes.inventory.facts import Role
from probes.lab.data import copied, filled
from probes.lab.place import LabPlace, lab_place
from probes.lab.variant import Layout
from probes.sandbox.place import SandboxPlace
from probes.targets.address import Prompts


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
            began_s = time.monotonic()
            rooms = yield from _made(prepared, place, token)
            if (like := prepared.asked.like) is not None:
                source = rooms[prepared.asked.base.name].source
                kept.fit((yield from fitted(prepared, like, place, source, token)))
            chance = random.Random(request.seed)  # noqa: S311 - an order of turns
            working = Lab(prepared, rooms, kept, chance, token)
            yield from working.run(began_s + prepared.asked.budget_s)
    yield LabFinished(run_id)


def _begun(prepared: PreparedLab) -> Record:
    asked = prepared.asked
    return Record(
        asked,
        servers={name: str(each.binary.version) for name, each in prepared.layouts.items()},
        lines={
            each.name: full_lines(asked, each, prepared.layouts[each.name].binary)
            for each in asked.variants
        },
    )


def _made(
    prepared: PreparedLab, place: LabPlace, token: CancelToken
) -> Generator[LabEvent, None, dict[str, DataRoom]]:
    """Fill the tables once for each layout and copy them for each entrant; returns their rooms."""
    asked, target = prepared.asked, prepared.target
    rooms: dict[str, DataRoom] = {}
    sources: dict[Layout, SandboxPlace] = {}
    for number, layout in enumerate(dict.fromkeys(prepared.layouts.values())):
        source = place.room(layout.directory, f"t{number}")
        place.make(source)
        yield StageStarted(Stage.PREPARE, f"Making the data ({layout.binary.version}).")
        yield from filled(target, source, layout, asked.load, token)
        sources[layout] = source
    yield StageStarted(Stage.PREPARE, "Copying the data for each variant.")
    for number, entrant in enumerate(asked.entrants):
        room = place.room(entrant.directory, f"v{number}")
        place.make(room)
        source = sources[prepared.layouts[entrant.name]]
        copied(target, source, room, token)
        rooms[entrant.name] = DataRoom(room, source)
    return rooms
