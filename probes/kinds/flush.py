"""Flushing of dirty pages: alone by page cleaners, and beside readers while a log is synced.

The block is a page. Curves of the mixed load run along what is flushed, not along its threads.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from probes.kinds.kind import Kind, ProbeKind, ProbeOptions, choice
from probes.points import Probe, Setting

BATCH_PAGES = 128
"""What a cleaner writes at once where a setting says nothing else."""


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
class FlushOptions(ProbeOptions):
    """``doublewrite`` is how pages are kept from being torn; ``batch_pages`` is of one cleaner."""

    doublewrite: str = choice(
        wire=str, off="doublewrite off", on="doublewrite on", legacy="pre-8.0.20 doublewrite"
    )
    batch_pages: str = choice("batches of {}", wire=int)


PAGE_FLUSH = ProbeKind(
    "page flush",
    "page flushes",
    "pages",
    "page cleaner",
    part=Kind.FLUSH,
    options=FlushOptions,
    needs=("doublewrite",),
    compared="doublewrite",
)


@dataclass(frozen=True, slots=True)
class MixedOptions(ProbeOptions):
    """``part`` is the load that a point is of; a step has all of them.

    ``flush_per_s`` is the target in pages/s; ``doublewrite`` and ``sync`` are as elsewhere.
    """

    part: str = choice(reads="", redo="", flush="")
    flush_per_s: str = choice()

    @property
    def target_per_s(self) -> float:
        """How many pages/s are to be flushed; infinite where it is all that the drive gives."""
        if self.flush_per_s == ALL_FLUSHED:
            return math.inf
        known = self.flush_per_s.replace(".", "", 1).isdecimal()
        return float(self.flush_per_s) if known else 0.0


def mixed_parts(setting: Setting, file_set: str) -> dict[str, object]:
    """What the agent is given of the parts of a mixed load (see its PROTOCOL.md)."""
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
    return parts


MIXED = ProbeKind(
    "mixed load",
    "mixed loads",
    "operations",
    "reader",
    part=Kind.MIXED,
    options=MixedOptions,
    needs=("part", "flush_per_s"),
)
