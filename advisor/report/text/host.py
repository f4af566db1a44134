"""What an import tells of the host over time, in a table: a row for each device."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from rich.table import Table

from advisor.report.text.table import plain_table
from advisor.wording.measured.cells import short, three
from probes.figures import UNKNOWN, percent
from probes.points import HostSample, Sample

Figure = Callable[[HostSample], float]


def _alike(host: HostSample) -> float:
    return 1.0


COLUMNS: tuple[tuple[str, Figure, Figure, Callable[[float], str]], ...] = (
    ("reads/s", lambda host: host.reads_per_s, _alike, short),
    ("writes/s", lambda host: host.writes_per_s, _alike, short),
    ("queue", lambda host: host.queue, _alike, three),
    ("busy", lambda host: host.utilisation, _alike, percent),
    (
        "read await ms",
        lambda host: host.read_await_us / 1000,
        lambda host: host.reads_per_s,
        three,
    ),
    (
        "write await ms",
        lambda host: host.write_await_us / 1000,
        lambda host: host.writes_per_s,
        three,
    ),
)
"""Each figure's name, the figure, how much a report counts in its mean, and how it is written.

A report counts for as many requests as it saw: one without any has no time of theirs.
"""


def host_table(samples: Sequence[Sample]) -> Table:
    """Mean and highest of each figure, by device, in the order in which they were first seen."""
    table = plain_table()
    table.add_column("device", no_wrap=True)
    table.add_column("samples", justify="right", no_wrap=True)
    for name, *_ in COLUMNS:
        table.add_column(f"{name}, most", justify="right")
    devices: dict[str, list[HostSample]] = {}
    for sample in samples:
        if sample.host is not None:
            devices.setdefault(sample.host.device, []).append(sample.host)
    for device, hosts in devices.items():
        table.add_row(
            device or UNKNOWN,
            str(len(hosts)),
            *(
                _cell([(figure(host), weight(host)) for host in hosts], say)
                for _, figure, weight, say in COLUMNS
            ),
        )
    return table


def _cell(weighed: Sequence[tuple[float, float]], say: Callable[[float], str]) -> str:
    """Mean and most of figures by their weights; all count alike where a weight is not known."""
    seen = [(figure, weight) for figure, weight in weighed if math.isfinite(figure)]
    if not seen:
        return UNKNOWN
    if not all(math.isfinite(weight) for _, weight in seen):
        seen = [(figure, 1.0) for figure, _ in seen]
    total = sum(weight for _, weight in seen)
    if total <= 0:
        return UNKNOWN
    mean = sum(figure * weight for figure, weight in seen) / total
    return f"{say(mean)}, {say(max(figure for figure, weight in seen if weight > 0))}"
