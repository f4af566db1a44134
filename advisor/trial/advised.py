"""What of the advice on a server a trial can switch, as values by setting."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from advisor.outcomes import Recommendation, Verdict
from advisor.steps import Needs, SetVariable
from advisor.variables.sheets import SHEETS
from probes.statistics.ranges import Range

_MOST_GAIN = 0.95


@dataclass(frozen=True, slots=True)
class AdvisedValues:
    """Values by setting; ``forecast`` is how many times faster statements were forecast to be."""

    rule: str
    values: Mapping[str, str]
    forecast: Range | None

    @property
    def switched(self) -> bool:
        """Whether a trial may switch all of them."""
        return all(map(may_switch, self.values))

    @property
    def in_steps(self) -> bool:
        """Whether a trial may change it in steps: one size, and nothing else."""
        sheets = [SHEETS[name] for name in self.values if name in SHEETS]
        return len(self.values) == 1 == len(sheets) and sheets[0].in_steps is not None


def may_switch(name: str) -> bool:
    """Whether a trial may switch a setting: it acts on the whole server within a minute."""
    return name in SHEETS and SHEETS[name].switch is not None


def advised_values(advised: Iterable[Recommendation]) -> list[AdvisedValues]:
    """What is recommended and sets anything, in the order of the advice."""
    return [
        AdvisedValues(each.rule, values, None if each.gain is None else _times(each.gain))
        for each in advised
        if each.verdict is Verdict.RECOMMEND and (values := _values(each))
    ]


def tryable(advised: Iterable[Recommendation]) -> list[AdvisedValues]:
    """All that a trial may switch or change in steps, the largest forecast first."""
    known = list(advised)
    running = {each.rule for each in known if each.needs is not Needs.RESTART}
    found = [
        each
        for each in advised_values(known)
        if each.switched or (each.in_steps and each.rule in running)
    ]
    return sorted(found, key=lambda each: -(each.forecast.value if each.forecast else 0.0))


def _values(one: Recommendation) -> dict[str, str]:
    return {step.name: step.value for step in one.steps if isinstance(step, SetVariable)}


def _times(gain: Range) -> Range:
    """How many times faster statements are when that share of their time is gone."""
    low, value, high = (
        1 / (1 - min(_MOST_GAIN, max(-1.0, each))) for each in (gain.low, gain.value, gain.high)
    )
    return Range(value, low, high)
