"""Asking a server to run something in a channel: one that says neither yes nor no is given up.

The library itself waits without end for that answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import paramiko

from probes.figures import seconds

if TYPE_CHECKING:
    from threading import Event

OPEN_LIMIT_S = 15.0
"""How long the server may take to start a command."""


def start_command(channel: paramiko.Channel, command: str) -> None:
    """Run a shell's command in the channel; raises TimeoutError and what the library raises."""
    _bound(channel)
    channel.exec_command(command.encode("utf-8", "surrogateescape"))


def start_subsystem(channel: paramiko.Channel, name: str) -> None:
    """Connect the channel to a subsystem; raises TimeoutError and what the library raises."""
    _bound(channel)
    channel.invoke_subsystem(name)


def _bound(channel: paramiko.Channel) -> None:
    channel.event = cast("Event", _Answer(channel.event))


class _Answer:
    """The event that the library sets once the server has answered, with a limit to waiting."""

    def __init__(self, event: Event) -> None:
        self._event = event

    def wait(self, timeout_s: float | None = None) -> bool:
        """As the event's; raises TimeoutError where the library would wait without end."""
        came = self._event.wait(OPEN_LIMIT_S if timeout_s is None else timeout_s)
        if not came and timeout_s is None:
            raise TimeoutError(f"it did not answer within {seconds(OPEN_LIMIT_S)}")
        return came

    def __getattr__(self, name: str) -> object:
        """Whatever else the library asks of its event."""
        return getattr(self._event, name)
