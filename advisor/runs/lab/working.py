"""The turns of a lab: starts, rounds in random order, and when all of it ends."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from advisor.lab.design import WARM_LIMIT_S
from advisor.lab.record import LabEnd, LabTurn, Record
from advisor.runs.events import Progressed, Stage, StageStarted
from advisor.runs.lab.ending import LabEnding
from advisor.runs.lab.events import LabDropped, LabEvent, StartBegun, TurnDone
from advisor.runs.lab.fitting import worn_in
from advisor.runs.lab.preparing import PreparedLab
from advisor.store.store import Store
from advisor.wording.measured.lab_plan import alone
from probes.cancel import CancelToken
from probes.errors import NothingMeasured, SandboxFailed
from probes.lab.beside import DROPS, SideBySide, beside, warmed
from probes.lab.data import NO_DATA, copied, remove_data
from probes.lab.server import LabEntrant, LabTable
from probes.lab.variant import ClientGroup, LabLoad, Variant
from probes.sandbox.place import SandboxPlace


@dataclass(frozen=True, slots=True)
class DataRoom:
    """A data directory of an entrant's, and the one that it is a copy of."""

    place: SandboxPlace
    source: SandboxPlace


@dataclass(frozen=True, slots=True)
class LabData:
    """What all work on: each entrant's room, and the table in it."""

    rooms: Mapping[str, DataRoom]
    rows: LabTable


class KeptLab:
    """What is known of a lab by now; all of it is in the store, too."""

    def __init__(self, store: Store, run_id: int, record: Record) -> None:
        self._store = store
        self._run_id = run_id
        self.record = record
        store.set_lab_known(run_id, record)

    def add(self, turn: LabTurn) -> None:
        """Keep a turn."""
        self._store.add_lab_turn(self._run_id, turn)
        self.record = replace(self.record, turns=(*self.record.turns, turn))

    def leave_out(self, variants: Iterable[str], because: str) -> Iterator[LabDropped]:
        """Remember why variants are left out.

        Raises SandboxFailed where nothing is left that could be held against each other, and
        NothingMeasured where nothing ever was.
        """
        for name in variants:
            known = {**self.record.dropped, name: because}
            self._know(replace(self.record, dropped=known))
            yield LabDropped(name, because)
        if (sentence := alone(self.record)) is not None:
            fault = SandboxFailed if self.record.turns else NothingMeasured
            raise fault(sentence, "Ask without it, or for what its server takes.")

    def fill(self, variant: str, share: float) -> None:
        """Remember that its pool was still filling when counting began, and how full it was."""
        least = min(share, self.record.filling.get(variant, 1.0))
        self._know(replace(self.record, filling={**self.record.filling, variant: least}))

    def end(self, reason: LabEnd) -> None:
        """Remember why the lab has come to its end."""
        self._know(replace(self.record, ended=reason))

    def fit(self, load: LabLoad) -> None:
        """Remember the load that is like the watched one."""
        self._know(replace(self.record, fitted=load))

    def _know(self, record: Record) -> None:
        self.record = record
        self._store.set_lab_known(self._run_id, record)


class Lab:
    """One lab at work; every turn is kept as soon as it is done."""

    def __init__(
        self,
        prepared: PreparedLab,
        data: LabData,
        kept: KeptLab,
        chance: random.Random,
        token: CancelToken,
    ) -> None:
        self._prepared = prepared
        self._asked = prepared.asked
        self._rooms = dict(data.rooms)
        self._rows = data.rows
        self._kept = kept
        self._chance = chance
        self._token = token
        self._start = self._round = 0

    def run(self, ends_s: float) -> Iterator[LabEvent]:
        """Work until the question is decided or the time is up; raises LeadlineError."""
        began_s = time.monotonic()
        ending = LabEnding(self._prepared.design, began_s, ends_s)
        while not ending.over(self._record, time.monotonic(), starting=True):
            yield StartBegun(self._start)
            yield from self._one_start(ending)
            self._start += 1
            yield Progressed(*ending.progress(time.monotonic()))
        self._kept.end(ending.reason)

    def _one_start(self, ending: LabEnding) -> Iterator[LabEvent]:
        """Start all that still live, warm them, and give them some rounds of turns."""
        living = [name for name in self._rooms if name not in self._record.dropped]
        names = ending.entrants(living)
        if self._prepared.design.beside:
            yield from self._together(names, ending)
            return
        # Memory has room for one at a time: each has all of its turns before the next one starts.
        rounds = ending.rounds(time.monotonic())
        began_all_s, took_s = time.monotonic(), 0.0
        for name in self._chance.sample(names, len(names)):
            with self._living([name]) as live:
                yield from self._warmed(live)
                for number in range(rounds):
                    began_s = time.monotonic()
                    yield from self._round_of(live, self._round + number, ending)
                    took_s += time.monotonic() - began_s
                live.end(self._token)
            yield from self._renewed(live)
        self._round += rounds
        ending.took(took_s / rounds)
        ending.started(time.monotonic() - began_all_s - took_s)

    def _together(self, names: Sequence[str], ending: LabEnding) -> Iterator[LabEvent]:
        began_all_s, worked_s = time.monotonic(), 0.0
        with self._living(names) as live:
            yield from self._warmed(live)
            for _ in range(ending.rounds_of_a_start):
                began_s = time.monotonic()
                yield from self._round_of(live, self._round, ending)
                took_s = time.monotonic() - began_s
                worked_s += took_s
                ending.took(took_s)
                self._round += 1
                if ending.over(self._record, time.monotonic(), starting=False):
                    break
            live.end(self._token)
        yield from self._renewed(live)
        ending.started(time.monotonic() - began_all_s - worked_s)

    def _living(self, names: Sequence[str]) -> AbstractContextManager[SideBySide]:
        """These servers started, with the clients of this start."""
        self._move_about(names)
        return beside(
            self._prepared.target,
            [self._entrant(name) for name in names],
            [
                ClientGroup(self._record.load, level, self._start + 1)
                for level in self._asked.levels
            ],
            self._rows,
            self._token,
        )

    def _round_of(self, live: SideBySide, number: int, ending: LabEnding) -> Iterator[LabEvent]:
        """One turn of each with each number of connections, in random order."""
        order = [(name, level) for name in live.working for level in self._asked.levels]
        for name, level in self._chance.sample(order, len(order)):
            working = live.working.get(name)
            if working is None:
                continue
            try:
                turn = working.turn(level, self._asked.settle_s, self._asked.turn_s)
            except DROPS as error:
                live.drop(name, error)
                yield from self._dropped(live)
                continue
            kept = LabTurn(name, level, self._start, number, turn, chosen=ending.choosing())
            self._kept.add(kept)
            yield TurnDone(kept)

    def _warmed(self, live: SideBySide) -> Iterator[LabEvent]:
        """Let each work until its pool is filled; what is seen then is not counted."""
        yield from self._dropped(live)
        yield StageStarted(Stage.PREPARE, "Warming the pools.")
        level = max(self._asked.levels)
        for name in self._chance.sample(list(live.working), len(live.working)):
            try:
                filling = warmed(live.working[name], level, WARM_LIMIT_S)
                if self._asked.like is not None:
                    worn_in(live.working[name], level, self._asked.like)
            except DROPS as error:
                live.drop(name, error)
                yield from self._dropped(live)
                continue
            if filling is not None:
                self._kept.fill(name, filling)

    def _dropped(self, live: SideBySide) -> Iterator[LabEvent]:
        for name, error in live.dropped.items():
            if name not in self._record.dropped:
                yield from self._kept.leave_out([name], error.sentence)

    @property
    def _record(self) -> Record:
        return self._kept.record

    def _move_about(self, names: Sequence[str]) -> None:
        """Let entrants change their data directories: where a copy lies is no effect of lines."""
        by_layout: dict[object, list[str]] = {}
        for name in names:
            by_layout.setdefault(self._prepared.layouts[name], []).append(name)
        for alike in by_layout.values():
            rooms = [self._rooms[name] for name in alike]
            self._chance.shuffle(rooms)
            self._rooms.update(zip(alike, rooms, strict=True))

    def _renewed(self, live: SideBySide) -> Iterator[LabEvent]:
        """What did not end in good order gets a fresh copy: other lines may start on it next."""
        for name in [name for name in live.dropped if name not in self._record.dropped]:
            room = self._rooms[name]
            remove_data(self._prepared.target, room.place)
            try:
                copied(self._prepared.target, room.source, room.place, self._token)
            except NO_DATA as error:
                yield from self._kept.leave_out([name], error.sentence)

    def _entrant(self, name: str) -> LabEntrant:
        binary = self._prepared.layouts[name].binary
        variant = self._variant(name)
        lines = self._prepared.lines_of(variant)
        what = f"The server with {variant.name}"
        return LabEntrant(name, what, binary, self._rooms[name].place, lines)

    def _variant(self, name: str) -> Variant:
        return next(each for each in self._asked.entrants if each.name == name)
