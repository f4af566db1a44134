"""The database servers that run on this computer, and where they can be reached.

Read from /proc, without asking the servers. What a socket belongs to is known by the server's open
files to its own account and to root; for others, by the account that the socket belongs to.
"""

from __future__ import annotations

import re
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from probes.targets.listener import account_name, own_account

PROGRAMS = ("mariadbd", "mysqld")
_LISTENING_UNIX, _LISTENING_TCP = "00010000", "0A"
_FROM_HERE = ("00000000", "0100007F", "0" * 32, "0" * 24 + "01000000")
"""Any address and loopback's, as /proc/net/tcp and tcp6 write them."""
_NOT_CLASSIC = frozenset({33060, 33062, 4444, 4567, 4568})
"""The X protocol's port, the administrator's, and Galera's: no client speaks MySQL's there."""

_ROOT = 0
_PERSONS = 1000
"""From here on accounts are people's (UID_MIN of login.defs); below are those of services."""


@dataclass(frozen=True, slots=True)
class ServerHere:
    """A program that is called like a server, which any account's may be.

    ``account`` is whose it is, by name, or by number where it has none; ``persons``: it may be
    anybody's who works here, and no service's. ``socket`` is "" and ``port`` None where it has none
    for clients.
    """

    pid: int
    program: str
    socket: str = ""
    port: int | None = None
    account: str = ""
    persons: bool = False


@dataclass(frozen=True, slots=True)
class RunningProcess:
    """A process with a server's name: its number, its account's, and its sockets' inodes.

    ``inodes`` is None where they are not shown to who asks.
    """

    pid: int
    program: str
    owner: int
    inodes: frozenset[str] | None


@dataclass(frozen=True, slots=True)
class Listening:
    """A socket that takes connections: a path or a port, its inode, and its owner's number."""

    where: str | int
    inode: str
    owner: int


def servers_here(proc: Path = Path("/proc")) -> tuple[ServerHere, ...]:
    """Every server that a client on this computer could reach, the oldest process first.

    Empty where there is no /proc, or nothing of the kind. Nothing is raised: a process may end
    while it is looked at.
    """
    listening = [*_unix(proc), *tcp_listening(_rows(proc / "net/tcp") + _rows(proc / "net/tcp6"))]
    found = (_process(folder) for folder in sorted(_processes(proc), key=_number))
    return reached(filter(None, found), listening, account_name, own_account())


def reached(
    processes: Iterable[RunningProcess],
    listening: Sequence[Listening],
    named: Callable[[int], str],
    own: int,
) -> tuple[ServerHere, ...]:
    """Those of the processes that listen for clients, with where.

    ``named`` calls an account by its number; ``own`` is that of who asks.
    """
    found = (_server(process, listening, named, own) for process in processes)
    return tuple(server for server in found if server and (server.socket or server.port))


def _number(process: Path) -> int:
    return int(process.name)


def _processes(proc: Path) -> Iterator[Path]:
    try:
        entries = [entry for entry in proc.iterdir() if entry.name.isdigit()]
    except OSError:
        return
    yield from (entry for entry in entries if _text(entry / "comm").strip() in PROGRAMS)


def _process(folder: Path) -> RunningProcess | None:
    # The folder of a process that has changed its account belongs to root, whoever it is now.
    account = re.search(r"^Uid:\s+\d+\s+(\d+)", _text(folder / "status"), re.MULTILINE)
    if account is None:
        return None
    program = _text(folder / "comm").strip()
    return RunningProcess(_number(folder), program, int(account[1]), _inodes(folder))


def _server(
    process: RunningProcess, listening: Sequence[Listening], named: Callable[[int], str], own: int
) -> ServerHere | None:
    owner, inodes = process.owner, process.inodes
    if inodes is None and owner == _ROOT:
        # Much else of this machine listens for that account.
        return None
    places = [
        each.where
        for each in listening
        if (each.owner == owner if inodes is None else each.inode in inodes)
    ]
    sockets = [where for where in places if isinstance(where, str)]
    ports = sorted(where for where in places if isinstance(where, int))
    return ServerHere(
        process.pid,
        process.program,
        sockets[0] if sockets else "",
        ports[0] if ports else None,
        named(owner),
        owner >= _PERSONS and owner != own,
    )


def _inodes(process: Path) -> frozenset[str] | None:
    """What the process's open sockets are numbered; None where that is not shown."""
    try:
        names = [str(entry.readlink()) for entry in (process / "fd").iterdir()]
    except OSError:
        return None
    return frozenset(name[8:-1] for name in names if name.startswith("socket:["))


def _unix(proc: Path) -> Iterator[Listening]:
    for path, inode in unix_listening(_rows(proc / "net/unix")):
        try:
            status = Path(path).stat()
        except (OSError, ValueError):
            continue
        if stat.S_ISSOCK(status.st_mode):
            yield Listening(path, inode, status.st_uid)


def unix_listening(rows: Iterable[Sequence[str]]) -> Iterator[tuple[str, str]]:
    """Paths of sockets that listen, with their inodes, of /proc/net/unix in fields."""
    for fields in rows:
        if len(fields) < 8 or fields[3] != _LISTENING_UNIX:
            continue
        path = " ".join(fields[7:])
        if path.startswith("/") and not path.rpartition("/")[2].startswith("mysqlx"):
            yield path, fields[6]


def tcp_listening(rows: Iterable[Sequence[str]]) -> Iterator[Listening]:
    """Ports that a client of the machine can reach, of /proc/net/tcp and tcp6 in fields."""
    for fields in rows:
        if len(fields) < 10 or fields[3] != _LISTENING_TCP:
            continue
        address, _, port = fields[1].partition(":")
        if address in _FROM_HERE and int(port, 16) not in _NOT_CLASSIC:
            yield Listening(int(port, 16), fields[9], int(fields[7]))


def _rows(file: Path) -> list[list[str]]:
    return [line.split() for line in _text(file).splitlines()[1:]]


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return ""
