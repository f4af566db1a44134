"""The miss-ratio curve of a live server against what larger pools then really miss.

``make bench-misses`` (as root). A server with a small buffer pool works under a load of sysbench
and is watched with a trace; from that the misses of a pool two and four times as large are
forecast. Then it is started with these pools, and its misses are counted.
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
from statistics import median
from typing import Any

from loaded_server import Place, Tables, leadline, target
from report import HERE, RAW, machine, save_raw

from advisor.model.server.miss_ratio import miss_curve
from tests.servers.eleven import RunningServer, servers
from tests.tracing import mount_for_us

SERVERS = ("mariadb-installed", "mysql-8.0.33")
TABLES, THREADS = Tables(1, 2_000_000), 4
"""One table of about 460 MiB."""

POOL_MIB, TIMES = 64, (2, 4)
WARM_S, COUNTED_S, TRACED_S = 20.0, 10.0, 30
MIDDLE, WORST, INSIDE = 0.08, 0.20, 0.80
"""The bars: median and worst error of a forecast, and how many lie inside their range."""


@dataclass(frozen=True)
class Load:
    """One of sysbench's loads, and the counter of its units of work."""

    name: str
    script: str
    options: tuple[str, ...]
    unit: str


LOADS = (
    Load("reads, uniform", "oltp_point_select", ("--rand-type=uniform",), "Com_select"),
    Load("reads, Pareto", "oltp_point_select", ("--rand-type=pareto",), "Com_select"),
    Load("reads, Zipf", str(HERE / "zipf.lua"), (), "Com_select"),
    Load(
        "reads, 75 % on 1 %",
        "oltp_point_select",
        ("--rand-type=special", "--rand-spec-pct=1", "--rand-spec-res=75"),
        "Com_select",
    ),
    Load("read-write, Pareto", "oltp_read_write", ("--rand-type=pareto",), "Com_commit"),
)


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
    def error(self) -> float | None:
        """By how much the forecast is off, as a share of today's misses where few are left."""
        if self.forecast is None:
            return None
        return (self.forecast[0] - self.counted) / max(self.counted, 0.05 * self.now)

    @property
    def inside(self) -> bool | None:
        """Whether what was counted lies in the range."""
        if self.forecast is None:
            return None
        return self.forecast[1] <= self.counted <= self.forecast[2]


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
    known = {build.name: build for build in servers()}
    for name in () if chosen.take else chosen.servers:
        with tempfile.TemporaryDirectory(prefix="leadline-bench-", dir=chosen.directory) as folder:
            place = Place(known[name], Path(folder), TABLES)
            place.fill()
            found = [one for load in LOADS for one in _tried(place, load)]
        save_raw(f"misses-{name}", {"forecasts": [asdict(one) for one in found]})
    kept = [one for name in chosen.servers for one in _kept(name)]
    (HERE / "MISSES.md").write_text(_page(kept, machine()), encoding="utf-8")
    return 0 if _met(kept) else 1


def _kept(server: str) -> list[Forecast]:
    file = RAW / f"misses-{server}.json"
    if not file.is_file():
        return []
    return [Forecast(**one) for one in json.loads(file.read_text("utf-8"))["forecasts"]]


def _lines(pool_mib: int) -> tuple[str, ...]:
    return (
        f"innodb_buffer_pool_size = {pool_mib}M",
        "innodb_flush_method = O_DIRECT",
        "innodb_flush_log_at_trx_commit = 2",
        "innodb_buffer_pool_load_at_startup = OFF",
        "innodb_buffer_pool_dump_at_shutdown = OFF",
    )


@contextmanager
def _loaded(place: Place, load: Load, pool_mib: int) -> Iterator[RunningServer]:
    """The server with a pool of this size while it works."""
    options = (f"--threads={THREADS}", "--time=600", *load.options)
    with place.started(_lines(pool_mib)) as server, place.running(server, load.script, *options):
        yield server


def _tried(place: Place, load: Load) -> list[Forecast]:
    with _loaded(place, load, POOL_MIB) as server:
        time.sleep(WARM_S)
        before = _counters(server, load)
        pages = _watched(server)
        now = _per_unit(before, _counters(server, load))
    found = []
    for times in TIMES:
        with _loaded(place, load, POOL_MIB * times) as server:
            time.sleep(WARM_S * times / 2)
            before = _counters(server, load)
            time.sleep(COUNTED_S)
            counted = _per_unit(before, _counters(server, load))
        found.append(
            Forecast(
                place.build.name,
                load.name,
                times,
                now,
                counted,
                POOL_MIB * 2**20 / pages["page_bytes"],
                pages["distances"],
                pages["censored"],
            )
        )
        print(_row(found[-1]), flush=True)
    return found


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


def _counters(server: RunningServer, load: Load) -> tuple[float, float]:
    rows = server.sql(
        "SHOW GLOBAL STATUS WHERE Variable_name IN ('Innodb_buffer_pool_reads', %s)", (load.unit,)
    )
    values = {str(row["Variable_name"]).lower(): float(str(row["Value"])) for row in rows}
    return values["innodb_buffer_pool_reads"], values[load.unit.lower()]


def _per_unit(before: tuple[float, float], after: tuple[float, float]) -> float:
    return (after[0] - before[0]) / max(1.0, after[1] - before[1])


def _known(found: Sequence[Forecast]) -> list[float]:
    return [abs(one.error) for one in found if one.error is not None]


def _inside(found: Sequence[Forecast]) -> float:
    told = [one.inside for one in found if one.inside is not None]
    return sum(told) / len(told) if told else 0.0


def _met(found: Sequence[Forecast]) -> bool:
    errors = _known(found)
    return (
        bool(errors)
        and median(errors) <= MIDDLE
        and max(errors) <= WORST
        and _inside(found) >= INSIDE
    )


def _page(found: Sequence[Forecast], facts: dict[str, str]) -> str:
    lines = [
        "# What a larger buffer pool misses, forecast and counted",
        "",
        "Written by `make bench-misses`.",
        "",
        *(f"- {name}: {value}" for name, value in facts.items()),
        "",
        f"One table of {TABLES.rows:,} rows (about 460 MiB), {THREADS} connections of sysbench, a "
        f"pool of {POOL_MIB} MiB that is watched for {TRACED_S} s with a trace. Misses are "
        "`Innodb_buffer_pool_reads` for each query, or for each commit of the read-write mix; the "
        f"larger pools were counted for {COUNTED_S:.0f} s after the pool had filled. Where fewer "
        "than 5 % of today's misses are left, the error is a share of these 5 %.",
        "",
        "| server | load | pool | misses today | forecast | range | counted | error | inside |",
        "| --- | --- | ---: | ---: | ---: | --- | ---: | ---: | --- |",
        *(_row(one) for one in found),
        "",
    ]
    if errors := _known(found):
        lines.append(
            f"Median error {median(errors):.1%}, worst {max(errors):.1%}; {_inside(found):.0%} lie "
            f"inside their range. {sum(one.forecast is None for one in found)} had no forecast: "
            "the window did not reach so far."
        )
    return "\n".join(lines) + "\n"


def _row(one: Forecast) -> str:
    cells = [one.server, one.load, f"{one.times}x", f"{one.now:.4f}"]
    if one.forecast is None or one.error is None:
        cells += ["none", "", f"{one.counted:.4f}", "", ""]
    else:
        value, low, high = one.forecast
        cells += [f"{value:.4f}", f"{low:.4f} to {high:.4f}", f"{one.counted:.4f}"]
        cells += [f"{one.error:+.1%}", "yes" if one.inside else "no"]
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    sys.exit(main())
