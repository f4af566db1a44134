"""Reads that wait for a limit of their number: most of their time passes before the device."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.forecasts.server.live import live
from advisor.model.network.change import LiveNetwork, ModelChange
from advisor.model.network.forecast import Forecast, forecast
from advisor.model.network.live_server import LiveServer
from advisor.model.network.stations import Place
from probes.statistics.ranges import Range
from tests.advisor.forecasts.live_servers import COMMITS, READS_16K, on_a_slow_drive

DEVICE_US, READ_US, MISSES = 90.0, 1_900.0, 0.4


def held() -> LiveServer:
    """32 connections, 24 at work; 8,000 reads/s, of whose 1.9 ms the device takes 0.09."""
    device = [MISSES * 20_000, DEVICE_US, 0.72]
    return live(on_a_slow_drive(watched={"device": device})).server


def forecast_of(server: LiveServer, *threads: int, reads: float = 1.0) -> Forecast:
    network = LiveNetwork.of(server, 0).after(ModelChange(reads=Range.exact(reads)))
    return forecast(network, threads, 0)


def test_more_and_fewer_connections_read_as_much() -> None:
    fewer, today, more = forecast_of(held(), 16, 32, 128).steps
    assert today.rate_per_s.value == pytest.approx(20_000, rel=0.03)
    assert fewer.rate_per_s.value == pytest.approx(20_000, rel=0.12)
    assert more.rate_per_s.value == pytest.approx(20_000, rel=0.1)


def test_a_query_is_at_the_drive_as_long_as_it_was_timed() -> None:
    (today,) = forecast_of(held(), 32).steps
    at_drive = next(each.whole for each in today.time if each.place is Place.DRIVE)
    assert at_drive * today.latency_us == pytest.approx(MISSES * READ_US, rel=0.05)


@pytest.mark.parametrize("reads", [0.5, 1.0, 1.5])
def test_other_waits_go_with_reads_that_are_held(reads: float) -> None:
    network = LiveNetwork.of(held(), 0)
    after = network.after(ModelChange(reads=Range.exact(reads)))
    assert after.work.other_us == pytest.approx(reads * network.likeliest.other_us)


def test_a_server_may_hardly_read_at_all() -> None:
    """A draw of what it reads may be none, and what it waits else is not for that."""
    none = replace(held(), reads=Range(0.001, 0.0, 0.1))
    network = LiveNetwork.of(none).after(ModelChange(reads=Range.exact(0.5)))
    assert forecast(network, (32,)).steps[0].rate_per_s.value == pytest.approx(20_000, rel=0.2)


@pytest.mark.parametrize("own_cpu", [0.5, 1.0, 1.5])
def test_other_waits_go_with_processors_that_are_all_taken(own_cpu: float) -> None:
    """Of 200 at work eight use a processor or wait for one, and hardly any reads a page."""
    full = {
        "machine": [0.98, 0.0],
        "cpu": [7.6, 0.5],
        "files": [],
        "device": [40.0, 200.0, 0.008],
        "running": [200.0 + at % 2 for at in range(30)],
        "series": {
            "Innodb_buffer_pool_reads": [40.0 * at for at in range(30)],
            "Threads_connected": [257.0] * 30,
        },
    }
    network = LiveNetwork.of(live(on_a_slow_drive(watched=full)).server, 0)
    now, after = network.likeliest, network.after(ModelChange(own_cpu=Range.exact(own_cpu))).work
    assert now.other_us > 0
    ratio = (after.cpu_us + now.client_cpu_us) / (now.cpu_us + now.client_cpu_us)
    assert after.other_us == pytest.approx(ratio * now.other_us)


@pytest.mark.parametrize("reads", [0.5, 1.0, 1.5])
def test_a_thread_waits_for_a_processor_after_each_read(reads: float) -> None:
    server = replace(held(), device_us=READ_US)
    assert server.read_us is not None
    network = LiveNetwork.of(replace(server, clocked_us=server.read_us.value + 50.0), 0)
    after = network.after(ModelChange(reads=Range.exact(reads)))
    more_us = after.work.other_us - network.likeliest.other_us
    assert more_us == pytest.approx((reads - 1) * 50.0 * server.reads.value, abs=2.0)


def test_a_drive_and_a_log_may_both_have_curves() -> None:
    """Each of the draws has its own of both."""
    device = {"device": [MISSES * 20_000, DEVICE_US, 0.72]}
    server = live(on_a_slow_drive(reads_16k=READS_16K, commits=COMMITS, watched=device)).server
    assert server.drive is not None and server.log is not None and server.held
    found = forecast(LiveNetwork.of(server), (32,))
    assert found.steps[0].rate_per_s.value == pytest.approx(20_000, rel=0.05)
