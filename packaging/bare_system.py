"""A bare Debian in a directory of its own, to try packages in: what debootstrap puts there.

It takes root. What is mounted there is so for the commands alone that run there.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import build_agent
from trial import ROOT, require, say

_ENVIRONMENT = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": "/root",
    "LANG": "C.UTF-8",
    "DEBIAN_FRONTEND": "noninteractive",
}
_ENTER = """
root=$1 fuse=$2
shift 2
mount --rbind /proc "$root/proc"
mount --rbind /sys "$root/sys"
if [ "$fuse" = fuse ]; then
    : >"$root/dev/fuse"
    mount --bind /dev/fuse "$root/dev/fuse"
fi
exec chroot "$root" "$@"
"""
FUSE = Path("/dev/fuse")


class BareSystem:
    """Where commands run as on a machine that was just installed."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def argv(self, command: Sequence[str], *, fuse: bool = False) -> list[str]:
        """How a command is started there; with ``fuse`` it may mount file systems of its own."""
        inside = ["unshare", "--mount", "--propagation", "private", "sh", "-euc", _ENTER, "sh"]
        return [*inside, str(self.root), "fuse" if fuse else "", *command]

    def has_fuse(self) -> bool:
        """Whether a command there may be started with FUSE."""
        return FUSE.exists()

    def environment(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        """What a command there finds in its environment."""
        return _ENVIRONMENT | dict(more or {})

    def put(self, file: Path) -> str:
        """Copy a file there; its path inside."""
        shutil.copy2(file, self.root / "opt" / file.name)
        return f"/opt/{file.name}"

    def run(self, *command: str) -> None:
        """Run a command that must succeed, silently; raises UnfitError with what it said."""
        done = subprocess.run(
            self.argv(command),
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        require(done.returncode == 0, f"{' '.join(command)} fails: {done.stderr.strip()}")

    def add_packages(self, names: Sequence[str]) -> None:
        """Install packages from Debian's archive."""
        self.run("apt-get", "-qq", "update")
        self.run("apt-get", "-qq", "-y", "--no-install-recommends", "install", *names)


def bring_commit(tree: Path) -> None:
    """Put the last commit into a folder that is not there yet, with the programs for targets."""
    tree.mkdir(parents=True)
    argv = ["git", "archive", "HEAD"]
    archive = subprocess.run(argv, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
    subprocess.run(["tar", "-x", "-C", str(tree)], input=archive, check=True)
    build_agent.ensure(tree, say)


def can_be_made() -> bool:
    """Whether this is root on a machine with debootstrap."""
    return os.geteuid() == 0 and shutil.which("debootstrap") is not None


@contextmanager
def bare_system(release: str = "") -> Iterator[BareSystem]:
    """A fresh Debian, by its code name, else of this machine's release; gone with the context."""
    with tempfile.TemporaryDirectory(prefix="leadline-bare-") as name:
        release = release or platform.freedesktop_os_release()["VERSION_CODENAME"]
        argv = ["debootstrap", "--variant=minbase", release, name]
        subprocess.run(argv, stdout=subprocess.DEVNULL, check=True)
        # Its accounts without rights must get in, too.
        Path(name).chmod(0o755)
        give_mtab(Path(name))
        yield BareSystem(Path(name))


def give_mtab(root: Path) -> None:
    """Add what Debian's installer adds and debootstrap need not: fusermount3 looks mounts up there.

    Without it an account without rights mounts, and can't unmount.
    """
    mtab = root / "etc" / "mtab"
    if not mtab.is_symlink():
        mtab.symlink_to("../proc/self/mounts")
