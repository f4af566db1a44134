"""The turns of a lab: starts, rounds in random order, and when all of it ends."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from advisor.lab.design import ROUNDS_OF_A_START, WARM_LIMIT_S
from advisor.lab.lines import full_lines
from advisor.lab.record import LabTurn, Record
from advisor.runs.events import Progressed, Stage, StageStarted
from advisor.runs.lab.ending import LabEnding
from advisor.runs.lab.events import LabDropped, LabEvent, StartBegun, TurnDone
from advisor.runs.lab.fitting import worn_in
from advisor.runs.lab.preparing import PreparedLab
from advisor.store.store import Store
from probes.cancel import CancelToken
from probes.errors import NothingMeasured
from probes.lab.beside import DROPS, SideBySide, beside, warmed
from probes.lab.data import copied
from probes.lab.server import LabEntrant
from probes.lab.variant import ClientGroup, LabLoad, Variant
from probes.sandbox.place import SandboxPlace


@dataclass(frozen=True, slots=True)
class DataRoom:
    """A data directory of an entrant's, and the one that it is a copy of."""

    place: SandboxPlace
    source: SandboxPlace


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

    def drop(self, variant: str, because: str) -> None:
        """Remember why a variant is left out."""
        self._know(replace(self.record, dropped={**self.record.dropped, variant: because}))

    def fill(self, variant: str, share: float) -> None:
        """Remember that its pool was still filling when counting began, and how full it was."""
        least = min(share, self.record.filling.get(variant, 1.0))
        self._know(replace(self.record, filling={**self.record.filling, variant: least}))

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
        rooms: Mapping[str, DataRoom],
        kept: KeptLab,
        chance: random.Random,
        token: CancelToken,
    ) -> None:
        self._prepared = prepared
        self._asked = prepared.asked
        self._rooms = dict(rooms)
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
            if not self._record.turns:
                raise NothingMeasured(
                    "None of the lab's servers worked.", "; ".join(self._record.dropped.values())
                )
            yield Progressed(*ending.progress(time.monotonic()))

    def _one_start(self, ending: LabEnding) -> Iterator[LabEvent]:
        """Start all that still live, warm them, and give them some rounds of turns."""
        living = [each for each in self._names() if each not in self._record.dropped]
        names = ending.entrants(living)
        if self._prepared.design.beside:
            yield from self._together(names, ending)
            return
        # Memory has room for one at a time: a round is one start of each.
        for name in self._chance.sample(names, len(names)):
            yield from self._together([name], ending)
        self._round += ROUNDS_OF_A_START

    def _together(self, names: Sequence[str], ending: LabEnding) -> Iterator[LabEvent]:
        self._move_about(names)
        entrants = [self._entrant(name) for name in names]
        with beside(
            self._prepared.target,
            entrants,
            [
                ClientGroup(self._record.load, level, self._start + 1)
                for level in self._asked.levels
            ],
            self._token,
        ) as live:
            yield from self._dropped(live)
            yield from self._warm(live)
            together = self._prepared.design.beside
            for number in range(ROUNDS_OF_A_START):
                yield from self._round_of(live, self._round + (0 if together else number), ending)
                if together:
                    self._round += 1
                    if ending.over(self._record, time.monotonic(), starting=False):
                        break
            live.end(self._token)
        self._renew(live)

    def _round_of(self, live: SideBySide, number: int, ending: LabEnding) -> Iterator[LabEvent]:
        """One turn of each with each number of connections, in random order."""
        began_s = time.monotonic()
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
        ending.took(time.monotonic() - began_s)

    def _warm(self, live: SideBySide) -> Iterator[LabEvent]:
        """Let each work until its pool is filled; what is seen then is not counted."""
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
                self._kept.drop(name, error.sentence)
                yield LabDropped(name, error.sentence)

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

    def _renew(self, live: SideBySide) -> None:
        """What did not end in good order gets a fresh copy: other lines may start on it next."""
        for name in live.dropped:
            room = self._rooms[name]
            self._prepared.target.run(["rm", "-rf", "--", room.place.data])
            copied(self._prepared.target, room.source, room.place, self._token)

    def _names(self) -> list[str]:
        return [each.name for each in self._asked.entrants]

    def _entrant(self, name: str) -> LabEntrant:
        binary = self._prepared.layouts[name].binary
        variant = self._variant(name)
        lines = full_lines(self._asked, variant, binary)
        what = f"The server with {variant.name}"
        return LabEntrant(name, what, binary, self._rooms[name].place, lines)

    def _variant(self, name: str) -> Variant:
        return next(each for each in self._asked.entrants if each.name == name)
