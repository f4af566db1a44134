"""A trial on the live server: asked for, agreed to, watched, ended; one of its phases at a time."""

from __future__ import annotations

from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from app.controllers.asides.trial import LiveTrial, TrialController, TrialPhase
from app.fields.field import fields_of
from app.fields.trial import TrialForm
from app.presenters.trial.guard_strip import guard_cells
from app.presenters.trial.page import consent_word, guard_limits, picture, trial_text
from app.presenters.trial.wish import TrialWish, replicas_of
from app.runtime.translation import tr
from app.theme.appearance import Appearance
from app.views.trial.guard_strip import GuardStrip
from app.views.trial.pairs_chart import PairsChart
from app.views.widgets.buttons import Button, Fold
from app.views.widgets.fields import Fields
from app.views.widgets.labels import label
from app.views.widgets.layouts import form, row
from app.views.widgets.page_head import Offer
from app.views.widgets.run_page import RunPage
from probes.errors import UsageError

FIELDS_WIDTH, CONSENT_WIDTH, CHART_HEIGHT = 460, 220, 300


class TrialPage(RunPage):
    """A trial, in the phase that it is in."""

    name, picture = "Trial", "scale"

    def __init__(self, appearance: Appearance, controller: TrialController) -> None:
        super().__init__(appearance)
        self._controller = controller
        self._wish: TrialWish | None = None
        self._build_form(appearance)
        self.chart = PairsChart(appearance)
        self.chart.setFixedHeight(CHART_HEIGHT)
        self.strip = GuardStrip(appearance)
        self._limits = label("", "quiet", wrap=True, select=True)
        self.limits = Fold(appearance, self._limits)
        self.lay_out(
            tr("The trial"), self.form, self.agreement, self.strip, self.chart, self.limits
        )
        controller.changed.connect(self.show_state)
        controller.beaten.connect(self._show_guard)
        controller.failed.connect(self.callout.tell_error)

    def _build_form(self, appearance: Appearance) -> None:
        self.setting = QLineEdit()
        self.setting.setPlaceholderText("innodb_io_capacity=1000")
        self.setting.textEdited.connect(self.callout.hide)
        self.setting.returnPressed.connect(self._start)
        self.fields = Fields(TrialForm, self)
        self.fields.changed.connect(self.callout.hide)
        lines, asked = self.fields.lines, fields_of(TrialForm)
        self.form = QWidget()
        self.form.setMaximumWidth(FIELDS_WIDTH)
        grid = form(
            (tr("&Setting and value"), self.setting),
            *((asked[name].caption, lines[name]) for name in lines),
        )
        column = QVBoxLayout(self.form)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(grid)
        for switch in self.fields.switches.values():
            column.addWidget(switch)
        self.consent = QLineEdit()
        self.consent.setFixedWidth(CONSENT_WIDTH)
        self.consent.textEdited.connect(self._show_head)
        self.consent.returnPressed.connect(self._agree)
        self.refuse = Button(appearance, tr("Leave it"), "x", "", tr("End it: nothing was set"))
        self.refuse.clicked.connect(self._controller.take_back)
        self.agreement = QWidget()
        self.prompt = label("")
        self.prompt.setBuddy(self.consent)
        self.agreement.setLayout(row(self.prompt, self.consent, self.refuse, None))

    def ask(self, wish: TrialWish) -> None:
        """Offer a change to be tried; a trial that goes on stays, and another can't begin."""
        if self._controller.goes_on:
            self.callout.tell_error(
                UsageError(tr("A trial goes on: another one can begin when it has ended."))
            )
        else:
            self._wish = wish
            self._controller.forget()
            self.setting.setText(wish.typed)
            self.callout.hide()
        self.show_state()

    def take_focus(self) -> None:
        """To what is typed next, else to the button."""
        for line in (self.setting, self.consent):
            if line.isVisible():
                line.setFocus()
                return
        self.head.button.setFocus()

    def show_state(self) -> None:
        """Show the phase that the trial is in."""
        trial = self._controller.trial
        phase = None if trial is None else trial.phase
        self.form.setVisible(trial is None)
        asking = phase is TrialPhase.ASKING
        if asking and not self.consent.isVisible() and trial is not None:
            word = consent_word(trial.request.target)
            self.consent.clear()
            self.prompt.setText(tr("Type {word} to agree:", word=word))
            self.consent.setAccessibleName(tr("Type {word} to agree", word=word))
        # Whoever has pressed the button goes on with the question.
        goes_on = asking and not self.agreement.isVisible() and self.head.button.hasFocus()
        self.agreement.setVisible(asking)
        self._show_pairs(trial)
        self._show_guard()
        self.display(trial_text(trial), self._offer(trial), trial.warnings if trial else ())
        if goes_on:
            self.consent.setFocus()

    def _show_pairs(self, trial: LiveTrial | None) -> None:
        self.chart.setVisible(trial is not None and bool(trial.pairs))
        if trial is not None and trial.pairs:
            self.chart.show_picture(picture(trial))

    def _show_guard(self) -> None:
        """What the guard sees, second by second, and on demand when each limit is passed."""
        trial = self._controller.trial
        self.strip.show_cells(() if trial is None else guard_cells(trial))
        text = guard_limits(trial)
        self._limits.setText(text)
        self.limits.name(tr("Show when each limit is passed") if text else "")

    def _show_head(self) -> None:
        trial = self._controller.trial
        self.head.display(trial_text(trial).sentence, self._offer(trial))

    def _offer(self, trial: LiveTrial | None) -> Offer:
        if trial is None:
            possible = self._wish is not None
            return Offer(tr("See what it takes"), "eye", self._start, possible=possible)
        back = tr("Take back now"), "octagon-x", self._controller.take_back, "danger"
        stop = Offer(tr("Stop"), "x", self._controller.take_back, kind="")
        agreed = self._agrees(trial)
        return {
            TrialPhase.LOOKING: stop,
            TrialPhase.BY_HAND: stop,
            TrialPhase.ASKING: Offer(tr("Set it now"), "play", self._agree, possible=agreed),
            TrialPhase.SWITCHING: Offer(*back),
            TrialPhase.STOPPING: Offer(*back, possible=False),
            TrialPhase.ENDED: self.at_end(trial.request.target.name, trial.run_id),
        }[trial.phase]

    def _agrees(self, trial: LiveTrial) -> bool:
        return self.consent.text().strip() == consent_word(trial.request.target)

    def _agree(self) -> None:
        trial = self._controller.trial
        if trial is not None and self._agrees(trial):
            self._controller.agree()
            self.head.button.setFocus()

    def _start(self) -> None:
        wish = self._wish
        if wish is not None:
            typed, fields = self.setting.text(), self.fields.values()
            # What was typed in goes, and would hand the keyboard to its neighbour.
            self.head.button.setFocus()
            self.attempt(
                lambda: self._controller.start(wish.request(typed, fields), replicas_of(fields))
            )
