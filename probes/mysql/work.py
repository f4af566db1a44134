"""What an engine needs to look rows up in a server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from probes.mysql.login import ResolvedLogin


@dataclass(frozen=True, slots=True)
class WorkTable:
    """A table with an integer primary key; lookups read ``value_column`` of keys min..max.

    ``own``: Leadline made it, so that pk_update may write to it.
    """

    name: str
    key_column: str
    value_column: str
    min_key: int
    max_key: int
    own: bool = False


@dataclass(frozen=True, slots=True)
class MySQLWork:
    """A server as the target sees it, and the table of each working set by its name."""

    login: ResolvedLogin
    database: str
    tables: Mapping[str, WorkTable]
