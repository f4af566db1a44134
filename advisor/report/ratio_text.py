"""A ratio in words."""

from __future__ import annotations

import math

from advisor.compare.ratio import Ratio
from probes.figures import times


def ratio_text(ratio: Ratio) -> str:
    """``2.13× (2.05–2.21)``; without an interval, ``2.13×``."""
    if not ratio.known:
        return times(ratio.value)
    if math.isinf(ratio.high):
        return f"{times(ratio.value)} (could be any)"
    low, high = times(ratio.low).removesuffix("×"), times(ratio.high).removesuffix("×")
    return f"{times(ratio.value)} ({low}–{high})"
