"""What a test of a connection says: who answers, what the account sees, which servers run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from probes.figures import counted, duration_us, listed
from probes.inventory.servers_here import ServerHere
from probes.mysql.rights import RIGHTS, Right
from probes.targets.parse import naming_socket

if TYPE_CHECKING:
    from probes.mysql.connection import MySQLSession

ANONYMOUS = (
    "That is the server's anonymous account, which takes any name and sees little: create an "
    "account of the name that you gave, or drop the anonymous one."
)


def seen_by_account(mysql: MySQLSession, version: str, lacks: Sequence[Right]) -> Iterator[str]:
    """Who answers, and what the account may see and may not."""
    yield (
        f"MySQL answers: {version}, as {mysql.account}, "
        f"round trip {duration_us(mysql.round_trip_us)}, {mysql.protection}."
    )
    if mysql.account.startswith("@"):
        yield ANONYMOUS
    seen = [right.shows for right in RIGHTS if right not in lacks]
    yield f"The account may see {listed(['settings and status', *seen])}."
    yield from (lacked(right, mysql.account) for right in lacks)


def lacked(right: Right, account: str) -> str:
    """What stays unknown without a privilege, and the statement that gives it."""
    return (
        f"The account lacks {right.name} on {right.on}: {right.shows} stay unknown, and rules "
        f"that need them are not judged. {right.grant(account)}"
    )


def servers_text(servers: Sequence[ServerHere], *, found: bool) -> Iterator[str]:
    """Which servers run there; without any, that there is none, unless one was ``found``."""
    if not servers and not found:
        yield "No MySQL server was named, and none was found in the usual places."
    if servers:
        run = counted(len(servers), "server runs", "servers run")
        yield f"{run} there: {listed([server_text(each) for each in servers])}."


def server_text(server: ServerHere) -> str:
    """``mariadbd of the account mysql (socket=/run/mysqld/mysqld.sock, port 3306)``."""
    port = "" if server.port is None else f"port {server.port}"
    socket = naming_socket(server.socket) if server.socket else ""
    where = ", ".join(filter(None, (socket, port)))
    return f"{server.program} of the account {server.account} ({where})"
