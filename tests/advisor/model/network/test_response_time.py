"""How long queries take, of all and of those that commit: against simulation."""

from __future__ import annotations

import tracemalloc
from collections.abc import Generator
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pytest
import simpy

from advisor.model.curves.latency_shape import (
    MeasuredTimes,
    of_counts,
    of_percentiles,
    one_after_the_other,
)
from advisor.model.curves.measured_rates import MeasuredRates, measured_rates
from advisor.model.network import response_time
from advisor.model.network.change import LiveNetwork
from advisor.model.network.forecast import ForecastStep, forecast
from advisor.model.network.many_networks import Scaled
from advisor.model.network.response_time import ResponseTimes, response_times
from advisor.model.network.work import QueryWork
from probes.points import Curve, Latency, Probe, Setting
from probes.statistics.ranges import Range
from probes.watch.over_time import class_edges_us
from tests.advisor.model.network.simulated_network import Floats, Processors, Station
from tests.each import some_of
from tests.points import point
from tests.present import present

QUERIES = 16_000


@dataclass(frozen=True)
class Server:
    """What a simulated query needs: microseconds of processors, reads, a sync for some of them.

    ``read_cpu_us`` is the part of the former that one of its reads takes.
    """

    connections: int
    cores: int
    cpu_us: float
    reads: float
    read_us: float
    at_once: int
    commits: float
    sync_us: float
    think_us: float
    read_cpu_us: float = 0.0


SERVERS = {
    "drive": Server(24, 8, 150, 0.8, 900, 8, 0.2, 300, 0),
    "log": Server(16, 4, 100, 0.1, 400, 16, 0.3, 500, 100),
    "processors": Server(32, 2, 200, 1.5, 120, 16, 0.1, 150, 500),
    "idle": Server(4, 8, 80, 2.0, 150, 32, 0.05, 1_000, 2_000),
    "misses": Server(16, 2, 60, 0.15, 30, 32, 0.1, 100, 0, read_cpu_us=200),
}


@cache
def played(name: str) -> tuple[Floats, Floats]:
    """Times in microseconds of queries that commit, and of all others, as they were simulated."""
    server, clock = SERVERS[name], simpy.Environment()
    random = np.random.default_rng(11)
    count = np.arange(1, server.connections + 1)
    cpu = Processors(clock, np.minimum(count, server.cores) / server.cpu_us)
    drive, log = (
        Station(clock, np.minimum(count, most) / each_us, most)
        for most, each_us in (
            (server.at_once, server.read_us),
            (1, server.sync_us),
        )
    )
    took: dict[bool, list[float]] = {True: [], False: []}

    def customer() -> Generator[simpy.Event, None, None]:
        while True:
            if server.think_us:
                yield clock.timeout(random.exponential(server.think_us))
            begun, reads = clock.now, random.poisson(server.reads)
            own_us = server.cpu_us - server.reads * server.read_cpu_us
            needs_us = own_us * random.exponential() + reads * server.read_cpu_us
            yield from cpu.visit(random, needs_us / server.cpu_us)
            for _ in range(reads):
                yield from drive.visit(random)
            commits = bool(random.random() < server.commits)
            if commits:
                yield from log.visit(random)
            took[commits].append(clock.now - begun)

    for _ in range(server.connections):
        clock.process(customer())
    while sum(map(len, took.values())) < QUERIES:
        clock.run(until=clock.now + 1e5)
    return np.array(took[True]), np.array(took[False])


def work_of(server: Server) -> QueryWork:
    count = np.arange(1, server.connections + 1)

    def curve(each_us: float, most: int) -> MeasuredRates:
        rates = np.minimum(count, most) / each_us * 1e6
        return MeasuredRates(tuple(map(int, count)), tuple(map(Range.exact, map(float, rates))))

    return QueryWork(
        connections=server.connections,
        cpu_us=server.cpu_us,
        cores=server.cores,
        reads=server.reads,
        read_cpu_us=server.read_cpu_us,
        pages=0.0,
        write_cpu_us=0.0,
        drive=curve(server.read_us, server.at_once),
        beside=0.0,
        flushes_per_s=float("inf"),
        commits=server.commits,
        sync=curve(server.sync_us, 1),
        think_us=server.think_us,
    )


def network_of(work: QueryWork) -> LiveNetwork:
    return LiveNetwork(Range.exact(1.0), work, (work,))


def modelled(server: Server) -> tuple[ForecastStep, ResponseTimes]:
    work = work_of(server)
    step = forecast(network_of(work), [server.connections]).steps[-1]
    return step, present(response_times(work, [step])[0])


@pytest.fixture(autouse=True)
def _all_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulated processors serve all who are there at once, so that nobody goes first."""
    monkeypatch.setattr(response_time, "WAITING", 1.0)


@pytest.mark.parametrize("name", some_of(SERVERS, 1))
def test_means_of_queries_that_commit_and_of_others_are_the_simulations(name: str) -> None:
    committing, others = played(name)
    found = modelled(SERVERS[name])[1]
    assert present(found.committing).mean_us == pytest.approx(committing.mean(), rel=0.06)
    assert present(found.others).mean_us == pytest.approx(others.mean(), rel=0.04)
    parts = (present(found.committing), present(found.others))
    assert sum(each.share * each.mean_us for each in parts) == pytest.approx(found.every.mean_us)


@pytest.mark.parametrize("name", some_of(SERVERS, 1))
def test_their_95th_percentiles_are_near_the_simulations(name: str) -> None:
    committing, others = played(name)
    found = modelled(SERVERS[name])[1]
    for times, seen in (
        (present(found.committing), committing),
        (present(found.others), others),
        (found.every, np.concatenate((committing, others))),
    ):
        assert times.p95_us.value == pytest.approx(float(np.percentile(seen, 95)), rel=0.08)


def late(server: Server) -> tuple[float, float]:
    """The mean of all queries, and their 95th percentile."""
    every = modelled(server)[1].every
    return every.mean_us, every.p95_us.value


def test_the_fewer_wait_for_busy_processors_the_longer_they_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    busy, idle = (replace(SERVERS["processors"], cores=cores) for cores in (2, 64))
    found, quiet = [], []
    for waiting in (1.0, 0.5, 0.35):
        monkeypatch.setattr(response_time, "WAITING", waiting)
        found.append(late(busy))
        quiet.append(late(idle))
    assert len({mean_us for mean_us, _ in found}) == 1
    first, second, third = (p95_us for _, p95_us in found)
    assert first < second < third < 2 * first
    # Where nobody waits it changes nothing.
    assert [p95_us for _, p95_us in quiet] == pytest.approx([quiet[0][1]] * 3, rel=0.01)


def test_a_query_that_reads_a_million_pages_takes_no_more_memory_than_others() -> None:
    few, many = (Server(4, 8, 100, reads, 150, 8, 0.2, 300, 0) for reads in (90, 1_000_000))
    tracemalloc.start()
    try:
        found = modelled(many)[1].every
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 100e6
    # So many reads are no matter of chance: hardly a query takes longer than others.
    assert found.p95_us.value == pytest.approx(found.mean_us, rel=0.01)
    assert modelled(few)[1].every.p95_us.value > 1.1 * modelled(few)[1].every.mean_us


# --- with what was measured of single requests ---


@dataclass(frozen=True)
class Stalling:
    """A drive that takes ``usual_us`` for most reads, and ``stall_us`` for some of them."""

    usual_us: float
    stall_us: float
    stalls: float
    at_once: int = 16
    connections: int = 12
    cpu_us: float = 120.0

    @property
    def mean_us(self) -> float:
        return self.usual_us * (1 - self.stalls) + self.stall_us * self.stalls


STALLING = Stalling(150.0, 6_000.0, 0.03)
EVEN = Stalling(1_000.0, 1_000.0, 0.0)


@cache
def played_reads(drive: Stalling, reads: float) -> tuple[float, Floats, Floats]:
    """Queries per second, times of queries, and of single reads, both in microseconds."""
    clock, random = simpy.Environment(), np.random.default_rng(5)
    cpu = Processors(clock, np.minimum(np.arange(1, drive.connections + 1), 4) / drive.cpu_us)
    storage = simpy.Resource(clock, drive.at_once)
    queries: list[float] = []
    single: list[float] = []

    def read() -> Generator[simpy.Event, None, None]:
        begun = clock.now
        with storage.request() as turn:
            yield turn
            stalled = random.random() < drive.stalls
            yield clock.timeout(drive.stall_us if stalled else drive.usual_us)
        single.append(clock.now - begun)

    def customer() -> Generator[simpy.Event, None, None]:
        while True:
            begun = clock.now
            yield from cpu.visit(random)
            for _ in range(random.poisson(reads)):
                yield from read()
            queries.append(clock.now - begun)

    for _ in range(drive.connections):
        clock.process(customer())
    while len(queries) < 4 * QUERIES:
        clock.run(until=clock.now + 1e5)
    return len(queries) / clock.now * 1e6, np.array(queries), np.array(single)


def seen_as(times_us: Floats) -> MeasuredTimes:
    """What a trace tells of single requests: how many are in each class of latencies."""
    classes = np.floor(2 * np.log2(times_us * 1000)).astype(int)
    found, counts = np.unique(classes, return_counts=True)
    return MeasuredTimes(
        (
            present(
                of_counts(
                    {
                        class_edges_us(int(index)): int(count)
                        for index, count in zip(found, counts, strict=True)
                    }
                )
            ),
        )
    )


def p95_us(drive: Stalling, reads: float, own_reads: MeasuredTimes | None) -> float:
    """As it is forecast from the drive's mean alone, or with the times that were traced."""
    server = Server(drive.connections, 4, drive.cpu_us, reads, drive.mean_us, 16, 0.0, 100, 0)
    work = replace(work_of(server), own_reads=own_reads)
    (step,) = forecast(network_of(work), [drive.connections], 0).steps
    return present(response_times(work, [step])[0]).every.p95_us.value


@pytest.mark.long
@pytest.mark.parametrize("drive", [STALLING, EVEN], ids=["stalling", "even"])
def test_measured_times_of_reads_give_the_percentile_that_a_mean_does_not(drive: Stalling) -> None:
    _, queries, single = played_reads(drive, 0.8)
    truth = float(np.percentile(queries, 95))
    assert p95_us(drive, 0.8, seen_as(single)) == pytest.approx(truth, rel=0.12)
    # From the mean alone a drive that stalls or never does is far off.
    assert abs(p95_us(drive, 0.8, None) / truth - 1) > 0.25


@pytest.mark.long
def test_they_hold_after_a_change_too() -> None:
    """Half of the reads: what was traced today says how late queries are then."""
    _, queries, _ = played_reads(STALLING, 0.4)
    today = seen_as(played_reads(STALLING, 0.8)[2])
    truth = float(np.percentile(queries, 95))
    assert p95_us(STALLING, 0.4, today) == pytest.approx(truth, rel=0.15)


def test_a_curves_percentiles_stand_in_where_nothing_was_traced() -> None:
    """The points of an idle drive, each with its own spread: the more inside, the longer all."""
    points = []
    for threads in (1, 4, 16):
        setting = Setting(Probe.RANDOM_READ, threads, 16384)
        latency = Latency(190.0, 100.0, 150.0, 4_000.0, 6_000.0, 8_000.0)
        points.append(point(setting, threads / 200e-6, latency=latency))
    rates = present(measured_rates(Curve(tuple(points))))
    found = present(rates.times)
    assert found.levels == (1.0, 4.0, 16.0)
    random, count = np.random.default_rng(3), 200_000
    for shape in found.shapes:
        assert shape.at(random.random(count)).mean() == pytest.approx(1.0, rel=0.03)
        told = 190.0 * shape.at(np.array([0.5, 0.95, 0.99]))
        assert told == pytest.approx([100.0, 150.0, 4_000.0])
    work = replace(work_of(SERVERS["drive"]), drive=rates)
    assert work.read_times is found
    assert replace(work, drive=Scaled(rates, 0.5)).read_times is found


def test_what_tells_too_little_of_single_requests_is_no_shape() -> None:
    assert of_counts({(1.0, 2.0): 199}) is None
    nan = float("nan")
    assert of_percentiles(Latency(100.0, nan, 300.0, nan, nan, nan)) is None
    told = present(of_percentiles(Latency(100.0, 80.0, 300.0, nan, nan, nan)))
    assert float(told.at(np.array([1.0]))[0]) == pytest.approx(3.0, rel=0.3)
    alike = present(of_counts({(5.0, 5.0 * 2**0.5): 1_000}))
    assert float(alike.at(np.array([0.5]))[0]) == pytest.approx(1.0, rel=0.05)
    assert float(one_after_the_other([(alike, 100.0), (alike, 300.0)]).at(np.array([0.5]))[0]) == (
        pytest.approx(1.0, rel=0.05)
    )
