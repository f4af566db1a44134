"""The text of sysbench: fileio and oltp tests of 0.4 to 1.1, one run or many in one file."""

from __future__ import annotations

from probes.errors import ImportRefused
from probes.imports.apart import scripts_alike
from probes.imports.imported import Imported, ImportNotes
from probes.imports.sysbench import fileio, oltp
from probes.imports.sysbench.run import SysbenchRun, runs
from probes.points import Point

KIND = "sysbench"
ENGINE = "sysbench"

MOST_RUNS = 20_000


def read(text: str, source: str) -> Imported:
    """Read every run of the file; other tests and runs without a result are left out.

    Raises ImportRefused.
    """
    points: list[Point] = []
    notes = ImportNotes()
    conditions: dict[str, set[str]] = {}
    found = _at_most(text)
    version = found[0].version
    for number, run in enumerate(found, 1):
        if version != run.version:
            notes.warnings.append(f"The file holds runs of sysbench {version} and {run.version}.")
        called = f"Run {number}" if len(found) > 1 else "The run"
        points += _read_run(run, called, notes, conditions)
    if not points:
        raise ImportRefused(
            "The file holds no result of sysbench that a probe of Leadline's could be compared "
            "with.",
            notes.reasons,
        )
    return Imported(
        source=source,
        kind=KIND,
        engine=ENGINE,
        engine_version=version,
        conditions={name: min(values) for name, values in conditions.items() if len(values) == 1},
        points=tuple(scripts_alike(points)),
        warnings=notes.all,
    )


def _at_most(text: str) -> list[SysbenchRun]:
    found: list[SysbenchRun] = []
    for run in runs(text):
        if len(found) >= MOST_RUNS:
            raise ImportRefused(f"The file holds more than {MOST_RUNS} runs.", "Split it.")
        found.append(run)
    return found


def _read_run(
    run: SysbenchRun, called: str, notes: ImportNotes, conditions: dict[str, set[str]]
) -> list[Point]:
    if fileio.RESULT.search(run.text):
        points = list(fileio.read_run(run, notes))
        for name, value in fileio.conditions(run).items() if points else ():
            conditions.setdefault(name, set()).add(value)
        return points
    if oltp.RESULT.search(run.text):
        return list(oltp.read_run(run, notes))
    notes.left_out.append(
        f"{called} {run.without_result}"
        if run.without_result
        else f"{called} was left out: it has no result of a fileio or oltp test."
    )
    return []
