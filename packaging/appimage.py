"""Makes an AppImage of the stand-alone folder: one file that runs without being installed.

It is of the specification's type 2: a program (packaging/appimage/, in Go, so that it needs nothing
of the system) and behind it a squashfs that it mounts, or unpacks where there is no FUSE.
Usage: appimage.py FOLDER DIST: the stand-alone folder, and where the file goes.
"""

from __future__ import annotations

import platform
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import build_agent
from bare_system import BareSystem
from installed_tree import (
    COMMAND,
    ICONS,
    ROOT,
    SHARE,
    lay_out,
    set_modes,
)
from trial import Installed, outside, say

SOURCE = ROOT / "packaging" / "appimage"
MAGIC = b"AI\x02"
"""In bytes 8 to 10, which ELF leaves free: this is an AppImage of type 2."""
_MAGIC_AT = 8
_PROCESSORS = {"x86_64": "amd64", "aarch64": "arm64"}
NOBODY = 65534
TIDY_S = 60.0


def file_name() -> str:
    """What the AppImage for this machine is called."""
    return f"Leadline-{build_agent.project_version(ROOT)}-{platform.machine()}.AppImage"


def build(folder: Path, dist: Path) -> Path:
    """The AppImage of a stand-alone folder, in ``dist``."""
    with tempfile.TemporaryDirectory(prefix="leadline-appimage-") as name:
        tree, runtime, packed = (Path(name) / part for part in ("tree", "runtime", "packed"))
        make_tree(folder, tree)
        build_runtime(runtime)
        pack(tree, packed)
        made = dist / file_name()
        with made.open("wb") as file:
            for part in (runtime, packed):
                with part.open("rb") as source:
                    shutil.copyfileobj(source, file)
        made.chmod(0o755)
    return made


def make_tree(folder: Path, tree: Path) -> None:
    """What an AppImage holds: the installed files, and at its root what desktops look for."""
    lay_out(folder, tree)
    (tree / "AppRun").symlink_to(COMMAND)
    share = tree / SHARE
    entry = (share / "applications/leadline.desktop").read_text(encoding="utf-8")
    version = f"X-AppImage-Version={build_agent.project_version(ROOT)}\n"
    (tree / "leadline.desktop").write_text(entry + version, encoding="utf-8")
    shutil.copyfile(share / ICONS / "scalable/apps/leadline.svg", tree / "leadline.svg")
    shutil.copyfile(share / ICONS / "512x512/apps/leadline.png", tree / ".DirIcon")
    shutil.copyfile(ROOT / "LICENSE", tree / "LICENSE")
    set_modes(tree)


def build_runtime(made: Path) -> None:
    """Build the program that the file begins with; raises BuildError."""
    version = build_agent.project_version(ROOT)
    link = f"-s -w -buildid= -X main.version={version}"
    words = ["build", "-trimpath", "-buildvcs=false", "-ldflags", link, "-o", str(made)]
    build_agent.run_go(*_go(), *words, ".")
    content = bytearray(made.read_bytes())
    content[_MAGIC_AT : _MAGIC_AT + len(MAGIC)] = MAGIC
    # Other programs, too, look for the file system behind what ELF knows of.
    content += bytes(max(0, elf_end(content) - len(content)))
    if elf_end(content) != len(content):
        raise build_agent.BuildError("The runtime is longer than its sections.")
    made.write_bytes(content)


def _go() -> tuple[str, Path, str]:
    """The Go command, the runtime's sources, and what Go calls this processor."""
    go = build_agent.find_go(ROOT)
    processor = _PROCESSORS.get(platform.machine())
    if go is None or processor is None:
        raise build_agent.BuildError("An AppImage takes Go, and a processor that the agent knows.")
    return go, SOURCE, processor


def elf_end(content: bytes | bytearray) -> int:
    """Where a 64-bit ELF file ends: behind its last section and the table of them."""
    (table,) = struct.unpack_from("<Q", content, 0x28)
    size, count = struct.unpack_from("<HH", content, 0x3A)
    last = table + size * (count - 1)
    offset, length = struct.unpack_from("<QQ", content, last + 0x18)
    return int(max(table + size * count, offset + length))


def pack(tree: Path, packed: Path) -> None:
    """Pack a tree into a squashfs; its bytes depend on the tree and SOURCE_DATE_EPOCH alone."""
    argv = ["mksquashfs", str(tree), str(packed), "-root-owned", "-noappend", "-no-xattrs"]
    # A block is what the kernel asks for at once.
    argv += ["-comp", "zstd", "-Xcompression-level", "12", "-b", "128K", "-quiet", "-no-progress"]
    subprocess.run(argv, check=True)


def try_here(made: Path) -> None:
    """Run it on this machine, where no bare system can be made."""
    say("running the AppImage here, unpacked (a bare system takes root and debootstrap)")
    with tempfile.TemporaryDirectory(prefix="leadline-appimage-") as name:
        environment = outside(Path(name)) | {"TMPDIR": name}
        Installed([str(made), "--appimage-extract-and-run"], environment).answers()


def try_bare(made: Path, system: BareSystem) -> None:
    """Run it in a bare Debian, which has neither FUSE nor a library for windows."""
    say("running the AppImage in a bare Debian, unpacked")
    command = [system.put(made)]
    unpacked = system.argv([*command, "--appimage-extract-and-run"])
    Installed(unpacked, system.environment()).answers()
    Installed(system.argv(command), system.environment()).works()
    _nothing_is_left(system)


def try_out(made: Path, system: BareSystem) -> None:
    """Run it where the window's libraries are: mounted, also by an account without rights."""
    command = [system.put(made)]
    mounting = system.has_fuse()
    if not mounting:
        say("no FUSE there, and so the AppImage was not tried mounted")
    say("opening the AppImage's window there")
    program = Installed(system.argv(command, fuse=mounting), system.environment())
    program.is_whole()
    program.shows_its_window()
    if mounting:
        program.works()
        system.add_packages(["fuse3"])
        plain = ["setpriv", f"--reuid={NOBODY}", "--clear-groups", *command]
        home = system.environment({"HOME": "/tmp"})  # inside the bare system
        Installed(system.argv(plain, fuse=True), home).answers()
    _nothing_is_left(system)


def _nothing_is_left(system: BareSystem) -> None:
    """The keeper ends a moment after the program; wait for it, and see that it has tidied up."""
    deadline = time.monotonic() + TIDY_S
    while left := [path.name for path in (system.root / "tmp").glob(".mount_*")]:
        if time.monotonic() > deadline:
            raise build_agent.BuildError(f"The AppImage leaves {', '.join(left)} in /tmp.")
        time.sleep(0.1)


if __name__ == "__main__":
    print(build(Path(sys.argv[1]), Path(sys.argv[2])))
