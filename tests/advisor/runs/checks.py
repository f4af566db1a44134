"""Running a check in a test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from advisor.runs.events import CheckEvent
from probes.plans.plan import Guard
from probes.plans.wishes import Wishes

Event = TypeVar("Event")

PATIENT = Wishes(guard=Guard(added_us=20_000_000.0, threads_running=0, row_lock_waits=0))
"""A guard that stays quiet on a machine that others use: for tests that are not about it."""


def until(events: Iterator[CheckEvent], kind: type[Event]) -> Event:
    """Go on to the first event of a kind."""
    for event in events:
        if isinstance(event, kind):
            return event
    raise AssertionError(f"no {kind.__name__} came")


def only(events: list[CheckEvent], kind: type[Event]) -> list[Event]:
    """The events of a kind."""
    return [event for event in events if isinstance(event, kind)]


def processes_with(text: str) -> dict[int, str]:
    """The command lines that hold ``text``, by process id."""
    found = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except (OSError, UnicodeDecodeError):
                continue
            if text in command:
                found[int(folder.name)] = command
    return found
