"""What a transaction took of server and drive: the reason why one variant is faster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from probes.lab.turn import LoadTurn


class Cost(StrEnum):
    """What is counted per transaction."""

    SYNCS = "syncs"
    PAGE_READS = "page_reads"
    PAGE_WRITES = "page_writes"
    WRITTEN = "written_bytes"
    LOG = "log_bytes"
    LOG_WAITS = "log_waits"
    FREE_WAITS = "free_waits"
    ROW_LOCK_WAITS = "row_lock_waits"
    CPU_USER = "cpu_user_us"
    CPU_KERNEL = "cpu_kernel_us"


def _status(name: str) -> Callable[[LoadTurn], float | None]:
    return lambda turn: turn.status.get(name)


def _server(name: str, times: float) -> Callable[[LoadTurn], float | None]:
    def read(turn: LoadTurn) -> float | None:
        found = turn.server.get(name)
        return None if found is None else found * times

    return read


_READ: Mapping[Cost, Callable[[LoadTurn], float | None]] = {
    Cost.PAGE_READS: _status("Innodb_pages_read"),
    Cost.PAGE_WRITES: _status("Innodb_pages_written"),
    Cost.WRITTEN: _status("Innodb_data_written"),
    Cost.LOG: _status("Innodb_os_log_written"),
    # MariaDB counts the log's syncs with the others; MySQL does, too (Innodb_data_fsyncs).
    Cost.SYNCS: _status("Innodb_data_fsyncs"),
    Cost.LOG_WAITS: _status("Innodb_log_waits"),
    Cost.FREE_WAITS: _status("Innodb_buffer_pool_wait_free"),
    Cost.ROW_LOCK_WAITS: _status("Innodb_row_lock_waits"),
    Cost.CPU_USER: _server("cpu_user_s", 1e6),
    Cost.CPU_KERNEL: _server("cpu_system_s", 1e6),
}


@dataclass(frozen=True, slots=True)
class CostChange:
    """A cost of one transaction with the base and with a variant."""

    cost: Cost
    base: float
    variant: float

    @property
    def ratio(self) -> float:
        """How many times the base's it is; infinite where the base has none."""
        return self.variant / self.base if self.base else float("inf")

    @property
    def factor(self) -> float:
        """By how much it changes, whichever way: 2 is half or double."""
        return max(self.ratio, 1 / max(self.ratio, 1e-9))


def costs(turns: Iterable[LoadTurn]) -> dict[Cost, float]:
    """Each cost per transaction over all these turns; what is not counted there is left out."""
    known = list(turns)
    done = sum(turn.transactions for turn in known)
    found: dict[Cost, float] = {}
    for cost, read in _READ.items():
        values = [read(turn) for turn in known]
        counted = [value for value in values if value is not None]
        if done and len(counted) == len(known) and known:
            found[cost] = sum(counted) / done
    return found


LARGE = 1.5
"""From here on a change explains by what it is, not by how large it is (our choice)."""

LEAST_CHANGE = 0.1
"""A cost that changes by less explains nothing (our choice)."""

_LEAST: Mapping[Cost, float] = {
    Cost.PAGE_READS: 0.05,
    Cost.PAGE_WRITES: 0.05,
    Cost.WRITTEN: 512.0,
    Cost.LOG: 64.0,
    Cost.SYNCS: 0.01,
    Cost.LOG_WAITS: 0.001,
    Cost.FREE_WAITS: 0.001,
    Cost.ROW_LOCK_WAITS: 0.01,
    Cost.CPU_USER: 5.0,
    Cost.CPU_KERNEL: 5.0,
}
"""What is less than this per transaction with both is noise (our choice)."""


def changes(base: Mapping[Cost, float], variant: Mapping[Cost, float]) -> tuple[CostChange, ...]:
    """What a transaction takes otherwise, the largest change first; of large ones, the drive's."""
    found = [
        CostChange(cost, base[cost], variant[cost])
        for cost in Cost
        if cost in base and cost in variant and max(base[cost], variant[cost]) >= _LEAST[cost]
    ]
    changed = [each for each in found if not 1 - LEAST_CHANGE < each.ratio < 1 + LEAST_CHANGE]
    return tuple(sorted(changed, key=lambda each: -min(LARGE, each.factor)))
