"""What can be compared: kept runs, imports and published tables, as rows to pick from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from advisor.compare.contender import Contender
from advisor.run import RunKind, RunState, RunSummary, repeated
from app.controllers.drive_keys import DriveKey, ReferenceKey, RunKey
from app.controllers.stored_runs import LOCAL, Shelf
from app.presenters.frame.sidebar_rows import STATES, title_of
from app.presenters.texts.phrases import PLANS, beside_server, doubts_text, plan_label
from app.presenters.texts.times import dated, moment
from app.runtime.translation import tr
from probes.figures import count
from probes.kinds.table import PROBES
from probes.points import Probe, Setting
from probes.targets.address import TargetSpec

KIND_TEXTS = {
    RunKind.CHECK: "check",
    RunKind.PROBE: "probe",
    RunKind.WATCH: "watch",
    RunKind.IMPORT: "import",
    RunKind.LAB: "lab",
    RunKind.TRIAL: "trial",
}
IMPORTED, LIBRARY = "Imported", "Published"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One row; ``group`` is the heading that it stands under.

    ``place`` is what was measured: a target, where the heading does not say it, the drive and the
    directory. ``detail`` says where it comes from: the kind of a run first, where the heading does
    not say it.
    """

    key: DriveKey
    group: str
    name: str
    points: str
    detail: str
    place: str = ""

    @property
    def words(self) -> str:
        """What a search finds it by."""
        return f"{self.group} {self.name} {self.place} {self.detail}".casefold()

    @property
    def description(self) -> str:
        """All of it, for who hovers over it or has it read out."""
        first = f"{self.name}, {self.place}" if self.place else self.name
        return f"{first}\n{self.detail}"


def candidates(shelf: Shelf, references: Iterable[Contender], now: datetime) -> list[Candidate]:
    """All that has points, group by group: projects, the latest first, then targets.

    Repeats of one drive within a project are one row; a project's rows are in the order of the
    measuring, a target's the latest first.
    """
    runs = [run for run in shelf.runs if run.points and run.state is not RunState.RUNNING]
    order = {spec.name: at for at, spec in enumerate(shelf.targets)}
    projects = {name: -at for at, name in enumerate(run.label.project for run in runs[::-1])}
    known = {run.id: run for run in runs}
    together = [[known[run_id] for run_id in ids] for ids in repeated(runs)]
    ranked = sorted(
        together,
        key=lambda alike: (
            not alike[0].label.project,
            projects[alike[0].label.project] if alike[0].label.project else 0,
            _group_rank(alike[0], order),
            alike[0].id if alike[0].label.project else -alike[-1].id,
        ),
    )
    return [*(_of_runs(alike, now) for alike in ranked), *map(_of_reference, references)]


def key_with(run_id: int, runs: Iterable[RunSummary]) -> RunKey:
    """The key of the row that a run stands in, with those that it repeats."""
    counted_in = (run for run in runs if run.points and run.state is not RunState.RUNNING)
    found = (ids for ids in repeated(counted_in) if run_id in ids)
    return RunKey(next(found, (run_id,)))


def found(rows: Iterable[Candidate], text: str) -> list[Candidate]:
    """The rows that contain a text."""
    wanted = text.casefold().strip()
    return [row for row in rows if wanted in row.words]


def picked_first(rows: Sequence[Candidate], picked: Sequence[DriveKey]) -> list[Candidate]:
    """What is picked above all else, in the order of picking."""
    place = {key: at for at, key in enumerate(picked)}
    lifted = [replace(row, group=tr("Picked")) for row in rows if row.key in place]
    others = [row for row in rows if row.key not in place]
    return [*sorted(lifted, key=lambda row: place[row.key]), *others]


def picked_names(
    picked: Iterable[DriveKey], runs: Iterable[RunSummary], now: datetime
) -> dict[RunKey, str]:
    """What the picked runs are called beside each other, by their keys."""
    known = {run.id: run for run in runs}
    names = {
        key: _run_name(known[key.run_ids[0]], now)
        for key in picked
        if isinstance(key, RunKey) and key.run_ids[0] in known
    }
    uses = Counter(names.values())
    return {
        key: name if uses[name] == 1 else tr("{name} (run {number})", name=name, number=key.numbers)
        for key, name in names.items()
    }


def _run_name(run: RunSummary, now: datetime) -> str:
    """What a run is called beside others: its target and its time, or the import's name.

    A report of the comparison says the same name, on whatever day it is read.
    """
    if run.label.name:
        return run.label.name
    if run.kind is RunKind.IMPORT:
        return run.target
    name = "This computer" if run.target == LOCAL.name else run.target
    return f"{name}, {dated(run.started_at, now)}"


def _target(name: str) -> str:
    return title_of(TargetSpec(name=name))


def _group_rank(run: RunSummary, order: Mapping[str, int]) -> tuple[int, str]:
    """Targets as they are listed, then those that are not, then imports."""
    if run.kind is RunKind.IMPORT:
        return len(order) + 1, ""
    known = run.target in order
    return order.get(run.target, len(order)), "" if known else run.target


def _of_runs(alike: Sequence[RunSummary], now: datetime) -> Candidate:
    """A run, or repeats of one drive."""
    run = alike[0]
    imported = run.kind is RunKind.IMPORT
    when = moment(run.started_at, now)
    in_heading = imported and not run.label.project
    detail = _dated(run, when) if imported or run.label.name else _detail(run)
    doubts = doubts_text(sum(one.doubtful for one in alike), sum(one.rejected for one in alike))
    if doubts:
        detail = f"{detail}, {doubts}"
    return Candidate(
        RunKey(tuple(one.id for one in alike)),
        run.label.project or (IMPORTED if imported else _target(run.target)),
        run.label.name or (run.target if imported else when),
        count(sum(one.points for one in alike)),
        detail if in_heading else f"{_kind(alike)}, {detail}",
        _place(run),
    )


def _place(run: RunSummary) -> str:
    """What was measured, as far as the heading above leaves it open."""
    target = _target(run.target) if run.label.project and run.kind is not RunKind.IMPORT else ""
    return ", ".join(filter(None, (target, run.drive, run.directory)))


def _kind(alike: Sequence[RunSummary]) -> str:
    kind = KIND_TEXTS[alike[0].kind]
    if len(alike) == 1:
        return kind
    return tr("{kind}, {times} times", kind=kind, times=len(alike))


def _dated(run: RunSummary, when: str) -> str:
    """When it was made, for one that is listed by a name; tags find it, too."""
    beside = [when] if run.kind is RunKind.IMPORT else [when, _detail(run)]
    return ", ".join([*beside, *run.label.tags])


def _detail(run: RunSummary) -> str:
    plan = run.plan
    if plan in PLANS:
        plan = tr("{plan} plan", plan=plan_label(plan))
    state = STATES[run.state][-1]
    return f"{plan}, {beside_server(state + ',') if run.beside_server else state}"


def _of_reference(one: Contender) -> Candidate:
    probes = dict.fromkeys(PROBES[point.setting.probe].title for point in one.points)
    return Candidate(
        ReferenceKey(one.key),
        f"{LIBRARY}: {one.source}",
        one.name,
        count(len(one.points)),
        ", ".join(probes),
    )


def drives_to_try(
    shelf: Shelf, references: Iterable[Contender], page_bytes: int, now: datetime
) -> list[tuple[DriveKey | None, str]]:
    """Keys and names, the present drive first; of a run nobody knows before what it measured."""
    reading = [
        each
        for each in references
        if any(_reads(point.setting, page_bytes) for point in each.points)
    ]
    rows = candidates(shelf, reading, now)
    return [(None, tr("as now")), *((row.key, f"{_owner(row)}: {row.name}") for row in rows)]


def _owner(row: Candidate) -> str:
    """Whose drive it is, in a word: a published one's name says its source and year."""
    return LIBRARY if isinstance(row.key, ReferenceKey) else row.group


def _reads(setting: Setting, page_bytes: int) -> bool:
    return setting.probe is Probe.RANDOM_READ and setting.block_size_bytes == page_bytes
