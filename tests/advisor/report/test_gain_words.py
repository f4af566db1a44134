"""How a forecast says how many more queries come of a change."""

from __future__ import annotations

import pytest

from advisor.wording.forecasts.more import queries_text
from probes.figures import THIN
from probes.statistics.ranges import Range


@pytest.mark.parametrize(
    ("times", "said"),
    [
        ((1.02, 0.919, 1.13), "2 % more queries (−8 to +13 % in nine of ten measurements)"),
        ((0.7, 0.6, 0.8), "30 % fewer queries (−40 to −20 % in nine of ten measurements)"),
        ((1.004, 0.93, 1.08), "as many queries as today (−7 to +8 % in nine of ten measurements)"),
        ((1.004, 1.001, 1.007), "0.4 % more queries (+0.1 to +0.7 % in nine of ten measurements)"),
        ((1.01, 1.01, 1.01), "1 % more queries (+1 % in nine of ten measurements)"),
        ((1.8, 1.2, 2.4), "1.8× today's queries (1.2 to 2.4× in nine of ten measurements)"),
        ((12.4, 9.0, 20.0), "12× today's queries (9.0 to 20× in nine of ten measurements)"),
    ],
)
def test_a_small_change_is_said_in_per_cent_and_a_large_one_as_a_factor(
    times: tuple[float, float, float], said: str
) -> None:
    assert queries_text(Range(*times)).replace(THIN, " ") == said
