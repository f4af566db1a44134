"""How much is decided on noisy machines, and how often that is wrong: ``make bench-judging``.

Machines whose true figures are known are measured through noise as shared machines have it (steal,
neighbours, caches, rates that swing), which comes and goes. Each is measured by the quick plan and
judged by its ranges and, as before there were any, by its undoubted points alone; and once more by
what settles most of what is open, until nothing is worth its time; where mixtures of reads, commits
and flushing are known, with and without them in turn. All are held against what the rules say of
the truth. The tag before-ranges (d6afbd78) is the last
tree that judged by undoubted points.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median

from report import HERE, machine

ROOT = HERE.parent
sys.path.insert(0, str(ROOT))

from advisor.judging import engine  # noqa: E402 - the path comes first
from advisor.judging.open_questions.worth import Scorer  # noqa: E402
from advisor.judging.over_draws import SURE, judge  # noqa: E402
from advisor.outcomes import Judgement  # noqa: E402
from probes.plans.build.deciding import DecidingChooser, in_short_points  # noqa: E402
from probes.plans.plan import Step  # noqa: E402
from probes.plans.spend.chooser import AdaptiveChooser, Chooser  # noqa: E402
from probes.points import Point, Probe, Trust  # noqa: E402
from tests.rules.calibration import EDGES, MOST_SAID, Said, asked_of, binned, kinds, statements  # noqa: E402
from tests.rules.simulated_machine import Machine, machines, simulated  # noqa: E402

MACHINES = 300
MOST_WRONG = 0.05
"""Of what is said with 95 %."""

BAR_MS = 300.0
"""Processor time that one judgement may take."""


@dataclass
class Way:
    """What one way of measuring and judging came to: decided questions, wrong ones, its seconds."""

    decided: int = 0
    wrong: int = 0
    sure: int = 0
    sure_wrong: int = 0
    seconds: float = 0.0

    def add(self, said: dict[str, str], shares: dict[str, float], rule: str, answer: str) -> None:
        """Count one question."""
        wrong = rule in said and said[rule] != answer
        sure = rule in said and shares.get(rule, 1.0) >= SURE
        self.decided += rule in said
        self.wrong += wrong
        self.sure += sure
        self.sure_wrong += sure and wrong

    def cells(self, questions: int) -> list[str]:
        """Its part of the table's row."""
        return [f"{self.decided / questions:.0%}", f"{self.wrong / max(1, self.decided):.1%}"]

    def timed_cells(self, questions: int) -> list[str]:
        """The same with what was sure, and how much was decided in a second."""
        return [
            *self.cells(questions),
            f"{self.sure / questions:.0%}",
            f"{self.sure_wrong / max(1, self.sure):.1%}",
            f"{self.per_s:.2f}",
        ]

    @property
    def per_s(self) -> float:
        """Decided questions per second of probing."""
        return self.decided / max(self.seconds, 1e-9)


@dataclass
class Count:
    """Questions that the truth answers, and what came of them each way."""

    questions: int = 0
    before: Way = field(default_factory=Way)
    plan: Way = field(default_factory=Way)
    budget: Way = field(default_factory=Way)


@dataclass
class Mixtures:
    """Machines that have mixtures: their questions, by budgets that may measure them and not."""

    machines: int = 0
    questions: int = 0
    without: Way = field(default_factory=Way)
    budget: Way = field(default_factory=Way)

    @property
    def line(self) -> str:
        """What they bring, in a sentence."""
        return (
            f"On the {self.machines} machines whose reads and commits are known beside flushing, a "
            f"budget that may measure these mixtures decides {self.budget.decided} of "
            f"{self.questions} questions ({self.budget.wrong} wrong), one without them "
            f"{self.without.decided} ({self.without.wrong} wrong), in "
            f"{self.budget.seconds / self.machines:.1f} s against "
            f"{self.without.seconds / self.machines:.1f} s a machine: {self.budget.per_s:.2f} "
            f"decided questions per second against {self.without.per_s:.2f}."
        )


@dataclass
class Judged:
    """Judgements of the quick plan's points: the processor time of each, and all statements."""

    times_ms: list[float] = field(default_factory=list)
    said: list[Said] = field(default_factory=list)

    @property
    def lines(self) -> list[str]:
        """How often what was said held, as a table, and what judging takes."""
        slow = sum(each > BAR_MS for each in self.times_ms)
        return [
            "The share of the draws that a verdict of the quick plan was said with, against how "
            "often it held:",
            "",
            "| share of the draws | statements | said, on average | held |",
            "| --- | ---: | ---: | ---: |",
            *(
                f"| {_between(each.low)} | {each.number:,} | {each.said:.1%} "
                f"| {each.held / each.number:.1%} ({each.interval[0]:.0%} to "
                f"{each.interval[1]:.0%}) |"
                for each in binned(self.said)
            ),
            "",
            "In brackets is the 95 % interval of how often such statements hold, each taken for "
            "itself (E. Wilson, 1927); those of one machine share its figures, so the truth may "
            "lie further off. What all draws say is what none of them denies: it is said with no "
            f"more than {MOST_SAID:.1%}.",
            "",
            f"A judgement over draws takes {median(self.times_ms):.0f} ms of processor time "
            f"(median), at most {max(self.times_ms):.0f} ms; {slow} of {len(self.times_ms)} took "
            f"more than the {BAR_MS:.0f} ms that one may take.",
        ]


def _between(low: float) -> str:
    """A bin's shares in words."""
    above = next((each for each in EDGES if each > low), None)
    return "all draws" if above is None else f"{low:.0%} to {above:.0%}"


def main() -> int:
    """Measure and judge all machines; the status is 1 where too many sure statements are wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--machines", type=int, default=MACHINES)
    parser.add_argument("--wrong", action="store_true", help="print what was surely said and wrong")
    chosen = parser.parse_args()
    counts: dict[str, Count] = {}
    by_plan = Judged()
    mixtures = Mixtures()
    for number in machines(chosen.machines):
        _one(number, counts, by_plan, mixtures, tell=chosen.wrong)
    text = _page(counts, by_plan, mixtures, chosen.machines)
    print(text)
    if chosen.machines == MACHINES:
        Path(HERE / "JUDGING.md").write_text(text, encoding="utf-8")
    whole = counts["all"]
    ways = (whole.plan, whole.budget)
    return 0 if all(way.sure_wrong <= MOST_WRONG * way.sure for way in ways) else 1


def _one(
    number: int,
    counts: dict[str, Count],
    by_plan: Judged,
    mixtures: Mixtures,
    *,
    tell: bool,
) -> None:
    quick, open_ = _machine(number), _machine(number)
    points = _measured(quick, AdaptiveChooser(quick.plan, quick.clock))
    fewer = _decided(open_)
    undoubted = [point for point in points if point.trust is Trust.OK]
    began = time.process_time()
    judged_by_plan = judge(quick.case(points))
    by_plan.times_ms.append((time.process_time() - began) * 1000)
    said = {
        "before": engine.judge(quick.case(undoubted)),
        "plan": judged_by_plan,
        "budget": judge(open_.case(fewer)),
    }
    asked = asked_of(quick)
    by_plan.said += statements(judged_by_plan, asked)
    for count in (counts.setdefault(quick.noise.kind, Count()), counts.setdefault("all", Count())):
        count.questions += len(asked)
        count.before.seconds += quick.now_s
        count.plan.seconds += quick.now_s
        count.budget.seconds += open_.now_s
        for name, judged in said.items():
            way: Way = getattr(count, name)
            shares = {one.rule: one.share for one in judged.recommendations}
            for rule, answer in asked.items():
                way.add(kinds(judged), shares, rule, answer)
    if any(_is_mixture(step) for step in open_.plan.steps):
        _compare_mixtures(number, asked, open_, said["budget"], mixtures)
    if tell:
        for name, judged in said.items():
            answers = kinds(judged)
            for rule, answer in asked.items():
                if answers.get(rule, answer) != answer:
                    print(number, quick.noise.kind, name, rule, answer, "said", answers[rule])


def _compare_mixtures(
    number: int, asked: dict[str, str], with_: Machine, said: Judgement, mixtures: Mixtures
) -> None:
    without = _machine(number)
    steps = tuple(step for step in without.plan.steps if not _is_mixture(step))
    without.plan = replace(without.plan, steps=steps)
    mixtures.machines += 1
    mixtures.questions += len(asked)
    said_without = judge(without.case(_decided(without)))
    for way, on, judged in (
        (mixtures.budget, with_, said),
        (mixtures.without, without, said_without),
    ):
        way.seconds += on.now_s
        for rule, answer in asked.items():
            way.add(kinds(judged), {}, rule, answer)


def _is_mixture(step: Step) -> bool:
    return step.setting.probe is Probe.MIXED


def _decided(on: Machine) -> list[Point]:
    """Measure by what is open."""
    on.plan = in_short_points(on.plan)
    return _measured(on, DecidingChooser(on.plan, Scorer(on.plan, on.case), on.clock))


def _machine(number: int) -> Machine:
    made = simulated(number)
    if made is None:
        raise ValueError(f"nothing is known of machine {number}")
    return made


def _measured(on: Machine, chooser: Chooser) -> list[Point]:
    points: list[Point] = []
    while (index := chooser.choose(points)) is not None:
        chooser.look(points)  # It thinks while the step is measured, without its points.
        points += on.measure(index)
    return points


def _page(counts: dict[str, Count], by_plan: Judged, mixtures: Mixtures, number: int) -> str:
    lines = [
        "# What is decided on noisy machines",
        "",
        "Written by `make bench-judging`.",
        "",
        *(f"- {name}: {value}" for name, value in machine().items()),
        "",
        f"{number} random machines with known curves, load and settings, each measured through "
        "noise that comes and goes. The quick plan's points are judged twice: by ranges (64 draws),"
        " and the undoubted ones alone, as it was done before. A budget measures what settles most "
        "of what is open, until nothing is worth its time. A question is a rule whose verdict on "
        "the true figures takes a measured one; it is decided where the rule gives a verdict, "
        "wrong where that is not the true one. Sure is what is said to hold for 95 % of what the "
        "figures may truly be. How much of what neighbours took a point lost is random. Seconds "
        "are those of probing; files take as long either way.",
        "",
        "| noise | questions | undoubted points: decided | wrong | quick plan: decided | wrong "
        "| surely | wrong | decided/s | budget: decided | wrong | surely | wrong | decided/s |",
        "| --- |" + " ---: |" * 13,
    ]
    for kind, count in sorted(counts.items(), key=lambda pair: (pair[0] != "all", pair[0])):
        asked = count.questions
        cells = [kind, f"{asked:,}", *count.before.cells(asked)]
        cells += [*count.plan.timed_cells(asked), *count.budget.timed_cells(asked)]
        lines.append(f"| {' | '.join(cells)} |")
    whole = counts["all"]
    lines += [
        "",
        f"A machine takes {whole.plan.seconds / number:.0f} s by the quick plan and "
        f"{whole.budget.seconds / number:.0f} s by a budget: {whole.budget.per_s:.2f} decided "
        f"questions per second against {whole.plan.per_s:.2f}, "
        f"{whole.budget.per_s / whole.plan.per_s:.1f} times as many.",
    ]
    if mixtures.machines:
        lines += ["", mixtures.line]
    lines += ["", *by_plan.lines]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
