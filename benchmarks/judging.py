"""How long all rules take to judge a case: those of the rules' tests, whole servers, a real run."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles

from agent import ROOT
from outcome import Bar, Measured, Outcome
from process import BenchmarkError

from advisor.report.report import read_case

sys.path.insert(0, str(ROOT))

from advisor.case import Case
from advisor.judging.engine import judge
from advisor.rulekit.registry import all_rules
from tests.rules.casework import build
from tests.rules.recorded import SERVERS, all_variables_of, version_of
from tests.rules.test_engine import QUICK
from tests.rules.test_rules import cases_of

ROUNDS = 20
LONGEST_MS = 50.0


def compare(rounds: int = ROUNDS) -> Outcome:
    """Judge every case once a round; a case's time is the median over the rounds."""
    kinds = {
        "cases of the rules' tests": list(_of_rules()),
        "whole servers": list(_of_servers()),
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


def _of_rules() -> Iterator[Case]:
    for rule in all_rules():
        yield from (build(case) for case in cases_of(rule))


def _of_servers() -> Iterator[Case]:
    for server in SERVERS:
        told = {"version": version_of(server), "variables": all_variables_of(server)}
        yield build(QUICK | told)


def _of_this_computer() -> Case:
    """Measure this computer with a throwaway server, and hand the run over as users do."""
    with tempfile.TemporaryDirectory(prefix="leadline-bench-", dir="/var/tmp") as folder:
        file = Path(folder) / "run.leadline"
        commands = (
            ("check", "local", "--sandbox", "--plan", "quick"),
            ("case", "export", "1", str(file)),
        )
        for command in commands:
            ended = subprocess.run(
                [sys.executable, "-m", "app", *command],
                cwd=ROOT,
                env=os.environ | {"LEADLINE_HOME": folder},
                capture_output=True,
                text=True,
                check=False,
            )
            if ended.returncode:
                raise BenchmarkError(f"leadline {command[0]} failed: {ended.stderr.strip()}")
        return read_case(file).case


def _judge_ms(case: Case) -> float:
    began = time.perf_counter()
    judge(case)
    return (time.perf_counter() - began) * 1000


def _row(setting: str, number: int, times_ms: list[float]) -> Measured:
    half = median(times_ms)
    highest = quantiles(times_ms, n=20)[-1] if len(times_ms) > 1 else half
    return Measured(
        program="judge",
        setting=setting,
        round=number,
        rate_per_s=1000 / half,
        user_us=half * 1000,
        system_us=0.0,
        p50_us=half * 1000,
        p95_us=highest * 1000,
    )
