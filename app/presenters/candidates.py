"""What can be compared: kept runs, imports and published tables, as rows to pick from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from advisor.compare.contender import Contender
from advisor.run import RunKind, RunState, RunSummary
from app.controllers.comparison import REFERENCE, RUN
from app.controllers.stored_runs import LOCAL, Shelf
from app.presenters.times import moment
from probes.figures import counted
from probes.plans.plan import PlanName
from probes.words import BESIDE_SERVER, PROBES

KIND_TEXTS = {
    RunKind.CHECK: "check",
    RunKind.PROBE: "probe",
    RunKind.WATCH: "watch",
    RunKind.IMPORT: "import",
}
IMPORTED, LIBRARY = "Imported", "Published"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One row; ``group`` is the heading that it stands under."""

    key: str
    group: str
    name: str
    kind: str
    points: str
    detail: str

    @property
    def words(self) -> str:
        """What a search finds it by."""
        return f"{self.group} {self.name} {self.kind} {self.detail}".casefold()


def candidates(shelf: Shelf, references: Iterable[Contender], now: datetime) -> list[Candidate]:
    """All that has points, group by group."""
    runs = [run for run in shelf.runs if run.points and run.state is not RunState.RUNNING]
    order = {spec.name: at for at, spec in enumerate(shelf.targets)}
    ranked = sorted(runs, key=lambda run: (_group_rank(run, order), -run.id))
    return [*(_of_run(run, now) for run in ranked), *map(_of_reference, references)]


def found(rows: Iterable[Candidate], text: str) -> list[Candidate]:
    """The rows that contain a text."""
    wanted = text.casefold().strip()
    return [row for row in rows if wanted in row.words]


def picked_names(
    picked: Iterable[str], runs: Iterable[RunSummary], now: datetime
) -> dict[str, str]:
    """What the picked runs are called beside each other, by their keys."""
    known = {f"{RUN}{run.id}": run for run in runs}
    names = {key: _run_name(known[key], now) for key in picked if key in known}
    said = Counter(names.values())
    return {
        key: name if said[name] == 1 else f"{name} (run {key.removeprefix(RUN)})"
        for key, name in names.items()
    }


def _run_name(run: RunSummary, now: datetime) -> str:
    """What a run is called beside others: its target and its time, or the import's name."""
    if run.label.name:
        return run.label.name
    if run.kind is RunKind.IMPORT:
        return run.target
    return f"{_target(run.target)}, {moment(run.started_at, now)}"


def _target(name: str) -> str:
    return "This computer" if name == LOCAL.name else name


def _group_rank(run: RunSummary, order: Mapping[str, int]) -> tuple[int, str]:
    """Targets as they are listed, then those that are not, then imports."""
    if run.kind is RunKind.IMPORT:
        return len(order) + 1, ""
    known = run.target in order
    return order.get(run.target, len(order)), "" if known else run.target


def _of_run(run: RunSummary, now: datetime) -> Candidate:
    imported = run.kind is RunKind.IMPORT
    when = moment(run.started_at, now)
    return Candidate(
        f"{RUN}{run.id}",
        IMPORTED if imported else _target(run.target),
        run.label.name or (run.target if imported else when),
        KIND_TEXTS[run.kind],
        counted(run.points, "point"),
        _dated(run, when) if imported or run.label.name else _detail(run),
    )


def _dated(run: RunSummary, when: str) -> str:
    """When it was made, for one that is listed by a name; tags find it, too."""
    beside = [when] if run.kind is RunKind.IMPORT else [when, _detail(run)]
    return ", ".join([*beside, *run.label.tags])


def _detail(run: RunSummary) -> str:
    beside = f", {BESIDE_SERVER}" if run.beside_server else ""
    plan = f"{run.plan} plan" if run.plan in set(PlanName) else run.plan
    return f"{plan}, {run.state.value}{beside}"


def _of_reference(one: Contender) -> Candidate:
    probes = dict.fromkeys(PROBES[point.setting.probe].title for point in one.points)
    return Candidate(
        f"{REFERENCE}{one.key}",
        LIBRARY,
        one.name,
        "published",
        counted(len(one.points), "point"),
        f"{', '.join(probes)}; {one.source}",
    )
