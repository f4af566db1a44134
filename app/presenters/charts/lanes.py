"""Small charts over one axis: what device and host did, over time or over the points of a curve."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from app.presenters.charts.curves import Picture
from app.presenters.charts.scales import Scale, number, positions
from app.runtime.translation import tr
from probes.figures import percent
from probes.points import HostSample, Sample


@dataclass(frozen=True, slots=True)
class Spot:
    """One figure of a trace, and how it is said."""

    x: float
    y: float
    text: str


@dataclass(frozen=True, slots=True)
class LaneTrace:
    """A line in a lane. ``tone`` is a colour of the palette, or ``series:N``.

    ``summary`` stands for the whole where no cursor picks a spot. ``faint`` draws it thinner;
    ``filled`` fills down to the trace before it (stacked) or to the ground, ``outlined`` or not.
    """

    name: str
    tone: str
    spots: tuple[Spot, ...]
    summary: str = ""
    faint: bool = False
    filled: bool = False
    outlined: bool = True
    dots: bool = False


@dataclass(frozen=True, slots=True)
class Lane:
    """One small chart. ``weight`` is its share of the height; ``band`` lies behind the traces."""

    title: str
    up: Scale
    traces: tuple[LaneTrace, ...]
    weight: float = 1.0
    band: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class LaneSheet:
    """Lanes over one axis; ``shaded`` are spans of it with their caption (warm-up, phases)."""

    across: Scale
    lanes: tuple[Lane, ...]
    shaded: tuple[tuple[float, float, str], ...] = ()
    marks: tuple[tuple[float, str], ...] = field(default_factory=tuple)


NOTHING = LaneSheet(Scale(0, 1, ()), ())

ROUND = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)

Figure = Callable[[HostSample], float]

SHARES = Scale(0.0, 1.05, ((0.0, "0"), (1.0, "100\u202f%")))


def busy(host: HostSample) -> float:
    """The share of all processors that did anything (0..1)."""
    parts = (host.cpu_user, host.cpu_system, host.cpu_steal)
    known = [part for part in parts if not math.isnan(part)]
    return sum(known) if known else math.nan


def under_curves(
    picture: Picture,
    samples: Mapping[int, Sequence[Sample]],
    hidden: frozenset[tuple[object, ...]] = frozenset(),
) -> LaneSheet:
    """What the device and the processors did at each point of each curve: medians of its samples.

    Without any host sample the sheet has no lane.
    """
    across = positions(picture.planned, picture.axis)
    lanes = []
    for title, figure, share in (
        (tr("Busy"), lambda host: host.utilisation, True),
        (tr("Queue"), lambda host: host.queue, False),
        ("CPU", busy, True),
    ):
        traces = []
        for series in picture.series:
            if series.key in hidden:
                continue
            spots = tuple(
                Spot(picture.axis.place(point.setting), value, figure_text(value, share=share))
                for point in series.line
                if point.id is not None
                and not math.isnan(value := middle(samples.get(point.id, ()), figure))
            )
            if spots:
                tone = f"series:{series.index}"
                traces.append(LaneTrace(series.name, tone, spots, dots=True))
        if traces:
            up = SHARES if share else top_scale(spot.y for one in traces for spot in one.spots)
            lanes.append(Lane(title, up, tuple(traces)))
    return LaneSheet(across, tuple(lanes))


def middle(samples: Iterable[Sample], figure: Figure) -> float:
    """The median of a figure over the samples after the warm-up; nan where nobody looked."""
    values = [
        value
        for sample in samples
        if sample.at_s > 0 and sample.host is not None
        if not math.isnan(value := figure(sample.host))
    ]
    return median(values) if values else math.nan


def top_scale(values: Iterable[float], unit: str = "") -> Scale:
    """An axis for a low lane: zero, and one round figure."""
    highest = max(values, default=1.0)
    power = 10.0 ** math.floor(math.log10(highest)) if highest > 0 else 1.0
    top = next(step * power for step in ROUND if step * power >= highest * (1 - 1e-9))
    return Scale(0.0, top * 1.05, ((0.0, "0"), (top, number(top, unit))))


def figure_text(value: float, *, share: bool = False) -> str:
    """A lane's figure in words."""
    if math.isnan(value):
        return "–"
    return percent(value) if share else f"{value:.3g}"
