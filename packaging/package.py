"""Builds what can be installed, and tries each: sdist, wheel, folder, .deb, .rpm, AppImage.

Everything is left in dist/, with SHA256SUMS and, where a key is named, its signature. A step that
fails ends the program with status 1.
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
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import appimage
import bare_system
import bill
import build_agent
import debian_package
import freezing
import installing
import manifest
import rpm_package
from installed_tree import keep_to_the_commits_clock
from trial import Installed, UnfitError, outside, require, say

from docs.build import commands

ROOT = build_agent.ROOT
DIST = ROOT / "dist"
SUMS = "SHA256SUMS"
DEB, RPM, IMAGE = ".deb", ".rpm", "AppImage"


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
        [sys.executable, "-m", "build", "--installer", "uv", "--outdir", str(DIST), str(ROOT)],
        env=with_go(),
        stdout=subprocess.DEVNULL,
        check=True,
    )
    made = next(DIST.glob("*.tar.gz")), next(DIST.glob("*.whl"))
    subprocess.run(
        [sys.executable, "-m", "twine", "check", "--strict", *map(str, made)], check=True
    )
    return made


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
    version = build_agent.project_version(ROOT)
    bill.write(folder, DIST / f"leadline-{version}.cdx.json")
    shutil.copyfile(folder / bill.LICENCES, DIST / f"leadline-{version}-{bill.LICENCES}")
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


def make_packages(folder: Path) -> dict[str, Path]:
    """Make packages of the stand-alone folder, by kind; name those whose tool is missing."""
    made = {}
    for kind, tool, build in (
        (DEB, shutil.which("dpkg-deb"), debian_package.build),
        (IMAGE, shutil.which("mksquashfs"), appimage.build),
        (RPM, rpm_package.tool(), rpm_package.build),
    ):
        if tool is None:
            say(f"what makes {kind} is not here, and so there is none")
            continue
        with timed(f"making the {kind}"):
            made[kind] = build(folder, DIST)
    return made


def try_packages(made: Mapping[str, Path], releases: Sequence[str]) -> None:
    """Try them in a bare Debian of each release; where none can be made, what is possible here."""
    if not bare_system.can_be_made():
        if DEB in made:
            debian_package.try_unpacked(made[DEB])
        if IMAGE in made:
            appimage.try_here(made[IMAGE])
        return
    for release in releases:
        what = f"trying them in a bare Debian {release}".rstrip()
        with timed(what), bare_system.bare_system(release) as system:
            try_there(made, system)


def try_there(made: Mapping[str, Path], system: bare_system.BareSystem) -> None:
    """Try them in a bare Debian: the AppImage first without, then with the window's libraries."""
    if IMAGE in made:
        appimage.try_bare(made[IMAGE], system)
    if DEB in made:
        debian_package.try_out(made[DEB], system)
    if IMAGE in made:
        appimage.try_out(made[IMAGE], system)
    if RPM in made:
        rpm_package.try_out(made[RPM], system)


def write_sums() -> None:
    """List the checksums of all that is published, as `sha256sum -c` reads them."""
    files = sorted(path for path in DIST.iterdir() if path.is_file() and SUMS not in path.name)
    lines = [f"{build_agent.sha256(path)}  {path.name}\n" for path in files]
    (DIST / SUMS).write_text("".join(lines), encoding="ascii")


def sign(key: Path) -> None:
    """Sign the checksums with a secret key of minisign, which asks for its passphrase."""
    about = f"leadline {build_agent.project_version(ROOT)}"
    argv = ["minisign", "-S", "-s", str(key), "-m", str(DIST / SUMS), "-t", about]
    subprocess.run(argv, check=True)


def main() -> int:
    """Do all, or only one half."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=("wheel", "frozen"), help="build and try one kind alone")
    parser.add_argument("--untried", action="store_true", help="build, and try nothing")
    parser.add_argument("--key", type=Path, help="sign SHA256SUMS with this secret key of minisign")
    parser.add_argument(
        "--python", action="append", help="a Python to install with, again for each (this one)"
    )
    parser.add_argument(
        "--release", action="append", help="a Debian to try them in, by its name, again for each"
    )
    asked = parser.parse_args()
    keep_to_the_commits_clock()
    try:
        build_agent.ensure(ROOT)
        try_in = Places(asked.python or [sys.executable], asked.release or [""])
        make(asked.only, None if asked.untried else try_in)
        write_sums()
        if asked.key is not None:
            sign(asked.key)
    except (UnfitError, build_agent.BuildError, OSError, subprocess.SubprocessError) as error:
        print(f"package: {error}", file=sys.stderr)
        return 1
    say(f"done: {', '.join(sorted(path.name for path in DIST.iterdir()))}")
    return 0


class Places(NamedTuple):
    """Where what is built is tried: by these Pythons, in these Debians ("" is this machine's)."""

    pythons: Sequence[str]
    releases: Sequence[str]


def make(only: str | None, try_in: Places | None) -> None:
    """Build what is asked for, and try each as soon as it is there; None tries nothing."""
    if only != "frozen":
        with timed("building sdist and wheel"):
            distributions = build_distributions()
        look_into(*distributions)
        if try_in is not None:
            with timed("installing from an index on loopback"):
                installing.try_installs(distributions, try_in.pythons)
    if only != "wheel":
        with timed("freezing into a folder"):
            program = freeze()
        if try_in is not None:
            with timed("running it elsewhere, and opening its window under Xvfb"):
                try_frozen(program)
        made = make_packages(program.parent)
        if try_in is not None:
            try_packages(made, try_in.releases)


if __name__ == "__main__":
    sys.exit(main())
