"""What all processes of a program show of themselves to others, while it runs."""

from __future__ import annotations

import threading
from pathlib import Path
from types import TracebackType
from typing import Self

_EVERY_S = 0.1


class Watch:
    """Samples the command lines and environments of processes and all that they start.

    The environment of a root itself is left out: whoever started it gave it that.
    """

    def __init__(self, *roots: int) -> None:
        self.roots = set(roots)
        self.seen: dict[tuple[int, str], bytes] = {}
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        self._thread.join()

    def ran(self, program: bytes) -> bool:
        """Whether a process with this in its command line was seen."""
        return any(program in line for (_, what), line in self.seen.items() if what == "cmdline")

    def looked_into(self, pid: int) -> bool:
        """Whether a process's environment was seen."""
        return (pid, "environ") in self.seen

    def holding(self, secret: bytes) -> list[str]:
        """Where a secret was seen."""
        return [
            f"{what} of {pid} ({self.seen.get((pid, 'cmdline'), b'')[:100]!r})"
            for (pid, what), content in self.seen.items()
            if secret in content
        ]

    def _watch(self) -> None:
        while not self._over.wait(_EVERY_S):
            # Others add to them meanwhile.
            roots = {_read(pid, "cmdline") for pid in tuple(self.roots)}
            for pid in self._family():
                line = _read(pid, "cmdline")
                self._keep(pid, "cmdline", line)
                # A process is its parent's copy before it becomes another program.
                if pid not in self.roots and line not in roots:
                    self._keep(pid, "environ", _read(pid, "environ"))

    def _keep(self, pid: int, what: str, content: bytes) -> None:
        seen = self.seen.get((pid, what), b"")
        if content not in seen:
            self.seen[pid, what] = seen + content

    def _family(self) -> set[int]:
        parents = {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit() and (stat := _read(int(entry.name), "stat")):
                parents[int(entry.name)] = int(stat.rpartition(b")")[2].split()[1])
        family = set(self.roots)
        while more := {pid for pid, parent in parents.items() if parent in family} - family:
            family |= more
        return family


def _read(pid: int, what: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/{what}").read_bytes()
    except OSError:
        return b""
