"""One server of a lab: started on a data directory of its own, with a variant's lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from probes.cancel import CancelToken
from probes.figures import seconds
from probes.mysql.lookup_table import ROW_BYTES
from probes.mysql.work import MySQLWork, WorkTable
from probes.sandbox.answering import answers_within, own_session
from probes.sandbox.binaries import ServerBinary
from probes.sandbox.leftovers import write_lock
from probes.sandbox.options import (
    family_options,
    option_words,
    own_command,
    private_options,
)
from probes.sandbox.place import SandboxPlace
from probes.sandbox.process import Guarded, guarded, runs_as_root
from probes.targets.target import Target

if TYPE_CHECKING:
    from probes.mysql.connection import MySQLSession

START_LIMIT_S = 120.0
END_LIMIT_S = 300.0
"""A server that ends in good order writes its pool's dirty pages out first."""

FILLING = 1.2
"""So much of its table, over its pool, fills a pool: a key may be without its row."""

ROWS = "rows"
"""What the load program calls the table."""


@dataclass(frozen=True, slots=True)
class LabEntrant:
    """A server that is about to start: its program, its data, its lines.

    ``name`` is its variant's, ``what`` names it in messages; ``lines`` are all that it is started
    with.
    """

    name: str
    what: str
    binary: ServerBinary
    room: SandboxPlace
    lines: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class LabTable:
    """The table that a lab's clients work on, and its schema."""

    database: str
    table: WorkTable


class LabServer:
    """A running server of the lab."""

    def __init__(self, target: Target, entrant: LabEntrant, process: Guarded) -> None:
        self._target = target
        self._room = entrant.room
        self._process = process
        self._what = entrant.what

    @property
    def pid(self) -> int:
        """The server's process on the target."""
        return self._process.pid

    def check(self) -> None:
        """Raises SandboxFailed with the end of its log when it has ended."""
        self._process.check()

    def answers(self, token: CancelToken, limit_s: float = START_LIMIT_S) -> None:
        """Wait until it lets clients in. Raises SandboxFailed, TargetError and Cancelled."""
        if not answers_within(limit_s, self._target, self._room.socket, self._process, token):
            limit = seconds(limit_s)
            raise self._process.failure(f"{self._what} did not answer within {limit}.")

    def connect(self, token: CancelToken) -> AbstractContextManager[MySQLSession]:
        """A session on the server. Raises MySQLError and Cancelled."""
        return own_session(self._target, self._room.socket, token)

    def work(self, rows: LabTable, token: CancelToken) -> MySQLWork:
        """How its clients log in, and the table that they work on. Raises MySQLError."""
        with self.connect(token) as session:
            return MySQLWork(session.login, rows.database, {ROWS: rows.table})

    def gone(self, token: CancelToken) -> None:
        """Wait for an end that nobody asked for. Raises SandboxFailed and Cancelled."""
        self._process.wait(END_LIMIT_S, token)

    def fill_pool(self, rows: LabTable, token: CancelToken) -> None:
        """Have it read as much of its table as the pool holds, from its first row on.

        A pool with free pages throws none out, and writes none for that. What skewed loads ask for
        most are the first rows. Raises MySQLError.
        """
        table = rows.table
        with self.connect(token) as session:
            pool_bytes = int(session.value("@@GLOBAL.innodb_buffer_pool_size"))
            known = session.one(f"SHOW TABLE STATUS FROM {rows.database} LIKE '{table.name}'")
            row_bytes = int(str(known.get("Avg_row_length") or 0)) or ROW_BYTES
            last = table.min_key + int(FILLING * pool_bytes / row_bytes)
            session.rows(
                f"SELECT MAX({table.value_column}) FROM {rows.database}.{table.name} "  # noqa: S608 - our own names
                f"WHERE {table.key_column} <= {last}"
            )

    def end(self, token: CancelToken) -> None:
        """End it in good order, so that any other options can start on its data.

        Raises SandboxFailed where it does not end well, TargetError and Cancelled.
        """
        self.ask_to_end()
        self._process.wait(END_LIMIT_S, token)

    def ask_to_end(self) -> None:
        """Have it begin to end in good order, and don't wait for that; raises TargetError."""
        self._target.run(["kill", "-CONT", str(self.pid)])
        self._target.run(["kill", "-TERM", str(self.pid)])


@contextmanager
def started(target: Target, entrant: LabEntrant, token: CancelToken) -> Iterator[LabServer]:
    """Start a server on its room's data; it is ended at once where it still runs at the end.

    Raises SandboxFailed, AgentFailed and TargetError.
    """
    room, what = entrant.room, entrant.what
    command = server_command(entrant.binary, room, entrant.lines, as_root=runs_as_root(target))
    with guarded(target, room, command, what=what, remove=False, token=token) as process:
        write_lock(target, room, process.pid)
        yield LabServer(target, entrant, process)


def server_command(
    binary: ServerBinary, room: SandboxPlace, lines: Mapping[str, str], *, as_root: bool
) -> list[str]:
    """The command that runs the server: private, and else with its own defaults and ``lines``.

    A line's name may begin with "loose_": versions that lack the option then ignore it.
    """
    return [
        *common_options(binary, room, as_root=as_root),
        *private_options(binary, room),
        *option_words(lines),
    ]


def common_options(binary: ServerBinary, room: SandboxPlace, *, as_root: bool) -> list[str]:
    """What the making of a data directory and the server both need."""
    return [
        *own_command(binary, room, as_root=as_root),
        # What a server remembers of its last life would make one start unlike another.
        "--loose-innodb-buffer-pool-dump-at-shutdown=OFF",
        "--loose-innodb-buffer-pool-load-at-startup=OFF",
        "--loose-innodb-stats-persistent=OFF",
        *family_options(binary, room),
    ]
