"""The built agent as it ships: with a plan to its end, or waiting for one point after the other."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from benchmarks.shared.process import BenchmarkError, Finished, run
from benchmarks.shared.report import ROOT

PROTOCOL = 2
FILE_SET = "f"
_PROCESSORS = {"x86_64": "amd64", "aarch64": "arm64"}

Event = dict[str, Any]
"""A line of the agent's; probes/agent/PROTOCOL.md has the fields."""


def path() -> str:
    """The agent for this processor."""
    processor = _PROCESSORS.get(platform.machine(), platform.machine())
    return str(ROOT / "resources" / "agents" / f"leadline-agent-linux-{processor}")


def build() -> None:
    """What is measured is the agent of this source tree."""
    subprocess.run([sys.executable, str(ROOT / "packaging" / "build_agent.py")], check=True)


def point(probe: str, threads: int, seconds: float, number: int = 1, **more: object) -> Event:
    """A point of a plan; ``number`` is its seed."""
    common = {"id": "p", "probe": probe, "threads": threads, "seconds": seconds}
    return {**common, "warmup_seconds": 0.3, "seed": number, **more}


def reads(threads: int, block_bytes: int, seconds: float, number: int = 1, **more: object) -> Event:
    """A point of random reads from the file set `FILE_SET`."""
    where = {"file_set": FILE_SET, "block_size_bytes": block_bytes}
    return point("random_read", threads, seconds, number, **{**where, **more})


def files(directory: str | Path, size_bytes: int, name: str = FILE_SET) -> Event:
    """A file set of one file."""
    return {"id": name, "directory": str(directory), "files": 1, "bytes_per_file": size_bytes}


def carry_out(plan: Mapping[str, object]) -> tuple[list[Event], Finished]:
    """Carry out a plan whose points must all succeed; these, and what the process took.

    Raises BenchmarkError.
    """
    whole = {"protocol": PROTOCOL, "ignore_floor": True} | dict(plan)
    finished = run([path(), "probe"], stdin=json.dumps(whole) + "\n")
    return [each for each in _events(finished.output.splitlines()) if _is_point(each)], finished


def measured(directory: str | Path, file_bytes: int, one: Event) -> tuple[Event, Finished]:
    """One point of reads from one file of the agent's own, and what its process took."""
    (found,), finished = carry_out({"file_sets": [files(directory, file_bytes)], "points": [one]})
    return found, finished


def _is_point(event: Event) -> bool:
    return bool(event["event"] == "point")


def _events(lines: Iterator[str] | list[str] | IO[str]) -> Iterator[Event]:
    for line in lines:
        event: Event = json.loads(line)
        if event["event"] == "error":
            raise BenchmarkError(f"the agent could not measure: {event['message']}")
        yield event


class Session:
    """A running agent with one file, which waits for more: other programs may read it too."""

    def __init__(self, process: subprocess.Popen[str], file_bytes: int) -> None:
        self._process, self._file_bytes, self._number = process, file_bytes, 0

    def measure(self, one: Event) -> Event:
        """Carry out one point; its event, with the seconds that all of it took as ``took_s``.

        ``said`` is all that the agent said of it. Raises BenchmarkError.
        """
        self._number += 1
        name, began = str(self._number), time.monotonic()
        self.send({"points": [one | {"id": name, "seed": self._number}]})
        said = [event for event in self.events() if event.get("id") == name]
        for event in said:
            if _is_point(event):
                return event | {"took_s": time.monotonic() - began, "said": said}
        raise BenchmarkError(f"the agent measured no {one['probe']}")

    def events(self) -> Iterator[Event]:
        """What it says until it waits for more; raises BenchmarkError."""
        assert self._process.stdout is not None
        for event in _events(self._process.stdout):
            if event["event"] == "waiting":
                return
            yield event
        raise BenchmarkError("the agent ended")

    def send(self, line: Mapping[str, object]) -> None:
        """Tell it something."""
        say(self._process, line)

    def drain(self) -> None:
        """Hear all that it says until it ends."""
        for _ in self._process.stdout or ():
            continue

    def kill(self) -> None:
        """End it."""
        self._process.kill()

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


def say(process: subprocess.Popen[str], line: Mapping[str, object]) -> None:
    """Write a line to an agent."""
    assert process.stdin is not None
    process.stdin.write(json.dumps(line) + "\n")
    process.stdin.flush()


@contextmanager
def started(plan: Mapping[str, object]) -> Iterator[subprocess.Popen[str]]:
    """An agent that carries out a plan; it is killed with the context."""
    with subprocess.Popen(
        [path(), "probe"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            say(process, {"protocol": PROTOCOL} | dict(plan))
            yield process
        finally:
            process.kill()


@contextmanager
def session(directory: str | Path, file_bytes: int, first: Event) -> Iterator[Session]:
    """Start an agent and have its file filled; ``first`` is a point that makes it do so."""
    plan = {"file_sets": [files(directory, file_bytes)], "points": [first], "more": True}
    with started(plan) as process:
        made = Session(process, file_bytes)
        for _ in made.events():
            continue
        yield made
