"""tracefs where the system has not mounted it: for this process and what it starts alone.

Without it whatever traces would be skipped where nothing but the mount is missing.
"""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

TRACEFS = Path("/sys/kernel/tracing")
INSTANCES = TRACEFS / "instances"

_CLONE_NEWNS = 0x00020000
_MS_REC_PRIVATE = 0x4000 | 1 << 18


def mount_for_us() -> None:
    """Mount it in a mount namespace of this process's own; leave all as it is where that fails."""
    if os.geteuid() != 0 or INSTANCES.is_dir() or not TRACEFS.is_dir():
        return
    libc = ctypes.CDLL(None)
    # Private: nothing of it is seen in the namespace that this one was copied from.
    own = libc.unshare(_CLONE_NEWNS) == 0
    if own and libc.mount(None, b"/", None, _MS_REC_PRIVATE, None) == 0:
        libc.mount(b"tracefs", bytes(TRACEFS), b"tracefs", 0, None)
