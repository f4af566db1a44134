"""Which calls and devices of a watch go with what limits the server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from advisor.gain import Wait
from advisor.judging.limit import Limit, LimitKind
from probes.inventory.facts import Role
from probes.watch.watched import Device, FileIO
from probes.watch.words import FileRole, Operation


@dataclass(frozen=True, slots=True)
class Focus:
    """The calls on files that queries wait in, and what the devices are for that take them.

    None of ``calls`` is every kind of them, and the wait for a processor is ``processors``.
    """

    calls: frozenset[tuple[FileRole, Operation]] | None = None
    roles: frozenset[str] = frozenset()
    processors: bool = True

    def has(self, each: FileIO) -> bool:
        """Whether such a call is among them."""
        return self.calls is None or (FileRole(each.role), Operation(each.operation)) in self.calls

    def holds(self, device: Device) -> bool:
        """Whether a device takes them."""
        return not self.roles.isdisjoint(device.roles)


ALL = Focus()
_NONE = Focus(frozenset(), processors=False)
_DATA, _LOGS = frozenset({str(Role.DATA)}), frozenset({str(Role.REDO), str(Role.BINLOG)})


def _calls(role: FileRole, *operations: Operation) -> frozenset[tuple[FileRole, Operation]]:
    return frozenset((role, each) for each in operations)


_OF: Mapping[Wait, Focus] = {
    Wait.PAGE_READS: Focus(_calls(FileRole.DATA, Operation.READ), _DATA, processors=False),
    Wait.COMMITS: Focus(
        _calls(FileRole.REDO, Operation.SYNC) | _calls(FileRole.BINLOG, Operation.SYNC),
        _LOGS,
        processors=False,
    ),
    Wait.LOG_BUFFER: Focus(
        _calls(FileRole.REDO, Operation.WRITE, Operation.SYNC), _LOGS, processors=False
    ),
    Wait.TEMPORARY: Focus(
        _calls(FileRole.TEMP, Operation.READ, Operation.WRITE),
        frozenset({str(Role.TMP)}),
        processors=False,
    ),
    Wait.FREE_PAGES: Focus(
        _calls(FileRole.DATA, Operation.WRITE, Operation.SYNC), _DATA, processors=False
    ),
    Wait.PROCESSORS: Focus(frozenset()),
}
"""What is timed of a wait; of the others there is no call."""


def focus_of(limit: Limit | None) -> Focus:
    """What to show of the calls and devices where that limits: all of it where nothing does."""
    if limit is None or not limit.named:
        return ALL
    if limit.wait is None:
        return ALL if limit.kind is LimitKind.COMPUTING else _NONE
    return _OF.get(limit.wait, _NONE)
