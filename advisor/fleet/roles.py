"""Which servers do the same work, and what differs between those."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from probes.inventory.facts import MySQLFacts

if TYPE_CHECKING:
    from advisor.fleet.server_row import ServerRow

_CLUSTERS = ("wsrep_cluster_name", "group_replication_group_name")
"""Variables that are one on all nodes of a cluster."""

_NO_CLUSTER = frozenset({"", "my_wsrep_cluster"})
_NUMBERED = re.compile(r"[-_.]?\d+[a-z]?$")

VERSION, MEMORY, THREADS, DRIVE = "version", "memory", "processors", "drive"


@dataclass(frozen=True, slots=True)
class Difference:
    """What servers of a role are unlike in, each server's value by its name."""

    what: str
    values: Mapping[str, str]

    @property
    def usual(self) -> str:
        """What most have; "" where no value is had by more than another."""
        counts = Counter(self.values.values()).most_common(2)
        tied = len(counts) > 1 and counts[0][1] == counts[1][1]
        return "" if tied else counts[0][0]

    def odd(self, target: str) -> bool:
        """Whether this server is unlike most others; all are where no value is usual."""
        return self.values.get(target, "") != self.usual


def role_of(target: str, mysql: MySQLFacts | None) -> str:
    """The cluster's name, else that of the target without the number at its end."""
    for name in _CLUSTERS:
        value = "" if mysql is None else mysql.value(name) or ""
        on = name != "wsrep_cluster_name" or (mysql is not None and mysql.value("wsrep_on") == "ON")
        if on and value not in _NO_CLUSTER:
            return value
    first, dot, rest = target.partition(".")
    return f"{_NUMBERED.sub('', first) or first}{dot}{rest}"


def differences(rows: Sequence[ServerRow]) -> tuple[Difference, ...]:
    """What servers of one role are unlike in: version, machine and drive first, then settings."""
    if len(rows) < 2:
        return ()
    found = [_machines(rows, what) for what in (VERSION, THREADS, MEMORY, DRIVE)]
    names = sorted({name for row in rows for name in row.settings})
    for name in names:
        # A version that lacks a setting is the difference, and not each of these.
        having = [row for row in rows if name in row.settings]
        if len(having) > 1:
            found.append(Difference(name, {row.target: row.settings[name] for row in having}))
    return tuple(each for each in found if len(set(each.values.values())) > 1)


def by_role(rows: Iterable[ServerRow]) -> dict[str, list[ServerRow]]:
    """The servers of each role that has more than one."""
    found: dict[str, list[ServerRow]] = {}
    for row in rows:
        found.setdefault(row.role, []).append(row)
    return {role: members for role, members in found.items() if len(members) > 1}


def unlike(rows: Sequence[ServerRow], target: str) -> tuple[Difference, ...]:
    """In what one server is unlike most others of its role."""
    members = next(
        (each for each in by_role(rows).values() if any(row.target == target for row in each)), []
    )
    return _odd(differences(members), target)


def oddities(rows: Sequence[ServerRow]) -> dict[str, tuple[str, ...]]:
    """By server what it is unlike the others of its role in."""
    odd: dict[str, tuple[str, ...]] = {}
    for members in by_role(rows).values():
        found = differences(members)
        for row in members:
            odd[row.target] = tuple(each.what for each in _odd(found, row.target))
    return odd


def _odd(found: Iterable[Difference], target: str) -> tuple[Difference, ...]:
    return tuple(each for each in found if target in each.values and each.odd(target))


def _machines(rows: Sequence[ServerRow], what: str) -> Difference:
    return Difference(what, {row.target: text for row in rows if (text := _machine(row, what))})


def _machine(row: ServerRow, what: str) -> str:
    """A figure of a machine; memory in whole GiB, since a kernel keeps some of it."""
    if what == VERSION:
        return row.server
    if what == THREADS:
        return "" if row.threads is None else str(row.threads)
    if what == MEMORY:
        return "" if row.memory_bytes is None else f"{row.memory_bytes / 2**30:.0f} GiB"
    return row.drive
