"""A run as everybody knows it: how it came to be, where it stands, what a list shows of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from probes.errors import UsageError
from probes.plans.plan import plan_text


class RunKind(StrEnum):
    """How a run came to be: a whole check, probes alone, a look without load, another's file.

    A lab measured servers of its own; a trial switched a setting of the live one.
    """

    CHECK = "check"
    PROBE = "probe"
    WATCH = "watch"
    IMPORT = "import"
    LAB = "lab"
    TRIAL = "trial"

    @property
    def has_answer(self) -> bool:
        """Whether it answers a question of its own: it is no case that rules judge."""
        return self in (RunKind.LAB, RunKind.TRIAL)


def how_text(kind: RunKind, plan: str, *, from_texts: bool = False) -> str:
    """How a run measured: by which plan, by watching alone, or elsewhere."""
    if from_texts:
        return "from texts"
    known = {
        RunKind.IMPORT: "imported",
        RunKind.WATCH: "watched",
        RunKind.LAB: "a lab",
        RunKind.TRIAL: "a trial",
    }
    return known.get(kind) or plan_text(plan)


COLLECTED_AT = "collected_at"
"""The condition of a run that says when the script ended (ISO 8601)."""

_LOOKING = (RunKind.CHECK, RunKind.WATCH)
"""Kinds of runs that look at a server."""


class RunState(StrEnum):
    """Where a run stands."""

    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"
    INTERRUPTED = "interrupted"

    @property
    def cut_short(self) -> bool:
        """Whether it ended before its end."""
        return self not in {RunState.RUNNING, RunState.DONE}


_ENDED = (RunState.DONE, RunState.CANCELLED, RunState.INTERRUPTED)
"""States of runs whose points count."""

LONGEST_NAME, LONGEST_NOTES = 80, 4000
MOST_TAGS, LONGEST_TAG = 12, 40


@dataclass(frozen=True, slots=True)
class RunLabel:
    """What people call a run, and the project that it belongs to; all of it may be empty.

    Runs of one project that have the same name and target are repeats of one measurement.
    """

    name: str = ""
    tags: tuple[str, ...] = ()
    notes: str = ""
    project: str = ""

    @classmethod
    def typed(cls, name: str, tags: str = "", notes: str = "", project: str = "") -> RunLabel:
        """A label as it was typed, tags between commas; raises UsageError for one too long."""
        split = (" ".join(tag.split()) for tag in tags.split(","))
        made = cls(
            " ".join(name.split()),
            tuple(dict.fromkeys(filter(None, split))),
            notes.strip(),
            " ".join(project.split()),
        )
        for text in (made.name, made.project, *made.tags, made.notes.replace("\n", " ")):
            if not text.isprintable():
                raise UsageError("Names, projects, tags and notes can't hold control characters.")
        if len(made.project) > LONGEST_NAME:
            raise UsageError(f"A project's name can't be longer than {LONGEST_NAME} letters.")
        if len(made.name) > LONGEST_NAME:
            raise UsageError(f"A run's name can't be longer than {LONGEST_NAME} letters.")
        if len(made.tags) > MOST_TAGS or any(len(tag) > LONGEST_TAG for tag in made.tags):
            raise UsageError(f"A run takes at most {MOST_TAGS} tags of {LONGEST_TAG} letters.")
        if len(made.notes) > LONGEST_NOTES:
            raise UsageError(f"Notes can't be longer than {LONGEST_NOTES} letters.")
        return made


NO_LABEL = RunLabel()


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run as a list shows it; times are UTC, ISO 8601.

    Of an import ``target`` is the name that its user gave it, and ``plan`` is "".
    ``beside_server`` is whether points of it were measured beside the server's own load;
    ``idle`` is whether it watched a server that had no query at work; ``from_texts`` whether nobody
    looked at the server, and it is known from texts;
    ``doubted`` is how many points are doubtful or rejected, ``rejected`` how many of these are
    rejected. ``drive`` names the disks below the measured ``directory`` as the run's conditions do;
    both are "" where they are not known.
    """

    id: int
    target: str
    plan: str
    state: RunState
    reason: str
    started_at: str
    ended_at: str
    points: int
    kind: RunKind = RunKind.CHECK
    beside_server: bool = False
    idle: bool = False
    label: RunLabel = NO_LABEL
    doubted: int = 0
    rejected: int = 0
    drive: str = ""
    directory: str = ""
    from_texts: bool = False

    @property
    def doubtful(self) -> int:
        """How many points are in doubt and still counted."""
        return self.doubted - self.rejected


def repeated(runs: Iterable[RunSummary]) -> list[tuple[int, ...]]:
    """The numbers of runs that repeat each other, together; the earliest first.

    Repeats have a project, a name, a target, a kind and a plan in common. What has no project or no
    name stands alone.
    """
    found: dict[object, list[int]] = {}
    for run in sorted(runs, key=lambda run: run.id):
        label = run.label
        alone = not (label.project and label.name)
        alike = (label.project, label.name, run.target, run.kind, run.plan)
        found.setdefault(run.id if alone else alike, []).append(run.id)
    return [tuple(ids) for ids in found.values()]


def speaking_run(runs: Iterable[RunSummary]) -> RunSummary | None:
    """Of one server's runs the one that speaks for it; None where none looked at it to its end.

    The latest watch of a server at work, else the latest such check; where none saw it at work,
    the latest watch or check that there is.
    """
    return max(
        looks(runs), key=lambda run: (not run.idle, run.kind is RunKind.WATCH, run.id), default=None
    )


@dataclass(frozen=True, slots=True)
class Voice:
    """What a server is known by: the run that speaks for it, and the run that has its curves.

    ``curves_id`` is None where the speaking run has the latest points itself, there are none, or
    one run alone is asked for.
    """

    run_id: int
    curves_id: int | None = None

    @property
    def measured_id(self) -> int:
        """The run whose points count."""
        return self.run_id if self.curves_id is None else self.curves_id

    @property
    def ids(self) -> tuple[int, ...]:
        """The runs that it is made of: one, or two."""
        return tuple(dict.fromkeys((self.run_id, self.measured_id)))


def voice_of(runs: Iterable[RunSummary]) -> Voice | None:
    """Of one server's runs what says how it is today; None where nothing can.

    Server facts are those of ``speaking_run``, curves the latest that were measured: a run that
    looked at no load adds its points and silences nothing. Points without any look stand alone.
    """
    known = list(runs)
    seen = speaking_run(known) or _latest_measured(known)
    return None if seen is None else with_curves(seen.id, known)


def with_curves(run_id: int, runs: Iterable[RunSummary]) -> Voice:
    """One of a server's runs with the latest curves among ``runs``."""
    measured = _latest_measured(runs)
    if measured is None or measured.id == run_id or measured.kind is RunKind.IMPORT:
        return Voice(run_id)
    return Voice(run_id, measured.id)


def _latest_measured(runs: Iterable[RunSummary]) -> RunSummary | None:
    """The latest that has points, a whole one before one that was cut short."""
    ended = (run for run in runs if run.points and run.state in _ENDED)
    return max(ended, key=lambda run: (run.state is RunState.DONE, run.id), default=None)


def looks(runs: Iterable[RunSummary]) -> list[RunSummary]:
    """Those that looked at their server, and came to their end."""
    return [run for run in runs if run.state is RunState.DONE and run.kind in _LOOKING]
