"""Makes the packages for 64-bit Arm on an x86-64 Debian, and tries them there, emulated by qemu.

It takes root, debootstrap and qemu-user-static, and proot where the kernel can't start programs of
another processor (binfmt_misc). Only what must run as Arm's is emulated: pip's downloads and Go's
compiler make Arm's files on any processor.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import build_agent
import package
from bare_system import BareSystem, bring_commit, give_mtab
from installed_tree import ROOT, keep_to_the_commits_clock, window_packages
from trial import UnfitError

from app.runtime.commit import KEPT, commit

RELEASE, PYTHON, GLIBC = "trixie", "3.13", "2_39"
"""The Debian in which to build, and its Python: PySide6 for Arm takes this glibc or later."""
BINFMT = Path("/proc/sys/fs/binfmt_misc/qemu-aarch64")
EMULATOR = "opt/emulator"
CPU = "cortex-a72"
"""A processor without pointer authentication, which takes an emulator ten times as long."""
TREE, PARTS, MODULES, GO = "opt/leadline", "opt/parts", "opt/modules", "usr/local/go"
"""Where the tree, its Python packages, its Go modules and Go lie in the root to build in."""
KINDS = {package.DEB: "*.deb", package.IMAGE: "*.AppImage", package.RPM: "*.rpm"}


class EmulatedSystem(BareSystem):
    """A bare Debian for Arm, whose commands are started through an emulator where it takes one."""

    def __init__(self, root: Path, through: Sequence[str]) -> None:
        super().__init__(root)
        self.through = through

    def argv(self, command: Sequence[str], *, fuse: bool = False) -> list[str]:
        """How a command is started there."""
        return super().argv([*self.through, *command], fuse=fuse)

    def has_fuse(self) -> bool:
        """Not under proot, which would wait for files that a program serves which waits for it."""
        return super().has_fuse() and not self.through

    def environment(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        """What a command there finds in its environment."""
        return super().environment({"QEMU_CPU": CPU, **(more or {})})


def emulator(root: Path) -> list[str]:
    """What a command of Arm's is started through in ``root``; nothing where the kernel sees to it.

    proot watches for programs that start others, and starts these through qemu. It is this
    machine's, and so are the libraries that go with it.
    """
    if BINFMT.exists():
        return []
    proot, qemu = (shutil.which(name) for name in ("proot", "qemu-aarch64-static"))
    if proot is None or qemu is None:
        raise build_agent.BuildError("Running Arm's programs takes qemu-user-static, and proot.")
    listed = subprocess.run(["ldd", proot], capture_output=True, text=True, check=True).stdout
    libraries = re.findall(r"/\S+", listed)
    (root / EMULATOR).mkdir(parents=True)
    for file in (proot, qemu, *libraries):
        shutil.copy(file, root / EMULATOR)
    loader = next(Path(each).name for each in libraries if "/ld-linux" in each)
    place = f"/{EMULATOR}"
    started = [f"{place}/{loader}", "--library-path", place, f"{place}/proot"]
    return [*started, "-q", f"{place}/{Path(qemu).name}", "-r", "/", "-w", "/"]


def make_debian(root: Path) -> EmulatedSystem:
    """A bare Debian for Arm: unpacked here, then set up by its own programs."""
    argv = ["debootstrap", "--arch=arm64", "--variant=minbase", "--foreign", RELEASE, str(root)]
    subprocess.run(argv, stdout=subprocess.DEVNULL, check=True)
    proc = root / "proc"
    if proc.is_symlink():  # in a container debootstrap makes it one
        proc.unlink()
        proc.mkdir()
    system = EmulatedSystem(root, emulator(root))
    system.run("/debootstrap/debootstrap", "--second-stage")
    root.chmod(0o755)
    give_mtab(root)
    return system


def copied(system: EmulatedSystem, root: Path) -> EmulatedSystem:
    """The same system once more, in ``root``."""
    subprocess.run(["cp", "-a", str(system.root), str(root)], check=True)
    return EmulatedSystem(root, system.through)


def bring_tree(root: Path) -> None:
    """Put the last commit there, its name, and the programs for targets."""
    tree = root / TREE
    bring_commit(tree)
    name = commit(ROOT).removesuffix("-dirty")
    # The trial looks it up in this tree.
    for place in (tree, ROOT):
        (place / "resources" / KEPT).write_text(f"{name}\n", encoding="utf-8")


def bring_parts(root: Path) -> None:
    """Put the Python packages there that are frozen, and those that freeze."""
    argv = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--link-mode", "copy"]
    argv += ["--target", str(root / PARTS), "--only-binary", ":all:"]
    argv += ["--python-version", PYTHON, "--python-platform", f"aarch64-manylinux_{GLIBC}"]
    argv += ["-r", "pyproject.toml", "--extra", "window", "--group", "package"]
    subprocess.run(argv, cwd=ROOT, check=True)


def bring_go(root: Path) -> None:
    """Put this machine's Go there, which needs no library and no emulator, and its modules."""
    go = build_agent.find_go(ROOT)
    if go is None:
        raise build_agent.BuildError("An AppImage takes Go.")
    argv = [go, "env", "GOROOT"]
    home = subprocess.run(argv, capture_output=True, text=True, check=True).stdout.strip()
    shutil.copytree(home, root / GO, symlinks=True, ignore=shutil.ignore_patterns("testdata"))
    subprocess.run(
        [go, "mod", "download"],
        cwd=root / TREE / "packaging" / "appimage",
        env=build_agent.go_environment(GOMODCACHE=str(root / MODULES)),
        check=True,
    )


def build(system: BareSystem) -> Path:
    """Freeze the tree and package it there; the folder with what was made."""
    with package.timed("bringing the tree, its Python packages and Go"):
        for bring in (bring_tree, bring_parts, bring_go):
            bring(system.root)
    with package.timed("installing what it takes to build"):
        needed = ["python3", f"libpython{PYTHON}", "binutils", "squashfs-tools"]
        system.add_packages([*needed, *window_packages()])
    environment = {
        "PATH": f"/{PARTS}/bin:/{GO}/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "PYTHONPATH": f"/{PARTS}",
        "GOMODCACHE": f"/{MODULES}",
        "SOURCE_DATE_EPOCH": os.environ["SOURCE_DATE_EPOCH"],
    }
    program = f"/{TREE}/packaging/package.py"
    argv = system.argv(["python3", program, "--only", "frozen", "--untried"])
    subprocess.run(argv, env=system.environment(environment), check=True)
    return system.root / TREE / "dist"


def gather(made: Path) -> dict[str, Path]:
    """Bring what was made into dist/, by kind: beside what is there for other processors."""
    package.DIST.mkdir(exist_ok=True)
    for file in (*made.glob("*.cdx.json"), *made.glob("*-licences.txt")):
        head, _, tail = file.name.partition(build_agent.project_version(ROOT))
        name = f"{head}{build_agent.project_version(ROOT)}-aarch64{tail}"
        shutil.copy2(file, package.DIST / name)
    return {
        kind: Path(shutil.copy2(next(made.glob(pattern)), package.DIST))
        for kind, pattern in KINDS.items()
    }


def make(scratch: Path, *, trying: bool) -> None:
    """Build in one Debian, and try in another."""
    with package.timed(f"making a Debian {RELEASE} for Arm"):
        bare = make_debian(scratch / "bare")
        builder = copied(bare, scratch / "builder")
    made = gather(build(builder))
    if trying:
        with package.timed("trying the packages in a bare Debian for Arm"):
            package.try_there(made, bare)


def main(words: Sequence[str] | None = None) -> int:
    """Make the packages, and list all of dist/ in SHA256SUMS."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--untried", action="store_true", help="build, and try nothing")
    parser.add_argument("--key", type=Path, help="sign SHA256SUMS with this secret key of minisign")
    asked = parser.parse_args(words)
    keep_to_the_commits_clock()
    # Ended politely, it leaves no system behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        with tempfile.TemporaryDirectory(prefix="leadline-arm-", dir="/var/tmp") as name:
            make(Path(name), trying=not asked.untried)
        package.write_sums()
        if asked.key is not None:
            package.sign(asked.key)
    except (UnfitError, build_agent.BuildError, OSError, subprocess.SubprocessError) as error:
        print(f"on_arm: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
