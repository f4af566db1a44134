"""What a terminal shows of every point, and what a watch saw of the server's own work."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from advisor.compare.matching import figure
from advisor.compare.ratio import Ratio, ratio
from advisor.model.curves.ratio import ratio_text
from advisor.report.curve_axis import FLUSHED, AxisRow
from advisor.report.document.blocks import (
    Block,
    Item,
    Items,
    Style,
    Table,
    TableRow,
    TextSpan,
    items,
    plain,
    quiet,
    table,
    text,
)
from advisor.wording.measured.cells import MARKS, interval_text, rate_cell, short, three
from advisor.wording.measured.doubts import sentence
from advisor.wording.watch import rows as work_rows
from advisor.wording.watch.cost import cost_sentences
from advisor.wording.watch.file_rows import FILE_COLUMNS, file_rows, file_sentences
from probes.figures import UNKNOWN, percent, seconds
from probes.inventory.facts import Inventory
from probes.kinds.words import BESIDE_SERVER, ENDED_BY, LIMITED_BY, setting_line
from probes.points import HostSample, Point, Sample, Trust

BARS = "▁▂▃▄▅▆▇█"


def curves_along(rows: Sequence[AxisRow], *, latency: bool = True) -> Iterator[Table]:
    """A row of rates (per second) for each curve; with ``latency`` one of p95 (milliseconds).

    What runs along threads of any kind has one table, what runs along flushing another.
    """
    kinds = [[row for row in rows if (row.axis == FLUSHED) is flushed] for flushed in (False, True)]
    return (_along(kind, latency=latency) for kind in kinds if kind)


def _along(rows: Sequence[AxisRow], *, latency: bool) -> Table:
    levels = sorted({level for row in rows for level in row.points})
    heads = (
        FLUSHED if rows[0].axis == FLUSHED else "threads",
        "",
        *(each.label for each in levels),
    )
    made = []
    for row in rows:
        cells = [row.points.get(level) for level in levels]
        rates = ("" if each is None else f"{short(each.rate_per_s)}{_mark(each)}" for each in cells)
        late = ("" if each is None else three(each.latency.p95_us / 1000) for each in cells)
        bars = sparkline([point.rate_per_s for point in row.points.values()])
        made.append((plain(row.name), quiet("/s"), *map(plain, rates), plain(bars)))
        if latency:
            made.append((plain(""), quiet("p95 ms"), *map(quiet, late), plain("")))
    last = len(heads)
    return Table((*heads, ""), tuple(map(TableRow, made)), frozenset({0, 1, last}))


def sparkline(rates: Sequence[float]) -> str:
    """The rates as bars, the highest full; "" for a single one."""
    top = max(rates)
    if len(rates) < 2 or top <= 0:
        return ""
    return "".join(BARS[min(7, int(rate / top * 8))] for rate in rates)


def _mark(point: Point) -> str:
    return MARKS[point.trust]


def every_point(rows: Sequence[AxisRow]) -> Table:
    """A row for each point, under the name of its curve; latencies in milliseconds."""
    flushed = all(row.axis == FLUSHED for row in rows)
    along = FLUSHED if flushed else "threads"
    latencies = ("p50 ms", "p95 ms", "p99 ms")
    heads = ("measured", along, "per s", "95 %", *latencies, "took s", "ended by", "trust")
    made = []
    for row in rows:
        name = row.name
        for level, point in row.points.items():
            label = level.label if flushed or row.axis != FLUSHED else f"flush {level.label}"
            cells = tuple(map(plain, (name, label, *_cells(point))))
            made.append(TableRow(cells, odd=point.trust is not Trust.OK))
            name = ""
    return Table(heads, tuple(made), frozenset({0, 8, 9}))


def _cells(point: Point) -> tuple[str, ...]:
    latency = point.latency
    return (
        f"{rate_cell(point)}{_mark(point)}",
        interval_text(point),
        *(three(us / 1000) for us in (latency.p50_us, latency.p95_us, latency.p99_us)),
        UNKNOWN if math.isnan(point.seconds) else f"{point.seconds:.1f}",
        ENDED_BY[point.ended_by],
        "" if point.trust is Trust.OK else point.trust.value,
    )


def reasons(rows: Sequence[AxisRow]) -> Iterator[Items]:
    """A line for each point that is not trusted, not of an idle drive, or not limited by it."""
    found = []
    for point in (point for row in rows for point in row.points.values()):
        limit = LIMITED_BY[point.limited_by]
        notes = [*map(sentence, point.doubts), *([limit] if limit else [])]
        if point.beside_server:
            notes.append(f"Measured {BESIDE_SERVER}: an idle drive gives more.")
        if notes:
            mark = f"{_mark(point)} ".lstrip()
            name = TextSpan(f"{mark}{setting_line(point.setting)}", Style.STRONG)
            found.append(Item((name, TextSpan(f"  {' '.join(dict.fromkeys(notes))}"))))
    if found:
        yield Items(tuple(found))


def by_two_engines(points: Sequence[Point]) -> list[tuple[Point, Point]]:
    """The points of the first engine with those of another of the same setting; latest of each."""
    latest: dict[tuple[object, ...], dict[str, Point]] = {}
    for point in points:
        key = (point.setting.threads, *point.setting.curve_key)
        latest.setdefault(key, {})[point.engine] = point
    first = points[0].engine if points else ""
    return [
        (found[first], other)
        for found in latest.values()
        if first in found
        for engine, other in found.items()
        if engine != first
    ]


def two_engines(points: Sequence[Point]) -> Iterator[Block]:
    """What two engines say of the same settings, side by side; nothing where one alone measured."""
    if found := by_two_engines(points):
        heads = ("measured", f"{points[0].engine} /s", "other /s", "engine", "other / first")
        yield table(heads, (_beside(one, other) for one, other in found), (0, 3, 4))


def _beside(one: Point, other: Point) -> tuple[str, ...]:
    times = _judged(ratio(figure(other), figure(one))) + _apart(one, other)
    return setting_line(one.setting), _rate(one), _rate(other), other.engine, times


def _apart(one: Point, other: Point) -> str:
    """What else than the engines may make a difference: the pages that blocks lie in, the load."""
    notes = ""
    if None not in (one.buffers, other.buffers) and one.buffers is not other.buffers:
        notes += f"; {other.buffers} pages against {one.buffers} ones"
    if one.beside_server != other.beside_server:
        notes += f"; one {BESIDE_SERVER}"
    return notes


def _rate(point: Point) -> str:
    return f"{rate_cell(point)}{_mark(point)} {interval_text(point)}"


def _judged(times: Ratio) -> str:
    return (
        ratio_text(times) if not times.alike else f"{ratio_text(times)}, within measurement error"
    )


Figure = Callable[[HostSample], float]


def _alike(_host: HostSample) -> float:
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


def host_over_time(samples: Sequence[Sample]) -> Iterator[Block]:
    """Mean and highest of each figure, by device, in the order in which they were first seen."""
    devices: dict[str, list[HostSample]] = {}
    for sample in samples:
        if sample.host is not None:
            devices.setdefault(sample.host.device, []).append(sample.host)
    if devices:
        heads = ("device", "samples", *(f"{name}, most" for name, *_ in COLUMNS))
        yield table(heads, (_host(device, hosts) for device, hosts in devices.items()), (0,))


def _host(device: str, hosts: Sequence[HostSample]) -> Iterator[str]:
    yield device or UNKNOWN
    yield str(len(hosts))
    for _, figure_of, weight, say in COLUMNS:
        yield _cell([(figure_of(host), weight(host)) for host in hosts], say)


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


def work_blocks(inventory: Inventory) -> Iterator[Block]:
    """Rows by kind of file I/O and by file, what could not be seen, what the look cost."""
    watched = inventory.watched
    if watched is None:
        return
    found, by_file = work_rows.rows(watched), watched.by_file
    files = [] if by_file is None else file_rows(by_file)
    sentences = () if by_file is None else file_sentences(by_file)
    cost = () if watched.own_cost is None else cost_sentences(watched.own_cost)
    notes = (*sentences, *work_rows.unseen(inventory), *cost)
    if found or files or notes:
        goes = f" {work_rows.where_time_goes(watched)}" if found else ""
        yield text(f"These figures are of {seconds(round(watched.seconds))}.{goes}")
    if found:
        yield table(work_rows.COLUMNS, found, (0, 1))
    if files:
        yield table(FILE_COLUMNS, files, (0, 1))
    yield from items(notes)
