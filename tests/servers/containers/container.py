"""A MariaDB in name spaces of its own, as a container has them: processes, mounts and a name."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.servers.mariadb import MariaDB, private_mariadb

NAME = "box"
"""What the server calls its machine."""

INSIDE = "inside"
"""Its data directory lies there for the server; for all others this directory is empty."""

_SPACES = ("--pid", "--mount", "--uts", "--mount-proc", "--fork", "--kill-child")
_SCRIPT = (
    'mkdir "$1" && mount --bind "$2" "$1" && mount --bind "$3" /etc/hostname && '
    'hostname "$4" && shift 4 && exec "$@"'
)


@contextmanager
def contained_mariadb(*options: str) -> Iterator[MariaDB]:
    """Start it; skips the test where no name spaces can be made. Its ``pid`` is its parent's."""
    unshare = shutil.which("unshare")
    made = unshare and subprocess.run([unshare, *_SPACES, "true"], capture_output=True, check=False)
    if unshare is None or not made or made.returncode != 0:
        pytest.skip("no name spaces can be made here")

    def command(directory: Path, argv: Sequence[str]) -> list[str]:
        name, inside = directory / "name", directory / INSIDE
        name.write_text(f"{NAME}\n", encoding="ascii")
        places = [str(inside), str(directory / "data"), str(name), NAME]
        own = [f"--datadir={inside}", f"--pid-file={inside / 'pid'}"]
        return [unshare, *_SPACES, "sh", "-c", _SCRIPT, "sh", *places, *argv, *own]

    with private_mariadb(options=options, command=command) as server:
        yield server
