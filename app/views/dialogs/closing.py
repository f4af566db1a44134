"""The questions before what is measured is stopped, with its window or alone."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from app.controllers.run import LiveRun
from app.presenters.frame.sidebar_rows import title_of
from app.runtime.translation import tr, tr_n
from app.theme.appearance import Appearance
from app.views.dialogs.questions import QuestionDialog
from probes.figures import seconds
from probes.targets.address import TargetSpec

STOP_KEYS = "Ctrl+."
"""What stops every run, wherever the keyboard is. Escape is pressed too easily for that."""


class Halting(QuestionDialog):
    """Accepted to stop ``runs``, those that go on or wait for their turn; Esc keeps measuring."""

    def __init__(
        self,
        appearance: Appearance,
        runs: Sequence[LiveRun],
        parent: QWidget,
        titles: tuple[str, str],
    ) -> None:
        """``titles`` are the window's own and what it asks."""
        called, title = titles
        super().__init__(
            appearance,
            parent,
            icon="octagon-x",
            called=called,
            title=title,
            sentence=halting_sentence(runs),
        )


class ClosingDialog(Halting):
    """Before the window is closed; Enter, too, keeps measuring: nobody asked for an end of that."""

    def __init__(self, appearance: Appearance, runs: Sequence[LiveRun], parent: QWidget) -> None:
        super().__init__(appearance, runs, parent, (tr("Closing"), tr("Stop measuring and close?")))
        self.finish(tr("Stop and close"), tr("Keep measuring"), yes_is_default=False)
        self.no.setFocus()


class StoppingDialog(Halting):
    """After a wish to stop, which Enter confirms, as the key does that has asked for it."""

    def __init__(self, appearance: Appearance, runs: Sequence[LiveRun], parent: QWidget) -> None:
        super().__init__(appearance, runs, parent, (tr("Stopping"), tr("Stop measuring?")))
        self.finish(tr("Stop measuring"), tr("Keep measuring"), yes_is_default=True)
        self.yes.setFocus()
        again = QShortcut(QKeySequence(STOP_KEYS), self, self.accept)
        # A key that is held down was not pressed twice.
        again.setAutoRepeat(False)


def halting_sentence(runs: Sequence[LiveRun]) -> str:
    """What goes on, how long it would still take, and what becomes of it."""
    if len(runs) == 1:
        (run,) = runs
        target = title_of(TargetSpec(name=run.target))
        sentence = tr("{target} is being measured.", target=target)
        if run.turn:
            sentence = tr("Drives are being compared, now on {target}.", target=target)
        if run.seconds_left:
            left = seconds(run.seconds_left)
            going_on = "{target} is being measured, {left} left."
            if run.turn:
                going_on = "Drives are being compared, now on {target}, {left} left."
            sentence = tr(going_on, target=target, left=left)
    elif not runs:
        sentence = tr("Drives are being compared, between two turns.")
    else:
        sentence = tr_n("1 run goes on or waits.", "{n} runs go on or wait.", len(runs))
    kept = sum(len(run.points) for run in runs)
    points = tr("Nothing is measured yet.") if runs else tr("What was measured is kept.")
    if kept:
        points = tr_n("1 point is kept.", "{n} points are kept.", kept)
    return f"{sentence} {points}"
