"""How much of its processors a server's machine uses, and how many queries wait for one."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.case import Case
from advisor.facts.machine.host import cpu_threads
from advisor.facts.machine.server_process import cpu_limit
from advisor.facts.readings import Reading
from advisor.facts.watched.watch import WATCH_RUN_DELAY, WATCH_SERVER_CPU, users_watch
from advisor.gain import STANDS_OUT
from advisor.model.network.fitting import BUSY
from advisor.rulekit import Facts
from advisor.workload.withheld import Withheld, withheld_of
from probes.figures import counted
from probes.watch.watched import Watched, WatchedMachine

HARDLY = 0.05
"""Threads that wait for a processor make no queue where they are less than this part of those that
have one, hardly a queue where they are more and none of them limits (our choice)."""

NEARLY_ALL = 0.9
"""With fewer of them busy, and no queue, processors are used a lot and still have room (our
choice)."""

QUEUE = (WATCH_SERVER_CPU, WATCH_RUN_DELAY)


@dataclass(frozen=True, slots=True)
class ProcessorsUse:
    """Processors: those that the ``server`` keeps busy, and all that are ``busy`` on its machine.

    ``of`` is how many there are, ``granted`` how many its control group grants, both None where
    nobody knows; ``waiting`` how many of its threads wait for one, None where nobody counted.
    ``withheld`` is what the host took of them, None where that is little or was not counted.
    """

    server: float
    busy: float
    waiting: float | None = None
    of: float | None = None
    granted: float | None = None
    withheld: Withheld | None = None

    @property
    def full(self) -> bool:
        """Whether enough are busy that queries wait for each other's: of all, or of its share."""
        return self.share is not None and self.share >= BUSY

    @property
    def share(self) -> float | None:
        """The share that is busy: of all, or of its share, whichever is used more."""
        ends = ((self.busy, self.of), (self.server, self.granted))
        return max((used / most for used, most in ends if most), default=None)

    @property
    def room(self) -> bool:
        """Whether a good part is free and hardly a thread waits: more of them find one."""
        idle = self.waiting is not None and not _queue(self.waiting, self.server)
        return idle and self.share is not None and self.share < NEARLY_ALL

    def short_for(self, running: float) -> bool:
        """Whether they limit ``running`` queries: they are full, or many threads wait for one.

        Threads of a busy server that want the same one at once wait now and then.
        """
        delayed = STANDS_OUT * max(running, self.server)
        return self.full or (self.waiting is not None and self.waiting >= delayed)

    @property
    def text(self) -> str:
        """How many are busy, and how many threads wait: "7.2 of 32 processors are busy"."""
        if self.withheld is not None:
            return self.withheld.text
        if self.granted is not None:
            busy = f"{self.server:.1f} of the {self.granted:.1f} processors that it is granted are"
        elif self.of is not None:
            busy = f"{self.busy:.1f} of {counted(round(self.of), 'processor is', 'processors are')}"
        else:
            busy = f"the server keeps {self.server:.1f} processors"
        return f"{busy} busy"

    @property
    def queue_text(self) -> str:
        """How many threads wait for a processor, after a comma; "" where nobody counted them."""
        if self.waiting is None:
            return ""
        if not _queue(self.waiting, self.server):
            none = self.waiting < HARDLY * max(1.0, self.server)
            return ", no queue" if none else ", hardly a queue"
        return f", {self.waiting:.1f} threads wait for one"


def _queue(waiting: float, server: float) -> bool:
    """Whether more threads are ``waiting`` for a processor than want one at once by chance."""
    return waiting >= STANDS_OUT * max(1.0, server)


def queue_for_processors(facts: Facts) -> bool | None:
    """Whether the server's threads queue for processors; None where nobody counted them.

    The rule declares ``QUEUE``.
    """
    server, waiting = facts.find(WATCH_SERVER_CPU), facts.find(WATCH_RUN_DELAY)
    return None if server is None or waiting is None else _queue(waiting.value, server.value)


def processors_use(case: Case) -> ProcessorsUse | None:
    """Read what a watch saw; None where nobody watched the server's processors."""
    watched = users_watch(case)
    machine = watched.machine if isinstance(watched, Watched) else None
    if machine is None or machine.server_cpu is None:
        return None
    threads, delay = cpu_threads(case), machine.server_run_delay
    known = threads.value if isinstance(threads, Reading) else None
    of = known if isinstance(known, float) and known else None
    server = machine.server_cpu.value
    return ProcessorsUse(
        server,
        _busy(machine, server, of),
        None if delay is None else delay.value,
        of,
        cpu_limit(case),
        _withheld(machine, of),
    )


def _withheld(machine: WatchedMachine, of: float | None) -> Withheld | None:
    """What the host took, where it is much."""
    if machine.cpu_steal is None or machine.cpu_busy is None or of is None:
        return None
    found = withheld_of(machine.cpu_steal.value, machine.cpu_busy.value, of)
    return found if found.much else None


def _busy(machine: WatchedMachine, server: float, of: float | None) -> float:
    """All that are busy, with those that the host took: no fewer than the server's."""
    others = 0.0 if machine.others is None else machine.others.programs + machine.others.kernel
    if machine.cpu_busy is None or of is None:
        return server + others
    return max(server, machine.cpu_busy.value * of)
