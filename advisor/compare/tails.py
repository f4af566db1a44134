"""Contenders whose usual latency is shorter and whose worst ones are longer: said, not averaged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from advisor.compare.matching import Matched, MatchedLevel
from probes.figures import counted, duration_us
from probes.kinds.table import PROBES
from probes.points import Point, Probe

SHORTER, LONGER = 1.1, 1.25
"""How many times shorter the median and longer the 99.9th percentile have to be (our choices)."""

PROBED = (Probe.RANDOM_READ, Probe.REDO_SYNC)
"""What queries wait for, one by one."""


def longer_tails(matched: Sequence[Matched], names: Sequence[str]) -> Iterator[str]:
    """Say for each probe which pair of contenders has latencies that cross most, at one level."""
    for probe in PROBED:
        found = [
            (_crossing(first, second), names[a], names[b], first, second)
            for each in matched
            if each.kind.probe is probe
            for level in each.levels
            for (a, first), (b, second) in permutations(_there(level), 2)
            if first.beside_server == second.beside_server
        ]
        crossing = max(found, key=lambda one: one[0], default=None)
        if crossing is not None and crossing[0] > 0:
            _, ahead, behind, first, second = crossing
            yield _sentence(ahead, behind, first, second)


def _there(level: MatchedLevel) -> list[tuple[int, Point]]:
    return [(index, point) for index, point in enumerate(level.points) if point is not None]


def _crossing(first: Point, second: Point) -> float:
    """How far the first's worst latencies are longer where its median is shorter; else 0."""
    own, other = first.latency, second.latency
    if own.p50_us * SHORTER <= other.p50_us and own.p999_us >= LONGER * other.p999_us > 0:
        return own.p999_us / other.p999_us
    return 0.0


def _sentence(ahead: str, behind: str, first: Point, second: Point) -> str:
    own, other = first.latency, second.latency
    what = PROBES[first.setting.probe].title.lower()
    at = counted(first.setting.threads, "thread")
    return (
        f"{ahead} has a shorter median than {behind} ({what}, {at}: {duration_us(own.p50_us)} "
        f"against {duration_us(other.p50_us)}), but a longer 99.9th percentile "
        f"({duration_us(own.p999_us)} against {duration_us(other.p999_us)}): compare whole "
        "latencies."
    )
