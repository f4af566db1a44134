"""The measured price of doublewrite, as a fact from page_flush points."""

from __future__ import annotations

from advisor.case import Case
from advisor.facts.measured import other_drive, page_bytes
from advisor.facts.readings import Absent, Reading
from advisor.model.doublewrite_price import doublewrite_prices
from probes import figures
from probes.inventory.facts import Role


def doublewrite_price(case: Case) -> Reading | Absent:
    """Read the price for the server's page size, of the number of cleaners that flush the most."""
    size = page_bytes(case)
    found = [
        price
        for price in doublewrite_prices(case.usable)
        if price.off.setting.block_size_bytes == size
    ]
    if not found:
        return Absent(
            f"flushing of {figures.size(size)} pages with and without doublewrite was not measured"
        )
    price = max(found, key=lambda one: one.off.rate_per_s)
    ways = ((price.off, "without"), (price.on, "with"), (price.legacy, "as before 8.0.20"))
    there = [(point, words) for point, words in ways if point is not None]
    text = ", ".join(f"{figures.rate(point.rate_per_s, 'pages')} {words}" for point, words in there)
    ids = tuple(point.id for point, _ in there if point.id is not None)
    return Reading(price, text, ids, other_drive(case, Role.DOUBLEWRITE, Role.DATA))
