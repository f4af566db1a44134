"""Server programs that were published as archives for Java's build tool, unpacked and kept."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

import pytest
from filelock import FileLock

from tests.servers.programs.cache import cache

_LIMIT_S = 1800


@dataclass(frozen=True)
class Archive:
    """``coordinates`` as Maven writes them.

    ``places`` are folders in it, or archives in it, and where their files go. ``wanted`` are
    patterns of what is needed after that; the rest, libraries for linking and test suites for the
    most part, is left where it is.
    """

    coordinates: str
    places: tuple[tuple[str, str], ...]
    wanted: tuple[str, ...]

    @property
    def name(self) -> str:
        """The artifact with its version, as a folder's name."""
        _, artifact, version, *_ = self.coordinates.split(":")
        return f"{artifact}-{version}"


def unpacked(archive: Archive) -> Path:
    """The folder with the archive's files; downloaded once, then kept in the cache of servers.

    Skips the test where it can't be had.
    """
    if shutil.which("mvn") is None:
        pytest.skip(f"{archive.name} needs Maven")
    root = cache() / archive.name
    with FileLock(cache() / f"{archive.name}.lock"):
        if not root.is_dir():
            with tempfile.TemporaryDirectory(dir=cache(), prefix=".getting-") as folder:
                _get(archive, Path(folder)).rename(root)
    return root


def _get(archive: Archive, folder: Path) -> Path:
    repository = folder / "repository"
    argv = ["mvn", "-B", "-q", "dependency:get", "-Dtransitive=false"]
    argv += [f"-Dartifact={archive.coordinates}", f"-Dmaven.repo.local={repository}"]
    try:
        subprocess.run(argv, check=True, capture_output=True, timeout=_LIMIT_S)
    except subprocess.TimeoutExpired:
        pytest.skip(f"{archive.name} did not arrive within {_LIMIT_S} s")
    except subprocess.CalledProcessError as error:
        said = error.stdout.decode(errors="replace").strip().splitlines()
        pytest.skip(f"{archive.name} can't be had: {said[0] if said else 'mvn failed'}")
    _, artifact, version, *_ = archive.coordinates.split(":")
    (file,) = (
        path
        for path in repository.glob(f"**/{artifact}/{version}/{artifact}-{version}*")
        if path.suffix in {".zip", ".jar"}
    )
    root = folder / "root"
    with zipfile.ZipFile(file) as packed:
        for source, target in archive.places:
            if source.endswith(".jar"):
                with packed.open(source) as inner, zipfile.ZipFile(inner) as nested:
                    _unpack(nested, "", target, archive.wanted, root)
            else:
                _unpack(packed, source, target, archive.wanted, root)
    if not root.is_dir():
        pytest.skip(f"{archive.name} holds none of {', '.join(archive.wanted)}")
    return root


def _unpack(
    packed: zipfile.ZipFile, source: str, target: str, wanted: Iterable[str], root: Path
) -> None:
    """Write the wanted files below ``source`` to ``target``; all but data can be run."""
    for entry in packed.infolist():
        if entry.is_dir() or not entry.filename.startswith(source):
            continue
        name = target + entry.filename.removeprefix(source)
        if ".." in Path(name).parts or not any(fnmatch(name, pattern) for pattern in wanted):
            continue
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with packed.open(entry) as content, path.open("wb") as file:
            shutil.copyfileobj(content, file)
        path.chmod(0o644 if name.startswith("share/") else 0o755)
