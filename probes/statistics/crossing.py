"""Where a function crosses 0, by the method of Chandrupatla (1997).

It asks for the function's value some eight times where halving an interval asks thirty times: each
is a whole network here.
"""

from __future__ import annotations

from collections.abc import Callable


def crossing(of: Callable[[float], float], low: float, high: float, within: float) -> float:
    """The argument, to ``within``, at which ``of``, above 0 at ``low``, is no more.

    It is ``high`` where ``of`` is above 0 there, too, and ``low`` where it is not even there.
    """
    newest, other = high, low
    at_newest, at_other = of(newest), of(other)
    if at_newest > 0:
        return high
    if at_other <= 0:
        return low
    part = 0.5
    while True:
        third, at_third = newest, at_newest
        newest += part * (other - newest)
        at_newest = of(newest)
        if (at_newest > 0) != (at_third > 0):
            third, at_third, other, at_other = other, at_other, third, at_third
        least = within / abs(other - newest) if other != newest else 1.0
        if at_newest == 0 or least > 0.5:
            return newest
        part = _part((newest, at_newest), (other, at_other), (third, at_third))
        part = min(1 - least, max(least, part))


def _part(
    newest: tuple[float, float], other: tuple[float, float], third: tuple[float, float]
) -> float:
    """How far to go from the newest argument to the other one: by three values, else half."""
    (a, at_a), (b, at_b), (c, at_c) = newest, other, third
    if at_c in {at_a, at_b}:
        return 0.5
    way, rise = (a - b) / (c - b), (at_a - at_b) / (at_c - at_b)
    # Not so for a rise that is no number, of values without an end.
    if not (rise**2 < way and (1 - rise) ** 2 < 1 - way):
        return 0.5
    by_both = at_a / (at_b - at_a) * at_c / (at_b - at_c)
    return by_both + (c - a) / (b - a) * at_a / (at_c - at_a) * at_b / (at_c - at_b)
