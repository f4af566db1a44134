"""Drives under one server: which is the fastest at each number of connections, and how surely."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

import numpy as np

from advisor.compare.comparison import check_number
from advisor.compare.contender import Contender
from advisor.compare.matching import by_kind
from advisor.compare.reasons import Reason, reasons
from advisor.compare.roles import RoleComparison, roles
from advisor.forecasts.knobs.knobs import turned
from advisor.forecasts.server.live import Live
from advisor.forecasts.what_if import Forecaster, WhatIf
from advisor.model.curves.latency_shape import Floats
from advisor.model.network.closed_network import MOST_CUSTOMERS, solve
from advisor.model.network.forecast import BAND, DRAWS, MODEL_SPREAD, Z_BAND, drawn_rates
from probes.errors import UsageError
from probes.statistics.ranges import Range

LEAST_REACH, MOST_REACH = 256, 1024
"""As many connections are looked at, at least and at most, unless the server has more."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Numbers of connections, both ends included, with the drive that is the fastest there.

    ``best`` is its place among the contenders, None where it is too close to call.
    """

    first: int
    last: int
    best: int | None


@dataclass(frozen=True, slots=True)
class Crossing:
    """Where the fastest drive changes from ``before`` to ``after``, places among the contenders.

    From ``at`` connections on the latter is expected to do more; with ``low`` the former surely
    does, with ``high`` the latter.
    """

    before: int
    after: int
    at: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Entrant:
    """A drive under the server. ``price`` is None where nobody gave one.

    ``found`` is its forecast, None where there is none, ``because`` why.
    """

    contender: Contender
    found: WhatIf | None
    because: str = ""
    price: float | None = None

    @property
    def price_per_thousand(self) -> float | None:
        """What 1,000 queries per second cost, at the connections that the server has."""
        if self.price is None or self.found is None:
            return None
        return self.price / self.found.then.rate_per_s.value * 1000


@dataclass(frozen=True, slots=True)
class UnderServer:
    """Drives side by side under a server.

    ``stretches`` cover 1 to ``reach`` connections, ``crossings`` lie between them. ``ahead`` is how
    many times the next drive's throughput the first of ``ranked`` has with the server's present
    connections; ``tied`` are those that can't be distinguished from it there, it among them.
    ``roles`` and ``reasons`` are of the drives alone.
    """

    live: Live
    entrants: tuple[Entrant, ...]
    stretches: tuple[Stretch, ...]
    crossings: tuple[Crossing, ...]
    ranked: tuple[int, ...]
    ahead: Range
    tied: tuple[int, ...]
    reach: int
    roles: tuple[RoleComparison, ...]
    reasons: tuple[Reason, ...]

    @property
    def present(self) -> int:
        """The connections that the server has."""
        return self.live.server.connections


def under_server(
    server: Forecaster, contenders: Sequence[Contender], prices: Mapping[str, float]
) -> UnderServer:
    """Forecast the server on each drive; ``prices`` are by the contenders' keys.

    Raises UsageError for fewer than two drives, for more than fit into a comparison, and where
    fewer than two of them can be forecast.
    """
    check_number(contenders)
    present = server.live.server.connections
    reach = min(max(LEAST_REACH, 2 * present), max(MOST_REACH, present), MOST_CUSTOMERS)
    entrants = tuple(_entrant(server, each, prices.get(each.key), reach) for each in contenders)
    able = [at for at, each in enumerate(entrants) if each.found is not None]
    if len(able) < 2:
        because = " ".join(each.because for each in entrants if each.because)
        raise UsageError(
            f"Fewer than two of them can be forecast under this server. {because}",
            "Measure random reads of the server's page size with `leadline probe storage`.",
        )
    likeliest, draws = _rates(server, [entrants[at] for at in able], reach)
    best = [_best(likeliest[:, each], draws[:, :, each]) for each in range(reach)]
    order = np.argsort(-likeliest[:, present - 1])
    first, *others = map(int, order)
    leads = [_ratio(likeliest, draws, first, other, present - 1) for other in others]
    close = [other for other, lead in zip(others, leads, strict=True) if lead.low <= 1]
    sides = [by_kind(each) for each in contenders]
    stretches = _stretches([None if at is None else able[at] for at in best])
    return UnderServer(
        server.live,
        entrants,
        stretches,
        tuple(_crossings(stretches, dict(zip(able, likeliest, strict=True)))),
        tuple(able[at] for at in order),
        leads[0],
        tuple(able[at] for at in (first, *close)),
        reach,
        roles(sides),
        reasons(contenders, sides),
    )


def _entrant(server: Forecaster, contender: Contender, price: float | None, reach: int) -> Entrant:
    """Forecast at all doublings up to ``reach`` connections, and there."""
    steps = {reach, *(1 << power for power in range(reach.bit_length()))}
    try:
        found = server.ask(turned(server.live, {}, contender), steps)
    except UsageError as error:
        return Entrant(contender, None, error.sentence, price)
    return Entrant(contender, found, "", price)


def _rates(server: Forecaster, entrants: Sequence[Entrant], reach: int) -> tuple[Floats, Floats]:
    """Throughputs with 1..reach connections: (entrants, reach), and (entrants, draws, reach)."""
    likeliest, draws = [], []
    for each in entrants:
        if each.found is None:
            continue
        network = server.network.after(each.found.turned.change)
        solved = solve([one.rates_per_s(reach) for one in network.stations()]).rate_per_s
        likeliest.append(solved)
        draws.append(drawn_rates(network, solved, DRAWS))
    return np.array(likeliest), np.array(draws)


def _best(likeliest: Floats, draws: Floats) -> int | None:
    """The fastest at one number of connections; None where another may be as fast."""
    best = int(np.argmax(likeliest))
    others = [at for at in range(len(likeliest)) if at != best]
    sure = all(
        _within(likeliest[best] / likeliest[at], draws[best] / draws[at]).low > 1 for at in others
    )
    return best if sure else None


def _ratio(likeliest: Floats, draws: Floats, one: int, other: int, at: int) -> Range:
    return _within(
        float(likeliest[one, at] / likeliest[other, at]), draws[one, :, at] / draws[other, :, at]
    )


def _within(likely: float, drawn: Floats) -> Range:
    """A ratio with its band: the draws', and what the model leaves out of one drive."""
    low, high = np.percentile(np.log(drawn / likely), BAND)
    besides = (Z_BAND * MODEL_SPREAD) ** 2
    return Range(
        float(likely),
        float(likely * np.exp(-np.sqrt(min(low, 0.0) ** 2 + besides))),
        float(likely * np.exp(np.sqrt(max(high, 0.0) ** 2 + besides))),
    )


def _crossings(stretches: Sequence[Stretch], likeliest: Mapping[int, Floats]) -> Iterator[Crossing]:
    """One between each two drives that win one after the other."""
    won = [(each, each.best) for each in stretches if each.best is not None]
    for (first, before), (then, after) in pairwise(won):
        if before != after:
            ahead = likeliest[after] > likeliest[before]
            at = 1 + first.last + int(np.argmax(ahead[first.last : then.first]))
            yield Crossing(before, after, at, first.last, then.first)


def _stretches(best: Sequence[int | None]) -> tuple[Stretch, ...]:
    found, first = [], 1
    for winner, group in groupby(best):
        last = first + len(list(group)) - 1
        found.append(Stretch(first, last, winner))
        first = last + 1
    return tuple(found)
