"""What else changes on a server while a value is tried: other settings, or the server itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import PurePosixPath

from probes.errors import MySQLAccessDenied, MySQLConnectionLost, MySQLError
from probes.mysql.answers import pairs
from probes.mysql.connection import MySQLSession
from probes.trial.ended import Break, TrialBroken

_MOVES_BY_ITSELF = ("gtid_", "timestamp", "innodb_buffer_pool_resize")
"""How names of variables begin that the server itself changes as it works."""

_ADAPTS = "innodb_thread_sleep_delay"
"""MySQL moves it as threads wait for a place, unless innodb_adaptive_max_sleep_delay is 0; it may
be set, too."""

_IDENTITY = "CONCAT_WS('/', @@GLOBAL.hostname, @@GLOBAL.port, @@GLOBAL.server_id)"
_SLACK_S = 5.0
_CLOCK_S = 1.0
"""Servers count whole seconds, and so does the journal."""
_DIRECTORIES = ("datadir", "innodb_log_group_home_dir", "tmpdir")
_REPLICA = ("SHOW REPLICA STATUS", "SHOW SLAVE STATUS")


@dataclass(frozen=True, slots=True)
class ServerSeen:
    """Who answers, since when it runs, and all its settings."""

    identity: str
    uptime_s: float
    variables: Mapping[str, str]

    def without(self, names: tuple[str, ...]) -> ServerSeen:
        """The same but for what the trial itself sets."""
        kept = {name: value for name, value in self.variables.items() if name not in names}
        return replace(self, variables=kept)


def seen(session: MySQLSession) -> ServerSeen:
    """Look at all of it; raises MySQLError and Cancelled."""
    found = pairs(session.rows("SHOW GLOBAL VARIABLES"))
    variables = {
        name.lower(): value
        for name, value in found.items()
        if not name.lower().startswith(_MOVES_BY_ITSELF)
    }
    uptime = pairs(session.rows("SHOW GLOBAL STATUS LIKE 'Uptime'")).get("Uptime", "0")
    return ServerSeen(session.value(_IDENTITY), float(uptime), variables)


def server_directories(variables: Mapping[str, str]) -> tuple[str, ...]:
    """The directories of the server's own that its variables name, as paths of its machine."""
    data = PurePosixPath(variables.get("datadir", ""))
    found = (data / variables.get(name, "") for name in _DIRECTORIES)
    return tuple(dict.fromkeys(str(each) for each in found if each.is_absolute()))


def same_server(before: ServerSeen, now: ServerSeen) -> None:
    """Raises TrialBroken (RESTARTED) where another server answers, or the same started again."""
    if before.identity != now.identity:
        raise TrialBroken(
            Break.RESTARTED,
            f"Another server answers: {now.identity} in the place of {before.identity}.",
            "Its values were not touched. The first one holds the way back itself.",
            detail=now.identity,
        )
    if now.uptime_s < before.uptime_s - _SLACK_S:
        raise TrialBroken(
            Break.RESTARTED,
            "The server was started again in the middle of the trial.",
            "It started with the values of its option file: nothing that was tried is left.",
        )


def started_since(session: MySQLSession, began_at: str) -> bool:
    """Whether the server was started after a moment (ISO 8601, with its time zone).

    The server counts how long it has run, so that this computer's clock alone matters. Raises
    MySQLError and Cancelled.
    """
    uptime_s = float(pairs(session.rows("SHOW GLOBAL STATUS LIKE 'Uptime'")).get("Uptime", "0"))
    passed_s = (datetime.now(UTC) - datetime.fromisoformat(began_at)).total_seconds()
    return uptime_s < passed_s - _CLOCK_S


def moved(before: ServerSeen, now: ServerSeen) -> dict[str, tuple[str, str]]:
    """The settings that are others than before, each with both values."""
    return {
        name: (value, now.variables[name])
        for name, value in before.variables.items()
        if name != _ADAPTS and name in now.variables and now.variables[name] != value
    }


def unfit(session: MySQLSession, variables: Mapping[str, str]) -> str:
    """Why nothing is tried on this server, as a sentence; "" where something may be.

    Raises MySQLConnectionLost and Cancelled.
    """
    if variables.get("super_read_only") == "ON" or variables.get("read_only") == "ON":
        return "The server is read_only: it is a replica, or somebody works on it."
    if variables.get("wsrep_on") == "ON":
        return "The server is a node of a cluster, and would hold the others back."
    for sql in _REPLICA:
        try:
            if session.rows(sql):
                return "The server is a replica: what it does follows its source, not its settings."
            break
        except MySQLAccessDenied:
            break
        except MySQLConnectionLost:
            raise
        except MySQLError:
            continue
    return ""
