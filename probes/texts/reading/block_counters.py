"""/proc/diskstats: what the kernel counted of each device, at one moment or several.

The columns are those of Documentation/admin-guide/iostats.rst: sectors are 512 bytes, times
milliseconds; kernels from 4.18 on add discards, from 5.5 on flushes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from probes.texts.reading.pieces import CountersPiece
from probes.texts.reading.server import moment_s, time_of_name

_LINE = re.compile(
    r"^(?:/proc/diskstats:)?\s*\d{1,4}\s+\d{1,7}\s+(?P<name>[\w.!:@+-]{1,60})"
    r"(?P<figures>(?:\s+\d{1,20}){11,17})\s*$"
)
_TIME = re.compile(r"^(?:TS \d|#?\s?\d{4}-\d\d-\d\d[ T]|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w* )")
_SECTOR_BYTES = 512
_MOST_MOMENTS = 3600


def read_block_counters(
    lines: Sequence[str], name: str, written_at: float | None
) -> Iterator[CountersPiece]:
    """Each moment of a text; it begins with a time, or where a device comes again.

    A text without a time in it has that of its name, else that of its file (seconds since 1970).
    """
    devices: dict[str, dict[str, float]] = {}
    at_s: float | None = None
    number = 0
    for line in lines:
        found = _LINE.match(line)
        if found is None:
            if _TIME.match(line) and len(line) < 80:
                if devices:
                    yield CountersPiece(devices, at_s)
                    devices, number = {}, number + 1
                at_s = moment_s(line)
            continue
        if found["name"] in devices:
            yield CountersPiece(devices, at_s)
            devices, at_s, number = {}, None, number + 1
        if number >= _MOST_MOMENTS:
            return
        devices[found["name"]] = _counted([float(each) for each in found["figures"].split()])
    if devices:
        if at_s is None and number == 0:
            at_s = time_of_name(name) or written_at
        yield CountersPiece(devices, at_s)


def _counted(figures: Sequence[float]) -> dict[str, float]:
    """The columns by the names that the agent gives them."""
    reads, _, read_sectors, read_ms, writes, _, written_sectors, write_ms, in_flight, *more = (
        figures
    )
    busy_ms, queue_ms, *newer = more
    counted = {
        "reads": reads,
        "read_bytes": _SECTOR_BYTES * read_sectors,
        "read_ms": read_ms,
        "writes": writes,
        "written_bytes": _SECTOR_BYTES * written_sectors,
        "write_ms": write_ms,
        "in_flight": in_flight,
        "busy_ms": busy_ms,
        "queue_ms": queue_ms,
    }
    if len(newer) >= 6:
        counted |= {"flushes": newer[4], "flush_ms": newer[5]}
    return counted
