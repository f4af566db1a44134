"""How far replicas of a server are behind while something is tried on it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

from probes.errors import MySQLAccessDenied, MySQLConnectionLost, MySQLError, UsageError
from probes.mysql.answers import plain
from probes.mysql.connection import MySQLSession
from probes.trial.ended import GuardLimit, LimitPassed, limit_passed

LOOK_S = 1.0
"""Replicas count whole seconds."""

TIMES, MORE_S = 2.0, 10.0
"""A replica may fall twice as far behind as it was, or ten seconds more (our choice)."""

_ASKED = ("SHOW REPLICA STATUS", "SHOW SLAVE STATUS")
_LAGS = ("Seconds_Behind_Source", "Seconds_Behind_Master")


@dataclass(slots=True)
class _Replica:
    session: MySQLSession
    most_s: float
    over: bool = False


class Replicas:
    """Replicas whose lag ends a trial; belongs to the thread that made it."""

    def __init__(self, sessions: Mapping[str, MySQLSession]) -> None:
        """See how far each is behind now; raises UsageError where one does not replicate."""
        self._replicas = []
        self._looked_s = 0.0
        for name, session in sessions.items():
            lag_s = _lag_s(session)
            if lag_s is None:
                raise UsageError(
                    f"{name} does not replicate, or does not show this account how far it is "
                    "behind.",
                    "It takes REPLICATION CLIENT (MariaDB: REPLICA MONITOR) there.",
                )
            self._replicas.append(_Replica(session, max(TIMES * lag_s, lag_s + MORE_S)))

    def look(self) -> None:
        """Look once a second; raises TrialBroken where one is too far behind twice in a row.

        One that can't be asked any more, or has stopped, is no matter of the value.
        """
        if not self._replicas or time.monotonic() - self._looked_s < LOOK_S:
            return
        self._looked_s = time.monotonic()
        for each in self._replicas:
            lag_s = _lag_s(each.session) or 0.0
            if lag_s > each.most_s and each.over:
                raise limit_passed(LimitPassed(GuardLimit.REPLICA_LAG, lag_s, each.most_s))
            each.over = lag_s > each.most_s


def _lag_s(session: MySQLSession) -> float | None:
    """How far it is behind; None where it does not replicate, or does not say so."""
    for sql in _ASKED:
        try:
            rows = session.rows(sql)
        except (MySQLAccessDenied, MySQLConnectionLost):
            return None
        except MySQLError:
            # Older servers know the other name alone.
            continue
        texts = [plain(row[name]) for row in rows for name in _LAGS if row.get(name) is not None]
        known = [float(text) for text in texts if text.isdecimal()]
        return max(known) if known else None
    return None
