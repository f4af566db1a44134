"""Which server a person could start: the program that is installed on this computer."""

from __future__ import annotations

from contextlib import closing

from probes.sandbox.binaries import find_binary
from probes.targets.local import LocalTarget
from probes.version import ServerVersion


def version_at_hand() -> ServerVersion | None:
    """The version of the server program on this computer; None where there is none.

    Raises TargetError where it can't be looked for.
    """
    with closing(LocalTarget()) as target:
        binary = find_binary(target)
    return None if binary is None else binary.version
