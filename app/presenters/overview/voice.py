"""Which run speaks for a server: when it looked, at how much work, and whose its curves are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from advisor.report.history import outdated_text
from advisor.run import RunKind, RunSummary, looks
from app.controllers.run import DoneRun, Run
from app.controllers.selection import Selection
from app.presenters.texts.phrases import how_measured
from app.presenters.texts.times import moment
from app.runtime.translation import tr

MOST_OFFERED = 12
"""More looks than these are found in the sidebar."""


@dataclass(frozen=True, slots=True)
class Speaker:
    """A look that can be taken in place of the one that speaks; ``text`` says when and how."""

    run_id: int
    text: str


def spoken_by(run: Run, measured_at: str, looked_at: str, now: datetime) -> str:
    """Say which run speaks: ``Watched today 13:32, 2.9 queries at work; drive measured ...``.

    ``measured_at`` is when the run of its curves was begun, where that is another, ``looked_at``
    when the machine was read since; "" where neither is so.
    """
    inventory = run.inventory
    read_at = run.started_at if inventory is None else inventory.taken_at
    when = moment(read_at, now, inside=True)
    parts = [_looked(run, when)]
    if measured_at:
        measured = moment(measured_at, now, inside=True)
        if measured != when:
            parts.append(tr("drive measured {when}", when=measured))
    if looked_at not in ("", read_at):
        again = moment(looked_at, now, inside=True)
        parts.append(tr("looked at again {when}", when=again))
    return f"{'; '.join(parts)}."


def spoken_for(selection: Selection, run: Run, looked_at: str, now: datetime) -> str:
    """The same of what is chosen, and what came since: a look at no load, settings that changed."""
    curves = selection.curves
    text = spoken_by(run, "" if curves is None else curves.started_at, looked_at, now)
    if selection.passed_idle:
        text = tr("{when} A later run saw no query at work.", when=text)
    changed = outdated_text(run.outdated) if isinstance(run, DoneRun) else ""
    return f"{text} {changed}".rstrip()


def _looked(run: Run, when: str) -> str:
    """How it was looked at, and the queries at work where anybody saw them."""
    if isinstance(run, DoneRun) and run.summary.from_texts:
        return tr("From texts of {when}", when=when)
    if run.inventory is None or run.inventory.watched is None:
        return tr("Read {when}", when=when)
    how = tr("Checked {when}", when=when)
    if isinstance(run, DoneRun) and run.collected:
        how = tr("Collected {when}", when=when)
    elif run.kind is not RunKind.CHECK:
        how = tr("Watched {when}", when=when)
    time = None if run.judgement is None else run.judgement.time
    if time is None:
        return tr("{how}, no query at work", how=how)
    return tr("{how}, {number} queries at work", how=how, number=f"{time.running.value:.1f}")


def speakers(runs: Sequence[RunSummary], but: int | None, now: datetime) -> list[Speaker]:
    """The latest looks at a server ``but`` for the one that speaks, the newest first."""
    others = [run for run in looks(runs) if run.id != but]
    return [Speaker(run.id, _offered(run, now)) for run in others[:MOST_OFFERED]]


def _offered(run: RunSummary, now: datetime) -> str:
    text = tr(
        "{when}, {how}", when=moment(run.started_at, now), how=how_measured(run.kind, run.plan)
    )
    return tr("{look}, no query at work", look=text) if run.idle else text
