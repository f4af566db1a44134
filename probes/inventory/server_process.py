"""The database server's process as the machine sees it: its memory, and what it is granted."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from probes.inventory.machine_answer import ServerAnswer, whole

_LIMIT = re.compile(r"/sys/fs/cgroup/.*(memory\.max|memory\.limit_in_bytes)")


@dataclass(frozen=True, slots=True)
class ServerProcess:
    """What /proc tells every account of the server; None is unknown.

    ``memory_limit_bytes`` is the lowest limit of its control groups, 0 where they set none.
    ``huge_pages`` is whether the kernel may give it transparent huge pages.
    """

    pid: int
    resident_bytes: int | None = None
    swapped_bytes: int | None = None
    memory_limit_bytes: int | None = None
    huge_pages: bool | None = None


def read_server_process(answer: ServerAnswer | None) -> ServerProcess | None:
    """Read the process that the agent found; None when it found none."""
    if answer is None:
        return None
    status = answer.files.get("status", "")
    return ServerProcess(
        pid=answer.pid,
        resident_bytes=_size(status, "VmRSS"),
        swapped_bytes=_size(status, "VmSwap"),
        memory_limit_bytes=_memory_limit(answer.groups),
        huge_pages={"1": True, "0": False}.get(_field(status, "THP_enabled")),
    )


def _memory_limit(groups: Mapping[str, str]) -> int | None:
    told = [text.strip() for name, text in groups.items() if _LIMIT.fullmatch(name)]
    limits = [limit for text in told if (limit := whole(text)) is not None and limit < 1 << 60]
    return min(limits) if limits else 0 if told else None


def _size(status: str, name: str) -> int | None:
    number = whole(_field(status, name).removesuffix("kB").strip())
    return None if number is None else number * 1024


def _field(status: str, name: str) -> str:
    match = re.search(rf"^{name}:\s*(.*)$", status, re.MULTILINE)
    return match[1].strip() if match else ""
