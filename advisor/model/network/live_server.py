"""A server at work as a closed network: what each of its queries needs, from a look at it alone.

Its connections go round clients, processors, drive and log. What none of these explains of the time
of a query (row locks, latches) is a delay of its own, chosen so that the network does just what was
measured today. Other settings are forecast with the same delay. Each draw of the figures is fitted
to today's throughput again, so that only what a change touches widens its band.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from advisor.model.curves.latency_shape import LatencyShape, MeasuredTimes
from advisor.model.curves.measured_rates import Rates
from advisor.model.curves.one_point import GroupCommit, NearPoint
from advisor.model.network.even_draws import EvenDraws
from advisor.model.network.fitting import SATURATED, fitted, held_back, together
from advisor.model.network.many_networks import Scaled
from advisor.model.network.stations import (
    ALL_WHOLE,
    CROWDED,
    SIBLING,
    SIBLINGS,
    Place,
    SharedCores,
)
from advisor.model.network.work import LEAST_US, QueryWork
from probes.statistics.ranges import Range

MOST_PAGE_CPU = 0.8
"""Of a query's processor time reads take at most this part, whatever a read is taken to cost; and
page writes at most this part of what reads leave."""

TOGETHER, TOGETHERS = 0.5, (0.0, 1.0)
"""What nothing explains of a query's time is a wait for others, in part: with more queries in it
the rate follows this power of how many there are, from as if one held up all to as if none waited
for another (our choice)."""

BELOW, BELOWS = 0.2, (0.0, 0.6)
"""The same with fewer queries in it (our choice)."""

CROWD, CROWDS = (0.1, 0.02), ((0.0, 0.3), (0.0, 0.2))
"""Both where all processors are taken, or reads are held to a limit: whoever holds what the others
wait for waits for a processor or a read, so that as many are let go with more there and with fewer
(our choice, by the half of the wild bench that constants are chosen on: 256 connections on two
processors had 95 to 240 queries in such waits, and 16 connections did as much). Such waits become
shorter, or longer, with what a query needs of that place."""

HIDDEN, HIDDENS = 0.75, (0.0, 1.0)
"""The part of what clients on a saturated machine seem to think that is a wait for one of its
processors (our choice)."""

BACKGROUND, BACKGROUNDS = 0.25, (0.0, 0.5)
"""The part of a changing server's processor time, without reads and page writes, that its own
threads take while queries go on: those of the log, of purging, of requests to the drive (our
choice)."""

HELD, HELD_POWER = 3.0, 0.05
"""Reads that take this many times what the device takes for them wait for a limit of their number
or bytes: with more or fewer of them as many are let go, but for this power (our choice: servers
whose drive was held to 2,000 reads a second did 0.99 to 1.03 times as much with a quarter and with
four times the connections)."""

_HELD = {"power": HELD_POWER, "below": 0.0, "apart": HELD_POWER, "most": 2 * HELD_POWER}

UNSEEN, UNSEENS = 0.5, (0.0, 1.0)
"""Where only the device timed reads, this part of the waits that nothing explains is taken to be
one for reads that are held before it (our choice)."""

MUCH, SOME = 0.3, 0.1
"""Where such waits are more than this part of a query's time they need a reason; where reads that
are held to a limit are as much they are one, and where they are some of it perhaps (our choice)."""

OFF = (0.1, 10.0)
"""How many times the drive's own curve the server's reads may be: beyond that it is another drive,
or the page cache, and the watched reads alone are used (our choice)."""

GROWING = Range(0.7, 0.0, 1.0)
"""The part of what others use of the server's processors that grows with its throughput: its
clients, and what the kernel does for it. The rest stays as it is. This is where nobody knows where
its clients are (our choice: a load generator on the same machine is all of it, other programs
none)."""

LEAST_OF_LOCAL = 0.5
"""So much of it grows at least where all clients are on the same machine (our choice: what else
runs there is not known apart from them)."""

MOST_OF_REMOTE = 0.3
"""So much of it grows at most where all are elsewhere: what the kernel does for their packets (our
choice)."""

QUICK, TIMED_APART = 0.05, 0.15
"""Of all reads this share, the quickest, waited for no other; how far the power that follows from
them may be off (our choice)."""

_NOBODY = Range.exact(0.0)
_FIGURES = 14
"""How many figures of a server are drawn."""


def growing_where(local: Range | None) -> Range:
    """The part of what others use that grows, where this share of the clients is local."""
    if local is None:
        return GROWING
    most = local.high + (1 - local.high) * MOST_OF_REMOTE
    return Range(local.value, local.low * LEAST_OF_LOCAL, most)


@dataclass(frozen=True, slots=True)
class LiveServer:
    """A server as it was watched; what is not known is None.

    ``connections`` are open, ``at_work`` of them have a query on its way; together they did
    ``rate_per_s`` queries. Per query: ``cpu_us``, ``reads`` that miss the pool, ``pages`` that
    are flushed, ``commits`` that wait for the log. ``read_us`` is what a read takes,
    ``read_cpu_us`` what it takes of a processor, ``write_cpu_us`` what a flushed page does.
    ``drive`` is the drive's own curve; without it only the server's own reads are known.
    ``requests_per_page`` is how much work doublewrite makes of a flushed page,
    ``flushed_per_s`` how many pages can be flushed. ``sync_us`` is what a commit's syncs take
    now, ``log`` the log's own curve. ``cores`` are the machine's, without what its host takes, and
    ``others_cpu`` how many of them others than the server keep busy; ``growing`` is the part of
    that which grows with its throughput. ``own_reads`` and ``own_syncs`` are how the times of
    its reads and of a commit's syncs are spread, where they were traced. ``on_processors`` of the
    server's threads were seen to use a processor or to wait for one, also before a query that has
    come is read and counts as at work; None where nobody counted that. ``whole``
    is the part of the processors (0..1) that are cores of their own, not second threads of one.
    ``device_us`` is what a read takes below the place where reads are held to a limit, None where
    nobody timed it; ``clocked_us`` what one takes until its thread has a processor again, where
    the server timed it so; ``locked_us`` what a query waits for locks of rows, where only the
    device timed its reads: what comes before that is not known then, else None.
    """

    connections: int
    at_work: Range
    rate_per_s: Range
    cores: Range
    cpu_us: Range | None
    reads: Range
    read_us: Range | None
    read_cpu_us: Range
    drive: Rates | None
    pages: Range
    write_cpu_us: Range
    requests_per_page: Range
    flushed_per_s: Range | None
    commits: Range
    sync_us: Range | None
    log: Rates | None
    others_cpu: Range = _NOBODY
    growing: Range = GROWING
    own_reads: MeasuredTimes | None = None
    own_syncs: LatencyShape | None = None
    on_processors: Range | None = None
    whole: float = 1.0
    device_us: float | None = None
    clocked_us: float | None = None
    locked_us: float | None = None

    @property
    def held(self) -> bool:
        """Whether its reads wait for a limit of their number or bytes."""
        read_us, device_us = self.read_us, self.device_us
        return read_us is not None and device_us is not None and read_us.value > HELD * device_us

    def likeliest(self) -> QueryWork:
        """What a query needs by the figures themselves, fitted to today's throughput."""
        return self._fitted((0.0,) * _FIGURES, None)

    def drawn(self, count: int, random: np.random.Generator) -> Iterator[QueryWork]:
        """As many others that it may truly be, each fitted to today's throughput."""
        # Of Python's own numbers: single ones of numpy's take three times as long.
        for z in EvenDraws(random).normals(count, _FIGURES).tolist():
            yield self._fitted(z, random)

    def _fitted(self, z: Sequence[float], random: np.random.Generator | None) -> QueryWork:
        rate = self.rate_per_s.value
        cpu_us = 0.0 if self.cpu_us is None else self.cpu_us.at(z[0]).value
        reads = max(self.reads.at(z[1]).value, 0.0)
        read_cpu_us = _at_most(self.read_cpu_us.at(z[5]).value, reads, cpu_us)
        pages = max(self.pages.at(z[2]).value, 0.0)
        left_us = cpu_us - reads * read_cpu_us
        clients, cores = self._processors(z, cpu_us * rate / 1e6)
        requests = pages * self.requests_per_page.at(z[3]).value
        beside = requests / reads if reads else 0.0
        flushed = None if self.pages.value <= 0 else self.flushed_per_s
        work = QueryWork(
            connections=self.connections,
            cpu_us=cpu_us,
            cores=cores,
            client_cpu_us=clients / rate * 1e6,
            reads=reads,
            read_cpu_us=read_cpu_us,
            pages=pages,
            write_cpu_us=_at_most(self.write_cpu_us.at(z[11]).value, pages, left_us),
            drive=self._drive(reads * rate, beside, z[6], random),
            beside=beside,
            flushes_per_s=math.inf
            if flushed is None
            else flushed.at(z[7]).value / self.pages.value,
            commits=max(0.0, self.commits.at(z[8]).value),
            sync=self._sync(z[9], random),
            own_reads=self.own_reads,
            own_syncs=self.own_syncs,
            shared=self._shared(cores, clients + cpu_us * rate / 1e6, random),
        )
        at_work = min(max(self.at_work.at(z[10]).value, 0.0), self.connections)
        work = replace(work, background=self._background(random))
        # These go up and down with those at work.
        crowd = None
        if self.on_processors is not None:
            crowd = min(max(0.0, self.on_processors.at(z[10]).value), self.connections)
        waiting = HIDDEN if random is None else float(random.uniform(*HIDDENS))
        found = fitted(work, rate, at_work, crowd, waiting)
        unseen_us = self._unseen_us(found, random)
        if unseen_us > 0 and self.read_us is not None:
            read_us = self.read_us.at(z[6]).value + unseen_us / reads
            drive = _point(reads * rate, read_us, beside, _HELD, random)
            found = fitted(replace(work, drive=drive), rate, at_work, crowd, waiting)
        if self.held and self.read_us is not None:
            found = held_back(found, rate, reads * max(self.read_us.at(z[6]).value, LEAST_US))
        of, part = self._saturated(found, random)
        found = replace(found, others_of=of, others_part=part, woken_us=self._woken_us(found, z[6]))
        return together(found, rate, *_powers(random, crowded=of is not None))

    def _saturated(
        self, work: QueryWork, random: np.random.Generator | None
    ) -> tuple[Place | None, float]:
        """The place that other waits go with, and which part of them (0..1)."""
        at_drive = work.reads * (self.read_us.value if self.read_us is not None else 0.0)
        share = at_drive * self.rate_per_s.value / 1e6 / max(self.at_work.value, LEAST_US)
        if self.held and share >= SOME:
            if share >= MUCH:
                return Place.DRIVE, 1.0
            return Place.DRIVE, 0.5 if random is None else float(random.uniform())
        return (Place.CPU, 1.0) if work.busy_at(self.rate_per_s.value) >= SATURATED else (None, 0.0)

    def _woken_us(self, work: QueryWork, z: float) -> float:
        """What its thread waits for a processor once a read is there, of what nothing explains."""
        if self.clocked_us is None or self.read_us is None or work.reads <= 0:
            return 0.0
        once_us = max(0.0, self.clocked_us - self.read_us.at(z).value)
        return min(once_us, work.other_us / work.reads)

    def _unseen_us(self, work: QueryWork, random: np.random.Generator | None) -> float:
        """What a query waits for its reads before they reach the device, where nobody timed that.

        Some part of the waits that nothing explains, where these are much of its time.
        """
        if self.locked_us is None or work.reads <= 0:
            return 0.0
        whole_us = self.at_work.value / self.rate_per_s.value * 1e6
        unknown_us = work.other_us - self.locked_us
        part = UNSEEN if random is None else float(random.uniform(*UNSEENS))
        return part * unknown_us if unknown_us > MUCH * whole_us else 0.0

    def _background(self, random: np.random.Generator | None) -> float:
        """The part of its processor time that threads of its own take, where it changes rows."""
        if self.pages.value <= 0 and self.commits.value <= 0:
            return 0.0
        return BACKGROUND if random is None else float(random.uniform(*BACKGROUNDS))

    def _shared(self, cores: float, busy: float, random: np.random.Generator | None) -> SharedCores:
        if self.whole >= 1:
            return ALL_WHOLE
        second = SIBLING if random is None else float(random.uniform(*SIBLINGS))
        return SharedCores(self.whole * cores, second).seen_with(busy)

    def _processors(self, z: Sequence[float], server: float) -> tuple[float, float]:
        """How many its clients keep busy, and how many they and the server can have together.

        ``server`` is how many it uses itself: at least what is in use is there.
        """
        others = max(0.0, self.others_cpu.at(z[12]).value)
        clients = min(max(0.0, self.growing.at(z[13]).value), 1.0) * others
        left = self.cores.at(z[4]).value - (others - clients)
        return clients, max(left, server + clients)

    def _drive(
        self, per_s: float, beside: float, z: float, random: np.random.Generator | None
    ) -> Rates | None:
        """The drive's curve as fast as the server's own reads are; without one a point of it."""
        if per_s <= 0:
            return self.drive
        if self.read_us is None:
            return self.drive if self.drive is None or random is None else self.drive.drawn(random)
        read_us = max(self.read_us.at(z).value, LEAST_US)
        waiting = per_s * read_us / 1e6
        crowd = 1 + min(beside, CROWDED)
        if self.drive is not None:
            curve = self.drive if random is None else self.drive.drawn(random)
            inside = np.array([max(waiting, 1e-6) * crowd])
            expected = float(curve.at(inside)[0]) / (1 + beside)
            if OFF[0] <= per_s / expected <= OFF[1]:
                return Scaled(curve, per_s / expected)
        return _point(per_s, read_us, beside, self._below(max(waiting, 1.0) * crowd), random)

    def _below(self, inside: float) -> dict[str, float]:
        """How the drive's rate goes with other numbers of requests than were inside.

        With fewer it falls by the quickest ones: one alone takes as long as they did. What waits
        before the device is held to a limit, which stays. Else nothing is known.
        """
        if self.held:
            return _HELD
        if self.own_reads is None or inside <= 1:
            return {}
        quick = float(self.own_reads.shapes[0].at(np.array([QUICK]))[0])
        fewer = 1 + math.log(min(1.0, quick)) / math.log(inside)
        return {"below": max(0.0, fewer), "apart": TIMED_APART}

    def _sync(self, z: float, random: np.random.Generator | None) -> Rates | None:
        if self.sync_us is None:
            return None
        return log_of(self.sync_us.at(z).value, self.log, random)


def _powers(random: np.random.Generator | None, *, crowded: bool) -> tuple[float, float]:
    """Of waits that nothing explains, with more in them and with fewer.

    ``crowded`` is whether whoever holds what the others wait for waits itself.
    """
    if random is None:
        return CROWD if crowded else (TOGETHER, BELOW)
    more, fewer = CROWDS if crowded else (TOGETHERS, BELOWS)
    return float(random.uniform(*more)), float(random.uniform(*fewer))


def _point(
    per_s: float,
    read_us: float,
    beside: float,
    course: dict[str, float],
    random: np.random.Generator | None,
) -> NearPoint:
    """A drive of which one point is known: its reads a second, and what each takes."""
    waiting = max(per_s * read_us / 1e6, 1.0)
    rate = waiting / read_us * 1e6 * (1 + beside)
    point = NearPoint(waiting * (1 + min(beside, CROWDED)), rate, **course)
    return point if random is None else point.drawn(random)


def _at_most(takes_us: float, count: float, of_us: float) -> float:
    """What each of ``count`` takes, all of them no more than the most of ``of_us``."""
    return min(max(0.0, takes_us), MOST_PAGE_CPU * of_us / count) if count else 0.0


def log_of(sync_us: float, curve: Rates | None, random: np.random.Generator | None) -> Rates | None:
    """A log whose single commit takes ``sync_us``; None where it takes nothing.

    What more committers bring is the curve's, where there is one.
    """
    if sync_us <= LEAST_US:
        return None
    if curve is None or curve.reach <= 1:
        # What commits that come together share was not measured: it is not none.
        return GroupCommit(sync_us)
    drawn = curve if random is None else curve.drawn(random)
    return Scaled(drawn, 1e6 / sync_us / float(drawn.at(np.array([1.0]))[0]))
