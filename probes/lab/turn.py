"""One turn of a variant: what its clients got done, and what that took of server and machine."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from probes.boundary.malformed import Malformed, shown
from probes.boundary.numbers import finite, whole
from probes.points import Latency
from probes.statistics.histogram import read_histogram, summarise

LONGEST_TURN_S = 3600.0

_MOST_NAMES, _LONGEST_NAME = 64, 80


@dataclass(frozen=True, slots=True)
class LoadTurn:
    """What came of some counted seconds of one variant's work.

    ``histogram`` is of whole transactions, in HdrHistogram's text form; "" where nobody timed them.
    ``status`` are differences of the server's counters over exactly these seconds, ``gauges`` what
    counters hold at their end; ``server`` and ``machine`` are differences of the process
    (``cpu_user_s``, ``written_bytes`` ...) and of the whole machine (``busy_s`` ...).
    ``kinds`` counts transactions by their kind, empty where there is one alone.
    """

    seconds: float
    transactions: int
    statements: int
    errors: int
    histogram: str
    kinds: Mapping[str, int]
    status: Mapping[str, float]
    gauges: Mapping[str, float]
    server: Mapping[str, float]
    machine: Mapping[str, float]
    own_cpu_s: float

    @property
    def per_s(self) -> float:
        """Transactions per second."""
        return self.transactions / self.seconds

    @property
    def p95_us(self) -> float:
        """Within which 95 of 100 transactions were done; nan where none was, or nobody timed it."""
        return _latency(self.histogram).p95_us if self._timed else math.nan

    @property
    def mean_us(self) -> float:
        """How long a transaction took on average; nan where none was done, or nobody timed it."""
        return _latency(self.histogram).mean_us if self._timed else math.nan

    @property
    def _timed(self) -> bool:
        return bool(self.transactions and self.histogram)


@lru_cache(maxsize=4096)
def _latency(histogram: str) -> Latency:
    """A histogram's summary: a look at a lab asks for those of all its turns several times."""
    return summarise(read_histogram(histogram))


def read_turn(event: Mapping[str, object]) -> LoadTurn:
    """A turn from the load program's event; raises Malformed."""
    histograms = event.get("histograms")
    encoded = histograms.get("all", "") if isinstance(histograms, dict) else None
    if not isinstance(encoded, str):
        raise Malformed(f"its histogram is {shown(encoded)}")
    if encoded:
        read_histogram(encoded)
    return LoadTurn(
        seconds=finite(event.get("seconds"), "seconds", 1e-3, LONGEST_TURN_S),
        transactions=whole(event.get("transactions"), "transactions"),
        statements=whole(event.get("statements"), "statements"),
        errors=whole(event.get("errors", 0), "errors"),
        histogram=encoded,
        kinds={name: int(count) for name, count in _figures(event, "kinds").items()},
        status=_figures(event, "status"),
        gauges=_figures(event, "gauges"),
        server=_figures(event, "server"),
        machine=_figures(event, "machine"),
        own_cpu_s=finite(event.get("own_cpu_s", 0.0), "own_cpu_s", 0.0),
    )


def _figures(event: Mapping[str, object], name: str) -> dict[str, float]:
    """Figures by name; those that are not known are not there."""
    found = event.get(name) or {}
    if not isinstance(found, dict) or len(found) > _MOST_NAMES:
        raise Malformed(f"{name} is {shown(found)}, where figures by name are due")
    for each in found:
        if not isinstance(each, str) or len(each) > _LONGEST_NAME or not each.isprintable():
            raise Malformed(f"{name} names {shown(each)}")
    return {each: finite(value, each) for each, value in found.items() if value is not None}
