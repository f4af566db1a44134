"""The watch of a whole server, from its counters and a few lines on its work.

The table ``work`` of a case holds what the table ``watched`` does (``watched_work.py``), with
``running`` as one figure, and says where these queries are (``coherence/waits.py``). Counters by
the second follow from ``rates`` and ``samples``, gauges from ``gauges``; nothing is said twice.
With ``connected`` another number of connections than the gauge's is meant.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from probes.watch.server_series import COUNTERS, GAUGES
from tests.rules.coherence.waits import connected_of

Spec = Mapping[str, Any]

SECONDS = 30
WAVE = (1.0, 1.03, 0.97, 1.01, 0.99)
"""What one second does of the mean: load breathes, and an interval comes of that."""

SPREAD = 0.05
"""How far the means of calls may be off."""

ABOUT_WAITS = ("waits", "unexplained", "connected")


def at_work(spec: Spec) -> dict[str, Any]:
    """The same case with ``watched`` in place of ``work``."""
    work = dict(spec["work"])
    series = dict(_counted(spec)) | dict(_gauged(spec)) | work.get("series", {})
    watched = {name: each for name, each in work.items() if name not in ABOUT_WAITS}
    watched["running"] = [work["running"] * each for each in _wave()]
    watched["series"] = series
    watched["files"] = [_with_range(row) for row in work.get("files", ())]
    # Where nobody says otherwise, applications run on machines of their own.
    watched.setdefault("clients", [0.0, work["running"]])
    if "cpu" in work and "machine" not in work and "cpus" in spec.get("host", {}):
        watched["machine"] = [_busy(spec, work), 0.0]
    rest = {name: table for name, table in spec.items() if name != "work"}
    return rest | {"watched": watched}


def _wave() -> list[float]:
    return [WAVE[at % len(WAVE)] for at in range(SECONDS)]


def _counted(spec: Spec) -> Iterator[tuple[str, list[float]]]:
    """Counters that only grow, second by second, at their rates."""
    for name, per_s in spec.get("rates", {}).items():
        if name in COUNTERS:
            yield name, _grown(1000.0, per_s)
    window_s = float(spec.get("window_s", 10.0))
    for name, (before, after) in spec.get("samples", {}).items():
        if name in COUNTERS:
            # The checkpoint keeps its distance over the watch: its window tells of longer.
            yield name, _grown(float(before), (float(after) - float(before)) / window_s)


def _grown(at: float, per_s: float) -> list[float]:
    grown = [at]
    for each in _wave()[1:]:
        grown.append(grown[-1] + per_s * each)
    return grown


def _gauged(spec: Spec) -> Iterator[tuple[str, list[float]]]:
    gauges = spec.get("gauges", {})
    for name in GAUGES:
        if name in gauges and name not in {"Threads_running", "Threads_connected", "Uptime"}:
            yield name, [float(gauges[name])] * SECONDS
    yield "Threads_connected", [float(spec["work"].get("connected", connected_of(spec)))] * SECONDS


def _with_range(row: list[Any]) -> list[Any]:
    role, operation, per_s, mean_us, *ends = row
    ends = ends or [mean_us * (1 - SPREAD), mean_us * (1 + SPREAD)]
    return [role, operation, per_s, mean_us, *ends]


def _busy(spec: Spec, work: Spec) -> float:
    beside = sum(row[2] for row in work.get("others", ())) + work.get("kernel", 0.0)
    busy = float(work["cpu"][0]) + float(beside)
    return min(1.0, busy / float(spec["host"]["cpus"]))
