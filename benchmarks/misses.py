"""The miss-ratio curve of a live server against what larger pools then really miss.

``make bench-misses`` (as root). A server with a small buffer pool works under a load of sysbench
and is watched with a trace; from that the misses of a pool two and four times as large are
forecast. Then it is started with these pools, and its misses are counted.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from report import HERE, machine, save_raw

ROOT = HERE.parent
sys.path.insert(0, str(ROOT))

from advisor.model.miss_ratio import MissCurve, miss_curve  # noqa: E402 - the path comes first
from tests.servers.eleven import RunningServer, ServerBuild, servers  # noqa: E402

SERVERS = ("mariadb-installed", "mysql-8.0.33")
SCHEMA, ROWS, THREADS = "sbtest", 2_000_000, 4
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
    """Misses for each unit of work in a larger pool: forecast with its range, and counted."""

    server: str
    load: str
    times: int
    now: float
    forecast: tuple[float, float, float] | None
    counted: float

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
    parser.add_argument("servers", nargs="*")
    parser.add_argument("--directory", default="/var/tmp", help="where the servers keep their data")
    chosen = parser.parse_args()
    known = {build.name: build for build in servers()}
    found: list[Forecast] = []
    for name in chosen.servers or SERVERS:
        with tempfile.TemporaryDirectory(prefix="leadline-bench-", dir=chosen.directory) as folder:
            place = _Place(known[name], Path(folder))
            place.fill()
            for load in LOADS:
                found += _tried(place, load)
                _keep(found)
    return 0 if _met(found) else 1


@dataclass(frozen=True)
class _Place:
    build: ServerBuild
    directory: Path

    @contextmanager
    def started(self, pool_mib: int) -> Iterator[RunningServer]:
        lines = (
            f"innodb_buffer_pool_size = {pool_mib}M",
            "innodb_flush_method = O_DIRECT",
            "innodb_flush_log_at_trx_commit = 2",
            "innodb_buffer_pool_load_at_startup = OFF",
            "innodb_buffer_pool_dump_at_shutdown = OFF",
        )
        with tempfile.TemporaryDirectory() as temporary:
            file = Path(temporary) / "my.cnf"
            file.write_text("\n".join(["[mysqld]", f"tmpdir={temporary}", *lines, ""]))
            with self.build.start_in(self.directory, cnf_path=file) as server:
                yield server

    def fill(self) -> None:
        with self.started(1024) as server:
            server.sql(f"CREATE DATABASE {SCHEMA}")
            _sysbench(server.socket, LOADS[0], "prepare", threads=1).communicate()


def _tried(place: _Place, load: Load) -> list[Forecast]:
    with place.started(POOL_MIB) as server, _running(server, load):
        time.sleep(WARM_S)
        before = _counters(server, load)
        curve = _watched(server)
        now = _per_unit(before, _counters(server, load))
    found = []
    for times in TIMES:
        with place.started(POOL_MIB * times) as server, _running(server, load):
            time.sleep(WARM_S * times / 2)
            before = _counters(server, load)
            time.sleep(COUNTED_S)
            counted = _per_unit(before, _counters(server, load))
        share = None if curve is None else curve.share(curve.pool_pages * times)
        ends = None if share is None else (share.value * now, share.low * now, share.high * now)
        found.append(Forecast(place.build.name, load.name, times, now, ends, counted))
        print(found[-1], flush=True)
    return found


def _watched(server: RunningServer) -> MissCurve | None:
    with tempfile.TemporaryDirectory() as home:
        argv = [sys.executable, "-m", "app", "watch", "local", "--json"]
        argv += ["--mysql", f"socket={server.socket},user=root", "--seconds", str(TRACED_S)]
        environment = os.environ | {"LEADLINE_HOME": home}
        done = subprocess.run(
            argv, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True
        )
    watched = json.loads(done.stdout)["inventory"]["watched"]
    pages = None if watched is None else watched["pages"]
    if pages is None:
        return None
    pool_pages = POOL_MIB * 2**20 / pages["page_bytes"]
    return miss_curve(pool_pages, pages["distances"], pages["censored"])


def _counters(server: RunningServer, load: Load) -> tuple[float, float]:
    rows = server.sql(
        "SHOW GLOBAL STATUS WHERE Variable_name IN ('Innodb_buffer_pool_reads', %s)", (load.unit,)
    )
    values = {str(row["Variable_name"]).lower(): float(str(row["Value"])) for row in rows}
    return values["innodb_buffer_pool_reads"], values[load.unit.lower()]


def _per_unit(before: tuple[float, float], after: tuple[float, float]) -> float:
    return (after[0] - before[0]) / max(1.0, after[1] - before[1])


@contextmanager
def _running(server: RunningServer, load: Load) -> Iterator[None]:
    process = _sysbench(server.socket, load, "--time=600", "run")
    try:
        yield
    finally:
        process.terminate()
        process.communicate()


def _sysbench(
    socket: str, load: Load, *arguments: str, threads: int = THREADS
) -> subprocess.Popen[str]:
    argv = [
        "sysbench",
        load.script,
        f"--mysql-socket={socket}",
        "--mysql-user=root",
        f"--mysql-db={SCHEMA}",
        f"--table-size={ROWS}",
        f"--threads={threads}",
        *load.options,
        *arguments,
    ]
    return subprocess.Popen(argv, stdout=subprocess.PIPE, text=True)


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


def _keep(found: Sequence[Forecast]) -> None:
    facts = machine()
    save_raw("misses", {"machine": facts, "forecasts": [asdict(one) for one in found]})
    (HERE / "MISSES.md").write_text(_page(found, facts), encoding="utf-8")


def _page(found: Sequence[Forecast], facts: dict[str, str]) -> str:
    lines = [
        "# What a larger buffer pool misses, forecast and counted",
        "",
        "Written by `make bench-misses`.",
        "",
        *(f"- {name}: {value}" for name, value in facts.items()),
        "",
        f"One table of {ROWS:,} rows (about 460 MiB), {THREADS} connections of sysbench, a pool of "
        f"{POOL_MIB} MiB that is watched for {TRACED_S} s with a trace. Misses are "
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
