"""What docker, podman and kubectl are asked, as command lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from probes.targets.address import ContainerAddress, ContainerEngine

SUDO = ("sudo", "-n", "--")


@dataclass(frozen=True, slots=True)
class EngineCommands:
    """The command lines for one container; with ``sudo`` the engine is run by ``sudo -n``."""

    address: ContainerAddress
    sudo: bool = False

    @property
    def _engine(self) -> list[str]:
        return [*(SUDO if self.sudo else ()), self.address.engine.value]

    @property
    def _pod(self) -> list[str]:
        return ["--namespace", self.address.namespace]

    def inspect(self) -> list[str]:
        """Everything that the engine knows of it, as JSON."""
        if self.address.engine is ContainerEngine.KUBECTL:
            return [*self._engine, "get", "pod", self.address.name, *self._pod, "--output", "json"]
        return [*self._engine, "container", "inspect", self.address.name]

    def names(self) -> list[str]:
        """The names of those that run beside it, one a line."""
        if self.address.engine is ContainerEngine.KUBECTL:
            return [*self._engine, "get", "pods", *self._pod, "--output", "name"]
        return [*self._engine, "ps", "--format", "{{.Names}}"]

    def run(self, argv: Sequence[str]) -> list[str]:
        """A command in it, with its standard input.

        In a pod that is the account of its image: kubectl knows no other; else root.
        """
        if self.address.engine is ContainerEngine.KUBECTL:
            chosen = ["--container", self.address.container] if self.address.container else []
            pod = [self.address.name, *self._pod, *chosen]
            return [*self._engine, "exec", "--stdin", *pod, "--", *argv]
        return [*self._engine, "exec", "--interactive", "--user", "0", self.address.name, *argv]
