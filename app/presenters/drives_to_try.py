"""Other drives for a server on the what-if page: kept runs and published tables with reads."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from advisor.compare.contender import Contender
from app.controllers.drive_keys import DriveKey
from app.controllers.stored_runs import Shelf
from app.presenters.compare.candidates import candidates
from app.runtime.translation import tr
from probes.points import Probe, Setting


def drives_to_try(
    shelf: Shelf, references: Iterable[Contender], page_bytes: int, now: datetime
) -> list[tuple[DriveKey | None, str]]:
    """Keys and names, the present drive first; of a run nobody knows before what it measured."""
    reading = [
        each
        for each in references
        if any(_reads(point.setting, page_bytes) for point in each.points)
    ]
    rows = candidates(shelf, reading, now)
    return [(None, tr("as now")), *((row.key, f"{row.group}: {row.name}") for row in rows)]


def _reads(setting: Setting, page_bytes: int) -> bool:
    return setting.probe is Probe.RANDOM_READ and setting.block_size_bytes == page_bytes
