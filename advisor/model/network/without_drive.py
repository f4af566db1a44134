"""A server without its drive, from what it did on a drive that is known.

The network of server and drive has to give the measured throughput at each concurrency; the
server's own rates are what is looked for. Where the drive was saturated, nearly any server would
have given the same, so that the figures alone do not settle it: the rates are also asked to bend no
more than they must (Tikhonov's regularisation), and the ranges that come with them are wide there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advisor.model.curves.latency_shape import Floats
from advisor.model.curves.measured_rates import MeasuredRates
from advisor.model.network.closed_network import MOST_CUSTOMERS, solve
from advisor.model.network.stations import Drive
from probes.statistics.ranges import BOUNDS_AT, Range

BEND = 1.0
"""How far the slope of log rate over log threads changes from point to point, as a standard
deviation (our choice): the curve of a server with cores bends once from 1 to 0."""

SPAN = 1.5
"""How far the rates may lie from the first guess, as a standard deviation of their logarithm."""

MOST_POINTS = 24
"""Unknowns that are solved for; each takes a network to be solved per round."""

_ROUNDS = 30
_STEP = 1e-4
_CLOSE = 1e-6


@dataclass(frozen=True, slots=True)
class _Problem:
    """Residuals in standard deviations; unknown are the logarithms of the rates at each point."""

    measured: MeasuredRates
    drive: Floats
    guess: Floats
    spreads: Floats

    def residuals(self, unknown: Floats) -> Floats:
        """How far off: the throughput, the bends, and the distance from the first guess."""
        own = self.measured.with_values(np.exp(unknown)).up_to(self.measured.reach)
        found = solve([own, self.drive]).rate_per_s[np.array(self.measured.threads) - 1]
        off = (np.log(found) - np.log(self.measured.values)) / self.spreads
        slopes = np.diff(unknown) / np.diff(np.log(self.measured.threads))
        return np.concatenate((off, np.diff(slopes) / BEND, (unknown - self.guess) / SPAN))

    def slope(self, unknown: Floats, at: Floats) -> Floats:
        """The residuals' derivatives by each unknown."""
        columns = []
        for place in range(len(unknown)):
            moved = unknown.copy()
            moved[place] += _STEP
            columns.append((self.residuals(moved) - at) / _STEP)
        return np.column_stack(columns)


def without_drive(measured: MeasuredRates, drive: Drive) -> MeasuredRates:
    """The server's curve with all data in memory, as far as its curve on ``drive`` shows it.

    Rates have the bounds of the 95 % interval. Of a long curve some ``MOST_POINTS`` are looked at.
    Raises ValueError for a curve that begins beyond what can be solved.
    """
    measured = _few(measured)
    rates = drive.rates_per_s(measured.reach)
    threads, values = np.array(measured.threads), measured.values
    # Nobody waits for the drive: the least that it can have taken of each query's time.
    own_s = np.maximum(threads / values - 1 / rates[0], 0.1 * threads / values)
    problem = _Problem(measured, rates, np.log(threads / own_s), measured.spreads)
    unknown, covariance = _fitted(problem)
    half = BOUNDS_AT * np.sqrt(np.diag(covariance))
    return MeasuredRates(
        measured.threads,
        tuple(
            Range(*map(float, np.exp((each, each - wide, each + wide))))
            for each, wide in zip(unknown, half, strict=True)
        ),
        times=measured.times,
    )


def _few(measured: MeasuredRates) -> MeasuredRates:
    """As many points as can be solved for in a moment, spread over the threads' doublings."""
    within = [place for place, each in enumerate(measured.threads) if each <= MOST_CUSTOMERS]
    if not within:
        raise ValueError(f"from 1 to {MOST_CUSTOMERS} customers")
    wanted = np.geomspace(measured.threads[0], measured.threads[within[-1]], MOST_POINTS)
    nearest = {int(np.searchsorted(measured.threads, each - 0.5)) for each in wanted}
    kept = within if len(within) <= MOST_POINTS else sorted(nearest & {*within})
    return MeasuredRates(
        tuple(measured.threads[place] for place in kept),
        tuple(measured.rates_per_s[place] for place in kept),
        times=measured.times,
    )


def _fitted(problem: _Problem) -> tuple[Floats, Floats]:
    """Levenberg's and Marquardt's method; the unknown and its covariance."""
    unknown, damping = problem.guess.copy(), 1e-2
    at = problem.residuals(unknown)
    slope = problem.slope(unknown, at)
    for _ in range(_ROUNDS):
        normal = slope.T @ slope
        step = np.linalg.solve(normal + damping * np.diag(np.diag(normal)), -slope.T @ at)
        found = problem.residuals(unknown + step)
        if found @ found < at @ at:
            unknown, at, damping = unknown + step, found, damping / 5
            slope = problem.slope(unknown, at)
        else:
            damping *= 5
        if float(np.abs(step).max()) < _CLOSE:
            break
    return unknown, np.asarray(np.linalg.inv(slope.T @ slope), dtype=np.float64)
