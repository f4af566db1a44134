"""Choosing what to measure, and seeing what that will do before it starts."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from advisor.runs.events import PlanMade
from advisor.runs.requests import Request
from app.controllers.run_controller import RunController
from app.controllers.selection import Selection
from app.fields.probe import WISHES, ProbeForm, can_reach_drive, plan_about
from app.runtime.debounce import Debounce
from app.runtime.preferences import Preferences
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.probe.details_box import DetailsBox
from app.views.probe.kinds_box import KindsBox
from app.views.probe.limits_box import LimitsBox
from app.views.probe.plan_card import PlanCard
from app.views.widgets.buttons import Button
from app.views.widgets.fields import Fields
from app.views.widgets.labels import label
from app.views.widgets.layouts import row
from probes.errors import LeadlineError, UsageError
from probes.inventory.facts import Role
from probes.kinds.kind import CHECK_KINDS, Kind
from probes.plans.plan import PlanName
from probes.targets.address import TargetKind, TargetSpec

SETTLE_MS = 350
"""How long the choices must rest before the plan is made again."""

CONSENT = (
    "I agree that Leadline makes the schema leadline_probe on this server, fills one table in it "
    "and drops it at the end."
)


class ProbeSetup(QWidget):
    """The form on the left, the plan on the right.

    Signals: ``changed()`` when another request is asked for.
    """

    changed = Signal()

    def __init__(
        self,
        appearance: Appearance,
        run_controller: RunController,
        selection: Selection,
        preferences: Preferences,
    ) -> None:
        super().__init__()
        self._appearance, self._run_controller = appearance, run_controller
        self._selection, self._preferences = selection, preferences
        self._plan_of = ""
        self._asked: Request | None = None
        self._fault: LeadlineError | None = None
        self._touched: set[str] = set()
        self._settle = Debounce(self, SETTLE_MS, self._preview)
        self._build()
        run_controller.planned.connect(self._planned)
        run_controller.looked.connect(self._looked)
        selection.chosen.connect(self.show_target)
        self.show_target()

    def _build(self) -> None:
        self.kinds = KindsBox()
        self.fields = fields = Fields(ProbeForm, self)
        self.limits = LimitsBox(fields)
        self.limits.begin(self._preferences)
        self.details = DetailsBox(self._appearance, fields)
        for part in (self.kinds, fields):
            part.changed.connect(self._refresh)
        remembered = self._preferences.text("probe/kinds")
        kinds = frozenset(kind for kind in Kind if kind.value in remembered.split())
        self.kinds.choose(
            whole=not self._preferences.switch("probe/chosen"), kinds=kinds or CHECK_KINDS
        )
        self.card = PlanCard(self._appearance)
        self.card.wanted.connect(self._preview)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll = scroll
        self._form = self._made()
        scroll.setWidget(self._form)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, tokens.SPACE_S, 0, tokens.SPACE_XL)
        layout.setSpacing(tokens.SPACE_L)
        layout.addWidget(scroll, 6)
        layout.addWidget(self.card, 6)

    def showEvent(self, event: QShowEvent) -> None:
        """Nothing of the form is cut in a small window: the card beside it wraps."""
        super().showEvent(event)
        bar = self._scroll.verticalScrollBar().sizeHint().width()
        self._scroll.setMinimumWidth(self._form.minimumSizeHint().width() + bar)

    def _made(self) -> QWidget:
        form = QWidget()
        form.setObjectName("pageBody")
        layout = QVBoxLayout(form)
        layout.setContentsMargins(0, 0, tokens.SPACE_M, tokens.SPACE_S)
        layout.setSpacing(tokens.SPACE_XL)
        layout.addWidget(self.kinds)
        for part in (self._directory_part(), self._plan_part(), self._server_part()):
            part.setContentsMargins(0, 0, 0, 0)
            part.setSpacing(tokens.SPACE_S)
            layout.addLayout(part)
        layout.addWidget(self.limits)
        layout.addWidget(self.details)
        layout.addStretch(1)
        return form

    def _directory_part(self) -> QVBoxLayout:
        self.directory = self.fields.lines["directory"]
        self.browse = Button(self._appearance, "", "folder-open", "", tr("Choose a directory"))
        self.browse.setFixedWidth(42)
        self.browse.clicked.connect(self._browse)
        caption = label(WISHES["directory"].caption, "heading")
        caption.setBuddy(self.directory)
        self._directory_note = label(
            tr(
                "The drive under this directory is measured, in files of Leadline's own that are "
                "gone when the run ends."
            ),
            "small",
            wrap=True,
        )
        part = QVBoxLayout()
        part.addWidget(caption)
        part.addLayout(row(self.directory, self.browse))
        part.addWidget(self._directory_note)
        return part

    def _plan_part(self) -> QVBoxLayout:
        self.plan = self.fields.segments["plan"]
        self._about = label("", "small", wrap=True)
        part = QVBoxLayout()
        part.addWidget(label(WISHES["plan"].caption, "heading"))
        part.addWidget(self.plan)
        part.addWidget(self._about)
        return part

    def _server_part(self) -> QVBoxLayout:
        self.sandbox = self.fields.switches["sandbox"]
        self.sandbox.clicked.connect(lambda: self._touched.add(self._selection.spec.name))
        self._sandbox_note = label("", "small", wrap=True)
        self.update_rows = self.fields.switches["update"]
        self._consent = label(CONSENT, "small", wrap=True)
        self._consent.setContentsMargins(tokens.SPACE_XL, 0, 0, 0)
        part = QVBoxLayout()
        part.addWidget(label(tr("Server"), "heading"))
        part.addWidget(self.sandbox)
        part.addWidget(self._sandbox_note)
        part.addWidget(self.update_rows)
        part.addWidget(self._consent)
        return part

    def take_limits(self) -> None:
        """Begin with the limits that the settings have now."""
        self.limits.begin(self._preferences)
        self._refresh()

    @property
    def form(self) -> ProbeForm:
        """The fields as they stand."""
        update, sandbox = self.update_rows, self.sandbox
        possible = {
            "sandbox": sandbox.isChecked() and sandbox.isEnabled(),
            "update": update.isChecked() and not update.isHidden(),
        }
        values = {**self.fields.values(), **possible}
        return ProbeForm(whole=self.kinds.whole, kinds=self.kinds.kinds, **values)

    @property
    def request(self) -> Request:
        """What a press of the button would start; raises UsageError."""
        return self.form.request(self._selection.spec)

    def show_target(self) -> None:
        """Fill the form for the chosen target."""
        spec = self._selection.spec
        reachable = can_reach_drive(spec)
        remembered = self._preferences.text(f"probe/directory/{spec.name}", spec.directory)
        self.directory.setText(remembered or self._likely_directory())
        self.directory.setEnabled(reachable)
        self.browse.setVisible(spec.kind is TargetKind.LOCAL)
        self._directory_note.setVisible(reachable)
        self.kinds.reach_drive(reachable)
        self.sandbox.setEnabled(reachable)
        # Consent is given for one server, one session and one run of the program.
        self.update_rows.setChecked(False)
        if spec.name != self._plan_of:
            # Another target has had another plan: a long one is not started where nobody chose it.
            self._plan_of = spec.name
            usual = PlanName.QUICK.value
            self.plan.pick(self._preferences.text(f"probe/plan/{spec.name}", usual))
        self._sandbox_by_default(spec)
        self._refresh()

    def _likely_directory(self) -> str:
        """Where the plan would measure, as the last look has found; "" before that."""
        looked = self._run_controller.look_at(self._selection.spec.name)
        inventory = looked.inventory if looked is not None else None
        storage = inventory.role(Role.PROBE) if inventory is not None else None
        return storage.path if storage is not None else ""

    @property
    def _server_known(self) -> bool:
        """Whether a live server is known on the chosen target."""
        looked = self._run_controller.look_at(self._selection.spec.name)
        found = looked is not None and looked.inventory is not None and looked.inventory.mysql
        return bool(self._selection.spec.mysql is not None or found)

    def _sandbox_by_default(self, spec: TargetSpec) -> None:
        """Tick it where no server was found, until the user has decided."""
        if spec.name in self._touched:
            return
        remembered = self._preferences.text(f"probe/sandbox/{spec.name}")
        if remembered:
            self.sandbox.setChecked(remembered == "yes")
            return
        self.sandbox.setChecked(can_reach_drive(spec) and not self._server_known)

    def _looked(self, target: str) -> None:
        if target == self._selection.choice.target and not self._run_controller.looking(target):
            if not self.directory.text():
                self.directory.setText(self._likely_directory())
            self._sandbox_by_default(self._selection.spec)
            self._refresh()

    def _browse(self) -> None:
        chosen = QFileDialog.getExistingDirectory(
            self, tr("Choose the directory to measure"), self.directory.text()
        )
        if chosen:
            self.directory.setText(chosen)
            self._refresh()

    def _refresh(self, _value: object = None) -> None:
        """Show what goes with the choices, and make the plan for them where that asks nobody."""
        self._about.setText(plan_about(self.plan.key))
        self._show_server()
        name = self._selection.choice.target
        request: Request | None = None
        self._fault = None
        try:
            request = self.request
        except UsageError as error:
            self._fault = error
        if request is None or request != self._asked:
            self._run_controller.drop_plan(name)
            self._asked = None
            self._settle.stop()
            # While a run goes on, nothing else shall touch the target.
            if request and _asks_nobody(request.target) and self._selection.busy is None:
                self._settle.start()
        self._planned(name)
        self.changed.emit()

    def _show_server(self) -> None:
        """Offer what is possible on the server."""
        spec, known = self._selection.spec, self._server_known
        asks = self.kinds.whole or Kind.MYSQL in self.kinds.kinds
        self.sandbox.setEnabled(can_reach_drive(spec) and asks)
        self._sandbox_note.setText(_sandbox_text(spec, can_reach_drive(spec)))
        sandbox = self.sandbox.isChecked() and self.sandbox.isEnabled()
        updates = not self.kinds.whole and asks and (sandbox or known)
        self.update_rows.setVisible(updates)
        self._consent.setVisible(updates and not sandbox)
        self.limits.know_server(known)
        self.limits.warn_of_wear(not self.kinds.whole and Kind.STEADY in self.kinds.kinds)

    def _preview(self) -> None:
        try:
            request = self.request
        except UsageError as error:
            self._fault = error
            self._planned(self._selection.choice.target)
            return
        self._asked = request
        self._run_controller.preview(request)

    def choose_plan(self, plan: str) -> None:
        """Pick a plan, and make it."""
        self.plan.pick(plan)
        self._refresh()

    def remember(self) -> None:
        """Keep the choices for the next time; they have just been used."""
        form, name = self.form, self._selection.choice.target
        self._preferences.set_text(f"probe/plan/{name}", form.plan)
        self._preferences.set_switch("probe/chosen", not form.whole)
        # A steady write is never remembered: it wears the drive.
        kinds = sorted(kind.value for kind in form.kinds - {Kind.STEADY})
        self._preferences.set_text("probe/kinds", " ".join(kinds))
        self._preferences.set_text(f"probe/directory/{name}", form.directory.strip())
        if name in self._touched:
            self._preferences.set_switch(f"probe/sandbox/{name}", self.sandbox.isChecked())

    @property
    def plan_made(self) -> PlanMade | None:
        """The plan that is shown."""
        found = self._run_controller.plan_for(self._selection.choice.target)
        return found if isinstance(found, PlanMade) else None

    def _planned(self, target: str) -> None:
        if target != self._selection.choice.target:
            return
        planning = self._run_controller.planning(target) or self._settle.isActive()
        found = self._fault or self._run_controller.plan_for(target)
        self.card.display(found, planning=planning, advised=self.kinds.whole)
        self.changed.emit()


def _asks_nobody(spec: TargetSpec) -> bool:
    """Whether connecting needs no password: only then a plan is made without being asked for."""
    return spec.kind is TargetKind.LOCAL and spec.mysql is None


def _sandbox_text(spec: TargetSpec, possible: bool) -> str:
    if not possible:
        return tr(
            "A throwaway server needs the server's machine, and only MySQL can be reached here."
        )
    text = tr(
        "Beside the probe files, with 64 MiB of buffer pool and no network; removed at the end."
    )
    if spec.mysql is not None:
        more = tr("Without it, primary-key lookups run on the target's own server.")
    else:
        more = tr("It shows what the drive means to MySQL where no server runs.")
    return f"{text} {more}"
