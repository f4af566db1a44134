"""Appends to a log, each synced: its threads are committers, its block what one of them appends."""

from __future__ import annotations

from dataclasses import dataclass

from probes.kinds.kind import Kind, ProbeKind, ProbeOptions, choice


@dataclass(frozen=True, slots=True)
class RedoOptions(ProbeOptions):
    """``sync`` is how an append is made to last.

    ``log`` is ``growing`` where the file is not pre-allocated; ``binlog`` is ``1`` where each group
    of commits syncs a second file too.
    """

    sync: str = choice(
        wire=str, fdatasync="fdatasync", fsync="fsync", o_dsync="O_DSYNC", o_sync="o sync"
    )
    log: str = choice(usual="preallocated", wire=str, preallocated="", growing="growing log")
    binlog: str = choice(
        usual="0", wire=lambda value: value == "1", **{"0": "", "1": "sync_binlog=1"}
    )

    @property
    def plain(self) -> bool:
        """Whether one file of full size is appended to, as most commits do."""
        return not (self.log or self.binlog)


REDO_SYNC = ProbeKind(
    "redo sync",
    "redo syncs",
    "commits",
    "committer",
    part=Kind.REDO,
    options=RedoOptions,
    needs=("sync",),
    compared="sync",
)
