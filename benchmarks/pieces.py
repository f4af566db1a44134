"""In how many pieces of the machine's memory a running program's blocks lie; root alone may look.

A thread that waits in pread tells the address of its block in /proc/PID/task/TID/syscall.
"""

from __future__ import annotations

import platform
import resource
import struct
import time
from io import FileIO
from itertools import pairwise
from pathlib import Path
from statistics import mean

_PREAD = {"x86_64": 17, "aarch64": 67}
_NUMBER = (1 << 55) - 1
_LOOKS = 20


def pieces_of(pid: int, block_bytes: int) -> float | None:
    """The mean over all blocks that are found; None where none is, or nobody may look."""
    addresses: set[int] = set()
    for _ in range(_LOOKS):
        addresses |= _blocks(pid)
        time.sleep(0.005)
    try:
        with FileIO(f"/proc/{pid}/pagemap") as pagemap:
            found = [_pieces(pagemap, address, block_bytes) for address in addresses]
    except OSError:
        return None
    known = [count for count in found if count]
    return mean(known) if known else None


def _blocks(pid: int) -> set[int]:
    wanted = str(_PREAD.get(platform.machine(), -1))
    found = set()
    for task in Path(f"/proc/{pid}/task").glob("*/syscall"):
        try:
            words = task.read_text().split()
        except OSError:
            continue
        if words[0] == wanted:
            found.add(int(words[2], 16))
    return found


def _pieces(pagemap: FileIO, address: int, block_bytes: int) -> int:
    page = resource.getpagesize()
    first, last = address // page, (address + block_bytes - 1) // page
    pagemap.seek(first * 8)
    count = last - first + 1
    entries: tuple[int, ...] = struct.unpack(f"={count}Q", pagemap.read(8 * count))
    numbers = [entry & _NUMBER for entry in entries]
    if not all(numbers):
        return 0
    return 1 + sum(after != before + 1 for before, after in pairwise(numbers))
