"""What a server did with its files one by one, as plain values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from probes.watch.file_roles import DATA_FILE
from probes.watch.over_time import Amounts
from probes.watch.words import FileRole, Operation

_US_PER_S = 1e6


@dataclass(frozen=True, slots=True)
class FileWork:
    """What was done with the file at ``path`` over a window, or with ``files`` in a directory.

    ``kind`` is the Performance Schema's name for what it is. Of ``syncs`` no bytes are known.
    """

    path: str
    kind: str
    role: FileRole
    reads: Amounts
    writes: Amounts
    syncs: Amounts
    files: int = 1

    def of(self, operation: Operation) -> Amounts:
        """What was done of one operation."""
        match operation:
            case Operation.READ:
                return self.reads
            case Operation.WRITE:
                return self.writes
            case Operation.SYNC:
                return self.syncs

    @property
    def all(self) -> Amounts:
        """Its reads, writes and syncs together."""
        return added((self.reads, self.writes, self.syncs))


@dataclass(frozen=True, slots=True)
class ByFile:
    """The files of a server over ``seconds``: those that most was done with, then the ``rest``.

    ``files`` are one by one, the most time first; ``rest`` are summed up by directory, kind and
    role. ``home`` is the data directory with a slash, as the server names it in paths. ``seen``
    files have a counter; ``gone`` ones were deleted meanwhile, so that nothing is known of them.
    ``cut``: there are more than were asked for. ``uncounted``: that many had no room for a counter.
    """

    seconds: float
    home: str
    files: tuple[FileWork, ...]
    rest: tuple[FileWork, ...] = ()
    seen: int = 0
    gone: int = 0
    uncounted: int = 0
    cut: bool = False

    @property
    def all(self) -> tuple[FileWork, ...]:
        """All that is known."""
        return self.files + self.rest

    @property
    def waited_us(self) -> float:
        """The time of all calls that are known."""
        return added(each.all for each in self.all).waited_us

    def named(self, work: FileWork) -> str:
        """A file as its data directory has it: "shop/orders.ibd"; with its path elsewhere."""
        return work.path.removeprefix(self.home)

    def at_home(self, work: FileWork) -> bool:
        """Whether it lies in the data directory, or a directory of that."""
        return not work.path.startswith("/") or f"{work.path}/".startswith(self.home)

    def of_data_files(self, operation: Operation, role: FileRole | None = None) -> Amounts:
        """One operation on all of InnoDB's tablespaces, or on those of one role alone."""
        return added(
            each.of(operation)
            for each in self.all
            if each.kind == DATA_FILE and (role is None or each.role is role)
        )

    def away_share(self, operation: Operation) -> float:
        """The share of the calls on tables' files that lie outside of the data directory (0..1)."""
        tables = [each for each in self.all if each.role is FileRole.DATA]
        whole = added(each.of(operation) for each in tables).calls
        away = added(each.of(operation) for each in tables if not self.at_home(each)).calls
        return away / whole if whole else 0.0

    def under_way(self, amounts: Amounts) -> float:
        """How many calls were under way at a time on average, of all that ``amounts`` has."""
        return amounts.waited_us / _US_PER_S / self.seconds


def added(parts: Iterable[Amounts]) -> Amounts:
    """All of them together."""
    kept = list(parts)
    return Amounts(
        sum(each.calls for each in kept),
        sum(each.size_bytes for each in kept),
        sum(each.waited_us for each in kept),
    )
