"""Round figures for settings: nobody should type 8231 into an option file."""

from __future__ import annotations

import math


def round_down(value: float) -> int:
    """Round a positive figure down to its first digit or half of it: 8231 -> 8000, 1543 -> 1500."""
    return int(math.floor(value / _step(value) + 1e-9) * _step(value))


def round_up(value: float) -> int:
    """Round a positive figure up in the same steps: 8231 -> 8500, 1543 -> 2000."""
    return int(math.ceil(value / _step(value) - 1e-9) * _step(value))


def _step(value: float) -> float:
    return max(1.0, float(10 ** math.floor(math.log10(max(value, 1.0)))) / 2)
