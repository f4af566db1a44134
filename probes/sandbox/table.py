"""The table that the throwaway server's clients read and write."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from probes.cancel import CancelToken
from probes.events import Preparing
from probes.mysql.lookup_table import TABLE, fill_lookups, lookups_of
from probes.mysql.work import WorkTable

if TYPE_CHECKING:
    from probes.mysql.connection import MySQLSession

MIB = 1 << 20

DATABASE = "leadline"
"""A name of our own, so putting it into statements is safe."""

CACHED_BYTES = 24 * MIB
"""The key range of the cached working set: well within the pool, beside what the server needs."""

_WHAT = "table of the throwaway server"

_DIRTY_ENOUGH_PAGES = 64
_FLUSH_LIMIT_S = 60.0
_FLUSH_STEP_S = 0.2


def fill_table(session: MySQLSession, table_bytes: int, token: CancelToken) -> Iterator[Preparing]:
    """Create the table and fill it to about ``table_bytes``, then let the server write it out.

    Raises Cancelled and MySQLError.
    """
    session.rows(f"CREATE DATABASE {DATABASE}")
    for done in fill_lookups(session, DATABASE, table_bytes, token):
        yield Preparing(_WHAT, done, table_bytes)
    _write_out(session, token)


def warm_up(session: MySQLSession) -> None:
    """Read the cached key range into the pool."""
    cached = working_sets(CACHED_BYTES)["cached"]
    session.rows(
        f"SELECT SUM(CRC32(c)) AS s FROM {DATABASE}.{TABLE} "  # noqa: S608
        "WHERE id BETWEEN %s AND %s",
        (cached.min_key, cached.max_key),
    )


def working_sets(table_bytes: int) -> dict[str, WorkTable]:
    """The key ranges to look up: one that the pool holds, and the whole table."""
    return {
        "cached": lookups_of(min(CACHED_BYTES, table_bytes)),
        "uncached": lookups_of(table_bytes),
    }


def _write_out(session: MySQLSession, token: CancelToken) -> None:
    """Have the dirty pages written, so that no background write disturbs a probe."""
    session.rows("SET GLOBAL innodb_max_dirty_pages_pct = 0")
    deadline = time.monotonic() + _FLUSH_LIMIT_S
    while _dirty_pages(session) > _DIRTY_ENOUGH_PAGES and time.monotonic() < deadline:
        token.wait(_FLUSH_STEP_S)


def _dirty_pages(session: MySQLSession) -> int:
    rows = session.rows("SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_pages_dirty'")
    return int(str(rows[0]["Value"]))
