"""Reads while pages are flushed and a log is synced: its threads are readers, its block a page.

Its curves run along what is flushed, not along its threads.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from probes.kinds.kind import Kind, Options, ProbeKind, choice
from probes.points import Probe, Setting

MIXED_CLEANERS = 4
MIXED_REDO_BYTES = 4096
"""What it appends and syncs: a whole block of most filesystems, so that none is read first."""

NOTHING_FLUSHED, ALL_FLUSHED = "0", "max"

PARTS: Mapping[str, tuple[str, str]] = {
    "reads": ("reads", "reads"),
    "redo": ("redo", "commits"),
    "flush": ("flushing", "pages"),
}
"""The parts of a mixed load: what each is called, and what its rate counts."""


@dataclass(frozen=True, slots=True)
class MixedOptions(Options):
    """``part`` is the load that a point is of; a step has all of them.

    ``flush_per_s`` is the target in pages/s; ``doublewrite`` and ``sync`` are as elsewhere.
    """

    part: str = choice(**{part: title for part, (title, _) in PARTS.items()})
    flush_per_s: str = choice()

    @property
    def target_per_s(self) -> float:
        """How many pages/s are to be flushed; infinite where it is all that the drive gives."""
        if self.flush_per_s == ALL_FLUSHED:
            return math.inf
        known = self.flush_per_s.replace(".", "", 1).isdecimal()
        return float(self.flush_per_s) if known else 0.0


def _work(setting: Setting, file_set: str) -> dict[str, object]:
    parts: dict[str, object] = {
        "reads": {
            "probe": Probe.RANDOM_READ.value,
            "file_set": file_set,
            "block_size_bytes": setting.block_size_bytes,
            "threads": setting.threads,
        },
        "redo": {
            "probe": Probe.REDO_SYNC.value,
            "directory": setting.directory,
            "block_size_bytes": MIXED_REDO_BYTES,
            "threads": 1,
            "sync": setting.options["sync"],
        },
    }
    target_per_s = MixedOptions.of(setting).target_per_s
    if target_per_s:
        parts["flush"] = {
            "probe": Probe.PAGE_FLUSH.value,
            "file_set": file_set,
            "block_size_bytes": setting.block_size_bytes,
            "threads": MIXED_CLEANERS,
            "doublewrite": setting.options["doublewrite"],
            "per_second": 0 if target_per_s == math.inf else target_per_s,
        }
    return {"parts": parts}


MIXED = ProbeKind(
    "mixed load",
    "mixed loads",
    "operations",
    "reader",
    part=Kind.MIXED,
    options=MixedOptions,
    needs=("part", "flush_per_s"),
    work=_work,
)
