"""A server program from a Debian suite other than the installed one, unpacked and not installed."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock

from tests.servers.programs.cache import cache

_KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
_SOURCES = Path("/etc/apt")
_TOOLS = ("apt-get", "dpkg-deb")
_NOT_NEEDED = ("usr/share/doc", "usr/share/man", "usr/share/locale", "usr/share/lintian")
_LIMIT_S = 300


def unpacked(package: str, suite: str) -> Path:
    """The root of a tree with ``package`` and all that it needs; downloaded once, then kept.

    Kept in the folder that LEADLINE_TEST_SERVERS names, or in the user's cache. Skips the test
    where the package can't be had.
    """
    missing = [tool for tool in _TOOLS if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"{package} of Debian {suite} needs {', '.join(missing)}")
    root = cache() / f"{package}-{suite}"
    with FileLock(cache() / f"{root.name}.lock"):
        if not root.is_dir():
            with tempfile.TemporaryDirectory(dir=cache(), prefix=".getting-") as folder:
                _get(package, suite, Path(folder)).rename(root)
    return root


def loader(root: Path) -> tuple[str, ...]:
    """What starts a program of the tree with the tree's own libraries."""
    # Older suites keep the C library in /lib, which is a place of its own there.
    libraries = [*root.glob("usr/lib/*-linux-gnu*"), *root.glob("lib/*-linux-gnu*")]
    found = [file for folder in libraries for file in sorted(folder.glob("ld-*.so*"))]
    if not found:
        pytest.skip(f"{root} holds no loader for programs")
    return (str(found[0]), "--library-path", ":".join(map(str, libraries)))


def _get(package: str, suite: str, folder: Path) -> Path:
    mirror = next(_mirrors(), None)
    if mirror is None or not _KEYRING.is_file():
        pytest.skip(f"{package} of Debian {suite} needs a machine with Debian's sources and keys")
    source = folder / "sources.list"
    source.write_text(f"deb [signed-by={_KEYRING}] {mirror} {suite} main\n")
    for made in ("lists/partial", "cache/archives/partial", "root"):
        (folder / made).mkdir(parents=True)
    (folder / "status").touch()
    apt = ["apt-get", "-qq", *_apart(folder)]
    _run([*apt, "update"], package, suite)
    # With nothing installed, what is fetched is the whole closure, the C library included.
    _run([*apt, "-y", "--download-only", "install", package], package, suite)
    root = folder / "root"
    for archive in sorted((folder / "cache/archives").glob("*.deb")):
        _run(["dpkg-deb", "-x", str(archive), str(root)], package, suite)
    for unwanted in _NOT_NEEDED:
        shutil.rmtree(root / unwanted, ignore_errors=True)
    return root


def _apart(folder: Path) -> list[str]:
    """An apt of its own that neither reads nor changes the machine's."""
    settings = {
        "Dir::Etc::sourcelist": folder / "sources.list",
        "Dir::Etc::sourceparts": "/nonexistent",
        "Dir::State::Lists": folder / "lists",
        "Dir::State::status": folder / "status",
        "Dir::Cache": folder / "cache",
        "Dir::Cache::pkgcache": "",
        "Dir::Cache::srcpkgcache": "",
        "APT::Sandbox::User": "",
        "APT::Install-Recommends": "false",
        "Acquire::Languages": "none",
        "Acquire::Retries": "2",
        "Acquire::AllowInsecureRepositories": "false",
        # A mirror that lags behind still gives signed packages, which is all that a test needs.
        "Acquire::Check-Valid-Until": "false",
    }
    return [word for name, value in settings.items() for word in ("-o", f"{name}={value}")]


def _mirrors() -> Iterator[str]:
    """Where this machine itself gets Debian's packages."""
    for file in [_SOURCES / "sources.list", *sorted((_SOURCES / "sources.list.d").glob("*"))]:
        if not file.is_file():
            continue
        text = file.read_text(errors="replace")
        for address in re.findall(r"^(?:URIs:|deb(?:\s+\[.*?\])?)\s*(\S+)", text, re.MULTILINE):
            if re.search(r"/debian/?$", address):
                yield address


def _run(argv: list[str], package: str, suite: str) -> None:
    try:
        subprocess.run(argv, check=True, capture_output=True, timeout=_LIMIT_S)
    except subprocess.TimeoutExpired:
        pytest.skip(f"{package} of Debian {suite} did not arrive within {_LIMIT_S} s")
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode(errors="replace").strip().splitlines()
        pytest.skip(f"{package} of Debian {suite} can't be had: {said[-1] if said else argv[0]}")
