"""Servers of the lab beside each other: one works while all others are frozen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from probes.cancel import CancelToken
from probes.errors import AgentFailed, MySQLError, SandboxFailed
from probes.lab.loader import PAGES_ALL, PAGES_FREE, Loader, loader
from probes.lab.server import LabEntrant, LabServer, LabTable, started
from probes.lab.turn import LoadTurn
from probes.lab.variant import ClientGroup
from probes.targets.target import Target

DROPS = (AgentFailed, MySQLError, SandboxFailed)
"""What ends one variant, and not the lab: its server's or its load's own fault."""

WARM_TURN_S = 2.0
FULL = 0.9
"""A server keeps some pages free, so that no pool is ever quite full (our choice)."""

STILL_FILLING = 0.02
"""A pool that fills by a larger share within a turn is not filled yet (our choice)."""


@dataclass(frozen=True, slots=True)
class Working:
    """A variant's server, and its load program for each number of connections."""

    server: LabServer
    loads: Mapping[int, Loader]

    def turn(self, connections: int, settle_s: float, counted_s: float) -> LoadTurn:
        """Let it work for this long with these clients; it is frozen before and afterwards.

        Raises one of ``DROPS``: a server that has ended says why in its log.
        """
        try:
            return self.loads[connections].turn(settle_s, counted_s)
        except (AgentFailed, MySQLError):
            self.server.check()
            raise


class SideBySide:
    """The servers of one start. ``working`` are those that live, ``dropped`` says why others not.

    A variant that is dropped is ended at once, and gone from ``working``.
    """

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._own: dict[str, ExitStack] = {}
        self.working: dict[str, Working] = {}
        self.dropped: dict[str, SandboxFailed | AgentFailed | MySQLError] = {}

    def own(self, name: str) -> ExitStack:
        """What ends with this variant."""
        return self._own.setdefault(name, self._stack.enter_context(ExitStack()))

    def drop(self, name: str, error: SandboxFailed | AgentFailed | MySQLError) -> None:
        """Go on without a variant."""
        self.dropped[name] = error
        self.working.pop(name, None)
        self.own(name).close()

    def end(self, token: CancelToken) -> None:
        """End all servers in good order, side by side. Raises TargetError and Cancelled."""
        for name in list(self.working):
            with _dropping(self, name):
                for load in self.working[name].loads.values():
                    load.end()
                self.working[name].server.ask_to_end()
        for name in list(self.working):
            with _dropping(self, name):
                self.working[name].server.end(token)


@contextmanager
def beside(
    target: Target,
    entrants: Sequence[LabEntrant],
    clients: Sequence[ClientGroup],
    rows: LabTable,
    token: CancelToken,
) -> Iterator[SideBySide]:
    """Start all, each frozen once its clients are connected; all are ended at the end.

    ``clients`` differ in their number alone, and work on ``rows``. Raises TargetError and
    Cancelled; what ends one of them alone is in ``dropped``.
    """
    with ExitStack() as stack:
        all_of_them = SideBySide(stack)
        servers: dict[str, LabServer] = {}
        for each in entrants:
            with _dropping(all_of_them, each.name):
                starting = started(target, each, token)
                servers[each.name] = all_of_them.own(each.name).enter_context(starting)
        for name, server in servers.items():
            with _dropping(all_of_them, name):
                server.answers(token)
                if not clients[0].load.kind.fills_itself:
                    server.fill_pool(rows, token)
                work = server.work(rows, token)
                own = all_of_them.own(name)
                loads = {
                    each.connections: own.enter_context(
                        loader(target, each, work, server.pid, token)
                    )
                    for each in clients
                }
                for each_load in loads.values():
                    each_load.ready()
                loads[clients[0].connections].freeze()
                all_of_them.working[name] = Working(server, loads)
        yield all_of_them


def warmed(working: Working, connections: int, limit_s: float) -> float | None:
    """Let a variant work until its pool does not fill any more, or for so long.

    Returns how full it is (0..1) where it still fills then; None where it does not, or where the
    server does not count its pages.
    """
    before = 0.0
    for _ in range(int(limit_s / WARM_TURN_S)):
        seen = working.turn(connections, 0.0, WARM_TURN_S)
        free, pages = seen.gauges.get(PAGES_FREE), seen.gauges.get(PAGES_ALL)
        share = 1 - free / pages if free is not None and pages else before
        if share - before < STILL_FILLING or share >= FULL:
            return None
        before = share
    return before


@contextmanager
def _dropping(servers: SideBySide, name: str) -> Iterator[None]:
    try:
        yield
    except DROPS as error:
        servers.drop(name, error)
