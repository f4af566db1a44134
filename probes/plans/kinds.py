"""What can be probed, as users name it: each kind stands for a few probes."""

from __future__ import annotations

from enum import StrEnum

from probes.points import Probe


class Kind(StrEnum):
    """A part of a plan that can be asked for on its own."""

    STORAGE = "storage"
    REDO = "redo"
    FLUSH = "flush"
    MIXED = "mixed"
    STEADY = "steady"
    MYSQL = "mysql"


PROBES_OF: dict[Kind, tuple[Probe, ...]] = {
    Kind.STORAGE: (Probe.RANDOM_READ, Probe.RANDOM_WRITE),
    Kind.REDO: (Probe.REDO_SYNC,),
    Kind.FLUSH: (Probe.PAGE_FLUSH,),
    Kind.MIXED: (Probe.MIXED,),
    Kind.STEADY: (Probe.STEADY_WRITE,),
    Kind.MYSQL: (Probe.POINT_SELECT, Probe.PK_UPDATE),
}

CHECK_KINDS = frozenset({Kind.STORAGE, Kind.REDO, Kind.FLUSH, Kind.MYSQL})
"""What a check measures: all that rules need, nothing that must be asked for."""

DECIDING_KINDS = CHECK_KINDS | {Kind.MIXED}
"""What it may measure where it is told what is open: mixtures take long, and few rules ask."""
