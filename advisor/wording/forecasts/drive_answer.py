"""Which drive to take, in one sentence: by how much for the server, and what the gain costs."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.compare.comparison import LETTERS
from advisor.forecasts.under import Entrant, UnderServer
from advisor.wording.forecasts.places import named
from advisor.wording.forecasts.under import OF_A_DRIVE
from probes.figures import listed, price, times


def drive_answer(found: UnderServer) -> str:
    """``Take A (fast): 1.8× (1.5 to 2.1×) today's queries for your server; ...``."""
    return f"{'; '.join((_which(found), *_costs(found)))}."


def gained_per_s(entrant: Entrant) -> float | None:
    """Queries a second more than today's; None where there are none, or no forecast."""
    if entrant.found is None:
        return None
    more = entrant.found.then.rate_per_s.value - entrant.found.now.rate_per_s.value
    return more if more > 0 and entrant.found.gain.low > 1 else None


def _which(found: UnderServer) -> str:
    best = found.ranked[0]
    forecast = found.entrants[best].found
    gain = "" if forecast is None else f"{forecast.gain.text(times)} today's queries"
    if forecast is None or forecast.gain.low <= 1:
        limit = None if forecast is None else forecast.then.limited_by
        why = "" if limit is None or limit in OF_A_DRIVE else f": {named(limit)} limits it"
        none = f"None of these drives is sure to make your server faster{why}"
        most = f"{none}; at best {gain}, by {_called(found, best)}" if gain else none
        return f"{most}{_ahead(found)}{_take_cheapest(found)}"
    if len(found.tied) > 1:
        letters = listed([LETTERS[at] for at in sorted(found.tied)])
        return f"{letters} are too close to call for your server ({gain}){_take_cheapest(found)}"
    return f"Take {_called(found, best)}: {gain} for your server{_ahead(found)}"


def _ahead(found: UnderServer) -> str:
    """By how much the best leaves the next behind; "" where that is not sure."""
    if found.ahead.low <= 1:
        return ""
    return f", {found.ahead.text(times)} {LETTERS[found.ranked[1]]}'s"


def _take_cheapest(found: UnderServer) -> str:
    """What follows where none of several is ahead and all have a price."""
    cheapest = _cheapest(found) if len(found.tied) > 1 else None
    return "" if cheapest is None else f", so take the cheapest, {_called(found, cheapest)}"


def _cheapest(found: UnderServer) -> int | None:
    prices = [(found.entrants[at].price, at) for at in found.tied]
    known = [(paid, at) for paid, at in prices if paid is not None]
    return min(known)[1] if len(known) == len(prices) else None


def _costs(found: UnderServer) -> Iterator[str]:
    costs = [
        f"{price(each.price / more * 1000)} with {LETTERS[at]}"
        for at, each in enumerate(found.entrants)
        if each.price is not None and (more := gained_per_s(each)) is not None
    ]
    if costs:
        yield f"1,000 queries/s more than today cost {listed(costs)}"


def _called(found: UnderServer, at: int) -> str:
    """``A (fast)``: within brackets a name has none of its own."""
    name = found.entrants[at].contender.name.replace(" (", ", ").replace(")", "")
    return f"{LETTERS[at]} ({name})"
