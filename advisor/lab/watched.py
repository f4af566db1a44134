"""The load of a server that was watched at work, in figures that a lab can meet."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from probes.lab.turn import LoadTurn


@dataclass(frozen=True, slots=True)
class PerQuery:
    """What a query takes on average; None is not known.

    ``changes`` is the share of statements that change rows, ``time_us`` how long a query is at
    work, ``at_work`` how many are at a time, ``p95_us`` within which 95 of 100 transactions are
    done.
    """

    changes: float | None = None
    commits: float | None = None
    page_reads: float | None = None
    page_writes: float | None = None
    log_bytes: float | None = None
    time_us: float | None = None
    at_work: float | None = None
    p95_us: float | None = None


@dataclass(frozen=True, slots=True)
class WatchedLoad:
    """What a watch knows of a server's load. ``source`` is how people call the run.

    ``at_work`` of ``connections`` are at work on average. ``per_s`` are the status's counters per
    second, ``lines`` the server's own settings that decide how many pages a load reads and writes.
    Sizes are 0 where they are not known.
    """

    source: str
    connections: float
    at_work: float
    queries_per_s: float
    per_query: PerQuery
    per_s: Mapping[str, float] = field(default_factory=dict)
    lines: Mapping[str, str] = field(default_factory=dict)
    pool_bytes: int = 0
    data_bytes: int = 0
    redo_bytes: int = 0
    page_bytes: int = 0

    def rate(self, name: str) -> float:
        """A counter's growth per second; 0 where the server has none of that name."""
        return self.per_s.get(name, 0.0)

    @property
    def commits_per_s(self) -> float:
        """Transactions that commit changes; 0 where they are not known."""
        commits = commits_of(self.per_s)
        return 0.0 if commits is None else commits[0]


CHANGES = ("Com_delete", "Com_insert", "Com_replace", "Com_update")
COMMITTING = ("Binlog_commits", "Com_commit", "Com_load", *CHANGES)
"""Counters that say how many transactions commit changes."""


def commits_of(per_s: Mapping[str, float]) -> tuple[float, float] | None:
    """About how many transactions commit changes, and at most how many; None is not known.

    MariaDB counts those that its binary log takes. Else there are at most as many as statements
    that change rows: with autocommit each of them is one, and `Com_commit` counts none. Of those
    that end with COMMIT there are no more than that.
    """
    if logged := per_s.get("Binlog_commits"):
        return logged, logged
    changes = [per_s[name] for name in (*CHANGES, "Com_load") if name in per_s]
    ended = per_s.get("Com_commit")
    if not changes:
        return None if ended is None else (ended, ended)
    most = sum(changes)
    return (min(ended, most) if ended else most), most


def per_query(per_s: Mapping[str, float], queries: float, at_work: float) -> PerQuery:
    """What a query takes, of counters and queries in the same time; ``at_work`` 0 is unknown."""

    def each(name: str) -> float | None:
        return per_s[name] / queries if name in per_s else None

    commits = commits_of(per_s)
    return PerQuery(
        changes=_changing(per_s),
        commits=None if commits is None else commits[0] / queries,
        page_reads=each("Innodb_pages_read"),
        page_writes=each("Innodb_pages_written"),
        log_bytes=each("Innodb_os_log_written"),
        time_us=1e6 * at_work / queries if at_work else None,
        at_work=at_work or None,
    )


def _changing(counted: Mapping[str, float]) -> float | None:
    changes = sum(counted.get(name, 0.0) for name in CHANGES)
    statements = changes + counted.get("Com_select", 0.0)
    return changes / statements if statements else None


def worked(turns: Sequence[LoadTurn]) -> PerQuery:
    """What a query of a lab took, over some turns of one server."""
    # A turn's own reading of the counters is a query, too.
    queries = sum(max(0.0, each.status.get("Questions", 0.0) - 1) for each in turns)
    if not queries:
        return PerQuery()
    names = set.intersection(*(set(each.status) for each in turns))
    counted = {name: sum(each.status[name] for each in turns) for name in names}
    busy_us = sum(each.mean_us * each.transactions for each in turns if math.isfinite(each.mean_us))
    timed = [each.p95_us for each in turns if math.isfinite(each.p95_us)]
    found = per_query(counted, queries, 0.0)
    return replace(
        found,
        at_work=busy_us / 1e6 / sum(each.seconds for each in turns) if timed else None,
        time_us=busy_us / queries if timed else None,
        p95_us=sorted(timed)[len(timed) // 2] if timed else None,
    )
