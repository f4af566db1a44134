"""What a lab can be expected to see, and when it ends."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.lab.effects.contrasts import effects
from advisor.lab.effects.ending import (
    Design,
    best_rounds_per_start,
    ending,
    expected,
    rounds_to_see,
)
from advisor.lab.record import LabEnd
from tests.advisor.lab.effects.simulated import BASE, TWIN, turns

DESIGN = Design(variants=2, round_s=10.0, start_s=5.0, rounds_per_start=2)


def test_seconds_and_rounds() -> None:
    assert DESIGN.seconds(1) == 15.0
    assert DESIGN.seconds(5) == 65.0
    assert [DESIGN.rounds(each) for each in (0, 14, 15, 24, 25, 39, 40, 50)] == [
        *(0, 0, 1, 1, 2, 2, 3, 4)
    ]


def test_more_rounds_and_less_noise_see_more() -> None:
    assert expected(DESIGN, 1) is None
    widths = [expected(DESIGN, rounds) or 0 for rounds in (3, 6, 12, 24, 48)]
    assert widths == sorted(widths, reverse=True)
    assert (expected(replace(DESIGN, noise=0.01), 12) or 1) < widths[2]
    assert (expected(replace(DESIGN, start_sd=0.005), 12) or 1) < widths[2]
    assert (expected(replace(DESIGN, twin=False), 12) or 0) > widths[2]


@pytest.mark.parametrize(("noise", "start_sd"), [(0.02, 0.005), (0.04, 0.02), (0.1, 0.03)])
def test_what_is_expected_is_what_comes(noise: float, start_sd: float) -> None:
    design = replace(DESIGN, noise=noise, start_sd=start_sd, rounds_per_start=4)
    came = sorted(
        effects(
            turns(seed, {"off": 1.0}, noise=noise, start_sd=start_sd), BASE, same=TWIN
        ).resolution
        or 0
        for seed in range(9)
    )
    assert came[4] == pytest.approx(expected(design, 16), rel=0.25)


def test_rounds_to_see_are_the_fewest() -> None:
    rounds = rounds_to_see(DESIGN, 0.05)
    assert rounds is not None
    assert (expected(DESIGN, rounds) or 1) <= 0.05 < (expected(DESIGN, rounds - 1) or 0)
    assert rounds_to_see(replace(DESIGN, noise=0.7, rounds_per_start=1000), 0.001) is None


def test_a_dear_start_is_used_for_longer() -> None:
    cheap, dear = (replace(DESIGN, start_s=each) for each in (1.0, 60.0))
    assert best_rounds_per_start(cheap, 300) == 1
    assert best_rounds_per_start(dear, 600) > 2
    assert best_rounds_per_start(replace(cheap, noise=0.1, start_sd=0.002), 600) > 1
    # Nothing can be seen: any number will do.
    assert best_rounds_per_start(DESIGN, 5) == 1


def test_it_ends_decided_at_the_budget_or_without_hope() -> None:
    large = effects(turns(1, {"off": 1.5}), BASE, same=TWIN)
    assert ending(large, DESIGN, 500.0) is LabEnd.DECIDED
    small = effects(turns(2, {"off": 1.03}, noise=0.1, start_sd=0.05), BASE, same=TWIN)
    assert not small.decided
    assert ending(small, DESIGN, 9.0) is LabEnd.BUDGET
    assert ending(small, DESIGN, 60.0) is LabEnd.HOPELESS
    assert ending(small, DESIGN, 20_000.0) is None


def test_no_hope_is_given_up_before_starts_are_known() -> None:
    first = effects(turns(3, {"off": 1.03}, starts=1, noise=0.1), BASE, same=TWIN)
    assert ending(first, DESIGN, 30.0) is None
    nothing = effects([], BASE, same=TWIN, asked=[("off", BASE)])
    assert ending(nothing, DESIGN, 30.0) is None
