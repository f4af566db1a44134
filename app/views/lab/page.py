"""A lab: a question is chosen in words, what it takes is shown, its effects come in."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from app.controllers.asides.lab import LabController, LabPhase, LiveLab
from app.fields.field import fields_of
from app.fields.lab import LabForm
from app.presenters.lab.effects_picture import effects_picture
from app.presenters.lab.page import lab_text
from app.presenters.lab.wish import LabWish
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.lab.effects_chart import EffectsChart
from app.views.widgets.callout import Callout
from app.views.widgets.fields import Fields
from app.views.widgets.labels import label
from app.views.widgets.layouts import form, scrolled
from app.views.widgets.page_head import AsidePage, Offer, PageHead
from app.views.widgets.text_rows import TextRows
from probes.errors import LeadlineError, UsageError

FIELDS_WIDTH = 520


class LabPage(AsidePage):
    """Signals: ``run_wanted(target, run_id)`` to see what was kept of a lab that has ended."""

    name, picture = "Lab", "layers"
    run_wanted = Signal(str, int)

    def __init__(self, appearance: Appearance, controller: LabController) -> None:
        super().__init__()
        self._controller = controller
        self._wish: LabWish | None = None
        self.head = PageHead(appearance, tokens.SPACE_M)
        self.beside = label("", wrap=True, select=True)
        self.callout = Callout(appearance, closable=True)
        self._build_form()
        self.chart = EffectsChart(appearance)
        self.rows = TextRows()
        self._build()
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

    def _build(self) -> None:
        body = QWidget()
        body.setObjectName("pageBody")
        inner = QVBoxLayout(body)
        inner.setContentsMargins(0, 0, tokens.SPACE_M, tokens.SPACE_L)
        inner.setSpacing(tokens.SPACE_M)
        for part in (self.beside, self.form, self.chart, self.rows):
            inner.addWidget(part)
        inner.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(tokens.SPACE_XL, tokens.SPACE_L, tokens.SPACE_M, 0)
        layout.setSpacing(tokens.SPACE_M)
        layout.addWidget(self.head)
        layout.addWidget(self.callout)
        layout.addWidget(scrolled(body, tr("The lab")), 1)

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
        self.show_state()

    def take_focus(self) -> None:
        """To the question, else to the button."""
        first = self.fields.widgets["ask"]
        (first if first.isVisible() else self.head.button).setFocus()

    def show_state(self) -> None:
        """Show the phase that the lab is in."""
        lab = self._controller.lab
        text = lab_text(lab)
        self.form.setVisible(lab is None)
        seen = None if lab is None else lab.seen
        self.chart.setVisible(seen is not None and bool(seen.outcome.levels))
        if seen is not None:
            self.chart.show_picture(effects_picture(seen.record, seen.outcome))
        self.rows.display(text.rows)
        self.beside.setText(text.beside)
        self.beside.setVisible(bool(text.beside))
        self.head.display(text.sentence, self._offer(lab))
        if lab is not None and lab.warnings:
            self.callout.display("warn", lab.warnings[-1])

    def _offer(self, lab: LiveLab | None) -> Offer:
        if lab is None:
            possible = self._wish is not None
            return Offer(tr("See what it takes"), "eye", self._look, possible=possible)
        stop = tr("Stop the lab"), "octagon-x", self._controller.stop, "danger"
        over = Offer(tr("Back"), "arrow-left", self.left.emit, kind="")
        if lab.run_id is not None:
            over = Offer(tr("See the run"), "arrow-right", self._see_run, kind="")
        return {
            LabPhase.LOOKING: Offer(tr("Stop"), "x", self._controller.stop, kind=""),
            LabPhase.PLANNED: Offer(tr("Start the lab"), "play", self._start),
            LabPhase.WORKING: Offer(*stop),
            LabPhase.STOPPING: Offer(*stop, possible=False),
            LabPhase.ENDED: over,
        }[lab.phase]

    def _look(self) -> None:
        wish = self._wish
        if wish is None:
            return
        try:
            like = self.like.isChecked() and not self.like.isHidden()
            self._controller.look(wish.request(self.fields.values(), like=like))
        except LeadlineError as error:
            self.callout.tell_error(error)

    def _start(self) -> None:
        try:
            self._controller.start()
        except LeadlineError as error:
            self.callout.tell_error(error)

    def _see_run(self) -> None:
        lab = self._controller.lab
        if lab is not None and lab.run_id is not None:
            self.run_wanted.emit(lab.request.target.name, lab.run_id)
