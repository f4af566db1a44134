"""How much is decided on noisy machines, and how often that is wrong: ``make bench-judging``.

Machines whose true figures are known are measured through noise as shared machines have it (steal,
neighbours, caches, rates that swing). Each is judged by its ranges and, as before there were any,
by its undoubted points alone; both are held against what the rules say of the truth.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from statistics import median

from report import HERE, machine

ROOT = HERE.parent
sys.path.insert(0, str(ROOT))

from advisor.case import Case  # noqa: E402 - the path comes first
from advisor.judging import engine  # noqa: E402
from advisor.judging.over_draws import SURE, judge  # noqa: E402
from advisor.outcomes import Judgement  # noqa: E402
from probes.points import Latency, Point, Trust  # noqa: E402
from probes.trust import thresholds  # noqa: E402
from probes.trust.doubt import Doubt, lower, slowed  # noqa: E402
from tests.rules.casework import build  # noqa: E402
from tests.rules.coherent import coherent_case  # noqa: E402

MACHINES = 300
MOST_WRONG = 0.05
"""Of what is said with 95 %."""

READS = ("random_read",)


@dataclass(frozen=True)
class Noise:
    """What disturbs one machine: shares of its time or of its drive, a cache, how rates swing."""

    steal: float
    neighbours: float
    cache: float
    half: float

    @property
    def kind(self) -> str:
        """The strongest of them, for the table."""
        if self.cache > 1:
            return "a cache below O_DIRECT that is seen"
        if self.steal >= thresholds.STOLEN_MUCH:
            return "steal of 10 to 50 %"
        if self.neighbours > thresholds.FOREIGN_SHARE:
            return "neighbours that take 10 to 60 % of the drive"
        return "rates that swing" if self.half > 0.1 else "quiet"


def noise(r: Random) -> Noise:
    """One of the kinds, often with swinging rates on top."""
    half = 0.02 * (50 ** r.random())
    which = r.random()
    return Noise(
        steal=r.uniform(0.1, 0.5) if which < 0.3 else r.uniform(0.0, 0.05),
        neighbours=r.uniform(0.1, 0.6) if 0.3 <= which < 0.55 else 0.0,
        cache=20 ** r.random() if 0.55 <= which < 0.65 else 1.0,
        half=half,
    )


def measured(case: Case, found: Noise, r: Random) -> Case:
    """The case as it is measured through noise: points moved, with the doubts that would be seen.

    How much of what was taken a point really lost is not known to anybody; it differs by the
    machine and by the point.
    """
    hit, common = r.random(), r.gauss(0, 1)
    curves: dict[object, float] = {}
    points = []
    for point in case.points:
        z = curves.setdefault(point.setting.curve_key, r.gauss(0, 1))
        swing = found.half / 1.96 * (common + z + r.gauss(0, 1)) / 3**0.5
        share = min(1.0, max(0.0, hit + r.gauss(0, 0.15)))
        taken = 1 - (1 - found.steal) * (1 - found.neighbours)
        factor = 2.718281828**swing * (1 - taken * share)
        is_read = point.setting.probe.value in READS
        if is_read:
            factor *= found.cache
        points.append(_seen(_moved(point, factor, found.half), found, is_read=is_read))
    return replace(case, points=tuple(points))


def _moved(point: Point, factor: float, half: float) -> Point:
    rate = point.rate_per_s * factor
    told = (getattr(point.latency, name) / factor for name in Latency.__dataclass_fields__)
    return replace(
        point,
        rate_per_s=rate,
        ci95_per_s=(rate * 2.718281828**-half, rate * 2.718281828**half),
        latency=Latency(*told),
    )


def _seen(point: Point, found: Noise, *, is_read: bool) -> Point:
    doubts = []
    if found.steal >= thresholds.STOLEN_MUCH:
        doubts.append(Doubt(Trust.DOUBTFUL, "steal", most=slowed(found.steal)))
    if found.neighbours > thresholds.FOREIGN_SHARE:
        doubts.append(Doubt(Trust.DOUBTFUL, "neighbours", most=slowed(found.neighbours)))
    if found.cache > 1 and is_read:
        doubts.append(Doubt(Trust.DOUBTFUL, "a cache", least=thresholds.CACHED_LEAST))
    if found.half > thresholds.WIDEST_INTERVAL:
        doubts.append(Doubt(Trust.DOUBTFUL, "the rate swung"))
    return lower(point, doubts)


@dataclass
class Count:
    """Questions that the truth answers, how many were decided each way, and how many wrongly."""

    questions: int = 0
    decided: int = 0
    wrong: int = 0
    sure: int = 0
    sure_wrong: int = 0
    before: int = 0
    before_wrong: int = 0

    def cells(self) -> list[str]:
        """The table's row."""
        return [
            f"{self.questions:,}",
            f"{self.before / self.questions:.0%}",
            f"{self.before_wrong / max(1, self.before):.1%}",
            f"{self.decided / self.questions:.0%}",
            f"{self.wrong / max(1, self.decided):.1%}",
            f"{self.sure / self.questions:.0%}",
            f"{self.sure_wrong / max(1, self.sure):.1%}",
        ]


def _kinds(judged: Judgement) -> dict[str, str]:
    kinds = {one.rule: one.verdict.value for one in judged.recommendations}
    return kinds | {one.rule: "not applicable" for one in judged.not_applicable}


def main() -> int:
    """Measure and judge all machines; the status is 1 where too many sure statements are wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--machines", type=int, default=MACHINES)
    parser.add_argument("--wrong", action="store_true", help="print what was surely said and wrong")
    chosen = parser.parse_args()
    counts: dict[str, Count] = {}
    times_ms = []
    for number, truth, found in _machines(chosen.machines):
        r = Random(number + 1)
        seen = measured(truth, found, r)
        true, undrawn = engine.judge(truth), engine.judge(replace(truth, points=()))
        undoubted = tuple(point for point in seen.points if point.trust is Trust.OK)
        before = _kinds(engine.judge(replace(seen, points=undoubted)))
        began = time.perf_counter()
        now = judge(seen)
        times_ms.append((time.perf_counter() - began) * 1000)
        shares = {one.rule: one.share for one in now.recommendations}
        said, without = _kinds(now), _kinds(undrawn)
        for rule, answer in _kinds(true).items():
            if without.get(rule) == answer:
                continue  # It takes no measured figure.
            for count in (
                counts.setdefault(found.kind, Count()),
                counts.setdefault("all", Count()),
            ):
                count.questions += 1
                count.before += rule in before
                count.before_wrong += rule in before and before[rule] != answer
                count.decided += rule in said
                count.wrong += rule in said and said[rule] != answer
                sure = rule in said and shares.get(rule, 1.0) >= SURE
                count.sure += sure
                count.sure_wrong += sure and said[rule] != answer
            if chosen.wrong and sure and said[rule] != answer:
                print(number, found.kind, rule, "truly", answer, "said", said[rule])
    text = _page(counts, times_ms, chosen.machines)
    print(text)
    if chosen.machines == MACHINES:
        Path(HERE / "JUDGING.md").write_text(text, encoding="utf-8")
    whole = counts["all"]
    return 0 if whole.sure_wrong <= MOST_WRONG * whole.sure else 1


def _machines(number: int) -> Iterator[tuple[int, Case, Noise]]:
    made = 0
    case_number = 0
    while made < number:
        case_number += 1
        _, spec = coherent_case(case_number)
        case = build(spec | {"trust": "ok", "trust_reasons": []})
        if len(case.points) > 5:
            made += 1
            yield case_number, case, noise(Random(case_number))


def _page(counts: dict[str, Count], times_ms: list[float], number: int) -> str:
    lines = [
        "# What is decided on noisy machines",
        "",
        "Written by `make bench-judging`.",
        "",
        *(f"- {name}: {value}" for name, value in machine().items()),
        "",
        f"{number} random machines with known curves, load and settings, each measured through "
        "noise and judged twice: by ranges (64 draws), and by its undoubted points alone, as it "
        "was done before. A question is a rule whose verdict on the true figures takes a measured "
        "one; it is decided where the rule gives a verdict, wrong where that is not the true one. "
        "Sure is what is said to hold for 95 % of what the figures may truly be. How much of what "
        "neighbours took a point lost is random.",
        "",
        "| noise | questions | decided by undoubted points | wrong | decided by ranges | wrong "
        "| surely | wrong |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for kind, count in sorted(counts.items(), key=lambda pair: (pair[0] != "all", pair[0])):
        lines.append(f"| {' | '.join([kind, *count.cells()])} |")
    lines += [
        "",
        f"A judgement over draws takes {median(times_ms):.0f} ms (median), at most "
        f"{max(times_ms):.0f} ms.",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
