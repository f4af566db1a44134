"""Where a lab's servers live: one private folder for each directory that is tried."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager

from probes.cancel import CancelToken
from probes.errors import CommandFailed, DirectoryUnusable
from probes.lab.data import NO_DATA
from probes.sandbox.keeping import kept_directory
from probes.sandbox.leftovers import clean_leftovers
from probes.sandbox.place import SHORT_PLACES, SandboxPlace
from probes.sandbox.placing import LONGEST_SOCKET_BYTES
from probes.targets.target import Target

_LONGEST_NAME = len("/v999.sock")
_CLEARING_S = 300.0


class LabPlace:
    """The lab's folders on one target, by the directory that was asked for."""

    def __init__(
        self,
        target: Target,
        homes: Mapping[str, str],
        sockets: str,
        unusable: Mapping[str, DirectoryUnusable],
    ) -> None:
        self._target = target
        self._homes = homes
        self._sockets = sockets
        self._unusable = unusable

    @property
    def owned(self) -> tuple[str, ...]:
        """All folders that are the lab's own."""
        return (*self._homes.values(), *((self._sockets,) if self._sockets else ()))

    def room(self, directory: str, name: str) -> SandboxPlace:
        """The paths of one server; ``name`` is short, and the server's alone.

        Raises DirectoryUnusable where nothing can be made in the directory.
        """
        if directory in self._unusable:
            raise self._unusable[directory]
        home = f"{self._homes[directory]}/{name}"
        socket = f"{self._sockets or self._homes[directory]}/{name}.sock"
        return SandboxPlace(home, socket, self.owned)

    @contextmanager
    def made(self, room: SandboxPlace) -> Iterator[None]:
        """Make a room's folders. What fails within leaves none, so that others have the space.

        Raises CommandFailed.
        """
        try:
            self._make(room)
            yield
        except NO_DATA:
            self._target.run(["rm", "-rf", "--", room.directory], timeout_s=_CLEARING_S)
            raise

    def _make(self, room: SandboxPlace) -> None:
        made = self._target.run(["mkdir", "-m", "700", "--", room.directory, room.temporary])
        if made.status != 0:
            answer = made.stderr.decode("utf-8", "replace").strip()
            raise CommandFailed(f"{room.directory} can't be made on {self._target.name}: {answer}.")


@contextmanager
def lab_place(target: Target, directories: Sequence[str], token: CancelToken) -> Iterator[LabPlace]:
    """Folders of mode 0700 in each directory, gone with all that is in them afterwards.

    What labs that were killed have left there is removed first. Raises DirectoryUnusable where
    nothing can be made in any of them, TargetError and Cancelled.
    """
    with ExitStack() as stack:
        homes: dict[str, str] = {}
        unusable: dict[str, DirectoryUnusable] = {}
        for directory in dict.fromkeys(directories):
            clean_leftovers(target, directory, token)
            try:
                homes[directory] = stack.enter_context(kept_directory(target, directory, token))
            except DirectoryUnusable as error:
                unusable[directory] = error
        if not homes:
            raise next(iter(unusable.values()))
        longest = max(len(home.encode("utf-8", "surrogateescape")) for home in homes.values())
        sockets = ""
        if longest + _LONGEST_NAME > LONGEST_SOCKET_BYTES:
            sockets = stack.enter_context(kept_directory(target, SHORT_PLACES[1], token))
        yield LabPlace(target, homes, sockets, unusable)
