"""Lays the stand-alone folder out as Linux has programs: what a package of it holds."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import build_agent
from bill import LICENCES

from docs.build import commands

ROOT = build_agent.ROOT
PACKAGING = ROOT / "packaging"
DESKTOP = PACKAGING / "desktop"
LIBRARY = "usr/lib/leadline"
COMMAND = "usr/bin/leadline"
SHARE = "usr/share"
ICONS = "icons/hicolor"
DATA = {
    DESKTOP / "leadline.desktop": "applications/leadline.desktop",
    DESKTOP / "org.leadline.Leadline.metainfo.xml": "metainfo/org.leadline.Leadline.metainfo.xml",
    DESKTOP / "leadline-mime.xml": "mime/packages/leadline.xml",
    ROOT / "resources/icons/leadline.svg": f"{ICONS}/scalable/apps/leadline.svg",
    ROOT / "resources/icons/leadline-64.png": f"{ICONS}/64x64/apps/leadline.png",
    ROOT / "resources/icons/leadline-128.png": f"{ICONS}/128x128/apps/leadline.png",
    ROOT / "resources/icons/leadline-512.png": f"{ICONS}/512x512/apps/leadline.png",
}
"""What a desktop needs, and where it looks below /usr/share."""


def lay_out(folder: Path, tree: Path) -> None:
    """Put all files where they belong below ``tree``, which stands for the root directory."""
    library, share = tree / LIBRARY, tree / SHARE
    shutil.copytree(folder, library, symlinks=True, ignore=shutil.ignore_patterns("share"))
    (library / "LICENSE").unlink(missing_ok=True)
    if (library / LICENCES).exists():
        (library / LICENCES).rename(parent_made(share / "doc" / "leadline" / LICENCES))
    parent_made(tree / COMMAND).symlink_to("../lib/leadline/leadline")
    commands.write(share)
    for source, name in DATA.items():
        shutil.copyfile(source, parent_made(share / name))


def parent_made(path: Path) -> Path:
    """The path, whose folder is there now."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def set_modes(tree: Path) -> None:
    """Readable by all, writable by the owner, whatever this session's umask is."""
    for path in (tree, *tree.rglob("*")):
        if not path.is_symlink():
            runs = path.is_dir() or path.stat().st_mode & 0o100
            path.chmod(0o755 if runs else 0o644)
    # Libraries are loaded, not run.
    for path in (tree / LIBRARY).rglob("*.so*"):
        if path.is_file() and not path.is_symlink():
            path.chmod(0o644)


def window_packages() -> list[str]:
    """The Debian packages with Qt's system libraries, as the set-up installs them."""
    script = (PACKAGING / "setup.sh").read_text(encoding="utf-8")
    found = re.search(r'window\) echo "([^"]+)"', script)
    if found is None:
        raise build_agent.BuildError("packaging/setup.sh names no packages for the window.")
    return found[1].split()


def keep_to_the_commits_clock() -> None:
    """Let what is built carry the time of the commit, so that it can be built again alike.

    Hatchling, dpkg-deb and mksquashfs heed SOURCE_DATE_EPOCH; one that is set already stays.
    """
    if "SOURCE_DATE_EPOCH" in os.environ:
        return
    argv = ["git", "log", "-1", "--format=%ct"]
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode == 0 and done.stdout.strip():
        os.environ["SOURCE_DATE_EPOCH"] = done.stdout.strip()
