"""Under which conditions a run was made, in words."""

from __future__ import annotations

from datetime import datetime

from advisor.buffers import buffers_text
from advisor.run import how_said
from app.controllers.run import Run
from app.presenters.times import moment
from probes.figures import counted
from probes.points import Trust
from probes.words import BESIDE_SERVER


def rows(run: Run, now: datetime) -> list[tuple[str, str]]:
    """Label and text, what is not known left out."""
    directories = {point.setting.directory for point in run.points} - {""}
    found = [
        ("Plan", run.plan_name),
        ("Started", moment(run.started_at, now) if run.started_at else ""),
        ("Points", _points(run)),
        ("Directory", ", ".join(sorted(directories))),
        ("I/O", _io(run)),
        ("Buffers", _buffers(run)),
        ("Engine", run.engine),
    ]
    return [(caption, text) for caption, text in found if text]


def caption(run: Run, now: datetime) -> str:
    """One line about a run, for a chart that leaves the program."""
    name = "this computer" if run.target == "local" else run.target
    texts = [text for label, text in rows(run, now) if label not in {"Plan", "Points"}]
    return "  ·  ".join([name, *texts, how_said(run.kind, run.plan_name)])


def _points(run: Run) -> str:
    planned = len(run.coming)
    measured = len(run.points)
    adaptive = run.plan is not None and run.plan.adaptive
    if planned > measured and adaptive and run.running:
        text = f"{measured} of at most {planned}"
    elif planned > measured and not adaptive:
        text = f"{measured} of {planned}"
    else:
        text = counted(measured, "point")
    for trust in (Trust.DOUBTFUL, Trust.REJECTED):
        number = sum(point.trust is trust for point in run.points)
        if number:
            text += f", {number} {trust.value}"
    beside = sum(point.beside_server for point in run.points)
    if beside:
        text += f", {beside} {BESIDE_SERVER}"
    return text


def _buffers(run: Run) -> str:
    """The memory that blocks lay in, with what decided it."""
    text = buffers_text(run.points)
    because = "" if run.plan is None else run.plan.buffers_because
    return f"{text}: {because}" if text and because else text


def _io(run: Run) -> str:
    direct = {point.direct for point in run.points} - {None}
    if not direct:
        return ""
    return "O_DIRECT" if direct == {True} else "through the page cache"
