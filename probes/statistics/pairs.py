"""Two settings that were measured in turns, A B B A: what came and went met both.

Each side's interval holds what lay between its repeats, and that is largely the other side's as
well. So how sure their ratio is comes from the pairs that stood beside each other, pooled as
repeats are (see ``probes.statistics.repeats``): what both met falls out of each pair's ratio.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from probes.statistics.repeats import Repeat, weighed

LEAST_PAIRS = 2
"""One pair does not show how far pairs lie apart."""


def ratio_deviation(over: Sequence[Repeat], under: Sequence[Repeat]) -> float | None:
    """The standard deviation of the logarithm of the ratio of two settings, from their pairs.

    How far the pairs' mean is from the ratio of all repeats counts as unsure, too. None where they
    were not measured in turns.
    """
    pairs = list(_pairs(over, under))
    if len(pairs) < LEAST_PAIRS:
        return None
    ratios = [a.log_rate - b.log_rate for a, b in pairs]
    share, variance = weighed(
        [ratio + a.shift - b.shift for ratio, (a, b) in zip(ratios, pairs, strict=True)],
        [a.deviation**2 + b.deviation**2 for a, b in pairs],
        [(a.doubt - b.doubt) ** 2 for a, b in pairs],
    )
    of_pairs = math.fsum(a * b for a, b in zip(share, ratios, strict=True))
    return math.hypot(math.sqrt(variance), of_pairs - (_mean(over) - _mean(under)))


def _pairs(over: Sequence[Repeat], under: Sequence[Repeat]) -> Iterator[tuple[Repeat, Repeat]]:
    """Those of both sides that followed each other; each stands in one pair at most."""
    sides = [(each, True) for each in over] + [(each, False) for each in under]
    waiting: tuple[Repeat, bool] | None = None
    for each, is_over in sorted(sides, key=lambda side: side[0].position):
        if waiting is None or waiting[1] == is_over:
            waiting = (each, is_over)
        else:
            yield (each, waiting[0]) if is_over else (waiting[0], each)
            waiting = None


def _mean(repeats: Sequence[Repeat]) -> float:
    """The logarithm of the rate that all repeats of a setting are pooled to."""
    share, _ = weighed(
        [each.log_rate + each.shift for each in repeats],
        [each.deviation**2 for each in repeats],
        [each.doubt**2 for each in repeats],
    )
    return math.fsum(a * each.log_rate for a, each in zip(share, repeats, strict=True))
