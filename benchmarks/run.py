"""Compares the agent with fio and sysbench: ``make bench``.

Without names all comparisons run. The status is 1 when a bar is missed or a program fails.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable

import agreement
import coverage
import judging
import many_threads
import overhead
import point_select
import report
from agent import ROOT
from outcome import Outcome
from process import BenchmarkError

COMPARISONS: dict[str, Callable[[int], Outcome]] = {
    "overhead": overhead.compare,
    "agreement": agreement.compare,
    "point_select": point_select.compare,
    "many_threads": many_threads.compare,
    "coverage": coverage.compare,
    "judging": judging.compare,
}
ROUNDS = {
    "overhead": overhead.ROUNDS,
    "agreement": agreement.ROUNDS,
    "point_select": point_select.ROUNDS,
    "many_threads": many_threads.ROUNDS,
    "coverage": coverage.ROUNDS,
    "judging": judging.ROUNDS,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[[], *COMPARISONS], help="default: all")
    parser.add_argument("--rounds", type=int, help="rounds of each comparison")
    parser.add_argument(
        "--keep", action="store_true", help="write RESULTS.md, where not all comparisons run, too"
    )
    options = parser.parse_args()
    # What is compared is the agent of this source tree.
    subprocess.run([sys.executable, str(ROOT / "packaging" / "build_agent.py")], check=True)
    names = options.names or list(COMPARISONS)
    facts = report.machine()
    outcomes = []
    try:
        for name in names:
            print(f"{name} ...", flush=True)
            outcome = COMPARISONS[name](options.rounds or ROUNDS[name])
            if options.keep or not options.names:
                report.save(outcome, facts)
            outcomes.append(outcome)
    except BenchmarkError as failure:
        print(f"The comparison failed: {failure}", file=sys.stderr)
        return 1
    text = report.page(outcomes, facts)
    print(text)
    kept = report.HERE / "RESULTS.md"
    if len(outcomes) == len(COMPARISONS):
        kept.write_text(text, encoding="utf-8")
    elif options.keep:
        for outcome in outcomes:
            changed = report.put_in(kept.read_text(encoding="utf-8"), outcome, facts)
            kept.write_text(changed, encoding="utf-8")
    return 0 if all(bar.met for outcome in outcomes for bar in outcome.bars) else 1


if __name__ == "__main__":
    sys.exit(main())
