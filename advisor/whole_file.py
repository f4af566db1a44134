"""Writing a file where somebody else may have planted a link: the whole of it or nothing.

Root writes into folders of other accounts. The folder is held open from the look at the way to it
until the file is there, so that nobody can put another one in its place; what is written first gets
a name that nobody can know, is newly made, and is never opened by name again. A link is followed
only where one's own account or root made it.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from probes.targets.listener import own_account

_AT_MOST = 0o755
"""What a file may allow that takes the place of another: to write it, its owner alone."""

_FOR_ALL = 0o666
"""What a new file allows, less the user's own mask."""

_ROOT = 0
_MOST_LINKS = 40
"""As many as the kernel follows."""

_OPENED = re.compile(r"(pipe|socket|anon_inode):")
"""What the kernel calls that which a link of /proc/self/fd leads to, where that has no name."""

_HOLDS_FOLDERS = os.open in os.supports_dir_fd
_PASS = getattr(os, "O_PATH", 0) | getattr(os, "O_DIRECTORY", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


def replace_whole(path: Path, content: bytes, mode: int | None = None) -> None:
    """Write a file so that a reader finds the old one or the new one, never half of it.

    A pipe or device is written to. ``mode`` is what the file allows in any case; else it is what
    the one of before allowed. Raises OSError, also for a link or a pipe that another account made.
    """
    with _place(path) as place:
        before = place.status()
        if place.takes_a_stream(before):
            place.pour(content)
            return

        def fill(number: int) -> None:
            _write(number, content)
            if before is not None and mode is None:
                _allow(number, stat.S_IMODE(before.st_mode) & _AT_MOST)

        with place.fresh(_FOR_ALL if mode is None else mode, fill) as beside:
            place.rename(beside)


def check_replaceable(path: Path) -> None:
    """Raise the OSError that ``replace_whole`` would raise of the place; nothing stays there."""
    with _place(path) as place:
        if not place.takes_a_stream(place.status()):
            with place.fresh(_FOR_ALL, lambda _number: None):
                pass


@dataclass(frozen=True, slots=True)
class _Place:
    """A name in a folder that is held open; where a system can't do that, the whole path."""

    name: str
    folder: int | None
    opened: bool = False
    """It is a link to what this program, or who started it, has opened: a pipe, say."""

    def status(self) -> os.stat_result | None:
        try:
            return os.stat(self.name, dir_fd=self.folder, follow_symlinks=self.opened)
        except FileNotFoundError:
            return None

    def takes_a_stream(self, status: os.stat_result | None) -> bool:
        """Whether a pipe or device is there; raises OSError for a folder, or another's pipe."""
        if status is None or stat.S_ISREG(status.st_mode):
            return False
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), self.name)
        if stat.S_ISFIFO(status.st_mode) and not self.opened and not _ones_own(status):
            raise PermissionError(errno.EACCES, "a pipe of another account", self.name)
        return True

    def pour(self, content: bytes) -> None:
        no_link = 0 if self.opened else _NO_LINK
        number = os.open(self.name, os.O_WRONLY | no_link, dir_fd=self.folder)
        try:
            # It may be another one by now.
            if not self.takes_a_stream(os.fstat(number)):
                raise OSError(errno.EBUSY, "it was changed meanwhile", self.name)
            _write(number, content)
        finally:
            os.close(number)

    @contextmanager
    def fresh(self, mode: int, fill: Callable[[int], None]) -> Iterator[str]:
        """A new file in the same folder, filled and closed; its name."""
        beside = str(Path(self.name).parent / f".leadline-{secrets.token_hex(8)}.part")
        # Exclusively: nothing that lies there, a link least of all, is taken for the new file.
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        number = os.open(beside, flags, mode, dir_fd=self.folder)
        try:
            try:
                fill(number)
            finally:
                # Windows renames nothing that is open.
                os.close(number)
            yield beside
        finally:
            # Nothing half-written stays behind, on a full disk least of all.
            with suppress(FileNotFoundError):
                os.unlink(beside, dir_fd=self.folder)

    def rename(self, beside: str) -> None:
        os.replace(beside, self.name, src_dir_fd=self.folder, dst_dir_fd=self.folder)


def _write(number: int, content: bytes) -> None:
    left = memoryview(content)
    while left:
        left = left[os.write(number, left) :]


def _allow(number: int, mode: int) -> None:
    # Windows has other permissions.
    if hasattr(os, "fchmod"):
        os.fchmod(number, mode)


@contextmanager
def _place(path: Path) -> Iterator[_Place]:
    """Where a name leads by links of one's own or of root's; raises OSError for anybody else's."""
    if not _HOLDS_FOLDERS:
        yield _Place(str(path.resolve()), None)
        return
    folder = os.open(path.anchor or ".", _PASS)
    try:
        left = [each for each in reversed(path.parts) if each != path.anchor]
        name, links = ".", 0
        while left:
            name = left.pop()
            target = _link(folder, name)
            if target is None and not left:
                break
            if target is None:
                folder = _into(folder, name, _NO_LINK)
                continue
            if not left and _OPENED.match(target):
                yield _Place(name, folder, opened=True)
                return
            links += 1
            if links > _MOST_LINKS:
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
            to = Path(target)
            if to.anchor:
                folder = _into(folder, to.anchor)
            left += [each for each in reversed(to.parts) if each != to.anchor]
            name = "."
        yield _Place(name, folder)
    finally:
        os.close(folder)


def _into(folder: int, name: str, flags: int = 0) -> int:
    """Hold another folder instead of that one."""
    found = os.open(name, _PASS | flags, dir_fd=folder)
    os.close(folder)
    return found


def _link(folder: int, name: str) -> str | None:
    """Where a link leads; None for what is no link, or not there."""
    try:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None
    if not stat.S_ISLNK(status.st_mode):
        return None
    if not _ones_own(status) and not _settled(os.fstat(folder)):
        raise PermissionError(errno.EACCES, "a link of another account", name)
    return os.readlink(name, dir_fd=folder)


def _ones_own(status: os.stat_result) -> bool:
    return status.st_uid in {_ROOT, own_account()}


def _settled(folder: os.stat_result) -> bool:
    """Whether a link in that folder is one that people share: not for root, nor where all write."""
    return own_account() != _ROOT and not folder.st_mode & stat.S_IWOTH
