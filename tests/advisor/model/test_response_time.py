"""How long queries take, of all and of those that commit: against simulation."""

from __future__ import annotations

import tracemalloc
from collections.abc import Generator
from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest
import simpy

from advisor.model.change import LiveNetwork
from advisor.model.forecast import Step, forecast
from advisor.model.live_server import Work
from advisor.model.measured_rates import MeasuredRates
from advisor.model.response_time import ResponseTimes, response_times
from probes.ranges import Range
from tests.advisor.model.simulated_network import Floats, Station
from tests.present import present

QUERIES = 8_000


@dataclass(frozen=True)
class Server:
    """What a simulated query needs: microseconds of processors, reads, a sync for some of them."""

    connections: int
    cores: int
    cpu_us: float
    reads: float
    read_us: float
    at_once: int
    commits: float
    sync_us: float
    think_us: float


SERVERS = {
    "drive": Server(24, 8, 150, 0.8, 900, 8, 0.2, 300, 0),
    "log": Server(16, 4, 100, 0.1, 400, 16, 0.3, 500, 100),
    "processors": Server(32, 2, 200, 1.5, 120, 16, 0.1, 150, 500),
    "idle": Server(4, 8, 80, 2.0, 150, 32, 0.05, 1_000, 2_000),
}


@cache
def played(name: str) -> tuple[Floats, Floats]:
    """Times in microseconds of queries that commit, and of all others, as they were simulated."""
    server, clock = SERVERS[name], simpy.Environment()
    random = np.random.default_rng(11)
    count = np.arange(1, server.connections + 1)
    cpu, drive, log = (
        Station(clock, np.minimum(count, most) / each_us, most)
        for most, each_us in (
            (server.cores, server.cpu_us),
            (server.at_once, server.read_us),
            (1, server.sync_us),
        )
    )
    took: dict[bool, list[float]] = {True: [], False: []}

    def customer() -> Generator[simpy.Event, None, None]:
        while True:
            if server.think_us:
                yield clock.timeout(random.exponential(server.think_us))
            begun = clock.now
            yield from cpu.visit(random)
            for _ in range(random.poisson(server.reads)):
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


def modelled(server: Server) -> tuple[Step, ResponseTimes]:
    count = np.arange(1, server.connections + 1)

    def curve(each_us: float, most: int) -> MeasuredRates:
        rates = np.minimum(count, most) / each_us * 1e6
        return MeasuredRates(tuple(map(int, count)), tuple(map(Range.exact, map(float, rates))))

    work = Work(
        connections=server.connections,
        cpu_us=server.cpu_us,
        cores=server.cores,
        reads=server.reads,
        read_cpu_us=0.0,
        pages=0.0,
        write_cpu_us=0.0,
        drive=curve(server.read_us, server.at_once),
        beside=0.0,
        flushes_per_s=float("inf"),
        commits=server.commits,
        sync=curve(server.sync_us, 1),
        think_us=server.think_us,
    )
    network = LiveNetwork(Range.exact(1.0), work, (work,))
    step = forecast(network, [server.connections]).steps[-1]
    return step, present(response_times(work, step))


@pytest.mark.parametrize("name", SERVERS)
def test_means_of_queries_that_commit_and_of_others_are_the_simulations(name: str) -> None:
    committing, others = played(name)
    found = modelled(SERVERS[name])[1]
    assert present(found.committing).mean_us == pytest.approx(committing.mean(), rel=0.06)
    assert present(found.others).mean_us == pytest.approx(others.mean(), rel=0.04)
    parts = (present(found.committing), present(found.others))
    assert sum(each.share * each.mean_us for each in parts) == pytest.approx(found.every.mean_us)


@pytest.mark.parametrize("name", SERVERS)
def test_their_95th_percentiles_are_near_the_simulations(name: str) -> None:
    committing, others = played(name)
    found = modelled(SERVERS[name])[1]
    for times, seen in (
        (present(found.committing), committing),
        (present(found.others), others),
        (found.every, np.concatenate((committing, others))),
    ):
        assert times.p95_us.value == pytest.approx(float(np.percentile(seen, 95)), rel=0.08)


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
