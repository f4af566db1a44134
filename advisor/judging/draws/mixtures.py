"""What mixtures of reads, commits and flushing may change, before they are measured and after.

Few rules read them, and a mixture takes several steps. So a rule is asked what it would answer
beside the worst that flushing may do: what that does not change, no mixture does.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from advisor.case import Case
from advisor.judging.engine import answer_of
from advisor.judging.over_draws import answer_kind
from advisor.model.curves.interference import interferences
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.facts import FactSource
from advisor.rulekit.rule import Rule
from probes.kinds.flush import MixedOptions
from probes.plans.plan import Step
from probes.points import Point, Probe, Setting


def standing_for(steps: Sequence[Step]) -> Iterator[int]:
    """The steps that stand for all mixtures of a page size that are not measured yet.

    They are those without flushing and with the least of it, at one level of readers.
    """
    mixtures: dict[object, dict[float, int]] = {}
    for index, step in enumerate(steps):
        setting = step.setting
        if setting.probe is Probe.MIXED:
            alike = mixtures.setdefault((setting.block_size_bytes, setting.directory), {})
            alike.setdefault(MixedOptions.of(setting).target_per_s, index)
    for rates in mixtures.values():
        yield from (rates[rate] for rate in sorted(rates)[:2])


@dataclass(frozen=True, slots=True)
class FlushRates:
    """The rates of flushing, in pages/s, between which reads and commits begin to suffer.

    Where one of them was seen by chance, measuring it again shows that, not a rate beyond.
    """

    low: float = 0.0
    high: float = math.inf

    @classmethod
    def of(cls, case: Case) -> FlushRates:
        """What the case's mixtures leave open; all rates where there are none."""
        ceilings = [one.ceiling for one in interferences(case.usable)]
        if not ceilings:
            return cls()
        bad = [each.first_bad.flushed_per_s for each in ceilings if each.first_bad is not None]
        return cls(min(each.rate_per_s for each in ceilings), max(bad, default=0.0))

    def tell(self, setting: Setting) -> bool:
        """Whether a further step may narrow that; of what is no mixture it always may."""
        if setting.probe is not Probe.MIXED:
            return True
        return self.low < MixedOptions.of(setting).target_per_s < self.high


class Mixtures:
    """What rules would answer without the mixtures that are assumed: those with negative ids."""

    def __init__(self, assumed: Case) -> None:
        self._ids = frozenset(each.id for each in assumed.points if _is_assumed(each))
        rest = tuple(each for each in assumed.points if not _is_assumed(each))
        self._without = FactSource(replace(assumed, points=rest))

    def apart(
        self, lacks: frozenset[int], rule: Rule, answer_then: Answer
    ) -> tuple[frozenset[int], frozenset[int]]:
        """What a rule lacks for an answer, and mixtures that would only change the one it has."""
        mixed = lacks & self._ids
        if not mixed:
            return lacks, frozenset()
        without, _ = answer_of(rule, self._without)
        if _outcome(without) == _outcome(answer_then):
            return lacks - mixed, frozenset()
        return (lacks, frozenset()) if isinstance(without, Unjudged) else (lacks - mixed, mixed)


def _is_assumed(point: Point) -> bool:
    return point.setting.probe is Probe.MIXED and point.id is not None and point.id < 0


def _outcome(answer: Answer) -> tuple[str, str]:
    """What an answer comes to, with the value that it proposes."""
    return answer_kind(answer), answer.proposed if isinstance(answer, Judged) else ""
