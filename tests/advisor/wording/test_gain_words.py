"""How many more queries a forecast has come of a change, and what a change saves, in words."""

from __future__ import annotations

import pytest

from advisor.gain import Relief, Wait
from advisor.outcomes import Recommendation, Verdict
from advisor.wording.advice.gains import gain_of, saves
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


@pytest.mark.parametrize(
    ("gain", "long", "short"),
    [
        (None, "gain not quantified", ""),
        ((0.35, 0.21, 0.49), "21 to 49 % of query time", "saves 21 to 49 %"),
        ((0.2, 0.03, 0.6), "at least 3 % of query time", "saves at least 3 %"),
        (
            (0.04, 0.006, 0.096),
            "gain not known: how much of that wait it ends shows only afterwards",
            "",
        ),
    ],
)
def test_a_row_of_the_list_has_a_gain_where_the_card_has_it(
    gain: tuple[float, float, float] | None, long: str, short: str
) -> None:
    one = Recommendation(
        rule="buffer-pool.size",
        title="The pool's size",
        topic="Buffer pool",
        verdict=Verdict.RECOMMEND,
        saw="Seen.",
        relieves=(Relief.whole(Wait.PAGE_READS),),
        gain=None if gain is None else Range(*gain),
    )
    assert gain_of(one).replace(THIN, " ") == long
    assert saves(one).replace(THIN, " ") == short
