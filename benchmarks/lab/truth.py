"""How often a lab's intervals hold and find what is there: simulated labs, and recorded turns.

Each lab has a base, its equal twin, and one variant that does 0, 3, 5 or 10 % more; servers are
started again every few rounds, all work in random order and then in the opposite one, and the
lab looks after every round. An interval holds if it never excludes the truth at any look. Worlds
differ in how far rounds and starts of equal servers scatter, in tails, bursts and drift; what
EXCLUDED_AT and the priors are was chosen on other worlds. Recorded turns are those of equal servers
on a real machine (build/lab-turns/*.jsonl: variant, start, round and value of a turn in each line):
which is base, twin and variant is drawn for each start, and the effect is multiplied in.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median

import numpy as np
import numpy.typing as npt

from advisor.lab.effects.contrasts import Decision, effects
from advisor.lab.effects.ending import Design, ending, rounds_to_see
from advisor.lab.effects.turns import Turn
from advisor.lab.record import LabEnd
from benchmarks.shared.report import ROOT, Bar, bars_table, keep, page, status, table

RECORDED = ROOT / "build" / "lab-turns"

BASE, TWIN, VARIANT = "base", "base (again)", "variant"
NAMES = (BASE, TWIN, VARIANT)
EFFECTS = (1.0, 1.03, 1.05, 1.10)
LABS, MINUTES = 60, 5.0

TURN_S, SETTLE_S, START_S = 2.0, 0.5, 3.0
"""A start is each server's own."""

STRUCK = 0.75
"""What a burst leaves of a turn."""

LEAST_HOLD, MOST_FALSE = 0.93, 0.03


@dataclass(frozen=True)
class World:
    """A machine: standard deviations of logarithms.

    ``turn_sd`` is a turn's own, ``start_sd`` that of a start, ``freedom`` of Student's
    distribution both have (0: normal). ``burst`` is how often a stretch of one to three turns
    begins in which all get a quarter less; ``walk`` how far the machine moves from turn to turn,
    ``trend`` within a round; ``wander`` how far a server does from round to round.
    """

    name: str
    turn_sd: float
    start_sd: float
    freedom: int = 0
    burst: float = 0.0
    walk: float = 0.01
    trend: float = 0.0
    wander: float = 0.0


WORLDS = (
    World("quiet", 0.03, 0.005),
    World("quiet, starts differ", 0.03, 0.03),
    World("usual", 0.05, 0.015),
    World("usual, starts alike", 0.07, 0.002),
    World("loud", 0.13, 0.01),
    World("loud, starts differ", 0.10, 0.04),
    World("starts of a tenth", 0.05, 0.08),
    World("heavy tails", 0.07, 0.025, freedom=3),
    World("bursts", 0.06, 0.015, burst=0.07),
    World("drift", 0.06, 0.015, walk=0.04, trend=0.15),
    World("servers that wander", 0.05, 0.01, wander=0.03),
)

Lab = Sequence[Sequence[Turn]]
"""Turns by round, in their order."""


@dataclass
class Found:
    """What came of all labs of a world."""

    labs: int = 0
    held: int = 0
    twin_differs: int = 0
    wrong: int = 0
    decided: int = 0
    fives: list[int | None] = field(default_factory=list)
    """After how many rounds each true 5 % was distinguished from none; None where it never was."""
    hopeless: int = 0
    lost: int = 0
    """A true 5 % that would have been found, had the lab not given up hope."""
    resolutions: list[float] = field(default_factory=list)
    noises: list[tuple[float, float]] = field(default_factory=list)

    @property
    def fives_found(self) -> list[int]:
        """Rounds of those that were found."""
        return [rounds for rounds in self.fives if rounds is not None]


def main() -> int:
    """Simulate all labs, replay recorded ones; the status is 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--labs", type=int, default=LABS, help="of each world")
    parser.add_argument("--minutes", type=float, default=MINUTES, help="of each lab")
    parser.add_argument("--rounds-per-start", type=int, default=2)
    parser.add_argument("--turns", type=int, default=2, help="of each server in a round")
    parser.add_argument("--random-order", action="store_true", help="not there and back")
    parser.add_argument("--recorded", type=Path, default=RECORDED, metavar="DIR")
    chosen = parser.parse_args()
    design = Design(
        variants=2,
        round_s=len(NAMES) * chosen.turns * (TURN_S + SETTLE_S),
        start_s=len(NAMES) * START_S,
        rounds_per_start=chosen.rounds_per_start,
    )
    found = {
        world.name: _tried(design, 60 * chosen.minutes, _simulated(world, design, chosen))
        for world in WORLDS
    }
    recorded = {
        file.stem: _tried(design, 60 * chosen.minutes, replayed)
        for file in sorted(chosen.recorded.glob("*.jsonl"))
        if (replayed := _replayed(file, design, chosen))
    }
    bars = [*_bars("simulated", found), *(_bars("recorded", recorded) if recorded else ())]
    lines = [
        *_lines(design, chosen, found),
        *(_recorded_lines(design, recorded) if recorded else ()),
        "",
        *bars_table(bars),
    ]
    text = page("What a lab's intervals hold", "lab-truth", lines)
    if vars(chosen) == vars(parser.parse_args([])):
        keep("LAB_TRUTH", text)
    else:
        print(text)
    return status(bars)


def _simulated(
    world: World, design: Design, chosen: argparse.Namespace
) -> Iterator[tuple[float, Lab]]:
    """Labs with their truth."""
    for seed in range(chosen.labs):
        truth = EFFECTS[seed % len(EFFECTS)]
        random = np.random.default_rng([seed, WORLDS.index(world)])
        yield truth, list(_rounds(world, design, chosen, truth, random))


def _rounds(
    world: World,
    design: Design,
    chosen: argparse.Namespace,
    truth: float,
    random: np.random.Generator,
) -> Iterator[list[Turn]]:
    machine, struck = 0.0, 0
    of_start, wandered = np.zeros(3), np.zeros(3)
    for round_ in range(design.rounds(60 * chosen.minutes)):
        if round_ % design.rounds_per_start == 0:
            of_start = _drawn(world, random, 3) * world.start_sd
            wandered = np.zeros(3)
        wandered = 0.8 * wandered + 0.6 * world.wander * random.standard_normal(3)
        servers = _order(chosen, random)
        trend = random.standard_normal() * world.trend / len(servers)
        own = _drawn(world, random, len(servers)) * world.turn_sd
        turns = []
        for at, server in enumerate(servers):
            machine += world.walk * random.standard_normal()
            if struck:
                struck -= 1
            elif random.random() < world.burst:
                struck = int(random.integers(1, 4))
            log = machine + trend * at + of_start[server] + wandered[server] + own[at]
            value = 1000 * math.exp(log) * (STRUCK if struck else 1.0)
            value *= truth if NAMES[server] == VARIANT else 1.0
            turns.append(Turn(NAMES[server], round_ // design.rounds_per_start, round_, value))
        yield turns


def _order(chosen: argparse.Namespace, random: np.random.Generator) -> list[int]:
    """Servers in the order of a round's turns."""
    first = random.permutation(3)
    found: list[int] = []
    for turn in range(chosen.turns):
        if chosen.random_order:
            found += random.permutation(3).tolist()
        else:
            found += (first if turn % 2 == 0 else first[::-1]).tolist()
    return found


def _drawn(world: World, random: np.random.Generator, count: int) -> npt.NDArray[np.float64]:
    if not world.freedom:
        return random.standard_normal(count)
    wide = math.sqrt(world.freedom / (world.freedom - 2))
    return random.standard_t(world.freedom, count) / wide


def _replayed(file: Path, design: Design, chosen: argparse.Namespace) -> list[tuple[float, Lab]]:
    """Labs of recorded starts of equal servers, with their truth; none where there are too few."""
    starts: dict[int, dict[int, dict[str, list[float]]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(list))
    )
    for line in file.read_text("utf-8").splitlines():
        turn = json.loads(line)
        starts[turn["start"]][turn["round"]][turn["variant"]].append(turn["value"])
    recorded = [
        whole
        for start in starts.values()
        if (whole := [by_name for by_name in start.values() if len(by_name) >= len(NAMES)])
    ]
    wanted = design.starts(design.rounds(60 * chosen.minutes))
    if len(recorded) < wanted:
        return []
    labs: list[tuple[float, Lab]] = []
    for seed in range(chosen.labs):
        random = np.random.default_rng(seed)
        truth = EFFECTS[seed % len(EFFECTS)]
        lab: list[list[Turn]] = []
        for number, at in enumerate(random.choice(len(recorded), wanted, replace=False)):
            servers = dict(zip(random.permutation(sorted(recorded[at][0])), NAMES, strict=False))
            first = random.integers(max(1, len(recorded[at]) - design.rounds_per_start + 1))
            for by_name in recorded[at][first : first + design.rounds_per_start]:
                lab.append([])
                for name, own in servers.items():
                    times = truth if own == VARIANT else 1.0
                    values = by_name.get(name, ())[: chosen.turns]
                    lab[-1] += (Turn(own, number, len(lab), times * value) for value in values)
        labs.append((truth, lab))
    return labs


def _tried(design: Design, budget_s: float, labs: Iterable[tuple[float, Lab]]) -> Found:
    """Look at each after every round."""
    found = Found()
    for truth, lab in labs:
        found.labs += 1
        held, twin_alike, told, said = True, True, None, None
        turns: list[Turn] = []
        for number, round_ in enumerate(lab, 1):
            turns += round_
            seen = effects(turns, BASE, same=TWIN, asked=[(VARIANT, BASE)])
            (one,) = seen.contrasts
            if one.low is None or one.high is None or seen.same is None or seen.same.low is None:
                continue
            held &= one.low <= truth <= one.high
            twin_alike &= seen.same.low <= 1 <= (seen.same.high or 0)
            if told is None and not one.low <= 1 <= one.high:
                told = number
            said = said or ending(seen, design, budget_s - design.seconds(number))
            if said is LabEnd.DECIDED and one.decision is not Decision.OPEN:
                found.decided += 1
                found.wrong += not _right(one.decision, truth)
                said = LabEnd.BUDGET
        found.held += held
        found.twin_differs += not twin_alike
        found.hopeless += said is LabEnd.HOPELESS
        if truth == EFFECTS[2]:
            found.fives.append(told)
            found.lost += told is not None and said is LabEnd.HOPELESS
        if seen.resolution and seen.noise and seen.start_sd:
            found.resolutions.append(seen.resolution)
            found.noises.append((seen.noise, seen.start_sd))
    return found


def _right(said: Decision, truth: float) -> bool:
    return said is (Decision.ALIKE if truth == 1 else Decision.BETTER)


def _bars(whence: str, found: Mapping[str, Found]) -> list[Bar]:
    labs = sum(each.labs for each in found.values())
    held = sum(each.held for each in found.values()) / labs
    differs = sum(each.twin_differs for each in found.values()) / labs
    return [
        Bar(f"{whence}: intervals that hold at every look", held, LEAST_HOLD, at_least=True),
        Bar(f"{whence}: equal twins that are called different", differs, MOST_FALSE),
    ]


def _lines(design: Design, chosen: argparse.Namespace, found: Mapping[str, Found]) -> list[str]:
    return [
        f"{chosen.labs} labs of {chosen.minutes:g} minutes in each world: a base, its twin and a "
        f"variant that does {_shares(EFFECTS)} more. A round has {chosen.turns} turns of each, of "
        f"{TURN_S:g} s and {SETTLE_S:g} s to settle ({design.round_s:g} s in all); all servers are "
        f"started again ({design.start_s:g} s) every {design.rounds_per_start} rounds. Noise and "
        "start are standard deviations of the logarithm, as the labs found them in the median. "
        "An interval holds if none of its looks excludes the truth. What is decided at its end is "
        "wrong where 0 % is called a difference or 3 % and more is called none. Seconds to see 5 % "
        "are of those labs that saw it, and as expected with that noise and those starts.",
        "",
        *table(_HEADER, _rows(design, found)),
    ]


def _recorded_lines(design: Design, found: Mapping[str, Found]) -> list[str]:
    return [
        "",
        "The same of recorded turns, of equal servers of one kind. Labs of few recorded starts "
        "share them, so these rows are less sure than their number of labs says; a start has as "
        "many seconds as above, a recorded turn may be shorter.",
        "",
        *table(_HEADER, _rows(design, found)),
    ]


_HEADER = (
    *("world", "noise", "start", "labs", "hold", "twin differs", "decided", "wrong"),
    *("gave up", "resolution", "5 % seen", "lost by giving up", "after s", "expected s"),
)


def _rows(design: Design, found: Mapping[str, Found]) -> Iterator[tuple[str, ...]]:
    for name, each in found.items():
        noise, start_sd = (median(one) for one in zip(*each.noises, strict=True))
        expected = rounds_to_see(replace(design, noise=noise, start_sd=start_sd), 0.05)
        seen = each.fives_found
        yield (
            name,
            f"{noise:.1%}",
            f"{start_sd:.1%}",
            str(each.labs),
            f"{each.held / each.labs:.1%}",
            f"{each.twin_differs / each.labs:.1%}",
            str(each.decided),
            str(each.wrong),
            str(each.hopeless),
            f"{median(each.resolutions):.1%}",
            f"{len(seen) / max(1, len(each.fives)):.0%}",
            str(each.lost),
            f"{design.seconds(round(median(seen))):.0f}" if seen else "",
            f"{design.seconds(expected):.0f}" if expected else "",
        )


def _shares(effects: Sequence[float]) -> str:
    *first, last = (f"{each - 1:.0%}".removesuffix("%") for each in effects)
    return f"{', '.join(first)} or {last} %"
