"""Points that an agent measured on one drive, idle and while a server read from it.

MariaDB 10.11 with a pool of 24 MiB and four connections of sysbench's point selects; 16 KiB reads,
and mixtures of reads, commits and flushing, with 1, 8 and 64 threads.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from probes.points import Point, Probe, Setting
from probes.trust.server_load import marked
from tests.points import point

DIRECTORY = "/var/lib/mysql"


@cache
def recorded(name: str) -> tuple[Point, ...]:
    """The points of ``idle`` or ``busy`` as they came, in their order, with ids."""
    kept = json.loads((Path(__file__).parent / "recorded_load.json").read_text())
    return tuple(replace(_point(one), id=at) for at, one in enumerate(kept[name], 1))


def reads(name: str) -> list[Point]:
    """The random reads alone, reviewed as those of a run are."""
    return [one for one in marked(recorded(name)) if one.setting.probe is Probe.RANDOM_READ]


def _point(kept: dict[str, Any]) -> Point:
    setting = Setting(Probe(kept["probe"]), kept["threads"], 16384, 1, DIRECTORY, kept["options"])
    return point(
        setting,
        kept["rate_per_s"],
        seconds=kept["seconds"],
        ci95_per_s=tuple(kept["ci95_per_s"]),
        operations=kept["operations"],
        direct=True,
        details=kept["details"],
    )
