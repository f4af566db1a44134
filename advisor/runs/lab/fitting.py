"""The load of ``--like``, fitted on a throwaway server before the lab's turns count."""

from __future__ import annotations

from collections.abc import Generator

from advisor.lab.design import FIT_STEPS, WARM_LIMIT_S
from advisor.lab.like import (
    LIKE_WARM_S,
    MOST_WARM_TURNS,
    FitStep,
    best_of,
    reached,
    refined,
    writes_by_now,
)
from advisor.lab.lines import pool_bytes
from advisor.lab.watched import WatchedLoad, worked
from advisor.runs.events import Stage, StageStarted
from advisor.runs.lab.events import LabEvent
from advisor.runs.lab.preparing import PreparedLab
from probes.cancel import CancelToken
from probes.lab.beside import Working, warmed
from probes.lab.data import copied, own_table, remove_data
from probes.lab.loader import loader
from probes.lab.place import LabPlace
from probes.lab.server import LabEntrant, LabServer, started
from probes.lab.variant import ClientGroup, LabLoad
from probes.sandbox.place import SandboxPlace

SETTLE_S, COUNTED_S = 2.0, 6.0
"""Of each step: until the pool holds what the new keys ask for, and what is looked at: pages are
written in bursts."""


def fitted(
    prepared: PreparedLab,
    watched: WatchedLoad,
    place: LabPlace,
    source: SandboxPlace,
    token: CancelToken,
) -> Generator[LabEvent, None, LabLoad]:
    """Let a server with the base's lines work on a copy of the data, and return the nearest load.

    Raises SandboxFailed, AgentFailed, MySQLError, TargetError and Cancelled.
    """
    asked, target = prepared.asked, prepared.target
    yield StageStarted(Stage.PREPARE, f"Fitting the load to that of {watched.source}.")
    layout = prepared.layouts[asked.base.name]
    room = place.room(layout.directory, "f0")
    lines = prepared.lines_of(asked.base)
    entrant = LabEntrant("", "The server that the load is fitted on", layout.binary, room, lines)
    tried: list[FitStep] = []
    with place.made(room):
        copied(target, source, room, token)
        with started(target, entrant, token) as server:
            server.answers(token)
            server.fill_pool(own_table(asked.load), token)
            load = asked.load
            while len(tried) < FIT_STEPS:
                first = None if tried else watched
                tried.append(_tried(prepared, server, load, token, first=first))
                if reached(watched, tried[-1]):
                    break
                load = refined(watched, tried, pool_bytes(asked, asked.base))
        remove_data(target, room)
    return best_of(watched, tried).load


def worn_in(working: Working, level: int, watched: WatchedLoad) -> None:
    """Let a server work until it writes pages as the watched one does, or for half a minute."""
    for _ in range(MOST_WARM_TURNS):
        if writes_by_now(watched, working.turn(level, 0.0, LIKE_WARM_S)):
            return


def _tried(
    prepared: PreparedLab,
    server: LabServer,
    load: LabLoad,
    token: CancelToken,
    *,
    first: WatchedLoad | None,
) -> FitStep:
    """Let the server work with a load; ``first`` is the watched one, before the first try alone."""
    level = max(prepared.asked.levels)
    clients = ClientGroup(load, level)
    work = server.work(own_table(load), token)
    with loader(prepared.target, clients, work, server.pid, token) as running:
        running.ready()
        if first is not None:
            alone = Working(server, {level: running})
            warmed(alone, level, WARM_LIMIT_S)
            worn_in(alone, level, first)
        turn = running.turn(SETTLE_S, COUNTED_S, freeze=False)
        running.end()
    return FitStep(load, worked([turn]), turn.mean_us)
