"""The turns of a lab as they come: what each variant's clients got done, a dot for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from advisor.lab.record import LabTurn
from app.presenters.charts.lanes import NOTHING, Lane, LaneSheet, LaneTrace, Spot
from app.presenters.charts.scales import Scale
from app.runtime.translation import tr
from probes.figures import counted, rate

MARGIN = 0.1
"""Of what the rates span: so far above and below them the picture goes on."""

LEAST_SPAN = 0.02
"""Rates that lie closer together, as a share of the highest, are not spread further."""

MOST_TICKS = 10


def turns_sheet(turns: Sequence[LabTurn], option: str) -> LaneSheet:
    """A lane for each number of connections, over the turns in their order.

    ``option`` is what all variants have in common of their names, "" where that is not known.
    """
    if not turns:
        return NOTHING
    levels = sorted({each.level for each in turns})
    variants = list(dict.fromkeys(each.variant for each in turns))
    tones = {name: f"series:{at}" for at, name in enumerate(variants)}
    lanes = tuple(_lane(turns, level, option, tones) for level in levels)
    step = next(each for each in (1, 2, 5, 10, 20, 50, 100, 500) if len(turns) <= MOST_TICKS * each)
    ticks = tuple((float(at), f"{at}") for at in range(step, len(turns) + 1, step))
    return LaneSheet(Scale(0.5, len(turns) + 0.5, ticks), lanes)


def _lane(turns: Sequence[LabTurn], level: int, option: str, tones: Mapping[str, str]) -> Lane:
    its = [(at, each) for at, each in enumerate(turns, 1) if each.level == level]
    traces = []
    for name, tone in tones.items():
        own = [(at, each.turn) for at, each in its if each.variant == name]
        if not own:
            continue
        spots = tuple(Spot(float(at), turn.per_s, rate(turn.per_s)) for at, turn in own)
        short = name.removeprefix(f"{option} = ")
        mean = sum(turn.transactions for _, turn in own) / sum(turn.seconds for _, turn in own)
        traces.append(LaneTrace(short, tone, spots, rate(mean), dots=True))
    at = counted(level, "connection")
    title = tr("Transactions/s of each turn, {connections}", connections=at)
    return Lane(title, _between([each.turn.per_s for _, each in its]), tuple(traces))


def _between(values: Sequence[float]) -> Scale:
    """From the lowest to the highest, which are its ticks: what differs little shall be seen."""
    low, high = min(values), max(values)
    margin = MARGIN * max(high - low, LEAST_SPAN * high, 1e-9)
    ticks = ((low, rate(low)),) if low == high else ((low, rate(low)), (high, rate(high)))
    return Scale(low - margin, high + margin, ticks)
