"""Points beside the server's load are marked with it, by a run of a real server and one without."""

from __future__ import annotations

from dataclasses import replace

import pytest

from probes.points import Point, Probe, Trust
from probes.statistics.repeats import combined, curves
from probes.trust.point import judge
from probes.trust.review import review
from probes.trust.server_load import marked, marked_alone, server_load
from tests.probes.trust.made import NVME, device, on, read, select
from tests.recorded_load import reads, recorded


def test_an_idle_servers_points_are_not_marked() -> None:
    assert marked(recorded("idle")) == list(recorded("idle"))
    assert not any(one.beside_server for one in review(recorded("idle"), on(NVME)))


def test_a_curve_is_beside_the_load_as_a_whole() -> None:
    found = reads("busy")
    loads = [server_load(one) for one in found]
    assert [round(load.share, 2) for load in loads if load] == [0.32, 0.19, 0.04]
    assert all(load is not None and load.bytes_per_s > 20e6 for load in loads)
    (curve,) = curves(found)
    assert curve.beside_server
    assert [one.setting.threads for one in curve.points] == [1, 8, 64]


def test_a_mixture_is_beside_the_load_at_all_its_rates() -> None:
    """Alone none of its parts can tell; together some rates do, and the load was the same."""
    mixed = [one for one in recorded("busy") if one.setting.probe is Probe.MIXED]
    assert not any(marked_alone(one).beside_server for one in mixed)
    assert all(one.beside_server for one in marked(mixed))


def test_a_point_says_so_at_its_arrival() -> None:
    first, _, last = (one for one in recorded("busy") if one.setting.probe is Probe.RANDOM_READ)
    assert judge(first, (), calibrated=None).beside_server
    assert not judge(last, (), calibrated=None).beside_server


def test_reviewing_again_changes_nothing_and_trust_stays() -> None:
    once = review(recorded("busy"), on(NVME))
    assert review(once, on(NVME)) == once
    assert [one.trust for one in once if one.setting.probe is Probe.RANDOM_READ] == [Trust.OK] * 3


def test_a_load_that_came_in_the_middle_parts_the_curve() -> None:
    idle, busy = reads("idle"), reads("busy")
    both = marked([*idle[:2], busy[2], *busy[:1]])
    assert [one.beside_server for one in both] == [False, False, True, True]
    assert [(len(c.points), c.beside_server) for c in curves(both)] == [(2, False), (2, True)]


def test_repeats_of_one_setting_are_joined_only_beside_the_same_load() -> None:
    again = [replace(one, id=one.id and one.id + 100) for one in reads("busy")]
    found = combined([*reads("idle"), *reads("busy"), *again])
    assert [one.beside_server for one in found] == [False] * 3 + [True] * 3
    assert [one.rate_per_s for one in found[:3]] == [one.rate_per_s for one in reads("idle")]


def test_a_server_that_did_a_tenth_or_less_is_no_load() -> None:
    little = device(
        read(9e3),
        did={"reads": 900, "read_bytes": 10 << 20},
        asked={"reads": 810, "read_bytes": 9 << 20},
        server={"read_bytes": 1 << 20},
    )
    assert marked([little]) == [little]


@pytest.mark.parametrize(
    "told",
    [{}, {"read_bytes": 1}, {"read_bytes": "much", "written_bytes": 0}, {"read_bytes": -1}],
)
def test_what_nobody_knows_marks_nothing(told: dict[str, object]) -> None:
    busy = reads("busy")[0]
    odd: Point = replace(busy, details={**recorded("busy")[0].details, "server": told})
    assert not marked([odd])[0].beside_server


def test_a_servers_own_answers_are_no_question_of_the_drive() -> None:
    asked = replace(select(9e3), details=dict(recorded("busy")[0].details))
    assert not marked([asked])[0].beside_server
    through_cache = replace(recorded("busy")[0], direct=False)
    assert not marked([through_cache])[0].beside_server
