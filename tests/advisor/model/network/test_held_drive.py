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


@pytest.mark.parametrize(("reads", "waits_us"), [(0.5, 100.0), (1.0, 200.0), (1.5, 300.0)])
def test_a_thread_waits_for_a_processor_after_each_read(reads: float, waits_us: float) -> None:
    woken = replace(held(), clocked_us=READ_US + 500.0)
    network = LiveNetwork.of(woken, 0)
    unknown_us = network.likeliest.other_us - network.likeliest.woken_us * woken.reads.value
    after = network.after(ModelChange(reads=Range.exact(reads)))
    assert after.work.other_us - unknown_us == pytest.approx(waits_us, rel=0.03)
