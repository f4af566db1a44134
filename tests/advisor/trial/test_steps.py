from dataclasses import replace

import pytest

from advisor.trial.agreement import Agreement, agreement
from advisor.trial.record import TrialEnd
from advisor.trial.steps.deciding import BandFigure, band_left, end_of_step
from advisor.trial.steps.like_load import Unlike, at_like_load
from advisor.trial.steps.looks import StepLook, at_rest
from advisor.trial.steps.path import step_path, unit_bytes
from advisor.variables.entry import Follows
from probes.statistics.ranges import Range
from tests.advisor.trial.steps import look

GIB = 1 << 30
BEFORE = look()


def test_a_pool_goes_down_in_tenths_of_what_it_had_and_up_at_once() -> None:
    down = step_path(10 * GIB, 7 * GIB, GIB, tenths=True)
    assert [int(each) // GIB for each in down] == [9, 8, 7]
    assert step_path(10 * GIB, 20 * GIB, GIB, tenths=True) == (str(20 * GIB),)
    assert step_path(10 * GIB, 5 * GIB, GIB, tenths=False) == (str(5 * GIB),)
    # A tenth is no multiple of what the server rounds to: whole multiples all the same.
    coarse = step_path(20 * GIB, 11 * GIB, 4 * GIB, tenths=True)
    assert [int(each) // GIB for each in coarse] == [16, 11]


def test_sizes_are_multiples_of_all_chunks_of_all_instances() -> None:
    variables = {"innodb_buffer_pool_chunk_size": "134217728", "innodb_buffer_pool_instances": "8"}
    assert unit_bytes("innodb_buffer_pool_size", variables, None) == GIB
    # MariaDB has given chunks up, and shows 0.
    none = {"innodb_buffer_pool_chunk_size": "0"}
    assert unit_bytes("innodb_buffer_pool_size", none, 1 << 20) == 1 << 20
    assert unit_bytes("innodb_log_file_size", variables, 4096) == 4096


@pytest.mark.parametrize(
    ("after", "times"),
    [(look(seed=2), 1.0), (look(time_us=700, seed=2), 0.7), (look(time_us=1300, seed=2), 1.3)],
)
def test_what_became_of_the_time_lies_in_its_interval(after: StepLook, times: float) -> None:
    found = at_like_load(BEFORE, after)
    assert found.unlike is None
    assert found.times is not None
    assert times in found.times
    assert found.times.high / found.times.low < 1.12
    assert found.late is not None


def test_no_difference_is_seen_as_one_in_few_of_many() -> None:
    wrong = 0
    for seed in range(100):
        found = at_like_load(look(seed=2 * seed), look(seed=2 * seed + 1)).times
        assert found is not None
        wrong += 1 not in found
    assert wrong <= 10


def test_more_arrivals_are_taken_out_of_an_open_load() -> None:
    busy = {"slope": 1.0, "swing": 0.05, "noise": 0.005}
    before = look(**busy, seed=3)  # type: ignore[arg-type]
    # A tenth more arrive, so that each takes a tenth longer; the change itself does nothing.
    after = look(time_us=1100, per_s=550, **busy, seed=4)  # type: ignore[arg-type]
    found = at_like_load(before, after)
    assert found.unlike is None
    assert found.times is not None
    assert 1 in found.times
    assert found.load == pytest.approx(0.1, abs=0.06)


def test_clients_that_wait_ask_more_as_they_are_answered_sooner() -> None:
    found = at_like_load(BEFORE, look(time_us=500, per_s=1000, seed=2))
    assert found.unlike is None
    assert found.times is not None
    assert found.times.value == pytest.approx(0.5, abs=0.03)


@pytest.mark.parametrize(
    ("after", "why"),
    [
        (look(per_s=900, seed=2), Unlike.LOAD),
        (look(per_s=200, seed=2), Unlike.LOAD),
        (look(kind="update", seed=2), Unlike.MIX),
        (look(rest_s=None, seed=2), Unlike.RESTLESS),
    ],
)
def test_another_load_can_not_be_compared(after: StepLook, why: Unlike) -> None:
    found = at_like_load(BEFORE, after)
    assert found.unlike is why
    assert end_of_step(found, 0.0) is TrialEnd.UNLIKE


@pytest.mark.parametrize(
    ("time_us", "worth", "end"),
    [
        (700, 0.0, TrialEnd.BETTER),
        (1300, 0.0, TrialEnd.WORSE),
        (985, 0.0, TrialEnd.UNCLEAR),
        (800, 0.5, TrialEnd.NO_GAIN),
    ],
)
def test_how_a_change_that_is_made_once_ends(time_us: float, worth: float, end: TrialEnd) -> None:
    assert end_of_step(at_like_load(BEFORE, look(time_us=time_us, seed=2)), worth) is end


def test_a_smaller_pool_is_held_in_its_band() -> None:
    assert band_left(BEFORE, look(seed=2), Follows.MISSES) is None
    missed = band_left(BEFORE, look(misses=0.7, seed=2), Follows.MISSES)
    assert missed is not None
    assert missed.figure is BandFigure.PAGES
    assert missed.seen > missed.most
    late = band_left(BEFORE, look(time_us=1500, seed=2), Follows.MISSES)
    assert late is not None
    assert late.figure is BandFigure.P95
    none = [replace(each, p95_us=None) for each in look(time_us=1500, seed=2).stretches]
    without = band_left(BEFORE, StepLook("2", tuple(none)), Follows.MISSES)
    assert without is not None
    assert without.figure is BandFigure.TIME
    # A server that missed nothing may miss a page in a hundred statements.
    assert band_left(look(misses=0), look(misses=0.005, seed=2), Follows.MISSES) is None
    assert band_left(look(misses=0), look(misses=0.05, seed=2), Follows.MISSES) is not None


def test_a_server_is_at_rest_once_its_misses_are_flat_and_its_pool_is_full() -> None:
    flat = BEFORE.stretches
    assert at_rest(flat, Follows.MISSES, 0.0)
    assert not at_rest(flat[:9], Follows.MISSES, 0.0)
    falling = [
        replace(each, misses=each.statements * (1 - 0.08 * number))
        for number, each in enumerate(flat)
    ]
    assert not at_rest(falling, Follows.MISSES, 0.0)
    filling = [replace(each, free_share=0.5 - 0.01 * number) for number, each in enumerate(flat)]
    assert not at_rest(filling, Follows.MISSES, 0.1)
    # All data are in it: what is left empty stays so.
    assert at_rest([replace(each, free_share=0.5) for each in flat], Follows.MISSES, 0.1)
    assert not at_rest([replace(each, kinds={}) for each in flat], Follows.MISSES, 0.0)


@pytest.mark.parametrize(
    ("gain", "forecast", "says"),
    [
        (Range(1.31, 1.25, 1.37), Range(1.25, 1.12, 1.40), Agreement.CONSISTENT),
        (Range(1.05, 1.02, 1.08), Range(1.25, 1.12, 1.40), Agreement.NOT),
        (Range(1.31, 0.95, 1.80), Range(1.25, 1.12, 1.40), Agreement.OPEN),
        (Range(1.10, 1.05, 1.15), Range(1.25, 1.12, 1.40), Agreement.OPEN),
        (Range(1.01, 0.99, 1.03), Range(1.0, 0.98, 1.05), Agreement.CONSISTENT),
        (None, Range(1.25, 1.12, 1.40), Agreement.OPEN),
    ],
)
def test_what_came_agrees_with_the_forecast_or_not(
    gain: Range | None, forecast: Range, says: Agreement
) -> None:
    assert agreement(gain, forecast) is says
