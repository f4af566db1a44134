"""A shorter median beside longer worst latencies is said, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.compare import compare
from advisor.compare.contender import Contender
from probes.points import SERVER_LOAD, Latency, Point, Probe
from tests.advisor.compare.contenders import contender, rated


def timed(p50_us: float, p999_us: float, threads: int = 1) -> Point:
    one = rated(Probe.RANDOM_READ, threads, 1e6 / p50_us)
    return replace(
        one, latency=Latency(p50_us, p50_us, p50_us, p50_us, p999_us, max(p50_us, p999_us))
    )


def crossed(*points: Point) -> list[str]:
    sides: list[Contender] = [
        contender(name, one) for name, one in zip(("old", "new", "third"), points, strict=False)
    ]
    found = compare(sides).reasons
    return [each.sentence for each in found if each.aspect == "tail_latency"]


def test_a_newer_machine_with_a_worse_tail_is_told() -> None:
    [said] = crossed(timed(300.0, 900.0), timed(200.0, 2400.0))
    assert said.startswith("new has a shorter median than old (")
    assert "200" in said and "300" in said
    assert said.endswith("compare whole latencies.")


def test_of_several_pairs_the_one_that_crosses_most_is_told() -> None:
    [said] = crossed(timed(300.0, 900.0), timed(200.0, 1200.0), timed(150.0, 9000.0))
    assert said.startswith("third has a shorter median than old (")


@pytest.mark.parametrize(
    "other",
    [
        timed(200.0, 600.0),
        timed(400.0, 2400.0),
        timed(290.0, 2400.0),
        timed(200.0, 1000.0),
        timed(200.0, float("nan")),
        timed(200.0, 2400.0, threads=16),
        replace(timed(200.0, 2400.0), details={SERVER_LOAD: True}),
    ],
)
def test_nothing_is_said_of_latencies_that_do_not_cross_or_are_not_alike(other: Point) -> None:
    assert crossed(timed(300.0, 900.0), other) == []
