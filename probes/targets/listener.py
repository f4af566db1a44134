"""Who listens on a unix socket, and whether that can be anybody but the server's own account.

The agent tells the same of another machine's sockets (probes/agent/internal/listener).
"""

from __future__ import annotations

import os
import socket
import stat
import struct
import sys
from dataclasses import dataclass
from pathlib import Path

_MOST_LINKS = 8
"""How many symbolic links a socket's path may lead through."""

_ROOT = 0
_CREDENTIALS = struct.Struct("3i")
"""Linux' struct ucred: process, account, group."""


@dataclass(frozen=True, slots=True)
class Listener:
    """Who answers on a unix socket: an account's name, or its number where it has none.

    ``private`` tells that no other account could have put that socket there.
    """

    account: str
    private: bool


@dataclass(frozen=True, slots=True)
class _Peer:
    account: int
    group: int


def listener_of(connected: socket.socket, path: str) -> Listener:
    """Tell who listens at the other end of a connection to the socket at ``path``; raises OSError.

    Private is an account that has everything here anyway (root, and one's own), or one whose socket
    lies in a folder where no other account may put one.
    """
    peer = _peer(connected, path)
    trusted = peer.account in {_ROOT, os.geteuid()}
    return Listener(_name(peer.account), trusted or _closed(Path(path), peer))


def _peer(connected: socket.socket, path: str) -> _Peer:
    if sys.platform == "linux":
        said = connected.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
        _, account, group = _CREDENTIALS.unpack(said)
        return _Peer(account, group)
    # Elsewhere the socket's owner has to do.
    owner = Path(path).stat()
    return _Peer(owner.st_uid, owner.st_gid)


def _name(account: int) -> str:
    if sys.platform == "win32":
        return str(account)
    import pwd  # noqa: PLC0415 - not on Windows

    try:
        return pwd.getpwuid(account).pw_name
    except KeyError:
        return str(account)


def _closed(path: Path, peer: _Peer) -> bool:
    """Whether only root, oneself and the peer's account may say what lies at ``path``."""
    for _ in range(_MOST_LINKS):
        try:
            folder = path.absolute().parent.resolve(strict=True)
            if not _folders_closed(folder, peer):
                return False
            found = folder / path.name
            if not found.is_symlink():
                return found.exists()
            path = folder / found.readlink()
        except (OSError, RuntimeError):
            return False
    return False


def _folders_closed(folder: Path, peer: _Peer) -> bool:
    """Look at a folder and all above it.

    In those above, others may make files of their own where the sticky bit keeps them from moving
    what lies there.
    """
    for place in (folder, *folder.parents):
        status = place.lstat()
        if status.st_uid not in {_ROOT, os.geteuid(), peer.account}:
            return False
        by_group = status.st_mode & stat.S_IWGRP and status.st_gid not in {_ROOT, peer.group}
        sticky = status.st_mode & stat.S_ISVTX and place != folder
        if (by_group or status.st_mode & stat.S_IWOTH) and not sticky:
            return False
    return True
