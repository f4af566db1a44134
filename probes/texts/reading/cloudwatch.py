"""Figures of CloudWatch: a table of its console's or a spreadsheet's, or its command line's JSON.

A time in the first column, a metric in each other one; ``get-metric-statistics`` and
``get-metric-data``. Latencies are in seconds there, the processors' use in percent.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterator, Mapping, Sequence

from probes.boundary.json_text import decode
from probes.boundary.malformed import Malformed
from probes.imports.points import NAN
from probes.points import HostSample, Sample
from probes.texts.reading.pieces import DrivesPiece, Piece
from probes.texts.reading.server import moment_s

VOLUME = "volume"
"""What the device of a managed server is called: nobody sees its name."""

MOST_SAMPLES = 60
"""The last ones: an hour of minutes is about the time in which the other texts were taken."""

_MOST_BYTES = 8 << 20
_METRICS = re.compile(
    r"\b(ReadIOPS|WriteIOPS|ReadLatency|WriteLatency|ReadThroughput|WriteThroughput"
    r"|DiskQueueDepth|CPUUtilization)\b"
)
_MOST = 1e12


def read_cloudwatch(lines: Sequence[str]) -> Iterator[Piece]:
    """Samples of the volume, where reads and writes are both there; else nothing."""
    by_time = _of_json(lines) if lines and "".join(lines).lstrip()[:1] in "{[" else _of_csv(lines)
    whole = {at_s: row for at_s, row in by_time.items() if {"ReadIOPS", "WriteIOPS"} <= row.keys()}
    times = sorted(whole)[-MOST_SAMPLES:]
    if len(times) > 1:
        samples = tuple(_sample(at_s - times[0], whole[at_s]) for at_s in times)
        yield DrivesPiece(samples)


_Rows = dict[float, dict[str, float]]


def _of_csv(lines: Sequence[str]) -> _Rows:
    found: _Rows = {}
    columns: dict[int, str] = {}
    for cells in csv.reader(line for line in lines if "," in line or ";" in line):
        named = {
            at: metric[1] for at, cell in enumerate(cells) if (metric := _METRICS.search(cell))
        }
        if named and 0 not in named:
            columns = named
            continue
        at_s = moment_s(cells[0].replace("/", "-")) if columns and cells else None
        if at_s is None:
            continue
        for at, name in columns.items():
            if at < len(cells) and (figure := _figure(cells[at])) is not None:
                found.setdefault(at_s, {})[name] = figure
    return found


def _of_json(lines: Sequence[str]) -> _Rows:
    found: _Rows = {}
    try:
        document = decode("\n".join(lines), _MOST_BYTES)
    except Malformed:
        return found
    for each in document if isinstance(document, list) else [document]:
        if not isinstance(each, Mapping):
            continue
        results = each.get("MetricDataResults")
        for result in results if isinstance(results, list) else [each]:
            for metric, time, value in _points(result):
                at_s, figure = moment_s(str(time)), _figure(value)
                if at_s is not None and figure is not None:
                    found.setdefault(at_s, {})[metric] = figure
    return found


def _points(result: object) -> Iterator[tuple[str, object, object]]:
    """Metric, time and value of one result."""
    if not isinstance(result, Mapping):
        return
    named = _METRICS.search(str(result.get("Label", "")))
    if named is None:
        return
    times, values, points = (result.get(name) for name in ("Timestamps", "Values", "Datapoints"))
    if isinstance(times, list) and isinstance(values, list):
        for time, value in zip(times, values, strict=False):
            yield named[1], time, value
    for point in points if isinstance(points, list) else ():
        if isinstance(point, Mapping):
            yield named[1], point.get("Timestamp"), point.get("Average")


def _figure(value: object) -> float | None:
    try:
        figure = float(str(value))
    except ValueError:
        return None
    return figure if math.isfinite(figure) and 0 <= figure <= _MOST else None


def _sample(at_s: float, row: Mapping[str, float]) -> Sample:
    host = HostSample(
        device=VOLUME,
        reads_per_s=row["ReadIOPS"],
        writes_per_s=row["WriteIOPS"],
        read_bytes_per_s=row.get("ReadThroughput", NAN),
        written_bytes_per_s=row.get("WriteThroughput", NAN),
        queue=row.get("DiskQueueDepth", NAN),
        # Nobody reports how long it had a request; a queue of one keeps it busy.
        utilisation=min(1.0, row.get("DiskQueueDepth", NAN)),
        read_await_us=row.get("ReadLatency", NAN) * 1e6,
        write_await_us=row.get("WriteLatency", NAN) * 1e6,
        cpu_user=row.get("CPUUtilization", NAN) / 100,
        cpu_system=NAN,
        cpu_iowait=NAN,
        cpu_steal=NAN,
        context_switches_per_s=NAN,
        own_cpu=NAN,
    )
    return Sample(at_s, NAN, NAN, NAN, host)
