"""A table of the server's own that primary-key lookups may read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from probes.boundary.malformed import Malformed
from probes.boundary.numbers import LARGEST, LARGEST_WORD, whole_from_text
from probes.errors import MySQLError, UsageError
from probes.mysql.answers import ADVICE, plain
from probes.mysql.work import MySQLWork, WorkTable

if TYPE_CHECKING:
    from probes.mysql.connection import MySQLSession

_CANDIDATES = """
SELECT t.table_schema AS table_schema, t.table_name AS table_name, k.column_name AS key_column
  FROM information_schema.tables t
  JOIN information_schema.columns k
    ON k.table_schema = t.table_schema AND k.table_name = t.table_name AND k.column_key = 'PRI'
 WHERE t.engine = 'InnoDB' AND t.table_type = 'BASE TABLE'
   AND t.table_schema NOT IN ('mysql', 'sys', 'information_schema', 'performance_schema')
   AND (%s = '' OR (t.table_schema = %s AND t.table_name = %s))
   AND k.data_type IN ('tinyint', 'smallint', 'mediumint', 'int', 'bigint')
   AND (SELECT COUNT(*) FROM information_schema.columns c
         WHERE c.table_schema = t.table_schema AND c.table_name = t.table_name
           AND c.column_key = 'PRI') = 1
 ORDER BY t.data_length DESC LIMIT 1
"""


_WRITTEN = """
SELECT c.column_name AS column_name
  FROM information_schema.columns c
 WHERE c.table_schema = %s AND c.table_name = %s
   AND c.data_type IN ('char', 'varchar', 'binary', 'varbinary')
   AND c.character_maximum_length >= %s AND c.column_key = '' AND c.extra NOT LIKE '%%GENERATED%%'
 ORDER BY c.ordinal_position LIMIT 1
"""
WRITTEN_LETTERS = 120
"""What an update of the agent's or of the lab's writes."""


def existing_table(session: MySQLSession, wanted: str = "") -> MySQLWork | None:
    """Work on ``wanted`` ("schema.table"), or on the largest InnoDB table that may be read.

    Only tables with one integer column as primary key serve; the lookup reads that column alone, by
    primary key, and changes nothing. None when there is no such table. Raises UsageError when
    ``wanted`` is none.
    """
    schema, _, table = wanted.partition(".")
    rows = session.rows(_CANDIDATES, (wanted, schema, table))
    if not rows:
        if wanted:
            raise UsageError(
                f"{wanted} is no InnoDB table with a single integer primary key that "
                f"{session.account} may read.",
                "Name one as SCHEMA.TABLE, or name none to have the largest fitting one taken.",
            )
        return None
    schema, table, key = (
        str(rows[0][name]) for name in ("table_schema", "table_name", "key_column")
    )
    ends = session.one(
        f"SELECT MIN({_quoted(key)}) AS low, MAX({_quoted(key)}) AS high "  # noqa: S608 - quoted
        f"FROM {_quoted(schema)}.{_quoted(table)}"
    )
    if ends["low"] is None:
        return None
    try:
        lowest, highest = (
            whole_from_text(plain(ends[end]), f"the key's {end} end", -LARGEST, LARGEST_WORD)
            for end in ("low", "high")
        )
    except Malformed as error:
        raise MySQLError(f"The MySQL server's answer is damaged: {error}.", ADVICE) from error
    return MySQLWork(
        login=session.login,
        database=schema,
        tables={"existing": WorkTable(table, key, key, lowest, highest)},
    )


def written_column(session: MySQLSession, schema: str, table: str) -> str:
    """The first column that no index begins with and an update's value fits; "" without any."""
    rows = session.rows(_WRITTEN, (schema, table, WRITTEN_LETTERS))
    return str(rows[0]["column_name"]) if rows else ""


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"
