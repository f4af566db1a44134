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
from tests.advisor.forecasts.live_servers import on_a_slow_drive

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
@pytest.mark.parametrize("limited", [True, False])
def test_a_thread_waits_for_a_processor_after_each_read(reads: float, limited: bool) -> None:
    """Where reads come in bursts, whoever comes waits behind those that they woke, too."""
    server = held()
    assert server.read_us is not None
    server = replace(server, clocked_us=server.read_us.value + 50.0)
    if not limited:
        server = replace(server, device_us=READ_US)
    network = LiveNetwork.of(server, 0)
    today_us = network.likeliest.other_us
    after = network.after(ModelChange(reads=Range.exact(reads)))
    waits_us = 50.0 * (server.reads.value + (1 if limited else 0))
    assert after.work.other_us - today_us == pytest.approx((reads - 1) * waits_us, abs=2.0)
