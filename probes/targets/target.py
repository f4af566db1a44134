"""The one seam between Leadline and a machine: this computer, or one behind SSH."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from probes.boundary.malformed import shown
from probes.cancel import CancelToken
from probes.errors import CommandFailed
from probes.figures import size
from probes.redaction import cleaned
from probes.targets.listener import Listener

COPY_LIMIT_S = 300.0
"""How long a file may take to be copied there, or to be read."""

OUTPUT_LIMIT_BYTES = 8 << 20
"""What a command may write to standard output, unless its caller expects more."""

LINE_LIMIT_BYTES = 1 << 20
"""How long a line of a running command may be."""


def too_much_output(command: str, target_name: str, limit_bytes: int) -> CommandFailed:
    """The fault of a command that writes more than anybody asked for."""
    return CommandFailed(
        f"{command} on {target_name} wrote more than {size(limit_bytes)}.",
        "That is not what it writes as a rule: look at the machine.",
    )


def line_too_long(command: str, target_name: str) -> CommandFailed:
    """The fault of a command whose line does not end."""
    return CommandFailed(
        f"{command} on {target_name} wrote a line of more than {size(LINE_LIMIT_BYTES)}.",
        "That is not what it writes as a rule: look at the machine.",
    )


@dataclass(frozen=True, slots=True)
class CommandResult:
    """A finished command: its exit status (negative: killed by that signal) and its output."""

    status: int
    stdout: bytes
    stderr: bytes


@dataclass(frozen=True, slots=True)
class SocketAddress:
    """Where a server listens, as seen from the target: ``unix_path``, or ``host`` and ``port``."""

    unix_path: str = ""
    host: str = ""
    port: int = 0


class ByteSocket(Protocol):
    """What PyMySQL needs of a connected socket; ``socket.socket`` and SSH channels both have it."""

    def sendall(self, data: bytes, /) -> object:
        """Send all of it, or raise OSError."""

    def recv(self, size: int, /) -> bytes:
        """Up to ``size`` bytes, b"" at the end; raises OSError."""

    def settimeout(self, seconds: float | None, /) -> None:
        """How long a call may take before it raises TimeoutError."""

    def close(self) -> None:
        """Close both directions."""


@dataclass(frozen=True, slots=True)
class JoinedSocket:
    """A connection to a server, and who listens there: None where that is unknown, as over TCP."""

    carrier: ByteSocket
    listener: Listener | None = None


class Stream(Protocol):
    """A running command whose standard input stays open and whose output is read line by line."""

    def send(self, data: bytes) -> None:
        """Write to the command's standard input; raises ConnectionLost when it is gone."""

    def read_line(self, timeout_s: float) -> bytes | None:
        """The next line of standard output without its end.

        b"" when none came in time, None when the output has ended.

        Raises ConnectionLost when the connection was cut, CommandFailed past LINE_LIMIT_BYTES.
        """

    def close_input(self) -> None:
        """Close standard input: the polite way to make an agent stop."""

    def kill(self) -> None:
        """End a command that hangs, at once; raises nothing where it is out of reach."""

    def finish(self, timeout_s: float, limit_bytes: int = OUTPUT_LIMIT_BYTES) -> CommandResult:
        """Wait for the end and return the status and what was left of the outputs.

        Raises CommandFailed when it takes too long, or writes more than ``limit_bytes``.
        """


class Target(Protocol):
    """A machine on which commands run and files are read; used by one thread at a time.

    ``name`` is how messages call it ("this computer", "root@db7:22"). Every call has a deadline and
    raises TargetError (or a subclass) when the machine fails; nothing here raises OSError.
    """

    @property
    def name(self) -> str:
        """How messages call it."""

    @property
    def is_local(self) -> bool:
        """Whether it is this computer."""

    def run(
        self,
        argv: Sequence[str],
        *,
        stdin: bytes = b"",
        timeout_s: float = 30.0,
        limit_bytes: int = OUTPUT_LIMIT_BYTES,
    ) -> CommandResult:
        """Run a command to its end; a status other than 0 is no error here.

        One that writes more than ``limit_bytes`` to standard output is ended: CommandFailed.
        """

    def stream(self, argv: Sequence[str], *, token: CancelToken) -> AbstractContextManager[Stream]:
        """Start a command; leaving the context closes its input and, if it lingers, ends it."""

    def put_file(self, source: Path, destination: str, mode: int) -> None:
        """Copy a file of this computer to the target, then set its permission bits."""

    def read_file(self, path: str, limit_bytes: int = 1 << 20) -> bytes:
        """The first ``limit_bytes`` of a file on the target."""

    def open_socket(self, address: SocketAddress, timeout_s: float = 10.0) -> JoinedSocket:
        """Connect to a server as the target itself would."""

    def agent(self) -> str:
        """The path of an agent that is ready to run on the target, put there on first use.

        Checked by SHA-256. Raises AgentFailed where it can't run (other processor or system).
        """

    def load_program(self) -> str:
        """The path of the lab's load program, as ``agent`` gives that of an agent."""

    def close(self) -> None:
        """Give back everything, remove what was put there; never raises."""


class EngineHost(Target, Protocol):
    """A machine that runs containers: its commands can carry a connection, too."""

    def join(self, argv: Sequence[str], where: str, timeout_s: float) -> JoinedSocket:
        """Have a command join a server's socket by its standard input and output.

        ``where`` names that socket in messages. Raises TargetUnreachable and ConnectionLost.
        """


def pour(target: Target, source: Path, destination: str, mode: int, where: str) -> None:
    """Copy a file by a command alone, then set its permission bits.

    ``where`` is how messages say it ("on db7"). Raises CommandFailed and ConnectionLost.
    """
    result = target.run(
        ["sh", "-c", 'cat > "$1" && chmod "$2" "$1"', "sh", destination, f"{mode:o}"],
        stdin=source.read_bytes(),
        timeout_s=COPY_LIMIT_S,
    )
    if result.status != 0:
        raise CommandFailed(f"{destination} can't be written {where}: {_last_line(result)}.")


def head_of(target: Target, path: str, limit_bytes: int, where: str) -> bytes:
    """The first bytes of a file by a command alone; raises CommandFailed and ConnectionLost."""
    result = target.run(
        ["head", "-c", str(limit_bytes), "--", path],
        timeout_s=COPY_LIMIT_S,
        limit_bytes=limit_bytes,
    )
    if result.status != 0:
        raise CommandFailed(f"{path} can't be read {where}: {_last_line(result)}.")
    return result.stdout


def _last_line(result: CommandResult) -> str:
    lines = cleaned(result.stderr.decode("utf-8", "replace")).strip().splitlines()
    return shown(lines[-1].rpartition(": ")[2].rstrip("."), 200) if lines else "no reason was given"
