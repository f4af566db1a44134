"""Under which conditions a run was made, in words."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from advisor.buffers import buffers_text
from app.controllers.run import Run
from app.presenters.texts.phrases import (
    beside_server,
    doubts_text,
    how_measured,
    plan_label,
    points_text,
)
from app.presenters.texts.times import moment
from app.runtime.translation import tr
from probes.points import Trust


def rows(run: Run, now: datetime) -> list[tuple[str, str]]:
    """Label and text, what is not known left out."""
    directories = {point.setting.directory for point in run.points} - {""}
    found = [
        (tr("Plan"), plan_label(run.plan_name)),
        (tr("Started"), moment(run.started_at, now) if run.started_at else ""),
        (tr("Points"), _points(run)),
        (tr("Directory"), ", ".join(sorted(directories))),
        ("I/O", _io(run)),
        (tr("Buffers"), _buffers(run)),
        (tr("Engine"), run.engine),
    ]
    return [(caption, text) for caption, text in found if text]


def caption(run: Run, now: datetime) -> str:
    """One line about a run, for a chart that leaves the program."""
    name = tr("this computer") if run.target == "local" else run.target
    texts = [text for label, text in rows(run, now) if label not in {tr("Plan"), tr("Points")}]
    return "  ·  ".join([name, *texts, how_measured(run.kind, run.plan_name)])


def _points(run: Run) -> str:
    planned = len(run.coming)
    measured = len(run.points)
    adaptive = run.plan is not None and run.plan.adaptive
    if planned > measured and adaptive and run.running:
        parts = [tr("{measured} of at most {planned}", measured=measured, planned=planned)]
    elif planned > measured and not adaptive:
        parts = [tr("{here} of {count}", here=measured, count=planned)]
    else:
        parts = [points_text(measured)]
    trusts = Counter(point.trust for point in run.points)
    if doubts := doubts_text(trusts[Trust.DOUBTFUL], trusts[Trust.REJECTED]):
        parts.append(doubts)
    if beside := sum(point.beside_server for point in run.points):
        parts.append(beside_server(str(beside)))
    return ", ".join(parts)


def _buffers(run: Run) -> str:
    """The memory that blocks lay in, with what decided it."""
    text = buffers_text(run.points)
    because = "" if run.plan is None else run.plan.buffers_because
    return f"{text}: {because}" if text and because else text


def _io(run: Run) -> str:
    direct = {point.direct for point in run.points} - {None}
    if not direct:
        return ""
    return "O_DIRECT" if direct == {True} else tr("through the page cache")
