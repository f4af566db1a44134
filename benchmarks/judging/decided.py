"""How much is decided on noisy machines, and how often that is wrong.

Machines whose true figures are known are measured through noise as shared machines have it (steal,
neighbours, caches, rates that swing), which comes and goes. Each is measured by the quick plan and
judged by its ranges and, as before there were any, by its undoubted points alone; and once more by
what settles most of what is open, until nothing is worth its time; where mixtures of reads, commits
and flushing are known, with and without them in turn. All are held against what the rules say of
the truth. The tag before-ranges (d6afbd78) is the last tree that judged by undoubted points.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from statistics import median

from advisor.judging import engine
from advisor.judging.open_questions.worth import WorthScorer
from advisor.judging.over_draws import SURE, judge
from advisor.outcomes import Judgement
from benchmarks.shared.report import Bar, keep, page, status, table
from probes.plans.build.deciding import DecidingChooser, in_short_points
from probes.plans.plan import Step
from probes.plans.spend.chooser import AdaptiveChooser, Chooser
from probes.points import Point, Probe, Trust
from tests.advisor.judging.simulated.calibration import (
    EDGES,
    MOST_SAID,
    Said,
    asked_of,
    binned,
    kinds,
    statements,
)
from tests.advisor.judging.simulated.machine import Machine, machines, simulated

MACHINES = 300
MOST_WRONG = 0.05
"""Of what is said with 95 %."""

BAR_MS = 300.0
"""Processor time that one judgement may take."""

UNDOUBTED, PLAN, BUDGET, UNMIXED = "undoubted points", "quick plan", "budget", "no mixtures"
WAYS = (UNDOUBTED, PLAN, BUDGET)


@dataclass
class Way:
    """What one way of measuring and judging came to: decided questions, wrong ones, its seconds."""

    decided: int = 0
    wrong: int = 0
    sure: int = 0
    sure_wrong: int = 0
    seconds: float = 0.0

    def add(self, asked: Mapping[str, str], judged: Judgement, seconds: float) -> None:
        """Count one machine's questions."""
        said = kinds(judged)
        shares = {one.rule: one.share for one in judged.recommendations}
        self.seconds += seconds
        for rule, answer in asked.items():
            if rule in said:
                wrong, sure = said[rule] != answer, shares.get(rule, 1.0) >= SURE
                self.decided += 1
                self.wrong += wrong
                self.sure += sure
                self.sure_wrong += sure and wrong

    def cells(self, questions: int, *, timed: bool) -> list[str]:
        """Its part of the table's row; ``timed`` with what was sure, and decided in a second."""
        first = [f"{self.decided / questions:.0%}", f"{self.wrong / max(1, self.decided):.1%}"]
        sure = [f"{self.sure / questions:.0%}", f"{self.sure_wrong / max(1, self.sure):.1%}"]
        return [*first, *sure, f"{self.per_s:.2f}"] if timed else first

    @property
    def per_s(self) -> float:
        """Decided questions per second of probing."""
        return self.decided / max(self.seconds, 1e-9)


@dataclass
class Count:
    """Questions that the truth answers, and what came of them each way."""

    machines: int = 0
    questions: int = 0
    ways: dict[str, Way] = field(default_factory=dict)

    def add(self, asked: Mapping[str, str], by_way: Mapping[str, tuple[Judgement, float]]) -> None:
        """Count one machine."""
        self.machines += 1
        self.questions += len(asked)
        for name, (judged, seconds) in by_way.items():
            self.ways.setdefault(name, Way()).add(asked, judged, seconds)

    def seconds(self, way: str) -> float:
        """What a machine takes."""
        return self.ways[way].seconds / self.machines


@dataclass
class Found:
    """All counts by kind of noise, those of machines with mixtures, and each judgement's time."""

    counts: dict[str, Count] = field(default_factory=dict)
    mixed: Count = field(default_factory=Count)
    times_ms: list[float] = field(default_factory=list)
    said: list[Said] = field(default_factory=list)


def main() -> int:
    """Measure and judge all machines; the status is 1 where too many sure statements are wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--machines", type=int, default=MACHINES)
    parser.add_argument("--wrong", action="store_true", help="print what was surely said and wrong")
    chosen = parser.parse_args()
    found = Found()
    for number in machines(chosen.machines):
        _one(number, found, tell=chosen.wrong)
    text = page("What is decided on noisy machines", "judging", _lines(found))
    if chosen.machines == MACHINES:
        keep("JUDGING", text)
    else:
        print(text)
    ways = found.counts["all"].ways
    sure = {name: ways[name] for name in (PLAN, BUDGET)}
    return status(
        Bar(f"{name}: surely said and wrong", way.sure_wrong, MOST_WRONG * way.sure)
        for name, way in sure.items()
    )


def _one(number: int, found: Found, *, tell: bool) -> None:
    quick, open_ = _machine(number), _machine(number)
    points = _measured(quick, AdaptiveChooser(quick.plan, quick.clock))
    fewer = _decided(open_)
    undoubted = [point for point in points if point.trust is Trust.OK]
    began = time.process_time()
    judged = judge(quick.case(points))
    found.times_ms.append((time.process_time() - began) * 1000)
    by_way = {
        UNDOUBTED: (engine.judge(quick.case(undoubted)), quick.now_s),
        PLAN: (judged, quick.now_s),
        BUDGET: (judge(open_.case(fewer)), open_.now_s),
    }
    asked = asked_of(quick)
    found.said += statements(judged, asked)
    for kind in (quick.noise.kind, "all"):
        found.counts.setdefault(kind, Count()).add(asked, by_way)
    if any(_is_mixture(step) for step in open_.plan.steps):
        without = _machine(number)
        steps = tuple(step for step in without.plan.steps if not _is_mixture(step))
        without.plan = replace(without.plan, steps=steps)
        unmixed = judge(without.case(_decided(without)))
        both = {BUDGET: by_way[BUDGET], UNMIXED: (unmixed, without.now_s)}
        found.mixed.add(asked, both)
    for name, (one, _) in by_way.items() if tell else ():
        answers = kinds(one)
        for rule, answer in asked.items():
            if answers.get(rule, answer) != answer:
                print(number, quick.noise.kind, name, rule, answer, "said", answers[rule])


def _is_mixture(step: Step) -> bool:
    return step.setting.probe is Probe.MIXED


def _decided(on: Machine) -> list[Point]:
    """Measure by what is open."""
    on.plan = in_short_points(on.plan)
    return _measured(on, DecidingChooser(on.plan, WorthScorer(on.plan, on.case), on.clock))


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


def _lines(found: Found) -> list[str]:
    rows = []
    for kind, count in sorted(found.counts.items(), key=lambda pair: (pair[0] != "all", pair[0])):
        cells = [
            cell
            for name in WAYS
            for cell in count.ways[name].cells(count.questions, timed=name != UNDOUBTED)
        ]
        rows.append((kind, f"{count.questions:,}", *cells))
    timed = ("wrong", "surely", "wrong", "decided/s")
    header = ("noise", "questions", f"{UNDOUBTED}: decided", "wrong", f"{PLAN}: decided", *timed)
    whole, ways = found.counts["all"], found.counts["all"].ways
    slow = sum(each > BAR_MS for each in found.times_ms)
    return [
        f"{whole.machines} random machines with known curves, load and settings, each measured "
        "through noise that comes and goes. The quick plan's points are judged twice: by ranges "
        "(64 draws), and the undoubted ones alone, as it was done before. A budget measures what "
        "settles most of what is open, until nothing is worth its time. A question is a rule whose "
        "verdict on the true figures takes a measured one; it is decided where the rule gives a "
        "verdict, wrong where that is not the true one. Sure is what is said to hold for 95 % of "
        "what the figures may truly be. How much of what neighbours took a point lost is random. "
        "Seconds are those of probing; files take as long either way.",
        "",
        *table((*header, f"{BUDGET}: decided", *timed), rows),
        "",
        f"A machine takes {whole.seconds(PLAN):.0f} s by the quick plan and "
        f"{whole.seconds(BUDGET):.0f} s by a budget: {ways[BUDGET].per_s:.2f} decided questions "
        f"per second against {ways[PLAN].per_s:.2f}, {ways[BUDGET].per_s / ways[PLAN].per_s:.1f} "
        "times as many.",
        *_mixtures(found.mixed),
        "",
        "The share of the draws that a verdict of the quick plan was said with, against how often "
        "it held:",
        "",
        *table(
            ("share of the draws", "statements", "said, on average", "held"),
            (
                (
                    _between(each.low),
                    f"{each.number:,}",
                    f"{each.said:.1%}",
                    f"{each.held / each.number:.1%} ({each.interval[0]:.0%} to "
                    f"{each.interval[1]:.0%})",
                )
                for each in binned(found.said)
            ),
        ),
        "",
        "In brackets is the 95 % interval of how often such statements hold, each taken for "
        "itself (E. Wilson, 1927); those of one machine share its figures, so the truth may "
        "lie further off. What all draws say is what none of them denies: it is said with no "
        f"more than {MOST_SAID:.1%}.",
        "",
        f"A judgement over draws takes {median(found.times_ms):.0f} ms of processor time "
        f"(median), at most {max(found.times_ms):.0f} ms; {slow} of {len(found.times_ms)} took "
        f"more than the {BAR_MS:.0f} ms that one may take.",
    ]


def _between(low: float) -> str:
    """A bin's shares in words."""
    above = next((each for each in EDGES if each > low), None)
    return "all draws" if above is None else f"{low:.0%} to {above:.0%}"


def _mixtures(mixed: Count) -> list[str]:
    """What mixtures bring, in a sentence."""
    if not mixed.machines:
        return []
    with_, without = mixed.ways[BUDGET], mixed.ways[UNMIXED]
    return [
        "",
        f"On the {mixed.machines} machines whose reads and commits are known beside flushing, a "
        f"budget that may measure these mixtures decides {with_.decided} of {mixed.questions} "
        f"questions ({with_.wrong} wrong), one without them {without.decided} ({without.wrong} "
        f"wrong), in {mixed.seconds(BUDGET):.1f} s against {mixed.seconds(UNMIXED):.1f} s a "
        f"machine: {with_.per_s:.2f} decided questions per second against {without.per_s:.2f}.",
    ]
