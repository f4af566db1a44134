"""What the server may take of the memory: its own pools and what each connection adds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from advisor.case import Case
from advisor.facts.fact import NO_HOST, Fact, Read, given, why_missing
from advisor.facts.readings import Absent, Reading
from advisor.facts.server.variables import SHOW_VARIABLES, users_server
from probes import figures
from probes.inventory.facts import MySQLFacts

POOLS = (
    "innodb_buffer_pool_size",
    "innodb_log_buffer_size",
    "key_buffer_size",
    "query_cache_size",
    "aria_pagecache_buffer_size",
    "group_replication_message_cache_size",
    "rocksdb_block_cache_size",
    "tokudb_cache_size",
)
"""Memory that is there once, whoever is connected."""

BUFFERS = (
    "sort_buffer_size",
    "join_buffer_size",
    "read_buffer_size",
    "read_rnd_buffer_size",
    "binlog_cache_size",
    "thread_stack",
    "net_buffer_length",
)
"""Memory that a connection may take on top of the pools, reckoned as one of each."""


@dataclass(frozen=True, slots=True)
class Taken:
    """Parts of the memory in bytes, by the variable that sizes them."""

    parts: Mapping[str, float]

    @property
    def total(self) -> float:
        """All parts together."""
        return sum(self.parts.values())

    @property
    def largest(self) -> str:
        """The variable behind the largest part."""
        return max(self.parts, key=lambda name: self.parts[name])


def _sum_of(names: tuple[str, ...]) -> Read:
    @given(users_server)
    def read(case: Case, mysql: MySQLFacts) -> Reading | Absent:
        # Which of them exist depends on the flavour; the first is in every version.
        found = {name: size for name in names if (size := mysql.number(name)) is not None}
        if names[0] not in found:
            because = f"{mysql.version} did not report its {names[0]}"
            return Absent(why_missing(case, "mysql.variables", because))
        taken = Taken(found)
        largest = f"most of it {taken.largest} with {figures.size(found[taken.largest])}"
        return Reading(taken, f"{figures.size(taken.total)}, {largest}")

    return read


def _limit(case: Case) -> Reading | Absent:
    host = case.inventory.host
    if host is None:
        return Absent(why_missing(case, "host", NO_HOST))
    if host.memory_limit_bytes is None:
        return Absent("no control group limits the memory")
    return Reading(float(host.memory_limit_bytes), figures.size(host.memory_limit_bytes))


@given(users_server)
def _performance_schema(case: Case, mysql: MySQLFacts) -> Reading | Absent:
    size = mysql.performance_schema_bytes
    if size is None:
        because = "the memory of the Performance Schema was not asked for"
        return Absent(why_missing(case, "mysql.performance_schema", because))
    return Reading(float(size), figures.size(size))


MEMORY_LIMIT = Fact(
    "memory.limit",
    float,
    "bytes",
    "the memory that a control group grants",
    "the control group",
    _limit,
)
MEMORY_POOLS = Fact(
    "memory.pools",
    Taken,
    "bytes by variable",
    "the memory that the server's pools and caches may take",
    SHOW_VARIABLES,
    _sum_of(POOLS),
)
MEMORY_BUFFERS = Fact(
    "memory.buffers",
    Taken,
    "bytes by variable",
    "the memory that one connection may take",
    SHOW_VARIABLES,
    _sum_of(BUFFERS),
)
MEMORY_PERFORMANCE_SCHEMA = Fact(
    "memory.performance_schema",
    float,
    "bytes",
    "the memory that the Performance Schema holds",
    "SHOW ENGINE PERFORMANCE_SCHEMA STATUS",
    _performance_schema,
)
