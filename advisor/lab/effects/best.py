"""Where the best of several ordered values of a setting lies: a range, not one winner.

The range holds the best as multiple comparisons with the best do (Hsu, Annals of Statistics 9,
1981; Gupta, Technometrics 7, 1965): a value stays unless another is surely better. The best itself
is lost if any of the others is wrongly found better, so each pair may err by its part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from advisor.lab.effects.contrasts import USUAL, Contrast, Criteria, Decision, contrast, fitted
from advisor.lab.effects.turns import Turn


@dataclass(frozen=True, slots=True)
class Best:
    """All values in their order, each against the base, and where the best of them lies.

    ``likely`` does best until now, None where none has a ratio; what it did is flattered by its
    luck. ``low`` and ``high`` are the ends of the range in which the best lies with 95 %, however
    often one looked. ``values`` hold the base as well, with the ratio 1.
    """

    values: tuple[Contrast, ...]
    likely: str | None
    low: str
    high: str


def where_best(
    turns: Sequence[Turn],
    ordered: Sequence[str],
    base: str,
    *,
    same: str | None = None,
    criteria: Criteria = USUAL,
) -> Best:
    """Hold the values of a setting against each other; ``ordered`` has all of them, the base too.

    One that did not work stays in the range where its neighbours leave it open.
    """
    fit = fitted(turns, base, same)
    values = tuple(
        Contrast(base, base, 1.0, 1.0, 1.0, 0.0, Decision.ALIKE, 0)
        if name == base
        else contrast(fit, name, base, criteria)
        for name in ordered
    )
    # An interval errs to both sides, and of a pair only one side loses the best.
    each = replace(
        criteria, worth=0.0, error=min(1.0, 2 * criteria.error / (len(ordered) - 1 or 1))
    )
    stay = [
        name
        for name in ordered
        if not any(
            contrast(fit, other, name, each).decision is Decision.BETTER
            for other in ordered
            if other != name
        )
    ]
    known = [(one.ratio, one.variant) for one in values if one.ratio is not None]
    pick = max if criteria.more_is_better else min
    likely = pick(known)[1] if len(known) > 1 else None
    return Best(values, likely, stay[0], stay[-1])
