"""What an import tells of the host over time, in a table: a row for each device."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from rich.table import Table

from advisor.report.cells import short, three
from advisor.report.text.table import plain_table
from probes.figures import UNKNOWN, percent
from probes.points import HostSample, Sample

COLUMNS: tuple[tuple[str, Callable[[HostSample], float], Callable[[float], str]], ...] = (
    ("reads/s", lambda host: host.reads_per_s, short),
    ("writes/s", lambda host: host.writes_per_s, short),
    ("queue", lambda host: host.queue, three),
    ("busy", lambda host: host.utilisation, percent),
    ("read await ms", lambda host: host.read_await_us / 1000, three),
    ("write await ms", lambda host: host.write_await_us / 1000, three),
)


def host_table(samples: Sequence[Sample]) -> Table:
    """Mean and highest of each figure, by device, in the order in which they were first seen."""
    table = plain_table()
    table.add_column("device", no_wrap=True)
    table.add_column("samples", justify="right", no_wrap=True)
    for name, _, _ in COLUMNS:
        table.add_column(f"{name}, most", justify="right")
    devices: dict[str, list[HostSample]] = {}
    for sample in samples:
        if sample.host is not None:
            devices.setdefault(sample.host.device, []).append(sample.host)
    for device, hosts in devices.items():
        table.add_row(
            device or UNKNOWN,
            str(len(hosts)),
            *(_cell([figure(host) for host in hosts], say) for _, figure, say in COLUMNS),
        )
    return table


def _cell(figures: list[float], say: Callable[[float], str]) -> str:
    seen = [figure for figure in figures if math.isfinite(figure)]
    if not seen:
        return UNKNOWN
    return f"{say(sum(seen) / len(seen))}, {say(max(seen))}"
