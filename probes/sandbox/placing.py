"""Finding room for a throwaway server: its directory, and a short path for its socket."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

from probes.cancel import CancelToken
from probes.errors import DirectoryUnusable
from probes.sandbox.keeping import kept_directory
from probes.sandbox.place import SHORT_PLACES, SandboxPlace
from probes.targets.target import Target

LONGEST_SOCKET_BYTES = 107
"""Linux keeps a unix socket's path in 108 bytes, with a closing zero."""

_SOCKET = "mysql.sock"


@contextmanager
def private_place(target: Target, directory: str, token: CancelToken) -> Iterator[SandboxPlace]:
    """Make fresh directories of mode 0700 in ``directory``, removed at the end.

    The socket lies beside the data, or in a short path of its own where the path would be too long
    for one. Raises DirectoryUnusable, TargetError and Cancelled.
    """
    with ExitStack() as stack:
        home = stack.enter_context(kept_directory(target, directory, token))
        owned = [home]
        socket = f"{home}/{_SOCKET}"
        if len(socket.encode("utf-8", "surrogateescape")) > LONGEST_SOCKET_BYTES:
            owned.append(_make_short(stack, target, token))
            socket = f"{owned[-1]}/{_SOCKET}"
        yield SandboxPlace(home, socket, tuple(owned))


def _make_short(stack: ExitStack, target: Target, token: CancelToken) -> str:
    for place in SHORT_PLACES:
        with suppress(DirectoryUnusable):
            return stack.enter_context(kept_directory(target, place, token))
    raise DirectoryUnusable(
        f"No directory for a socket can be made in {' or '.join(SHORT_PLACES)} on {target.name}.",
        "Choose a probe directory with a shorter path.",
    )
