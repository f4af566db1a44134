"""A container as a target: commands by its engine's ``exec``, here or behind SSH."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from probes.boundary.malformed import Malformed, shown
from probes.cancel import CancelToken
from probes.errors import AgentFailed, CommandFailed, TargetError, TargetUnreachable
from probes.targets.address import ContainerAddress, ContainerEngine
from probes.targets.agent_file import LOAD_PROGRAM
from probes.targets.agent_place import AgentPlace
from probes.targets.container.commands import EngineCommands
from probes.targets.container.facts import ContainerFacts
from probes.targets.container.faults import no_exec, not_running, refused, thing
from probes.targets.container.inspected import LONGEST_BYTES, read_inspected
from probes.targets.target import (
    OUTPUT_LIMIT_BYTES,
    CommandResult,
    EngineHost,
    JoinedSocket,
    SocketAddress,
    Stream,
    head_of,
    pour,
)

_ASK_LIMIT_S = 60.0
"""What an engine may take to show a container: a cluster may be far."""

_START_S = 30.0
"""What an engine may take to start a command, beside what the command takes."""

_NAMES_LIMIT_BYTES = 1 << 20
_BOOT = "/proc/sys/kernel/random/boot_id"


class ContainerTarget:
    """Commands, files and sockets in a container; for one thread at a time, as its machine is."""

    def __init__(self, address: ContainerAddress, host: EngineHost, *, sudo: bool) -> None:
        """Look at the container by its engine on ``host``, which is closed with this target.

        Raises TargetError where it is not there, does not run, or lets nothing be run.
        """
        self._host = host
        self._address = address
        self._commands = EngineCommands(address, sudo)
        self.facts = self._inspected()
        """What its engine says of it."""
        self._commands = EngineCommands(self.facts.address, sudo)
        self._must_run()
        self._programs = AgentPlace(self)
        self._node: EngineHost | None = None
        self._node_sought = False

    @property
    def name(self) -> str:
        """How messages call it: "container db on this computer", "pod prod/db-0"."""
        at_cluster = self._address.engine is ContainerEngine.KUBECTL and self._host.is_local
        return thing(self._address) + ("" if at_cluster else f" on {self._host.name}")

    @property
    def is_local(self) -> bool:
        """Never: its files and sockets are its own."""
        return False

    @property
    def node(self) -> EngineHost | None:
        """The machine that it runs on, where that is the one whose engine was asked.

        None for a pod, or an engine that works on another machine: it is known by the
        kernel's own number of its start. Raises TargetError.
        """
        if not self._node_sought:
            self._node_sought = True
            ours, theirs = (each.run(["cat", _BOOT]) for each in (self._host, self))
            if ours.status == theirs.status == 0 and ours.stdout == theirs.stdout:
                self._node = self._host
        return self._node

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
        return self._host.run(
            self._commands.run(argv),
            stdin=stdin,
            timeout_s=timeout_s + _START_S,
            limit_bytes=limit_bytes,
        )

    def stream(self, argv: Sequence[str], *, token: CancelToken) -> AbstractContextManager[Stream]:
        """Start a command; leaving the context closes its input and, if it lingers, ends it."""
        return self._host.stream(self._commands.run(argv), token=token)

    def put_file(self, source: Path, destination: str, mode: int) -> None:
        """Copy a file, then set its permission bits; raises CommandFailed and ConnectionLost."""
        pour(self, source, destination, mode, f"in the {self.name}")

    def read_file(self, path: str, limit_bytes: int = 1 << 20) -> bytes:
        """The first ``limit_bytes`` of a file; raises CommandFailed and ConnectionLost."""
        return head_of(self, path, limit_bytes, f"in the {self.name}")

    def open_socket(self, address: SocketAddress, timeout_s: float = 10.0) -> JoinedSocket:
        """Connect as a program in the container would, through the agent.

        Raises TargetUnreachable and ConnectionLost.
        """
        place = address.unix_path or _host_and_port(address)
        where = f"{place} in the {self.name}"
        try:
            agent = self.agent()
        except AgentFailed as error:
            raise TargetUnreachable(
                f"{where} is reached through the agent, which does not run there. {error.sentence}",
                "Where the server's port is published, name that: mysql://user@host:port.",
                "the agent, which would join its socket, does not run there",
            ) from error
        argv = self._commands.run([agent, "connect", place])
        return self._host.join(argv, where, timeout_s + _START_S)

    def agent(self) -> str:
        """The path of an agent that runs there, brought on first use; raises AgentFailed."""
        return self._programs.path()

    def load_program(self) -> str:
        """The path of the lab's load program, brought on first use; raises AgentFailed."""
        return self._programs.path(LOAD_PROGRAM)

    def close(self) -> None:
        """Remove what was brought, then let go of its machine; never raises."""
        self._programs.close()
        self._host.close()

    def _inspected(self) -> ContainerFacts:
        found = self._host.run(
            self._commands.inspect(), timeout_s=_ASK_LIMIT_S, limit_bytes=LONGEST_BYTES
        )
        if found.status != 0:
            raise refused(self._address, found, self._host.name, self._names())
        try:
            state, facts = read_inspected(self._address, found.stdout)
        except Malformed as error:
            raise TargetError(
                f"What {self._address.engine.value} says of the {thing(self._address)} can't be "
                f"used: {error}."
            ) from error
        if state.lower() != "running":
            raise not_running(self._address, shown(state.lower()), self._host.name)
        return facts

    def _names(self) -> list[str]:
        """Those that run beside it, [] where that is refused as well."""
        try:
            found = self._host.run(self._commands.names(), limit_bytes=_NAMES_LIMIT_BYTES)
        except CommandFailed:
            return []
        lines = found.stdout.decode("utf-8", "replace").split() if found.status == 0 else []
        return [shown(line.removeprefix("pod/")) for line in lines]

    def _must_run(self) -> None:
        tried = self.run(["sh", "-c", "exit 0"])
        if tried.status != 0:
            raise no_exec(self._address, tried, self._host.name)


def _host_and_port(address: SocketAddress) -> str:
    host = f"[{address.host}]" if ":" in address.host else address.host
    return f"{host}:{address.port}"
