"""Builds what can be installed, and tries each: sdist, wheel, stand-alone folder, Debian package.

Everything is left in dist/. A step that fails ends the program with status 1.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path

import build_agent
import debian_package
import manifest
import shell_files
from screenshots import display

from app.runtime.commit import KEPT

ROOT = build_agent.ROOT
DIST = ROOT / "dist"
WINDOW_S = 30.0


class UnfitError(Exception):
    """What was built does not hold what it must."""


def say(text: str) -> None:
    print(f"package: {text}", flush=True)


def require(condition: bool, otherwise: str) -> None:
    if not condition:
        raise UnfitError(otherwise)


def build_distributions() -> tuple[Path, Path]:
    """The sdist, and the wheel that is built from it, as a user's installer would."""
    say("building sdist and wheel")
    shutil.rmtree(DIST, ignore_errors=True)
    subprocess.run(
        [sys.executable, "-m", "build", "--outdir", str(DIST), str(ROOT)],
        env=with_go(),
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return next(DIST.glob("*.tar.gz")), next(DIST.glob("*.whl"))


def with_go() -> dict[str, str]:
    """The environment with Go on PATH, so that the isolated build need not fetch one."""
    go = build_agent.find_go(ROOT)
    path = os.pathsep.join([os.environ["PATH"], *([str(Path(go).parent)] if go else [])])
    return {**os.environ, "PATH": path}


def look_into(sdist: Path, wheel: Path) -> None:
    """Hold both to what they must and must not contain."""
    with tarfile.open(sdist) as archive:
        sources = {name.partition("/")[2] for name in archive.getnames()}
    with zipfile.ZipFile(wheel) as archive:
        shipped = set(archive.namelist())
    wanted = {f"resources/{name}" for name in manifest.resources(ROOT)}
    wanted |= {f"resources/{name}" for name in manifest.WRITTEN}
    wanted |= {f"{name.replace('.', '/')}.py" for name in manifest.modules(ROOT)} - packages(
        shipped
    )
    places = {name.partition(".data/data/share/")[2] for name in shipped}
    wanted |= {name for name in (shell_files.MAN, *shell_files.COMPLETIONS) if name not in places}
    missing = sorted(wanted - shipped)
    require(not missing, f"the wheel lacks {', '.join(missing)}")
    foreign = sorted(name for name in shipped if name.endswith((".go", ".mod", ".sum", ".s")))
    require(not foreign, f"the wheel holds Go sources: {', '.join(foreign)}")
    for name in (
        "probes/agent/go.mod",
        "probes/agent/main.go",
        "packaging/hatch_build.py",
        "CHANGELOG.md",
    ):
        require(name in sources, f"the sdist lacks {name}")


def packages(shipped: set[str]) -> set[str]:
    """Modules that are packages are there as their __init__.py."""
    return {f"{name.removesuffix('/__init__.py')}.py" for name in shipped if "__init__" in name}


def try_wheel(wheel: Path) -> None:
    """Install into an empty environment, far from the source tree, and run."""
    say(f"installing {wheel.name} into an empty environment")
    with tempfile.TemporaryDirectory(prefix="leadline-wheel-") as folder:
        venv.create(folder, with_pip=True)
        command = Path(folder) / "bin" / "leadline"
        pip = [str(Path(folder) / "bin" / "python"), "-m", "pip", "install", "-q", str(wheel)]
        subprocess.run(pip, cwd=folder, check=True)
        try_commands([str(command)], Path(folder))


def try_commands(command: Sequence[str], folder: Path) -> None:
    """Ask for the version, the rules and a self-test; nothing of the source tree is in reach."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "QT_"))
    } | {"LEADLINE_HOME": str(folder / "home")}

    def ask(*arguments: str) -> str:
        return subprocess.run(
            [*command, *arguments],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
            timeout=120,
            check=True,
        ).stdout

    version = f"leadline {build_agent.project_version(ROOT)}"
    # The tree may have moved on since.
    known = (ROOT / "resources" / KEPT).read_text(encoding="utf-8").strip()
    if known:
        version += f" ({known})"
    require(ask("--version").strip() == version, f"{command[0]} is not {version}")
    require(bool(json.loads(ask("rules", "--json"))), f"{command[0]} knows no rule")
    print(ask("--self-test"), end="")


def freeze() -> Path:
    """The stand-alone folder, with what a desktop needs to list it; returns its program."""
    say("freezing into a folder")
    spec = ROOT / "packaging" / "leadline.spec"
    work = ROOT / "build" / "frozen"
    argv = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
    argv += ["--distpath", str(DIST), "--workpath", str(work), str(spec)]
    subprocess.run(argv, cwd=ROOT, check=True)
    folder = DIST / "leadline"
    desktop = folder / "share" / "applications" / "leadline.desktop"
    icon = folder / "share" / "icons" / "hicolor" / "scalable" / "apps" / "leadline.svg"
    for source, destination in (
        (ROOT / "packaging" / "leadline.desktop", desktop),
        (ROOT / "resources" / "icons" / "leadline.svg", icon),
        (ROOT / "LICENSE", folder / "LICENSE"),
    ):
        destination.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, destination)
    shell_files.write(folder / "share")
    if shutil.which("desktop-file-validate"):
        subprocess.run(["desktop-file-validate", str(desktop)], check=True)
    return folder / "leadline"


def make_deb(folder: Path) -> None:
    """Package the stand-alone folder for Debian, where its tools are."""
    if not shutil.which("dpkg-deb"):
        say("no dpkg-deb here, and so no Debian package")
        return
    say("making the Debian package")
    debian_package.try_out(debian_package.build(folder, DIST))


def try_frozen(program: Path) -> None:
    """Run the frozen program elsewhere, then show its window on a screen of its own."""
    with tempfile.TemporaryDirectory(prefix="leadline-frozen-") as name:
        moved = Path(name) / "a folder" / "leadline"
        shutil.copytree(program.parent, moved, symlinks=True)
        try_commands([str(moved / "leadline")], Path(name))
        for variable in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
            os.environ.pop(variable, None)
        with display():
            show_window(moved / "leadline", Path(name))


def show_window(program: Path, folder: Path) -> None:
    """Start without arguments and wait for a window that is named after the program."""
    say("opening the frozen window under Xvfb")
    environment = {**os.environ, "LEADLINE_HOME": str(folder / "home")}
    with subprocess.Popen([program], cwd=folder, env=environment) as running:
        try:
            deadline = time.monotonic() + WINDOW_S
            while not window_is_there():
                require(running.poll() is None, f"it ended with status {running.returncode}")
                require(time.monotonic() < deadline, f"no window within {WINDOW_S:.0f} s")
                time.sleep(0.2)
            time.sleep(2)
            require(running.poll() is None, "it ended after it had shown its window")
        finally:
            running.terminate()


def window_is_there() -> bool:
    """Whether the screen shows a window of Leadline's in full size."""
    tree = subprocess.run(
        ["xwininfo", "-root", "-tree"], capture_output=True, text=True, check=False
    ).stdout
    rows = [line for line in tree.splitlines() if "leadline" in line.lower()]
    return any(size_of(row) >= (800, 500) for row in rows)


def size_of(row: str) -> tuple[int, int]:
    """The size in a row of xwininfo's tree, as in ``0x200007 "Leadline": ... 1280x800+0+0``."""
    found = re.search(r" (\d+)x(\d+)\+", row)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def main() -> int:
    """Do all, or only one half."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=("wheel", "frozen"), help="build and try one kind alone")
    only = parser.parse_args().only
    try:
        build_agent.ensure(ROOT)
        if only != "frozen":
            sdist, wheel = build_distributions()
            look_into(sdist, wheel)
            try_wheel(wheel)
        if only != "wheel":
            program = freeze()
            try_frozen(program)
            make_deb(program.parent)
    except (UnfitError, build_agent.BuildError, subprocess.SubprocessError) as error:
        print(f"package: {error}", file=sys.stderr)
        return 1
    say(f"done: {', '.join(sorted(path.name for path in DIST.iterdir()))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
