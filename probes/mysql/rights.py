"""Which of the privileges that its look at a server takes an account has not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from probes.errors import MySQLAccessDenied, MySQLConnectionLost, MySQLError

if TYPE_CHECKING:
    # PyMySQL comes with it: nothing loads that before there is a server.
    from probes.mysql.connection import MySQLSession


@dataclass(frozen=True, slots=True)
class Right:
    """A privilege, what it is granted on, a question that takes it, and what it shows."""

    name: str
    on: str
    asked: str
    shows: str

    def grant(self, account: str) -> str:
        """The statement that gives it to ``app@%``."""
        user, _, host = account.rpartition("@")
        return f"GRANT {self.name} ON {self.on} TO {_quoted(user)}@{_quoted(host)};"


RIGHTS = (
    Right(
        "PROCESS",
        "*.*",
        "SHOW ENGINE INNODB STATUS",
        "the age of the checkpoint, the purge's arrears and other connections",
    ),
    Right(
        "SELECT",
        "performance_schema.*",
        "SELECT 1 FROM performance_schema.file_summary_by_event_name LIMIT 1",
        "how long its reads, writes and syncs take",
    ),
)
"""What ``docs/watch.md`` says that the parts of a watch take."""


def lacking(session: MySQLSession) -> Iterator[Right]:
    """Those that the account was refused; raises MySQLConnectionLost and Cancelled."""
    for right in RIGHTS:
        try:
            session.rows(right.asked)
        except MySQLAccessDenied:
            yield right
        except MySQLConnectionLost:
            raise
        except MySQLError:
            # Another refusal, as of a server without InnoDB, says nothing of the account.
            continue


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "''") + "'"
