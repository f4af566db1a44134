"""What labs have found of compared drives: the same servers on them, under the same load."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from os.path import normpath

from advisor.compare.contender import Contender
from advisor.lab.effects.contrasts import Decision
from advisor.lab.looked import answers
from advisor.lab.record import Record
from advisor.store.cases import numbered_labs
from advisor.store.store import Store
from probes.lab.variant import LabLoad, Variant
from probes.statistics.ranges import Range


@dataclass(frozen=True, slots=True)
class DrivesInLab:
    """How many times the transactions of drive ``base`` the ``other`` did: places of contenders.

    ``decided`` is the lab's own decision, ``on`` its day.
    """

    base: int
    other: int
    times: Range
    decided: bool
    load: LabLoad
    connections: int
    run_id: int
    on: str


def drives_in_labs(store: Store, contenders: Sequence[Contender]) -> tuple[DrivesInLab, ...]:
    """Of each pair of drives, load and number of connections what the latest lab has found.

    A lab's drive is a contender's where both are the same directory of one target. Raises
    StoreError.
    """
    places = {
        (store.run(each.run_id).target, normpath(folder)): at
        for at, each in enumerate(contenders)
        if each.run_id is not None and (folder := each.conditions.get("directory", ""))
    }
    found: dict[tuple[int, int, LabLoad, int], DrivesInLab] = {}
    for target in dict.fromkeys(target for target, _ in places):
        of_target = {folder: at for (name, folder), at in places.items() if name == target}
        if len(of_target) < 2:
            continue
        for run_id, on, record in numbered_labs(store, target):
            for each in _in_lab(record, of_target, run_id, on):
                pair = min(each.base, each.other), max(each.base, each.other)
                found.setdefault((*pair, each.load, each.connections), each)
    return tuple(found.values())


def _in_lab(record: Record, places: dict[str, int], run_id: int, on: str) -> Iterator[DrivesInLab]:
    base = record.asked.base
    at = places.get(normpath(base.directory)) if base.directory else None
    if at is None:
        return
    others = {
        each.name: places[normpath(each.directory)]
        for each in record.asked.variants[1:]
        if _alike(base, each) and normpath(each.directory) in places
    }
    for level, contrast, times in answers(record):
        if contrast.variant in others:
            other, decided = others[contrast.variant], contrast.decision is not Decision.OPEN
            yield DrivesInLab(at, other, times, decided, record.load, level, run_id, on)


def _alike(base: Variant, other: Variant) -> bool:
    """Whether two variants differ in their directories alone."""
    return base.directory != other.directory and (
        base.server,
        base.engine,
        base.page_bytes,
        dict(base.lines),
    ) == (other.server, other.engine, other.page_bytes, dict(other.lines))
