"""A schema of Leadline's own on a server that is in use: filled, measured, and dropped again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING

from probes.boundary.malformed import shown
from probes.cancel import CancelToken
from probes.errors import LeadlineError, MySQLError
from probes.mysql.answers import plain
from probes.mysql.lookup_table import MARK, fill_lookups, lookups_of
from probes.mysql.work import MySQLWork

if TYPE_CHECKING:
    from probes.mysql.connection import MySQLSession

DATABASE = "leadline_probe"
"""A name of our own, so putting it into statements is safe."""

_LOCK = "leadline_probe"
"""A lock by name, held while the schema is in use: without its holder the schema is a leftover."""

# A schema is somebody else's if anything in it lacks our mark.
_STRANGERS = """
SELECT table_name AS name FROM information_schema.tables
 WHERE table_schema = %s AND (table_comment <> %s OR table_type <> 'BASE TABLE')
 UNION ALL
SELECT routine_name FROM information_schema.routines WHERE routine_schema = %s
 UNION ALL
SELECT event_name FROM information_schema.events WHERE event_schema = %s
"""


@contextmanager
def own_schema(session: MySQLSession, table_bytes: int, token: CancelToken) -> Iterator[MySQLWork]:
    """Make the schema ``leadline_probe`` with one table of about ``table_bytes``; drops it.

    Only after the user's consent: it is written to the binary log, and so to the server's replicas,
    as all that is written to the table is. ``session`` gives the login, and stays as it is. The
    working set is ``own``. A leftover of a run that was killed is dropped first. Raises MySQLError
    where the schema is somebody else's, in use or not allowed, or can't be dropped; and Cancelled.
    """
    with session.writer(token) as writer:
        _refuse_read_only(writer)
        _lock(writer)
        _drop_leftover(writer)
        writer.rows(f"CREATE DATABASE {DATABASE}")
        # What went wrong before matters more than a leftover, which the next run finds.
        dropping: AbstractContextManager[None] = suppress(LeadlineError)
        try:
            for _ in fill_lookups(writer, DATABASE, table_bytes, token):
                token.check()
            yield MySQLWork(session.login, DATABASE, {"own": lookups_of(table_bytes)})
            dropping = nullcontext()
        finally:
            with dropping:
                _drop(session)


def _refuse_read_only(writer: MySQLSession) -> None:
    """Only a replica is read-only: what is written there, its source does not know."""
    read_only = writer.value("@@GLOBAL.read_only").upper()
    if read_only not in ("0", "OFF"):
        raise MySQLError(
            "The server is read-only, so no schema of Leadline's own can be made on it.",
            "Measure updates on the server that writes, or on a throwaway server with --sandbox.",
        )


def _lock(writer: MySQLSession) -> None:
    # The lock goes with the connection, which says nothing while points are measured.
    writer.rows("SET SESSION wait_timeout = 86400")
    if writer.value(f"GET_LOCK('{_LOCK}', 0)") != "1":
        raise MySQLError(
            f"Another Leadline is at work in the schema {DATABASE} of this server.",
            "Wait until it has ended.",
        )


def _drop_leftover(writer: MySQLSession) -> None:
    known = writer.rows(
        "SELECT schema_name AS name FROM information_schema.schemata WHERE schema_name = %s",
        (DATABASE,),
    )
    if not known:
        return
    strangers = writer.rows(_STRANGERS, (DATABASE, MARK, DATABASE, DATABASE))
    if strangers:
        raise MySQLError(
            f"The server has a schema {DATABASE} that Leadline did not make: it holds "
            f"{shown(plain(strangers[0]['name']))}.",
            "Rename that schema, or measure a throwaway server with --sandbox.",
        )
    writer.rows(f"DROP DATABASE {DATABASE}")


def _drop(session: MySQLSession) -> None:
    """By a connection of its own: a cancelled run has hung up the others."""
    try:
        with session.writer(CancelToken()) as writer:
            writer.rows(f"DROP DATABASE IF EXISTS {DATABASE}")
    except LeadlineError as error:
        raise MySQLError(
            f"The schema {DATABASE} could not be removed from the server: {error.sentence}",
            f"Remove it by DROP DATABASE {DATABASE}.",
            error.details,
        ) from error
