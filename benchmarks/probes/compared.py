"""The agent beside fio and sysbench, and how long judging takes: RESULTS.md."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from benchmarks.judging.rules import ROUNDS as JUDGED
from benchmarks.judging.rules import of_judging
from benchmarks.probes import accuracy, against_fio, overhead
from benchmarks.probes.outcome import Outcome, put_in
from benchmarks.shared import agent
from benchmarks.shared.report import PAGES, keep, machine, page, status, where

COMPARISONS: dict[str, tuple[Callable[[int], Outcome], int]] = {
    "overhead": (overhead.of_reads, overhead.ROUNDS),
    "agreement": (against_fio.of_reads, against_fio.ROUNDS),
    "point_select": (overhead.of_selects, overhead.ROUNDS),
    "many_threads": (overhead.of_threads, overhead.ROUNDS),
    "coverage": (accuracy.of_quick_points, accuracy.QUICK_ROUNDS),
    "judging": (of_judging, JUDGED),
}
"""What each is made by, and in how many rounds."""


def main() -> int:
    """Run all comparisons, or those that are named; the status is 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description="The agent beside fio and sysbench.")
    parser.add_argument("names", nargs="*", choices=[[], *COMPARISONS], help="default: all")
    parser.add_argument("--rounds", type=int, help="rounds of each comparison")
    parser.add_argument(
        "--keep", action="store_true", help="write RESULTS.md, where not all comparisons run, too"
    )
    options = parser.parse_args()
    agent.build()
    outcomes = []
    for name in options.names or COMPARISONS:
        print(f"{name} ...", flush=True)
        compare, rounds = COMPARISONS[name]
        outcomes.append(compare(options.rounds or rounds))
    lines = [line for outcome in outcomes for line in outcome.section()]
    text = page("The agent beside fio and sysbench", "probes", lines)
    if not options.names:
        keep("RESULTS", text)
    else:
        print(text)
    for outcome in outcomes if options.keep or not options.names else ():
        outcome.save()
        if options.names:
            kept = PAGES / "RESULTS.md"
            kept.write_text(put_in(kept.read_text("utf-8"), outcome, where(machine())), "utf-8")
    return status(bar for outcome in outcomes for bar in outcome.bars)
