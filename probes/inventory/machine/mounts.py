"""The kernel's table of mounts: which one holds a path."""

from __future__ import annotations

import re
from dataclasses import dataclass

_ESCAPED = re.compile(r"\\([0-7]{3})")


@dataclass(frozen=True, slots=True)
class Mount:
    """One line of mountinfo; ``root`` is the folder of the filesystem that shows at ``point``."""

    device: str
    root: str
    point: str
    options: tuple[str, ...]
    filesystem: str
    source: str

    def holds(self, path: str) -> bool:
        """Whether ``path`` lies at or below the mount point."""
        return self.point in ("/", path) or path.startswith(f"{self.point}/")


def parse_mounts(mountinfo: str) -> list[Mount]:
    """Read ``/proc/self/mountinfo``, in its order; lines of another shape are left out."""
    mounts = []
    for line in mountinfo.splitlines():
        before, dash, after = line.partition(" - ")
        head, tail = before.split(" "), after.split(" ")
        if not dash or len(head) < 6 or len(tail) < 2:
            continue
        options = [*head[5].split(","), *(tail[2].split(",") if len(tail) > 2 else ())]
        mounts.append(
            Mount(
                device=head[2],
                root=_unescaped(head[3]),
                point=_unescaped(head[4]),
                options=tuple(dict.fromkeys(_unescaped(option) for option in options if option)),
                filesystem=tail[0],
                source=_unescaped(tail[1]),
            )
        )
    return mounts


def find_mount(mounts: list[Mount], path: str, device: str = "") -> Mount | None:
    """The mount that holds a resolved ``path``: the deepest point, and of equals the last.

    ``device`` is what ``stat`` says of the path: it decides where a mount further up hides a deeper
    one. Filesystems with anonymous devices (btrfs) never match it, and the deepest point stands.
    """
    holding = [mount for mount in mounts if mount.holds(path)]
    same = [mount for mount in holding if mount.device == device]
    candidates = same or holding
    # max() keeps the first of equals, and the last one mounted is the one that shows.
    return max(reversed(candidates), key=lambda mount: len(mount.point), default=None)


def _unescaped(text: str) -> str:
    """Undo the kernel's octal escapes for space, tab, newline and backslash."""
    return _ESCAPED.sub(lambda match: chr(int(match[1], 8)), text)
