"""Makes a Debian package of the stand-alone folder, and tries it in a bare Debian.

Usage: debian_package.py FOLDER DIST: the stand-alone folder, and where the package goes.
"""

from __future__ import annotations

import gzip
import hashlib
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import build_agent
from bare_system import BareSystem
from installed_tree import (
    COMMAND,
    LIBRARY,
    ROOT,
    SHARE,
    lay_out,
    parent_made,
    set_modes,
    window_packages,
)
from trial import Installed, outside, say

from docs.build.commands import MAN

ZSH = ("zsh/site-functions", "zsh/vendor-completions")
"""Debian's zsh looks in the second for what packages bring."""

CONTROL = """\
Package: leadline
Version: {version}
Architecture: {architecture}
Maintainer: The Leadline authors <noreply@leadline.invalid>
Section: database
Priority: optional
Installed-Size: {kib}
Depends: libc6 (>= {libc})
Recommends: {window}
Description: measures a MySQL server's storage and advises on InnoDB
 Leadline measures the storage under a MySQL or MariaDB server, or watches the
 server at work, and advises on InnoDB settings with the evidence beside it.
 .
 The recommended packages are for the window; the command line does without.
"""
COPYRIGHT = """\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Leadline

Files: *
Copyright: The Leadline authors
License: Apache-2.0
 On Debian systems the text of this licence is in
 /usr/share/common-licenses/Apache-2.0.
Comment:
 Below /usr/lib/leadline lie Python, Qt, Typst and other libraries under
 licences of their own: licences.txt beside this file has all of them.
"""


def architecture() -> str:
    """What dpkg calls this machine's processor."""
    argv = ["dpkg", "--print-architecture"]
    return subprocess.run(argv, capture_output=True, text=True, check=True).stdout.strip()


def make_tree(folder: Path, tree: Path) -> None:
    """What the package holds: the installed files, and what Debian wants beside them."""
    lay_out(folder, tree)
    share = tree / SHARE
    (share / ZSH[0]).rename(parent_made(share / ZSH[1]))
    _compress(share / MAN)
    notes = share / "doc/leadline"
    parent_made(notes / "copyright").write_text(COPYRIGHT, encoding="utf-8")
    shutil.copyfile(ROOT / "CHANGELOG.md", notes / "changelog")
    _compress(notes / "changelog")


def _compress(path: Path) -> None:
    path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes(), 9, mtime=0))
    path.unlink()


def describe(tree: Path) -> None:
    """Write what dpkg reads of the laid out files: control and checksums."""
    files = sorted(path for path in tree.rglob("*") if path.is_file() and not path.is_symlink())
    kib = sum(-(-path.stat().st_size // 1024) for path in files)
    about = tree / "DEBIAN"
    about.mkdir()
    control = CONTROL.format(
        version=build_agent.project_version(ROOT),
        architecture=architecture(),
        kib=kib,
        libc=platform.libc_ver()[1],
        window=", ".join(window_packages()),
    )
    (about / "control").write_text(control, encoding="utf-8")
    sums = [f"{_md5(path)}  {path.relative_to(tree).as_posix()}\n" for path in files]
    (about / "md5sums").write_text("".join(sums), encoding="utf-8")


def _md5(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()


def build(folder: Path, dist: Path) -> Path:
    """The package of a stand-alone folder, in ``dist``."""
    with tempfile.TemporaryDirectory(prefix="leadline-deb-") as name:
        tree = Path(name) / "leadline"
        tree.mkdir()
        make_tree(folder, tree)
        describe(tree)
        set_modes(tree)
        package = dist / f"leadline_{build_agent.project_version(ROOT)}_{architecture()}.deb"
        # xz, which is usual, takes minutes for Qt.
        argv = [
            "dpkg-deb",
            "-Zzstd",
            "-z9",
            "--build",
            "--root-owner-group",
            str(tree),
            str(package),
        ]
        subprocess.run(argv, stdout=subprocess.DEVNULL, check=True)
    return package


def try_unpacked(package: Path) -> None:
    """Run what is in it, where installing it is not possible."""
    say("unpacking the .deb (installing takes root and debootstrap)")
    with tempfile.TemporaryDirectory(prefix="leadline-deb-") as name:
        subprocess.run(["dpkg-deb", "-x", str(package), name], check=True)
        Installed([f"{name}/{COMMAND}"], outside(Path(name))).answers()


def try_out(package: Path, system: BareSystem) -> None:
    """Install it into a bare Debian, run it there without and with a window, and remove it."""
    say("installing the .deb into a bare Debian")
    system.run("dpkg", "--install", system.put(package))
    program = Installed(system.argv(["leadline"]), system.environment())
    program.answers()
    program.works()
    say("opening its window there")
    system.add_packages(window_packages())
    program.is_whole()
    program.shows_its_window()
    system.run("dpkg", "--purge", "leadline")
    if (system.root / LIBRARY).exists():
        raise build_agent.BuildError(f"Removing the package leaves /{LIBRARY}.")


if __name__ == "__main__":
    print(build(Path(sys.argv[1]), Path(sys.argv[2])))
