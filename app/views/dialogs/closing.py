"""The question before a window is closed in which something is still measured."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from app.controllers.run import Run
from app.presenters.sidebar_rows import title_of
from app.runtime.translation import tr, tr_n
from app.theme.appearance import Appearance
from app.views.dialogs.questions import Question
from probes.figures import seconds
from probes.targets.address import TargetSpec


class ClosingDialog(Question):
    """Accepted to stop and close; to keep measuring is what Enter and Esc do."""

    def __init__(self, appearance: Appearance, runs: Sequence[Run], parent: QWidget) -> None:
        """``runs`` are those that go on or wait for their turn."""
        super().__init__(
            appearance,
            parent,
            icon="octagon-x",
            title=tr("Stop measuring and close?"),
            sentence=closing_sentence(runs),
        )
        self.finish(tr("Stop and close"), tr("Keep measuring"), yes_is_default=False)
        self.no.setFocus()


def closing_sentence(runs: Sequence[Run]) -> str:
    """What goes on, how long it would still take, and what becomes of it."""
    if len(runs) == 1:
        (run,) = runs
        target = title_of(TargetSpec(name=run.target))
        said = tr("{target} is being measured.", target=target)
        if run.seconds_left:
            left = seconds(run.seconds_left)
            said = tr("{target} is being measured, {left} left.", target=target, left=left)
    else:
        said = tr_n("1 run goes on or waits.", "{n} runs go on or wait.", len(runs))
    kept = sum(len(run.points) for run in runs)
    points = tr("Nothing is measured yet.")
    if kept:
        points = tr_n(
            "1 point measured so far: closing stops it there and keeps them.",
            "{n} points measured so far: closing stops it there and keeps them.",
            kept,
        )
    return f"{said} {points}"
