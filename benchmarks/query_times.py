"""How long a load's statements take, as its client sees them.

A server's own histogram begins when a query has been read: the wait for a processor before is its
client's alone, and only MySQL 8.0 and newer has one.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import numpy.typing as npt
from report import HERE

SCRIPT = HERE / "timed_oltp.lua"
"""What counts them; the constants here are as there."""

BUCKETS, STEPS = 1024, 32
LATE = 0.95


Counted = npt.NDArray[np.int64]
"""How many statements took so long: one figure for each of the script's buckets."""


class QueryTimes:
    """The statements of one load, all since it began.

    The load's ``threads`` count in the ``file``, which is made here.
    """

    def __init__(self, file: Path, threads: int) -> None:
        self._file = file
        file.write_bytes(bytes(8 * BUCKETS * threads))

    def environment(self, load: str) -> dict[str, str]:
        """What `SCRIPT` is started with, to put sysbench's ``load`` on a server."""
        return os.environ | {"LOAD": load, "QUERY_TIMES": str(self._file)}

    def counted(self) -> Counted:
        """All that were done until now; what was done meanwhile is the difference of two."""
        counters = np.fromfile(self._file, dtype=np.int64).reshape(-1, BUCKETS)
        return np.asarray(counters.sum(axis=0))


def p95_us(counted: Counted) -> float:
    """Within which 95 of 100 are done (a bucket's middle, 2 % wide); nan where none was."""
    if not counted.any():
        return float("nan")
    bucket = int(np.searchsorted(np.cumsum(counted), LATE * counted.sum()))
    return float(2 ** ((bucket + 0.5) / STEPS))
