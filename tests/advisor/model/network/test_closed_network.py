"""The solver against simulation, against formulas, and against what holds for every network."""

from __future__ import annotations

import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.model.curves.latency_shape import Floats
from advisor.model.network.closed_network import MOST_CUSTOMERS, solve
from advisor.model.network.many_networks import throughputs
from tests.advisor.model.network.simulated_network import play

NETWORKS = int(os.environ.get("SIMULATED_NETWORKS", "1"))
ROUNDS = 60_000

Network = list[tuple[Floats, int | None]]


def cores(count: int, seconds: float, most: int) -> Floats:
    return np.minimum(np.arange(1, most + 1), count) / seconds


def some_network(seed: int) -> tuple[Network, int]:
    """Two to four stations: several servers, a delay, and rates that rise, bend or fall."""
    random = np.random.default_rng(seed)
    most = int(random.integers(2, 60))
    found: Network = []
    for _ in range(int(random.integers(2, 5))):
        seconds = float(random.uniform(0.5, 4.0))
        kind = random.integers(3)
        if kind == 0:
            servers = int(random.integers(1, 9))
            found.append((cores(servers, seconds, most), servers))
        elif kind == 1:
            found.append((cores(most, seconds * 5, most), most))
        else:
            grown = np.arange(1, most + 1) ** random.uniform(-0.3, 0.9)
            found.append((np.minimum(grown, random.uniform(1, 8)) / seconds, None))
    return found, most


@pytest.mark.parametrize("seed", range(NETWORKS))
def test_simulated_networks_have_the_solved_throughput(seed: int) -> None:
    stations, customers = some_network(seed)
    solution = solve([rates for rates, _ in stations])
    rate, inside = play(stations, customers, seed, ROUNDS)
    assert solution.rate_per_s[-1] == pytest.approx(rate, rel=0.01)
    assert solution.inside[-1] == pytest.approx(inside, abs=0.05 * customers)


def test_two_queues_have_the_throughput_of_the_formula() -> None:
    most, one, other = 60, 0.1, 0.2
    constants = [sum(one**k * other ** (n - k) for k in range(n + 1)) for n in range(most + 1)]
    expected = [constants[n] / constants[n + 1] for n in range(most)]
    found = solve([np.full(most, 1 / one), np.full(most, 1 / other)])
    assert found.rate_per_s == pytest.approx(expected, rel=1e-12)


def test_mean_value_analysis_gives_the_same() -> None:
    demands, think_s = (0.005, 0.002, 0.009), 0.1
    most = 80
    queues = np.zeros(len(demands))
    solution = solve([cores(most, think_s, most), *(np.full(most, 1 / each) for each in demands)])
    for customers in range(1, most + 1):
        residence = np.array(demands) * (1 + queues)
        rate = customers / (think_s + residence.sum())
        queues = rate * residence
        assert solution.rate_per_s[customers - 1] == pytest.approx(rate, rel=1e-10)
        assert solution.inside[customers - 1, 1:] == pytest.approx(queues, rel=1e-9)


def test_thousands_of_customers_neither_overflow_nor_underflow() -> None:
    most = MOST_CUSTOMERS
    found = solve(
        [
            cores(most, 10.0, most),
            cores(64, 1e-5, most),
            np.full(most, 30_000.0),
            1e5 / np.arange(1, most + 1) ** 0.25,
        ]
    )
    assert np.all(np.isfinite(found.rate_per_s))
    assert np.allclose(found.inside.sum(axis=1), np.arange(1, most + 1))
    assert found.rate_per_s[0] == pytest.approx(1 / (10.0 + 1e-5 + 1 / 30_000 + 1e-5))
    assert found.rate_per_s[-1] <= 30_000


stations = st.lists(
    st.tuples(st.integers(min_value=1, max_value=64), st.floats(min_value=1e-5, max_value=1.0)),
    min_size=1,
    max_size=4,
)


@given(stations, st.integers(min_value=1, max_value=200))
def test_bounds_of_operational_analysis_hold(found: list[tuple[int, float]], most: int) -> None:
    rates = [cores(count, seconds, most) for count, seconds in found]
    solution = solve(rates)
    count = np.arange(1, most + 1)
    alone = sum(seconds for _, seconds in found)
    close = 1 + 1e-9
    assert np.all(solution.rate_per_s <= min(each.max() for each in rates) * close)
    assert np.all(solution.rate_per_s <= count / alone * close)
    assert np.all(solution.rate_per_s * alone * count >= count / close)
    # Servers that lose nothing when more wait: throughput never falls, per customer never rises.
    assert np.all(np.diff(solution.rate_per_s) >= -1e-9 * solution.rate_per_s[1:])
    assert np.all(np.diff(solution.rate_per_s / count) <= 1e-9 / alone)


@given(stations, st.integers(min_value=1, max_value=200))
def test_littles_law_holds_at_each_station_and_for_all(
    found: list[tuple[int, float]], most: int
) -> None:
    rates = [cores(count, seconds, most) for count, seconds in found]
    solution = solve(rates)
    assert solution.inside.sum(axis=1) == pytest.approx(np.arange(1, most + 1))
    for place, (_, seconds) in enumerate(found):
        assert np.all(solution.residence_s[:, place] >= seconds * (1 - 1e-6))


@given(stations, st.integers(min_value=2, max_value=100))
def test_a_faster_station_never_slows_the_network(
    found: list[tuple[int, float]], most: int
) -> None:
    rates = [cores(count, seconds, most) for count, seconds in found]
    faster = [rates[0] * 1.5, *rates[1:]]
    assert np.all(solve(faster).rate_per_s >= solve(rates).rate_per_s * (1 - 1e-9))


@given(stations, st.integers(min_value=1, max_value=50))
def test_the_order_of_stations_is_of_no_account(found: list[tuple[int, float]], most: int) -> None:
    rates = [cores(count, seconds, most) for count, seconds in found]
    there, back = solve(rates), solve(rates[::-1])
    assert there.rate_per_s == pytest.approx(back.rate_per_s, rel=1e-9)
    assert there.inside == pytest.approx(back.inside[:, ::-1], rel=1e-6, abs=1e-9)


@pytest.mark.parametrize(
    "rates", [[], [[1.0], [1.0, 2.0]], [[0.0]], [[float("nan")]], [[]], [[1.0] * 4097]]
)
def test_what_is_no_network_is_refused(rates: list[list[float]]) -> None:
    with pytest.raises(ValueError):
        solve(rates)


@given(stations, st.integers(min_value=1, max_value=300), st.floats(0.2, 5.0))
def test_many_networks_have_the_throughputs_of_each(
    found: list[tuple[int, float]], most: int, faster: float
) -> None:
    first = [cores(count, seconds, most) for count, seconds in found]
    other = [rates * faster**at for at, rates in enumerate(first)]
    exact = [solve(each).rate_per_s for each in (first, other)]
    both = throughputs([first, other], exact[0])
    assert both == pytest.approx(np.array(exact), rel=1e-6)


def test_a_network_that_numbers_can_not_hold_is_solved_with_logarithms() -> None:
    """Beside thousands of customers who wait for a second each, a unit that is far off."""
    network = [cores(2000, 1.0, 2000), cores(3, 1e-4, 2000)]
    exact = solve(network).rate_per_s
    found = throughputs([network], np.full(2000, 1e-3))
    assert found[0] == pytest.approx(exact, rel=1e-9)


def test_a_mutex_is_in_the_servers_curve_and_needs_no_station_of_its_own() -> None:
    """Whatever drive comes to it: a server measured with its mutex does as both apart would."""
    most = 200
    count = np.arange(1, most + 1)
    processors, mutex = np.minimum(count, 16) * 2_500.0, np.full(most, 34_000.0)
    server = solve([processors, mutex]).rate_per_s
    for drive in (np.minimum(count, 8) * 3_000.0, np.minimum(count, 64) * 400.0):
        together = solve([server, drive]).rate_per_s
        assert together == pytest.approx(solve([processors, mutex, drive]).rate_per_s, rel=1e-9)
