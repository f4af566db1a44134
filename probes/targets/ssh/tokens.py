"""What ``%h``, ``%n``, ``%p`` and ``%r`` of an SSH configuration stand for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from probes.targets.allowed_characters import check_in_shell

_TOKEN = re.compile(r"%([%hnpr])")


@dataclass(frozen=True, slots=True)
class Tokens:
    """Where an alias leads, all questions of configuration settled."""

    alias: str
    hostname: str
    port: int
    user: str

    def fill(self, text: str) -> str:
        """``text`` with each token's value; what a value holds is not looked into again."""
        values = self._values()
        return _TOKEN.sub(lambda token: values[token[1]], text)

    def fill_command(self, command: str) -> str:
        """The same for a shell's line; raises UsageError for a value that a shell could obey."""
        values = self._values()
        whose = f"in the ProxyCommand for {self.alias}"
        for letter in dict.fromkeys(_TOKEN.findall(command)):
            if letter != "%":
                check_in_shell(values[letter], f"What %{letter} stands for {whose}")
        return self.fill(command)

    def _values(self) -> dict[str, str]:
        return {
            "%": "%",
            "h": self.hostname,
            "n": self.alias,
            "p": str(self.port),
            "r": self.user,
        }
