"""Targets and runs as the sidebar lists them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from advisor.run import NO_LABEL, RunKind, RunLabel, RunState, RunSummary
from app.controllers.run import LiveRun
from app.controllers.stored_runs import LOCAL, Shelf
from app.presenters.frame.quality import ICONS as VERDICTS
from app.presenters.frame.quality import tone_of
from app.presenters.texts.phrases import PLANS, beside_server, doubts_text, plan_label, points_text
from app.presenters.texts.times import moment, month
from app.runtime.translation import tr
from probes.targets.address import MySQLAddress, TargetKind, TargetSpec
from probes.targets.parse import container_text

ICONS = {
    TargetKind.LOCAL: "monitor",
    TargetKind.SSH: "server",
    TargetKind.CONTAINER: "layers",
    TargetKind.MYSQL: "database",
    TargetKind.TEXTS: "file-input",
}

STATES = {
    RunState.RUNNING: ("loader-circle", "accent", "running"),
    RunState.DONE: ("circle-check", "good", "done"),
    RunState.CANCELLED: ("circle-minus", "quiet", "cancelled"),
    RunState.INTERRUPTED: ("circle-minus", "warn", "interrupted"),
    RunState.FAILED: ("circle-x", "bad", "failed"),
}


KINDS = {
    RunKind.CHECK: "check",
    RunKind.PROBE: "probe",
    RunKind.WATCH: "watch",
    RunKind.IMPORT: "import",
    RunKind.LAB: "lab",
    RunKind.TRIAL: "trial",
}

PLANNED = {
    RunKind.CHECK: "{plan} check",
    RunKind.PROBE: "{plan} probe",
}
"""What a run of one of Leadline's plans is called."""

MOST_FLAT = 12
"""How many runs are listed without headings: more than that scroll anyway."""

IMPORTED = ""
"""The name of the row under which imports stand: no target's."""


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run of a target; ``share`` is how far it is (0..1), None when it is not running here.

    ``month`` is the heading that it stands under, "" where it stands under its target alone.
    """

    run_id: int
    target: str
    title: str
    detail: str
    icon: str
    tone: str
    tip: str
    share: float | None = None
    month: str = ""
    label: RunLabel = NO_LABEL

    @property
    def words(self) -> str:
        """What a search finds it by."""
        label_words = (*self.label.tags, self.label.project, self.label.notes)
        return " ".join((self.title, self.detail, *label_words)).casefold()


@dataclass(frozen=True, slots=True)
class MonthRow:
    """A heading over the runs of a past month, which folds them."""

    title: str
    count: int


@dataclass(frozen=True, slots=True)
class TargetRow:
    """One target with its runs; ``removable`` is False for this computer."""

    name: str
    title: str
    detail: str
    icon: str
    removable: bool
    runs: tuple[RunRow, ...]


def rows(shelf: Shelf, text: str, now: datetime, project: str = "") -> list[TargetRow]:
    """What to list; ``text`` keeps the targets and runs that contain it, ``project`` its runs."""
    if project:
        shelf = of_project(shelf, project)
    wanted = text.casefold().strip()
    made = []
    for spec in shelf.targets:
        own = [run for run in shelf.of(spec.name) if run.kind is not RunKind.IMPORT]
        if not own and _only_imported(spec, shelf):
            continue
        runs = _run_rows(own, now)
        title, detail = title_of(spec), detail_of(spec)
        if wanted and wanted not in f"{title} {detail}".casefold():
            runs = [row for row in runs if wanted in row.words]
            if not runs:
                continue
        removable = spec.name != LOCAL.name
        made.append(TargetRow(spec.name, title, detail, ICONS[spec.kind], removable, tuple(runs)))
    return [*made, *_imports(shelf, wanted, now)]


def of_project(shelf: Shelf, project: str) -> Shelf:
    """The runs of one project, and the targets that they are of."""
    runs = tuple(run for run in shelf.runs if run.label.project == project)
    kept = {run.target for run in runs}
    return replace(shelf, targets=tuple(s for s in shelf.targets if s.name in kept), runs=runs)


def projects(shelf: Shelf) -> list[str]:
    """The names of all projects, that of the latest run first."""
    return list(dict.fromkeys(run.label.project for run in shelf.runs if run.label.project))


def with_live(
    listed: list[TargetRow], shelf: Shelf, live: Iterable[LiveRun], now: datetime
) -> list[TargetRow]:
    """The same rows, with those of the runs that go on as they are now; all others stay."""
    running = {run.run_id: run for run in live if run.running and run.run_id is not None}
    found = {run.id: run for run in shelf.runs if run.id in running} if running else {}
    if not found:
        return listed
    targets = {run.target for run in found.values()}

    def updated(row: RunRow) -> RunRow:
        summary, share = found[row.run_id], running[row.run_id].fraction
        return _run_row(summary, moment(summary.started_at, now), row.month, share)

    return [
        replace(
            target,
            runs=tuple(updated(row) if row.run_id in found else row for row in target.runs),
        )
        if target.name in targets
        else target
        for target in listed
    ]


def _run_rows(summaries: Sequence[RunSummary], now: datetime) -> list[RunRow]:
    """A row for each; where there are many, those of the months before the latest get headings."""
    months = [month(summary.started_at, now) for summary in summaries]
    latest = months[0] if len(summaries) > MOST_FLAT else ""
    headings = [each if latest and each != latest else "" for each in months]
    return [
        _run_row(summary, moment(summary.started_at, now), heading)
        for summary, heading in zip(summaries, headings, strict=True)
    ]


def _only_imported(spec: TargetSpec, shelf: Shelf) -> bool:
    """Whether there is no such target, but an import of that name."""
    bare = spec == TargetSpec(name=spec.name) and spec.name != LOCAL.name
    return bare and bool(shelf.of(spec.name))


def _imports(shelf: Shelf, wanted: str, now: datetime) -> list[TargetRow]:
    """All imports under one heading; nothing where there are none."""
    kept = [run for run in shelf.runs if run.kind is RunKind.IMPORT]
    title = tr("Imported")
    runs = [row for row in _run_rows(kept, now) if wanted in f"{title} {row.words}".casefold()]
    if not runs:
        return []
    return [TargetRow(IMPORTED, title, "", "file-input", False, tuple(runs))]


def title_of(spec: TargetSpec) -> str:
    """How a target is called in the window."""
    return tr("This computer") if spec.name == LOCAL.name else spec.name


def detail_of(spec: TargetSpec) -> str:
    """How a target is reached, in one line."""
    if spec.kind is TargetKind.TEXTS:
        return tr("known from texts")
    parts = []
    if container := container_text(spec):
        parts.append(container)
    elif spec.ssh is not None:
        parts.append(spec.ssh.place)
    if spec.mysql is not None:
        parts.append(mysql_text(spec.mysql))
    # One that is named by its socket is not reached by anything else.
    return " · ".join(part for part in parts if part != spec.name)


def mysql_text(address: MySQLAddress) -> str:
    """``app@db7:3306``, or the socket's path."""
    user = f"{address.user}@" if address.user else ""
    if address.socket:
        return f"{user}{address.socket}"
    if address.host:
        return f"{user}{address.host}:{address.port}"
    return f"{user}{address.defaults_file}" if address.defaults_file else user + tr("option file")


def _run_row(summary: RunSummary, when: str, heading: str, share: float | None = None) -> RunRow:
    icon, tone, word = STATES[summary.state]
    label = summary.label
    points, kind, state = points_text(summary.points), KINDS[summary.kind], word
    what = f"{kind}, {summary.plan}"
    if summary.kind in PLANNED and summary.plan in PLANS:
        what = tr(PLANNED[summary.kind], plan=plan_label(summary.plan))
    title, tip = when, f"{when}, {what}: {state}, {points}."
    if summary.doubted:
        doubts = doubts_text(summary.doubtful, summary.rejected)
        tip = f"{when}, {what}: {state}, {points}, {doubts}."
    if summary.state is RunState.DONE:
        # The same verdict as above every page of the run.
        tone = tone_of(summary.doubted, summary.points)
        icon = VERDICTS[tone]
    if summary.beside_server:
        measured = beside_server(tr("Measured"))
        tip = f"{tip} {measured}."
    if summary.kind is RunKind.IMPORT:
        title, detail = summary.target, f"{kind}, {when}"
        tip = tr(
            "{target}, imported {when}: {points}.", target=summary.target, when=when, points=points
        )
    elif summary.kind is RunKind.LAB:
        detail, tip = tr("lab, on servers of its own"), f"{when}, {kind}: {state}."
    elif summary.from_texts:
        detail, tip = tr("from texts"), f"{when}, {tr('from texts')}."
    elif summary.kind is RunKind.TRIAL:
        detail, tip = tr("trial of a setting"), f"{when}, {kind}: {state}."
    elif summary.kind is RunKind.WATCH:
        detail, tip = tr("watch"), f"{when}, {kind}: {state}."
    else:
        detail = f"{what}, {points}" if share is None else what
    if label.name and summary.kind is not RunKind.IMPORT:
        detail = f"{when}, {detail}"
    project = label.project and tr("Project {name}", name=label.project)
    parts = [tip, summary.reason, project, ", ".join(label.tags), label.notes]
    return RunRow(
        summary.id,
        summary.target,
        label.name or title,
        detail,
        icon,
        tone,
        " ".join(filter(None, parts[:2])) + "".join(f"\n{each}" for each in parts[2:] if each),
        share,
        heading,
        label,
    )
