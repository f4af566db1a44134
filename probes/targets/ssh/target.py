"""A machine behind SSH as a target."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

from probes.boundary.malformed import shown
from probes.cancel import CancelToken
from probes.errors import AgentFailed, CommandFailed, ConnectionLost, TargetUnreachable
from probes.targets.address import Prompts, SshAddress
from probes.targets.agent_file import LOAD_PROGRAM
from probes.targets.agent_place import AgentPlace
from probes.targets.ssh.link import ssh_link
from probes.targets.ssh.sftp import FAULTS as SFTP_FAULTS
from probes.targets.ssh.sftp import sftp_client
from probes.targets.ssh.sockets import join_command, open_tcp
from probes.targets.ssh.stream import lost, ssh_stream
from probes.targets.target import (
    OUTPUT_LIMIT_BYTES,
    CommandResult,
    JoinedSocket,
    SocketAddress,
    Stream,
    head_of,
    pour,
)


class SshTarget:
    """Commands, files and sockets of a machine behind SSH; for one thread at a time."""

    def __init__(self, address: SshAddress, prompts: Prompts, token: CancelToken) -> None:
        """Connect; raises what ``ssh_link`` raises."""
        self._kept = ExitStack()
        self._transport, hop = self._kept.enter_context(ssh_link(address, prompts, token))
        self._name = hop.name
        self._programs = AgentPlace(self)

    @property
    def name(self) -> str:
        """How messages call it: "root@db7:22"."""
        return self._name

    @property
    def is_local(self) -> bool:
        """Never, even if the server is this computer."""
        return False

    def run(
        self,
        argv: Sequence[str],
        *,
        stdin: bytes = b"",
        timeout_s: float = 30.0,
        limit_bytes: int = OUTPUT_LIMIT_BYTES,
    ) -> CommandResult:
        """Run a command to its end; a status other than 0 is no error here.

        Raises CommandFailed when it takes too long or writes too much, ConnectionLost.
        """
        with self.stream(argv, token=CancelToken()) as stream:
            if stdin:
                self._feed(stream, stdin)
            stream.close_input()
            return stream.finish(timeout_s, limit_bytes)

    def stream(self, argv: Sequence[str], *, token: CancelToken) -> AbstractContextManager[Stream]:
        """Start a command; leaving the context closes its input and, if it lingers, ends it."""
        return ssh_stream(self._transport, argv, self._name, token)

    def put_file(self, source: Path, destination: str, mode: int) -> None:
        """Copy a file, over SFTP where there is some, then set its permission bits.

        Raises CommandFailed and ConnectionLost.
        """
        started = False
        try:
            with sftp_client(self._transport) as sftp:
                started = True
                sftp.put(str(source), destination)
                sftp.chmod(destination, mode)
        except SFTP_FAULTS as error:
            if started or not self._transport.is_active():
                raise self._fault(f"{destination} can't be written", error) from error
            # There is no SFTP, or none that answers.
            pour(self, source, destination, mode, f"on {self._name}")

    def read_file(self, path: str, limit_bytes: int = 1 << 20) -> bytes:
        """The first ``limit_bytes`` of a file; raises CommandFailed and ConnectionLost."""
        return head_of(self, path, limit_bytes, f"on {self._name}")

    def open_socket(self, address: SocketAddress, timeout_s: float = 10.0) -> JoinedSocket:
        """Connect as the target itself would; raises TargetUnreachable and ConnectionLost."""
        if not address.unix_path:
            return JoinedSocket(open_tcp(self._transport, address, self._name, timeout_s))
        try:
            agent = self.agent()
        except AgentFailed as error:
            raise TargetUnreachable(
                f"{address.unix_path} on {self._name} is reached through the agent, which does "
                f"not run there. {error.sentence}",
                "A server's TCP port can be reached without: name host and port.",
                "the agent, which would join its socket, does not run there",
            ) from error
        where = f"{address.unix_path} on {self._name}"
        return self.join([agent, "connect", address.unix_path], where, timeout_s)

    def join(self, argv: Sequence[str], where: str, timeout_s: float) -> JoinedSocket:
        """Have a command there join a server's socket, which ``where`` names.

        Raises TargetUnreachable and ConnectionLost.
        """
        return join_command(self._transport, argv, where, self._name, timeout_s)

    def agent(self) -> str:
        """The path of an agent that runs there, brought on first use; raises AgentFailed."""
        return self._programs.path()

    def load_program(self) -> str:
        """The path of the lab's load program, brought on first use; raises AgentFailed."""
        return self._programs.path(LOAD_PROGRAM)

    def close(self) -> None:
        """Remove what was brought, then disconnect; never raises."""
        self._programs.close()
        self._kept.close()

    def _feed(self, stream: Stream, data: bytes) -> None:
        try:
            stream.send(data)
        except ConnectionLost:
            # A command need not read its input to the end.
            if not self._transport.is_active():
                raise

    def _fault(self, what: str, error: Exception) -> CommandFailed | ConnectionLost:
        if not self._transport.is_active():
            return lost(self._name, self._transport)
        reason = shown(str(error), 200) or "it is no SFTP server that can be talked to"
        return CommandFailed(f"{what} on {self._name}: {reason}.")
