"""Writing a file where somebody else may have planted a link: the whole of it or nothing.

Root writes into folders of other accounts. What is written first gets a name that nobody can know
and is made anew; a link is followed only where one's own account or root made it.
"""

from __future__ import annotations

import errno
import os
import secrets
from pathlib import Path

_AT_MOST = 0o755
"""What a file may allow that takes the place of another: to write it, its owner alone."""

_FOR_ALL = 0o666
"""What a new file allows, less the user's own mask."""

_ROOT = 0
_MOST_LINKS = 8


def replace_whole(path: Path, content: bytes) -> None:
    """Write a file so that a reader finds the old one or the new one, never half of it.

    A pipe or device is written to. Raises OSError, also for a link that another account made.
    """
    path = followed(path)
    if path.exists() and not path.is_file():
        path.write_bytes(content)
        return
    beside = make_beside(path)
    try:
        beside.write_bytes(content)
        if path.exists():
            beside.chmod(path.stat().st_mode & _AT_MOST)
        beside.replace(path)
    finally:
        # Nothing half-written stays behind, on a full disk least of all.
        beside.unlink(missing_ok=True)


def make_beside(path: Path, mode: int = _FOR_ALL) -> Path:
    """Make an empty file in the folder of ``path``, to take its place once it is whole.

    Raises OSError.
    """
    beside = path.with_name(f".leadline-{secrets.token_hex(8)}.part")
    # Exclusively: nothing that lies there, a link least of all, is taken for the new file.
    os.close(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))
    return beside


def followed(path: Path) -> Path:
    """Where a name leads by links of one's own or of root's; raises OSError for anybody else's."""
    for _ in range(_MOST_LINKS):
        path = path.parent.resolve() / path.name
        if not path.is_symlink():
            return path
        if hasattr(os, "geteuid") and path.lstat().st_uid not in {_ROOT, os.geteuid()}:
            raise PermissionError(errno.EACCES, "a link of another account", str(path))
        path = path.parent / path.readlink()
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
