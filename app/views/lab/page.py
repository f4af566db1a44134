"""A lab: a question is chosen in words, what it takes is shown, its effects come in."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from advisor.wording.measured.lab import short_names
from app.controllers.asides.lab import LabController, LabPhase, LiveLab
from app.fields.field import fields_of
from app.fields.lab import LabForm
from app.presenters.lab.effects_picture import effects_picture
from app.presenters.lab.page import lab_text
from app.presenters.lab.turns_picture import turns_sheet
from app.presenters.lab.wish import LabWish
from app.runtime.translation import tr
from app.theme.appearance import Appearance
from app.views.charts.lanes.lane_painter import AXIS_HEIGHT
from app.views.charts.lanes.lanes import LanesView
from app.views.lab.effects_chart import EffectsChart
from app.views.widgets.fields import Fields
from app.views.widgets.layouts import form
from app.views.widgets.page_head import Offer
from app.views.widgets.run_page import RunPage
from probes.errors import UsageError

FIELDS_WIDTH = 520
TURNS_HEIGHT = 120
"""Of each number of connections."""


class LabPage(RunPage):
    """A lab, in the phase that it is in."""

    name, picture = "Lab", "layers"

    def __init__(self, appearance: Appearance, controller: LabController) -> None:
        super().__init__(appearance)
        self._controller = controller
        self._wish: LabWish | None = None
        self._build_form()
        self.chart = EffectsChart(appearance)
        self.turns = LanesView(appearance)
        self.turns.setAccessibleName(tr("Turns as they come"))
        self.lay_out(tr("The lab"), self.form, self.chart, self.turns)
        controller.changed.connect(self.show_state)

    def _build_form(self) -> None:
        self.fields = Fields(LabForm, self)
        self.fields.changed.connect(self.callout.hide)
        asked = fields_of(LabForm)
        self.form = QWidget()
        self.form.setMaximumWidth(FIELDS_WIDTH)
        self.like = QCheckBox(tr("&Under a load like that of its latest watch at work"))
        column = QVBoxLayout(self.form)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(
            form(*((asked[name].caption, each) for name, each in self.fields.widgets.items()))
        )
        column.addWidget(self.like)

    def ask(self, wish: LabWish) -> None:
        """Offer a question; a lab that goes on stays, and another can't begin."""
        if self._controller.goes_on:
            self.callout.tell_error(
                UsageError(tr("A lab goes on: another one can begin when it has ended."))
            )
        else:
            self._wish = wish
            self._controller.forget()
            self.callout.hide()
            self.like.setVisible(wish.case is not None)
            self.like.setChecked(wish.case is not None)
            if self.fields.lists["ask"].currentIndex() < 0:
                self.fields.lists["ask"].setCurrentIndex(0)
        self.show_state()

    def take_focus(self) -> None:
        """To the question, else to the button."""
        first = self.fields.widgets["ask"]
        (first if first.isVisible() else self.head.button).setFocus()

    def show_state(self) -> None:
        """Show the phase that the lab is in."""
        lab = self._controller.lab
        self.form.setVisible(lab is None)
        seen = None if lab is None else lab.seen
        self.chart.setVisible(seen is not None and bool(seen.outcome.levels))
        if seen is not None:
            self.chart.show_picture(effects_picture(seen.record, seen.outcome))
        self._show_turns(lab)
        self.display(lab_text(lab), self._offer(lab), lab.warnings if lab else ())

    def _show_turns(self, lab: LiveLab | None) -> None:
        """Each turn that was worked, beside the effects that they lead to."""
        turns = [] if lab is None else lab.turns
        self.turns.setVisible(bool(turns))
        if lab is not None and turns:
            option = "" if lab.seen is None else short_names(lab.seen.record)[0]
            sheet = turns_sheet(turns, option)
            self.turns.show_sheet(sheet)
            self.turns.setFixedHeight(TURNS_HEIGHT * len(sheet.lanes) + AXIS_HEIGHT)

    def _offer(self, lab: LiveLab | None) -> Offer:
        if lab is None:
            possible = self._wish is not None
            return Offer(tr("See what it takes"), "eye", self._look, possible=possible)
        stop = tr("Stop the lab"), "octagon-x", self._controller.stop, "danger"
        return {
            LabPhase.LOOKING: Offer(tr("Stop"), "x", self._controller.stop, kind=""),
            LabPhase.PLANNED: Offer(tr("Start the lab"), "play", self._start),
            LabPhase.WORKING: Offer(*stop),
            LabPhase.STOPPING: Offer(*stop, possible=False),
            LabPhase.ENDED: self.at_end(lab.request.target.name, lab.run_id),
        }[lab.phase]

    def _look(self) -> None:
        wish = self._wish
        if wish is not None:
            like = self.like.isChecked() and not self.like.isHidden()
            fields = self.fields.values()
            self.attempt(lambda: self._controller.look(wish.request(fields, like=like)))

    def _start(self) -> None:
        self.attempt(self._controller.start)
