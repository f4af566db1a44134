"""Where a server's clients are: how many on its own machine and elsewhere. No address is kept."""

from __future__ import annotations

import ipaddress
from collections.abc import Collection, Iterator, Mapping
from enum import StrEnum
from itertools import pairwise
from typing import Any

from probes.boundary.numbers import LARGEST, whole_from_text
from probes.errors import CommandFailed, MySQLAccessDenied, MySQLConnectionLost, MySQLError
from probes.mysql.answers import Answering, plain
from probes.mysql.standby import COUNTED, PROCESSLIST, THREADS, Columns, sums
from probes.targets.target import Target

CLIENTS = "watch.clients"
"""The raw answer's name, and that of the fact where it is missing."""

DOCKER = ipaddress.ip_network("172.17.0.0/16")
"""Docker's default network, on every machine that has one: a client may be in a container beside
the server, or one from elsewhere that was forwarded."""

NEARLY_ALL = 0.9
"""Of the local connections at least this share has to tell its process (our choice)."""

_SELF = frozenset({"", "localhost", "localhost.localdomain", "localhost6", "ip6-localhost"})
"""Hosts of clients on the server's machine; none at all is the unix socket."""

_ADDRESSES = ("/proc/sys/kernel/hostname", "/proc/net/fib_trie", "/proc/net/if_inet6")
_LONGEST_BYTES = 2 << 20


def _counted(of: Columns, number: str, time: str) -> str:
    """The sums. One that has been idle for less than 2 s is in use: its client may be busy now."""
    return (
        "COUNT(*) AS opened, "
        f"SUM(IF({number} <> CONNECTION_ID() AND NOT ({of.replicating}) "
        f"AND {of.command} NOT REGEXP '^(Connect|Daemon|Binlog Dump)' "
        f"AND ({of.command} <> 'Sleep' OR {time} < 2), 1, 0)) AS active, {sums(of)}"
    )


IN_THREADS = (
    "SELECT PROCESSLIST_HOST AS host, "  # noqa: S608 - constants
    f"{_counted(THREADS, 'PROCESSLIST_ID', 'PROCESSLIST_TIME')} "
    "FROM performance_schema.threads WHERE TYPE = 'FOREGROUND' GROUP BY PROCESSLIST_HOST"
)
IN_PROCESSES = (
    "SELECT IF(LOCATE(':', HOST), "  # noqa: S608 - constants
    "LEFT(HOST, CHAR_LENGTH(HOST) - LOCATE(':', REVERSE(HOST))), HOST) AS host, "
    f"{_counted(PROCESSLIST, 'ID', 'TIME')} FROM information_schema.processlist GROUP BY 1"
)
"""The same; a host has its port with it."""


OF_CLIENTS = (
    "SELECT ATTR_VALUE AS pid, PROCESSLIST_HOST AS host, COUNT(*) AS opened "
    "FROM performance_schema.session_connect_attrs "
    "JOIN performance_schema.threads USING (PROCESSLIST_ID) "
    "WHERE ATTR_NAME = '_pid' AND PROCESSLIST_ID <> CONNECTION_ID() GROUP BY ATTR_VALUE, host"
)
"""The number of each client's process, which most client libraries send when they connect."""

_PROCESSES_EVERY = 10
"""Looks of which one asks for it: processes stay longer than their queries."""

_MOST_PROCESSES = 1000


class Where(StrEnum):
    """Where a client is, seen from the server."""

    LOCAL = "local"
    REMOTE = "remote"
    UNPLACED = "unplaced"


class ClientCount:
    """Counts a server's connections. ``own`` are names and addresses of the server's machine.

    ``threads``: MySQL's Performance Schema is on, which answers without locking the server's list.
    ``scheduler``: its event scheduler has a thread, which not every account sees.
    """

    def __init__(
        self,
        session: Answering,
        own: Collection[str],
        *,
        threads: bool,
        scheduler: bool = False,
    ) -> None:
        self._session, self._threads, self._scheduler = session, threads, int(scheduler)
        self._own = frozenset(each.lower() for each in own if each)
        self._looks = 0

    def look(self) -> dict[str, Any]:
        """How many are in use, by ``Where``, and how many of all are ``opened`` and seen.

        Beside them the threads that ``probes.mysql.standby`` counts, by its names.
        Now and then also the ``processes`` of those on the server's machine, where these are
        reported for nearly all of them. Raises MySQLError and Malformed.
        """
        counts = dict.fromkeys((*map(str, Where), "opened"), 0)
        rows, local = self._rows(), 0
        for row in rows:
            found = where(plain(row["host"]), self._own)
            counts[found] += _count(row["active"])
            counts["opened"] += _count(row["opened"])
            # The server's own threads have no host.
            if found is Where.LOCAL and plain(row["host"]):
                local += _count(row["opened"])
        # A script of before, that has collected them, did not ask for these.
        if all(name in row for row in rows for name in COUNTED):
            counts |= {name: sum(_count(row[name]) for row in rows) for name in COUNTED}
            counts["standby"] = max(counts["standby"], self._scheduler)
        self._looks += 1
        if not self._threads or (self._looks - 1) % _PROCESSES_EVERY:
            return {**counts}
        # Leadline's own connection is among those that are open.
        return {**counts, "processes": self._processes(local - 1)}

    def _processes(self, local: int) -> list[int] | None:
        """Those of ``local`` connections; None where many of them don't tell theirs."""
        try:
            rows = self._session.rows(OF_CLIENTS)
        except MySQLAccessDenied:
            return None
        here = [row for row in rows if where(plain(row["host"]), self._own) is Where.LOCAL]
        if sum(_count(row["opened"]) for row in here) < NEARLY_ALL * local:
            return None
        pids = {
            whole_from_text(plain(row["pid"]), "a client's process", 1, LARGEST) for row in here
        }
        return sorted(pids)[:_MOST_PROCESSES]

    def _rows(self) -> list[dict[str, object]]:
        if self._threads:
            try:
                return self._session.rows(IN_THREADS)
            except MySQLConnectionLost:
                raise
            except MySQLError:
                # Refused, or a Performance Schema whose tables were never made (error 1146).
                self._threads = False
        return self._session.rows(IN_PROCESSES)


def where(host: str, own: Collection[str]) -> Where:
    """Where a client is by its host, as the server names it without a port."""
    name = host.lower().strip("[]")
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return Where.LOCAL if name in _SELF or name in own else Where.REMOTE
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    if address in DOCKER:
        return Where.UNPLACED
    return Where.LOCAL if address.is_loopback or str(address) in own else Where.REMOTE


def names_of(variables: Mapping[str, str]) -> set[str]:
    """What a server calls its own machine."""
    hostname = variables.get("hostname", "")
    return {hostname, _first(hostname), *variables.get("bind_address", "").split(",")}


def addresses_of(target: Target, hostname: str) -> frozenset[str]:
    """The addresses of a machine that is called ``hostname``, "" for whatever it is called.

    None where it is called otherwise, or does not say; raises TargetError.
    """
    try:
        result = target.run(["cat", *_ADDRESSES], limit_bytes=_LONGEST_BYTES)
    except CommandFailed:
        return frozenset()
    name, *lines = result.stdout.decode("utf-8", "replace").splitlines() or [""]
    if hostname and _first(name) != _first(hostname):
        return frozenset()
    return frozenset(addresses_in(lines))


def addresses_in(lines: list[str]) -> Iterator[str]:
    """From the kernel's table of routes, two lines an address, and its list for IPv6, one line."""
    for line, after in pairwise([*lines, ""]):
        first, *others = line.split() or [""]
        if after.strip() == "/32 host LOCAL" and others:
            yield others[-1]
        elif len(first) == 32 and len(others) == 5 and set(first) <= set("0123456789abcdef"):
            yield str(ipaddress.IPv6Address(int(first, 16)))


def _first(hostname: str) -> str:
    return hostname.strip().partition(".")[0].lower()


def _count(value: object) -> int:
    return whole_from_text(plain(value) or "0", "a number of connections", 0, LARGEST)
