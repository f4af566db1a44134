"""Runs one subject: ``make bench SUBJECT=guard ARGS="--trials 3"``; without one, lists them."""

from __future__ import annotations

import ast
import sys
from importlib import import_module
from pathlib import Path
from typing import NamedTuple


class Subject(NamedTuple):
    """A module whose ``main`` measures, what packaging/setup.sh prepares for it, what it takes."""

    module: str
    setup: str
    takes: str
    given: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """What it measures: the first line of the module."""
        file = Path(__file__).parent / f"{self.module.replace('.', '/')}.py"
        return (ast.get_docstring(ast.parse(file.read_text("utf-8"))) or "").partition("\n")[0]


SUBJECTS = {
    "probes": Subject("probes.compared", "bench test", "names, --rounds N, --keep; root"),
    "accuracy": Subject("probes.accuracy", "bench", "--short, --rounds N; root"),
    "advice": Subject("advice.trial", "bench test servers", "servers, --loads, --minutes N; hours"),
    "model": Subject("model.solver", "bench test", "--store FILE, --sandbox, --other ram"),
    "lab": Subject(
        "lab.questions", "bench test servers", "questions, --servers, --minutes N; hours"
    ),
    "lab-truth": Subject("lab.truth", "bench", "--labs N, --minutes N, --turns N, --recorded DIR"),
    "lab-planted": Subject(
        "lab.planted", "bench test servers", "--labs N, --minutes N, --budget 2min; root, an hour"
    ),
    "wild": Subject("wild.bench", "bench test servers", "names, --minutes N, --tree DIR; hours"),
    "try": Subject(
        "trial.tried",
        "bench test servers",
        "--trials N; --server NAME --part P --minutes N, hours",
    ),
    "misses": Subject("model.misses", "bench test servers", "servers, --take; root"),
    "judging": Subject("judging.decided", "bench test", "--machines N, --wrong"),
    "beside": Subject("watch.beside", "bench test servers", "--servers, --rows N, --load; root"),
    "watch": Subject("watch.cost", "bench test", "--seconds S, --pairs N, --kills N; root"),
    "fleet": Subject("fleet.five_hundred", "bench test", "--servers, --number N, --keep DIR"),
    "guard": Subject("safety.guard", "bench server test", "--trials N"),
    "kills": Subject("safety.kills", "bench server test", "--trials N, --seed N"),
    "interrupts": Subject("safety.interrupts", "bench server test", "--rounds N"),
    "fuzz": Subject("safety.fuzz", "bench fuzz", "readers, --minutes N"),
    "window": Subject("window.cost", "bench window server test", "--rounds N, --against TREE"),
    "compare": Subject(
        *("window.cost", "bench window test", "--runs N, --rounds N, --against TREE"),
        given=("--part", "compare"),
    ),
}


def main() -> int:
    """The status is the subject's: 1 where a bar is missed, or what is compared with fails."""
    match sys.argv[1:]:
        case ["--setup", *names]:
            print(*(SUBJECTS[name].setup for name in names if name in SUBJECTS))
            return 0
        case [name, *given] if name in SUBJECTS:
            from benchmarks.shared.process import BenchmarkError

            sys.argv = [f"SUBJECT={name}", *SUBJECTS[name].given, *given]
            try:
                status: int = import_module(f"benchmarks.{SUBJECTS[name].module}").main()
            except BenchmarkError as failure:
                print(f"The benchmark failed: {failure}", file=sys.stderr)
                return 1
            return status
    print("make bench SUBJECT=... (ARGS=--help tells all that it takes; what needs root or hours)")
    for name, subject in SUBJECTS.items():
        print(f"  {name:10} {subject.sentence}  [{subject.takes}]")
    return 2 if sys.argv[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
