"""What ``make bench SUBJECT=advice`` has measured so far, and the shares that come of it."""

from __future__ import annotations

import hashlib
import json
import math
import os
import random
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import permutations
from pathlib import Path
from statistics import median

from benchmarks.shared.report import ROOT

KEPT = ROOT / "build" / "bench-advice"

PRODUCT = ("advisor", "app", "probes", "resources")
"""Folders whose contents decide what is advised."""

CHECKED, RATES = "checked.json", "rates.jsonl"
BEFORE, PLAN, HAND, TUNER = "defaults", "plan", "by hand", "MySQLTuner"

DRAWS = 2000
LEAST_GAIN = 0.05
"""A smaller gain by hand is noise here: no share is made of it (our choice)."""
LEAST_ROUNDS = 3
"""Fewer rounds have no interval."""

Round = Mapping[str, float]
"""A figure of each configuration in one round."""


@dataclass(frozen=True)
class Case:
    """A server under a load of one size, and how Leadline is asked."""

    server: str
    load: str
    asked: str
    size: str


@dataclass(frozen=True)
class Advised:
    """What was proposed for a case: the plan's list in its order, and the option files' lines.

    ``others`` are the recommendations that the plan leaves aside, with their verdicts. ``tuner`` is
    None where MySQLTuner was not at hand. ``forecast`` is how many times the throughput the model
    expected of the plan before it was applied: value, low and high; ``late`` the same of the 95th
    percentile of queries' times. ``refused`` are MySQLTuner's lines where the server does not start
    with them.
    """

    plan: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    by_hand: list[str] = field(default_factory=list)
    tuner: list[str] | None = None
    forecast: dict[str, float] = field(default_factory=dict)
    refused: str = ""
    late: dict[str, float] = field(default_factory=dict)

    @property
    def arms(self) -> dict[str, list[str]]:
        """The lines of each configuration that is tried."""
        found = {BEFORE: [], PLAN: self.lines, HAND: self.by_hand}
        return found if self.tuner is None else {**found, TUNER: self.tuner}


@dataclass
class Pieces:
    """What is known of one case, by round and configuration.

    ``p95_us`` is the time within which 95 of 100 statements were done, as the client saw them.
    """

    case: Case
    advised: Advised | None = None
    tps: dict[int, dict[str, float]] = field(default_factory=dict)
    p95_us: dict[int, dict[str, float]] = field(default_factory=dict)

    def missing(self, rounds: int) -> dict[int, list[str]]:
        """The rounds that lack anything, each with all configurations in another order.

        A round is measured as a whole: its rates are compared with each other. All orders take
        their turn, so that none always follows the same one.
        """
        arms = (self.advised or Advised()).arms
        orders = [*permutations(arms)]
        return {
            number: [*orders[number % len(orders)]]
            for number in range(rounds)
            if not self.tps.get(number, {}).keys() >= set(arms)
        }

    def rates(self, arm: str) -> list[float]:
        """One configuration's transactions per second, round by round."""
        return [each[arm] for _, each in sorted(self.tps.items()) if arm in each]

    def whole(self, arm: str) -> list[dict[str, float]]:
        """The rounds that have all that a share of ``arm`` is made of."""
        return [each for each in self.tps.values() if {BEFORE, arm, HAND} <= each.keys()]

    def times(self, arm: str, against: str = BEFORE) -> float:
        """How many times another configuration's rate one has; nan where not known."""
        return _times(self.tps.values(), arm, against)

    @property
    def delayed(self) -> float:
        """How many times the defaults' 95th percentile the plan's is; nan where not known."""
        return _times(self.p95_us.values(), PLAN)

    @property
    def gains(self) -> bool:
        """Whether the hand-tuned lines bring more than noise."""
        return self.times(HAND) >= 1 + LEAST_GAIN

    def captured(self, arm: str) -> float:
        """The share of the hand-tuned gain; nan where there is hardly any."""
        return _share(self.whole(arm), arm) if self.gains else math.nan

    def interval(self, arm: str) -> tuple[float, float]:
        """Its 95 % interval: whole rounds drawn again (bootstrap); nan for fewer than three.

        Also nan where the gain by hand is not told from noise: a share of nearly nothing is any.
        """
        rounds = self.whole(arm)
        if len(rounds) < LEAST_ROUNDS or not self.gains:
            return math.nan, math.nan
        chance = random.Random(1)
        drawn = [chance.choices(rounds, k=len(rounds)) for _ in range(DRAWS)]
        if sum(_times(draw, HAND) < 1 + LEAST_GAIN for draw in drawn) > 0.025 * DRAWS:
            return math.nan, math.nan
        return _ends(_share(draw, arm) for draw in drawn if _times(draw, HAND) > 1)


def all_against_hand(measured: Sequence[Pieces]) -> tuple[float, float, float]:
    """How many times the rate by hand the plan's is, over all rounds of all cases, and its ends.

    Each case has a whole round. The median, and its 95 % interval: cases are drawn again, and in
    each its rounds.
    """
    ratios = [[each[PLAN] / each[HAND] for each in pieces.whole(PLAN)] for pieces in measured]
    chance = random.Random(1)
    drawn = (
        median(
            ratio
            for case in chance.choices(ratios, k=len(ratios))
            for ratio in chance.choices(case, k=len(case))
        )
        for _ in range(DRAWS)
    )
    return median(ratio for case in ratios for ratio in case), *_ends(drawn)


def _ends(drawn: Iterable[float]) -> tuple[float, float]:
    """The 95 % interval of draws."""
    ordered = sorted(drawn)
    return ordered[int(0.025 * len(ordered))], ordered[int(0.975 * (len(ordered) - 1))]


def _times(rounds: Iterable[Round], arm: str, against: str = BEFORE) -> float:
    """How many times the other's figure one configuration has in the same round, in the median.

    What the machine gives changes between rounds, and meets all of one round alike.
    """
    both = [each for each in rounds if {arm, against} <= each.keys()]
    return median(each[arm] / each[against] for each in both) if both else math.nan


def _share(rounds: Sequence[Round], arm: str) -> float:
    """What a configuration brings, as a share of what the lines by hand do."""
    by_hand = _times(rounds, HAND) - 1
    return (_times(rounds, arm) - 1) / by_hand if by_hand > 0 else math.nan


class Kept:
    """A folder for each case: the check as the program stored it, and the rates that were found.

    What is advised is asked anew of each product. A rate counts for as long as its configuration's
    lines are those that are advised.
    """

    def __init__(self, folder: Path = KEPT) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.tree = product_tree()
        self._folder = folder

    def folder(self, case: Case) -> Path:
        """Where all of a case lies; ``home`` in it is what the program keeps of its check."""
        told = hashlib.sha256(json.dumps(asdict(case)).encode()).hexdigest()[:8]
        found = self._folder / f"{case.server}-{case.load}-{told}"
        found.mkdir(exist_ok=True)
        return found

    def checked(self, case: Case) -> bool:
        """Whether the server was looked at."""
        return (self.folder(case) / CHECKED).is_file()

    def add_check(self, case: Case, tuner: list[str] | None, refused: str) -> None:
        """A case was checked; ``tuner`` and ``refused`` as in `Advised`."""
        told = {"case": asdict(case), "tuner": tuner, "refused": refused}
        (self.folder(case) / CHECKED).write_text(json.dumps(told), "utf-8")

    def tuner(self, case: Case) -> tuple[list[str] | None, str]:
        """What MySQLTuner said when the case was checked."""
        told = json.loads((self.folder(case) / CHECKED).read_text("utf-8"))
        return told["tuner"], told["refused"]

    def add_advice(self, case: Case, advised: Advised) -> None:
        """Keep what this product proposes."""
        self._advice(case).write_text(json.dumps(asdict(advised)), "utf-8")

    def add_rate(
        self, case: Case, number: int, arm: str, lines: Sequence[str], **figures: float
    ) -> None:
        """Keep what one configuration, with its lines, gave in one round."""
        found = {"round": number, "arm": arm, "lines": [*lines], **figures}
        with (self.folder(case) / RATES).open("a", encoding="utf-8") as file:
            file.write(json.dumps(found) + "\n")

    def pieces(self, case: Case) -> Pieces:
        """All that is there of a case."""
        found, advice = Pieces(case), self._advice(case)
        if not advice.is_file():
            return found
        found.advised = Advised(**json.loads(advice.read_text("utf-8")))
        arms, rates = found.advised.arms, self.folder(case) / RATES
        for line in rates.read_text("utf-8").splitlines() if rates.is_file() else ():
            piece = json.loads(line)
            number, arm = piece["round"], piece["arm"]
            if arm in arms and sorted(arms[arm]) == sorted(piece["lines"]):
                found.tps.setdefault(number, {})[arm] = piece["tps"]
                if "client_p95_us" in piece:
                    found.p95_us.setdefault(number, {})[arm] = piece["client_p95_us"]
        return found

    def cases(self) -> list[Case]:
        """Those that were checked."""
        files = sorted(self._folder.glob(f"*/{CHECKED}"))
        return [Case(**json.loads(file.read_text("utf-8"))["case"]) for file in files]

    def _advice(self, case: Case) -> Path:
        return self.folder(case) / f"advice-{self.tree}.json"


def product_tree() -> str:
    """Name the product's folders as they lie here, changes that are not committed included."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"GIT_INDEX_FILE": str(Path(folder) / "index")}

        def git(*args: str) -> str:
            argv = ["git", "-C", str(ROOT), *args]
            done = subprocess.run(argv, env=environment, capture_output=True, text=True, check=True)
            return done.stdout

        git("read-tree", "HEAD")
        git("add", "--all", "--", *PRODUCT)
        return hashlib.sha256(git("ls-files", "--stage", "--", *PRODUCT).encode()).hexdigest()[:12]
