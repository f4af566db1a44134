"""The way back that stands on the server itself: a connection that waits to set the old values.

Whoever sets values holds a lock of the server's (GET_LOCK). A second connection waits in one
statement for that lock, and sets the old values once it has it. So the server itself goes back the
moment the first connection ends, however it does: its client is killed, its machine loses the
network (the server ends a silent connection after ``wait_timeout``), somebody kills it. Both
clients may be gone by then. It needs no privilege but the one to set, writes nothing, and leaves
nothing. Tried on MySQL 5.6.14 and 8.0.33 and MariaDB 10.11: back within 20 ms of the client's end.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from probes.cancel import CancelToken
from probes.errors import LeadlineError, MySQLError
from probes.mysql.answers import plain
from probes.mysql.connection import MySQLSession
from probes.trial.settings import TriedSetting, in_steps

IDLE_S = 15
"""After that many seconds of silence the server ends the connection that holds the lock."""

_LONGEST_S = 7 * 24 * 3600
"""How long the lock is waited for: longer than any trial."""

BY_ITSELF_S = 2.0
"""How long the wait may take to end once the lock is let go."""

_LIMIT_S = 10.0
_GONE_S = 5.0
_POLL_S = 0.05
_OF_THREAD = "SELECT INFO AS said FROM information_schema.PROCESSLIST WHERE ID = {}"


def new_lock() -> str:
    """A name for a lock that nobody else has."""
    return f"leadline-trial-{secrets.token_hex(8)}"


def hold_lock(session: MySQLSession, lock: str) -> None:
    """Take the lock for as long as this session lives and is heard of. Raises MySQLError."""
    session.rows(f"SET SESSION wait_timeout = {IDLE_S}")
    if session.value(f"GET_LOCK('{lock}', 0)") != "1":
        raise MySQLError("The server gives no lock.", "Does a proxy stand before it?")


def release_lock(session: MySQLSession, lock: str) -> None:
    """Let go of the lock: whoever waits for it sets the old values. Raises MySQLError."""
    session.rows(f"DO RELEASE_LOCK('{lock}')")


def waiting_sql(settings: tuple[TriedSetting, ...], lock: str) -> str:
    """The statement that waits, and then sets every old value, the last one first.

    A size that is changed in steps stands alone, and stays where the wait is ended: a server that
    has begun to resize itself would refuse the size that is kept.
    """
    if in_steps(settings):
        (one,) = settings
        got = f"GET_LOCK('{lock}', {_LONGEST_S}) = 1"
        return f"SET GLOBAL {one.name} = IF({got}, {one.old}, @@GLOBAL.{one.name})"
    parts = [f"GLOBAL {each.name} = {each.literal(each.old)}" for each in reversed(settings)]
    name, _, old = parts[0].partition(" = ")
    waits = f"{name} = IF(GET_LOCK('{lock}', {_LONGEST_S}) IS NULL, {old}, {old})"
    return f"SET {', '.join([waits, *parts[1:]])}"


class ServerWayBack:
    """A connection that waits on the server; see the module. Belongs to one trial."""

    def __init__(self, asking: MySQLSession, waiting: MySQLSession) -> None:
        self._asking = asking
        self._id = waiting.thread_id

    def stands(self) -> bool:
        """Whether it still waits; raises MySQLError and Cancelled."""
        rows = self._asking.rows(_OF_THREAD.format(self._id))
        return bool(rows) and "GET_LOCK" in plain(rows[0]["said"])

    def end(self) -> None:
        """End the wait for good; some servers set the old values then. Raises MySQLError."""
        with suppress(MySQLError):
            self._asking.rows(f"KILL {self._id}")
        if not _within(_GONE_S, lambda: not self._asking.rows(_OF_THREAD.format(self._id))):
            raise MySQLError("The server does not end the connection that holds the way back.")


@contextmanager
def server_way_back(
    asking: MySQLSession, settings: tuple[TriedSetting, ...], lock: str
) -> Iterator[ServerWayBack]:
    """Have a connection wait for ``lock``, which somebody holds; ended with the context.

    ``asking`` is a session of the same account. Raises MySQLError, TargetError.
    """
    with asking.writer(CancelToken(), _LIMIT_S) as waiting:
        waiting.begin(waiting_sql(settings, lock))
        made = ServerWayBack(asking, waiting)
        if not _within(_GONE_S, made.stands):
            raise MySQLError("No connection can wait on the server.")
        try:
            yield made
        finally:
            # Once the lock is let go it ends, and has set the old values then.
            with suppress(LeadlineError):
                if not _within(BY_ITSELF_S, lambda: not made.stands()):
                    made.end()


def works(asking: MySQLSession, settings: tuple[TriedSetting, ...]) -> bool:
    """Try that way back with the values that are there: a lock is let go, and the wait must end.

    Raises MySQLConnectionLost where ``asking`` itself is lost, TargetError and Cancelled.
    """
    lock = new_lock()
    token = CancelToken()
    try:
        with asking.writer(token, _LIMIT_S) as holding, asking.writer(token, _LIMIT_S) as waiting:
            hold_lock(holding, lock)
            waiting.begin(waiting_sql(settings, lock))
            standing = ServerWayBack(asking, waiting)
            if not _within(_GONE_S, standing.stands):
                return False
            asking.rows(f"KILL {holding.thread_id}")
            return _within(_GONE_S, lambda: not standing.stands())
    except MySQLError:
        # What was refused here is not there; a lost connection shows with the next question.
        asking.rows("DO 0")
        return False


def _within(seconds: float, happens: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + seconds
    while not happens():
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL_S)
    return True
