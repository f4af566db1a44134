"""MySQL's CLONE: a running server's data, sent to a server of the lab's own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from probes.boundary.numbers import LARGEST, whole_from_text
from probes.cancel import CancelToken
from probes.errors import MySQLError, UsageError
from probes.lab.data import empty_data, page_size_line
from probes.lab.given import GivenData
from probes.lab.loader import loader
from probes.lab.server import LabEntrant, started
from probes.mysql.work import MySQLWork
from probes.sandbox.options import redo_lines
from probes.sandbox.place import SandboxPlace
from probes.targets.target import Target
from probes.version import Flavour

if TYPE_CHECKING:
    from probes.lab.variant import Layout
    from probes.mysql.connection import MySQLSession
    from probes.mysql.login import ResolvedLogin
    from probes.version import ServerVersion

MIB = 1 << 20

BYTES_PER_S = 50 * MIB
"""What a clone takes of its donor's drive and network at most (our choice)."""

_REDO_BYTES = 96 * MIB
_USUAL_FILE = "ibdata1:12M:autoextend"
_DONE = "Restart server failed"
"""How a clone ends well where nobody starts the server again: it only has to be started."""


@dataclass(frozen=True, slots=True)
class Donor:
    """A running server that may be cloned: how to log in, by TCP, and what it holds."""

    login: ResolvedLogin
    host: str
    port: int
    version: ServerVersion
    data: GivenData

    @property
    def seconds(self) -> float:
        """How long it is read from, at the least."""
        return self.data.size_bytes / BYTES_PER_S


def donor_of(session: MySQLSession, name: str) -> Donor:
    """The server of a session as a donor; ``name`` is what its data are called.

    It is only read; raises UsageError where it can't be cloned as it is, and
    MySQLError.
    """
    version = session.version
    if not version.at_least(Flavour.MYSQL, 8, 0, 17):
        raise UsageError(f"{version} has no CLONE: MySQL has it since 8.0.17, MariaDB has none.")
    plugins = session.rows(
        "SELECT plugin_status AS status FROM information_schema.plugins WHERE plugin_name = 'clone'"
    )
    if not plugins or plugins[0]["status"] != "ACTIVE":
        raise UsageError(
            "The running server has not loaded the clone plugin, and Leadline loads none there.",
            "Load it with INSTALL PLUGIN clone SONAME 'mysql_clone.so', or use --data-from.",
        )
    if session.value("@@GLOBAL.innodb_data_file_path") != _USUAL_FILE:
        raise UsageError("The running server's innodb_data_file_path is not the usual one.")
    if session.value("@@GLOBAL.skip_networking") == "1":
        raise UsageError("The running server takes no TCP connections, by which CLONE works.")
    page_bytes, port = (
        whole_from_text(session.value(f"@@GLOBAL.{variable}"), variable, 0, LARGEST)
        for variable in ("innodb_page_size", "port")
    )
    taken = session.one(
        "SELECT CAST(COALESCE(SUM(file_size), 0) AS SIGNED) AS bytes "
        "FROM information_schema.innodb_tablespaces"
    )
    login = session.login
    size_bytes = whole_from_text(str(taken["bytes"]), "the size of its data", 0, LARGEST)
    return Donor(
        login,
        "127.0.0.1" if login.socket else login.host,
        port if login.socket else login.port,
        version,
        GivenData(name, page_bytes, size_bytes, (("ibdata1", 12 * MIB),), (), 0),
    )


def cloned(
    target: Target, donor: Donor, room: SandboxPlace, layout: Layout, token: CancelToken
) -> Iterator[float]:
    """Clone a donor into a room; the next start of a server there opens what was cloned.

    Yields the share that is done. Raises UsageError where the program is of another version,
    MySQLError with the servers' words, SandboxFailed, TargetError and Cancelled.
    """
    if layout.binary.version.numbers != donor.version.numbers:
        raise UsageError(
            f"{layout.binary.version} can't take a clone of {donor.version}: CLONE wants the same "
            "version.",
            "Name the running server's own program with --server.",
        )
    layout = replace(layout, page_bytes=donor.data.page_bytes)
    empty_data(target, room, layout, token)
    lines = {
        "plugin_load_add": "mysql_clone.so",
        "skip_log_bin": "",
        **redo_lines(layout.binary, _REDO_BYTES),
        **page_size_line(layout),
    }
    entrant = LabEntrant("", "The server that clones", layout.binary, room, lines)
    with started(target, entrant, token) as server:
        server.answers(token)
        with server.connect(token) as session:
            session.rows("SET GLOBAL clone_max_data_bandwidth = %s", (BYTES_PER_S // MIB,))
            session.rows("SET GLOBAL clone_valid_donor_list = %s", (f"{donor.host}:{donor.port}",))
            work = MySQLWork(session.login, "", {})
            statement = _statement(session, donor)
        with loader(target, None, work, server.pid, token) as asking:
            asking.ready()
            try:
                yield from asking.run([statement], 1)
            except MySQLError as error:
                if _DONE not in error.sentence:
                    raise
        server.gone(token)


def _statement(session: MySQLSession, donor: Donor) -> str:
    """CLONE in words; encrypted wherever the way could be listened to."""
    user, host, password = (
        session.value(f"QUOTE(CONVERT(UNHEX('{text.encode().hex()}') USING utf8mb4))")
        for text in (donor.login.user, donor.host, donor.login.password)
    )
    private = donor.login.private or donor.host in {"127.0.0.1", "::1", "localhost"}
    return (
        f"CLONE INSTANCE FROM {user}@{host}:{donor.port} IDENTIFIED BY {password}"
        f"{'' if private else ' REQUIRE SSL'}"
    )
