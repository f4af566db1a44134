"""What came of a lab's turns so far: every look is allowed, the intervals hold over all of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from statistics import median

from advisor.lab.asked import AGAIN
from advisor.lab.costs import changes, costs
from advisor.lab.effects.best import Best, where_best
from advisor.lab.effects.contrasts import (
    Contrast,
    Criteria,
    Decision,
    Effects,
    confirmed,
    effects,
)
from advisor.lab.effects.turns import Turn
from advisor.lab.like import Nearness, nearness
from advisor.lab.outcome import Effect, Level, Outcome, WorkVerdict
from advisor.lab.record import LabTurn, Record
from advisor.lab.watched import worked
from probes.statistics.ranges import Range

LATE = Criteria(more_is_better=False)
"""Of times and costs less is better."""

_VERDICTS = {
    Decision.BETTER: WorkVerdict.FASTER,
    Decision.WORSE: WorkVerdict.SLOWER,
    Decision.ALIKE: WorkVerdict.ALIKE,
    Decision.OPEN: WorkVerdict.OPEN,
}


def looked(record: Record) -> Outcome:
    """All that the turns say."""
    turns = record.turns
    return Outcome(
        tuple(_level(record, level) for level in record.asked.levels if _of(turns, level)),
        starts=len({turn.start for turn in turns}),
        rounds=len({turn.round for turn in turns}),
        seconds=sum(turn.turn.seconds for turn in turns),
    )


def near(record: Record) -> tuple[Nearness, ...]:
    """How near the load of the base's servers came to the watched one; () where none was asked."""
    watched, base = record.asked.like, record.asked.base.name
    if watched is None:
        return ()
    turns = [each.turn for each in record.turns if each.variant in (base, base + AGAIN)]
    return tuple(nearness(watched, worked(turns)))


def rates(record: Record, level: int) -> Effects:
    """The contrasts of transactions per second with one number of connections."""
    base = record.asked.base.name
    names = [each.name for each in record.asked.variants[1:] if each.name not in record.dropped]
    return effects(
        _rates(_of(record.turns, level)),
        base,
        same=base + AGAIN,
        asked=[(name, base) for name in names],
    )


def answers(record: Record) -> Iterator[tuple[int, Contrast, Range]]:
    """What is known of each variant against the base, by number of connections.

    With its ratio of transactions per second: of turns after the best was chosen, where it was.
    """
    for level in record.asked.levels:
        for contrast in rates(record, level).contrasts:
            if contrast.range is not None:
                confirmed = confirmed_ratio(record, level, contrast.variant)
                yield level, contrast, confirmed or contrast.range


def best_so_far(record: Record, level: int) -> str | None:
    """The variant that does most until now, the base included; None before anything is known."""
    return _best(record, level).likely


def _of(turns: Iterable[LabTurn], level: int) -> list[LabTurn]:
    return [turn for turn in turns if turn.level == level]


def _rates(turns: Iterable[LabTurn]) -> list[Turn]:
    return [Turn(each.variant, each.start, each.round, each.turn.per_s) for each in turns]


def _between(record: Record, best: Best) -> tuple[str, ...]:
    """The variants from the range's low end to its high one."""
    names = [each.name for each in record.asked.variants]
    return tuple(names[names.index(best.low) : names.index(best.high) + 1])


def _best(record: Record, level: int) -> Best:
    base = record.asked.base.name
    ordered = [each.name for each in record.asked.variants if each.name not in record.dropped]
    return where_best(_rates(_of(record.turns, level)), ordered, base, same=base + AGAIN)


def _level(record: Record, level: int) -> Level:
    turns = _of(record.turns, level)
    base, twin = record.asked.base.name, record.asked.base.name + AGAIN
    by_rate = rates(record, level)
    by_time = effects(
        [
            Turn(each.variant, each.start, each.round, each.turn.p95_us)
            for each in turns
            if math.isfinite(each.turn.p95_us)
        ],
        base,
        same=twin,
        asked=[(each.variant, base) for each in by_rate.contrasts],
        criteria=LATE,
    )
    of_base = [each for each in turns if each.variant in (base, twin)]
    base_costs = costs(each.turn for each in of_base)
    found = []
    for rate, late in zip(by_rate.contrasts, by_time.contrasts, strict=True):
        own = [each for each in turns if each.variant == rate.variant]
        if not own:
            continue
        own_costs = costs(each.turn for each in own)
        found.append(
            Effect(
                rate.variant,
                median(each.turn.per_s for each in own),
                median(each.turn.p95_us for each in own),
                rate.range,
                late.range,
                _VERDICTS[rate.decision],
                own_costs,
                changes(base_costs, own_costs),
                confirmed_ratio(record, level, rate.variant),
            )
        )
    best = _best(record, level)
    return Level(
        level,
        median(each.turn.per_s for each in of_base) if of_base else float("nan"),
        median(each.turn.p95_us for each in of_base) if of_base else float("nan"),
        base_costs,
        tuple(found),
        by_rate.resolution,
        by_rate.same.range if by_rate.same else None,
        _between(record, best) if best.likely else (),
    )


def confirmed_ratio(record: Record, level: int, variant: str) -> Range | None:
    """The variant against the base after it had been chosen, where it was."""
    turns = _of(record.turns, level)
    after = [each.start for each in turns if each.chosen and each.variant == variant]
    if not after:
        return None
    base = record.asked.base.name
    return confirmed(_rates(turns), base, variant, min(after) - 1, same=base + AGAIN).range
