"""A server without its drive, from its throughput where all of its data lay in memory.

Four things that such a curve alone does not say are put right here, all without a look at
what is to be forecast. At light load nobody waits for anybody, so that the time of a query is one
figure of which every point is a measurement: they are averaged. A read that goes to a drive puts
its thread to sleep and wakes it up, which a copy from memory does not. And processors that are
never idle do more than as many times what they do for a single connection, because nobody has to
wake them: while queries wait for a drive, they are idle. A lone query in memory pays for that each
time that its client hands over; one that waits for a drive is woken by the drive instead, or as
well.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from advisor.model.curves.latency_shape import Floats
from advisor.model.curves.measured_rates import MeasuredRates
from advisor.model.network.stations import Cores, Server
from advisor.model.server.miss_cpu import per_miss
from probes.statistics.ranges import Range

LIGHT = 0.5
"""Up to this share of the highest rate a server is lightly loaded (our choice)."""

LIGHT_SPREAD = 0.01
"""How far the true time of a query changes while the load is light, as a relative standard
deviation (our choice): points that are known better than that stay as they are."""

IDLE = 0.5
"""From this share of a lone query's time that it waits for the drive on, processors are idle as
often as with one connection (our choice, with the servers of benchmarks/model in view)."""

WOKEN_BY_THE_DRIVE = Range(0.5, 0.0, 1.0)
"""The part of a lone query's wake-ups that a read of the drive takes the place of. It is not known
without a look at what is to be forecast: half (our choice, with the servers of benchmarks/model
in view, where half to all fits most, and more with half of the data in the pool), and the range
holds none and all."""

SURELY = 2.0
"""Two rates this many standard deviations apart differ by more than their noise (our choice)."""

BLOCKED_READ_US = Range(3.0, 0.0, 6.0)
"""Processor time of a blocking read: two context switches, 1.5 us each, measured with two
threads and a pipe (benchmarks/model). Published micro-benchmarks have 1 to 5 us for one."""

MOST_OF_THE_BUSIEST = 0.125
"""What blocking reads may take at most of the time that the server's busiest part has for a query.
A server of hundreds of thousands of queries per second spreads that time over many processors."""


def server(
    in_memory: MeasuredRates,
    reads_per_query: float,
    read_cpu_us: Range | None = None,
    cores: int = 1,
    drive_us: float = 0.0,
    *,
    read_cpu_at: float | None = None,
) -> Server:
    """The server's station, for queries that each need that many reads of a drive.

    ``in_memory`` was measured with all files on tmpfs, or with all data in the buffer pool; in the
    latter case ``read_cpu_us``, what a miss costs of processor time, has to be measured besides and
    is shared by ``cores``, and was measured with ``read_cpu_at`` misses of a query where that is
    known. Without it a read costs what it costs to sleep and wake up. A lone query waits for the
    drive for ``drive_us``.
    """
    smoothed = averaged_at_light_load(idling(in_memory, drive_us))
    smoothed = woken_by_the_drive(smoothed, in_memory, reads_per_query)
    if read_cpu_us is not None:
        return Server(smoothed, _reads(read_cpu_us, reads_per_query, read_cpu_at), cores)
    most = MOST_OF_THE_BUSIEST / float(in_memory.values.max()) * 1e6
    asked = _scaled(BLOCKED_READ_US, reads_per_query)
    return Server(smoothed, Range(min(asked.value, most), 0.0, min(asked.high, 2 * most)))


def processors(
    query_cpu_us: Range,
    reads_per_query: float,
    read_cpu_us: Range | None,
    cores: int,
    read_cpu_at: float | None = None,
) -> Cores:
    """A server of which only the processor time of a query without its reads is known."""
    each_us = BLOCKED_READ_US if read_cpu_us is None else read_cpu_us
    reads = _reads(each_us, reads_per_query, read_cpu_at)
    whole = Range(
        query_cpu_us.value + reads.value,
        query_cpu_us.low + reads.low,
        query_cpu_us.high + reads.high,
    )
    return Cores(cores, whole)


def idling(curve: MeasuredRates, drive_us: float) -> MeasuredRates:
    """The same where processors are idle now and then, because queries wait for a drive.

    Where n connections did more than n times what one did, and by more than these figures are
    unsure, their processors were never idle: a virtual machine's take tens of microseconds to wake
    up. The longer a lone query waits for the drive, the nearer they come to n times one's rate; the
    range holds both.
    """
    values, spreads = curve.values, curve.spreads
    woken = values[0] * np.array(curve.threads) / curve.threads[0]
    busy = np.log(values / woken) > SURELY * np.hypot(spreads, spreads[0])
    waits = drive_us / (drive_us + 1e6 * curve.threads[0] / values[0])
    share = min(1.0, waits / IDLE)
    if not busy.any() or not share:
        return curve
    found = np.where(busy, values ** (1 - share) * woken**share, values)
    return replace(
        curve,
        rates_per_s=tuple(
            Range(float(value), min(rate.low, float(one)), rate.high) if more else rate
            for rate, value, one, more in zip(curve.rates_per_s, found, woken, busy, strict=True)
        ),
    )


def woken_by_the_drive(
    curve: MeasuredRates, in_memory: MeasuredRates, reads: float
) -> MeasuredRates:
    """The same where a lone query that needs that many reads is woken by them, too.

    What it pays for wake-ups is what its time in memory, of ``in_memory``, lies above that of a
    query among others, where they differ by more than these figures are unsure.
    """
    times_us = 1e6 * np.array(in_memory.threads) / in_memory.values
    least = int(np.argmin(times_us))
    unsure = SURELY * np.hypot(in_memory.spreads[0], in_memory.spreads[least])
    if curve.threads[0] != 1 or np.log(times_us[0] / times_us[least]) <= unsure:
        return curve
    lone, *others = curve.rates_per_s
    saved = _scaled(WOKEN_BY_THE_DRIVE, float(times_us[0] - times_us[least]) * min(1.0, reads))
    rate, most = (1e6 / (1e6 / lone.value - saved_us) for saved_us in (saved.value, saved.high))
    return replace(curve, rates_per_s=(Range(rate, lone.low, max(lone.high, most)), *others))


def averaged_at_light_load(curve: MeasuredRates) -> MeasuredRates:
    """Times of a query at light load, each drawn to the mean of all by how unsure it is."""
    values = curve.values
    light = int(np.argmax(values > LIGHT * values.max()))
    if light < 2:
        return curve
    times = np.log(np.array(curve.threads[:light]) / values[:light])
    variances = curve.spreads[:light] ** 2
    mean = float(np.average(times, weights=1 / variances))
    unsure = variances / (variances + LIGHT_SPREAD**2)
    found: Floats = values.copy()
    found[:light] *= np.exp(-unsure * (mean - times))
    return curve.with_values(found)


def _reads(each_us: Range, reads: float, measured_at: float | None) -> Range:
    """What the reads of a query take of processors, each ``each_us`` with that many of them."""
    return _scaled(each_us, reads * per_miss(measured_at or reads, reads))


def _scaled(cost: Range, times: float) -> Range:
    return Range(cost.value * times, cost.low * times, cost.high * times)
