"""Processors that a server shares with its clients, and with its host: against simulation."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from advisor.forecasts.server.live import Live, live
from advisor.forecasts.server.processors import write_cpu_us
from advisor.model.curves.measured_rates import MeasuredRates
from advisor.model.network.change import LiveNetwork, ModelChange
from advisor.model.network.closed_network import Solution, solve
from advisor.model.network.forecast import ForecastStep, forecast
from advisor.model.network.live_server import GROWING, LiveServer, growing_where
from advisor.model.network.stations import (
    SIBLING,
    Cores,
    Place,
    SharedCores,
    each_inside,
    served_per_s,
)
from advisor.model.server.miss_cpu import per_miss
from advisor.workload.flushing.load import MARIADB_WRITE_CPU_US, WRITE_CPU_US, write_cpu_of
from probes.figures import THIN
from probes.statistics.ranges import Range
from probes.version import ServerVersion
from probes.watch.watched import OtherWork, WatchedMachine
from tests.advisor.forecasts.live_servers import on_a_slow_drive
from tests.advisor.model.network.simulated_network import play

CORES, CONNECTIONS, ROUNDS = 2, 16, 30_000
QUERY_US, MISS_US, CLIENT_US = 70.0, 190.0, 90.0
READ_US, AT_ONCE = 150.0, 4
MISSES, SAVED = 0.9, 0.1
COUNT = np.arange(1, CONNECTIONS + 1)
DRIVE = np.minimum(COUNT, AT_ONCE) / READ_US * 1e6


def query_us(misses: float) -> float:
    """What a query takes of a processor with so many misses."""
    return QUERY_US + MISS_US * per_miss(MISSES, misses) * misses


@cache
def played(misses: float) -> float:
    """Queries per second of a server that shares processors with its clients, simulated."""
    cores = np.minimum(COUNT, CORES) * 1e6
    route = [(0, CLIENT_US), (0, query_us(misses)), (1, misses)]
    return play([(cores, CORES), (DRIVE, AT_ONCE)], CONNECTIONS, 7, ROUNDS, route)[0]


def watched() -> LiveServer:
    """The same server as a watch would have seen it, before misses are saved."""
    rate = played(MISSES)
    exact = Range.exact
    return LiveServer(
        connections=CONNECTIONS,
        at_work=exact(CONNECTIONS - rate * CLIENT_US / 1e6),
        rate_per_s=exact(rate),
        cores=exact(CORES),
        cpu_us=exact(query_us(MISSES)),
        reads=exact(MISSES),
        read_us=None,
        read_cpu_us=exact(MISS_US),
        drive=MeasuredRates(tuple(map(int, COUNT)), tuple(map(exact, map(float, DRIVE)))),
        pages=exact(0.0),
        write_cpu_us=exact(0.0),
        requests_per_page=exact(1.0),
        flushed_per_s=None,
        commits=exact(0.0),
        sync_us=None,
        log=None,
        others_cpu=exact(rate * CLIENT_US / 1e6),
    )


def after(server: LiveServer, change: ModelChange) -> ForecastStep:
    return forecast(LiveNetwork.of(server).after(change), [CONNECTIONS]).steps[-1]


FEWER_MISSES = ModelChange(reads=Range.exact(SAVED))


def test_a_forecast_knows_that_clients_need_more_of_the_processors_then() -> None:
    found, truth = after(watched(), FEWER_MISSES).rate_per_s, played(MISSES * SAVED)
    assert found.value == pytest.approx(truth, rel=0.1)
    assert found.low < truth < found.high


def beside_a_program() -> ForecastStep:
    """Where what others use of the processors is none of its clients', and stays as it is."""
    server = watched()
    left = Range.exact(CORES - server.others_cpu.value)
    return after(replace(server, cores=left, others_cpu=Range.exact(0.0)), FEWER_MISSES)


def test_as_many_processors_as_are_left_today_would_promise_too_much() -> None:
    assert beside_a_program().rate_per_s.value > 1.2 * played(MISSES * SAVED)


def test_others_that_stay_as_they_are_lie_within_the_band() -> None:
    found = after(watched(), FEWER_MISSES).rate_per_s
    assert found.value < beside_a_program().rate_per_s.value < 1.05 * found.high


def known(local: Range) -> ForecastStep:
    """The same where it is known which share of the clients is on the server's machine."""
    return after(replace(watched(), growing=growing_where(local)), FEWER_MISSES)


def test_clients_that_are_known_to_be_local_are_forecast_better_than_unknown_ones() -> None:
    truth = played(MISSES * SAVED)
    found, unknown = known(Range.exact(1.0)).rate_per_s, after(watched(), FEWER_MISSES).rate_per_s
    assert found.value == pytest.approx(truth, rel=0.03)
    assert abs(found.value - truth) < abs(unknown.value - truth)
    assert found.low <= truth <= found.high < unknown.high


def test_beside_remote_clients_others_stay_as_they_are_but_for_the_kernel() -> None:
    found = known(Range.exact(0.0)).rate_per_s
    assert found.value == pytest.approx(beside_a_program().rate_per_s.value, rel=1e-3)
    assert played(MISSES * SAVED) < found.low < 0.97 * found.value


def test_of_mixed_clients_as_much_grows_as_is_their_share() -> None:
    local, mixed, remote = (known(Range.exact(each)).rate_per_s for each in (1.0, 0.4, 0.0))
    assert local.value < mixed.value < remote.value
    assert growing_where(Range.exact(0.4)).value == 0.4
    assert growing_where(None) == GROWING


def test_clients_that_may_be_either_widen_the_range() -> None:
    sure, unsure = growing_where(Range.exact(0.5)), growing_where(Range(0.5, 0.2, 0.8))
    assert unsure.low < sure.low < sure.high < unsure.high


def test_the_clients_time_is_no_time_of_a_query() -> None:
    step = after(watched(), FEWER_MISSES)
    client = sum(each.whole for each in step.shares if each.place is Place.CLIENT)
    assert client > 0.3
    assert step.at_work == pytest.approx(CONNECTIONS * (1 - client))
    assert Place.CLIENT not in {each.place for each in step.time}


def said(shared: Live) -> list[str]:
    """What is not known, with plain spaces."""
    return [each.replace(THIN, " ") for each in shared.caveats]


def test_a_host_that_takes_processors_leaves_fewer() -> None:
    shared = live(on_a_slow_drive(watched={"cpu": [3.2, 0.3], "machine": [0.7, 0.2]}))
    # 5.6 of 8 are busy: 1.6 for the host, 3.2 for the server, 0.8 for others.
    assert shared.server.others_cpu.value == pytest.approx(0.8)
    cores = shared.server.cores
    assert [cores.value, cores.high] == pytest.approx([8 * 4 / 5.6, 6.4])
    assert (
        "Other programs keep 0.8 processors busy, and where the server's clients are is not "
        "known: 70 % (0 to 100 %) of that is assumed to grow with its queries/s."
    ) in said(shared)
    work = LiveNetwork.of(shared.server, 4).likeliest
    (station,) = (each for each in work.stations() if isinstance(each, Cores) and each.cores > 1)
    clients = GROWING.value * 0.8
    assert station.client_us == pytest.approx(clients / shared.server.rate_per_s.value * 1e6)


@pytest.mark.parametrize(
    ("clients", "growing", "sentence"),
    [
        (
            [24.0, 0.0],
            (1.0, 0.5, 1.0),
            "the server's clients are all on the same machine: 100 % (50 to",
        ),
        (
            [0.0, 24.0],
            (0.0, 0.0, 0.3),
            "the server's clients are all on other machines: 0 % (0 to 30 %)",
        ),
        (
            [6.0, 18.0],
            (0.25, 0.125, 0.475),
            "25 % of the connections in use are from the same machine: 25 % (",
        ),
        (
            [6.0, 6.0, 12.0],
            (0.5, 0.125, 0.825),
            "50 % (25 to 75 %) of the connections in use are from the same machine: 50 % (",
        ),
        (
            [0.0, 0.0],
            (0.7, 0.0, 1.0),
            "where the server's clients are is not known: 70 % (0 to 100 %)",
        ),
    ],
)
def test_a_forecast_says_what_it_takes_of_the_clients(
    clients: list[float], growing: tuple[float, float, float], sentence: str
) -> None:
    shared = live(
        on_a_slow_drive(watched={"cpu": [3.2, 0.3], "machine": [0.7, 0.2], "clients": clients})
    )
    found = shared.server.growing
    assert (found.value, found.low, found.high) == pytest.approx(growing)
    assert any(f"keep 0.8 processors busy, and {sentence}" in each for each in said(shared))


BESIDE = {
    "cpu": [3.2, 0.3],
    "machine": [0.7, 0.0],
    "others": [[41, "sysbench", 1.2], [42, "java", 0.6]],
    "own": 0.1,
    "clients": [24.0, 0.0],
}
"""5.6 of 8 processors are busy: 3.2 for the server, 0.1 for Leadline, 0.5 for no process."""


def test_what_clients_take_is_known_where_their_processes_are() -> None:
    shared = live(on_a_slow_drive(watched=BESIDE | {"client_processes": [41]}))
    server = shared.server
    assert server.others_cpu.value == pytest.approx(2.3)
    # All but java may grow: the clients do, and interrupts serve them and the drive.
    assert server.growing.value * 2.3 == pytest.approx(1.7)
    assert server.growing.low * 2.3 == pytest.approx(1.2)
    assert (
        "Other programs keep 2.3 processors busy (sysbench 1.2, java 0.6), and the server's "
        "clients 1.2 of them: 74 % (52 to 74 %) of that is assumed to grow with its queries/s."
    ) in said(shared)


def test_without_their_processes_it_is_told_by_where_they_are() -> None:
    shared = live(on_a_slow_drive(watched=BESIDE))
    assert (shared.server.growing.low, shared.server.growing.high) == (0.5, 1.0)
    assert any(
        "busy (sysbench 1.2, java 0.6), and the server's clients are all" in each
        for each in said(shared)
    )


def test_leadlines_own_part_ends_with_the_watch() -> None:
    without = {name: value for name, value in BESIDE.items() if name != "others"}
    counted = live(on_a_slow_drive(watched=without)).server.others_cpu.value
    assert counted - live(on_a_slow_drive(watched=BESIDE)).server.others_cpu.value == (
        pytest.approx(0.1)
    )


def test_alone_on_its_machine_a_server_has_all_processors() -> None:
    server = live(on_a_slow_drive()).server
    assert (server.cores, server.others_cpu) == (Range.exact(8), Range.exact(0))


def test_reads_that_may_take_no_time_are_drawn_all_the_same() -> None:
    """A few reads of a short watch: their mean is known from nothing up."""
    server = replace(watched(), drive=None, read_us=Range(2.0, 0.0, 9.0))
    assert after(server, FEWER_MISSES).rate_per_s.low > 0


def test_a_page_takes_what_the_threads_that_flush_took_for_each() -> None:
    others = OtherWork((), 0.0, kernel=0.05, own=0.0)
    machine = WatchedMachine((), flush_cpu=Range(0.1, 0.09, 0.12), others=others)
    found = write_cpu_us(machine, Range(500.0, 400.0, 600.0), WRITE_CPU_US)
    assert (found.value, found.low) == pytest.approx((200, 180))
    # The kernel's threads may have worked for nothing but these pages.
    assert found.high == pytest.approx(340)


def test_threads_without_names_and_few_pages_leave_it_to_our_choice() -> None:
    machine = WatchedMachine((), flush_cpu=Range.exact(0.1))
    pages = Range.exact(500.0)
    assert write_cpu_us(None, pages, WRITE_CPU_US) == WRITE_CPU_US
    assert write_cpu_us(WatchedMachine(()), pages, WRITE_CPU_US) == WRITE_CPU_US
    assert write_cpu_us(machine, None, WRITE_CPU_US) == WRITE_CPU_US
    assert write_cpu_us(machine, Range.exact(1.0), WRITE_CPU_US) == WRITE_CPU_US


def test_late_mariadb_writes_a_page_for_less() -> None:
    """It has the fewest batches; its threads have no names that would tell what they took."""
    late, early, mysql = (
        write_cpu_of(ServerVersion.parse(version))
        for version in ("10.11.8-MariaDB", "10.4.33-MariaDB", "8.0.33")
    )
    assert late == MARIADB_WRITE_CPU_US
    assert early == mysql == WRITE_CPU_US
    assert late.high <= WRITE_CPU_US.value


def test_what_flushing_takes_is_saved_with_the_pages_that_it_writes() -> None:
    dear, cheap = (
        live(on_a_slow_drive(watched={"flush_cpu": cpu})).server.likeliest().write_cpu_us
        for cpu in (0.5, 0.1)
    )
    assert dear == pytest.approx(5 * cheap)


def with_fewer(misses: float, cores: float) -> Solution:
    """The same server where its processors do less than they are counted for."""
    needs_us = CLIENT_US + query_us(misses)
    return solve([served_per_s(each_inside(CONNECTIONS), cores, needs_us), DRIVE / misses])


def test_queries_that_wait_for_a_processor_tell_that_it_gives_less_than_it_is_counted_for() -> None:
    now, then = (with_fewer(misses, 1.8) for misses in (MISSES, MISSES * SAVED))
    rate, crowd = now.rate_per_s[-1], now.inside[-1, 0]
    clients = crowd * CLIENT_US / (CLIENT_US + query_us(MISSES))
    unseen = replace(
        watched(),
        rate_per_s=Range.exact(rate),
        at_work=Range.exact(CONNECTIONS - clients),
        others_cpu=Range.exact(rate * CLIENT_US / 1e6),
        growing=Range.exact(1.0),
    )
    seen = replace(unseen, on_processors=Range.exact(crowd - clients))
    assert seen.likeliest().cores == pytest.approx(1.8, rel=0.01)
    assert seen.likeliest().other_us == pytest.approx(0.0, abs=1.0)
    truth = then.rate_per_s[-1]
    assert after(seen, FEWER_MISSES).rate_per_s.value == pytest.approx(truth, rel=0.02)
    assert after(unseen, FEWER_MISSES).rate_per_s.value < 0.9 * truth


def test_queries_that_wait_for_a_processor_before_they_are_read_wait_for_it_all_the_same() -> None:
    """The server counts a query as at work once a thread has read it; its client thinks of nothing.

    Taken for thinking, the wait would stay as long where the queue is gone.
    """
    now, then = (with_fewer(misses, 1.8) for misses in (MISSES, MISSES * SAVED))
    rate, crowd = now.rate_per_s[-1], now.inside[-1, 0]
    clients = crowd * CLIENT_US / (CLIENT_US + query_us(MISSES))
    unread = 0.6 * (crowd - clients)
    seen = replace(
        watched(),
        rate_per_s=Range.exact(rate),
        at_work=Range.exact(CONNECTIONS - clients - unread),
        others_cpu=Range.exact(rate * CLIENT_US / 1e6),
        growing=Range.exact(1.0),
        on_processors=Range.exact(crowd - clients),
    )
    truth = then.rate_per_s[-1]
    assert after(seen, FEWER_MISSES).rate_per_s.value == pytest.approx(truth, rel=0.1)
    thinking = replace(seen, on_processors=Range.exact(CONNECTIONS - clients - unread))
    assert after(thinking, FEWER_MISSES).rate_per_s.value < 0.9 * truth


def test_who_waits_for_something_else_is_not_taken_for_waiting_for_a_processor() -> None:
    server = watched()
    few = replace(server, on_processors=Range.exact(server.rate_per_s.value * QUERY_US / 1e6))
    assert few.likeliest() == server.likeliest()


def test_thousands_in_wait_for_a_processor_are_fitted_as_well() -> None:
    crowd = replace(
        watched(),
        connections=4000,
        at_work=Range.exact(1000.0),
        on_processors=Range.exact(950.0),
    )
    work = crowd.likeliest()
    [today] = forecast(LiveNetwork.of(crowd, 0), [4000], 0).steps
    assert today.rate_per_s.value == pytest.approx(crowd.rate_per_s.value, rel=0.01)
    assert work.other_us < 60 / crowd.rate_per_s.value * 1e6


def of_siblings(connections: int, whole: float) -> LiveServer:
    """A server that only computes, on 16 processors, each of its connections on one of them."""
    exact = Range.exact
    work = SharedCores(16 * whole).work(np.array([float(min(connections, 16))]))
    rate = float(work[0]) / 100 * 1e6
    return replace(
        watched(),
        connections=connections,
        at_work=exact(connections),
        rate_per_s=exact(rate),
        cores=exact(16.0),
        cpu_us=exact(min(connections, 16) / rate * 1e6),
        reads=exact(0.0),
        others_cpu=exact(0.0),
        whole=whole,
    )


def test_second_threads_of_cores_add_a_part_of_what_the_first_ones_do() -> None:
    few, many = of_siblings(4, 0.5), of_siblings(16, 0.5)
    (most,) = forecast(LiveNetwork.of(few), [64]).steps
    assert most.rate_per_s.value == pytest.approx((8 + 8 * SIBLING) / 100 * 1e6, rel=0.01)
    # What takes longer while all are busy is quicker where each has a core of its own.
    (alone,) = forecast(LiveNetwork.of(many), [4]).steps
    assert alone.rate_per_s.value == pytest.approx(4 / 100 * 1e6, rel=0.05)
    (as_if_whole,) = forecast(LiveNetwork.of(of_siblings(4, 1.0)), [64]).steps
    assert as_if_whole.rate_per_s.value == pytest.approx(16 / 100 * 1e6, rel=0.01)
