"""A server without its drive, from its throughput where all of its data lay in memory.

Two things that such a curve does not say by itself are put right here, both without a look at what
is to be forecast. At light load nobody waits for anybody, so that the time of a query is one figure
of which every point is a measurement: they are averaged. And a read that goes to a drive puts its
thread to sleep and wakes it up, which a copy from memory does not.
"""

from __future__ import annotations

import numpy as np

from advisor.model.measured_rates import Floats, MeasuredRates
from advisor.model.stations import Cores, Server
from probes.ranges import Range

LIGHT = 0.5
"""Up to this share of the highest rate a server is lightly loaded (our choice)."""

LIGHT_SPREAD = 0.01
"""How far the true time of a query changes while the load is light, as a relative standard
deviation (our choice): points that are known better than that stay as they are."""

BLOCKED_READ_US = Range(3.0, 0.0, 6.0)
"""Processor time of a blocking read: two context switches, 1.5 us each, measured with two
threads and a pipe (make bench-model). Published micro-benchmarks have 1 to 5 us for one."""

MOST_OF_THE_BUSIEST = 0.125
"""What blocking reads may take at most of the time that the server's busiest part has for a query.
A server of hundreds of thousands of queries per second spreads that time over many processors."""


def server(
    in_memory: MeasuredRates,
    reads_per_query: float,
    read_cpu_us: Range | None = None,
    cores: int = 1,
) -> Server:
    """The server's station, for queries that each need so many reads of a drive.

    ``in_memory`` was measured with all files on tmpfs, or with all data in the buffer pool; in the
    latter case ``read_cpu_us``, what a miss costs of processor time, has to be measured besides and
    is shared by ``cores``. Without it a read costs what it costs to sleep and wake up.
    """
    smoothed = averaged_at_light_load(in_memory)
    if read_cpu_us is not None:
        added = _scaled(read_cpu_us, reads_per_query)
        return Server(smoothed, added, cores)
    most = MOST_OF_THE_BUSIEST / float(in_memory.values.max()) * 1e6
    asked = _scaled(BLOCKED_READ_US, reads_per_query)
    return Server(smoothed, Range(min(asked.value, most), 0.0, min(asked.high, 2 * most)))


def processors(
    query_cpu_us: Range, reads_per_query: float, read_cpu_us: Range | None, cores: int
) -> Cores:
    """A server of which only the processor time of a query without its reads is known."""
    reads = _scaled(BLOCKED_READ_US if read_cpu_us is None else read_cpu_us, reads_per_query)
    whole = Range(
        query_cpu_us.value + reads.value,
        query_cpu_us.low + reads.low,
        query_cpu_us.high + reads.high,
    )
    return Cores(cores, whole)


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


def _scaled(cost: Range, times: float) -> Range:
    return Range(cost.value * times, cost.low * times, cost.high * times)
