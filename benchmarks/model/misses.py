"""The miss-ratio curve of a live server against what larger pools then really miss (as root).

A server with a small buffer pool works under a load of sysbench and is watched with a trace; from
that the misses of a pool two and four times as large are forecast. Then it is started with these
pools, and its misses are counted.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from statistics import mean, median
from typing import Any

from advisor.model.server.miss_ratio import miss_curve
from benchmarks.shared.loaded_server import Place, Tables, build_of, counters, leadline, target
from benchmarks.shared.report import RAW, Bar, keep, page, save_raw, status, table
from tests.servers.eleven import RunningServer
from tests.tracing import mount_for_us

SERVERS = ("mariadb-installed", "mysql-8.0.33")
TABLES, THREADS = Tables(1, 2_000_000), 4
"""One table of about 460 MiB."""

POOL_MIB, TIMES = 64, (2, 4)
WARM_S, COUNTED_S, TRACED_S = 20.0, 10.0, 30
MIDDLE, WORST, INSIDE = 0.08, 0.20, 0.80
"""The bars: median and worst error of a forecast, and how many lie inside their range."""

SELECT, COMMIT, POINTS = "Com_select", "Com_commit", "oltp_point_select"
ZIPF = str(Path(__file__).with_name("zipf.lua"))
LOADS = {
    "reads, uniform": (SELECT, POINTS, "--rand-type=uniform"),
    "reads, Pareto": (SELECT, POINTS, "--rand-type=pareto"),
    "reads, Zipf": (SELECT, ZIPF),
    "reads, 75 % on 1 %": (
        *(SELECT, POINTS, "--rand-type=special"),
        *("--rand-spec-pct=1", "--rand-spec-res=75"),
    ),
    "read-write, Pareto": (COMMIT, "oltp_read_write", "--rand-type=pareto"),
}
"""By name the counter of its units of work, sysbench's script and options."""


@dataclass(frozen=True)
class Forecast:
    """Misses for each unit of work in a larger pool: what a trace of today's says, and the count.

    ``distances`` and ``censored`` are the trace's classes, ``pool_pages`` today's pool.
    """

    server: str
    load: str
    times: int
    now: float
    counted: float
    pool_pages: float
    distances: list[tuple[float, float]]
    censored: list[tuple[float, float]]

    @cached_property
    def forecast(self) -> tuple[float, float, float] | None:
        """The misses with their range; None where the window did not reach so far."""
        curve = miss_curve(self.pool_pages, self.distances, self.censored)
        share = None if curve is None else curve.share(self.pool_pages * self.times)
        if share is None:
            return None
        return share.value * self.now, share.low * self.now, share.high * self.now

    @property
    def error(self) -> float:
        """By how much the forecast is off, as a share of today's misses where few are left."""
        value = self.forecast[0] if self.forecast else float("nan")
        return (value - self.counted) / max(self.counted, 0.05 * self.now)

    @property
    def inside(self) -> bool:
        """Whether what was counted lies in the range."""
        return self.forecast is not None and self.forecast[1] <= self.counted <= self.forecast[2]

    @property
    def cells(self) -> tuple[str, ...]:
        """Its row of the page."""
        own = (self.server, self.load, f"{self.times}x", f"{self.now:.4f}")
        if self.forecast is None:
            return *own, "none", "", f"{self.counted:.4f}", "", ""
        value, low, high = (f"{each:.4f}" for each in self.forecast)
        came = (f"{self.counted:.4f}", f"{self.error:+.1%}", "yes" if self.inside else "no")
        return *own, value, f"{low} to {high}", *came


def main() -> int:
    """Try every load on every server; the status is 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("servers", nargs="*", default=SERVERS)
    parser.add_argument("--directory", default="/var/tmp", help="where the servers keep their data")
    parser.add_argument(
        "--take", action="store_true", help="measure nothing, write the page from what is kept"
    )
    chosen = parser.parse_args()
    mount_for_us()
    for name in () if chosen.take else chosen.servers:
        with tempfile.TemporaryDirectory(prefix="leadline-bench-", dir=chosen.directory) as folder:
            place = Place(build_of(name), Path(folder), TABLES)
            place.fill()
            found = [asdict(one) for load in LOADS for one in _tried(place, load)]
        save_raw(f"misses-{name}", {"forecasts": found})
    files = [RAW / f"misses-{name}.json" for name in chosen.servers]
    kept = [
        Forecast(**one)
        for file in files
        if file.is_file()
        for one in json.loads(file.read_text("utf-8"))["forecasts"]
    ]
    known = [one for one in kept if one.forecast is not None]
    errors = [abs(one.error) for one in known] or [1.0]
    inside = mean(one.inside for one in known) if known else 0.0
    said = (
        f"Median error {median(errors):.1%}, worst {max(errors):.1%}; {inside:.0%} lie inside "
        f"their range. {len(kept) - len(known)} had no forecast: the window did not reach so far."
    )
    title = "What a larger buffer pool misses, forecast and counted"
    keep("MISSES", page(title, "misses", _lines(kept, said if known else "")))
    return status(
        [
            Bar("median error", median(errors), MIDDLE),
            Bar("worst error", max(errors), WORST),
            Bar("inside their range", inside, INSIDE, at_least=True),
        ]
    )


@contextmanager
def _loaded(place: Place, load: str, pool_mib: int) -> Iterator[RunningServer]:
    """The server with a pool of this size while it works."""
    lines = (
        f"innodb_buffer_pool_size = {pool_mib}M",
        "innodb_flush_method = O_DIRECT",
        "innodb_flush_log_at_trx_commit = 2",
        "innodb_buffer_pool_load_at_startup = OFF",
        "innodb_buffer_pool_dump_at_shutdown = OFF",
    )
    _, script, *options = LOADS[load]
    options += [f"--threads={THREADS}", "--time=600"]
    with place.started(lines) as server, place.running(server, script, *options):
        yield server


def _tried(place: Place, load: str) -> Iterator[Forecast]:
    counted = ("Innodb_buffer_pool_reads", LOADS[load][0])

    def misses(server: RunningServer, before: Sequence[float]) -> float:
        """For each unit of work."""
        reads, units = counters(server, *counted)
        return (reads - before[0]) / max(1.0, units - before[1])

    with _loaded(place, load, POOL_MIB) as server:
        time.sleep(WARM_S)
        before = counters(server, *counted)
        pages = _watched(server)
        now = misses(server, before)
    for times in TIMES:
        with _loaded(place, load, POOL_MIB * times) as server:
            time.sleep(WARM_S * times / 2)
            before = counters(server, *counted)
            time.sleep(COUNTED_S)
            came = misses(server, before)
        classes = (pages["distances"], pages["censored"])
        pool_pages = POOL_MIB * 2**20 / pages["page_bytes"]
        found = Forecast(place.build.name, load, times, now, came, pool_pages, *classes)
        print(*found.cells, sep=" | ", flush=True)
        yield found


def _watched(server: RunningServer) -> dict[str, Any]:
    """What the trace told of the pages that were read."""
    with tempfile.TemporaryDirectory() as home:
        seconds = ("--seconds", str(TRACED_S))
        said = leadline(Path(home), "watch", *target(server), "--json", *seconds)
    watched = json.loads(said)["inventory"]["watched"]
    pages: dict[str, Any] | None = None if watched is None else watched["pages"]
    if pages is None:
        sys.exit("The watch had no trace: it takes root, and a kernel with tracefs.")
    return pages


def _lines(found: Sequence[Forecast], said: str) -> list[str]:
    header = ("server", "load", "pool", "misses today", "forecast", "range", "counted", "error")
    return [
        f"One table of {TABLES.rows:,} rows (about 460 MiB), {THREADS} connections of sysbench, a "
        f"pool of {POOL_MIB} MiB that is watched for {TRACED_S} s with a trace. Misses are "
        "`Innodb_buffer_pool_reads` for each query, or for each commit of the read-write mix; the "
        f"larger pools were counted for {COUNTED_S:.0f} s after the pool had filled. Where fewer "
        "than 5 % of today's misses are left, the error is a share of these 5 %.",
        "",
        *table((*header, "inside"), [one.cells for one in found], words=2),
        "",
        said,
    ]
