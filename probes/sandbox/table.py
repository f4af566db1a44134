"""The table that point selects read: sysbench's shape, filled fast, hard to compress."""

from __future__ import annotations

import time
from collections.abc import Iterator

from probes.cancel import CancelToken
from probes.engines.mysql_work import WorkTable
from probes.events import Preparing
from probes.mysql.connection import MySQLSession

MIB = 1 << 20

DATABASE = "leadline"
TABLE = "lookups"
"""Names of our own, so putting them into statements is safe."""

ROW_BYTES = 220
"""What a row takes on disk: 188 bytes of columns, InnoDB's own 18, and pages filled to 15/16."""

CACHED_BYTES = 24 * MIB
"""The key range of the cached working set: well within the pool, beside what the server needs."""

_BATCH_ROWS = 32_768
_WHAT = "table of the throwaway server"

_CREATE = f"""
CREATE TABLE {DATABASE}.{TABLE} (
  id INT UNSIGNED NOT NULL PRIMARY KEY,
  k INT UNSIGNED NOT NULL,
  c BINARY(120) NOT NULL,
  pad BINARY(60) NOT NULL
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC
"""

# Digests are as incompressible as random bytes, and every version of every family has them.
_SEED = f"""
CREATE TABLE {DATABASE}.seed (n INT UNSIGNED NOT NULL PRIMARY KEY) ENGINE=InnoDB
SELECT n, LEFT(CONCAT(UNHEX(SHA2(CONCAT('c', n), 512)), UNHEX(SHA2(CONCAT('d', n), 512))), 116) AS c,
       LEFT(UNHEX(SHA2(CONCAT('p', n), 512)), 60) AS pad
  FROM {DATABASE}.numbers ORDER BY n
"""  # noqa: E501, S608

# The seed's bytes come again with each batch, behind a digest of the key: far beyond what a drive
# that compresses looks at, and no two pages are alike.
_FILL = f"""
INSERT INTO {DATABASE}.{TABLE}
SELECT n + %s, CRC32(n + %s), CONCAT(UNHEX(LPAD(HEX(CRC32(n + %s)), 8, '0')), c), pad
  FROM {DATABASE}.seed WHERE n <= %s ORDER BY n
"""  # noqa: S608

_DIRTY_ENOUGH_PAGES = 64
_FLUSH_LIMIT_S = 60.0
_FLUSH_STEP_S = 0.2


def fill_table(session: MySQLSession, table_bytes: int, token: CancelToken) -> Iterator[Preparing]:
    """Create the table and fill it to about ``table_bytes``, then let the server write it out.

    In the order of the key, so that pages are full. Raises Cancelled and MySQLError.
    """
    rows = row_count(table_bytes)
    yield Preparing(_WHAT, 0, table_bytes)
    _create(session)
    for first in range(0, rows, _BATCH_ROWS):
        token.check()
        count = min(_BATCH_ROWS, rows - first)
        session.rows(_FILL, (first, first, first, count))
        yield Preparing(_WHAT, int(table_bytes * (first + count) / rows), table_bytes)
    session.rows(f"DROP TABLE {DATABASE}.numbers, {DATABASE}.seed")
    _write_out(session, token)


def warm_up(session: MySQLSession) -> None:
    """Read the cached key range into the pool."""
    cached = working_sets(CACHED_BYTES)["cached"]
    session.rows(
        f"SELECT SUM(CRC32(c)) AS s FROM {DATABASE}.{TABLE} "  # noqa: S608
        "WHERE id BETWEEN %s AND %s",
        (cached.min_key, cached.max_key),
    )


def row_count(table_bytes: int) -> int:
    """How many rows take ``table_bytes``; at least one."""
    return max(1, table_bytes // ROW_BYTES)


def working_sets(table_bytes: int) -> dict[str, WorkTable]:
    """The key ranges to look up: one that the pool holds, and the whole table."""
    cached_rows = row_count(min(CACHED_BYTES, table_bytes))
    ranges = {"cached": cached_rows, "uncached": row_count(table_bytes)}
    return {
        name: WorkTable(name=TABLE, key_column="id", value_column="c", min_key=1, max_key=last_key)
        for name, last_key in ranges.items()
    }


def _create(session: MySQLSession) -> None:
    session.rows(f"CREATE DATABASE {DATABASE}")
    session.rows(_CREATE)
    session.rows(f"CREATE TABLE {DATABASE}.numbers (n INT UNSIGNED NOT NULL PRIMARY KEY)")
    session.rows(f"INSERT INTO {DATABASE}.numbers VALUES (1)")  # noqa: S608
    count = 1
    while count < _BATCH_ROWS:
        session.rows(
            f"INSERT INTO {DATABASE}.numbers SELECT n + %s FROM {DATABASE}.numbers",  # noqa: S608
            (count,),
        )
        count *= 2
    session.rows(_SEED)


def _write_out(session: MySQLSession, token: CancelToken) -> None:
    """Have the dirty pages written, so that no background write disturbs a probe."""
    session.rows("SET GLOBAL innodb_max_dirty_pages_pct = 0")
    deadline = time.monotonic() + _FLUSH_LIMIT_S
    while _dirty_pages(session) > _DIRTY_ENOUGH_PAGES and time.monotonic() < deadline:
        token.wait(_FLUSH_STEP_S)


def _dirty_pages(session: MySQLSession) -> int:
    rows = session.rows("SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_pages_dirty'")
    return int(str(rows[0]["Value"]))
