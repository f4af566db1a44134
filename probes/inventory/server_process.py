"""The database server's process as the machine sees it: its memory, and what it is granted."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from probes.inventory.machine.answer import ServerAnswer, whole

_LIMIT = re.compile(r"/sys/fs/cgroup/.*(memory\.max|memory\.limit_in_bytes)")

_QUOTA = re.compile(r"/sys/fs/cgroup/.*cpu\.max")
_GRANTED_US, _PERIOD_US = "cpu.cfs_quota_us", "cpu.cfs_period_us"


@dataclass(frozen=True, slots=True)
class ServerProcess:
    """What /proc shows every account of the server; None is unknown.

    ``memory_limit_bytes`` is the lowest limit of its control groups, 0 where they set none.
    ``cpu_limit`` is how many processors' time they grant it, 0 where they set no limit.
    ``huge_pages`` is whether the kernel may give it transparent huge pages, ``huge_share`` how much
    of its own memory lies in such (0..1), ``reserved_huge_bytes`` what it has of those set aside
    (large_pages). The latter two are shown to the server's own account and to root. ``hostname`` is
    what it calls its machine, which is another name in a container; "" is unknown.
    """

    pid: int
    resident_bytes: int | None = None
    swapped_bytes: int | None = None
    memory_limit_bytes: int | None = None
    huge_pages: bool | None = None
    huge_share: float | None = None
    reserved_huge_bytes: int | None = None
    hostname: str = ""
    cpu_limit: float | None = None


def read_server_process(answer: ServerAnswer | None) -> ServerProcess | None:
    """Read the process that the agent found; None when it found none."""
    if answer is None:
        return None
    status = answer.files.get("status", "")
    memory = answer.files.get("smaps_rollup", "")
    return ServerProcess(
        pid=answer.pid,
        resident_bytes=_size(status, "VmRSS"),
        swapped_bytes=_size(status, "VmSwap"),
        memory_limit_bytes=_memory_limit(answer.groups),
        huge_pages={"1": True, "0": False}.get(_field(status, "THP_enabled")),
        huge_share=_huge_share(memory),
        reserved_huge_bytes=_sum(memory, "Private_Hugetlb", "Shared_Hugetlb"),
        hostname=answer.hostname,
        cpu_limit=_cpu_limit(answer.groups),
    )


def _memory_limit(groups: Mapping[str, str]) -> int | None:
    texts = [text.strip() for name, text in groups.items() if _LIMIT.fullmatch(name)]
    limits = [limit for text in texts if (limit := whole(text)) is not None and limit < 1 << 60]
    return min(limits) if limits else 0 if texts else None


def _cpu_limit(groups: Mapping[str, str]) -> float | None:
    """The least that a group grants, of both versions of control groups."""
    texts = [text for name, text in groups.items() if _QUOTA.fullmatch(name)]
    for name, text in groups.items():
        if name.endswith(_GRANTED_US):
            texts.append(f"{text} {groups.get(name.removesuffix(_GRANTED_US) + _PERIOD_US, '')}")
    limits = [limit for text in texts if (limit := _quota(text)) is not None]
    return min(limits) if limits else 0.0 if texts else None


def _quota(text: str) -> float | None:
    """Granted by period, in microseconds; none where the first is "max" or -1."""
    numbers = [whole(word) for word in text.split()]
    if len(numbers) != 2 or not all(numbers):
        return None
    granted, period = (float(number or 0) for number in numbers)
    return granted / period if granted > 0 and period > 0 else None


def _huge_share(memory: str) -> float | None:
    """Transparent huge pages alone: those that were set aside count as no memory of the process."""
    anonymous, shared = _size(memory, "Anonymous"), _size(memory, "Pss_Shmem") or 0
    huge = _sum(memory, "AnonHugePages", "ShmemPmdMapped")
    if anonymous is None or huge is None or anonymous + shared <= 0:
        return None
    return min(1.0, huge / (anonymous + shared))


def _sum(memory: str, *names: str) -> int | None:
    """What is reported of several kinds together; None where none is."""
    sizes = [size for name in names if (size := _size(memory, name)) is not None]
    return sum(sizes) if sizes else None


def _size(status: str, name: str) -> int | None:
    number = whole(_field(status, name).removesuffix("kB").strip())
    return None if number is None else number * 1024


def _field(status: str, name: str) -> str:
    match = re.search(rf"^{name}:\s*(.*)$", status, re.MULTILINE)
    return match[1].strip() if match else ""
