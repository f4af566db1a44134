"""Makes an RPM of the stand-alone folder by nfpm, and tries it in a bare Debian that has rpm."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import build_agent
from bare_system import BareSystem
from installed_tree import LIBRARY, ROOT, lay_out, set_modes
from trial import Installed, say

WINDOW = (
    "libglvnd-egl",
    "libglvnd-glx",
    "libxkbcommon",
    "libxkbcommon-x11",
    "xcb-util-cursor",
    "xcb-util-image",
    "xcb-util-keysyms",
    "xcb-util-renderutil",
    "xcb-util-wm",
    "fontconfig",
    "dbus-libs",
    "libSM",
    "libICE",
    "krb5-libs",
)
"""Fedora's packages with Qt's system libraries."""
_INSTALL = 'rpm --install --nodeps "$1" || rpm --install --nodeps --force-debian "$1"'
"""The rpm of Debian 12 refuses without the second option, that of Debian 13 does not know it."""


def tool() -> str | None:
    """Where nfpm is; None where it is not."""
    return shutil.which("nfpm", path=str(Path(sys.executable).parent)) or shutil.which("nfpm")


def build(folder: Path, dist: Path) -> Path:
    """The package of a stand-alone folder, in ``dist``."""
    version = build_agent.project_version(ROOT)
    made = dist / f"leadline-{version}-1.{platform.machine()}.rpm"
    with tempfile.TemporaryDirectory(prefix="leadline-rpm-") as name:
        tree, config = Path(name) / "tree", Path(name) / "nfpm.json"
        tree.mkdir()
        lay_out(folder, tree)
        set_modes(tree)
        _keep_to_the_commits_clock(tree)
        about = {
            "name": "leadline",
            "arch": {"x86_64": "amd64", "aarch64": "arm64"}[platform.machine()],
            "version": version,
            "release": "1",
            "license": "Apache-2.0",
            "maintainer": "The Leadline authors <noreply@leadline.invalid>",
            "description": "Measures a MySQL server's storage and advises on InnoDB settings.",
            "depends": [f"glibc >= {platform.libc_ver()[1]}"],
            "recommends": list(WINDOW),
            "contents": list(_contents(tree)),
            "rpm": {"compression": "zstd", "buildhost": "leadline"},
        }
        # What nfpm reads is YAML, of which JSON is a part.
        config.write_text(json.dumps(about), encoding="utf-8")
        argv = [str(tool()), "package", "--config", str(config), "--packager", "rpm"]
        argv += ["--target", str(made)]
        subprocess.run(argv, stdout=subprocess.DEVNULL, check=True)
    return made


def _keep_to_the_commits_clock(tree: Path) -> None:
    """Give each file the time of the commit: nfpm writes what the file system has."""
    if "SOURCE_DATE_EPOCH" in os.environ:
        epoch = int(os.environ["SOURCE_DATE_EPOCH"])
        for path in (tree, *tree.rglob("*")):
            os.utime(path, (epoch, epoch), follow_symlinks=False)


def _contents(tree: Path) -> Iterator[dict[str, str]]:
    """Leadline's own folder whole; of folders that others have, the files alone."""
    yield {"src": str(tree / LIBRARY), "dst": f"/{LIBRARY}", "type": "tree"}
    for path in sorted(tree.rglob("*")):
        inside = path.relative_to(tree).as_posix()
        if inside.startswith(LIBRARY):
            continue
        if path.is_symlink():
            yield {"src": str(path.readlink()), "dst": f"/{inside}", "type": "symlink"}
        elif path.is_file():
            yield {"src": str(path), "dst": f"/{inside}"}


def try_out(package: Path, system: BareSystem) -> None:
    """Install it beside Debian's own packages, run it, and remove it."""
    say("installing the .rpm into a bare Debian that has rpm")
    system.add_packages(["rpm"])
    system.run("sh", "-c", _INSTALL, "sh", system.put(package))
    program = Installed(system.argv(["leadline"]), system.environment())
    program.answers()
    program.is_whole()
    system.run("rpm", "--erase", "leadline")
    if (system.root / LIBRARY).exists():
        raise build_agent.BuildError(f"Removing the RPM leaves /{LIBRARY}.")
