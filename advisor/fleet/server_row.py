"""One server as a table of many shows it: values alone, kept with its run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from advisor.run import Voice
from probes._version import __version__

if TYPE_CHECKING:
    from advisor.store.store import Store

ANSWER = "fleet.row"
"""The name under which a run keeps it."""

_MOST_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class ServerRow:
    """One server of a fleet, as its latest run was judged; None is unknown.

    ``limit`` is what limits it in a few words, ``limited`` in whole sentences. ``risks`` and
    ``changes`` are the lines of advice, what matters most first. ``gain`` is the share of a query's
    time (0..1) that the plan saves by forecast, else what its best change removes.
    ``threads`` and ``memory_bytes`` are the machine's, or what a control group grants of them.
    ``cpu_busy`` and ``drive_busy`` are shares of the time while it was watched. ``settings`` are
    what servers of one ``role`` can be compared by. ``curves_id`` is the run that has its curves,
    where that is another. ``kept`` are changes that trials have kept on it, the latest first.
    ``program`` judged it.
    """

    target: str
    run_id: int
    taken_at: str
    server: str = ""
    threads: int | None = None
    memory_bytes: int | None = None
    data_bytes: int | None = None
    pool_bytes: int | None = None
    drive: str = ""
    limit: str = ""
    limited: str = ""
    risks: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    gain: float | None = None
    cpu_busy: float | None = None
    drive_busy: float | None = None
    queries_per_s: float | None = None
    judged: int = 0
    applicable: int = 0
    role: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    curves_id: int | None = None
    kept: tuple[str, ...] = ()
    program: str = __version__

    @property
    def voice(self) -> Voice:
        """What speaks for it: what a report of it is made of."""
        return Voice(self.run_id, self.curves_id)

    @property
    def spare(self) -> float | None:
        """The share of processors, or of the drive's time, that is left (0..1): the lesser."""
        busy = [each for each in (self.cpu_busy, self.drive_busy) if each is not None]
        return max(0.0, 1 - max(busy)) if busy else None

    @property
    def idle(self) -> bool:
        """Whether it was watched, and had no query at work."""
        return not self.limit and self.queries_per_s is not None

    def written(self) -> str:
        """It as text."""
        return json.dumps(asdict(self), ensure_ascii=False)


def kept_row(store: Store, run_id: int) -> ServerRow | None:
    """The row that is kept with a run; None where there is none of this version."""
    kept = store.raw_inventory(run_id).answers.get(ANSWER)
    return None if kept is None else read_row(kept)


def read_row(text: str) -> ServerRow | None:
    """A row that was kept; None where another program judged it, or it can't be read."""
    try:
        kept = json.loads(text[:_MOST_BYTES])
        lists = {name: tuple(kept.get(name, ())) for name in ("risks", "changes", "kept")}
        row = ServerRow(**(kept | lists))
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return row if row.program == __version__ else None
