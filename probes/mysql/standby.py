"""Threads that ``Threads_running`` counts and that do no query, and appliers that it leaves out.

Seen on MySQL 8.0.33 and 9.7 and on MariaDB 10.11. Each counts the event scheduler's thread (which
MySQL has from 8.0 on where nobody switches it off), and one for each replica that reads the binary
log. Of a replica's own threads MariaDB counts all, those that wait for something to apply among
them; MySQL counts none, at work or not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from probes.mysql.answers import Answering, pairs, plain

SCHEDULER = "event_scheduler"
"""The variable, and the user that its thread has."""

LEADLINES_OWN = 1
"""Leadline's connection is at work itself while it asks for the status."""

COUNTED = ("standby", "replicating", "idle")
"""What ``sums`` counts: the scheduler and readers of the binary log; a replica's own threads; those
of them that wait for something to apply, or for their source."""

_IDLE = (
    "'^$|has read all relay log|^Waiting (until|to reconnect)|onnecting to|^Queueing"
    "|^Re(quest|gister)ing' "
    "'|^Waiting for (an event from|dependent|work from|room in|the next"
    "|.* (worker|to send event|SQL))'"
)
"""States of a replica's threads that apply nothing just now, as two texts that SQL joins: other
waits are of a transaction."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Names of columns of a list of threads; ``replicating`` is true of a replica's own."""

    user: str
    command: str
    state: str
    replicating: str


PROCESSLIST = Columns("USER", "COMMAND", "STATE", "USER = 'system user' AND COMMAND <> 'Daemon'")
THREADS = Columns(
    "PROCESSLIST_USER",
    "PROCESSLIST_COMMAND",
    "PROCESSLIST_STATE",
    "NAME REGEXP 'sql/(replica|slave)_'",
)
"""Of MySQL's Performance Schema, where a replica's threads have the user who started them."""


def sums(of: Columns) -> str:
    """SQL that counts all of ``COUNTED``."""
    conditions = (
        f"{of.user} = '{SCHEDULER}' OR {of.command} LIKE 'Binlog Dump%'",
        of.replicating,
        f"{of.replicating} AND IFNULL({of.state}, '') REGEXP {_IDLE}",
    )
    named = zip(COUNTED, conditions, strict=True)
    return ", ".join(f"SUM(IF({condition}, 1, 0)) AS {name}" for name, condition in named)


def standing_by(session: Answering, *, mariadb: bool) -> int:
    """How many threads are counted as running and do no query, as far as the account sees them.

    Raises MySQLError.
    """
    rows = session.rows(f"SELECT {sums(PROCESSLIST)} FROM information_schema.processlist")  # noqa: S608 - constants
    names = ("standby", "idle") if mariadb else ("standby",)
    seen = sum(int(plain(row[name]) or 0) for row in rows for name in names)
    variables = pairs(session.rows(f"SHOW GLOBAL VARIABLES LIKE '{SCHEDULER}'"))
    return max(seen, int(scheduler_runs(variables)))


def at_work(running: float, standby: float) -> float:
    """How many of the threads that ``Threads_running`` counts are at work, without Leadline's own.

    ``standby`` are those that stand by, less appliers that it does not count.
    """
    return max(0.0, running - LEADLINES_OWN - standby)


def scheduler_runs(variables: Mapping[str, str]) -> bool:
    """Whether the event scheduler has a thread of its own, by the server's variables."""
    return variables.get(SCHEDULER, "").upper() in {"ON", "1"}
