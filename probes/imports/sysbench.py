"""The text of sysbench: fileio and oltp tests of 0.4 to 1.1, one run or many in one file."""

from __future__ import annotations

from probes.errors import ImportRefused
from probes.imports import sysbench_fileio, sysbench_oltp
from probes.imports.imported import Imported
from probes.imports.sysbench_run import SysbenchRun, runs
from probes.points import Point

KIND = "sysbench"
ENGINE = "sysbench"

MOST_RUNS = 20_000


def read(text: str, source: str) -> Imported:
    """Read every run of the file; other tests and runs without a result are left out.

    Raises ImportRefused.
    """
    points: list[Point] = []
    warnings: list[str] = []
    conditions: dict[str, set[str]] = {}
    version = ""
    for number, run in enumerate(runs(text)):
        if number >= MOST_RUNS:
            raise ImportRefused(f"The file holds more than {MOST_RUNS} runs.", "Split it.")
        version = version or run.version
        if version != run.version:
            warnings.append(f"The file holds runs of sysbench {version} and {run.version}.")
        points += _read_run(run, warnings, conditions)
    if not points:
        raise ImportRefused(
            "The file holds no result of sysbench's fileio or oltp tests.",
            " ".join(dict.fromkeys(warnings)),
        )
    return Imported(
        source=source,
        kind=KIND,
        engine=ENGINE,
        engine_version=version,
        conditions={name: min(said) for name, said in conditions.items() if len(said) == 1},
        points=tuple(points),
        warnings=tuple(dict.fromkeys(warnings)),
    )


def _read_run(
    run: SysbenchRun, warnings: list[str], conditions: dict[str, set[str]]
) -> list[Point]:
    if sysbench_fileio.RESULT.search(run.text):
        for name, value in sysbench_fileio.conditions(run).items():
            conditions.setdefault(name, set()).add(value)
        return list(sysbench_fileio.read_run(run, warnings))
    if sysbench_oltp.RESULT.search(run.text):
        return list(sysbench_oltp.read_run(run, warnings))
    warnings.append("A run was left out: it has no result of a fileio or oltp test.")
    return []
