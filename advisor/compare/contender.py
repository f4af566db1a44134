"""One side of a comparison: a run, an import, or a published table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from probes.points import Point, Trust


@dataclass(frozen=True, slots=True)
class Contender:
    """A drive (or server) with its points.

    ``name`` is for people, ``source`` a sentence that says where the points come from.
    ``conditions`` are those of a run, by name (``engine``, ``engine_version``, ``directory``,
    ``filesystem``, ``device``, ``file_bytes``, ``fill_share``, ``kernel``, ``processors``); what is
    not known is left out or "". ``run_id`` is None for a published table, ``key`` what the command
    line calls it. ``caveats`` are sentences that a reader of its figures must know. ``run_ids`` are
    all runs that it is made of: repeats of one measurement, the first of which is ``run_id``.
    ``drives`` name its disks, each with its machine; () where they are not known.
    """

    name: str
    source: str
    conditions: Mapping[str, str]
    points: tuple[Point, ...]
    run_id: int | None = None
    key: str = ""
    caveats: tuple[str, ...] = ()
    run_ids: tuple[int, ...] = ()
    drives: tuple[str, ...] = ()

    @property
    def engine(self) -> str:
        """What measured first: a second engine only cross-checks."""
        return self.points[0].engine if self.points else ""

    @property
    def usable(self) -> tuple[Point, ...]:
        """The points of the first engine, without those that were rejected."""
        return tuple(
            point
            for point in self.points
            if point.engine == self.engine and point.trust is not Trust.REJECTED
        )
