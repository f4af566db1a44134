"""Makes a Debian package of the stand-alone folder, and tries it in a bare Debian.

Usage: debian_package.py FOLDER DIST: the stand-alone folder, and where the package goes.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import build_agent
import shell_files

ROOT = build_agent.ROOT
PACKAGING = ROOT / "packaging"
LIBRARY = "usr/lib/leadline"
DATA = {
    PACKAGING / "leadline.desktop": "applications/leadline.desktop",
    PACKAGING / "org.leadline.Leadline.metainfo.xml": "metainfo/org.leadline.Leadline.metainfo.xml",
    PACKAGING / "leadline-mime.xml": "mime/packages/leadline.xml",
    ROOT / "resources/icons/leadline.svg": "icons/hicolor/scalable/apps/leadline.svg",
    ROOT / "resources/icons/leadline-64.png": "icons/hicolor/64x64/apps/leadline.png",
    ROOT / "resources/icons/leadline-128.png": "icons/hicolor/128x128/apps/leadline.png",
    ROOT / "resources/icons/leadline-512.png": "icons/hicolor/512x512/apps/leadline.png",
}
"""What a desktop needs, and where it looks below /usr/share."""
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
 Below /usr/lib/leadline lie Python, Qt and other libraries under licences of
 their own.
"""


def architecture() -> str:
    """What dpkg calls this machine's processor."""
    argv = ["dpkg", "--print-architecture"]
    return subprocess.run(argv, capture_output=True, text=True, check=True).stdout.strip()


def window_packages() -> list[str]:
    """The packages with Qt's system libraries, as the set-up installs them."""
    script = (PACKAGING / "setup.sh").read_text(encoding="utf-8")
    found = re.search(r'window\) echo "([^"]+)"', script)
    if found is None:
        raise build_agent.BuildError("packaging/setup.sh names no packages for the window.")
    return found[1].split()


def lay_out(folder: Path, tree: Path) -> None:
    """Put all files where the package has them; ``tree`` is the package's root."""
    library, share = tree / LIBRARY, tree / "usr/share"
    shutil.copytree(folder, library, symlinks=True, ignore=shutil.ignore_patterns("share"))
    (library / "LICENSE").unlink(missing_ok=True)
    (tree / "usr/bin").mkdir(parents=True)
    (tree / "usr/bin/leadline").symlink_to("../lib/leadline/leadline")
    shell_files.write(share)
    (share / ZSH[0]).rename(_parent_made(share / ZSH[1]))
    _compress(share / shell_files.MAN)
    for source, name in DATA.items():
        shutil.copyfile(source, _parent_made(share / name))
    notes = share / "doc/leadline"
    _parent_made(notes / "copyright").write_text(COPYRIGHT, encoding="utf-8")
    shutil.copyfile(ROOT / "CHANGELOG.md", notes / "changelog")
    _compress(notes / "changelog")


def _parent_made(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


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


def _set_modes(tree: Path) -> None:
    """Readable by all, writable by the owner, whatever this session's umask is."""
    for path in (tree, *tree.rglob("*")):
        if not path.is_symlink():
            runs = path.is_dir() or path.stat().st_mode & 0o100
            path.chmod(0o755 if runs else 0o644)
    # Libraries are loaded, not run.
    for path in (tree / LIBRARY).rglob("*.so*"):
        if path.is_file() and not path.is_symlink():
            path.chmod(0o644)


def build(folder: Path, dist: Path) -> Path:
    """The package of a stand-alone folder, in ``dist``."""
    with tempfile.TemporaryDirectory(prefix="leadline-deb-") as name:
        tree = Path(name) / "leadline"
        tree.mkdir()
        lay_out(folder, tree)
        describe(tree)
        _set_modes(tree)
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


def try_out(package: Path) -> None:
    """Install into a bare Debian where one can be made here, else unpack; then run it there."""
    with tempfile.TemporaryDirectory(prefix="leadline-bare-") as name:
        bare = Path(name)
        if os.geteuid() == 0 and shutil.which("debootstrap"):
            print("package: installing the .deb into a bare Debian", flush=True)
            _make_bare(bare)
            install(package, bare)
        else:
            print("package: unpacking the .deb (installing takes root and debootstrap)", flush=True)
            subprocess.run(["dpkg-deb", "-x", str(package), str(bare)], check=True)
            _ask([str(bare / "usr/bin/leadline")], {"LEADLINE_HOME": str(bare / "home")})


def _make_bare(root: Path) -> None:
    release = platform.freedesktop_os_release()["VERSION_CODENAME"]
    argv = ["debootstrap", "--variant=minbase", release, str(root)]
    subprocess.run(argv, stdout=subprocess.DEVNULL, check=True)


def install(package: Path, root: Path) -> None:
    """Install the package below ``root``, a bare Debian; run it there, and remove it."""
    inside = ["chroot", str(root)]
    quiet = {"DEBIAN_FRONTEND": "noninteractive", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
    shutil.copy(package, root / "tmp" / package.name)
    dpkg = [*inside, "dpkg", "--install", f"/tmp/{package.name}"]
    subprocess.run(dpkg, env=quiet, stdout=subprocess.DEVNULL, check=True)
    _ask([*inside, "leadline"], quiet | {"HOME": "/root", "LANG": "C.UTF-8"})
    remove = [*inside, "dpkg", "--purge", "leadline"]
    subprocess.run(remove, env=quiet, stdout=subprocess.DEVNULL, check=True)
    if (root / LIBRARY).exists():
        raise build_agent.BuildError(f"Removing the package leaves /{LIBRARY}.")


def _ask(command: list[str], environment: dict[str, str]) -> None:
    """The version, an empty list of runs, and the rules: all of it without a display."""
    version = f"leadline {build_agent.project_version(ROOT)}"
    for words, expected in (
        (["--version"], version),
        (["runs"], ""),
        (["rules"], "buffer-pool.size"),
    ):
        done = subprocess.run(
            [*command, *words],
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        if done.returncode or expected not in done.stdout:
            raise build_agent.BuildError(
                f"leadline {words[0]} ends with status {done.returncode}: {done.stderr.strip()}"
            )


if __name__ == "__main__":
    made = build(Path(sys.argv[1]), Path(sys.argv[2]))
    try_out(made)
    print(made)
