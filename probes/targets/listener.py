"""Who listens on a unix socket, and whether that can be anybody but the server's own account.

The agent reports the same of another machine's sockets (probes/agent/internal/listener).
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

    ``private`` means that no other account could have put that socket there.
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
    trusted = peer.account in {_ROOT, own_account()}
    return Listener(account_name(peer.account), trusted or _closed(Path(path), peer))


def is_ones_own(connected: socket.socket, path: str) -> bool:
    """Whether a program of one's own account, or of root's, listens there; raises OSError."""
    return _peer(connected, path).account in {_ROOT, own_account()}


def _peer(connected: socket.socket, path: str) -> _Peer:
    if sys.platform == "linux":
        credentials = connected.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
        _, account, group = _CREDENTIALS.unpack(credentials)
        return _Peer(account, group)
    # Elsewhere the socket's owner has to do.
    owner = Path(path).stat()
    return _Peer(owner.st_uid, owner.st_gid)


def own_account() -> int:
    """The number of this program's account; -1 on Windows, which numbers none."""
    if sys.platform == "win32":
        return -1
    return os.geteuid()


def account_name(account: int) -> str:
    """What this computer calls an account: its name, or its number where it has none."""
    if sys.platform == "win32":
        return str(account)
    import pwd  # noqa: PLC0415 - not on Windows

    try:
        return pwd.getpwuid(account).pw_name
    except KeyError:
        return str(account)


def _closed(path: Path, peer: _Peer) -> bool:
    """Whether only root, oneself and the peer's account may say what lies at ``path``.

    Each name on the way counts, those that links lead through, too.
    """
    here = path.absolute()
    at, left, links = Path(here.anchor), list(reversed(here.parts[1:])), 0
    try:
        while left:
            name = left.pop()
            if name == "..":
                at = at.parent
                continue
            found = at / name
            status = found.lstat()
            if not _held(at.lstat(), status, peer, last=not left):
                return False
            if not stat.S_ISLNK(status.st_mode):
                at = found
                continue
            links += 1
            if links > _MOST_LINKS:
                return False
            to = at / found.readlink()
            at, left = Path(to.anchor), [*left, *reversed(to.parts[1:])]
    except OSError:
        return False
    return True


def _held(folder: os.stat_result, entry: os.stat_result, peer: _Peer, *, last: bool) -> bool:
    """Whether nobody else may say what an entry of that folder is.

    Where others may make files of their own, the sticky bit keeps them from moving what lies there.
    But what another account owns there, the peer's own folder too, may be what they made: only
    root's and one's own is sure to stay.
    """
    if folder.st_uid not in {_ROOT, own_account(), peer.account}:
        return False
    # Whoever listens may be any member of its group, unless the folder is its own.
    its_own = (folder.st_uid, folder.st_gid) == (peer.account, peer.group)
    by_group = folder.st_mode & stat.S_IWGRP and folder.st_gid != _ROOT and not its_own
    if not (by_group or folder.st_mode & stat.S_IWOTH):
        return True
    stays = folder.st_mode & stat.S_ISVTX and entry.st_uid in {_ROOT, own_account()}
    return bool(stays) and not last
