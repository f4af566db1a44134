"""One server under load: a watch of it as it is, and what it does with each change, in turns.

All configurations are live at once on copies of the same data, one works while the others are
frozen. What is found is kept beside this file, with the watch as a case: forecasts are made anew
from it each time.
"""

from __future__ import annotations

import json
import lzma
import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from advisor.lab.asked import POOL, REDO, Asked
from advisor.lab.lines import full_lines
from advisor.target_names import CASE_SUFFIX
from benchmarks.shared.loaded_server import build_of, leadline
from benchmarks.shared.process import BenchmarkError
from benchmarks.shared.report import ROOT
from benchmarks.wild.drawn import Drawn
from probes.cancel import CancelToken
from probes.lab.beside import DROPS, SideBySide, beside, warmed
from probes.lab.data import copied, filled, own_table
from probes.lab.loader import loader
from probes.lab.place import LabPlace, lab_place
from probes.lab.server import LabEntrant
from probes.lab.variant import ClientGroup, Layout, LoadKind, TableEngine, Variant
from probes.sandbox.binaries import ServerBinary, find_binary
from probes.sandbox.place import SandboxPlace
from probes.targets.local import LocalTarget
from probes.targets.target import Target

KEPT = ROOT / "benchmarks" / "wild" / "recorded"

BASE, TWIN = "as it is", "as it is, again"
TURN_S, SETTLE_S, ROUNDS = 2.0, 0.5, 6
WARM_LIMIT_S = 20.0
WATCH_S, WATCH_TAKES_S = 12, 35.0
"""How long a watch looks, and how long the load goes on for it: it starts and ends within that."""

BUSY, BUSY_TAKES_S = 64, 90.0
"""Beside so many connections the program starts slowly: its server must not be frozen by then."""

_THROTTLE = Path("/sys/fs/cgroup/blkio")
_GROUP = "leadline-bench-wild"


class Turn(NamedTuple):
    """What one configuration did in one turn; ``what`` is a change's number, or BASE.

    ``p95_us`` is of transactions, None where nobody timed them.
    """

    what: str
    connections: int
    round: int
    per_s: float
    p95_us: float | None
    transactions: int


def turns(of: Drawn) -> list[Turn]:
    """What was measured; none where it is not whole."""
    file = _file_of_turns(of)
    return [Turn(*each) for each in json.loads(file.read_text("utf-8"))] if file.is_file() else []


def put_case(of: Drawn, folder: Path) -> Path:
    """Write the watch as a case that programs read."""
    case = folder / f"{of.name}{CASE_SUFFIX}"
    case.write_bytes(lzma.decompress(_file_of_case(of).read_bytes()))
    return case


def keep(of: Drawn, case: Path, found: Sequence[Turn]) -> None:
    """Keep what was measured."""
    KEPT.mkdir(exist_ok=True)
    _file_of_case(of).write_bytes(lzma.compress(case.read_bytes(), preset=9))
    _file_of_turns(of).write_text(json.dumps(found), "utf-8")


def _file_of_case(of: Drawn) -> Path:
    return KEPT / f"{of.name}{CASE_SUFFIX}.xz"


def _file_of_turns(of: Drawn) -> Path:
    return KEPT / f"{of.name}.json"


class Data:
    """Filled data by server and kind of tables, made once and copied for each configuration."""

    def __init__(self, target: Target, place: LabPlace, directory: str) -> None:
        self._target, self._place, self._directory = target, place, directory
        self._made: dict[tuple[str, str], SandboxPlace] = {}

    def of(self, drawn: Drawn, binary: ServerBinary) -> SandboxPlace:
        """The room that holds it."""
        load = drawn.lab_load
        kind = load.kind if load.kind.fills_itself else LoadKind.MIX
        key = (drawn.server, kind.value)
        if key not in self._made:
            room = self._place.room(self._directory, f"t{len(self._made)}")
            with self._place.made(room):
                pass
            layout = Layout(binary, 0, TableEngine.INNODB, self._directory)
            filling = replace(load, kind=kind)
            for _ in filled(self._target, room, layout, filling, CancelToken()):
                pass
            self._made[key] = room
        return self._made[key]


@contextmanager
def data_of(directory: str) -> Iterator[tuple[Target, LabPlace, Data]]:
    """A place for all servers in a directory; gone afterwards."""
    with (
        closing(LocalTarget()) as target,
        lab_place(target, [directory], CancelToken()) as place,
    ):
        yield target, place, Data(target, place, directory)


def measure(of: Drawn, target: Target, place: LabPlace, data: Data, directory: str) -> list[str]:
    """Watch it and measure its changes; returns why configurations are missing."""
    program = build_of(of.server).program
    binary = find_binary(target, (*program.command, *program.options))
    assert binary is not None, of.server
    source = data.of(of, binary)
    levels = [of.connections, *(each.connections for each in of.changes if each.connections)]
    names = {
        BASE: {},
        # Equal servers differ from start to start: a second one halves what that makes of a truth.
        TWIN: {},
        **{str(at): dict(each.lines) for at, each in enumerate(of.changes) if each.lines},
    }
    token = CancelToken()
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(TemporaryDirectory()))
        entrants = []
        for at, (name, lines) in enumerate(names.items()):
            room = place.room(directory, f"v{at}")
            stack.callback(target.run, ["rm", "-rf", "--", room.directory])
            with place.made(room):
                copied(target, source, room, token)
            full = full_lines(_asked(of, tuple(levels)), Variant(name, lines), binary)
            entrants.append(LabEntrant(name, f"The server with {lines}", binary, room, full))
        rows = own_table(of.lab_load)
        clients = [ClientGroup(of.lab_load, of.connections, 1)]
        live = stack.enter_context(beside(target, entrants, clients, rows, token))
        stack.enter_context(_held(of, live, target))
        _warm(of, live)
        if BASE not in live.working:
            raise BenchmarkError(f"{of.name}: {live.dropped[BASE].sentence}")
        case = _watch(of, live, entrants[0].room.socket, scratch)
        # Connections that do nothing would be part of what was watched.
        base = live.working[BASE]
        pid = base.server.pid
        target.run(["kill", "-CONT", str(pid)])
        work = base.server.work(rows, token)
        loads = dict(base.loads)
        for level in levels[1:]:
            group = ClientGroup(of.lab_load, level, 1)
            loads[level] = stack.enter_context(loader(target, group, work, pid, token))
            loads[level].ready()
            loads[level].freeze()
        live.working[BASE] = replace(base, loads=loads)
        found = _turns(of, live)
        missing = [f"{name}: {error.sentence}" for name, error in live.dropped.items()]
        live.end(token)
        keep(of, case, found)
    return missing


def _asked(of: Drawn, levels: tuple[int, ...]) -> Asked:
    lines = {
        "innodb_doublewrite": "ON" if of.doublewrite else "OFF",
        "innodb_flush_log_at_trx_commit": "1" if of.synced else "2",
        "innodb_io_capacity": str(of.io_capacity),
        "performance_schema": "ON",
    }
    variants = (Variant(BASE, {POOL: str(of.pool_bytes), REDO: str(of.redo_bytes)}),)
    return Asked(
        variants,
        of.lab_load,
        levels,
        pool_bytes=of.pool_bytes,
        redo_bytes=of.redo_bytes,
        lines=lines,
    )


def _warm(of: Drawn, live: SideBySide) -> None:
    """Let each work until its pool is full."""
    for name in list(live.working):
        try:
            warmed(live.working[name], of.connections, WARM_LIMIT_S)
        except DROPS as error:
            live.drop(name, error)


def _turns(of: Drawn, live: SideBySide) -> list[Turn]:
    chance = random.Random(of.number)
    found: list[Turn] = []
    for number in range(ROUNDS):
        order = [(name, of.connections, name) for name in live.working]
        order += [
            (BASE, each.connections, str(at))
            for at, each in enumerate(of.changes)
            if each.connections
        ]
        for name, level, what in chance.sample(order, len(order)):
            if name not in live.working:
                continue
            try:
                turn = live.working[name].turn(level, SETTLE_S, TURN_S)
            except DROPS as error:
                live.drop(name, error)
                continue
            p95_us = turn.p95_us if turn.p95_us == turn.p95_us else None
            found.append(Turn(what, level, number, turn.per_s, p95_us, turn.transactions))
    return found


def _watch(of: Drawn, live: SideBySide, socket: str, home: Path) -> Path:
    """Have the program look at the server as it is, while it works; the case that it makes."""
    case = home / f"watch{CASE_SUFFIX}"
    with ThreadPoolExecutor(1) as beside_it:
        takes_s = BUSY_TAKES_S if of.connections >= BUSY else WATCH_TAKES_S
        load = beside_it.submit(live.working[BASE].turn, of.connections, 0.0, takes_s)
        where = ("local", "--mysql", f"socket={socket},user=root")
        try:
            leadline(home, "watch", *where, "--seconds", str(WATCH_S), "--json")
            leadline(home, "case", "export", "1", str(case))
        except SystemExit as end:
            raise BenchmarkError(f"{of.name}: {end}") from None
        assert not load.done(), "the watch took longer than its load"
        load.result()
    return case


@contextmanager
def _held(of: Drawn, live: SideBySide, target: Target) -> Iterator[None]:
    """Hold the servers to so many requests per second of their drive, each on its own."""
    if not of.requests_per_s:
        yield
        return
    device = _device_of(target)
    groups = [_THROTTLE / f"{_GROUP}-{at}" for at in range(len(live.working))]
    try:
        for group, working in zip(groups, live.working.values(), strict=True):
            group.mkdir(exist_ok=True)
            for side in ("read", "write"):
                limit = f"{device} {of.requests_per_s}"
                (group / f"blkio.throttle.{side}_iops_device").write_text(limit)
            (group / "cgroup.procs").write_text(str(working.server.pid))
        yield
    finally:
        for group in groups:
            _give_back(group)


def _give_back(group: Path) -> None:
    """Remove a control group; what still runs in it goes on without its limit."""
    if group.is_dir():
        for pid in (group / "cgroup.procs").read_text().split():
            (_THROTTLE / "cgroup.procs").write_text(pid)
        group.rmdir()


def _device_of(target: Target) -> str:
    """The whole disk below the directory for temporary files, as major:minor."""
    found = target.run(["sh", "-c", "lsblk -ndo MAJ:MIN $(df --output=source /var/tmp | tail -1)"])
    return found.stdout.decode().strip()
