"""A comparison that can say nothing names the contender and the reason."""

from __future__ import annotations

from dataclasses import replace

from advisor.compare.comparison import compare
from advisor.compare.contender import Contender
from advisor.compare.rejected import rejected
from advisor.wording.measured.comparison import lead, nothing_usable
from probes.doubts import DoubtKind, rejection, stated
from probes.points import Trust
from tests.app.window.compare.test_compare import drive

IN_MEMORY = rejection(DoubtKind.IN_MEMORY, what="tmpfs")
MEMORY = "tmpfs lives in memory: no drive was measured."
SWUNG = stated("The rate swung.")


def spoiled(name: str, *levels: int) -> Contender:
    made = drive(name, 1.0, *levels)
    points = [
        replace(point, trust=Trust.REJECTED, doubts=(IN_MEMORY, *((SWUNG,) if at == 0 else ())))
        for at, point in enumerate(made.points)
    ]
    return replace(made, points=tuple(points))


def test_it_is_said_whose_points_were_all_rejected_and_why() -> None:
    found = compare([drive("/var/tmp", 1.0, 1, 8, 64), spoiled("/dev/shm", 1, 8, 64)])
    said = f"No comparison: of /dev/shm, all 3 points were rejected. {MEMORY}"
    assert lead(found) == said
    one = compare([spoiled("/run/a", 4), drive("/var/tmp", 1.0, 4)])
    assert lead(one) == f"No comparison: of /run/a, the only point was rejected. {MEMORY}"


def test_drives_with_usable_points_are_no_dead_end() -> None:
    drives = [drive("one", 1.0, 1, 8), drive("two", 2.0, 1, 8)]
    assert nothing_usable(drives) == ""
    assert list(rejected(drives)) == []
    mixed = drives[0].points
    partly = replace(drives[0], points=(replace(mixed[0], trust=Trust.REJECTED), *mixed[1:]))
    assert nothing_usable([partly, drives[1]]) == ""
