"""Where storage probes write when nobody said."""

from __future__ import annotations

import posixpath

from probes.errors import UsageError
from probes.targets.target import Target

WITHOUT_SERVER = "/var/tmp"  # noqa: S108 - on a disk by the file hierarchy standard, unlike /tmp


def probe_directory(target: Target, wanted: str, datadir: str | None) -> str:
    """The directory to probe: what was ``wanted``, or one on the drive of the server's data.

    Without a wish it is the data directory's parent when that lies on the same filesystem (older
    servers take anything in the data directory for a database), else the data directory itself;
    without a server ``/var/tmp``. Raises UsageError when what was wanted is none.
    """
    if wanted:
        _must_be_directory(target, wanted)
        return wanted
    if not datadir:
        return WITHOUT_SERVER
    datadir = posixpath.normpath(datadir)
    parent = posixpath.dirname(datadir)
    devices = target.run(["stat", "-L", "-c", "%d", datadir, parent]).stdout.split()
    writable = target.run(["test", "-w", parent]).status == 0
    same_drive = len(devices) == 2 and devices[0] == devices[1]
    return parent if same_drive and writable else datadir


def _must_be_directory(target: Target, path: str) -> None:
    if target.run(["test", "-d", path]).status != 0:
        raise UsageError(
            f"{path} is not a directory on {target.name}.",
            "Choose one that exists, on the drive that the server uses or will use.",
        )
