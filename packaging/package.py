"""Builds what can be installed, and tries each: sdist, wheel, stand-alone folder, .deb, AppImage.

Everything is left in dist/, with SHA256SUMS. A step that fails ends the program with status 1.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import venv
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import appimage
import bare_system
import build_agent
import debian_package
import freezing
import manifest
from installed_tree import keep_to_the_commits_clock
from trial import Installed, UnfitError, outside, require, say

from docs.build import commands

ROOT = build_agent.ROOT
DIST = ROOT / "dist"
SUMS = "SHA256SUMS"


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Say what is done within, and how long it took."""
    say(what)
    began = time.monotonic()
    yield
    say(f"{what}: {time.monotonic() - began:.0f} s")


def build_distributions() -> tuple[Path, Path]:
    """The sdist, and the wheel that is built from it, as a user's installer would."""
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
    wanted |= {name for name in (commands.MAN, *commands.COMPLETIONS) if name not in places}
    missing = sorted(wanted - shipped)
    require(not missing, f"the wheel lacks {', '.join(missing)}")
    foreign = sorted(name for name in shipped if name.endswith((".go", ".mod", ".sum", ".s")))
    require(not foreign, f"the wheel holds Go sources: {', '.join(foreign)}")
    for name in (
        "probes/agent/go.mod",
        "probes/agent/main.go",
        "probes/agent/loader/main.go",
        "packaging/hatch_build.py",
        "CHANGELOG.md",
    ):
        require(name in sources, f"the sdist lacks {name}")


def packages(shipped: set[str]) -> set[str]:
    """Modules that are packages are there as their __init__.py."""
    return {f"{name.removesuffix('/__init__.py')}.py" for name in shipped if "__init__" in name}


def try_wheel(wheel: Path) -> None:
    """Install into an empty environment, far from the source tree, and run."""
    with tempfile.TemporaryDirectory(prefix="leadline-wheel-") as folder:
        venv.create(folder, with_pip=True)
        pip = [str(Path(folder) / "bin" / "python"), "-m", "pip", "install", "-q", str(wheel)]
        subprocess.run(pip, cwd=folder, check=True)
        installed = Installed(
            [f"{folder}/bin/leadline"], outside(Path(folder)), folder=Path(folder)
        )
        installed.answers()
        installed.is_whole()


def freeze() -> Path:
    """The stand-alone folder, with what a desktop needs to list it; returns its program."""
    freezing.freeze("leadline.spec", DIST)
    folder = DIST / "leadline"
    desktop = folder / "share" / "applications" / "leadline.desktop"
    icon = folder / "share" / "icons" / "hicolor" / "scalable" / "apps" / "leadline.svg"
    for source, destination in (
        (ROOT / "packaging" / "desktop" / "leadline.desktop", desktop),
        (ROOT / "resources" / "icons" / "leadline.svg", icon),
        (ROOT / "LICENSE", folder / "LICENSE"),
    ):
        destination.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, destination)
    commands.write(folder / "share")
    if shutil.which("desktop-file-validate"):
        subprocess.run(["desktop-file-validate", str(desktop)], check=True)
    return folder / "leadline"


def try_frozen(program: Path) -> None:
    """Run the frozen program elsewhere, then show its window on a screen of its own."""
    with tempfile.TemporaryDirectory(prefix="leadline-frozen-") as name:
        moved = Path(name) / "a folder" / "leadline"
        shutil.copytree(program.parent, moved, symlinks=True)
        installed = Installed([str(moved / "leadline")], outside(Path(name)), folder=Path(name))
        installed.answers()
        installed.is_whole()
        installed.shows_its_window()


def make_packages(folder: Path) -> None:
    """Make a .deb and an AppImage of the stand-alone folder, where the tools for them are."""
    deb = image = None
    if shutil.which("dpkg-deb"):
        with timed("making the Debian package"):
            deb = debian_package.build(folder, DIST)
    else:
        say("no dpkg-deb here, and so no Debian package")
    if shutil.which("mksquashfs"):
        with timed("making the AppImage"):
            image = appimage.build(folder, DIST)
    else:
        say("no mksquashfs here, and so no AppImage")
    if not bare_system.can_be_made():
        if deb is not None:
            debian_package.try_unpacked(deb)
        if image is not None:
            appimage.try_here(image)
        return
    with timed("trying both in a bare Debian"), bare_system.bare_system() as system:
        if image is not None:
            appimage.try_bare(image, system)
        if deb is not None:
            debian_package.try_out(deb, system)
        if image is not None:
            appimage.try_out(image, system)


def write_sums() -> None:
    """List the checksums of all that is published, as `sha256sum -c` reads them."""
    files = sorted(path for path in DIST.iterdir() if path.is_file() and path.name != SUMS)
    lines = [f"{build_agent.sha256(path)}  {path.name}\n" for path in files]
    (DIST / SUMS).write_text("".join(lines), encoding="ascii")


def main() -> int:
    """Do all, or only one half."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=("wheel", "frozen"), help="build and try one kind alone")
    only = parser.parse_args().only
    keep_to_the_commits_clock()
    try:
        build_agent.ensure(ROOT)
        if only != "frozen":
            with timed("building sdist and wheel"):
                sdist, wheel = build_distributions()
            look_into(sdist, wheel)
            with timed(f"installing {wheel.name} into an empty environment"):
                try_wheel(wheel)
        if only != "wheel":
            with timed("freezing into a folder"):
                program = freeze()
            with timed("running it elsewhere, and opening its window under Xvfb"):
                try_frozen(program)
            make_packages(program.parent)
        write_sums()
    except (UnfitError, build_agent.BuildError, subprocess.SubprocessError) as error:
        print(f"package: {error}", file=sys.stderr)
        return 1
    say(f"done: {', '.join(sorted(path.name for path in DIST.iterdir()))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
