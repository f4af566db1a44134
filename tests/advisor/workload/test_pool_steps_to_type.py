"""A size of the pool is one that somebody would type."""

from __future__ import annotations

import pytest

from advisor.rulekit.facts import Facts, FactSource
from advisor.workload.pool.room import whole_steps, whole_steps_for
from tests.rules.casework import build

MIB = 1 << 20


@pytest.mark.parametrize(
    ("wanted", "down", "up"),
    [
        (40.5, 40, 41),
        (127.5, 127, 128),
        (128, 128, 128),
        (343.4, 336, 352),
        (511, 496, 512),
        (530, 512, 544),
        (1023, 992, 1024),
        (1100, 1024, 1152),
    ],
)
def test_steps_grow_with_the_size(wanted: float, down: int, up: int) -> None:
    facts = Facts(FactSource(build({"version": "10.11.8-MariaDB", "variables": {}})))
    assert whole_steps(facts, wanted * MIB) == down * MIB
    assert whole_steps_for(facts, wanted * MIB, 4096 * MIB) == up * MIB


@pytest.mark.parametrize(
    ("wanted_gib", "down_gib", "up_gib"), [(5.3, 5, 5.5), (10.6, 10, 11), (97, 96, 100)]
)
def test_large_pools_have_half_and_whole_gibibytes(
    wanted_gib: float, down_gib: float, up_gib: float
) -> None:
    facts = Facts(FactSource(build({"version": "10.11.8-MariaDB", "variables": {}})))
    wanted = wanted_gib * 1024 * MIB
    assert whole_steps(facts, wanted) == down_gib * 1024 * MIB
    assert whole_steps_for(facts, wanted, 2 * wanted) == up_gib * 1024 * MIB


def test_where_a_step_more_does_not_fit_it_is_one_less() -> None:
    facts = Facts(FactSource(build({"version": "10.11.8-MariaDB", "variables": {}})))
    assert whole_steps_for(facts, 343 * MIB, 345 * MIB) == 336 * MIB
