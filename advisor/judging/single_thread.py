"""A single thread that does the work of a server, or all that a replica applies."""

from __future__ import annotations

from statistics import fmean, pvariance

from advisor.case import Case
from advisor.facts.readings import Absent
from advisor.facts.server.cluster import NODES
from advisor.facts.server.variables import users_window
from advisor.facts.watched.watch import users_watch
from probes.inventory.facts import StatusWindow
from probes.watch.watched import Watched

ONE, AT_ONCE = 0.75, 2.0
"""A single thread does the work where at least ``ONE`` is at work on average, and up to ``AT_ONCE``
at any time: whoever looks at the server now and then is the second (our choice)."""

LOADED = 1.5
"""With fewer queries at work on average there is room for more of them, unless what they wait for
is in use all the time (our choice)."""

UNEVEN = 0.5
"""Looks at one thread vary by less than this share of their mean (p - p² of p), those at many
clients that come at random by all of it (our choice, in between)."""

COME = 5.0
"""From this number of new connections each second on many clients take turns (our choice)."""

ALL_THE_TIME = 0.9
"""From this share of the looks on, at which it applies something, an applier is busy all the time:
what comes then waits for it (our choice)."""

WORKERS = ("replica_parallel_workers", "slave_parallel_workers", "slave_parallel_threads")
"""How many threads apply a source's changes, by the name of the version."""


def one_thread(case: Case, running: float) -> str:
    """What the thread is that does all of the work; "" where several do, or nobody watched."""
    watched = users_watch(case)
    at_work = watched.at_work if isinstance(watched, Watched) else None
    if at_work is None or at_work.high > AT_ONCE:
        return ""
    if not ONE <= running < LOADED or _take_turns(case, watched):
        return ""
    mysql = case.inventory.mysql
    replica = mysql is not None and mysql.switch("read_only")
    return "applier" if single_applier(case) and (replica or applier_is_busy(case)) else "thread"


def applier_is_busy(case: Case) -> bool:
    """Whether a single applier is at work all the time, whoever else is.

    A cluster's nodes have appliers of their own, of which ``cluster.flow-control`` knows.
    """
    watched = users_watch(case)
    if not isinstance(watched, Watched) or not ALL_THE_TIME <= watched.appliers <= AT_ONCE:
        return False
    window = users_window(case)
    node = isinstance(window, StatusWindow) and bool(window.gauge(NODES))
    return single_applier(case) is not None and not node


def single_applier(case: Case) -> tuple[str, int] | None:
    """The setting that makes a replica apply with one thread, and its value; None elsewhere."""
    mysql = case.inventory.mysql
    named = ((name, None if mysql is None else mysql.number(name)) for name in WORKERS)
    known = [(name, int(workers)) for name, workers in named if workers is not None]
    return known[0] if known and max(workers for _, workers in known) <= 1 else None


def _take_turns(case: Case, watched: Watched | Absent) -> bool:
    """Whether many clients make one query on average, as PHP's do that connect for each page."""
    looks = watched.at_work_samples if isinstance(watched, Watched) else ()
    window = users_window(case)
    new_per_s = window.per_s("Connections") if isinstance(window, StatusWindow) else None
    return (new_per_s or 0.0) >= COME or pvariance(looks) > UNEVEN * fmean(looks)
