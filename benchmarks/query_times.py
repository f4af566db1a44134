"""How long a server's queries take, by its own histogram (MySQL 8.0.3 and newer)."""

from __future__ import annotations

from probes.version import Flavour
from tests.servers.eleven import RunningServer

_HISTOGRAM = "performance_schema.events_statements_histogram_global"
_PS_PER_US = 1_000_000


class QueryTimes:
    """The statements of one server, from the moment that they are counted anew."""

    def __init__(self, server: RunningServer) -> None:
        self._server = server
        self._there = server.version.at_least(Flavour.MYSQL, 8, 0, 3)

    def begin(self) -> None:
        """Count from now on."""
        if self._there:
            self._server.sql(f"TRUNCATE TABLE {_HISTOGRAM}")

    def p95_us(self) -> float | None:
        """The upper end of the bucket that 95 of 100 end in, 5 % wide; None where it has none."""
        if not self._there:
            return None
        (found,) = self._server.sql(
            f"SELECT MIN(BUCKET_TIMER_HIGH) AS ps FROM {_HISTOGRAM} WHERE BUCKET_QUANTILE >= 0.95"
        )
        ps = found["ps"]
        return None if ps is None else float(str(ps)) / _PS_PER_US
