"""Runs one subject: ``make bench SUBJECT=guard ARGS="--trials 3"``; without one, lists them."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib import import_module


@dataclass(frozen=True)
class Subject:
    """What is measured: the module and function that do it, and what that takes and needs.

    ``setup`` are purposes of packaging/setup.sh, apart from benchmarks of the agent.
    """

    what: str
    function: str
    takes: str
    setup: str = "bench"
    needs: str = ""


SUBJECTS = {
    "probes": Subject(
        "the agent beside fio and sysbench, and how long judging takes",
        "probes.compared:main",
        "names of comparisons, --rounds N, --keep",
        setup="bench test",
        needs="root for huge pages",
    ),
    "accuracy": Subject(
        "short points of the agent beside long ones of fio",
        "probes.accuracy:main",
        "--short, --rounds N",
        needs="root for huge pages",
    ),
    "advice": Subject(
        "how much of a DBA's gain the plan brings on loaded servers",
        "advice.trial:main",
        "servers, --loads, --rounds N, --minutes N, --take",
        setup="bench test servers",
        needs="hours, in pieces",
    ),
    "model": Subject(
        "how fast the model is, and how far forecasts lie from published tables and a server here",
        "model.solver:main",
        "--store FILE, --sandbox, --other ram, --minutes N, --take",
        setup="bench test",
    ),
    "misses": Subject(
        "how well the misses of a larger buffer pool are forecast",
        "model.misses:main",
        "servers, --take",
        setup="bench test servers",
        needs="root",
    ),
    "judging": Subject(
        "how much is decided on noisy machines, and how often wrongly",
        "judging.decided:main",
        "--machines N, --wrong",
        setup="test",
    ),
    "beside": Subject(
        "what a quick check finds beside a server that loads its drive",
        "watch.beside:main",
        "--servers, --rows N, --load, --only-print",
        setup="bench test servers",
        needs="root for the trace",
    ),
    "watch": Subject(
        "what watching a server costs, and how true it is",
        "watch.cost:main",
        "--seconds S, --pairs N, --kills N",
        setup="bench test",
        needs="root",
    ),
    "guard": Subject(
        "how soon a probe stops when its server suffers",
        "safety.guard:main",
        "--trials N",
        setup="bench server test",
    ),
    "kills": Subject(
        "what is left when any side is killed at random moments",
        "safety.kills:main",
        "--trials N, --seed N",
        setup="bench server test",
    ),
    "interrupts": Subject(
        "how soon Leadline is gone after Ctrl-C in every state",
        "safety.interrupts:main",
        "--rounds N",
        setup="bench server test",
    ),
    "window": Subject(
        "how soon the window is there, and what users do in it costs",
        "window.cost:main",
        "--part start|use, --rounds N, --against TREE",
        setup="window server test",
    ),
    "compare": Subject(
        "what a tick in the window's list of a thousand runs costs",
        "window.cost:compare",
        "--rounds N, --runs N, --against TREE",
        setup="window test",
    ),
}


def main() -> int:
    """The status is the subject's: 1 where a bar is missed."""
    match sys.argv[1:]:
        case ["--setup", *names]:
            print(*(SUBJECTS[name].setup for name in names if name in SUBJECTS))
            return 0
        case [name, *given] if name in SUBJECTS:
            sys.argv = [f"SUBJECT={name}", *given]
            return run(SUBJECTS[name])
    print("make bench SUBJECT=... ARGS=...; ARGS=--help tells more of one.")
    for name, subject in SUBJECTS.items():
        needs = f"; needs {subject.needs}" if subject.needs else ""
        print(f"  {name:10} {subject.what} ({subject.takes}{needs})")
    return 2 if sys.argv[1:] else 0


def run(subject: Subject) -> int:
    """Measure; a program that is compared with and fails ends it with 1."""
    from benchmarks.shared.process import BenchmarkError

    module, _, function = subject.function.partition(":")
    try:
        status: int = getattr(import_module(f"benchmarks.{module}"), function)()
    except BenchmarkError as failure:
        print(f"The benchmark failed: {failure}", file=sys.stderr)
        return 1
    return status


if __name__ == "__main__":
    sys.exit(main())
