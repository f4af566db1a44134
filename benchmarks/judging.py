"""How long all rules take to judge a case: those of the rules' own tests, and whole servers."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from statistics import median, quantiles

from agent import ROOT
from outcome import Bar, Measured, Outcome

sys.path.insert(0, str(ROOT))

from advisor.case import Case
from advisor.rules.engine import judge
from advisor.rules.registry import all_rules
from tests.rules.casework import build
from tests.rules.recorded import SERVERS, all_variables_of, version_of
from tests.rules.test_engine import QUICK
from tests.rules.test_rules import cases_of

ROUNDS = 5
LONGEST_MS = 50.0


def compare(rounds: int = ROUNDS) -> Outcome:
    """Judge every case once a round; a case's time is the median over the rounds."""
    kinds = {"cases of the rules' tests": list(_of_rules()), "whole servers": list(_of_servers())}
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
            "variable that their version knows, and a drive's curves."
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


def _judge_ms(case: Case) -> float:
    began = time.perf_counter()
    judge(case)
    return (time.perf_counter() - began) * 1000


def _row(setting: str, number: int, times_ms: list[float]) -> Measured:
    half = median(times_ms)
    return Measured(
        program="judge",
        setting=setting,
        round=number,
        rate_per_s=1000 / half,
        user_us=half * 1000,
        system_us=0.0,
        p50_us=half * 1000,
        p95_us=quantiles(times_ms, n=20)[-1] * 1000,
    )
