"""The question before a window is closed in which something is still measured."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from app.controllers.run import Run
from app.presenters.sidebar_rows import title_of
from app.theme.appearance import Appearance
from app.views.dialogs.questions import Question
from probes.figures import counted, seconds
from probes.targets.address import TargetSpec


class ClosingDialog(Question):
    """Accepted to stop and close; to keep measuring is what Enter and Esc do."""

    def __init__(self, appearance: Appearance, runs: Sequence[Run], parent: QWidget) -> None:
        """``runs`` are those that go on or wait for their turn."""
        super().__init__(
            appearance,
            parent,
            icon="octagon-x",
            title="Stop measuring and close?",
            sentence=closing_sentence(runs),
        )
        self.finish("Stop and close", "Keep measuring", yes_is_default=False)
        self.no.setFocus()


def closing_sentence(runs: Sequence[Run]) -> str:
    """What goes on, how long it would still take, and what becomes of it."""
    if len(runs) == 1:
        (run,) = runs
        left = f", {seconds(run.seconds_left)} left" if run.seconds_left else ""
        said = f"{title_of(TargetSpec(name=run.target))} is being measured{left}."
    else:
        said = f"{counted(len(runs), 'run')} go on or wait."
    kept = sum(len(run.points) for run in runs)
    points = f"{counted(kept, 'point')} measured so far" if kept else "Nothing is measured yet"
    return f"{said} {points}{': closing stops it there and keeps them.' if kept else '.'}"
