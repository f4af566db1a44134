"""Points made of what a foreign file reports."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from probes.doubts import Doubt, DoubtKind, rejection, stated
from probes.imports.little import ASKED_FROM_ABOVE, Loop
from probes.points import Latency, Point, Setting, Trust
from probes.statistics.histogram import LOWEST_NS, Histogram, summarise

NAN = math.nan
NO_LATENCY = Latency(NAN, NAN, NAN, NAN, NAN, NAN)

BUFFERED = "It was measured through the page cache, so the figure may be memory's."

NO_GROUP = "Each of its writers syncs for itself: no group waits behind one sync."
EACH_SYNCED = "Each write was synced: it is slower than the writes that a page cleaner makes."


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured at one setting; nan and "" where the file does not say.

    ``loop`` says how rate and latency belong to the setting's threads.
    """

    rate_per_s: float
    seconds: float = NAN
    operations: int = 0
    ci95_per_s: tuple[float, float] = (NAN, NAN)
    latency: Latency = NO_LATENCY
    histogram: str = ""
    cpu_us_per_op: tuple[float, float] = (NAN, NAN)
    direct: bool | None = None
    doubts: Sequence[str] = ()
    details: Mapping[str, object] = field(default_factory=dict)
    loop: Loop = ASKED_FROM_ABOVE


def make_point(setting: Setting, engine: str, figures: Figures) -> Point:
    """A point with the trust that its file leaves it."""
    stands = figures.rate_per_s > 0
    found = [*map(stated, figures.doubts), *_misfit(setting, figures)]
    doubts = found if stands else [rejection(DoubtKind.NOTHING_FINISHED)]
    doubted = Trust.DOUBTFUL if doubts else Trust.OK
    return Point(
        setting=setting,
        engine=engine,
        seconds=figures.seconds,
        operations=figures.operations,
        rate_per_s=figures.rate_per_s,
        ci95_per_s=figures.ci95_per_s,
        latency=figures.latency,
        histogram=figures.histogram,
        cpu_user_us_per_op=figures.cpu_us_per_op[0],
        cpu_system_us_per_op=figures.cpu_us_per_op[1],
        direct=figures.direct,
        trust=doubted if stands else Trust.REJECTED,
        doubts=tuple(dict.fromkeys(doubts)),
        details=dict(figures.details),
    )


def histogram_of(counts: Mapping[float, int]) -> Histogram | None:
    """A histogram of how often each latency (ns) came; None when there is none at all."""
    histogram = Histogram()
    for latency_ns, times in counts.items():
        if times:
            histogram.record(max(int(latency_ns), LOWEST_NS), times)
    return histogram if histogram.total else None


def latency_of(histogram: Histogram) -> Latency:
    """Its summary; the highest value is that of its slot."""
    return summarise(histogram)


def _misfit(setting: Setting, figures: Figures) -> list[Doubt]:
    return figures.loop.misfit(setting.threads, figures.rate_per_s, figures.latency.mean_us)
