"""A table of Leadline's own to look rows up in: sysbench's shape, hard to compress, filled fast."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from probes.cancel import CancelToken
from probes.mysql.work import WorkTable

if TYPE_CHECKING:
    from probes.mysql.connection import MySQLSession

TABLE = "lookups"

ROW_BYTES = 220
"""What a row takes on disk: 188 bytes of columns, InnoDB's own 18, and pages filled to 15/16."""

MARK = "Leadline made this table and removes it"
"""The comment of every table: what distinguishes ours from somebody else's."""

_BATCH_ROWS = 32_768

_HELPERS = ("numbers", "seed")

# A table is made first and filled then: with GTIDs many servers refuse to do both at once.
_CREATE = (
    """
CREATE TABLE {database}.lookups (
  id INT UNSIGNED NOT NULL PRIMARY KEY,
  k INT UNSIGNED NOT NULL,
  c BINARY(120) NOT NULL,
  pad BINARY(60) NOT NULL
) ENGINE={engine} ROW_FORMAT=DYNAMIC COMMENT='{mark}'
""",
    """
CREATE TABLE {database}.numbers (n INT UNSIGNED NOT NULL PRIMARY KEY)
ENGINE=InnoDB COMMENT='{mark}'
""",
    """
CREATE TABLE {database}.seed (
  n INT UNSIGNED NOT NULL PRIMARY KEY,
  c BINARY(116) NOT NULL,
  pad BINARY(60) NOT NULL
) ENGINE=InnoDB COMMENT='{mark}'
""",
)

# Digests are as incompressible as random bytes, and every version of every family has them.
_SEED = """
INSERT INTO {database}.seed
SELECT n, LEFT(CONCAT(UNHEX(SHA2(CONCAT('c', n), 512)), UNHEX(SHA2(CONCAT('d', n), 512))), 116),
       LEFT(UNHEX(SHA2(CONCAT('p', n), 512)), 60)
  FROM {database}.numbers ORDER BY n
"""

# The seed's bytes come again with each batch, behind a digest of the key: far beyond what a drive
# that compresses looks at, and no two pages are alike.
_FILL = """
INSERT INTO {database}.lookups
SELECT n + {first}, CRC32(n + {first}),
       CONCAT(UNHEX(LPAD(HEX(CRC32(n + {first})), 8, '0')), c), pad
  FROM {database}.seed WHERE n <= {count} ORDER BY n
"""


def fill_lookups(
    session: MySQLSession,
    database: str,
    table_bytes: int,
    token: CancelToken,
    *,
    engine: str = "InnoDB",
) -> Iterator[int]:
    """Make the table in ``database``, which is there, and fill it to about ``table_bytes``.

    In the order of the key, so that pages are full. Yields the bytes filled so far. ``database``
    and ``engine`` are names of our own. Raises Cancelled and MySQLError.
    """
    yield 0
    begin_lookups(session, database, engine=engine)
    batches = lookup_batches(database, table_bytes)
    for number, statement in enumerate(batches, 1):
        token.check()
        session.rows(statement)
        yield table_bytes * number // len(batches)
    end_lookups(session, database)


def begin_lookups(session: MySQLSession, database: str, *, engine: str = "InnoDB") -> None:
    """Make the table in ``database``, empty, and the rows that ``lookup_batches`` fills it from."""
    for statement in _CREATE:
        session.rows(statement.format(database=database, mark=MARK, engine=engine))
    _seed(session, database)


def lookup_batches(database: str, table_bytes: int) -> list[str]:
    """Statements that fill the table, each a range of keys, in the order of the key.

    Ranges may be filled at the same time; each fills its pages best from its beginning to its end.
    """
    rows = row_count(table_bytes)
    return [
        _FILL.format(database=database, first=first, count=min(_BATCH_ROWS, rows - first))
        for first in range(0, rows, _BATCH_ROWS)
    ]


def end_lookups(session: MySQLSession, database: str) -> None:
    """Drop what only filling needs."""
    for helper in _HELPERS:
        session.rows(f"DROP TABLE {database}.{helper}")


def row_count(table_bytes: int) -> int:
    """How many rows take ``table_bytes``; at least one."""
    return max(1, table_bytes // ROW_BYTES)


def lookups_of(table_bytes: int) -> WorkTable:
    """The keys of the table's first ``table_bytes``; pk_update may write to them."""
    return WorkTable(
        name=TABLE,
        key_column="id",
        value_column="c",
        min_key=1,
        max_key=row_count(table_bytes),
        own=True,
    )


def _seed(session: MySQLSession, database: str) -> None:
    session.rows(f"INSERT INTO {database}.numbers VALUES (1)")  # noqa: S608 - our own name
    count = 1
    while count < _BATCH_ROWS:
        session.rows(
            f"INSERT INTO {database}.numbers SELECT n + %s FROM {database}.numbers",  # noqa: S608
            (count,),
        )
        count *= 2
    session.rows(_SEED.format(database=database))
