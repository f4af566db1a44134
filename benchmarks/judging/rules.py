"""How long all rules take to judge a case: those of the rules' tests, whole servers, a real run."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from statistics import median, quantiles

from advisor.case import Case
from advisor.judging.engine import judge
from advisor.report.report import read_case
from advisor.rulekit.registry import all_rules
from benchmarks.probes.outcome import Measured, Outcome
from benchmarks.shared.loaded_server import leadline
from benchmarks.shared.report import Bar
from tests.advisor.judging.test_engine import QUICK
from tests.rules.casework import build
from tests.rules.recorded import SERVERS, all_variables_of, version_of
from tests.rules.test_rules import cases_of

ROUNDS = 20
LONGEST_MS = 50.0


def of_judging(rounds: int) -> Outcome:
    """Judge every case once a round; a case's time is the median over the rounds."""
    of_servers = (
        {"version": version_of(server), "variables": all_variables_of(server)} for server in SERVERS
    )
    kinds = {
        "cases of the rules' tests": [
            build(case) for rule in all_rules() for case in cases_of(rule)
        ],
        "whole servers": [build(QUICK | said) for said in of_servers],
        "quick runs on this computer": [_of_this_computer()],
    }
    rows, bars = [], []
    for setting, cases in kinds.items():
        times = [[_judge_ms(case) for case in cases] for _ in range(rounds)]
        by_case = [median(each) for each in zip(*times, strict=True)]
        rows += [_row(setting, number, each) for number, each in enumerate(times)]
        bars.append(Bar(f"the slowest of {len(cases)} {setting}, ms", max(by_case), LONGEST_MS))
    return Outcome(
        name="judging",
        title="Judging a case",
        method=(
            f"All {len(all_rules())} rules on a case that is in memory, in one process, {rounds} "
            "rounds; a case's time is its median over the rounds. Whole servers have every "
            "variable that their version knows, and a drive's curves; the quick run is a real one, "
            "taken for this."
        ),
        rows=rows,
        bars=bars,
    )


def _of_this_computer() -> Case:
    """Measure this computer with a throwaway server, and hand the run over as users do."""
    with tempfile.TemporaryDirectory(prefix="leadline-bench-", dir="/var/tmp") as folder:
        file = Path(folder) / "run.leadline"
        leadline(Path(folder), "check", "local", "--sandbox", "--plan", "quick")
        leadline(Path(folder), "case", "export", "1", str(file))
        return read_case(file).case


def _judge_ms(case: Case) -> float:
    began = time.perf_counter()
    judge(case)
    return (time.perf_counter() - began) * 1000


def _row(setting: str, number: int, times_ms: list[float]) -> Measured:
    half = median(times_ms)
    highest = quantiles(times_ms, n=20)[-1] if len(times_ms) > 1 else half
    times_us = (half * 1000, 0.0, half * 1000, highest * 1000)
    return Measured("judge", setting, number, 1000 / half, *times_us)
