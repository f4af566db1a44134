"""A check that runs as a process of its own, watched from outside."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.app.cli.forked import Done
from tests.app.cli.forked import Program as Running
from tests.short_plans import WITH_SMALL_FILES
from tests.waiting import HANG_S, wait_until

Program = Callable[..., Running]
POINT = "[2/"
"""What stands before the second point that was measured."""


class Checking:
    """A check that runs as a process of its own; what it says is gathered as it comes."""

    def __init__(self, process: Running) -> None:
        self.process = process
        self.said: list[str] = []
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        for line in self.process.stderr:
            self.said.append(line)

    @property
    def stderr(self) -> str:
        return "".join(self.said)

    def wait_for(self, text: str) -> None:
        wait_until(lambda: text in self.stderr or self.process.poll() is not None)
        assert text in self.stderr, self.stderr

    def end(self) -> Done:
        stdout = self.process.stdout.read()
        code = self.process.wait(HANG_S)
        self._reader.join(HANG_S)
        return Done(code, stdout, self.stderr)

    def agents(self) -> list[int]:
        """The agents that this check has started, by process id."""
        return [
            int(stat.parent.name)
            for stat in Path("/proc").glob("[0-9]*/stat")
            if _parent_of(stat) == self.process.pid
            and b"leadline-agent" in (stat.parent / "cmdline").read_bytes()
        ]


def _parent_of(stat: Path) -> int:
    try:
        return int(stat.read_text().rpartition(")")[2].split()[1])
    except (OSError, IndexError):
        return 0


@contextmanager
def checking(program: Program, target: str, directory: Path, *args: str) -> Iterator[Checking]:
    words = ("check", target, "--dir", str(directory), "--window", "0", *args)
    process = program(*words, before=WITH_SMALL_FILES)
    check = Checking(process)
    try:
        yield check
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
