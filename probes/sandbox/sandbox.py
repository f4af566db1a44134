"""A private throwaway MySQL server beside the probe directory, gone without a trace afterwards."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import TYPE_CHECKING

from probes.cancel import CancelToken
from probes.errors import MySQLError, NotEnoughSpace, SandboxFailed
from probes.events import Preparing
from probes.figures import seconds, size
from probes.mysql.work import MySQLWork
from probes.sandbox.answering import answers_within, own_address, own_session
from probes.sandbox.binaries import ServerBinary, find_binary
from probes.sandbox.leftovers import clean_leftovers, write_lock
from probes.sandbox.options import initialise_command, server_command
from probes.sandbox.place import SandboxPlace
from probes.sandbox.placing import private_place
from probes.sandbox.process import Guarded, guarded, initialise, runs_as_root
from probes.sandbox.table import DATABASE, fill_table, warm_up, working_sets
from probes.targets.target import Target
from probes.version import ServerVersion

if TYPE_CHECKING:
    from probes.mysql.connection import MySQLSession

START_LIMIT_S = 60.0

SPARE_BYTES = 256 << 20
"""What the server takes beside its table: its own tablespaces, redo and temporary files."""

TIGHT_BYTES = 48 << 20
"""With less than this left, a failing insert is put down to the full disk."""

_INSTALL = "Install mariadb-server or mysql-server there, or name a server in LEADLINE_MYSQLD."


class Sandbox:
    """A running throwaway server; ``fill`` comes first, then ``work`` says what to look up.

    ``version`` is the server's, ``address`` how to log in from the target (``socket``, as root,
    without a password), ``direct`` whether it opened its files with O_DIRECT.
    """

    def __init__(
        self,
        target: Target,
        place: SandboxPlace,
        version: ServerVersion,
        process: Guarded,
        *,
        direct: bool,
    ) -> None:
        self._target = target
        self._place = place
        self._process = process
        self._work: MySQLWork | None = None
        self.version = version
        self.direct = direct
        self.socket = place.socket
        self.address = own_address(place.socket)

    @property
    def pid(self) -> int:
        """The server's process on the target."""
        return self._process.pid

    def fill(self, table_bytes: int, token: CancelToken) -> Iterator[Preparing]:
        """Fill the table to about ``table_bytes``, write it out, and read the cached part.

        Raises NotEnoughSpace before or when the disk gets full, SandboxFailed when the server stops
        working, and Cancelled.
        """
        _require(self._target, self._place.directory, table_bytes + TIGHT_BYTES)
        try:
            with self.connect(token) as session:
                yield from fill_table(session, table_bytes, token)
                warm_up(session)
                self._work = MySQLWork(
                    login=session.login, database=DATABASE, tables=working_sets(table_bytes)
                )
        except MySQLError as error:
            token.check()
            # A full disk is why an insert fails most often, and says so in many ways.
            _require(self._target, self._place.directory, TIGHT_BYTES)
            raise SandboxFailed(
                f"The throwaway server's table could not be filled: {error.sentence}",
                details=error.details,
            ) from error

    def work(self) -> MySQLWork:
        """The login and the two working sets, ``cached`` and ``uncached``, of the filled table."""
        if self._work is None:
            raise RuntimeError("fill() has not been run to its end")
        return self._work

    def connect(self, token: CancelToken) -> AbstractContextManager[MySQLSession]:
        """A session on the server. Raises MySQLError and Cancelled."""
        return own_session(self._target, self.socket, token)


def find_server(target: Target) -> str | None:
    """The path of a server program on the target, None when there is none. Raises TargetError."""
    binary = find_binary(target)
    return None if binary is None else binary.command[-1]


@contextmanager
def start(
    target: Target, directory: str, token: CancelToken, *, binary: Sequence[str] = ()
) -> Iterator[Sandbox]:
    """Start a private server in a fresh directory inside ``directory``; ends and removes it all.

    ``binary`` names the command that starts the server program, "" finds one. Leftovers of killed
    sandboxes are cleaned up first. Where the filesystem refuses O_DIRECT, the server runs without.
    Raises SandboxFailed, NotEnoughSpace, DirectoryUnusable, AgentFailed, TargetError, Cancelled.
    """
    server = find_binary(target, binary)
    if server is None:
        raise SandboxFailed(f"No mariadbd or mysqld was found on {target.name}.", _INSTALL)
    clean_leftovers(target, directory, token)
    _require(target, directory, SPARE_BYTES)
    with ExitStack() as stack:
        yield _start_somehow(stack, target, directory, server, token)


def _start_somehow(
    stack: ExitStack, target: Target, directory: str, server: ServerBinary, token: CancelToken
) -> Sandbox:
    """Start with O_DIRECT, or else without it."""
    try:
        return stack.enter_context(_running(target, directory, server, token, direct=True))
    except SandboxFailed as first:
        # Cancelling ends the server too, which then looks as if it had failed.
        token.check()
        try:
            return stack.enter_context(_running(target, directory, server, token, direct=False))
        except SandboxFailed:
            token.check()
            # What it says without O_DIRECT would only hide the cause.
            raise first from None


@contextmanager
def _running(
    target: Target, directory: str, server: ServerBinary, token: CancelToken, *, direct: bool
) -> Iterator[Sandbox]:
    as_root = runs_as_root(target)
    with private_place(target, directory, token) as place:
        _make_data_directory(target, place, server, token, as_root=as_root)
        command = server_command(server, place, direct=direct, as_root=as_root)
        what = f"The throwaway server ({server.version})"
        with guarded(target, place, command, what=what, remove=True, token=token) as process:
            sandbox = Sandbox(target, place, server.version, process, direct=direct)
            write_lock(target, place, process.pid)
            if not answers_within(START_LIMIT_S, target, place.socket, process, token):
                limit = seconds(START_LIMIT_S)
                raise process.failure(f"The throwaway server did not answer within {limit}.")
            yield sandbox


def _make_data_directory(
    target: Target, place: SandboxPlace, server: ServerBinary, token: CancelToken, *, as_root: bool
) -> None:
    made = [place.temporary] if server.needs_initialising else [place.temporary, place.data]
    result = target.run(["mkdir", "-m", "700", "--", *made])
    if result.status != 0:
        raise SandboxFailed(
            f"The throwaway server's directories could not be made in {place.directory}.",
            details=result.stderr.decode("utf-8", "replace"),
        )
    if server.needs_initialising:
        initialise(target, place, initialise_command(server, place, as_root=as_root), token)


def _require(target: Target, directory: str, wanted_bytes: int) -> None:
    free = _free_bytes(target, directory)
    if free is not None and free < wanted_bytes:
        raise NotEnoughSpace(
            f"The throwaway server needs {size(wanted_bytes)} more in {directory}, and "
            f"{size(free)} are free.",
            "Choose a directory with more free space.",
        )


def _free_bytes(target: Target, directory: str) -> int | None:
    """What an ordinary account may still write there; None when it is unknown."""
    text = target.run(["df", "-Pk", "--", directory]).stdout.decode("utf-8", "replace")
    match = re.search(r"\s(\d{1,18})\s+\d+%\s+/", text)
    return int(match[1]) * 1024 if match else None
