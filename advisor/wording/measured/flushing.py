"""What flushing costs, in sentences: the price of doublewrite, and where queries get slower."""

from __future__ import annotations

import math

from advisor.case import Case
from advisor.model.curves.doublewrite_price import DoublewritePrice, doublewrite_prices
from advisor.model.curves.interference import (
    Figure,
    FlushCeiling,
    FlushLevel,
    Interference,
    interferences,
)
from advisor.model.curves.ratio import Ratio
from probes.figures import counted, percent, ranged, rate, size, times
from probes.kinds.words import option

_FIGURES = {
    Figure.READ_P50: "reads' median",
    Figure.READ_P99: "reads' p99",
    Figure.REDO_P50: "commits' median",
    Figure.REDO_P99: "commits' p99",
}


def flush_sentences(case: Case) -> list[str]:
    """A sentence for each price and each ceiling that trusted points tell; [] where none do."""
    points = case.usable
    prices = [_price(price) for price in _telling(doublewrite_prices(points))]
    return [*prices, *(_ceiling(found) for found in interferences(points))]


def _telling(prices: list[DoublewritePrice]) -> list[DoublewritePrice]:
    """One price for each page size: that of the number of cleaners that flush the most."""
    best: dict[tuple[int, str], DoublewritePrice] = {}
    for price in prices:
        key = (price.off.setting.block_size_bytes, price.off.setting.directory)
        if key not in best or price.off.rate_per_s > best[key].off.rate_per_s:
            best[key] = price
    return list(best.values())


def _price(price: DoublewritePrice) -> str:
    ways = (
        (price.on_ratio, "doublewrite"),
        (price.legacy_ratio, option("doublewrite", "legacy")),
    )
    costs = [_cost(ratio, name) for ratio, name in ways if ratio is not None]
    cleaners = price.off.setting.threads
    return (
        f"With {counted(cleaners, 'page cleaner')} and "
        f"{size(price.off.setting.block_size_bytes)} pages, {' and '.join(costs)}."
    )


def _cost(ratio: Ratio, name: str) -> str:
    if not ratio.is_sure:
        return f"{name} has no measurable cost"
    if ratio.value > 1:
        return f"flushing with {name} is {times(ratio.value)} as fast as without"
    price = 1 - ratio.value
    if not (math.isfinite(ratio.low) and math.isfinite(ratio.high)):
        return f"{name} costs {percent(price)} of the flush rate"
    cost, low, high = ranged(price, max(0.0, 1 - ratio.high), 1 - ratio.low, percent)
    return f"{name} costs {cost} of the flush rate ({low} to {high})"


def _ceiling(found: Interference) -> str:
    ceiling = found.ceiling
    readers = counted(found.threads, "reader")
    if not ceiling.reached:
        return (
            f"Beside {readers}, flushing up to {rate(ceiling.rate_per_s, 'pages')}, the highest "
            "rate measured, slows neither reads nor commits."
        )
    if ceiling.last_good is None:
        worst = _worst(ceiling.first_bad)
        return f"Beside {readers}, even the lowest rate of flushing slows queries: {worst}."
    return (
        f"Beside {readers}, flushing up to {rate(ceiling.rate_per_s, 'pages')} slows neither reads "
        f"nor commits{_between(ceiling)}; {_worst(ceiling.first_bad)}. A higher "
        "innodb_io_capacity slows queries."
    )


def _between(ceiling: FlushCeiling) -> str:
    low, high = ceiling.interval
    return f" (the limit is between {rate(low)} and {rate(high)})" if low < high else ""


def _worst(level: FlushLevel | None) -> str:
    worst = None if level is None else level.worst
    if level is None or worst is None:
        return "beyond that they get slower"
    figure, ratio = worst
    return f"at {rate(level.flushed_per_s)} the {_FIGURES[figure]} is {times(ratio.value)} as long"
