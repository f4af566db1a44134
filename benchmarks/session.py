"""An agent that waits for its next point: files stay, and other programs may read them too."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import agent
from process import BenchmarkError

FILE_SET = "f"


class Session:
    """A running agent with one file set."""

    def __init__(self, process: subprocess.Popen[str], file_bytes: int) -> None:
        self._process = process
        self._file_bytes = file_bytes
        self._number = 0

    def measure(self, point: dict[str, object]) -> dict[str, Any]:
        """Carry out one point; its event, with the seconds that all of it took as ``took_s``.

        ``said`` is all that the agent said of it.
        """
        self._number += 1
        identity = str(self._number)
        began = time.monotonic()
        self.send({"points": [point | {"id": identity, "seed": self._number}]})
        found: dict[str, Any] = {}
        said = []
        for event in self.events():
            if event.get("id") == identity:
                said.append(event)
            if event["event"] == "point" and event["id"] == identity:
                found = event | {"took_s": time.monotonic() - began, "said": said}
        if not found:
            raise BenchmarkError(f"the agent measured no {point['probe']}")
        return found

    def events(self) -> Iterator[dict[str, Any]]:
        """What it says until it waits for more."""
        if self._process.stdout is None:
            raise AssertionError("a pipe was asked for")
        for line in self._process.stdout:
            event: dict[str, Any] = json.loads(line)
            if event["event"] == "error":
                raise BenchmarkError(f"the agent could not measure: {event['message']}")
            if event["event"] == "waiting":
                return
            yield event
        raise BenchmarkError("the agent ended")

    def send(self, line: dict[str, object]) -> None:
        """Tell it something."""
        if self._process.stdin is None:
            raise AssertionError("a pipe was asked for")
        self._process.stdin.write(json.dumps(line) + "\n")
        self._process.stdin.flush()

    def file(self) -> Path:
        """The agent's own file, which has no name, by a path that others can open."""
        for descriptor in Path(f"/proc/{self._process.pid}/fd").iterdir():
            try:
                facts = descriptor.stat()
            except OSError:
                continue
            if facts.st_size == self._file_bytes and "(deleted)" in str(descriptor.readlink()):
                return descriptor
        raise BenchmarkError("the agent's file was not found")


@contextmanager
def session(directory: Path, file_bytes: int, first: dict[str, object]) -> Iterator[Session]:
    """Start an agent and have its file filled; ``first`` is a point that makes it do so."""
    files = {"id": FILE_SET, "directory": str(directory), "files": 1, "bytes_per_file": file_bytes}
    plan = {
        "protocol": agent.PROTOCOL,
        "file_sets": [files],
        "points": [first | {"id": "first", "seed": 1}],
        "more": True,
    }
    with subprocess.Popen(
        [str(agent.path()), "probe"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            made = Session(process, file_bytes)
            made.send(plan)
            for _ in made.events():
                continue
            yield made
        finally:
            if process.stdin is not None:
                process.stdin.close()
